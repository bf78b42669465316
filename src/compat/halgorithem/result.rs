//! What a comparison gives back.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::claim::Unchecked;

/// The status words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    /// A source, or the computation, says so.
    Supported,
    /// A source says part of it, or speaks about the same and lacks no name or value of it. Not that it is true.
    WeakSupport,
    /// A source, or the computation, says otherwise.
    Contradiction,
    /// No source says so.
    Hallucination,
    /// It denies what no source speaks about.
    UnverifiableDenial,
    /// Arithmetic that cannot be computed.
    Error,
    /// It could not be checked.
    Unknown,
}

impl Status {
    /// The word as callers know it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Supported => "SUPPORTED",
            Self::WeakSupport => "WEAK_SUPPORT",
            Self::Contradiction => "CONTRADICTION",
            Self::Hallucination => "HALLUCINATION",
            Self::UnverifiableDenial => "UNVERIFIABLE_DENIAL",
            Self::Error => "ERROR",
            Self::Unknown => "UNKNOWN",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// How a claim was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum ClaimType {
    /// Against the sources.
    Source,
    /// By computing it.
    Math,
}

/// A passage that bears on a claim, or was nearest to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResultEvidence {
    /// The document's `file_id`.
    pub doc_id: u64,
    /// The document's `file_path`.
    pub source: String,
    /// The chunk that holds it, from 1.
    pub chunk_id: u32,
    /// The chunk's first sentence, from 1.
    pub sentence_start: usize,
    /// The chunk's last sentence.
    pub sentence_end: usize,
    /// Share of the claim's content that it holds, 0 to 1.
    pub score: f64,
    /// What was found in it: `number_agrees`, `date_mismatch`, ….
    pub signals: Vec<String>,
    /// Its words, verbatim.
    pub text: String,
}

/// The result for one claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimResult {
    /// Its place among the results, from 1.
    pub claim_id: usize,
    /// The sentence of the answer that it comes from, from 1.
    pub sentence_id: usize,
    /// That sentence, as written.
    pub source_sentence: String,
    /// How it was checked.
    #[serde(rename = "type")]
    pub claim_type: ClaimType,
    /// The status word.
    pub status: Status,
    /// The claim, made to stand alone.
    pub claim: String,
    /// How much of it the sources bear out, 0 to 1; 1 for arithmetic that could be computed.
    pub score: f64,
    /// How sure the status is, 0 to 1; 0 where nothing was checked.
    pub confidence: f64,
    /// Why, in a few words that stay the same ("Number mismatch"); none for plain support.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
    /// The reason with its particulars.
    pub explanation: String,
    /// Values of the claim that a source states otherwise, in order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub ai_numbers: Vec<String>,
    /// Those that the source states.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub truth_numbers: Vec<String>,
    /// What the expression comes to.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub expected: Option<String>,
    /// What the claim says that it comes to.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub got: Option<String>,
    /// The nearest document's `file_id`.
    pub matched_doc_id: Option<u64>,
    /// Its `file_path`.
    pub matched_source: Option<String>,
    /// Its nearest chunk, from 1.
    pub matched_chunk_id: Option<u32>,
    /// That chunk's text.
    pub chunk_text: Option<String>,
    /// Names and values of the claim that the sources do not state.
    pub unsupported_terms: Vec<String>,
    /// Passages that bear on it, deciding ones first; at most five.
    pub evidence: Vec<ResultEvidence>,
    /// "Time-sensitive claim", where it is true of a moment only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub warning: Option<String>,
    /// The latest year that the passage around the nearest quote names, for a time-sensitive claim.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub as_of_year: Option<i16>,
}

/// A sentence that states nothing to check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkippedClaim {
    /// The sentence of the answer, from 1.
    pub sentence_id: usize,
    /// What was skipped.
    pub claim: String,
    /// Why.
    pub reason: Unchecked,
}

/// What compared the texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostics {
    /// Always `lexical`: near vectors are no sign of support.
    pub embedder: String,
    /// Always empty.
    pub embedding_model: Option<String>,
    /// Why there is none.
    pub embedding_fallback_reason: Option<String>,
}

impl Diagnostics {
    /// By words, values and, where a model is given, inference.
    pub(super) fn lexical() -> Self {
        Self {
            embedder: "lexical".to_owned(),
            embedding_model: None,
            embedding_fallback_reason: Some("embeddings decide nothing here".to_owned()),
        }
    }
}

/// The results for a whole answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// One for each claim, in order.
    pub results: Vec<ClaimResult>,
    /// What was not worth checking.
    pub skipped: Vec<SkippedClaim>,
    /// What compared the texts.
    pub diagnostics: Diagnostics,
}
