//! From texts to vectors: the [`Embedder`] seam, the hashed embedder (no model) and the ONNX one.

mod embedder;
mod hashed;
#[cfg(feature = "onnx")]
mod neural;
mod open;
#[cfg(feature = "onnx")]
mod windows;

pub use embedder::{EmbedError, Embedder, EmbedderIdentity};
pub use hashed::{HASHED_DIMENSION, HashedEmbedder};
#[cfg(feature = "onnx")]
pub use neural::OnnxEmbedder;
pub use open::open_embedder;
