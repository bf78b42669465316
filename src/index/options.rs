//! What an index is made with, and how it is written.

use std::fmt;
use std::sync::Arc;

use evidex_index_format::{decode_metadata, encode_metadata};
use serde::{Deserialize, Serialize};

use super::IndexError;
use super::roots::SourceRoots;
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

/// The settings as a manifest records them; the roots of sources follow them where there are any.
#[derive(Debug, Serialize, Deserialize)]
struct Settings {
    analyzer_version: u32,
    embedder: Option<EmbedderIdentity>,
    chunking: ChunkPolicy,
    vectors: VectorStorage,
}

/// What a manifest's settings say.
#[derive(Debug)]
pub(super) struct Recorded {
    pub options: IndexOptions,
    pub analyzer_version: u32,
    pub roots: SourceRoots,
}

impl IndexOptions {
    pub(super) fn encode(&self, roots: &SourceRoots) -> Result<Vec<u8>, IndexError> {
        let settings = Settings {
            analyzer_version: ANALYZER_VERSION,
            embedder: self.embedder.clone(),
            chunking: self.chunking,
            vectors: self.vectors,
        };
        Ok(if roots.is_empty() { encode_metadata(&settings)? } else { encode_metadata(&(settings, roots))? })
    }

    pub(super) fn decode(file: &str, bytes: &[u8]) -> Result<Recorded, IndexError> {
        // Bytes that are left over are an error, so one of the two readings at most succeeds.
        let alone: Result<Settings, _> = decode_metadata(file, None, bytes);
        let (settings, roots) = match alone {
            Ok(settings) => (settings, SourceRoots::default()),
            Err(_) => decode_metadata(file, None, bytes)?,
        };
        let options = Self { embedder: settings.embedder, chunking: settings.chunking, vectors: settings.vectors };
        Ok(Recorded { options, analyzer_version: settings.analyzer_version, roots })
    }

    /// Length of the vectors, 0 where there are none.
    pub fn dimension(&self) -> usize {
        self.embedder.as_ref().map_or(0, |embedder| embedder.dimension as usize)
    }

    /// Whether graphs lead through its vectors, once there are many. Postings do where they know wording alone.
    pub(super) fn may_have_graphs(&self) -> bool {
        self.embedder.as_ref().is_some_and(|embedder| !embedder.knows_wording_alone())
    }

    /// About what a vector takes in memory while its segment is written.
    pub(super) fn vector_memory(&self) -> usize {
        // Itself, and a node of a graph that is being built: the row once more and about fifty links of 40 bytes.
        4 * self.dimension() + if self.may_have_graphs() { self.dimension() + 2_600 } else { 0 }
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
    /// No graph is built before the index holds so many chunks: up to here scanning is fast and building is not. Vectors that
    /// know wording alone get one only where this is 0, as postings lead to them.
    pub graph_from_total: u64,
    /// How graphs are built.
    pub graph: GraphOptions,
    /// Keep finished embeddings of a model in a log beside the segments until they are published, so that a run that was
    /// stopped does not make them again. Hashed and static embeddings are made faster than read back and are never kept.
    pub resumable: bool,
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
            resumable: true,
        }
    }
}

impl WriterOptions {
    /// Whether large segments of an index of `total` chunks get a graph.
    pub(super) fn graph_in(&self, index: &IndexOptions, total: u64) -> bool {
        total >= self.graph_from_total && (self.graph_from_total == 0 || index.may_have_graphs())
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
    fn vectors_that_know_wording_alone_get_a_graph_only_where_it_is_forced() {
        let index = |name: &str| {
            let identity = EmbedderIdentity { name: name.into(), digest: "ab".into(), dimension: 8 };
            IndexOptions { embedder: Some(identity), ..IndexOptions::default() }
        };
        let options = WriterOptions::default();
        assert!(options.graph_in(&index("a-model"), 100_000) && !options.graph_in(&index("a-model"), 99_999));
        assert!(!options.graph_in(&index("hashed"), 1_000_000));
        assert!(WriterOptions { graph_from_total: 0, ..options }.graph_in(&index("hashed"), 1));
    }

    #[test]
    fn options_survive_the_round_trip() {
        let options = IndexOptions {
            embedder: Some(EmbedderIdentity { name: "hashed".into(), digest: "ab".into(), dimension: 512 }),
            chunking: ChunkPolicy::Tokens { size: 100, overlap: 20 },
            vectors: VectorStorage::F16,
        };
        let mut roots = SourceRoots::default();
        for _ in 0..2 {
            let recorded = IndexOptions::decode("m", &options.encode(&roots).unwrap()).unwrap();
            assert_eq!((recorded.options, recorded.analyzer_version), (options.clone(), ANALYZER_VERSION));
            assert_eq!(recorded.roots, roots);
            roots.set("docs/".into(), "../docs".into());
        }
        assert!(IndexOptions::decode("m", b"\x07rubbish").is_err());
    }
}
