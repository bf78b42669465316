//! Aggregators: from the results for claims to one score and a flag.

use serde::{Deserialize, Serialize};

use super::error::CavaquinhoError;
use super::result::{ClaimResult, Label};

/// What an aggregator says.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Aggregate {
    /// Risk from 0 to 1, four decimals.
    pub score: f64,
    /// Whether the response is flagged.
    pub is_hallucination: bool,
}

/// Sums up the results for claims.
pub trait Aggregator: Send + Sync {
    /// The risk of a response with these claims, and whether it exceeds `threshold`.
    ///
    /// # Errors
    /// When a claim's score is no number from 0 to 1.
    fn aggregate(&self, claims: &[ClaimResult], threshold: f64) -> Result<Aggregate, CavaquinhoError>;
}

/// The mean of the claims' scores times the weights of their labels; a response is flagged when that is strictly above
/// the threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightedMean {
    /// Weight of a contradiction.
    pub contradiction: f64,
    /// Weight of a neutral claim.
    pub neutral: f64,
    /// Weight of an entailment.
    pub entailment: f64,
    /// Whether one contradiction whose score is strictly above the threshold flags the response by itself.
    pub any_contradiction: bool,
}

impl Default for WeightedMean {
    /// Weights 1, 0.5 and 0, and one sure contradiction is enough: a mean hides one lie among ten truths.
    fn default() -> Self {
        Self { any_contradiction: true, ..Self::plain() }
    }
}

impl WeightedMean {
    /// Weights 1, 0.5 and 0, and nothing but the mean decides.
    pub const fn plain() -> Self {
        Self { contradiction: 1.0, neutral: 0.5, entailment: 0.0, any_contradiction: false }
    }

    const fn weight(&self, label: Label) -> f64 {
        match label {
            Label::Contradiction => self.contradiction,
            Label::Neutral => self.neutral,
            Label::Entailment => self.entailment,
        }
    }
}

impl Aggregator for WeightedMean {
    fn aggregate(&self, claims: &[ClaimResult], threshold: f64) -> Result<Aggregate, CavaquinhoError> {
        if let Some(wrong) = claims.iter().find(|claim| !(0.0..=1.0).contains(&claim.score)) {
            return Err(CavaquinhoError::Score { claim: wrong.text.clone(), score: wrong.score });
        }
        if claims.is_empty() {
            return Ok(Aggregate { score: 0.0, is_hallucination: false });
        }
        let sum: f64 = claims.iter().map(|claim| claim.score * self.weight(claim.label)).sum();
        let score = (sum / claims.len() as f64 * 1e4).round() / 1e4;
        let by_one = self.any_contradiction
            && claims.iter().any(|claim| claim.label == Label::Contradiction && claim.score > threshold);
        Ok(Aggregate { score, is_hallucination: score > threshold || by_one })
    }
}
