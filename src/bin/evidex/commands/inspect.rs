//! `evidex inspect`: what the files of an index are made of.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args as ClapArgs;
use evidex::index::{Inspection, inspect_folder};

use super::Context;
use crate::exit::{Exit, Failure};
use crate::printer;

/// Show the structure of an index, also of one that is damaged in part: generations, segments, sections and where they lie.
#[derive(Debug, ClapArgs)]
pub struct InspectArgs {
    /// The index
    #[arg(long, value_name = "DIR")]
    pub index: PathBuf,
}

/// Runs `evidex inspect`.
pub fn run(args: &InspectArgs, context: &Context) -> Result<Exit, Failure> {
    let inspection = inspect_folder(&args.index)?;
    if context.settings.json() {
        printer::json(&inspection)?;
    } else {
        printer::out(&printer::visible(&page_of(&inspection)))?;
    }
    Ok(Exit::Well)
}

fn page_of(inspection: &Inspection) -> String {
    let mut page = String::new();
    let or_unreadable = |value: Option<String>| value.unwrap_or_else(|| "cannot be read".to_owned());
    let generations: Vec<String> = inspection.generations.iter().map(|generation| generation.0.to_string()).collect();
    let _ = writeln!(page, "location        {}", inspection.location);
    let _ = writeln!(page, "format version  {}", or_unreadable(inspection.format_version.map(|it| it.to_string())));
    let current = or_unreadable(inspection.generation.map(|it| it.0.to_string()));
    let _ = writeln!(page, "generation      {current} (manifests of {})", generations.join(", "));
    let _ = writeln!(page, "files           {} in all", printer::bytes(inspection.total_length));
    for file in &inspection.unreferenced {
        let _ = writeln!(page, "not needed      {file}");
    }
    for warning in &inspection.warnings {
        let _ = writeln!(page, "warning         {warning}");
    }
    for segment in &inspection.segments {
        let _ = writeln!(
            page,
            "\n{}: {}, {}, {}, tombstones {}, checksum {:08x}",
            segment.file,
            printer::count(segment.document_count, "document"),
            printer::count(segment.chunk_count, "chunk"),
            printer::bytes(segment.length),
            segment.tombstones,
            segment.checksum,
        );
        if let Some(error) = &segment.error {
            let _ = writeln!(page, "  cannot be opened: {error}");
        }
        for section in &segment.sections {
            let offset = section.offset.map_or_else(|| "?".to_owned(), |offset| offset.to_string());
            let _ = writeln!(page, "  {:<24} {:>12} at {offset:>12}", section.name, printer::bytes(section.length));
        }
    }
    page
}
