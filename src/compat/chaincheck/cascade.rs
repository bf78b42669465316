//! The cascade: the cheap method first, the judge only where that one is not sure.

use super::error::{ChaincheckError, share};

/// Below this score of the cheap method the judge is not asked.
pub const CASCADE_LOW: f64 = 0.2;
/// Above this score of the cheap method the judge is not asked.
pub const CASCADE_HIGH: f64 = 0.8;

/// When the judge is asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cascade {
    low: f64,
    high: f64,
}

impl Default for Cascade {
    fn default() -> Self {
        Self { low: CASCADE_LOW, high: CASCADE_HIGH }
    }
}

impl Cascade {
    /// Asks the judge from `low` to `high`, both included.
    ///
    /// # Errors
    /// When one is no number from 0 to 1, or they are the wrong way round.
    pub fn new(low: f64, high: f64) -> Result<Self, ChaincheckError> {
        share("lower bound of the cascade", low)?;
        share("upper bound of the cascade", high)?;
        if low > high { Err(ChaincheckError::Bounds { low, high }) } else { Ok(Self { low, high }) }
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
        score.is_none_or(|score| !score.is_finite() || (self.low..=self.high).contains(&score))
    }
}
