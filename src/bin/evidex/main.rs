//! The command line. Stdout is data, stderr is conversation; exit 0 all well, 1 the run found something, 2 it could
//! not run.

mod args;
mod assets;
mod batch;
mod commands;
mod embedders;
mod engine;
mod exit;
mod filters;
mod gates;
mod language_models;
mod nli;
mod printer;
mod settings;
mod wikis;

use clap::Parser;

use crate::exit::Exit;

fn main() -> std::process::ExitCode {
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // clap prints help and version to stdout with success, usage errors to stderr.
            let exit = if error.use_stderr() { Exit::CouldNotRun } else { Exit::Well };
            let _ = error.print();
            return exit.into();
        }
    };
    printer::start_log(args.global.verbose);
    match commands::run(args) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            printer::failure(&failure);
            Exit::CouldNotRun.into()
        }
    }
}
