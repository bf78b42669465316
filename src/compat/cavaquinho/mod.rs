//! Cavaquinho's interface over this engine: a [`Validator`] of an extractor, a classifier and an aggregator.
//!
//! Labels (entailment, neutral, contradiction), weights (0, 0.5, 1), the strict `>` threshold, four decimals, field names
//! and summaries in English and Portuguese are those that its callers know. Where it was wrong, this is right instead:
//!
//! - One clear contradiction among many truths is flagged by the default aggregator, though the mean is low;
//!   [`WeightedMean::plain`] goes by the mean alone, as before.
//! - What the context does not state is neutral with the certainty that it is not there, not with a score near zero, and
//!   the summary counts it.
//! - A sentence that states the claim makes it an entailment, whatever another sentence is neutral about.
//! - A classifier needs `classify` only; a batch has its contexts side by side and goes on after a bad item.
//! - Nothing is downloaded, no model is needed, and no calibrator is unpickled.

mod aggregator;
mod classifier;
mod error;
mod extractor;
mod language;
mod result;
mod summary;
#[cfg(test)]
mod tests;
mod validator;

pub use aggregator::{Aggregate, Aggregator, WeightedMean};
pub use classifier::{Classifier, EngineClassifier};
pub use error::CavaquinhoError;
pub use extractor::{Extractor, LlmExtractor, RuleExtractor};
pub use language::SummaryLanguage;
pub use result::{ClaimResult, Label, ValidationResult};
pub use summary::summary;
pub use validator::{DEFAULT_THRESHOLD, Request, Validator};
