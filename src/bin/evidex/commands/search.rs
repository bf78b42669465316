//! `evidex search`: passages of one or more indexes.

use std::fmt::Write;

use evidex::index::Index;
use evidex::retrieve::{self, Passage, Query, SearchMode};
use serde_json::json;

use super::Context;
use crate::args::{Mode, SearchArgs};
use crate::embedders;
use crate::exit::{Exit, Failure};
use crate::printer;

/// Runs `evidex search`. Finding nothing is no error.
pub fn run(args: &SearchArgs, context: &Context) -> Result<Exit, Failure> {
    let mode = match args.mode {
        Mode::Hybrid => SearchMode::Hybrid,
        Mode::Bm25 => SearchMode::Bm25,
        Mode::Dense => SearchMode::Dense,
    };
    let query = Query { text: args.query.clone(), mode, k: args.k as usize };
    let mut lists = Vec::new();
    for path in &args.index {
        let index = Index::open(path)?;
        let embedder = if mode == SearchMode::Bm25 { None } else { embedders::of_index(&index, None, context)? };
        if embedder.is_none() && mode == SearchMode::Dense {
            return Err(Failure::new("no_vectors", format!("the index at {} holds no vectors", path.display()))
                .hint("search it with --mode bm25"));
        }
        lists.push(retrieve::search(&index.snapshot()?, &query, embedder.as_deref())?);
    }
    let passages = interleave(lists, args.k as usize);
    if context.settings.json() {
        let page = json!({ "query": args.query, "passages": passages.iter().map(passage_json).collect::<Vec<_>>() });
        printer::out(&format!("{page:#}\n"))?;
    } else {
        printer::out(&printer::visible(&passages_text(&passages)))?;
    }
    Ok(Exit::Well)
}

/// Several indexes as one: their scores come of different statistics, so their ranks take turns.
fn interleave(lists: Vec<Vec<Passage>>, k: usize) -> Vec<Passage> {
    let mut lists: Vec<_> = lists.into_iter().map(Vec::into_iter).collect();
    let mut merged = Vec::new();
    loop {
        let round: Vec<Passage> = lists.iter_mut().filter_map(Iterator::next).collect();
        if round.is_empty() || merged.len() >= k {
            merged.truncate(k);
            return merged;
        }
        merged.extend(round);
    }
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
