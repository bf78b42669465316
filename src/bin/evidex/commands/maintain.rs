//! `evidex compact` and `evidex upgrade`: what an index holds stays the same, its files become fewer or newer.

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;
use evidex::index::{Index, Maintained, WriterOptions};
use serde_json::json;

use super::Context;
use crate::exit::{Exit, Failure};
use crate::printer;

/// Merge an index's segments into as few as the memory budget allows and drop what was removed. Nothing is embedded again,
/// readers go on meanwhile.
#[derive(Debug, ClapArgs)]
pub struct CompactArgs {
    /// The index
    #[arg(long, value_name = "DIR")]
    pub index: PathBuf,
    /// Memory to merge in, such as 1GB; more memory, fewer segments
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<String>,
}

/// Bring an index of an older version up to this one. The old generation stays until the new one is published; nothing is
/// embedded again.
#[derive(Debug, ClapArgs)]
pub struct UpgradeArgs {
    /// The index
    #[arg(long, value_name = "DIR")]
    pub index: PathBuf,
}

/// Runs `evidex compact`.
pub fn compact(args: &CompactArgs, context: &mut Context) -> Result<Exit, Failure> {
    context.settings.flag("memory", "--memory", args.memory.as_deref())?;
    let index = Index::open(&args.index)?;
    let done = index.maintenance_writer(options(context))?.compact()?;
    print(&args.index, &done, "compact already", context)
}

/// Runs `evidex upgrade`.
pub fn upgrade(args: &UpgradeArgs, context: &Context) -> Result<Exit, Failure> {
    let index = Index::open_older(&args.index)?;
    let done = index.maintenance_writer(options(context))?.upgrade()?;
    print(&args.index, &done, "of this version already", context)
}

fn options(context: &Context) -> WriterOptions {
    WriterOptions {
        memory_budget: context.settings.size("memory"),
        threads: context.settings.whole("threads"),
        cancellation: context.cancellation.clone(),
        ..WriterOptions::default()
    }
}

fn print(index: &Path, done: &Maintained, nothing_to_do: &str, context: &Context) -> Result<Exit, Failure> {
    let place = index.display();
    if context.settings.json() {
        printer::json(&json!({
            "index": place.to_string(),
            "generation": done.generation.0,
            "changed": done.changed,
            "segments": { "before": done.segments_before, "now": done.segments },
            "bytes": { "before": done.bytes_before, "now": done.bytes },
            "dropped_documents": done.dropped_documents,
        }))?;
    } else if done.changed {
        let dropped = match done.dropped_documents {
            0 => String::new(),
            count => format!(", {} dropped", printer::count(count, "removed document")),
        };
        printer::out(&format!(
            "{place}: {} became {}, {} became {}{dropped}, generation {}\n",
            printer::count(done.segments_before, "segment"),
            done.segments,
            printer::bytes(done.bytes_before),
            printer::bytes(done.bytes),
            done.generation.0,
        ))?;
    } else {
        printer::out(&format!("{place}: {nothing_to_do}, generation {}\n", done.generation.0))?;
    }
    Ok(Exit::Well)
}
