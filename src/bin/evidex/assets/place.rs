//! Writing a file into the store: aside, checked, synced, and only then renamed into place.
//!
//! Always true: a file under its own name is whole and is what was expected, whenever the process dies.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Component, Path, PathBuf};

use evidex::onnx::hex;
use sha2::{Digest, Sha256};

use super::AssetError;

/// What a file must be.
#[derive(Debug, Clone, Copy)]
pub struct Expected<'e> {
    /// Its length, where known.
    pub bytes: Option<u64>,
    /// Its hex SHA-256, where known.
    pub sha256: Option<&'e str>,
}

/// Why a file was not placed.
#[derive(Debug)]
pub enum PlaceError {
    /// What was read is not what was expected; another source may do better.
    Wrong(String),
    /// The store cannot be written to; no other source will help.
    Store(AssetError),
}

/// Reads all of `source` into `root`/`path`. Gives the hex SHA-256.
///
/// # Errors
/// See [`PlaceError`]; the place is then as it was.
pub fn place(source: &mut dyn Read, root: &Path, path: &str, expected: Expected<'_>) -> Result<String, PlaceError> {
    let target = join(root, path).map_err(PlaceError::Wrong)?;
    let parent = target.parent().unwrap_or(root);
    fs::create_dir_all(parent).map_err(AssetError::io("create", parent)).map_err(PlaceError::Store)?;
    let temporary = tempfile::Builder::new().prefix(".placing-").tempfile_in(parent);
    let mut temporary = temporary.map_err(AssetError::io("write in", parent)).map_err(PlaceError::Store)?;

    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 128 * 1024];
    let mut length = 0_u64;
    loop {
        let count = source.read(&mut buffer).map_err(|error| PlaceError::Wrong(format!("reading {path}: {error}")))?;
        if count == 0 {
            break;
        }
        length += count as u64;
        if expected.bytes.is_some_and(|bytes| length > bytes) {
            return Err(PlaceError::Wrong(format!(
                "{path} is longer than the {} bytes it should have",
                expected.bytes.unwrap_or(0)
            )));
        }
        hasher.update(&buffer[..count]);
        let written = temporary.write_all(&buffer[..count]);
        written.map_err(AssetError::io("write", temporary.path())).map_err(PlaceError::Store)?;
    }
    if let Some(bytes) = expected.bytes
        && bytes != length
    {
        return Err(PlaceError::Wrong(format!("{path} has {length} bytes instead of {bytes}")));
    }
    let digest = hex(&hasher.finalize());
    if let Some(sha256) = expected.sha256
        && sha256 != digest
    {
        return Err(PlaceError::Wrong(format!("{path} has sha256 {digest} instead of {sha256}")));
    }
    // Synced before the rename, so that the name never stands for a file that the disk does not hold yet.
    let synced = readable(temporary.as_file()).and_then(|()| temporary.as_file().sync_all());
    synced.map_err(AssetError::io("sync", temporary.path())).map_err(PlaceError::Store)?;
    temporary.persist(&target).map_err(|error| {
        PlaceError::Store(AssetError::Io { action: "write", path: target.clone(), source: error.error })
    })?;
    sync_folder(parent).map_err(PlaceError::Store)?;
    Ok(digest)
}

/// `root` and a path with `/` between its parts, which must lead further in.
pub fn join(root: &Path, path: &str) -> Result<PathBuf, String> {
    let relative = Path::new(path);
    let inward = !path.is_empty()
        && !path.contains(['\\', ':', '\0'])
        && relative.components().all(|part| matches!(part, Component::Normal(_)));
    if inward { Ok(root.join(relative)) } else { Err(format!("`{path}` is no path inside a folder")) }
}

/// Temporary files are for their owner alone; what is in the store may be read by all.
#[cfg(unix)]
fn readable(file: &File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;

    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable(_file: &File) -> std::io::Result<()> {
    Ok(())
}

/// Makes a rename in the folder last.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> Result<(), AssetError> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(AssetError::io("sync", folder))
}

#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> Result<(), AssetError> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    fn try_place(root: &Path, content: &str) -> Result<String, PlaceError> {
        let expected = Expected { bytes: Some(3), sha256: Some(ABC) };
        place(&mut content.as_bytes(), root, "in/side.txt", expected)
    }

    #[test]
    fn what_is_not_as_expected_leaves_no_trace() {
        let root = tempfile::tempdir().expect("folder");
        for wrong in ["abd", "ab", "abcd", ""] {
            assert!(matches!(try_place(root.path(), wrong), Err(PlaceError::Wrong(_))), "{wrong}");
            assert_eq!(fs::read_dir(root.path().join("in")).expect("made").count(), 0, "{wrong}");
        }
        assert_eq!(try_place(root.path(), "abc").expect("placed"), ABC);
        assert_eq!(fs::read_to_string(root.path().join("in/side.txt")).expect("there"), "abc");
        assert!(matches!(try_place(root.path(), "abd"), Err(PlaceError::Wrong(_))));
        assert_eq!(fs::read_to_string(root.path().join("in/side.txt")).expect("still there"), "abc");
    }

    #[test]
    fn no_path_leads_out_of_the_store() {
        let root = Path::new("/store");
        for path in ["", "..", "../x", "a/../../x", "/etc/passwd", "C:\\x", "a\\..\\x", "./../x", "a\0b"] {
            assert!(join(root, path).is_err(), "{path:?}");
        }
        assert_eq!(join(root, "1_Pooling/config.json").expect("inside"), Path::new("/store/1_Pooling/config.json"));
    }
}
