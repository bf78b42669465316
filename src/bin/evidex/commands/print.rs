//! `evidex schema`, `completions` and `man`: what is printed from the program's own definitions.

use clap::CommandFactory;

use crate::args::Args;
use crate::exit::{Exit, Failure};
use crate::printer;

/// The JSON Schema of the report, or of that of several methods.
pub fn schema(detection: bool) -> Result<Exit, Failure> {
    printer::out(&if detection { evidex::report::detection_schema() } else { evidex::report::schema() })?;
    Ok(Exit::Well)
}

/// A completion script.
pub fn completions(shell: clap_complete::Shell) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "evidex", &mut script);
    printer::out(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Well)
}

/// The manual page, of one command if it is named.
pub fn man(name: Option<&str>) -> Result<Exit, Failure> {
    let mut command = Args::command();
    command.build();
    if let Some(name) = name {
        let known = command.get_subcommands().map(clap::Command::get_name).collect::<Vec<_>>().join(", ");
        command = command.find_subcommand(name).cloned().ok_or_else(|| {
            Failure::new("usage", format!("there is no command `{name}`")).hint(format!("the commands are: {known}"))
        })?;
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .render(&mut page)
        .map_err(|error| Failure::new("output", format!("cannot render the manual page: {error}")))?;
    printer::out(&String::from_utf8_lossy(&page))?;
    Ok(Exit::Well)
}
