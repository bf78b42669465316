//! One table for all errors: error -> stable code -> exit code -> hint.
//!
//! Each room has its own error type; this one gathers them for callers that cross rooms.

use crate::embed::EmbedError;
use crate::evidence::EvidenceError;

/// A stable name for a kind of error, printed by the command line and in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ErrorCode(pub &'static str);

/// Anything that can go wrong in the library.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// See [`EmbedError`].
    #[error(transparent)]
    Embed(#[from] EmbedError),
    /// See [`EvidenceError`].
    #[error(transparent)]
    Evidence(#[from] EvidenceError),
}
