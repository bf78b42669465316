//! Methods that ask a language model, beside the checks of [`crate::verify`], and what all of them say together.
//!
//! In: an answer, perhaps its prompt, sources of evidence, and models of any provider. Out: a [`Detection`]: verdicts
//! that rest on the sources, opinions beside them, one risk. Whatever a model writes is data: a quote counts only when it
//! is found again in the sources, orders inside sources change nothing, and what fails is said and never counts as zero.
//!
//! One thin blocking client speaks both wire formats; the providers' own crates would bring an async runtime into a core
//! that is synchronous. [`Detector`] is the way in; [`LanguageModel`] and [`Session`] ask models, keep budgets, cache and
//! recordings.

mod ask;
mod budget;
mod cache;
mod cascade;
mod client;
mod combine;
mod consistency;
mod decompose;
mod detection;
mod detector;
mod ensemble;
mod error;
mod fitted;
mod http;
mod json;
mod judging;
mod key;
mod logprobs;
mod method;
mod model;
mod parallel;
mod passages;
mod prompt;
mod qa;
mod quirks;
mod quotes;
mod retry;
mod session;
mod tape;
mod verdicts;
mod wire;
mod wire_anthropic;
mod wire_openai;

#[cfg(all(test, feature = "fetch"))]
mod tests;

pub use ask::{Ask, AskKind, Asked, Reply, TokenCount, TokenLogprob};
pub use budget::{Limits, Price, PriceTable};
pub use cache::{CACHE_TIME, CacheCount, ReplyCache};
pub use cascade::{Cascade, CascadeRun};
pub use client::LanguageModel;
pub use consistency::Consistency;
pub use decompose::Decomposition;
pub use detection::{DetectError, Detection, Mode};
pub use detector::{DetectOptions, Detector, Input, Models};
pub use ensemble::{Ensemble, Scoring, Weights, aggregate, mean_risk, vote, weighted_risk};
pub use error::JudgeError;
pub use fitted::{EnsembleFittedOn, FittedEnsemble};
pub use key::ApiKey;
pub use logprobs::{LOGPROB_THRESHOLD, Logprobs, logprob_verdict};
pub use method::{Method, MethodRun, Opinion, OpinionLabel, Usage};
pub use model::{BaseUrls, ModelAddress, WireFormat};
pub use retry::RetryPolicy;
pub use session::{Session, SessionOptions};
pub use tape::TapeMode;
