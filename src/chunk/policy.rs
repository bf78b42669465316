//! How documents are cut, and what can be wrong with that wish.

use serde::{Deserialize, Serialize};

use super::words::MAX_WINDOW_PIECES;

/// How documents are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChunkPolicy {
    /// Windows of `size` sentences, each sharing `overlap` with the one before. A window holds fewer where `size`
    /// sentences would be more than an embedding model reads, or where the structure changes (a heading, a table).
    Sentences {
        /// Sentences a window, at least 1.
        size: u32,
        /// Shared sentences, less than `size`.
        overlap: u32,
    },
    /// Windows of `size` words, each sharing `overlap` with the one before. Characters of scripts that are written
    /// without spaces count as words. A window holds fewer where `size` words would be more than a model reads.
    Tokens {
        /// Words a window, at least 1 and at most [`MAX_WINDOW_PIECES`].
        size: u32,
        /// Shared words, less than `size`.
        overlap: u32,
    },
}

impl Default for ChunkPolicy {
    fn default() -> Self {
        Self::Sentences { size: 2, overlap: 1 }
    }
}

impl ChunkPolicy {
    /// Whether documents can be cut so.
    ///
    /// # Errors
    /// [`ChunkError::ZeroSize`], [`ChunkError::OverlapTooLarge`] or [`ChunkError::SizeTooLarge`]: choose other numbers.
    pub fn validate(&self) -> Result<(), ChunkError> {
        let (Self::Sentences { size, overlap } | Self::Tokens { size, overlap }) = *self;
        if size == 0 {
            return Err(ChunkError::ZeroSize);
        }
        if overlap >= size {
            return Err(ChunkError::OverlapTooLarge { size, overlap });
        }
        if matches!(self, Self::Tokens { .. }) && size > MAX_WINDOW_PIECES {
            return Err(ChunkError::SizeTooLarge { size });
        }
        Ok(())
    }
}

/// A document cannot be cut as asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChunkError {
    /// A window of nothing.
    #[error("a window must hold at least one sentence or word (size is 0)")]
    ZeroSize,
    /// The window would never move on.
    #[error("the overlap ({overlap}) must be smaller than the window size ({size})")]
    OverlapTooLarge {
        /// The size asked for.
        size: u32,
        /// The overlap asked for.
        overlap: u32,
    },
    /// More words than an embedding model reads.
    #[error("windows of {size} words are more than an embedding model reads (at most {MAX_WINDOW_PIECES})")]
    SizeTooLarge {
        /// The size asked for.
        size: u32,
    },
    /// More windows than can be numbered.
    #[error("document `{id}` makes more than {} windows", u32::MAX)]
    TooManyChunks {
        /// The document.
        id: String,
    },
}

impl ChunkError {
    /// The error's stable name.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::ZeroSize => "chunk_zero_size",
            Self::OverlapTooLarge { .. } => "chunk_overlap_too_large",
            Self::SizeTooLarge { .. } => "chunk_size_too_large",
            Self::TooManyChunks { .. } => "chunk_too_many",
        }
    }
}
