//! What a detector found.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::JudgeError;
use super::ask::TokenCount;
use super::cascade::CascadeRun;
use super::decompose::Decomposition;
use super::ensemble::{Ensemble, Scoring};
use super::method::{Method, MethodRun, Opinion};
use crate::verify::{Verification, VerifyError};

/// Why a detector could not work.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DetectError {
    /// The checks.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// The models, their cache or their recording.
    #[error(transparent)]
    Judge(#[from] JudgeError),
}

/// What an answer was checked against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The sources that were given.
    Sources,
    /// What models know, for want of sources: opinions, no verdicts.
    FactCheck,
}

/// What a detector found.
#[derive(Debug, Clone)]
pub struct Detection {
    /// Every claim with its verdict: that of the checks, and of the models where they rest on the sources.
    pub verification: Verification,
    /// What the answer was checked against.
    pub mode: Mode,
    /// How each method went and what it says of each claim.
    pub methods: Vec<MethodRun>,
    /// What they say together.
    pub ensemble: Ensemble,
    /// How risks were reckoned.
    pub scoring: Scoring,
    /// How the cascade went, if there was one.
    pub cascade: Option<CascadeRun>,
    /// How a model split the answer, if one did.
    pub decomposition: Option<Decomposition>,
}

impl Detection {
    /// How a method went; `None` if it was not wanted.
    pub fn method(&self, method: Method) -> Option<&MethodRun> {
        self.methods.iter().find(|run| run.method == method)
    }

    /// What the methods say of a claim.
    pub fn opinions(&self, claim: usize) -> impl Iterator<Item = (Method, &Opinion)> {
        self.methods
            .iter()
            .flat_map(|run| run.opinions.iter().map(|opinion| (run.method, opinion)))
            .filter(move |(_, opinion)| opinion.claim == claim)
    }

    /// Requests and tokens of all methods, and of splitting.
    pub fn totals(&self) -> (u64, TokenCount) {
        let usages =
            self.methods.iter().map(|run| &run.usage).chain(self.decomposition.iter().map(|split| &split.usage));
        usages.fold((0, TokenCount::default()), |(requests, tokens), usage| {
            let tokens =
                TokenCount { input: tokens.input + usage.tokens.input, output: tokens.output + usage.tokens.output };
            (requests + usage.requests, tokens)
        })
    }

    /// How long all of it took.
    pub fn latency(&self) -> Duration {
        self.verification.timings.total
    }
}
