//! The verdict on one claim, with all that it rests on.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Finding, Label};
use crate::claim::Unchecked;
use crate::evidence::Evidence;
use crate::text::TextSpan;

/// What a citation does for the verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CitationRole {
    /// Says so.
    Supports,
    /// Says otherwise.
    Contradicts,
    /// The nearest that was found; decides nothing.
    Nearest,
}

/// A verbatim quote that a verdict rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Citation {
    /// What it does for the verdict.
    pub role: CitationRole,
    /// The evidence source that brought it, as [`crate::evidence::EvidenceSource::name`] says.
    pub origin: String,
    /// The passage that it was cut from.
    pub passage: Evidence,
    /// Verbatim window of the passage.
    pub quote: String,
    /// Where the quote stands in the document, in bytes.
    pub span: TextSpan,
    /// Share of the claim's content that the quote covers, 0 to 1.
    pub coverage: f32,
    /// NLI probabilities (entailment, neutral, contradiction) where a model ran.
    pub nli: Option<[f32; 3]>,
}

/// A passage that was looked at and did not decide.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Considered {
    /// The passage's window.
    pub citation: Citation,
    /// Why it did not decide, for people.
    pub why: String,
}

/// A computation that proves or refutes a claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Proof {
    /// What was computed: "17 × 3".
    pub expression: String,
    /// What came out: "51".
    pub result: String,
    /// What the claim says: "51".
    pub claimed: String,
    /// Whether they agree.
    pub holds: bool,
}

/// Something the reader should know that did not change the label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Warning {
    /// Stable code: `time_sensitive`, `injection_suspected`, `ambiguous_date`, `ambiguous_entity`, ….
    pub code: String,
    /// For people.
    pub message: String,
}

/// A check that could not run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckFailure {
    /// Which check or source.
    pub check: String,
    /// Why.
    pub message: String,
}

/// What one of several sources says to a claim by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Standing {
    /// The evidence source.
    pub source: String,
    /// The label that its passages alone give.
    pub label: Label,
}

/// The verdict on one claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// What it says.
    pub label: Label,
    /// How sure, 0 to 1; `None` when not checked.
    pub confidence: Option<f32>,
    /// One sentence for people.
    pub reason: String,
    /// Why it was not checked, when it was not.
    pub unchecked: Option<Unchecked>,
    /// Quotes, deciding ones first.
    pub evidence: Vec<Citation>,
    /// Computations.
    pub proofs: Vec<Proof>,
    /// What the checks found.
    pub findings: Vec<Finding>,
    /// What was looked at besides.
    pub considered: Vec<Considered>,
    /// What the reader should know.
    pub warnings: Vec<Warning>,
    /// What could not run.
    pub failures: Vec<CheckFailure>,
    /// What each source says by itself, where several were asked.
    #[serde(default)]
    pub standings: Vec<Standing>,
}
