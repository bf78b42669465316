//! `evidex eval`: how good the verdicts are, on labelled sets.

mod args;
mod bench;
mod compare;
mod ensemble;
mod fit;
mod memory;
mod models;
mod pairs;
mod retrieval;
mod rows;
mod speed;
mod table;

pub use args::EvalArgs;

use super::Context;
use crate::exit::{Exit, Failure};
use args::EvalCommand;

/// Runs `evidex eval`.
///
/// # Errors
/// Why it could not run.
pub fn run(args: &EvalArgs, context: &mut Context) -> Result<Exit, Failure> {
    match &args.command {
        EvalCommand::Pairs(args) => pairs::pairs(args, context),
        EvalCommand::Answers(args) => pairs::answers(args, context),
        EvalCommand::Retrieval(args) => retrieval::run(args, context),
        EvalCommand::Run(args) => pairs::published(args, context),
        EvalCommand::Compare(args) => compare::run(args, context),
        EvalCommand::Speed(args) => speed::run(args, context),
        EvalCommand::Table(args) => table::run(args),
        EvalCommand::Fit(args) => fit::run(args, context),
    }
}
