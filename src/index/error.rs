//! What can go wrong with an index, split by who must act.

use evidex_index_format::FormatError;

use crate::chunk::ChunkError;
use crate::embed::EmbedError;
use crate::lexical::LexicalError;
use crate::vector::VectorError;

/// What can go wrong in making, opening, writing or reading an index.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The files: not an index, damaged, locked, another version, no space …
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The postings.
    #[error(transparent)]
    Lexical(#[from] LexicalError),
    /// The vectors.
    #[error(transparent)]
    Vector(#[from] VectorError),
    /// The embedder could not run.
    #[error(transparent)]
    Embed(#[from] EmbedError),
    /// The documents cannot be cut so.
    #[error(transparent)]
    Chunk(#[from] ChunkError),
    /// The index was made by another embedder.
    #[error("the index was made by the embedder `{expected}` ({expected_digest}), not by `{found}` ({found_digest})")]
    OtherEmbedder {
        /// The index's.
        expected: String,
        /// First digits of its digest.
        expected_digest: String,
        /// The one that was given.
        found: String,
        /// First digits of its digest.
        found_digest: String,
    },
    /// The index holds vectors, and no embedder was given to make more.
    #[error("the index was made by the embedder `{expected}`, and adding to it needs that embedder")]
    EmbedderNeeded {
        /// The index's.
        expected: String,
    },
    /// The index holds no vectors.
    #[error("the index holds no vectors, so the embedder `{found}` cannot be used with it")]
    NoVectors {
        /// The one that was given.
        found: String,
    },
    /// The embedder broke its promise.
    #[error("the embedder `{name}` gave {found} vectors for {expected} texts")]
    WrongEmbedding {
        /// Its name.
        name: String,
        /// How many texts it was given.
        expected: usize,
        /// How many vectors it gave back.
        found: usize,
    },
    /// The index was written by a version that reads words in another way.
    #[error("the index was written with analyzer version {found}, this build has version {expected}")]
    OtherAnalyzer {
        /// This build's.
        expected: u32,
        /// The index's.
        found: u32,
    },
    /// A folder is named as another one was whose documents the index holds.
    #[error(
        "`{}` was indexed before from another folder (as seen from the index's own: {before}, now {now})",
        if root.is_empty() { "." } else { root.as_str() }
    )]
    OtherRoot {
        /// As it is named.
        root: String,
        /// Where it led, as a path from the index's folder.
        before: String,
        /// Where it leads now.
        now: String,
    },
    /// Two files in different folders have the same path in them, and so the same id.
    #[error("document `{id}` of {found} has the id of a document of another folder, {before}")]
    IdOfOtherSource {
        /// The id, shortened.
        id: String,
        /// The source of the document in the index.
        before: String,
        /// The source of the document that was to be added.
        found: String,
    },
    /// A folder to read from cannot be found.
    #[error("cannot find {path}")]
    Source {
        /// As given.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// Several indexes together hold more chunks than can be numbered.
    #[error("together the indexes hold more chunks than can be numbered (4,294,967,295)")]
    TooManyChunks,
    /// A document that cannot be stored.
    #[error("document `{id}` cannot be stored: {reason}")]
    InvalidDocument {
        /// Its id, shortened.
        id: String,
        /// Why not.
        reason: &'static str,
    },
    /// The parts of a segment contradict each other.
    #[error("segment {segment} is damaged: {reason}")]
    Damaged {
        /// Its number.
        segment: u64,
        /// What is wrong.
        reason: String,
    },
    /// The caller asked to stop; nothing of the pending generation was published.
    #[error("cancelled; the index is as it was before")]
    Cancelled,
    /// An earlier error left the writer without a consistent pending generation.
    #[error("the writer failed before; drop it and start another")]
    WriterFailed,
    /// A folder that holds something else.
    #[error("`{location}` is not empty and holds no index")]
    FolderInUse {
        /// The folder.
        location: String,
    },
    /// Worker threads could not be started.
    #[error("worker threads could not be started: {reason}")]
    Threads {
        /// Why.
        reason: String,
    },
}

impl IndexError {
    /// Whether it only says that there is no index in the place.
    pub fn is_no_index(&self) -> bool {
        matches!(self, Self::Format(FormatError::NotAnIndex { .. }))
    }

    /// A stable name for the kind of error, for tables and machines.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Format(error) => error.code(),
            Self::Lexical(_) | Self::Vector(_) | Self::Damaged { .. } => "corrupt-index",
            Self::Embed(_) | Self::WrongEmbedding { .. } => "embedding-failed",
            Self::Chunk(_) => "invalid-chunking",
            Self::OtherEmbedder { .. } | Self::EmbedderNeeded { .. } | Self::NoVectors { .. } => "other-embedder",
            Self::OtherAnalyzer { .. } => "unsupported-version",
            Self::OtherRoot { .. } | Self::IdOfOtherSource { .. } => "other-source",
            Self::Source { .. } => "source-not-found",
            Self::TooManyChunks => "too-many-chunks",
            Self::InvalidDocument { .. } => "invalid-document",
            Self::Cancelled => "cancelled",
            Self::WriterFailed => "writer-failed",
            Self::FolderInUse { .. } => "folder-in-use",
            Self::Threads { .. } => "threads",
        }
    }
}
