//! What can go wrong with stored vectors.

use evidex_index_format::FormatError;

/// What can go wrong in reading or building stored vectors.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VectorError {
    /// The bytes could not be read.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The bytes are sound, but not what this version writes.
    #[error("the vectors are damaged: {reason}")]
    Damaged {
        /// What is wrong.
        reason: String,
    },
    /// A vector has another length than those of the index.
    #[error("a vector of length {found} was given to an index of vectors of length {expected}")]
    Dimension {
        /// The index's.
        expected: usize,
        /// The vector's.
        found: usize,
    },
    /// A vector holds a value that is not finite.
    #[error("a vector holds a value that is not finite")]
    NotFinite,
    /// The caller asked to stop.
    #[error("cancelled")]
    Cancelled,
}

impl VectorError {
    pub(super) fn damaged(reason: impl Into<String>) -> Self {
        Self::Damaged { reason: reason.into() }
    }
}
