//! Vectors: from embeddings to stored rows, and from a query's vector to the nearest chunks.
//!
//! In: vectors of unit length (or all zero) and ordinals, never text. Out: for a segment, rows of 8-bit integers with
//! a scale each, the originals where they are kept, and for a large segment an HNSW graph as one flat array; for a
//! query, the nearest rows by cosine similarity.
//!
//! Always true: the exact scan is the oracle, the graph is compared with it; what either finds is scored once more
//! from the originals where they are kept.

mod error;
mod exact;
mod graph;
mod graph_build;
mod graph_insert;
mod kernel;
mod quantise;
mod storage;
mod top_k;

pub use error::VectorError;
pub use graph::{Graph, GraphBytes, GraphWords};
pub use graph_build::{GraphOptions, build_graph};
pub use quantise::{Quantised, quantise};
pub use storage::{RESCORE, VectorReader, VectorSearch, VectorStorage, VectorWriter};
pub use top_k::{Nearest, TopK};
