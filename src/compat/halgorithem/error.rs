//! What can be wrong with what a caller gives.

use crate::chunk::ChunkError;
use crate::corpus::ReadProblem;
use crate::evidence::EvidenceError;
use crate::verify::VerifyError;

/// An error of this interface. What fails for one claim is said in its result instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HalgorithemError {
    /// Chunks cannot be cut so: choose at least one sentence, and an overlap smaller than the chunk.
    #[error(transparent)]
    Chunking(#[from] ChunkError),
    /// The threshold is no number that weak support can begin at.
    #[error("the threshold must be from 0 to 0.65 (it is {threshold})")]
    Threshold {
        /// The threshold as given.
        threshold: f64,
    },
    /// No document was given.
    #[error("no source document was given")]
    NoDocuments,
    /// None of the documents holds any text.
    #[error("no source document holds any text")]
    EmptyDocuments,
    /// There is no such file.
    #[error("no such file: {path}")]
    Missing {
        /// The path as given.
        path: String,
    },
    /// A folder or a device.
    #[error("not a file: {path}")]
    NotAFile {
        /// The path as given.
        path: String,
    },
    /// The file is in another encoding, or damaged.
    #[error("not UTF-8: {path} looks like {encoding}")]
    NotUtf8 {
        /// The path as given.
        path: String,
        /// The encoding that it seems to be in.
        encoding: &'static str,
    },
    /// The file holds nothing but white space.
    #[error("empty file: {path}")]
    EmptyFile {
        /// The path as given.
        path: String,
    },
    /// The file is there and cannot be read as text.
    #[error(transparent)]
    Unreadable(#[from] ReadProblem),
    /// The documents cannot be made into evidence.
    #[error(transparent)]
    Evidence(EvidenceError),
    /// The verification could not run.
    #[error(transparent)]
    Verify(#[from] VerifyError),
}

impl From<EvidenceError> for HalgorithemError {
    fn from(error: EvidenceError) -> Self {
        match error {
            EvidenceError::Empty => Self::EmptyDocuments,
            EvidenceError::Chunk(error) => Self::Chunking(error),
            other => Self::Evidence(other),
        }
    }
}
