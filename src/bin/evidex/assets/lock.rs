//! One pull of an asset at a time, over all processes. The kernel drops the lock when its holder dies.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use super::AssetError;

/// Held while an asset is pulled.
pub struct PullLock {
    _file: Option<File>,
}

impl PullLock {
    /// Takes the lock of the asset's folder in `root`, waiting for another process; `waiting` is called before a wait.
    ///
    /// # Errors
    /// When the lock file cannot be made. A file system without locks gives a lock that holds nobody off: files are
    /// renamed into place whole all the same.
    pub fn take(root: &Path, folder: &str, waiting: impl FnOnce()) -> Result<Self, AssetError> {
        fs::create_dir_all(root).map_err(AssetError::io("create", root))?;
        let path = root.join(format!(".{folder}.lock"));
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(AssetError::io("create", &path))?;
        let outcome = match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                waiting();
                file.lock()
            }
            Err(TryLockError::Error(error)) => Err(error),
            Ok(()) => Ok(()),
        };
        match outcome {
            Ok(()) => Ok(Self { _file: Some(file) }),
            Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(Self { _file: None }),
            Err(source) => Err(AssetError::Io { action: "lock", path, source }),
        }
    }
}
