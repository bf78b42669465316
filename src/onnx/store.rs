//! Where models and the runtime lie: an ordered list of folders, looked through in turn.
//!
//! In: the folders. Out: the path of an asset whose every file is there with its pinned length. Nothing is downloaded
//! and nothing written. The current directory is never looked at: a file planted there must not be loaded as code.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Asset, AssetFile, ModelReference, ONNX_RUNTIME, OnnxError, PullRecord, sha256_file};

/// One folder that may hold assets, each in a folder of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreRoot {
    /// The folder; need not exist.
    pub path: PathBuf,
    /// Why it is looked at, for people: "EVIDEX_HOME", "user cache", "beside the binary", "source tree".
    pub origin: &'static str,
}

/// An ordered list of folders that hold assets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssetStore {
    roots: Vec<StoreRoot>,
    runtime_library: Option<PathBuf>,
}

impl AssetStore {
    /// A store of these folders, the first of which is the one to write to.
    pub fn new(roots: Vec<StoreRoot>) -> Self {
        Self { roots, runtime_library: None }
    }

    /// The usual order: `home` alone if given (it is then the only store), else the user's cache, the folder of the
    /// running binary and the source tree that this was compiled from.
    pub fn standard(home: Option<&Path>, cache: Option<&Path>, binary: Option<&Path>) -> Self {
        if let Some(home) = home {
            return Self::new(vec![StoreRoot { path: home.join("models"), origin: "EVIDEX_HOME" }]);
        }
        let mut roots = Vec::new();
        if let Some(cache) = cache {
            roots.push(StoreRoot { path: cache.join("evidex").join("models"), origin: "user cache" });
        }
        if let Some(folder) = binary.and_then(Path::parent) {
            roots.push(StoreRoot { path: folder.join("models"), origin: "beside the binary" });
        }
        roots.push(StoreRoot { path: Path::new(env!("CARGO_MANIFEST_DIR")).join("models"), origin: "source tree" });
        Self::new(roots)
    }

    /// The usual order, from `EVIDEX_HOME` and the user's folders; `EVIDEX_ONNXRUNTIME` names another runtime library.
    ///
    /// For callers at the edge: nothing else in the library reads the environment.
    #[cfg(any(feature = "cli", feature = "onnx"))]
    pub fn from_environment() -> Self {
        use etcetera::BaseStrategy;

        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let cache = etcetera::choose_base_strategy().ok().map(|strategy| strategy.cache_dir());
        let binary = std::env::current_exe().ok();
        Self::standard(variable("EVIDEX_HOME").as_deref(), cache.as_deref(), binary.as_deref())
            .with_runtime_library(variable("EVIDEX_ONNXRUNTIME"))
    }

    /// Takes the runtime from this shared library instead of the pinned one.
    #[must_use]
    pub fn with_runtime_library(mut self, path: Option<PathBuf>) -> Self {
        self.runtime_library = path;
        self
    }

    /// The folders, in the order in which they are looked through.
    pub fn roots(&self) -> &[StoreRoot] {
        &self.roots
    }

    /// The folder to write to.
    pub fn writable_root(&self) -> Option<&Path> {
        self.roots.first().map(|root| root.path.as_path())
    }

    /// The library given in place of the pinned runtime, if one was.
    pub fn runtime_override(&self) -> Option<&Path> {
        self.runtime_library.as_deref()
    }

    /// The folder that holds all of the asset's files with their pinned lengths.
    ///
    /// # Errors
    /// [`OnnxError::Damaged`] when a file of another length is in the way and no later folder has a whole copy,
    /// [`OnnxError::Missing`] when no folder has it.
    pub fn find(&self, asset: &Asset) -> Result<PathBuf, OnnxError> {
        let mut damaged = None;
        for root in &self.roots {
            let folder = root.path.join(asset.folder);
            if asset.files.is_empty() || !folder.is_dir() {
                continue;
            }
            match asset.files.iter().find_map(|file| wrong_length(&folder, file)) {
                None => return Ok(folder),
                Some(Ok(error)) => damaged = damaged.or(Some(error)),
                Some(Err(())) => {}
            }
        }
        Err(damaged.unwrap_or_else(|| self.missing(asset.name)))
    }

    /// The folder of a model, by any kind of reference.
    ///
    /// # Errors
    /// As [`AssetStore::find`]; [`OnnxError::Missing`] also for a model of the hub that was not pulled and for a
    /// directory that is not there.
    pub fn find_model(&self, reference: &ModelReference) -> Result<PathBuf, OnnxError> {
        match reference {
            ModelReference::Named(name) => {
                self.find(super::asset_named(name).ok_or_else(|| OnnxError::UnknownModel { name: name.clone() })?)
            }
            ModelReference::Hub { .. } => {
                let folder = reference.folder().unwrap_or_default();
                let found = self
                    .roots
                    .iter()
                    .map(|root| root.path.join(&folder))
                    .find(|path| path.join(PullRecord::FILE).is_file());
                found.ok_or_else(|| self.missing(&reference.to_string()))
            }
            ModelReference::Directory(path) if path.is_dir() => Ok(path.clone()),
            ModelReference::Directory(path) => {
                Err(OnnxError::Missing { name: reference.to_string(), looked_in: vec![path.clone()] })
            }
        }
    }

    /// The folder of a model, held against its pinned or recorded digests; a folder of the user's own is taken as it is.
    ///
    /// # Errors
    /// As [`AssetStore::find_model`]; [`OnnxError::Damaged`] also for a file of the right length and another content.
    pub fn find_verified(&self, reference: &ModelReference) -> Result<PathBuf, OnnxError> {
        let folder = self.find_model(reference)?;
        match reference {
            ModelReference::Named(name) => super::asset_named(name).map_or(Ok(()), |asset| asset.verify(&folder))?,
            ModelReference::Hub { .. } => {
                PullRecord::read(&folder)?.map_or(Ok(()), |record| record.verify(&folder))?;
            }
            ModelReference::Directory(_) => {}
        }
        Ok(folder)
    }

    /// The runtime's shared library.
    ///
    /// # Errors
    /// As [`AssetStore::find`].
    pub fn runtime_path(&self) -> Result<PathBuf, OnnxError> {
        if let Some(path) = &self.runtime_library {
            return Ok(path.clone());
        }
        match ONNX_RUNTIME.main_file() {
            Some(file) => Ok(self.find(&ONNX_RUNTIME)?.join(file.path)),
            None => Err(self.missing(ONNX_RUNTIME.name)),
        }
    }

    fn missing(&self, name: &str) -> OnnxError {
        OnnxError::Missing {
            name: name.to_owned(),
            looked_in: self.roots.iter().map(|root| root.path.clone()).collect(),
        }
    }
}

/// `Some(Ok(error))` when a file is there with another length, `Some(Err(()))` when it is not there.
fn wrong_length(folder: &Path, file: &AssetFile) -> Option<Result<OnnxError, ()>> {
    let path = folder.join(file.path);
    match fs::metadata(&path) {
        Ok(metadata) if metadata.is_file() && metadata.len() == file.bytes => None,
        Ok(metadata) => Some(Ok(OnnxError::Damaged {
            path,
            expected: format!("{} bytes", file.bytes),
            found: if metadata.is_file() { format!("{} bytes", metadata.len()) } else { "no file".to_owned() },
        })),
        Err(_) => Some(Err(())),
    }
}

impl Asset {
    /// Holds every file of `folder` against the pinned SHA-256.
    ///
    /// # Errors
    /// [`OnnxError::Damaged`] for the first file that differs, [`OnnxError::Read`] for one that cannot be read.
    pub fn verify(&self, folder: &Path) -> Result<(), OnnxError> {
        for file in self.files {
            let path = folder.join(file.path);
            let found = sha256_file(&path).map_err(|source| OnnxError::Read { path: path.clone(), source })?;
            if found != file.sha256 {
                let expected = format!("sha256 {}", file.sha256);
                return Err(OnnxError::Damaged { path, expected, found: format!("sha256 {found}") });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::onnx::AssetKind;

    const TOY: Asset = Asset {
        name: "toy",
        folder: "toy-1",
        kind: AssetKind::Embedder,
        version: "1",
        license: "MIT",
        about: "a toy",
        files: &[AssetFile {
            path: "model.onnx",
            bytes: 3,
            sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        }],
    };

    fn store(paths: &[&Path]) -> AssetStore {
        AssetStore::new(paths.iter().map(|path| StoreRoot { path: path.to_path_buf(), origin: "test" }).collect())
    }

    fn put(root: &Path, content: &str) {
        fs::create_dir_all(root.join("toy-1")).expect("creates");
        fs::write(root.join("toy-1/model.onnx"), content).expect("writes");
    }

    #[test]
    fn a_whole_copy_further_down_wins_over_a_cut_one() {
        let (first, second) = (tempfile::tempdir().expect("folder"), tempfile::tempdir().expect("folder"));
        let both = store(&[first.path(), second.path()]);
        assert!(matches!(both.find(&TOY), Err(OnnxError::Missing { looked_in, .. }) if looked_in.len() == 2));
        put(first.path(), "ab");
        assert!(matches!(both.find(&TOY), Err(OnnxError::Damaged { .. })));
        put(second.path(), "abc");
        assert_eq!(both.find(&TOY).expect("found"), second.path().join("toy-1"));
    }

    #[test]
    fn a_changed_file_of_the_right_length_is_seen_by_verify() {
        let root = tempfile::tempdir().expect("folder");
        put(root.path(), "abc");
        assert!(TOY.verify(&root.path().join("toy-1")).is_ok());
        put(root.path(), "abd");
        assert!(matches!(TOY.verify(&root.path().join("toy-1")), Err(OnnxError::Damaged { .. })));
    }

    #[test]
    fn a_home_is_the_only_store_and_the_current_directory_is_none() {
        let home = AssetStore::standard(Some(Path::new("/home/x")), Some(Path::new("/cache")), None);
        assert_eq!(home.roots().len(), 1);
        assert_eq!(home.writable_root(), Some(Path::new("/home/x/models")));
        let usual = AssetStore::standard(None, Some(Path::new("/cache")), Some(Path::new("/opt/bin/evidex")));
        let paths: Vec<_> = usual.roots().iter().map(|root| root.path.clone()).collect();
        assert_eq!(paths[0], Path::new("/cache/evidex/models"));
        assert_eq!(paths[1], Path::new("/opt/bin/models"));
        assert!(paths.iter().all(|path| path.is_absolute()));
    }
}
