//! From the name of an embedder to the embedder.

use std::num::NonZeroUsize;

use super::{EmbedError, Embedder, HashedEmbedder, StaticEmbedder};
use crate::onnx::AssetStore;

/// Opens the embedder of that name: `hashed`, `static`, `all-MiniLM-L6-v2`, `hf:org/name@revision` or `dir:PATH`.
///
/// Nothing is downloaded: a model must be in the store, or in the folder that the name gives. To open the embedder of
/// an index, give the name that the index recorded and compare the digests.
/// At most `sessions` texts are embedded at once; with `None`, as many as there are cores.
///
/// ```
/// use evidex::embed::open_embedder;
/// use evidex::onnx::AssetStore;
///
/// let store = AssetStore::new(Vec::new());
/// let embedder = open_embedder("hashed", &store, None)?;
/// assert_eq!(embedder.identity().dimension, 1024);
/// assert!(open_embedder("no-such-model", &store, None).is_err());
/// # Ok::<(), evidex::embed::EmbedError>(())
/// ```
///
/// # Errors
/// [`EmbedError::Unknown`] for a name of none of these forms, [`EmbedError::Onnx`] when the model or the runtime is
/// missing, damaged or unusable, [`EmbedError::Unsupported`] when it wants what is not built.
pub fn open_embedder(
    name: &str,
    store: &AssetStore,
    sessions: Option<NonZeroUsize>,
) -> Result<Box<dyn Embedder>, EmbedError> {
    if name == HashedEmbedder::NAME {
        return Ok(Box::new(HashedEmbedder::new()));
    }
    if name == StaticEmbedder::NAME {
        return Ok(Box::new(StaticEmbedder::open(store)?));
    }
    open_model(name, store, sessions)
}

#[cfg(feature = "onnx")]
fn open_model(name: &str, store: &AssetStore, sessions: Option<NonZeroUsize>) -> Result<Box<dyn Embedder>, EmbedError> {
    use crate::onnx::OnnxError;

    match super::OnnxEmbedder::open(name, store, sessions) {
        Ok(embedder) => Ok(Box::new(embedder)),
        Err(EmbedError::Onnx(OnnxError::UnknownModel { name })) => Err(EmbedError::Unknown { name }),
        Err(error) => Err(error),
    }
}

#[cfg(not(feature = "onnx"))]
fn open_model(
    name: &str,
    _store: &AssetStore,
    _sessions: Option<NonZeroUsize>,
) -> Result<Box<dyn Embedder>, EmbedError> {
    use crate::onnx::ModelReference;

    match name.parse::<ModelReference>() {
        Ok(_) => Err(EmbedError::Unsupported {
            model: name.to_owned(),
            reason: "this build has no ONNX support (cargo feature `onnx`)".to_owned(),
        }),
        Err(_) => Err(EmbedError::Unknown { name: name.to_owned() }),
    }
}
