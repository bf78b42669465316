//! What can go wrong in a validation.

use crate::evidence::EvidenceError;
use crate::verify::VerifyError;

/// An error of this interface.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CavaquinhoError {
    /// There is nothing to validate.
    #[error("the response is blank")]
    BlankResponse,
    /// There is nothing to validate against.
    #[error("the context is blank")]
    BlankContext,
    /// The threshold is no share.
    #[error("the threshold must be from 0 to 1 (it is {threshold})")]
    Threshold {
        /// The threshold as given.
        threshold: f64,
    },
    /// Summaries are written in English and Portuguese.
    #[error("unknown language `{name}`: use english or portuguese")]
    UnknownLanguage {
        /// The name as given.
        name: String,
    },
    /// A score that is no number from 0 to 1.
    #[error("the score of \"{claim}\" must be from 0 to 1 (it is {score})")]
    Score {
        /// The claim.
        claim: String,
        /// Its score.
        score: f64,
    },
    /// The caller's own extractor, classifier or model failed.
    #[error("{part} failed: {reason}")]
    Failed {
        /// Which part.
        part: String,
        /// Why.
        reason: String,
    },
    /// The context cannot be made into evidence.
    #[error(transparent)]
    Evidence(EvidenceError),
    /// The verification could not run.
    #[error(transparent)]
    Verify(#[from] VerifyError),
}

impl From<EvidenceError> for CavaquinhoError {
    fn from(error: EvidenceError) -> Self {
        match error {
            EvidenceError::Empty => Self::BlankContext,
            other => Self::Evidence(other),
        }
    }
}
