//! The seam: what an embedder promises, and how it is told from others.

use serde::{Deserialize, Serialize};

use super::hashed::HashedEmbedder;
use super::static_table::StaticEmbedder;
use crate::onnx::OnnxError;

/// Which embedder made an index's vectors: a search must use the same one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmbedderIdentity {
    /// Its name as given to `--embedder`: "hashed", "static", "all-MiniLM-L6-v2", "dir:…".
    pub name: String,
    /// Hex SHA-256 over all that decides its output (model file, tokenizer, pooling; or the hashing scheme's version).
    pub digest: String,
    /// Length of its vectors.
    pub dimension: u32,
}

impl EmbedderIdentity {
    /// Whether it knows wording alone, as [`HashedEmbedder`] does: texts that are near each other share words, so that
    /// postings lead from one to the other.
    pub fn knows_wording_alone(&self) -> bool {
        self.name == HashedEmbedder::NAME
    }

    /// Whether it embeds a text sooner than a vector is read back, so that keeping vectors that may be needed again is of no use.
    pub(crate) fn is_quick(&self) -> bool {
        [HashedEmbedder::NAME, StaticEmbedder::NAME].contains(&self.name.as_str())
    }
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

    /// The vector to search with. The same as [`Embedder::embed`] gives, unless the model was trained to be
    /// told questions from passages.
    ///
    /// # Errors
    /// As [`Embedder::embed`].
    fn embed_query(&self, query: &str) -> Result<Vec<f32>, EmbedError> {
        Ok(self.embed(&[query])?.pop().unwrap_or_default())
    }
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
    /// The model directory's settings ask for something that is not built.
    #[error("embedding model {model} cannot be used: {reason}")]
    Unsupported {
        /// Which model.
        model: String,
        /// What it asks for.
        reason: String,
    },
    /// The runtime or the model failed.
    #[error(transparent)]
    Onnx(#[from] OnnxError),
}

/// Scales `vector` to unit length; an all-zero vector stays as it is.
pub(super) fn normalise(vector: &mut [f32]) {
    let norm = vector.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt();
    if norm > 0.0 {
        for x in vector {
            *x = (f64::from(*x) / norm) as f32;
        }
    }
}
