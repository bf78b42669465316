//! ONNX Runtime, loaded from a shared library whose path is given.
//!
//! In: a path. Out: a handle under which sessions are made. A process holds one runtime, for as long as it lives; a
//! library that is missing, foreign or too old is an error here and never a panic later.

use std::fs;
use std::panic;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use ort::environment::Environment;
use ort::session::Session;
use ort::session::builder::{GraphOptimizationLevel, PrepackedWeights};

use super::OnnxError;

/// The runtime of this process, once loaded.
static LOADED: Mutex<Option<Runtime>> = Mutex::new(None);

/// A loaded ONNX Runtime.
#[derive(Debug, Clone)]
pub struct Runtime {
    environment: Environment,
    path: PathBuf,
    version: String,
}

impl Runtime {
    /// Loads the shared library at `path`; a second call with the same path gives the same runtime.
    ///
    /// The library is code that runs with the caller's rights: give only a path that you trust.
    ///
    /// # Errors
    /// [`OnnxError::Read`] when there is no such file, [`OnnxError::Runtime`] when it is no ONNX Runtime or older than
    /// 1.24, [`OnnxError::RuntimeConflict`] when another one is loaded already.
    pub fn load(path: &Path) -> Result<Self, OnnxError> {
        let path = fs::canonicalize(path).map_err(|source| OnnxError::Read { path: path.to_owned(), source })?;
        let failed = |reason: String| OnnxError::Runtime { path: path.clone(), reason };
        if !path.is_file() {
            return Err(failed("it is not a file".to_owned()));
        }
        let mut loaded = LOADED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(runtime) = loaded.as_ref() {
            if runtime.path == path {
                return Ok(runtime.clone());
            }
            return Err(OnnxError::RuntimeConflict { loaded: runtime.path.clone(), asked: path });
        }
        check_is_whole_library(&path).map_err(failed)?;
        // The binding asserts on libraries that export the entry point and then give no interface.
        let outcome = panic::catch_unwind(|| {
            let builder = ort::init_from(&path).map_err(|error| error.to_string())?;
            let builder = builder.with_name("evidex").with_telemetry(false);
            let environment = builder.build().map_err(|error| error.to_string())?;
            Ok((environment, ort::info()))
        });
        let (environment, info) =
            outcome.map_err(|_| failed("it gave no usable interface".to_owned()))?.map_err(failed)?;
        let version = version_of(info, &path);
        let runtime = Self { environment, path: path.clone(), version };
        *loaded = Some(runtime.clone());
        Ok(runtime)
    }

    /// The shared library.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its version, "1.24.4", or what it says of its build where that names none.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// A new single-threaded session on the model file.
    pub(super) fn session(&self, model: &Path, weights: &PrepackedWeights) -> Result<Session, OnnxError> {
        let build = || -> ort::Result<Session> {
            Session::builder(&self.environment)?
                .with_optimization_level(GraphOptimizationLevel::All)?
                .with_intra_threads(1)?
                .with_inter_threads(1)?
                .with_memory_pattern(false)?
                .with_prepacked_weights(weights)?
                .commit_from_file(model)
        };
        build().map_err(|error| OnnxError::Model { path: model.to_owned(), reason: error.to_string() })
    }
}

/// Refuses what no loader should be handed: the system's loader maps a cut ELF file and then dies on a page past its end.
fn check_is_whole_library(path: &Path) -> Result<(), String> {
    use std::io::Read;

    let mut file = fs::File::open(path).map_err(|error| error.to_string())?;
    let length = file.metadata().map_err(|error| error.to_string())?.len();
    let mut header = [0_u8; 64];
    let mut filled = 0;
    while filled < header.len() {
        match file.read(&mut header[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) => return Err(error.to_string()),
        }
    }
    if !header.starts_with(b"\x7fELF") {
        // Other formats are the system loader's to judge.
        return Ok(());
    }
    let cut = || format!("the file ends early, at byte {length}");
    if filled < header.len() {
        return Err(cut());
    }
    // 64-bit little-endian ELF: the section header table is its last part.
    if header[4] == 2 && header[5] == 1 {
        let mut offset = [0_u8; 8];
        offset.copy_from_slice(&header[40..48]);
        let size = u64::from(u16::from_le_bytes([header[58], header[59]]));
        let count = u64::from(u16::from_le_bytes([header[60], header[61]]));
        let end = u64::from_le_bytes(offset).saturating_add(size * count);
        if end > length {
            return Err(cut());
        }
    }
    Ok(())
}

/// "1.24.4" out of "ORT Build Info: git-branch=rel-1.24.4, …", or out of the library's name, or the commit it is of.
fn version_of(info: &str, path: &Path) -> String {
    let field = |key: &str| info.split_once(key).and_then(|(_, rest)| rest.split(',').next()).map(str::trim);
    if let Some(version) = field("git-branch=rel-") {
        return version.to_owned();
    }
    // "libonnxruntime.so.1.24.4" in "onnxruntime-1.24.4-linux-x86_64".
    let names = [path.file_name(), path.parent().and_then(Path::file_name)];
    let version = names.into_iter().flatten().find_map(|name| {
        let name = name.to_string_lossy();
        let version = name.split(|c: char| !c.is_ascii_digit() && c != '.').map(|part| part.trim_matches('.'));
        version.filter(|part| part.split('.').count() == 3).map(str::to_owned).next()
    });
    version.unwrap_or_else(|| field("git-commit-id=").map_or_else(|| info.to_owned(), |id| format!("of commit {id}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(content: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("libonnxruntime.so");
        fs::write(&path, content).expect("writes");
        (folder, path)
    }

    #[test]
    fn a_missing_library_is_an_error() {
        assert!(matches!(Runtime::load(Path::new("/nowhere/libonnxruntime.so")), Err(OnnxError::Read { .. })));
    }

    #[test]
    fn the_version_is_read_out_of_the_build_information_or_the_name() {
        let info = "ORT Build Info: git-branch=HEAD, git-commit-id=2d92, build type=Release";
        assert_eq!(version_of(&info.replace("HEAD", "rel-1.25.0"), Path::new("/x/lib.so")), "1.25.0");
        assert_eq!(version_of(info, Path::new("/x/libonnxruntime.so.1.24.4")), "1.24.4");
        assert_eq!(version_of(info, Path::new("/x/libonnxruntime.1.24.4.dylib")), "1.24.4");
        assert_eq!(version_of(info, Path::new("/onnxruntime-1.24.4-windows-x86_64/onnxruntime.dll")), "1.24.4");
        assert_eq!(version_of(info, Path::new("/opt/libonnxruntime.so")), "of commit 2d92");
    }

    #[test]
    fn a_cut_library_is_refused_before_the_system_loads_it() {
        let mut elf = vec![0_u8; 4096];
        elf[..6].copy_from_slice(b"\x7fELF\x02\x01");
        elf[40..48].copy_from_slice(&9000_u64.to_le_bytes());
        elf[58] = 64;
        elf[60] = 30;
        let (_folder, path) = written(&elf);
        assert!(check_is_whole_library(&path).expect_err("cut").contains("ends early"));
        let (_folder, path) = written(b"\x7fELF");
        assert!(check_is_whole_library(&path).expect_err("cut").contains("ends early"));
    }

    #[test]
    fn a_file_that_is_no_library_is_an_error() {
        let (_folder, path) = written(b"not a library at all");
        // With a runtime loaded by another test, the answer is that one is loaded already.
        assert!(matches!(Runtime::load(&path), Err(OnnxError::Runtime { .. } | OnnxError::RuntimeConflict { .. })));
    }
}
