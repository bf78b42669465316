//! The methods and what each of them says of a claim.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::JudgeError;
use super::ask::{Asked, TokenCount};
use crate::verify::{Citation, Warning};

/// A way to check a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// The checks and models of [`crate::verify`], against the sources. Needs no language model.
    Nli,
    /// A language model gives a label, a confidence and a quote.
    Judge,
    /// A language model answers yes or no.
    Qa,
    /// Does a language model say the same when it is asked the same again and again?
    Consistency,
    /// How likely does a language model hold the words of the claim?
    Logprobs,
}

impl Method {
    /// Every method, in the order in which they are shown.
    pub const ALL: [Self; 5] = [Self::Nli, Self::Judge, Self::Qa, Self::Consistency, Self::Logprobs];

    /// The name used in JSON and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Nli => "nli",
            Self::Judge => "judge",
            Self::Qa => "qa",
            Self::Consistency => "consistency",
            Self::Logprobs => "logprobs",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Method {
    type Err = JudgeError;

    fn from_str(name: &str) -> Result<Self, JudgeError> {
        Self::ALL.into_iter().find(|method| method.as_str() == name.trim()).ok_or_else(|| JudgeError::Options {
            reason: format!(
                "there is no method `{}`; the methods are {}",
                name.trim(),
                Self::ALL.map(Self::as_str).join(", ")
            ),
        })
    }
}

/// What a method says of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OpinionLabel {
    /// It is so.
    Supported,
    /// Nothing says that it is so.
    Unsupported,
    /// It is otherwise.
    Contradicted,
    /// The method cannot tell.
    Unknown,
}

impl OpinionLabel {
    /// The name used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Unsupported => "unsupported",
            Self::Contradicted => "contradicted",
            Self::Unknown => "unknown",
        }
    }

    /// Whether it speaks against the claim.
    pub const fn is_bad(self) -> bool {
        matches!(self, Self::Unsupported | Self::Contradicted)
    }
}

impl fmt::Display for OpinionLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What one method says of one claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Opinion {
    /// Which of the answer's claims, as [`crate::claim::Claim::index`] counts.
    pub claim: usize,
    /// What it says; `None` when it was not asked or failed.
    pub label: Option<OpinionLabel>,
    /// How sure, 0 to 1; `None` without a label.
    pub confidence: Option<f64>,
    /// Quotes that are really in the sources.
    pub evidence: Vec<Citation>,
    /// Why, for people; model's words are marked as such by quotation marks.
    pub reason: String,
    /// Whether it rests on the sources that were given. Otherwise it is an opinion beside the verdict.
    pub grounded: bool,
    /// What the reader should know.
    pub warnings: Vec<Warning>,
    /// How long the call that gave it took; calls for several claims count for each of them.
    pub latency: Duration,
    /// Why it was not asked.
    pub skipped: Option<String>,
    /// Why it failed.
    pub error: Option<String>,
}

impl Opinion {
    /// A label and a confidence.
    pub(super) fn new(claim: usize, label: OpinionLabel, confidence: f64, reason: impl Into<String>) -> Self {
        Self {
            claim,
            label: Some(label),
            confidence: Some(confidence.clamp(0.0, 1.0)),
            evidence: Vec::new(),
            reason: reason.into(),
            grounded: false,
            warnings: Vec::new(),
            latency: Duration::ZERO,
            skipped: None,
            error: None,
        }
    }

    /// No label, because something failed.
    pub(super) fn failed(claim: usize, error: impl Into<String>) -> Self {
        let error = error.into();
        Self { label: None, confidence: None, error: Some(error), ..Self::new(claim, OpinionLabel::Unknown, 0.0, "") }
    }

    /// No label, because it was not asked.
    pub(super) fn skipped(claim: usize, why: impl Into<String>) -> Self {
        let skipped = Some(why.into());
        Self { label: None, confidence: None, skipped, ..Self::new(claim, OpinionLabel::Unknown, 0.0, "") }
    }

    pub(super) fn warn(&mut self, code: &str, message: impl Into<String>) {
        self.warnings.push(Warning { code: code.to_owned(), message: message.into() });
    }
}

/// What asking a model took.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Usage {
    /// The model, as `provider:model`; `None` where no model was asked.
    pub model: Option<String>,
    /// Questions that were put.
    pub calls: u64,
    /// Requests that were sent for them, tries included.
    pub requests: u64,
    /// Questions that the cache answered.
    pub cached: u64,
    /// Tokens of the requests that were sent.
    pub tokens: TokenCount,
    /// Their cost by the price table; `None` where it does not know the model.
    pub cost: Option<f64>,
}

impl Usage {
    pub(super) fn of_model(model: &super::LanguageModel) -> Self {
        Self { model: Some(model.name()), ..Self::default() }
    }

    /// Counts one question.
    pub(super) fn add(&mut self, asked: &Asked) {
        self.calls += 1;
        self.requests += u64::from(asked.requests);
        self.cached += u64::from(asked.cached);
        if let (Ok(reply), false) = (&asked.outcome, asked.cached) {
            self.tokens.input += reply.count.input;
            self.tokens.output += reply.count.output;
        }
    }
}

/// How a method went over all claims.
#[derive(Debug, Clone, PartialEq)]
pub struct MethodRun {
    /// Which.
    pub method: Method,
    /// What it says of each claim that was to be checked, in order.
    pub opinions: Vec<Opinion>,
    /// Risk that the answer is wrong, 0 to 1; `None` when it says nothing of any claim: never a silent zero.
    pub risk: Option<f64>,
    /// Its weight in the ensemble.
    pub weight: f64,
    /// How long it took.
    pub latency: Duration,
    /// What it took.
    pub usage: Usage,
    /// Why it did not run, or not on every claim.
    pub error: Option<String>,
    /// Why it was not run, where that is no failure.
    pub skipped: Option<String>,
    /// What the reader should know.
    pub warnings: Vec<Warning>,
    /// Details of [`Method::Consistency`].
    pub consistency: Option<super::Consistency>,
    /// Details of [`Method::Logprobs`].
    pub logprobs: Option<super::Logprobs>,
}

impl MethodRun {
    pub(super) fn new(method: Method) -> Self {
        Self {
            method,
            opinions: Vec::new(),
            risk: None,
            weight: 0.0,
            latency: Duration::ZERO,
            usage: Usage::default(),
            error: None,
            skipped: None,
            warnings: Vec::new(),
            consistency: None,
            logprobs: None,
        }
    }

    /// A run that failed as a whole.
    pub(super) fn failed(method: Method, claims: &[&crate::claim::Claim], error: &str) -> Self {
        let opinions = claims.iter().map(|claim| Opinion::failed(claim.index, error)).collect();
        Self { opinions, error: Some(error.to_owned()), ..Self::new(method) }
    }

    /// Says so if some claims failed.
    pub(super) fn note_failures(&mut self) {
        let failed: Vec<&str> = self.opinions.iter().filter_map(|opinion| opinion.error.as_deref()).collect();
        if let (Some(first), None) = (failed.first(), &self.error) {
            self.error = Some(if failed.len() == self.opinions.len() {
                (*first).to_owned()
            } else {
                format!("{} of {} claims failed, the first because {first}", failed.len(), self.opinions.len())
            });
        }
    }

    /// Claims that it says something of.
    pub fn judged(&self) -> usize {
        self.opinions.iter().filter(|opinion| opinion.label.is_some()).count()
    }
}
