//! Samples of rows, drawn by a seed.

use super::PairRow;

/// Places of `limit` rows of `count`, drawn by `seed`, ascending; all of them where there are no more.
///
/// ```
/// use evidex::eval::drawn;
/// assert_eq!(drawn(3, 9, 1), [0, 1, 2]);
/// assert_eq!(drawn(100, 5, 1).len(), 5);
/// ```
pub fn drawn(count: usize, limit: usize, seed: u64) -> Vec<usize> {
    if limit >= count {
        return (0..count).collect();
    }
    let mut places: Vec<usize> = (0..count).collect();
    fastrand::Rng::with_seed(seed).shuffle(&mut places);
    places.truncate(limit);
    places.sort_unstable();
    places
}

/// Keeps at most `limit` rows, drawn by `seed`, in their order.
pub fn draw(rows: &mut Vec<PairRow>, limit: usize, seed: u64) {
    if limit < rows.len() {
        *rows = drawn(rows.len(), limit, seed).into_iter().map(|at| rows[at].clone()).collect();
    }
}
