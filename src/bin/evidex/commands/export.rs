//! `evidex export`: what an index holds, as JSONL.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use evidex::index::{Index, PassageText, Snapshot};
use serde_json::{Map, Value, json};

use super::Context;
use crate::exit::{Exit, Failure};
use crate::filters;
use crate::printer::Stream;

/// Write documents, chunks or vectors of an index to standard output as JSONL, one a line.
///
/// Documents hold id, title, text, url, source, place and their further fields: `evidex index` reads them again under the
/// same ids. Chunks hold document, position, place in bytes and characters, and text; vectors document, position and the
/// numbers, as exactly as they are kept.
#[derive(Debug, ClapArgs)]
pub struct ExportArgs {
    /// What to write
    #[arg(value_enum)]
    pub what: What,
    /// The index
    #[arg(long, value_name = "DIR")]
    pub index: PathBuf,
    /// Only documents that match, such as 'lang=en AND year>=2020'
    #[arg(long, value_name = "FILTER", allow_hyphen_values = true)]
    pub filter: Option<String>,
}

/// What can be exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// Documents as they were added
    Documents,
    /// The chunks that they were cut into
    Chunks,
    /// The chunks' vectors
    Vectors,
}

/// Runs `evidex export`.
pub fn run(args: &ExportArgs, _context: &Context) -> Result<Exit, Failure> {
    let snapshot = filters::apply(Index::open(&args.index)?.snapshot()?, args.filter.as_deref())?;
    if args.what == What::Vectors && snapshot.options().embedder.is_none() {
        return Err(Failure::new("no_vectors", format!("the index at {} holds no vectors", args.index.display()))
            .hint("export its documents or chunks"));
    }
    let mut output = Stream::new();
    for header in snapshot.documents() {
        let id = header?.id;
        let lines = match args.what {
            What::Documents => document(&snapshot, &id)?,
            What::Chunks => chunks(&snapshot, &id, |chunk| Ok(Some(chunk_json(&chunk))))?,
            What::Vectors => chunks(&snapshot, &id, |chunk| {
                let vector = snapshot.vector(chunk.ordinal)?;
                Ok(vector.map(
                    |vector| json!({ "document_id": chunk.document_id, "position": chunk.position, "vector": vector }),
                ))
            })?,
        };
        if !output.write(&lines)? {
            break;
        }
    }
    output.finish()?;
    Ok(Exit::Well)
}

fn document(snapshot: &Snapshot, id: &evidex::corpus::DocumentId) -> Result<String, Failure> {
    let Some(document) = snapshot.document(id)? else { return Ok(String::new()) };
    let mut record = Map::new();
    let mut put = |name: &str, value: Value| {
        if !value.is_null() && !record.contains_key(name) {
            record.insert(name.to_owned(), value);
        }
    };
    put("id", json!(document.id));
    put("title", json!(document.title));
    put("text", json!(document.text));
    put("url", json!(document.provenance.url));
    for (name, value) in &document.metadata {
        put(name, json!(value));
    }
    put("source", json!(document.provenance.source));
    put("place", json!(document.provenance.place));
    Ok(format!("{}\n", Value::Object(record)))
}

fn chunks(
    snapshot: &Snapshot,
    id: &evidex::corpus::DocumentId,
    line: impl Fn(PassageText) -> Result<Option<Value>, Failure>,
) -> Result<String, Failure> {
    let mut lines = String::new();
    for ordinal in snapshot.chunks_of(id)? {
        let Some(chunk) = snapshot.passage(ordinal)? else { continue };
        if let Some(value) = line(chunk)? {
            lines.push_str(&format!("{value}\n"));
        }
    }
    Ok(lines)
}

fn chunk_json(chunk: &PassageText) -> Value {
    json!({
        "document_id": chunk.document_id,
        "position": chunk.position,
        "span": {
            "start": chunk.span.start,
            "end": chunk.span.end,
            "char_start": chunk.chars_before,
            "char_end": chunk.chars_before + chunk.text.chars().count(),
        },
        "text": chunk.text,
    })
}
