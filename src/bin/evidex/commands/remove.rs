//! `evidex remove`: documents out of an index, all in one generation.

use std::path::PathBuf;

use clap::{ArgGroup, Args as ClapArgs};
use evidex::corpus::DocumentId;
use evidex::index::{Filter, Index, WriterOptions};
use serde_json::json;

use super::Context;
use super::show::no_document;
use crate::exit::{Exit, Failure};
use crate::{filters, printer};

/// Remove documents from an index, all in one atomic step. The files that they came from are not touched.
///
/// Removed are the documents with the ids given, and those that match --source and --filter (both, if both are given).
#[derive(Debug, ClapArgs)]
#[command(group(ArgGroup::new("what").required(true).multiple(true).args(["ids", "source", "filter"])))]
pub struct RemoveArgs {
    /// Ids of documents; if one of them is not there, nothing is removed
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    /// The index
    #[arg(long, value_name = "DIR")]
    pub index: PathBuf,
    /// Documents of this source, as `evidex list` shows it; may be repeated
    #[arg(long, value_name = "SOURCE", allow_hyphen_values = true)]
    pub source: Vec<String>,
    /// Documents that match, such as 'lang=en AND year<2020'
    #[arg(long, value_name = "FILTER", allow_hyphen_values = true)]
    pub filter: Option<String>,
    /// Say what would be removed, and remove nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Runs `evidex remove`. That nothing matches is no error; that a document named by its id is not there is one.
pub fn run(args: &RemoveArgs, context: &Context) -> Result<Exit, Failure> {
    let by_source = (!args.source.is_empty()).then(|| Filter::of_sources(&args.source));
    let filter = match (by_source, args.filter.as_deref().map(filters::parse).transpose()?) {
        (Some(source), Some(filter)) => Some(source.and(filter)),
        (source, filter) => source.or(filter),
    };
    let index = Index::open(&args.index)?;
    // Held from here on, so that what is chosen is what is removed.
    let options = WriterOptions {
        memory_budget: context.settings.size("memory"),
        threads: context.settings.whole("threads"),
        cancellation: context.cancellation.clone(),
        ..WriterOptions::default()
    };
    let mut writer = if args.dry_run { None } else { Some(index.maintenance_writer(options)?) };
    let snapshot = index.snapshot()?;
    let mut ids: Vec<DocumentId> = Vec::new();
    for id in &args.ids {
        let id = DocumentId(id.clone());
        if snapshot.document(&id)?.is_none() {
            let mut failure = no_document(&id, &snapshot, &args.index);
            failure.message.push_str("; nothing was removed");
            return Err(failure);
        }
        ids.push(id);
    }
    if let Some(filter) = &filter {
        for header in snapshot.filtered(filter)?.documents() {
            ids.push(header?.id);
        }
    }
    ids.sort();
    ids.dedup();
    let mut generation = snapshot.generation();
    if let Some(writer) = &mut writer {
        for id in &ids {
            writer.remove(id)?;
        }
        generation = writer.commit()?.generation;
    }
    if context.settings.json() {
        printer::json(&json!({
            "index": args.index.display().to_string(),
            "generation": generation.0,
            "removed": ids,
            "dry_run": args.dry_run,
        }))?;
        return Ok(Exit::Well);
    }
    let count = printer::count(ids.len() as u64, "document");
    let place = args.index.display();
    if args.dry_run {
        let lines: String =
            ids.iter().map(|id| format!("{}\n", printer::visible(&id.0.replace('\n', "\u{FFFD}")))).collect();
        printer::out(&format!("{lines}{place}: {count} would be removed\n"))?;
    } else {
        printer::out(&format!("{place}: {count} removed, generation {}\n", generation.0))?;
    }
    Ok(Exit::Well)
}
