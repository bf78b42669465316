//! `evidex search`: passages of one or more indexes.

use std::fmt::Write;

use evidex::index::{Index, Snapshot};
use evidex::retrieve::{self, Passage, Query, SearchMode};
use serde_json::json;

use super::Context;
use crate::args::{Mode, SearchArgs};
use crate::embedders;
use crate::exit::{Exit, Failure};
use crate::{filters, printer};

/// Runs `evidex search`. Finding nothing is no error.
pub fn run(args: &SearchArgs, context: &Context) -> Result<Exit, Failure> {
    let mode = match args.mode {
        Mode::Hybrid => SearchMode::Hybrid,
        Mode::Bm25 => SearchMode::Bm25,
        Mode::Dense => SearchMode::Dense,
    };
    let query = Query { text: args.query.clone(), mode, k: args.k as usize };
    let mut snapshots = Vec::new();
    let mut embedder = None;
    for path in &args.index {
        let index = Index::open(path)?;
        if mode != SearchMode::Bm25 && embedder.is_none() {
            embedder = embedders::of_index(&index, None, context)?;
        }
        let snapshot = index.snapshot()?;
        snapshots.push(if mode == SearchMode::Bm25 { snapshot.words_only() } else { snapshot });
    }
    if embedder.is_none() && mode == SearchMode::Dense {
        let path = args.index.first().map_or_else(String::new, |path| path.display().to_string());
        return Err(Failure::new("no_vectors", format!("the index at {path} holds no vectors"))
            .hint("search it with --mode bm25"));
    }
    let together = Snapshot::together(&snapshots).map_err(|error| {
        let mut failure = Failure::from(error);
        failure.message = format!("the indexes cannot be searched as one by meaning: {}", failure.message);
        failure.hint("search them with --mode bm25, or one by one")
    })?;
    let Some(snapshot) = together else { return Ok(Exit::Well) };
    let snapshot = filters::apply(snapshot, args.filter.as_deref())?;
    let passages = retrieve::search(&snapshot, &query, embedder.as_deref())?;
    if context.settings.json() {
        let page = json!({ "query": args.query, "passages": passages.iter().map(passage_json).collect::<Vec<_>>() });
        printer::out(&format!("{page:#}\n"))?;
    } else {
        printer::out(&printer::visible(&passages_text(&passages)))?;
    }
    Ok(Exit::Well)
}

fn passage_json(passage: &Passage) -> serde_json::Value {
    let char_end = passage.chars_before + passage.text.chars().count();
    json!({
        "document_id": passage.document_id,
        "title": passage.title,
        "source": passage.source,
        "url": passage.url,
        "text": passage.text,
        "span": {
            "start": passage.span.start,
            "end": passage.span.end,
            "char_start": passage.chars_before,
            "char_end": char_end,
        },
        "scores": {
            "bm25": passage.scores.bm25,
            "dense": passage.scores.dense,
            "fused": passage.scores.fused,
        },
        "duplicates": passage.duplicates.iter().map(|place| json!({
            "document_id": place.document_id,
            "source": place.source,
            "span": place.span,
        })).collect::<Vec<_>>(),
        "metadata": passage.metadata,
    })
}

fn passages_text(passages: &[Passage]) -> String {
    if passages.is_empty() {
        return "nothing found\n".to_owned();
    }
    let mut page = String::new();
    for (rank, passage) in passages.iter().enumerate() {
        let title = passage.title.as_deref().unwrap_or(&passage.document_id.0);
        let legs = [("words", passage.scores.bm25), ("meaning", passage.scores.dense)]
            .into_iter()
            .filter_map(|(leg, score)| Some(format!("{leg} {:.3}", score?)))
            .collect::<Vec<_>>()
            .join(", ");
        let _ = writeln!(page, "{}. {title} ({legs})", rank + 1);
        let text = passage.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(page, "   {text}");
        let _ = writeln!(page, "   {}, bytes {}–{}", passage.source, passage.span.start, passage.span.end);
    }
    page
}
