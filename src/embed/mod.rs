//! From texts to vectors: the [`Embedder`] seam, the hashed embedder (no model), the static one (a table) and the ONNX one.

mod embedder;
mod hashed;
#[cfg(feature = "onnx")]
mod neural;
mod open;
mod static_table;
#[cfg(feature = "onnx")]
mod windows;
mod wordpiece;

pub use embedder::{EmbedError, Embedder, EmbedderIdentity};
pub use hashed::{HASHED_DIMENSION, HashedEmbedder};
#[cfg(feature = "onnx")]
pub use neural::OnnxEmbedder;
pub use open::open_embedder;
pub use static_table::StaticEmbedder;
