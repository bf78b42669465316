//! Searching a snapshot.

use super::error::RetrieveError;
use super::fusion::{Fused, alone, fuse};
use super::leg::{Keys, by_meaning, by_wording, by_words, deep, deep_enough, shallow, similarity};
use super::passage::{Duplicate, Passage, PassageScores};
use super::query::{Query, SearchMode};
use crate::embed::{Embedder, EmbedderIdentity};
use crate::index::Snapshot;
use crate::lexical::LexicalQuery;
use crate::vector::VectorReader;

/// The most other places that are named for a passage.
const MOST_DUPLICATES: usize = 100;

/// Hashed n-grams find wording, as BM25 does, and less well: as an equal they would only blur its order.
const WORDING_WEIGHT: f32 = 0.25;

/// From so many chunks on, postings lead to the vectors of an embedder that knows wording alone. Fewer are all looked at.
const LED_BY_WORDS_FROM: u64 = 100_000;

/// The best passages for `query`, at most `query.k`, best first; none where nothing matches.
///
/// Every mode but [`SearchMode::Bm25`] needs the embedder that the index was made with.
///
/// # Errors
/// [`RetrieveError::EmptyQuery`]; [`RetrieveError::EmbedderNeeded`] or [`RetrieveError::NoVectors`] where the mode asks
/// for what is not there; [`RetrieveError::Index`] for another embedder than the index's or a damaged index.
pub fn search(
    snapshot: &Snapshot,
    query: &Query,
    embedder: Option<&dyn Embedder>,
) -> Result<Vec<Passage>, RetrieveError> {
    if !query.text.chars().any(char::is_alphanumeric) {
        return Err(RetrieveError::EmptyQuery);
    }
    let vector = query_vector(snapshot, query, embedder)?;
    if query.k == 0 || snapshot.chunk_count() == 0 {
        return Ok(Vec::new());
    }
    let mut keys = Keys::default();
    let words = LexicalQuery::of(&query.text, &snapshot.stemmings());
    let led_by_words = led_by_words(snapshot);
    // Fusion counts every rank of its legs; of a leg that stands alone no more are looked at than are wanted.
    let fused = query.mode == SearchMode::Hybrid && vector.is_some();
    let ranks = if fused { usize::MAX } else { query.k };
    let words_leg = match query.mode {
        SearchMode::Hybrid | SearchMode::Bm25 => {
            let first = if fused { deep(query.k) } else { shallow(query.k) };
            Some(deep_enough(snapshot, &mut keys, query.k, ranks, first, |depth| by_words(snapshot, &words, depth))?)
        }
        SearchMode::Dense => None,
    };
    let meaning_leg = match &vector {
        Some(vector) => Some(deep_enough(snapshot, &mut keys, query.k, ranks, deep(query.k), |depth| {
            if led_by_words { by_wording(snapshot, &words, vector, depth) } else { by_meaning(snapshot, vector, depth) }
        })?),
        None => None,
    };
    let mut ranked = match (words_leg, meaning_leg) {
        (Some(words), Some(meaning)) => fuse(words, meaning, dense_weight(snapshot)),
        (Some(words), None) => alone(words, false),
        (None, meaning) => alone(meaning.unwrap_or_default(), true),
    };
    ranked.truncate(query.k);
    ranked.into_iter().filter_map(|passage| read(snapshot, &mut keys, passage, vector.as_deref()).transpose()).collect()
}

/// How much the dense leg's ranks count at most against those of the BM25 leg.
fn dense_weight(snapshot: &Snapshot) -> f32 {
    match &snapshot.options().embedder {
        Some(embedder) if embedder.knows_wording_alone() => WORDING_WEIGHT,
        _ => 1.0,
    }
}

/// Whether postings lead to the vectors: there are too many to look at them all, and no graph leads through them.
fn led_by_words(snapshot: &Snapshot) -> bool {
    let vectors = || snapshot.segments().iter().filter_map(|segment| segment.segment().vectors());
    snapshot.options().embedder.as_ref().is_some_and(EmbedderIdentity::knows_wording_alone)
        && snapshot.chunk_count() >= LED_BY_WORDS_FROM
        && !vectors().any(VectorReader::has_graph)
}

/// The query's vector, where the mode asks for one and the index has vectors.
fn query_vector(
    snapshot: &Snapshot,
    query: &Query,
    embedder: Option<&dyn Embedder>,
) -> Result<Option<Vec<f32>>, RetrieveError> {
    let expected = match (query.mode, &snapshot.options().embedder) {
        (SearchMode::Bm25, _) | (SearchMode::Hybrid, None) => return Ok(None),
        (SearchMode::Dense, None) => return Err(RetrieveError::NoVectors),
        (_, Some(expected)) => expected,
    };
    let embedder = embedder.ok_or_else(|| RetrieveError::EmbedderNeeded { expected: expected.name.clone() })?;
    snapshot.options().check_embedder(embedder.identity())?;
    Ok(Some(embedder.embed_query(&query.text)?))
}

fn read(
    snapshot: &Snapshot,
    keys: &mut Keys,
    mut passage: Fused,
    vector: Option<&[f32]>,
) -> Result<Option<Passage>, RetrieveError> {
    if passage.members.len() > 1 {
        keys.sort(snapshot, &mut passage.members)?;
    }
    let Some(&first) = passage.members.first() else { return Ok(None) };
    let Some(text) = snapshot.passage(first)? else { return Ok(None) };
    let mut duplicates = Vec::new();
    for &member in passage.members.iter().skip(1).take(MOST_DUPLICATES) {
        if let Some(other) = snapshot.passage(member)? {
            duplicates.push(Duplicate { document_id: other.document_id, source: other.source, span: other.span });
        }
    }
    // A passage that only the BM25 leg found has a similarity too.
    let dense = match (passage.dense, vector) {
        (None, Some(vector)) => similarity(snapshot, vector, first)?,
        (found, _) => found,
    };
    let scores = PassageScores { bm25: passage.bm25, dense, fused: Some(passage.score) };
    Ok(Some(Passage::new(text, scores, duplicates)))
}
