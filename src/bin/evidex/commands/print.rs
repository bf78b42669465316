//! `evidex schema`, `completions` and `man`: what is printed from the program's own definitions.

use clap::CommandFactory;

use crate::args::Args;
use crate::exit::{Exit, Failure};
use crate::printer;

/// The JSON Schema of the report.
pub fn schema() -> Result<Exit, Failure> {
    printer::out(&evidex::report::schema())?;
    Ok(Exit::Well)
}

/// A completion script.
pub fn completions(shell: clap_complete::Shell) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "evidex", &mut script);
    printer::out(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Well)
}

/// The manual page.
pub fn man() -> Result<Exit, Failure> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Args::command())
        .render(&mut page)
        .map_err(|error| Failure::new("output", format!("cannot render the manual page: {error}")))?;
    printer::out(&String::from_utf8_lossy(&page))?;
    Ok(Exit::Well)
}
