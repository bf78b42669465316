//! Getting models and the runtime: the only part of evidex that downloads them.
//!
//! In: names, and the folders to look in. Out: files in the store's first folder, each checked against its pinned
//! SHA-256, written aside and renamed into place. [`ensure`] does nothing when all is there.

mod bundle;
mod ensure;
mod error;
#[cfg(feature = "fetch")]
mod hub;
mod lock;
#[cfg(feature = "fetch")]
mod pip;
mod place;
#[cfg(feature = "fetch")]
mod progress;
mod pull_hub;
mod sources;
#[cfg(all(test, feature = "fetch"))]
mod test_server;

pub use bundle::{bundle, unbundle};
pub use ensure::{PullOptions, ensure, ensure_model, pull_from, pull_reference};
pub use error::{AssetError, Attempt};
#[cfg(feature = "fetch")]
pub use pip::python_with_pip;
pub use sources::is_built_in;

/// What the commands about models work with.
#[derive(Debug, Clone)]
pub struct AssetContext {
    /// Where models and the runtime lie.
    pub store: evidex::onnx::AssetStore,
    /// How to get what is missing.
    pub pull: PullOptions,
    /// Whether results are printed as JSON.
    pub json: bool,
}
