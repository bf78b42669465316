//! What an index is made with, and how it is written.

use std::fmt;
use std::sync::Arc;

use evidex_index_format::{decode_metadata, encode_metadata};
use serde::{Deserialize, Serialize};

use super::IndexError;
use crate::chunk::ChunkPolicy;
use crate::embed::EmbedderIdentity;
use crate::lexical::ANALYZER_VERSION;
use crate::progress::{Cancellation, Progress};
use crate::vector::{GraphOptions, VectorStorage};

/// What an index is made with; it stays the same for the index's life.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexOptions {
    /// Who makes the vectors; `None` for an index of words alone.
    pub embedder: Option<EmbedderIdentity>,
    /// How documents are cut.
    pub chunking: ChunkPolicy,
    /// What is kept of the vectors.
    pub vectors: VectorStorage,
}

/// The settings as a manifest records them.
#[derive(Debug, Serialize, Deserialize)]
struct Settings {
    analyzer_version: u32,
    embedder: Option<EmbedderIdentity>,
    chunking: ChunkPolicy,
    vectors: VectorStorage,
}

impl IndexOptions {
    pub(super) fn encode(&self) -> Result<Vec<u8>, IndexError> {
        Ok(encode_metadata(&Settings {
            analyzer_version: ANALYZER_VERSION,
            embedder: self.embedder.clone(),
            chunking: self.chunking,
            vectors: self.vectors,
        })?)
    }

    pub(super) fn decode(file: &str, bytes: &[u8]) -> Result<Self, IndexError> {
        let settings: Settings = decode_metadata(file, None, bytes)?;
        if settings.analyzer_version != ANALYZER_VERSION {
            return Err(IndexError::OtherAnalyzer { expected: ANALYZER_VERSION, found: settings.analyzer_version });
        }
        Ok(Self { embedder: settings.embedder, chunking: settings.chunking, vectors: settings.vectors })
    }

    /// Length of the vectors, 0 where there are none.
    pub fn dimension(&self) -> usize {
        self.embedder.as_ref().map_or(0, |embedder| embedder.dimension as usize)
    }

    /// Whether `embedder` may be used with the index.
    ///
    /// # Errors
    /// [`IndexError::OtherEmbedder`], or [`IndexError::NoVectors`] where the index has none.
    pub fn check_embedder(&self, found: &EmbedderIdentity) -> Result<(), IndexError> {
        let Some(expected) = &self.embedder else { return Err(IndexError::NoVectors { found: found.name.clone() }) };
        // The digest decides; a model may be known under several names.
        if expected.digest == found.digest && expected.dimension == found.dimension {
            return Ok(());
        }
        let start = |digest: &str| digest.chars().take(12).collect();
        Err(IndexError::OtherEmbedder {
            expected: expected.name.clone(),
            expected_digest: start(&expected.digest),
            found: found.name.clone(),
            found_digest: start(&found.digest),
        })
    }
}

/// How an index is written; none of it changes what is found, only what writing costs.
#[derive(Clone)]
pub struct WriterOptions {
    /// About how many bytes of memory the writer may use; some 20 MiB are used in any case.
    pub memory_budget: usize,
    /// Worker threads; 0 for as many as there are cores.
    pub threads: usize,
    /// Asked at every document and every batch.
    pub cancellation: Cancellation,
    /// Told how many chunks are done.
    pub progress: Option<Arc<dyn Progress>>,
    /// Segments of at least so many chunks get a graph; smaller ones are scanned.
    pub graph_from: u32,
    /// No graph is built before the index holds so many chunks: up to here scanning is fast and building is not.
    pub graph_from_total: u64,
    /// How graphs are built.
    pub graph: GraphOptions,
}

impl Default for WriterOptions {
    fn default() -> Self {
        Self {
            memory_budget: 256 << 20,
            threads: 0,
            cancellation: Cancellation::new(),
            progress: None,
            graph_from: 20_000,
            graph_from_total: 100_000,
            graph: GraphOptions::default(),
        }
    }
}

impl fmt::Debug for WriterOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WriterOptions")
            .field("memory_budget", &self.memory_budget)
            .field("threads", &self.threads)
            .field("graph_from", &self.graph_from)
            .field("graph_from_total", &self.graph_from_total)
            .field("graph", &self.graph)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_survive_the_round_trip() {
        let options = IndexOptions {
            embedder: Some(EmbedderIdentity { name: "hashed".into(), digest: "ab".into(), dimension: 512 }),
            chunking: ChunkPolicy::Tokens { size: 100, overlap: 20 },
            vectors: VectorStorage::F16,
        };
        assert_eq!(IndexOptions::decode("m", &options.encode().unwrap()).unwrap(), options);
        assert!(IndexOptions::decode("m", b"\x07rubbish").is_err());
    }
}
