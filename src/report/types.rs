//! The shape of the report. Adding a field keeps [`SCHEMA_VERSION`]; renaming or removing one raises it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::summary::{Counts, Coverage, Risk, Status};
use crate::claim::{ClaimKind, Unchecked};
use crate::evidence::Pinned;
use crate::verify::{CheckFailure, CitationRole, Label, Proof, Stance, Standing, Warning};

/// Version of the report's shape.
pub const SCHEMA_VERSION: u32 = 1;

/// A place in a text: half-open, in bytes of its UTF-8 form and in characters (Unicode scalar values).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// First character.
    pub char_start: usize,
    /// One past the last character.
    pub char_end: usize,
}

/// The report on one text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// Version of this shape.
    pub schema_version: u32,
    /// Version of the evidex that wrote it.
    pub evidex_version: String,
    /// Whether anything was checked.
    pub status: Status,
    /// The text that was checked.
    pub answer: AnswerReport,
    /// How many claims got each label.
    pub summary: Counts,
    /// Support: the mean over the checked claims of 1 for supported, 0.5 for partially supported and 0 for any other
    /// label. 1 = every checked claim is supported; `null` when nothing was checked.
    pub score: Option<f64>,
    /// The complement of the score, and whether anything is contradicted.
    pub risk: Risk,
    /// How much was checked, and why the rest was not.
    pub coverage: Coverage,
    /// Every claim, in the order of the text.
    pub claims: Vec<ClaimReport>,
    /// Where evidence was looked for.
    pub sources: Vec<String>,
    /// Which models ran; `null` where none did.
    pub models: ModelsReport,
    /// How long it took; the only part that differs from run to run.
    pub timings: TimingsReport,
}

/// The text that was checked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerReport {
    /// File name, `-` for standard input, or `null` for a text given directly.
    pub source: Option<String>,
    /// Length in bytes.
    pub bytes: usize,
    /// Length in characters.
    pub chars: usize,
}

/// The verdict on one claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClaimReport {
    /// Place among the claims, from 0.
    pub index: usize,
    /// The claim, made to stand alone.
    pub text: String,
    /// Where it stands in the given answer: from its first to its last part.
    pub span: Place,
    /// Its parts in the given answer, where it was written in more than one.
    pub parts: Vec<Place>,
    /// What kind of statement it is.
    pub kind: ClaimKind,
    /// The verdict.
    pub label: Label,
    /// How sure, 0 to 1; `null` when not checked.
    pub confidence: Option<f64>,
    /// Why, in one sentence.
    pub reason: String,
    /// Why it was not checked, when it was not.
    pub not_checked: Option<Unchecked>,
    /// A word or name in it that may mean two things.
    pub ambiguous: Option<String>,
    /// Verbatim quotes, deciding ones first.
    pub evidence: Vec<EvidenceReport>,
    /// Computations that decided.
    pub proofs: Vec<Proof>,
    /// What the checks found.
    pub findings: Vec<FindingReport>,
    /// What the reader should know.
    pub warnings: Vec<Warning>,
    /// Checks and sources that could not run.
    pub failures: Vec<CheckFailure>,
    /// What each source says by itself, where several were asked.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub standings: Vec<Standing>,
    /// Passages that were looked at and did not decide; only when asked for (`--explain`).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub considered: Option<Vec<ConsideredReport>>,
}

/// A verbatim quote.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvidenceReport {
    /// What it does for the verdict.
    pub role: CitationRole,
    /// The document.
    pub document_id: String,
    /// The document's title.
    pub title: Option<String>,
    /// The file or address that it came from.
    pub source: String,
    /// The document's address.
    pub url: Option<String>,
    /// The evidence source that brought it.
    pub origin: String,
    /// Verbatim text of the document.
    pub quote: String,
    /// Where the quote stands in the document's text.
    pub span: Place,
    /// How it was found and how it compares.
    pub scores: EvidenceScores,
    /// Revision, permalink, section, licence and dates, where the document is a page that changes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pinned: Option<Pinned>,
    /// What kind of publication its address belongs to, where that is known: a hint, which decides nothing.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source_quality: Option<String>,
}

/// How a quote was found and how it compares with the claim; `null` where a leg or model did not run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvidenceScores {
    /// BM25 score of its passage, 0 or more.
    pub bm25: Option<f64>,
    /// Cosine similarity of its passage, −1 to 1.
    pub dense: Option<f64>,
    /// What the passages were ranked by.
    pub fused: Option<f64>,
    /// Share of the claim's content that the quote covers, 0 to 1.
    pub coverage: f64,
    /// NLI probability that the quote entails the claim.
    pub entailment: Option<f64>,
    /// NLI probability that it does not decide.
    pub neutral: Option<f64>,
    /// NLI probability that it contradicts the claim.
    pub contradiction: Option<f64>,
}

/// What one check found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FindingReport {
    /// The check.
    pub check: String,
    /// Which way it points.
    pub stance: Stance,
    /// Stable code of what was found.
    pub kind: String,
    /// The claim's value, as written.
    pub claim_value: Option<String>,
    /// Where the claim's value stands in the given answer, where it was written there.
    pub claim_span: Option<Place>,
    /// The evidence's value, as written.
    pub evidence_value: Option<String>,
    /// Where it stands in the document's text, in bytes.
    pub evidence_span: Option<crate::text::TextSpan>,
    /// Index into this claim's `evidence`.
    pub evidence: Option<usize>,
    /// For people.
    pub detail: Option<String>,
}

/// A passage that was looked at and did not decide.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConsideredReport {
    /// The passage.
    pub evidence: EvidenceReport,
    /// Why it did not decide.
    pub why: String,
}

/// A model that ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelReport {
    /// Its name.
    pub name: String,
    /// Hex SHA-256 over all that decides its output.
    pub digest: String,
}

/// Which models ran.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelsReport {
    /// The embedder used in retrieval and comparison.
    pub embedder: Option<ModelReport>,
    /// The NLI model. Without one, the deterministic checks decide.
    pub nli: Option<ModelReport>,
}

/// Milliseconds spent, wall clock. The stages run per claim and in parallel, so they need not add up to the total.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TimingsReport {
    /// Splitting the text into claims.
    pub claims_ms: f64,
    /// Finding evidence, summed over the claims.
    pub evidence_ms: f64,
    /// Checks and fusion, summed over the claims.
    pub checks_ms: f64,
    /// All of it.
    pub total_ms: f64,
}
