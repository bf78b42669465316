//! The best `k` of a stream of scored rows.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// A row and its similarity to the query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// Cosine similarity, −1 to 1 but for rounding.
    pub similarity: f32,
    /// The row.
    pub ordinal: u32,
}

impl Eq for Nearest {}

impl PartialOrd for Nearest {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Greater is nearer; of equally near rows the earlier one is greater.
impl Ord for Nearest {
    fn cmp(&self, other: &Self) -> Ordering {
        self.similarity.total_cmp(&other.similarity).then_with(|| other.ordinal.cmp(&self.ordinal))
    }
}

/// Keeps the nearest `k` of the rows that it is shown.
#[derive(Debug)]
pub struct TopK {
    k: usize,
    heap: BinaryHeap<Reverse<Nearest>>,
}

impl TopK {
    /// Keeps `k` rows.
    pub fn new(k: usize) -> Self {
        Self { k, heap: BinaryHeap::with_capacity(k.saturating_add(1).min(1 << 16)) }
    }

    /// Whether a row of this similarity would be kept.
    #[inline]
    pub fn takes(&self, similarity: f32) -> bool {
        self.heap.len() < self.k || self.heap.peek().is_some_and(|least| similarity > least.0.similarity)
    }

    /// Shows a row.
    #[inline]
    pub fn push(&mut self, row: Nearest) {
        if self.heap.len() < self.k {
            self.heap.push(Reverse(row));
        } else if let Some(mut least) = self.heap.peek_mut()
            && row > least.0
        {
            *least = Reverse(row);
        }
    }

    /// Whether `k` rows are kept.
    pub fn is_full(&self) -> bool {
        self.heap.len() >= self.k
    }

    /// The least similarity that is kept.
    pub fn least(&self) -> Option<f32> {
        self.heap.peek().map(|least| least.0.similarity)
    }

    /// The kept rows, nearest first.
    pub fn into_sorted(self) -> Vec<Nearest> {
        self.heap.into_sorted_vec().into_iter().map(|Reverse(row)| row).collect()
    }
}
