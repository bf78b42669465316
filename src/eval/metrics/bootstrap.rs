//! Percentile bootstrap (Efron & Tibshirani, 1993): how far a figure would move with another sample of rows.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// A 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// 2.5 % of the samples lie below.
    pub low: f64,
    /// 2.5 % of the samples lie above.
    pub high: f64,
}

/// Draws `samples` samples of `rows` rows with replacement and takes the middle 95 % of `figure`, which is given how
/// often each row was drawn. The same seed draws the same samples, however many threads there are. `None` without
/// rows, or where the figure is undefined in more than one sample of ten.
pub fn bootstrap<F>(rows: usize, samples: usize, seed: u64, figure: F) -> Option<Interval>
where
    F: Fn(&[u32]) -> Option<f64> + Sync,
{
    if rows == 0 || samples == 0 {
        return None;
    }
    let mut found: Vec<f64> = (0..samples as u64)
        .into_par_iter()
        .filter_map(|sample| {
            let mut random = fastrand::Rng::with_seed(seed ^ sample.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let mut drawn = vec![0; rows];
            for _ in 0..rows {
                drawn[random.usize(..rows)] += 1;
            }
            figure(&drawn).filter(|value| value.is_finite())
        })
        .collect();
    if found.len() * 10 < samples * 9 {
        return None;
    }
    found.sort_by(f64::total_cmp);
    let at = |share: f64| found[((found.len() - 1) as f64 * share).round() as usize];
    Some(Interval { low: at(0.025), high: at(0.975) })
}
