//! The read-only directory that tantivy reads a segment's postings through.
//!
//! In: the postings files of one segment, by extension. Nothing is written, locked, watched or copied.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{Directory, DirectoryLock, FileHandle, Lock, WatchCallback, WatchHandle, WritePtr};

/// The postings files of one segment: `meta.json`, and the others by their extension.
#[derive(Clone)]
pub(super) struct ReadOnlyDirectory {
    files: Arc<BTreeMap<String, Arc<dyn FileHandle>>>,
}

impl ReadOnlyDirectory {
    pub(super) fn new(files: BTreeMap<String, Arc<dyn FileHandle>>) -> Self {
        Self { files: Arc::new(files) }
    }

    fn find(&self, path: &Path) -> Option<&Arc<dyn FileHandle>> {
        self.files.get(&section_name(path)?)
    }
}

/// What a tantivy file is called in a segment: its extension, `meta` for `meta.json`; `None` for files that only a
/// tantivy directory of its own needs.
pub(super) fn section_name(path: &Path) -> Option<String> {
    if path == Path::new("meta.json") {
        return Some("meta".to_owned());
    }
    if path.file_name()?.to_str()?.starts_with('.') {
        return None;
    }
    Some(path.extension()?.to_str()?.to_owned())
}

impl fmt::Debug for ReadOnlyDirectory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadOnlyDirectory").field("files", &self.files.keys()).finish()
    }
}

fn read_only() -> io::Error {
    io::Error::new(io::ErrorKind::ReadOnlyFilesystem, "postings of a published segment are read only")
}

impl Directory for ReadOnlyDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.find(path).cloned().ok_or_else(|| OpenReadError::FileDoesNotExist(path.to_owned()))
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        Err(DeleteError::IoError { io_error: Arc::new(read_only()), filepath: path.to_owned() })
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        Ok(self.find(path).is_some())
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        Err(OpenWriteError::wrap_io_error(read_only(), path.to_owned()))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let handle = self.get_file_handle(path)?;
        let bytes = handle
            .read_bytes(0..handle.len())
            .map_err(|error| OpenReadError::wrap_io_error(error, PathBuf::from(path)))?;
        Ok(bytes.as_slice().to_vec())
    }

    fn atomic_write(&self, _path: &Path, _data: &[u8]) -> io::Result<()> {
        Err(read_only())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    /// Nothing changes here, so there is nothing to lock.
    fn acquire_lock(&self, _lock: &Lock) -> Result<DirectoryLock, LockError> {
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn watch(&self, _watch_callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}
