//! What can go wrong in searching.

use crate::embed::EmbedError;
use crate::index::IndexError;

/// What can go wrong in searching.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RetrieveError {
    /// The query holds nothing to look for.
    #[error("the query is empty: it holds no word and no number")]
    EmptyQuery,
    /// The index was made by an embedder that was not given.
    #[error("the index was made by the embedder `{expected}`, and this search needs it")]
    EmbedderNeeded {
        /// Which embedder.
        expected: String,
    },
    /// The index holds no vectors, so only words can be looked for.
    #[error("the index holds no vectors, so it cannot be searched by meaning")]
    NoVectors,
    /// The embedder is not the index's, or the index is damaged.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The embedder could not run.
    #[error(transparent)]
    Embed(#[from] EmbedError),
}

impl RetrieveError {
    /// A stable name for the kind of error, for tables and machines.
    pub fn code(&self) -> &'static str {
        match self {
            Self::EmptyQuery => "empty-query",
            Self::EmbedderNeeded { .. } => "embedder-needed",
            Self::NoVectors => "no-vectors",
            Self::Index(error) => error.code(),
            Self::Embed(_) => "embedding-failed",
        }
    }
}
