//! What can go wrong in verifying a whole text. What fails for one claim is said in its verdict instead.

/// An error of [`Verifier`](super::Verifier).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// No evidence source was given.
    #[error("no evidence source was given")]
    NoSource,
    /// The caller asked to stop.
    #[error("cancelled")]
    Cancelled,
    /// Worker threads could not be had.
    #[error("worker threads could not be started: {reason}")]
    Threads {
        /// Why.
        reason: String,
    },
}
