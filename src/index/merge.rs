//! Merging: which segments become one, and making it.
//!
//! Vectors are taken over, never made again; removed documents are left out. A merge is never larger than what can be
//! made within the memory budget.

use std::collections::BTreeMap;

use evidex_index_format::{SegmentId, Storage};

use super::IndexError;
use super::build::{BuiltSegment, NewDocument, SegmentBuilder};
use super::embedding::write_vectors;
use super::hash::encode_header;
use super::options::{IndexOptions, WriterOptions};
use super::writer::Working;
use crate::text::TextSpan;
use crate::vector::VectorError;

/// So many segments of about one size become one.
const FAN_IN: usize = 8;

/// Above so many segments, those that fit together are merged whatever their sizes.
const MOST_SEGMENTS: usize = 32;

/// Segments up to this many chunks count as of one size.
const SMALLEST_TIER: u64 = 512;

/// A segment as the choice sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Candidate {
    /// Chunks, removed ones too.
    pub chunks: u64,
    /// Removed ones.
    pub removed: u64,
}

impl Candidate {
    fn live(self) -> u64 {
        self.chunks.saturating_sub(self.removed)
    }

    fn tier(self) -> u32 {
        (self.live() / SMALLEST_TIER).checked_ilog(FAN_IN as u64).map_or(0, |tier| tier + 1)
    }
}

/// The most chunks that a merge may make within `budget` bytes: postings, a row and a node of the graph for each.
pub(super) fn largest(budget: usize, index: &IndexOptions) -> u64 {
    let of_chunk = if index.may_have_graphs() { 3_000 + index.dimension() } else { 500 };
    (budget / of_chunk).max(1_000) as u64
}

/// The places of the segments to merge next, in order; `None` when all is well.
pub(super) fn choose(candidates: &[Candidate], largest: u64) -> Option<Vec<usize>> {
    // More dead than alive: the space is worth the work.
    let dead = |candidate: &Candidate| candidate.removed * 2 > candidate.chunks && candidate.live() <= largest;
    if let Some(at) = candidates.iter().position(dead) {
        return Some(vec![at]);
    }
    let mut tiers: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (at, candidate) in candidates.iter().enumerate() {
        tiers.entry(candidate.tier()).or_default().push(at);
    }
    let full = tiers.into_values().find_map(|tier| fitting(candidates, tier, largest).filter(|it| it.len() >= FAN_IN));
    let crowded = || {
        (candidates.len() > MOST_SEGMENTS)
            .then(|| fitting(candidates, (0..candidates.len()).collect(), largest))
            .flatten()
            .filter(|chosen| chosen.len() >= 2)
    };
    full.or_else(crowded)
}

/// Neighbours grouped so that each group can be merged and there are few: the places of each group, in order.
pub(super) fn choose_all(candidates: &[Candidate], largest: u64) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut total = 0u64;
    for (at, candidate) in candidates.iter().enumerate() {
        total = total.saturating_add(candidate.live());
        match groups.last_mut() {
            Some(group) if total <= largest => group.push(at),
            _ => {
                groups.push(vec![at]);
                total = candidate.live();
            }
        }
    }
    groups
}

/// The smallest of `places` that together stay within `largest`.
fn fitting(candidates: &[Candidate], mut places: Vec<usize>, largest: u64) -> Option<Vec<usize>> {
    places.sort_by_key(|&at| (candidates[at].live(), at));
    let mut total = 0u64;
    let mut chosen: Vec<usize> = places
        .into_iter()
        .take_while(|&at| {
            total = total.saturating_add(candidates[at].live());
            total <= largest
        })
        .collect();
    chosen.sort_unstable();
    (!chosen.is_empty()).then_some(chosen)
}

/// Makes one segment of `sources`, which are part of an index of `total` chunks.
pub(super) fn merge(
    storage: &dyn Storage,
    id: SegmentId,
    sources: &[&Working],
    total: u64,
    index: &IndexOptions,
    options: &WriterOptions,
    postings_memory: usize,
) -> Result<BuiltSegment, IndexError> {
    let mut builder = SegmentBuilder::new(storage, id, postings_memory)?;
    // Where each chunk of the new segment comes from.
    let mut origins: Vec<(u32, u32)> = Vec::new();
    for (source, working) in (0u32..).zip(sources) {
        let segment = &working.segment;
        for document in 0..segment.document_count() {
            if working.removed_documents.contains(document) {
                continue;
            }
            if options.cancellation.is_cancelled() {
                return Err(IndexError::Cancelled);
            }
            let row = segment.document_row(document)?;
            let header = segment.header(&row)?;
            let text = segment.text(&row)?;
            let mut spans: Vec<TextSpan> = Vec::with_capacity(row.chunk_count as usize);
            for chunk in row.first_chunk..row.first_chunk.saturating_add(row.chunk_count) {
                let span = segment.chunk_row(chunk)?.span();
                spans.push(span.ok_or_else(|| segment.damaged("a chunk lies outside its document"))?);
                origins.push((source, chunk));
            }
            builder.push(NewDocument {
                id: &header.id,
                title: header.title.as_deref(),
                header: &encode_header(&header)?,
                text: &text,
                content_hash: row.content_hash,
                spans: &spans,
            })?;
        }
    }
    let count = builder.chunk_count();
    builder.finish(|output| {
        if index.embedder.is_none() {
            return Ok(());
        }
        let row = |chunk: u32| {
            let origin = origins.get(chunk as usize).copied();
            let vectors =
                origin.and_then(|(source, chunk)| Some((sources.get(source as usize)?.segment.vectors()?, chunk)));
            let missing = || VectorError::Damaged { reason: "a segment to merge has no vectors".to_owned() };
            let (vectors, chunk) = vectors.ok_or_else(missing)?;
            vectors.vector(chunk)
        };
        write_vectors(output, count, total, index, options, &row)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn segment(chunks: u64, removed: u64) -> Candidate {
        Candidate { chunks, removed }
    }

    #[test]
    fn eight_small_segments_become_one_and_seven_do_not() {
        assert_eq!(choose(&[segment(10, 0); 7], 10_000), None);
        assert_eq!(choose(&[segment(10, 0); 8], 10_000), Some((0..8).collect()));
    }

    #[test]
    fn a_mostly_removed_segment_is_written_anew() {
        assert_eq!(choose(&[segment(10, 0), segment(10, 6)], 10_000), Some(vec![1]));
    }

    #[test]
    fn compacting_groups_neighbours_within_bounds() {
        let segments = [segment(10, 0), segment(900, 0), segment(200, 100), segment(5_000, 0), segment(1, 0)];
        assert_eq!(choose_all(&segments, 1_000), [vec![0, 1], vec![2], vec![3], vec![4]]);
        assert_eq!(choose_all(&segments[..3], 1_010), [vec![0, 1, 2]]);
        assert!(choose_all(&[], 1_000).is_empty());
    }

    #[test]
    fn large_segments_are_left_alone() {
        assert_eq!(choose(&[segment(9_000, 0); 20], 10_000), None);
    }

    proptest! {
        #[test]
        fn a_merge_is_within_bounds_and_merging_ends(sizes in proptest::collection::vec((1u64..3_000, 0u64..100), 0..60)) {
            let largest = 5_000;
            let mut segments: Vec<Candidate> =
                sizes.into_iter().map(|(chunks, percent)| segment(chunks, chunks * percent / 100)).collect();
            for _ in 0..200 {
                let Some(chosen) = choose(&segments, largest) else { return Ok(()) };
                let live: u64 = chosen.iter().map(|&at| segments[at].live()).sum();
                prop_assert!(live <= largest && chosen.is_sorted());
                for &at in chosen.iter().rev() {
                    segments.remove(at);
                }
                segments.push(segment(live, 0));
            }
            prop_assert!(false, "merging does not end");
        }
    }
}
