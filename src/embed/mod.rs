//! From texts to vectors: the [`Embedder`] seam, the hashed embedder (no model) and the ONNX one.

use serde::{Deserialize, Serialize};

/// Which embedder made an index's vectors: a search must use the same one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmbedderIdentity {
    /// Its name as given to `--embedder`: "hashed", "all-MiniLM-L6-v2", "dir:…".
    pub name: String,
    /// Hex SHA-256 over all that decides its output (model file, tokenizer, pooling; or the hashing scheme's version).
    pub digest: String,
    /// Length of its vectors.
    pub dimension: u32,
}

/// Turns texts into vectors of unit length (or all zero for a text without content).
///
/// A text's vector depends on that text alone, never on the others in the call.
pub trait Embedder: Send + Sync {
    /// Who it is.
    fn identity(&self) -> &EmbedderIdentity;

    /// One vector of `identity().dimension` finite numbers for each text, in order.
    ///
    /// # Errors
    /// When the model could not run; never a partial answer.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;
}

/// What can go wrong in embedding.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmbedError {
    /// The embedder's name is not known.
    #[error("unknown embedder `{name}`")]
    Unknown {
        /// As given.
        name: String,
    },
}
