//! A found passage.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::corpus::{DocumentId, MetadataValue};
use crate::index::{ChunkOrdinal, PassageText};
use crate::text::TextSpan;

/// How well a passage matched, leg by leg.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PassageScores {
    /// BM25 score, above 0, unbounded; `None` where the leg did not run or the passage is not among its best.
    pub bm25: Option<f32>,
    /// Cosine similarity, −1 to 1; `None` where the leg did not run.
    pub dense: Option<f32>,
    /// What the passages were ranked by.
    pub fused: Option<f32>,
}

/// Another place where a passage stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Duplicate {
    /// The document.
    pub document_id: DocumentId,
    /// The file, address or name of its source.
    pub source: String,
    /// Where the passage stands in it, in bytes.
    pub span: TextSpan,
}

/// A passage: verbatim text of a stored document.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    /// The chunk's number in the snapshot.
    pub ordinal: ChunkOrdinal,
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
    /// Where it stands in the document, in bytes.
    pub span: TextSpan,
    /// Characters of the document before it.
    pub chars_before: usize,
    /// The document's text just before it, up to about 300 bytes.
    pub lead: String,
    /// How it was found.
    pub scores: PassageScores,
    /// The document's further fields.
    pub metadata: BTreeMap<String, MetadataValue>,
    /// Other places where the same passage was found.
    pub duplicates: Vec<Duplicate>,
}

impl Passage {
    pub(super) fn new(text: PassageText, scores: PassageScores, duplicates: Vec<Duplicate>) -> Self {
        Self {
            ordinal: text.ordinal,
            document_id: text.document_id,
            source: text.source,
            title: text.title,
            url: text.url,
            text: text.text,
            span: text.span,
            chars_before: text.chars_before,
            lead: text.lead,
            scores,
            metadata: text.metadata,
            duplicates,
        }
    }
}
