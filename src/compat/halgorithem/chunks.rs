//! Chunks of a source document, numbered by sentences from 1.

use serde::{Deserialize, Serialize};

use super::documents::TruthDocument;
use crate::chunk::{ChunkError, ChunkPolicy, chunk_spans};
use crate::text::{TextSpan, sentences};

/// A window of sentences of a source document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TruthChunk {
    /// The document's `file_id`.
    pub doc_id: u64,
    /// The document's `file_path`.
    pub source_name: String,
    /// Its place in the document, from 1.
    pub chunk_id: u32,
    /// The document's sentence that it begins with, from 1.
    pub sentence_start: usize,
    /// The sentence that it ends with.
    pub sentence_end: usize,
    /// The document's text at `span`, verbatim.
    pub text: String,
    /// Where it stands in the document, in bytes.
    pub span: TextSpan,
}

/// The chunks of `document`, in reading order.
pub(super) fn chunks_of(document: &TruthDocument, policy: &ChunkPolicy) -> Result<Vec<TruthChunk>, ChunkError> {
    let sentences = sentences(&document.text);
    let chunks = (1..).zip(chunk_spans(&document.text, policy)?).map(|(chunk_id, span)| TruthChunk {
        doc_id: document.file_id,
        source_name: document.file_path.clone(),
        chunk_id,
        sentence_start: sentences.partition_point(|sentence| sentence.end <= span.start) + 1,
        sentence_end: sentences.partition_point(|sentence| sentence.start < span.end).max(1),
        text: span.of(&document.text).to_owned(),
        span,
    });
    Ok(chunks.collect())
}

/// The chunk that holds most of `quote`; the earliest of those that hold as much.
pub(super) fn chunk_with(chunks: &[TruthChunk], quote: TextSpan) -> Option<&TruthChunk> {
    let shared = |chunk: &TruthChunk| {
        let (start, end) = (chunk.span.start.max(quote.start), chunk.span.end.min(quote.end));
        end.saturating_sub(start)
    };
    // Chunks stand in order, and their ends do too.
    let first = chunks.partition_point(|chunk| chunk.span.end <= quote.start);
    let near = chunks[first..].iter().take_while(|chunk| chunk.span.start < quote.end);
    near.fold(None, |best, chunk| match best {
        Some(best) if shared(best) >= shared(chunk) => Some(best),
        _ => Some(chunk),
    })
}
