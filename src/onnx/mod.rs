//! Models as files: where they lie, how they are loaded, and one single-threaded session per core to run them on.
//!
//! In: an [`AssetStore`] (folders to look in) or the path of a model directory. Out: token ids and the model's
//! numbers, never a NaN. Nothing here reaches a network, knows what a claim is, or reads the environment, except
//! [`AssetStore::from_environment`], which a caller at the edge may use.

mod assets;
mod digest;
#[cfg(feature = "onnx")]
mod encoder;
mod error;
mod model_directory;
#[cfg(feature = "onnx")]
mod pair_classifier;
mod record;
#[cfg(feature = "onnx")]
mod runtime;
#[cfg(feature = "onnx")]
mod session_pool;
mod store;
#[cfg(all(test, feature = "onnx"))]
pub(crate) mod tiny_model;
#[cfg(feature = "onnx")]
mod tokenizer;

pub use assets::{
    ALL_MINILM, ASSETS, Asset, AssetFile, AssetKind, EVIDEX_NLI, EVIDEX_STATIC, ONNX_RUNTIME, RUNTIME_VERSION,
    asset_named,
};
pub use digest::{hex, sha256_file};
#[cfg(feature = "onnx")]
pub use encoder::{Encoder, Output};
pub use error::OnnxError;
pub use model_directory::{ModelConfig, ModelDirectory, ModelReference};
#[cfg(feature = "onnx")]
pub use pair_classifier::{PairClassifier, PairLabels, PairScores};
pub use record::PullRecord;
#[cfg(feature = "onnx")]
pub use runtime::Runtime;
#[cfg(feature = "onnx")]
pub use session_pool::SessionPool;
pub use store::{AssetStore, StoreRoot};
#[cfg(feature = "onnx")]
pub use tokenizer::TextTokenizer;
