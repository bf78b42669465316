//! `evidex stat`: what an index holds.

use std::fmt::Write;

use evidex::index::Index;

use super::Context;
use crate::args::StatArgs;
use crate::exit::{Exit, Failure};
use crate::printer;

/// Runs `evidex stat`.
pub fn run(args: &StatArgs, context: &Context) -> Result<Exit, Failure> {
    let index = Index::open(&args.index)?;
    let stat = index.snapshot()?.stat()?;
    if context.settings.json() {
        let page = serde_json::to_string_pretty(&stat)
            .map_err(|error| Failure::new("output", format!("cannot print the figures: {error}")))?;
        printer::out(&format!("{page}\n"))?;
        return Ok(Exit::Well);
    }
    let mut page = String::new();
    let _ = writeln!(page, "{stat}");
    printer::out(&page)?;
    Ok(Exit::Well)
}
