//! Whether two runs over the same rows differ by more than chance.

use serde::{Deserialize, Serialize};

/// McNemar's test, exact: of the rows that only one run gets right, how uneven is the split?
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct McNemar {
    /// Rows that only the first run gets right.
    pub only_first: u64,
    /// Rows that only the second run gets right.
    pub only_second: u64,
    /// Probability of a split at least so uneven if both were as good (two-sided binomial).
    pub p_value: f64,
}

/// The exact test (McNemar, 1947; binomial form).
///
/// ```
/// use evidex::eval::metrics::mcnemar;
/// assert_eq!(mcnemar(0, 0).p_value, 1.0);
/// assert!((mcnemar(1, 9).p_value - 22.0 / 1024.0).abs() < 1e-12);
/// ```
pub fn mcnemar(only_first: u64, only_second: u64) -> McNemar {
    let (few, all) = (only_first.min(only_second), only_first + only_second);
    // log C(all, k) step by step, so that large counts neither overflow nor vanish.
    let mut log_choose = 0.0;
    let mut tail = 0.0;
    for k in 0..=few {
        if k > 0 {
            log_choose += ((all - k + 1) as f64).ln() - (k as f64).ln();
        }
        tail += (log_choose - all as f64 * std::f64::consts::LN_2).exp();
    }
    McNemar { only_first, only_second, p_value: (2.0 * tail).min(1.0) }
}
