//! `evidex stat`: what an index holds.

use std::fmt::Write;
use std::path::Path;

use evidex::chunk::ChunkPolicy;
use evidex::index::{Index, IndexStat};

use super::Context;
use crate::args::StatArgs;
use crate::exit::{Exit, Failure};
use crate::printer;

/// Runs `evidex stat`.
pub fn run(args: &StatArgs, context: &Context) -> Result<Exit, Failure> {
    let index = Index::open(&args.index)?;
    let stat = index.snapshot()?.stat();
    if context.settings.json() {
        printer::json(&stat)?;
        return Ok(Exit::Well);
    }
    printer::out(&page_of(&stat))?;
    Ok(Exit::Well)
}

/// What an index is, in one line; or why it cannot be opened.
pub fn one_line(path: &Path) -> Result<String, String> {
    let stat = Index::open(path).and_then(|index| index.snapshot()).map_err(|error| error.to_string())?.stat();
    Ok(format!("{} documents, {} chunks, generation {}", stat.documents, stat.chunks, stat.generation.0))
}

fn page_of(stat: &IndexStat) -> String {
    let mut page = String::new();
    let embedder = stat.embedder.as_ref().map_or_else(
        || "none (words only)".to_owned(),
        |embedder| format!("{} ({} dimensions)", embedder.name, embedder.dimension),
    );
    let chunking = match stat.chunking {
        ChunkPolicy::Sentences { size, overlap } => format!("{size} sentences, {overlap} shared"),
        ChunkPolicy::Tokens { size, overlap } => format!("{size} words, {overlap} shared"),
    };
    let _ = writeln!(page, "generation  {}", stat.generation.0);
    let _ =
        writeln!(page, "documents   {} ({} removed ones not yet merged away)", stat.documents, stat.removed_documents);
    let _ = writeln!(page, "chunks      {} of {chunking}", stat.chunks);
    let _ = writeln!(page, "embedder    {embedder}");
    let _ = writeln!(page, "segments    {} ({} with a graph)", stat.segments, stat.graphs);
    let _ = writeln!(
        page,
        "size        {} of text, {} on disk",
        printer::bytes(stat.text_bytes),
        printer::bytes(stat.file_bytes)
    );
    for section in &stat.sections {
        let _ = writeln!(page, "  {:<24} {:>10}", section.name, printer::bytes(section.bytes));
    }
    page
}
