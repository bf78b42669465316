//! How well a ranked list holds what is relevant.

use std::collections::{BTreeMap, HashSet};

/// Normalised discounted cumulative gain of the first `k` (Järvelin & Kekäläinen, 2002, with linear gains, as
/// `trec_eval` and BEIR compute it); `None` where nothing is relevant. A document counts where it comes first.
///
/// ```
/// use std::collections::BTreeMap;
/// use evidex::eval::metrics::ndcg;
/// let relevant = BTreeMap::from([("a".to_owned(), 1)]);
/// assert_eq!(ndcg(&["a", "b"], &relevant, 10), Some(1.0));
/// assert_eq!(ndcg(&["b", "a"], &relevant, 10), Some(1.0 / 3f64.log2()));
/// ```
pub fn ndcg(ranked: &[&str], relevant: &BTreeMap<String, u32>, k: usize) -> Option<f64> {
    let discount = |rank: usize| 1.0 / ((rank + 2) as f64).log2();
    let mut ideal: Vec<u32> = relevant.values().copied().filter(|gain| *gain > 0).collect();
    ideal.sort_unstable_by(|a, b| b.cmp(a));
    let best: f64 = ideal.iter().take(k).enumerate().map(|(rank, gain)| f64::from(*gain) * discount(rank)).sum();
    let gain = |(rank, id): (usize, &str)| relevant.get(id).map_or(0.0, |gain| f64::from(*gain) * discount(rank));
    (best > 0.0).then(|| distinct(ranked, k).into_iter().enumerate().map(gain).sum::<f64>() / best)
}

/// Share of the relevant documents among the first `k`; `None` where nothing is relevant.
pub fn recall_at(ranked: &[&str], relevant: &BTreeMap<String, u32>, k: usize) -> Option<f64> {
    let is_relevant = |id: &str| relevant.get(id).is_some_and(|gain| *gain > 0);
    let all = relevant.values().filter(|gain| **gain > 0).count();
    (all > 0).then(|| distinct(ranked, k).into_iter().filter(|id| is_relevant(id)).count() as f64 / all as f64)
}

/// One divided by the rank of the first relevant document, 0 where there is none in the list; `None` where nothing is
/// relevant.
pub fn reciprocal_rank(ranked: &[&str], relevant: &BTreeMap<String, u32>) -> Option<f64> {
    if !relevant.values().any(|gain| *gain > 0) {
        return None;
    }
    let ranked = distinct(ranked, usize::MAX);
    let first = ranked.iter().position(|id| relevant.get(*id).is_some_and(|gain| *gain > 0));
    Some(first.map_or(0.0, |rank| 1.0 / (rank + 1) as f64))
}

/// The first `k` different ones.
fn distinct<'a>(ranked: &[&'a str], k: usize) -> Vec<&'a str> {
    let mut seen = HashSet::new();
    ranked.iter().copied().filter(|id| seen.insert(*id)).take(k).collect()
}
