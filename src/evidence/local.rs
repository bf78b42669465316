//! Evidence from an index on this machine.

use std::sync::Arc;

use super::Pinned;
use super::source::{Evidence, EvidenceError, EvidenceSource};
use super::whole::whole_sentences;
use crate::claim::Claim;
use crate::embed::Embedder;
use crate::index::Snapshot;
use crate::retrieve::{self, Query, SearchMode};

/// One snapshot of an index: what it finds stays the same while it lives, whatever a writer does.
pub struct LocalIndex {
    name: String,
    snapshot: Snapshot,
    embedder: Option<Arc<dyn Embedder>>,
}

impl LocalIndex {
    /// Takes evidence from `snapshot`. With the index's own `embedder` both words and meaning are searched, without
    /// one only words.
    pub fn new(name: impl Into<String>, snapshot: Snapshot, embedder: Option<Arc<dyn Embedder>>) -> Self {
        Self { name: name.into(), snapshot, embedder }
    }
}

impl EvidenceSource for LocalIndex {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn evidence(&self, claim: &Claim, limit: usize) -> Result<Vec<Evidence>, EvidenceError> {
        let mode = if self.embedder.is_some() { SearchMode::Hybrid } else { SearchMode::Bm25 };
        let query = Query { text: claim.text.clone(), mode, k: limit };
        let unavailable = |reason: String| EvidenceError::Unavailable { source_name: self.name.clone(), reason };
        let passages = retrieve::search(&self.snapshot, &query, self.embedder.as_deref())
            .map_err(|error| unavailable(error.to_string()))?;
        let found = passages
            .into_iter()
            .map(|passage| Evidence {
                document_id: passage.document_id,
                source: passage.source,
                title: passage.title,
                url: passage.url,
                text: passage.text,
                span: passage.span,
                chars_before: passage.chars_before,
                lead: passage.lead,
                scores: passage.scores,
                pinned: Pinned::of(&passage.metadata),
            })
            .collect();
        whole_sentences(found, |id| self.snapshot.document(id).map_err(|error| unavailable(error.to_string())))
    }
}
