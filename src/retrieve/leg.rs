//! One leg of a search: chunks in order of score, identical passages folded.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::RetrieveError;
use crate::corpus::DocumentId;
use crate::index::{ChunkOrdinal, IndexError, Snapshot};
use crate::lexical::{self, LexicalQuery};
use crate::vector::{Nearest, RESCORE, TopK, VectorSearch};

/// A filter that lets through one chunk in so many, or fewer, is selective.
const SELECTIVE: u32 = 10;

/// A chunk as a leg found it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Hit {
    pub ordinal: ChunkOrdinal,
    pub score: f32,
    pub protected: bool,
}

/// A passage as a leg found it: one chunk, or several that are identical, the first one standing for all.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Group {
    pub hash: u64,
    pub members: Vec<ChunkOrdinal>,
    pub score: f32,
    pub protected: bool,
}

/// The BM25 leg.
pub(super) fn by_words(snapshot: &Snapshot, query: &LexicalQuery, depth: usize) -> Result<Vec<Hit>, RetrieveError> {
    let segments = snapshot.segments();
    let postings: Vec<_> = segments.iter().map(|segment| segment.segment().postings()).collect();
    let alive = |segment: usize, chunk: u32| segments.get(segment).is_some_and(|segment| segment.is_alive(chunk));
    let hits = lexical::search(&postings, query, depth, &alive).map_err(IndexError::from)?;
    let hit = |hit: lexical::LexicalHit| {
        let ordinal = segments.get(hit.segment)?.ordinal(hit.chunk);
        Some(Hit { ordinal, score: hit.score, protected: hit.protected })
    };
    Ok(hits.into_iter().filter_map(hit).collect())
}

/// The dense leg.
pub(super) fn by_meaning(snapshot: &Snapshot, vector: &[f32], depth: usize) -> Result<Vec<Hit>, RetrieveError> {
    // The segments' rows compete before they are scored exactly, so that it does not matter which segment a row is in.
    let mut candidates = TopK::new(depth.saturating_mul(RESCORE));
    for segment in snapshot.segments() {
        let Some(vectors) = segment.segment().vectors() else { continue };
        let found = match segment.admitted_chunks() {
            // Among few, looking at each is right and faster than a graph that leads past them.
            Some(chunks) if chunks.len() <= u64::from(vectors.count() / SELECTIVE) || !vectors.has_graph() => {
                vectors.candidates_among(vector, depth, chunks.iter())
            }
            _ => vectors.candidates(vector, depth, VectorSearch::default(), &|chunk| segment.is_alive(chunk)),
        }
        .map_err(IndexError::from)?;
        for row in found {
            candidates.push(Nearest { ordinal: segment.ordinal(row.ordinal).0, ..row });
        }
    }
    let mut nearest = TopK::new(depth);
    for row in candidates.into_sorted() {
        if let Some(similarity) = similarity(snapshot, vector, ChunkOrdinal(row.ordinal))? {
            nearest.push(Nearest { similarity, ..row });
        }
    }
    Ok(nearest.into_sorted().into_iter().map(of_row).collect())
}

/// The dense leg where vectors know wording alone: the nearest of the chunks that the BM25 leg finds, some for each that is
/// wanted. What shares no word with the query is as far from it as anything.
pub(super) fn by_wording(
    snapshot: &Snapshot,
    words: &LexicalQuery,
    vector: &[f32],
    depth: usize,
) -> Result<Vec<Hit>, RetrieveError> {
    let mut nearest = TopK::new(depth);
    for hit in by_words(snapshot, words, depth.saturating_mul(RESCORE))? {
        if let Some(similarity) = similarity(snapshot, vector, hit.ordinal)? {
            nearest.push(Nearest { similarity, ordinal: hit.ordinal.0 });
        }
    }
    Ok(nearest.into_sorted().into_iter().map(of_row).collect())
}

fn of_row(row: Nearest) -> Hit {
    Hit { ordinal: ChunkOrdinal(row.ordinal), score: row.similarity, protected: false }
}

/// The similarity of a chunk, as exactly as its vector is kept.
pub(super) fn similarity(
    snapshot: &Snapshot,
    vector: &[f32],
    ordinal: ChunkOrdinal,
) -> Result<Option<f32>, RetrieveError> {
    let Some((segment, chunk)) = snapshot.locate(ordinal) else { return Ok(None) };
    let Some(vectors) = segment.segment().vectors() else { return Ok(None) };
    Ok(Some(vectors.similarity(vector, chunk).map_err(IndexError::from)?))
}

/// How many chunks are looked at first for the best `k` passages: some more, as several may be one passage.
pub(super) fn deep(k: usize) -> usize {
    k.saturating_mul(4).max(60)
}

/// The same for a leg that is asked again at once where several are.
pub(super) fn shallow(k: usize) -> usize {
    k.saturating_mul(2).max(20)
}

/// Runs a leg deep enough for `k` different passages, if there are so many: to the depth `first`, then deeper. The first
/// `ranks` are in order.
pub(super) fn deep_enough(
    snapshot: &Snapshot,
    keys: &mut Keys,
    k: usize,
    ranks: usize,
    first: usize,
    leg: impl Fn(usize) -> Result<Vec<Hit>, RetrieveError>,
) -> Result<Vec<Group>, RetrieveError> {
    const DEEPEST: usize = 1 << 14;
    let mut depth = first;
    loop {
        let hits = leg(depth)?;
        let exhausted = hits.len() < depth;
        let (found, last) = (hits.len(), hits.last().map(|hit| hit.score));
        let groups = fold(snapshot, keys, ranks, hits)?;
        // Further down may be equals of the last one that is wanted, and of passages that stand in several places others.
        let may_go_on = depth < deep(k) && (groups.len() < found || groups.get(k - 1).map(|group| group.score) == last);
        if groups.len() >= k && !may_go_on || exhausted || depth >= DEEPEST {
            return Ok(groups);
        }
        depth = if depth < deep(k) { deep(k) } else { depth * 4 };
    }
}

/// Folds identical passages, and puts those of equal score in order of document and position, as far as they may come
/// among the first `ranks`: their headers must be read for it.
fn fold(snapshot: &Snapshot, keys: &mut Keys, ranks: usize, hits: Vec<Hit>) -> Result<Vec<Group>, RetrieveError> {
    let mut groups: Vec<Group> = Vec::with_capacity(hits.len());
    let mut places: HashMap<u64, usize> = HashMap::with_capacity(hits.len());
    for hit in hits {
        let hash = snapshot.passage_hash(hit.ordinal)?;
        match places.get(&hash) {
            Some(&at) => {
                let group = &mut groups[at];
                group.members.push(hit.ordinal);
                group.protected |= hit.protected;
                group.score = group.score.max(hit.score);
            }
            None => {
                places.insert(hash, groups.len());
                groups.push(Group { hash, members: vec![hit.ordinal], score: hit.score, protected: hit.protected });
            }
        }
    }
    // The score of a folded passage is its best member's, which need not be the first one's.
    groups.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut rank = 0;
    for equal in groups.chunk_by_mut(|a, b| a.score.total_cmp(&b.score) == Ordering::Equal) {
        if rank >= ranks {
            break;
        }
        rank += equal.len();
        for group in equal.iter_mut().filter(|group| group.members.len() > 1) {
            keys.sort(snapshot, &mut group.members)?;
        }
        if equal.len() > 1 {
            for group in equal.iter() {
                keys.load(snapshot, group.members[0])?;
            }
            equal.sort_by(|a, b| keys.get(a.members[0]).cmp(&keys.get(b.members[0])));
        }
    }
    Ok(groups)
}

/// Documents and positions of chunks, read only for those whose order depends on them.
#[derive(Debug, Default)]
pub(super) struct Keys(HashMap<ChunkOrdinal, (DocumentId, u32)>);

impl Keys {
    pub(super) fn load(&mut self, snapshot: &Snapshot, ordinal: ChunkOrdinal) -> Result<(), RetrieveError> {
        if let Entry::Vacant(place) = self.0.entry(ordinal) {
            place.insert(snapshot.chunk_key(ordinal)?);
        }
        Ok(())
    }

    pub(super) fn get(&self, ordinal: ChunkOrdinal) -> Option<&(DocumentId, u32)> {
        self.0.get(&ordinal)
    }

    pub(super) fn sort(&mut self, snapshot: &Snapshot, ordinals: &mut [ChunkOrdinal]) -> Result<(), RetrieveError> {
        for &ordinal in ordinals.iter() {
            self.load(snapshot, ordinal)?;
        }
        ordinals.sort_by(|&a, &b| self.get(a).cmp(&self.get(b)));
        Ok(())
    }
}
