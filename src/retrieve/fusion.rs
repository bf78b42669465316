//! Reciprocal rank fusion with a protected leg and a dense leg that is trusted as far as it decides.
//!
//! RRF (Cormack, Clarke and Büttcher, 2009) sums `1 / (k + rank)` over the legs, here with k = 10 instead of their 60, as what
//! matters is the first ten. Two things that it does not know are added.
//!
//! A leg that hardly tells its first passage from its twentieth guesses: a model that was not made for the query's language
//! finds everything about equally near. So the dense leg's ranks count by the square of how far its first stands out from its
//! twentieth, as a share, against how far that of the BM25 leg does; at most as much as the words. The numbers are from
//! `benches/retrieval` (Cranfield, XQuAD in three languages, two embedders), where neighbouring ones do about as well.
//!
//! A passage that only one leg knows loses to any passage that both know, however far down; that buries the one passage
//! that holds a query's identifier. So the passages that hold an identifier or a rare word of the query are protected: ranked
//! among themselves in the order of the BM25 leg, they count as if the dense leg had found them at that rank, unless it
//! ranks them higher itself. That never changes the BM25 leg's own order.

use std::collections::BTreeMap;

use super::leg::Group;
use crate::index::ChunkOrdinal;

const RRF_K: f32 = 10.0;

/// The passage that the first one is compared with, to see how far it stands out.
const COMPARED_RANK: usize = 20;

/// A passage after fusion.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fused {
    /// Chunks that hold it.
    pub members: Vec<ChunkOrdinal>,
    pub bm25: Option<f32>,
    pub dense: Option<f32>,
    pub score: f32,
    /// Ranks in the legs, from 1; those that a leg does not know come last.
    ranks: (usize, usize),
}

/// What a rank counts; `usize::MAX` stands for none.
fn reciprocal(rank: usize) -> f32 {
    if rank == usize::MAX { 0.0 } else { 1.0 / (RRF_K + rank as f32) }
}

/// How far the first passage of a leg stands out from the one at [`COMPARED_RANK`], as a share of its score: 0 where all are
/// alike, 1 where there is but one.
fn standing_out(leg: &[Group]) -> f32 {
    let (Some(first), Some(other)) = (leg.first(), leg.get(COMPARED_RANK.min(leg.len().saturating_sub(1)))) else {
        return 1.0;
    };
    if leg.len() < 2 || first.score == 0.0 {
        return 1.0;
    }
    (first.score - other.score) / first.score.abs()
}

/// Fuses two legs, best first; the ranks of the dense one count at most `most_dense_weight` times those of the other.
pub(super) fn fuse(by_words: Vec<Group>, by_meaning: Vec<Group>, most_dense_weight: f32) -> Vec<Fused> {
    // Where no words decide, `max` lets the meaning decide in full.
    let trust = standing_out(&by_meaning) / standing_out(&by_words).max(f32::MIN_POSITIVE);
    let dense_weight = most_dense_weight * trust.clamp(0.0, 1.0).powi(2);
    let mut fused: BTreeMap<u64, Fused> = BTreeMap::new();
    let mut protected = 0;
    for (group, rank) in by_words.into_iter().zip(1..) {
        protected += usize::from(group.protected);
        let passage = Fused {
            members: group.members,
            bm25: Some(group.score),
            dense: None,
            score: 0.0,
            ranks: (rank, if group.protected { protected } else { usize::MAX }),
        };
        fused.insert(group.hash, passage);
    }
    for (group, rank) in by_meaning.into_iter().zip(1..) {
        let passage = fused.entry(group.hash).or_insert_with(|| Fused {
            members: Vec::new(),
            bm25: None,
            dense: None,
            score: 0.0,
            ranks: (usize::MAX, rank),
        });
        passage.dense = Some(group.score);
        passage.ranks.1 = passage.ranks.1.min(rank);
        for member in group.members {
            if !passage.members.contains(&member) {
                passage.members.push(member);
            }
        }
    }
    for passage in fused.values_mut() {
        passage.score = reciprocal(passage.ranks.0) + dense_weight * reciprocal(passage.ranks.1);
    }
    let mut fused: Vec<Fused> = fused.into_values().collect();
    // Passages that the BM25 leg knows have different ranks in it, the others in the dense leg: the order is total.
    fused.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.ranks.cmp(&b.ranks)));
    fused
}

/// One leg alone, ranked by its own scores.
pub(super) fn alone(groups: Vec<Group>, is_dense: bool) -> Vec<Fused> {
    let passage = |(group, rank): (Group, usize)| Fused {
        members: group.members,
        bm25: (!is_dense).then_some(group.score),
        dense: is_dense.then_some(group.score),
        score: group.score,
        ranks: (rank, rank),
    };
    groups.into_iter().zip(1..).map(passage).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(hash: u64, score: f32, protected: bool) -> Group {
        Group { hash, members: vec![ChunkOrdinal(hash as u32)], score, protected }
    }

    fn order(fused: &[Fused]) -> Vec<u32> {
        fused.iter().map(|passage| passage.members[0].0).collect()
    }

    #[test]
    fn a_passage_known_to_both_legs_beats_one_known_to_one() {
        let fused = fuse(
            vec![group(1, 9.0, false), group(2, 8.0, false)],
            vec![group(3, 0.9, false), group(2, 0.8, false)],
            1.0,
        );
        assert_eq!(order(&fused), [2, 1, 3]);
    }

    #[test]
    fn a_leg_that_does_not_decide_does_not_overrule_one_that_does() {
        let by_words = (1..=12u16).map(|n| group(n.into(), 20.0 / f32::from(n), false)).collect();
        let by_meaning = (1..=12u16).map(|n| group((13 - n).into(), 0.5 - 0.001 * f32::from(n), false)).collect();
        assert_eq!(order(&fuse(by_words, by_meaning, 1.0)), (1..=12).collect::<Vec<_>>());
    }

    #[test]
    fn a_protected_passage_is_not_buried() {
        let by_words = vec![group(9, 12.0, true), group(1, 3.0, false), group(2, 2.0, false), group(3, 1.0, false)];
        let by_meaning = vec![group(1, 0.9, false), group(2, 0.8, false), group(3, 0.7, false)];
        assert_eq!(order(&fuse(by_words, by_meaning, 1.0))[0], 9);
    }
}
