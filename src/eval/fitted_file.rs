//! The one file of fitted numbers, whole: read, changed section by section, written.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::EvalError;
use crate::judge::FittedEnsemble;
use crate::verify::calibration::Calibration;
use crate::verify::rule::Rule;

/// All that `evidex eval fit` fits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FittedFile {
    /// When a model's word decides.
    pub rule: Rule,
    /// How sure a verdict is.
    pub calibration: Calibration,
    /// How much each method counts.
    pub ensemble: FittedEnsemble,
}

impl FittedFile {
    /// What evidex comes with.
    pub fn built_in() -> Self {
        Self {
            rule: Rule::built_in().clone(),
            calibration: Calibration::built_in().clone(),
            ensemble: FittedEnsemble::built_in().clone(),
        }
    }

    /// The file at `path`; what evidex comes with where there is no file.
    ///
    /// # Errors
    /// [`EvalError::Io`] when it cannot be read, [`EvalError::NotFitted`] when it is another kind of file.
    pub fn read(path: &Path) -> Result<Self, EvalError> {
        let shown = path.display().to_string();
        match std::fs::read_to_string(path) {
            Ok(text) => serde_json::from_str(&text)
                .map_err(|error| EvalError::NotFitted { path: shown, reason: error.to_string() }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::built_in()),
            Err(source) => Err(EvalError::Io { doing: "read", path: shown, source }),
        }
    }

    /// Whether a file could be written at `path`, without changing what is there.
    ///
    /// # Errors
    /// [`EvalError::Io`].
    pub fn can_write(path: &Path) -> Result<(), EvalError> {
        let io = |source| EvalError::Io { doing: "write", path: path.display().to_string(), source };
        let was_there = path.exists();
        std::fs::OpenOptions::new().append(true).create(true).open(path).map_err(io)?;
        if was_there { Ok(()) } else { std::fs::remove_file(path).map_err(io) }
    }

    /// Writes the file.
    ///
    /// # Errors
    /// [`EvalError::Io`].
    pub fn write(&self, path: &Path) -> Result<(), EvalError> {
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        let io = |source| EvalError::Io { doing: "write", path: path.display().to_string(), source };
        std::fs::write(path, text).map_err(io)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_file_is_read_and_written_as_it_is() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/verify/fitted.json");
        let read = FittedFile::read(&path).unwrap();
        assert_eq!(read, FittedFile::built_in());
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("fitted.json");
        read.write(&copy).unwrap();
        assert_eq!(std::fs::read_to_string(copy).unwrap(), std::fs::read_to_string(path).unwrap());
    }

    #[test]
    fn another_file_is_refused_and_a_missing_one_is_the_built_in_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.json");
        FittedFile::can_write(&path).unwrap();
        assert!(!path.exists());
        assert!(matches!(FittedFile::can_write(&path.join("y")), Err(EvalError::Io { .. })));
        assert_eq!(FittedFile::read(&path).unwrap(), FittedFile::built_in());
        std::fs::write(&path, r#"{"kind": "pairs"}"#).unwrap();
        assert!(matches!(FittedFile::read(&path), Err(EvalError::NotFitted { .. })));
    }
}
