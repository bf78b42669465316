//! The exact scan: every row is compared with the query. The oracle that the graph is held to.

use super::kernel::dot_i8;
use super::top_k::{Nearest, TopK};

/// Shows `nearest` all rows of `codes` (with their `scales`) that `alive` admits; the first one has number `first`.
pub(super) fn scan(
    codes: &[i8],
    scales: &[f32],
    query: &[i8],
    query_scale: f32,
    first: u32,
    alive: &dyn Fn(u32) -> bool,
    nearest: &mut TopK,
) {
    if query.is_empty() {
        return;
    }
    for ((row, &scale), ordinal) in codes.chunks_exact(query.len()).zip(scales).zip(first..) {
        let similarity = dot_i8(row, query) as f32 * scale * query_scale;
        if nearest.takes(similarity) && alive(ordinal) {
            nearest.push(Nearest { similarity, ordinal });
        }
    }
}
