//! From claims to a method's score, and from a score to a level of risk. The formulas are those of [`judge`].

use super::error::{ChaincheckError, share};
use super::result::{ClaimResult, Label};
use crate::judge;
use crate::verify::{RiskBounds, RiskLevel};

/// The score of `nli` and `judge`: the confidences of the bad claims, summed, over the number of claims; where they sum
/// up to zero, the share of bad claims. `None` without claims.
///
/// ```
/// use evidex::compat::chaincheck::{ClaimResult, Label, mean_score};
/// let claim = |label, confidence| ClaimResult::new("c", label, confidence, "", "nli");
/// assert_eq!(mean_score(&[claim(Label::Contradicted, 1.0)?]), Some(1.0));
/// assert_eq!(mean_score(&[claim(Label::Contradicted, 0.0)?, claim(Label::Supported, 0.0)?]), Some(0.5));
/// assert_eq!(mean_score(&[]), None);
/// # Ok::<(), evidex::compat::chaincheck::ChaincheckError>(())
/// ```
pub fn mean_score(claims: &[ClaimResult]) -> Option<f64> {
    judge::mean_risk(&said(claims))
}

/// The score of `qa` and `logprobs`: the share of bad claims, each weighing its confidence; where all confidences are
/// zero, the plain share. `None` without claims.
///
/// ```
/// use evidex::compat::chaincheck::{ClaimResult, Label, weighted_score};
/// let claim = |label, confidence| ClaimResult::new("c", label, confidence, "", "qa");
/// let score = weighted_score(&[claim(Label::Contradicted, 0.2)?, claim(Label::Supported, 0.8)?]);
/// assert!((score.unwrap() - 0.2).abs() < 1e-9);
/// # Ok::<(), evidex::compat::chaincheck::ChaincheckError>(())
/// ```
pub fn weighted_score(claims: &[ClaimResult]) -> Option<f64> {
    judge::weighted_risk(&said(claims))
}

fn said(claims: &[ClaimResult]) -> Vec<(Label, f64)> {
    claims.iter().map(|claim| (claim.label, claim.confidence)).collect()
}

/// Where the levels of risk begin: low < 0.3 ≤ medium < 0.7 ≤ high, unless told otherwise.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RiskThresholds(RiskBounds);

impl RiskThresholds {
    /// Medium from `medium_from`, high from `high_from`.
    ///
    /// # Errors
    /// When one is no number from 0 to 1, or they are the wrong way round.
    pub fn new(medium_from: f64, high_from: f64) -> Result<Self, ChaincheckError> {
        share("lower risk threshold", medium_from)?;
        share("upper risk threshold", high_from)?;
        if medium_from > high_from {
            return Err(ChaincheckError::Bounds { low: medium_from, high: high_from });
        }
        Ok(Self(RiskBounds { medium_from, high_from }))
    }

    /// The level of a score.
    pub fn level(&self, score: f64) -> RiskLevel {
        self.0.level(score)
    }
}
