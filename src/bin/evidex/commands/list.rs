//! `evidex list`: the documents of an index.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use evidex::index::{DocumentHeader, Index};
use serde_json::{Value, json};

use super::Context;
use crate::exit::{Exit, Failure};
use crate::filters;
use crate::printer::{self, Stream};

/// List the documents of an index.
///
/// Text: chunks, bytes, id, and the source where the id does not tell it. JSON: the generation and all documents without
/// their texts, one a line.
#[derive(Debug, ClapArgs)]
pub struct ListArgs {
    /// The index
    #[arg(long, value_name = "DIR")]
    pub index: PathBuf,
    /// Only documents that match, such as 'lang=en AND year>=2020'
    #[arg(long, value_name = "FILTER", allow_hyphen_values = true)]
    pub filter: Option<String>,
    /// At most so many
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}

/// Runs `evidex list`.
pub fn run(args: &ListArgs, context: &Context) -> Result<Exit, Failure> {
    let filter = args.filter.as_deref();
    let snapshot = filters::apply(Index::open(&args.index)?.snapshot()?, filter)?;
    let limit = args.limit.unwrap_or(usize::MAX);
    let mut output = Stream::new();
    let headers = snapshot.documents().take(limit);
    if context.settings.json() {
        let generation = snapshot.generation().0;
        output.write(&format!("{{\n  \"generation\": {generation},\n  \"documents\": ["))?;
        for (at, header) in headers.enumerate() {
            let comma = if at > 0 { "," } else { "" };
            if !output.write(&format!("{comma}\n    {}", header_json(&header?)))? {
                break;
            }
        }
        output.write("\n  ]\n}\n")?;
        output.finish()?;
        return Ok(Exit::Well);
    }
    output.write("chunks      bytes  document\n")?;
    for header in headers {
        if !output.write(&printer::visible(&line(&header?)))? {
            break;
        }
    }
    let shown = usize::try_from(snapshot.document_count()).unwrap_or(usize::MAX).min(limit);
    let mut end = printer::count(snapshot.document_count(), "document");
    end.push_str(if filter.is_some() { " match" } else { "" });
    end.push_str(if filter.is_some() && snapshot.document_count() == 1 { "es" } else { "" });
    if (shown as u64) < snapshot.document_count() {
        end = format!("{shown} of {end}");
    }
    output.write(&format!("{end}\n"))?;
    output.finish()?;
    Ok(Exit::Well)
}

fn line(header: &DocumentHeader) -> String {
    let DocumentHeader { chunk_count, text_length, id, title, source, .. } = header;
    let id = one_line(&id.0);
    let mut line = format!("{chunk_count:>6} {text_length:>10}  {id}");
    if let Some(title) = title {
        line.push_str(&format!("  “{}”", one_line(title)));
    }
    if *source != header.id.0 {
        line.push_str(&format!("  {}", one_line(source)));
    }
    line.push('\n');
    line
}

fn one_line(text: &str) -> String {
    text.split('\n').collect::<Vec<_>>().join("\u{FFFD}")
}

/// A document's header in JSON.
pub fn header_json(header: &DocumentHeader) -> Value {
    json!({
        "id": header.id,
        "title": header.title,
        "source": header.source,
        "place": header.place,
        "url": header.url,
        "chunks": header.chunk_count,
        "bytes": header.text_length,
        "metadata": header.metadata,
    })
}
