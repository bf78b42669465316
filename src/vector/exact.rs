//! The exact scan: every row is compared with the query. The oracle that the graph is held to.

use evidex_index_format::Kernel;

use super::top_k::{Nearest, TopK};

/// Rows that are multiplied before any is looked at.
const BLOCK: usize = 64;

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
    let kernel = Kernel::default();
    let mut products = Vec::with_capacity(BLOCK);
    let rows = codes.chunks(BLOCK * query.len()).zip(scales.chunks(BLOCK)).zip((first..).step_by(BLOCK));
    for ((codes, scales), first) in rows {
        kernel.dot_rows(codes, query, &mut products);
        for ((&product, &scale), ordinal) in products.iter().zip(scales).zip(first..) {
            let similarity = product as f32 * scale * query_scale;
            if nearest.takes(similarity) && alive(ordinal) {
                nearest.push(Nearest { similarity, ordinal });
            }
        }
    }
}
