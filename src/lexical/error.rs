//! What can go wrong with postings.

use tantivy::TantivyError;

/// What can go wrong in writing or reading postings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LexicalError {
    /// The postings could not be written.
    #[error("postings could not be written")]
    Write {
        /// What tantivy says.
        source: Box<TantivyError>,
    },
    /// The postings could not be read: they are damaged, or the storage failed.
    #[error("postings could not be read")]
    Read {
        /// What tantivy says.
        source: Box<TantivyError>,
    },
    /// The postings are readable, but not what this version writes.
    #[error("postings are damaged: {reason}")]
    Damaged {
        /// What is wrong.
        reason: String,
    },
}

impl LexicalError {
    pub(super) fn write(source: impl Into<TantivyError>) -> Self {
        Self::Write { source: Box::new(source.into()) }
    }

    pub(super) fn read(source: impl Into<TantivyError>) -> Self {
        Self::Read { source: Box::new(source.into()) }
    }
}
