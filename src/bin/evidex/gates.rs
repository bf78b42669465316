//! From flags to what fails a run.

use std::fs::File;
use std::io::BufReader;

use evidex::report::ci::{Baseline, Gate};
use evidex::verify::Label;

use crate::args::GateArgs;
use crate::exit::Failure;

/// The gate that the flags describe.
///
/// # Errors
/// When the baseline cannot be read.
pub fn open(args: &GateArgs) -> Result<Gate, Failure> {
    let fails = |label: &Label| args.fail_on.iter().any(|name| name == label.as_str());
    let gate = Gate::new(Label::ALL.into_iter().filter(fails));
    let Some(path) = &args.baseline else { return Ok(gate) };
    let failure = |reason: String| {
        Failure::new("baseline", format!("baseline {}: {reason}", path.display()))
            .hint("give a report that `evidex verify --format json` or `evidex batch` wrote")
    };
    let file = File::open(path).map_err(|error| failure(error.to_string()))?;
    let baseline = Baseline::read(BufReader::new(file)).map_err(|error| failure(error.to_string()))?;
    Ok(gate.with_baseline(baseline))
}
