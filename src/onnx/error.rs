//! What can go wrong with models and the runtime.

use std::io;
use std::path::PathBuf;

/// What can go wrong with models and the runtime.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OnnxError {
    /// A model or the runtime is in none of the places looked at.
    #[error("{name} is not installed (looked in {})", list(looked_in))]
    Missing {
        /// The asset's name.
        name: String,
        /// Where it was looked for.
        looked_in: Vec<PathBuf>,
    },
    /// No asset goes by that name, and it is neither `hf:org/name@revision` nor `dir:PATH`.
    #[error("no model is called `{name}`")]
    UnknownModel {
        /// As given.
        name: String,
    },
    /// A file is there, but is not what was pinned.
    #[error("{} is damaged: expected {expected}, found {found}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// "22928619 bytes" or "sha256 …".
        expected: String,
        /// The same of what is there.
        found: String,
    },
    /// A file could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The shared library could not be loaded, or is not ONNX Runtime in a usable version.
    #[error("cannot load ONNX Runtime from {}: {reason}", path.display())]
    Runtime {
        /// The shared library.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A process can hold one ONNX Runtime only.
    #[error("ONNX Runtime is already loaded from {}, so not from {}", loaded.display(), asked.display())]
    RuntimeConflict {
        /// The library in use.
        loaded: PathBuf,
        /// The library asked for.
        asked: PathBuf,
    },
    /// A file of a model directory is missing, malformed or of a kind that is not supported.
    #[error("cannot use the model in {}: {reason}", path.display())]
    Model {
        /// The directory or the file in it.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The model failed on an input.
    #[error("the model in {} failed: {reason}", path.display())]
    Run {
        /// The model file.
        path: PathBuf,
        /// What the runtime said.
        reason: String,
    },
    /// The model answered NaN or infinity.
    #[error("the model in {} answered a number that is not finite", path.display())]
    NotFinite {
        /// The model file.
        path: PathBuf,
    },
    /// The text does not fit into the model's window, and must not be cut.
    #[error("{what} has {tokens} tokens, more than the {limit} that fit")]
    TooLong {
        /// What was too long: "the claim", "the pair".
        what: &'static str,
        /// How many tokens it has.
        tokens: usize,
        /// How many may be.
        limit: usize,
    },
}

impl OnnxError {
    /// What the caller can do about it, if there is one thing to do.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Missing { name, .. } if name.starts_with("dir:") => {
                Some("check the path: the folder must hold an ONNX model and its tokenizer.json".to_owned())
            }
            Self::Missing { name, .. } => {
                Some(format!("run `evidex models pull {name}`, or use `--embedder static`, which needs no runtime"))
            }
            Self::UnknownModel { .. } => {
                Some("run `evidex models list`, or name it as `hf:org/name@revision` or `dir:PATH`".to_owned())
            }
            Self::Damaged { .. } => Some("run `evidex models pull`, which replaces damaged files".to_owned()),
            Self::Runtime { .. } => Some("run `evidex doctor` to see which runtime is found".to_owned()),
            _ => None,
        }
    }
}

/// Paths, separated by commas, or a word when there are none.
fn list(paths: &[PathBuf]) -> String {
    if paths.is_empty() {
        return "no place at all".to_owned();
    }
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}
