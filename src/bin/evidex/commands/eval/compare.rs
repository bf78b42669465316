//! `evidex eval compare`: what changed from one result to another.

use evidex::eval::{compare, comparison_text, read_result};

use super::args::CompareArgs;
use crate::commands::Context;
use crate::exit::{Exit, Failure};
use crate::printer;

/// Runs `evidex eval compare`.
pub fn run(args: &CompareArgs, context: &Context) -> Result<Exit, Failure> {
    let comparison = compare(&read_result(&args.first)?, &read_result(&args.second)?)?;
    if context.settings.json() {
        printer::out(&(serde_json::to_string_pretty(&comparison).unwrap_or_default() + "\n"))?;
    } else {
        printer::out(&printer::visible(&comparison_text(&comparison)))?;
    }
    Ok(Exit::Well)
}
