//! From a text to [`Claim`]s: sentences split into check-worthy, self-contained statements.
//!
//! Nothing is dropped: what is not to be checked is a claim with the reason why.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::TextSpan;

/// Why a claim is not checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Unchecked {
    /// "Hi! Happy to help."
    Greeting,
    /// It asks.
    Question,
    /// It says what the writer likes or thinks.
    Opinion,
    /// It tells the reader to do something.
    Instruction,
    /// It speaks about the answer itself: "Here is a summary."
    Meta,
    /// "I can't help with that."
    Refusal,
    /// "I don't know."
    Abstention,
    /// A heading or label with nothing stated.
    Heading,
    /// Nothing in it can be looked up.
    NoContent,
    /// No check and no model covers its language.
    UnsupportedLanguage,
    /// Evidence could not be had (network, source failure).
    EvidenceUnavailable,
    /// It is longer than the model takes and cannot be split.
    TooLong,
    /// A check or model failed on it.
    CheckFailed,
}

/// What kind of statement a claim is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClaimKind {
    /// About the world: needs evidence.
    Factual,
    /// Its truth can be computed: "17 × 3 = 51".
    Arithmetic,
}

/// A statement of the text, made to stand alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// Place among the text's claims, from 0.
    pub index: usize,
    /// Self-contained: subject carried in, references resolved, markup stripped.
    pub text: String,
    /// Where it stands in the raw text: what was written, in order.
    pub spans: Vec<TextSpan>,
    /// The sentence, list item or table row that it comes from, in the raw text.
    pub sentence: TextSpan,
    /// What kind of statement it is.
    pub kind: ClaimKind,
    /// Why it is not to be checked, if so.
    pub unchecked: Option<Unchecked>,
    /// A word or name in it that may mean two things ("He", a shared name).
    pub ambiguous: Option<String>,
}
