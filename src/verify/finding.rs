//! What one check found when it held a claim against a passage.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::TextSpan;

/// Which way a finding points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    /// The passage says the same about the same slot.
    Supports,
    /// The passage says otherwise about the same slot.
    Contradicts,
    /// The claim says something that the passage does not: stands against "supported", not for "contradicted".
    Missing,
    /// Worth showing; decides nothing.
    Notes,
}

/// What a check found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The check: `quantity`, `date`, `unit`, `entity`, `negation`, `role`, `nli`, ….
    pub check: String,
    /// Which way it points.
    pub stance: Stance,
    /// Stable code of what was found: `number_mismatch`, `unit_mismatch`, `date_agrees`, ….
    pub kind: String,
    /// The claim's value, as written.
    pub claim_value: Option<String>,
    /// Where it stands in the claim's own text, in bytes.
    pub claim_span: Option<TextSpan>,
    /// The evidence's value, as written.
    pub evidence_value: Option<String>,
    /// Where it stands in the document, in bytes.
    pub evidence_span: Option<TextSpan>,
    /// Which citation of the verdict (`evidence[i]`) it was found in.
    pub evidence: Option<usize>,
    /// For people: one clause, no final stop.
    pub detail: Option<String>,
}
