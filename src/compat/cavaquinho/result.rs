//! What a validation gives back.

use serde::{Deserialize, Serialize};

/// How the context stands to a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Label {
    /// It says so.
    Entailment,
    /// It does not settle it.
    Neutral,
    /// It says otherwise.
    Contradiction,
}

/// The result for one claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimResult {
    /// The claim.
    pub text: String,
    /// The context's words that decide, verbatim; the nearest ones for a neutral claim; empty if there are none.
    pub evidence: String,
    /// How the context stands to it.
    pub label: Label,
    /// How sure the label is, 0 to 1.
    pub score: f64,
    /// Why, for people.
    pub reason: String,
}

/// The result for a response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ValidationResult {
    /// Whether it is flagged.
    pub is_hallucination: bool,
    /// Risk from 0 to 1, four decimals; 0 without claims.
    pub score: f64,
    /// What the score was held against.
    pub threshold: f64,
    /// For people.
    pub summary: String,
    /// One for each claim, in order.
    pub claims: Vec<ClaimResult>,
}
