//! What was pulled from the hub, written beside the files: the first pull fixes their SHA-256, later ones are held to it.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{OnnxError, sha256_file};

/// The record of a model pulled from the hub. A folder without one is an unfinished pull.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PullRecord {
    /// `hf:org/name@revision`, as asked for.
    pub source: String,
    /// The commit that the revision stood for, where the hub said so.
    pub commit: Option<String>,
    /// Hex SHA-256 of each file, by its path in the folder with `/` between the parts.
    pub files: BTreeMap<String, String>,
}

impl PullRecord {
    /// The file's name.
    pub const FILE: &str = "evidex-lock.json";

    /// Reads the folder's record; `None` when there is none.
    ///
    /// # Errors
    /// When it is there and cannot be read or understood.
    pub fn read(folder: &Path) -> Result<Option<Self>, OnnxError> {
        let path = folder.join(Self::FILE);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(OnnxError::Read { path, source }),
        };
        match serde_json::from_slice(&bytes) {
            Ok(record) => Ok(Some(record)),
            Err(error) => Err(OnnxError::Model { path, reason: error.to_string() }),
        }
    }

    /// Holds the folder's files against the record.
    ///
    /// # Errors
    /// [`OnnxError::Damaged`] for the first file that differs, [`OnnxError::Read`] for one that cannot be read.
    pub fn verify(&self, folder: &Path) -> Result<(), OnnxError> {
        for (name, expected) in &self.files {
            let path = folder.join(name);
            let found = sha256_file(&path).map_err(|source| OnnxError::Read { path: path.clone(), source })?;
            if found != *expected {
                let expected = format!("sha256 {expected}");
                return Err(OnnxError::Damaged { path, expected, found: format!("sha256 {found}") });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pulled_file_that_changed_later_is_noticed() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("config.json");
        fs::write(&path, "{}").expect("writes");
        let files = BTreeMap::from([("config.json".to_owned(), sha256_file(&path).expect("reads"))]);
        let record = PullRecord { source: "hf:a/b@c".to_owned(), commit: None, files };
        fs::write(folder.path().join(PullRecord::FILE), serde_json::to_vec(&record).expect("writes")).expect("writes");
        assert_eq!(PullRecord::read(folder.path()).expect("reads"), Some(record.clone()));
        assert!(record.verify(folder.path()).is_ok());
        fs::write(&path, "[]").expect("writes");
        assert!(matches!(record.verify(folder.path()), Err(OnnxError::Damaged { .. })));
    }

    #[test]
    fn no_record_is_none_and_a_broken_one_an_error() {
        let folder = tempfile::tempdir().expect("folder");
        assert_eq!(PullRecord::read(folder.path()).expect("none"), None);
        fs::write(folder.path().join(PullRecord::FILE), "{").expect("writes");
        assert!(PullRecord::read(folder.path()).is_err());
    }
}
