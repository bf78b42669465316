//! `evidex backup`: a consistent copy of an index while others read and write it.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use evidex::index::{Index, IndexError};
use serde_json::json;

use super::Context;
use crate::exit::{Exit, Failure};
use crate::printer;

/// Copy an index into a new or empty folder, while others read and write it. Every byte is verified on the way; the copy
/// is an index of its own.
#[derive(Debug, ClapArgs)]
pub struct BackupArgs {
    /// The folder to copy to
    #[arg(value_name = "DIR")]
    pub to: PathBuf,
    /// The index
    #[arg(long, value_name = "DIR")]
    pub index: PathBuf,
}

/// Runs `evidex backup`.
pub fn run(args: &BackupArgs, context: &Context) -> Result<Exit, Failure> {
    let backup = Index::open(&args.index)?.back_up(&args.to).map_err(|error| match error {
        IndexError::FolderInUse { .. } => {
            Failure::new("folder_in_use", format!("{} is not empty, so no copy is made there", args.to.display()))
                .hint("name a new or an empty folder to copy to")
        }
        error => error.into(),
    })?;
    if context.settings.json() {
        printer::json(&json!({
            "index": args.index.display().to_string(),
            "backup": args.to.display().to_string(),
            "generation": backup.generation.0,
            "segments": backup.segments,
            "bytes": backup.bytes,
        }))?;
    } else {
        printer::out(&format!(
            "{}: generation {} copied, {} of {}, to {}\n",
            args.index.display(),
            backup.generation.0,
            printer::bytes(backup.bytes),
            printer::count(backup.segments, "segment"),
            args.to.display(),
        ))?;
    }
    Ok(Exit::Well)
}
