//! The cascade: the cheap method first, the judge only where that one is not sure. The band is that of [`judge::Cascade`].

use super::error::{ChaincheckError, share};
use crate::judge;

/// When the judge is asked.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Cascade(judge::Cascade);

impl Cascade {
    /// Asks the judge from `low` to `high`, both included.
    ///
    /// # Errors
    /// When one is no number from 0 to 1, or they are the wrong way round.
    pub fn new(low: f64, high: f64) -> Result<Self, ChaincheckError> {
        share("lower bound of the cascade", low)?;
        share("upper bound of the cascade", high)?;
        if low > high {
            return Err(ChaincheckError::Bounds { low, high });
        }
        Ok(Self(judge::Cascade { low, high }))
    }

    /// Whether the judge is asked after the cheap method's `score`. It is where that has none (it failed, or there is
    /// no context for it): then nobody has looked yet.
    ///
    /// ```
    /// use evidex::compat::chaincheck::Cascade;
    /// let cascade = Cascade::default();
    /// assert_eq!([Some(0.05), Some(0.5), None].map(|score| cascade.escalates(score)), [false, true, true]);
    /// ```
    pub fn escalates(&self, score: Option<f64>) -> bool {
        score.is_none_or(|score| !score.is_finite() || self.0.escalates(score))
    }
}
