//! From a [`Document`](crate::corpus::Document) to [`Chunk`]s: sentence or token windows with byte offsets into it.

use serde::{Deserialize, Serialize};

use crate::text::TextSpan;

/// A window of a document: what is embedded, posted and retrieved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// Place among the document's chunks, from 0.
    pub position: u32,
    /// Bytes of the document's text.
    pub span: TextSpan,
    /// The document's text at `span`, verbatim.
    pub text: String,
}

/// How documents are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChunkPolicy {
    /// Windows of `size` sentences, each sharing `overlap` with the one before.
    Sentences {
        /// Sentences a window, at least 1.
        size: u32,
        /// Shared sentences, less than `size`.
        overlap: u32,
    },
    /// Windows of `size` words, each sharing `overlap` with the one before.
    Tokens {
        /// Words a window, at least 1.
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
