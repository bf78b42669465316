//! The seam: what a source of evidence is, and what it brings.

use serde::{Deserialize, Serialize};

use super::Pinned;
use crate::claim::Claim;
use crate::corpus::DocumentId;
use crate::retrieve::PassageScores;
use crate::text::TextSpan;

/// A passage that may bear on a claim: verbatim text of a stored document.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
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
    /// What pins the passage, where the document is a page that changes.
    #[serde(default)]
    pub pinned: Option<Pinned>,
}

/// What a reader should know of the evidence for a claim; it changes no label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caveat {
    /// Stable code: `ambiguous_entity`, `search_incomplete`, ….
    pub code: String,
    /// For people.
    pub message: String,
}

/// What a source has to say beside the passages that it brought for a claim.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Remarks {
    /// What it could not ask, although it brought passages: that they are silent then says nothing.
    pub gap: Option<String>,
    /// What the reader should know.
    pub caveats: Vec<Caveat>,
}

/// Finds passages for claims.
pub trait EvidenceSource: Send + Sync {
    /// What the report calls it: `index:DIR`, `context`, `wikipedia:en`.
    fn name(&self) -> String;

    /// Told once what is about to be verified, before [`EvidenceSource::evidence`] is asked claim by claim: a source that
    /// is far away can fetch for all claims together. What fails is told claim by claim.
    fn prepare(&self, _text: &str, _claims: &[Claim]) {}

    /// Passages that may bear on `claim`, best first, at most `limit`.
    ///
    /// # Errors
    /// When the source cannot be asked: the claim is then not checked. No match is an empty list.
    fn evidence(&self, claim: &Claim, limit: usize) -> Result<Vec<Evidence>, EvidenceError>;

    /// What else there is to say of the evidence for `claim`; asked after [`EvidenceSource::evidence`].
    fn remarks(&self, _claim: &Claim) -> Remarks {
        Remarks::default()
    }
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
    /// The site asks programs not to read the page.
    #[error("{address} is not fetched: the robots.txt of {origin} does not allow programs to read {path}")]
    RobotsDisallow {
        /// As given.
        address: String,
        /// The site.
        origin: String,
        /// The path that a rule forbids.
        path: String,
    },
    /// A wiki of the Wikimedia Foundation, which requires to be told who asks.
    #[error("{wiki} is not asked without a contact: the Wikimedia Foundation requires one of whoever asks by program")]
    ContactMissing {
        /// Which wiki.
        wiki: String,
    },
    /// A wiki cannot be asked as the options say.
    #[error("the wiki cannot be asked so: {reason}")]
    BadOptions {
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
