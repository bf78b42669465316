//! Chaincheck's results over this engine: [`DetectionResult`], field for field. The arithmetic of its scores, its vote and
//! its cascade are those of [`crate::judge`].
//!
//! Field names, labels, weights (nli 0.10, judge 0.60, qa 0.25, logprobs 0.30, consistency 0), risk levels (0.3 and 0.7)
//! and the cascade's bounds (0.2 and 0.8) are those that its callers know. Where it was wrong, this is right instead:
//!
//! - A method that failed has an error and no score; it takes no part in the mean. There it counted as risk 0.
//! - Where nothing was checked, `aggregate_score` and `risk_level` are `null`. There they were 0 and "low".
//! - What no source states is `unsupported` and counts. There a fabrication that no source mentions was `unknown`, risk 0.
//! - Short claims are not dropped, and the context is not cut.
//! - A claim's document is the one that its quote stands in.
//! - `sample_count` is the number of samples that came back.

mod cascade;
mod convert;
mod ensemble;
mod error;
mod logprob;
mod methods;
mod result;
mod score;
#[cfg(test)]
mod tests;

pub use cascade::Cascade;
pub use convert::{Provenance, detection};
pub use ensemble::{Weights, claim_details};
pub use error::ChaincheckError;
pub use logprob::logprob_label;
pub use methods::result;
pub use result::{
    ClaimResult, ConsistencyResult, DetectionResult, Document, FACT_CHECK_CAP, Label, MethodResult, Mode, RiskLevel,
};
pub use score::{RiskThresholds, mean_score, weighted_score};

pub use crate::judge::LOGPROB_THRESHOLD;
