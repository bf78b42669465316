//! `evidex check`: whether an index is as it was written.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args as ClapArgs;
use evidex::index::{CheckReport, check_folder};

use super::Context;
use crate::exit::{Exit, Failure};
use crate::printer;

/// Verify every checksum of an index, while others read and write it. Exit code 1 where something is wrong.
#[derive(Debug, ClapArgs)]
pub struct CheckArgs {
    /// The index
    #[arg(long, value_name = "DIR")]
    pub index: PathBuf,
    /// Compare texts, chunks, postings, vectors and graph with each other too
    #[arg(long)]
    pub deep: bool,
}

/// Runs `evidex check`.
pub fn run(args: &CheckArgs, context: &Context) -> Result<Exit, Failure> {
    let report = check_folder(&args.index, args.deep)?;
    if context.settings.json() {
        let mut page = serde_json::to_value(&report)
            .map_err(|error| Failure::new("output", format!("cannot print the report: {error}")))?;
        page["sound"] = report.is_sound().into();
        printer::json(&page)?;
    } else {
        printer::out(&printer::visible(&page_of(&report, args)))?;
    }
    Ok(if report.is_sound() { Exit::Well } else { Exit::Found })
}

fn page_of(report: &CheckReport, args: &CheckArgs) -> String {
    let mut page = String::new();
    let state = if report.is_sound() { "sound" } else { "damaged" };
    let generation = report.generation.map_or_else(String::new, |generation| format!(", generation {}", generation.0));
    let _ = writeln!(page, "{}: {state}{generation}", args.index.display());
    let _ = writeln!(page, "{} and {} verified", printer::count(report.files, "file"), printer::bytes(report.bytes));
    if args.deep {
        let documents = printer::count(report.documents, "document");
        let _ = writeln!(page, "{documents} and {} compared", printer::count(report.chunks, "chunk"));
    }
    for warning in &report.warnings {
        let _ = writeln!(page, "odd, and harmless: {warning}");
    }
    for fault in &report.faults {
        let _ = writeln!(page, "damaged: {}", fault.message);
    }
    if !report.is_sound() {
        page.push_str("take the folder from a backup, or index the documents again into a new folder\n");
    }
    page
}
