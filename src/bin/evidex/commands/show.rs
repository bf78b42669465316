//! `evidex show`: one document of an index.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args as ClapArgs;
use evidex::corpus::{DocumentId, MetadataValue};
use evidex::index::{Index, PassageText, Snapshot};
use serde_json::json;

use super::Context;
use crate::exit::{Exit, Failure};
use crate::printer;

/// Show a document of an index: what is known of it, and its text.
#[derive(Debug, ClapArgs)]
pub struct ShowArgs {
    /// The document's id
    #[arg(allow_hyphen_values = true)]
    pub id: String,
    /// The index
    #[arg(long, value_name = "DIR")]
    pub index: PathBuf,
    /// Show how it is cut into chunks instead of its text as a whole
    #[arg(long)]
    pub chunks: bool,
}

/// Runs `evidex show`.
pub fn run(args: &ShowArgs, context: &Context) -> Result<Exit, Failure> {
    let snapshot = Index::open(&args.index)?.snapshot()?;
    let id = DocumentId(args.id.clone());
    let Some(document) = snapshot.document(&id)? else {
        return Err(no_document(&id, &snapshot, &args.index));
    };
    let mut chunks: Vec<PassageText> = Vec::new();
    for ordinal in snapshot.chunks_of(&id)? {
        chunks.extend(snapshot.passage(ordinal)?);
    }
    if context.settings.json() {
        let chunk = |chunk: &PassageText| {
            let char_end = chunk.chars_before + chunk.text.chars().count();
            json!({
                "position": chunk.position,
                "span": {
                    "start": chunk.span.start,
                    "end": chunk.span.end,
                    "char_start": chunk.chars_before,
                    "char_end": char_end,
                },
            })
        };
        printer::json(&json!({
            "id": document.id,
            "title": document.title,
            "source": document.provenance.source,
            "place": document.provenance.place,
            "url": document.provenance.url,
            "metadata": document.metadata,
            "text": document.text,
            "chunks": chunks.iter().map(chunk).collect::<Vec<_>>(),
        }))?;
        return Ok(Exit::Well);
    }
    let mut page = String::new();
    let mut field = |name: &str, value: &str| {
        let _ = writeln!(page, "{name:<8}  {value}");
    };
    field("id", &document.id.0);
    if let Some(title) = &document.title {
        field("title", title);
    }
    let place = document.provenance.place.as_ref().map_or_else(String::new, |place| format!(", {place}"));
    field("source", &format!("{}{place}", document.provenance.source));
    if let Some(url) = &document.provenance.url {
        field("url", url);
    }
    for (name, value) in &document.metadata {
        field(name, &value_text(value));
    }
    let length = document.text.len() as u64;
    field("text", &format!("{}, {}", printer::bytes(length), printer::count(chunks.len() as u64, "chunk")));
    page.push('\n');
    if args.chunks {
        for chunk in &chunks {
            let _ = writeln!(
                page,
                "[{}] bytes {}–{}\n{}\n",
                chunk.position + 1,
                chunk.span.start,
                chunk.span.end,
                chunk.text
            );
        }
    } else {
        page.push_str(&document.text);
        if !document.text.ends_with('\n') {
            page.push('\n');
        }
    }
    printer::out(&printer::visible(&page))?;
    Ok(Exit::Well)
}

fn value_text(value: &MetadataValue) -> String {
    match value {
        MetadataValue::Bool(value) => value.to_string(),
        MetadataValue::Integer(value) => value.to_string(),
        MetadataValue::Number(value) => value.to_string(),
        MetadataValue::Text(value) => value.clone(),
    }
}

/// The error for an id that no document has, with ids that may have been meant.
pub fn no_document(id: &DocumentId, snapshot: &Snapshot, index: &std::path::Path) -> Failure {
    let wanted = id.0.to_lowercase();
    let near: Vec<String> = snapshot
        .documents()
        .filter_map(|header| Some(header.ok()?.id.0))
        .filter(|id| !wanted.is_empty() && id.to_lowercase().contains(&wanted))
        .take(3)
        .collect();
    let hint = if near.is_empty() {
        format!("`evidex list --index {}` names them all", index.display())
    } else {
        format!("these are there: {}", near.join(", "))
    };
    Failure::new("no_document", format!("the index at {} holds no document `{id}`", index.display())).hint(hint)
}
