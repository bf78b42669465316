//! Why an asset could not be had, and what to do about it.

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use evidex::onnx::OnnxError;

/// One source that was tried in vain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// The source: "python wheel onnxruntime 1.24.4", an address, a folder.
    pub source: String,
    /// Why not.
    pub reason: String,
}

/// Why an asset could not be had.
#[derive(Debug, thiserror::Error)]
pub enum AssetError {
    /// It would have to be downloaded, which was forbidden.
    #[error("{} would have to be downloaded, which --offline forbids", names.join(" and "))]
    Offline {
        /// What is missing.
        names: Vec<String>,
        /// What to do by hand.
        by_hand: String,
    },
    /// Every source was tried in vain.
    #[error("cannot get {name}; tried: {}", tried(attempts))]
    Unavailable {
        /// What is missing.
        name: String,
        /// What was tried.
        attempts: Vec<Attempt>,
        /// What to do by hand.
        by_hand: String,
    },
    /// A file or folder could not be read or written.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// "write", "create", "lock", ….
        action: &'static str,
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A bundle is damaged, foreign or tries to write where it must not.
    #[error("bundle {} cannot be used: {reason}", path.display())]
    Bundle {
        /// The bundle.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// There is no place to write to.
    #[error("there is no folder to keep models in: neither EVIDEX_HOME nor the user's cache folder is known")]
    NoStore,
    /// The request makes no sense.
    #[error("{0}")]
    Usage(String),
    /// See [`OnnxError`].
    #[error(transparent)]
    Onnx(#[from] OnnxError),
}

impl AssetError {
    /// For `map_err` on a file operation.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }

    /// A stable name of the kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Offline { .. } => "assets_offline",
            Self::Unavailable { .. } => "assets_unavailable",
            Self::Io { .. } => "assets_io",
            Self::Bundle { .. } => "bundle",
            Self::NoStore => "assets_no_store",
            Self::Usage(_) => "usage",
            Self::Onnx(_) => "onnx",
        }
    }

    /// What to do next.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Offline { by_hand, .. } | Self::Unavailable { by_hand, .. } => Some(by_hand.clone()),
            Self::NoStore => Some("set EVIDEX_HOME to a folder".to_owned()),
            Self::Onnx(error) => error.hint(),
            // Only the store's own folders and files are created.
            Self::Io { action: "create", .. } => Some("set EVIDEX_HOME to a folder that can be written to".to_owned()),
            Self::Io { .. } | Self::Bundle { .. } | Self::Usage(_) => None,
        }
    }
}

fn tried(attempts: &[Attempt]) -> String {
    let mut text = String::new();
    for attempt in attempts {
        let _ = write!(text, "\n  {}: {}", attempt.source, attempt.reason);
    }
    if attempts.is_empty() { "no source is known for this platform".to_owned() } else { text }
}
