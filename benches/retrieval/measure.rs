//! nDCG and recall, as in Järvelin and Kekäläinen (2002) with the gain of the judgement itself.

use std::collections::BTreeMap;

/// nDCG of the first `k` documents; 0 to 1.
pub fn ndcg(found: &[String], relevant: &BTreeMap<String, f64>, k: usize) -> f64 {
    let discounted = |gains: &mut dyn Iterator<Item = f64>| -> f64 {
        gains.take(k).zip(1u32..).map(|(gain, rank)| gain / f64::from(rank + 1).log2()).sum()
    };
    let mut ideal: Vec<f64> = relevant.values().copied().collect();
    ideal.sort_by(|a, b| b.total_cmp(a));
    let best = discounted(&mut ideal.into_iter());
    if best == 0.0 {
        return 0.0;
    }
    discounted(&mut found.iter().map(|id| relevant.get(id).copied().unwrap_or(0.0))) / best
}

/// The share of the relevant documents that are among the first `k`.
pub fn recall(found: &[String], relevant: &BTreeMap<String, f64>, k: usize) -> f64 {
    let wanted = relevant.values().filter(|gain| **gain > 0.0).count();
    let hits = found.iter().take(k).filter(|id| relevant.get(*id).is_some_and(|gain| *gain > 0.0)).count();
    hits as f64 / wanted.max(1) as f64
}
