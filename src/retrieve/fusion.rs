//! Reciprocal rank fusion with a protected leg.
//!
//! RRF (Cormack, Clarke and Büttcher, 2009, k = 60) sums `1 / (60 + rank)` over the legs. A passage that only one leg
//! knows then loses to any passage that both know, however far down; that buries the one passage that holds a query's
//! identifier. So the passages that hold an identifier or a rare word of the query are protected: ranked among
//! themselves in the order of the BM25 leg, they count as if the dense leg had found them at that rank, unless it ranks
//! them higher itself. That never changes the BM25 leg's own order.

use std::collections::BTreeMap;

use super::leg::Group;
use crate::index::ChunkOrdinal;

const RRF_K: f32 = 60.0;

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

/// Fuses two legs, best first; the ranks of the dense one count `dense_weight` times.
pub(super) fn fuse(by_words: Vec<Group>, by_meaning: Vec<Group>, dense_weight: f32) -> Vec<Fused> {
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
    fn a_protected_passage_is_not_buried() {
        let by_words = vec![group(9, 12.0, true), group(1, 3.0, false), group(2, 2.0, false), group(3, 1.0, false)];
        let by_meaning = vec![group(1, 0.9, false), group(2, 0.8, false), group(3, 0.7, false)];
        assert_eq!(order(&fuse(by_words, by_meaning, 1.0))[0], 9);
    }
}
