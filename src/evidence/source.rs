//! The seam: what a source of evidence is, and what it brings.

use serde::{Deserialize, Serialize};

use crate::claim::Claim;
use crate::corpus::DocumentId;
use crate::retrieve::PassageScores;
use crate::text::TextSpan;

/// A passage that may bear on a claim: verbatim text of a stored document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// The document it stands in.
    pub document_id: DocumentId,
    /// The file, address or name of the document's source.
    pub source: String,
    /// The document's title.
    pub title: Option<String>,
    /// The document's address.
    pub url: Option<String>,
    /// Verbatim text.
    pub text: String,
    /// Where `text` stands in the document, in bytes.
    pub span: TextSpan,
    /// Characters of the document before `span`.
    pub chars_before: usize,
    /// The document's text just before `span`, for resolving references; may be empty.
    pub lead: String,
    /// How it was found.
    pub scores: PassageScores,
}

/// Finds passages for claims.
pub trait EvidenceSource: Send + Sync {
    /// What the report calls it: `index:DIR`, `context`, `wikipedia:en`.
    fn name(&self) -> String;

    /// Passages that may bear on `claim`, best first, at most `limit`.
    ///
    /// # Errors
    /// When the source cannot be asked: the claim is then not checked. No match is an empty list.
    fn evidence(&self, claim: &Claim, limit: usize) -> Result<Vec<Evidence>, EvidenceError>;
}

/// What can go wrong in finding evidence.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvidenceError {
    /// The source could not be asked.
    #[error("evidence source {source_name} is unavailable: {reason}")]
    Unavailable {
        /// Which source.
        source_name: String,
        /// Why.
        reason: String,
    },
    /// The address may not be asked, or the page is of a kind that is not read.
    #[error("{address} is not fetched: {reason}")]
    Refused {
        /// As given.
        address: String,
        /// Why.
        reason: String,
    },
    /// Nothing was given to take evidence from.
    #[error("the context holds no text")]
    Empty,
    /// A document of the context could not be cut into passages.
    #[error(transparent)]
    Chunk(#[from] crate::chunk::ChunkError),
}
