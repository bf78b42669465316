//! What an index needs of the place that it lives in: a flat folder of files, syncs, an atomic rename and a lock.
//!
//! Two kinds exist: [`FsStorage`](crate::FsStorage), a folder, and [`MemStorage`](crate::MemStorage), which keeps apart
//! what is written and what is durable. Names are plain file names without separators.

use std::any::Any;
use std::fmt::Debug;
use std::io::Write;

use crate::error::Result;
use crate::lock::LockHolder;
use crate::mmap::Bytes;

/// One entry of the folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DirectoryEntry {
    /// The name; one that is no UTF-8 is shown lossily, and so is never one of ours.
    pub name: String,
    /// The length in bytes; 0 if it is not a file.
    pub length: u64,
    /// Whether it is a regular file (or a link to one).
    pub is_file: bool,
}

/// A file being written. Dropping it neither syncs nor removes it.
pub trait StorageFile: Write + Send {
    /// Hands all bytes to the medium. After an error nothing more is known of the file, and the storage refuses
    /// to write any further.
    ///
    /// # Errors
    /// When the system cannot write or sync.
    fn sync(&mut self) -> Result<()>;
}

/// Held while writing; dropping it releases the lock. The kernel releases it when the process dies.
pub struct StorageLock(
    #[expect(dead_code, reason = "held for its drop, which releases the lock")] pub(crate) Box<dyn Any + Send + Sync>,
);

impl Debug for StorageLock {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("StorageLock")
    }
}

/// A flat folder of files.
///
/// All methods take `&self`, and readers may use a storage while a writer does.
pub trait Storage: Send + Sync + Debug {
    /// Where this is, for messages.
    fn location(&self) -> String;

    /// Starts a file that must not exist yet, so that no file that a reader has mapped is ever written to.
    ///
    /// # Errors
    /// When it exists, cannot be made, or the storage is poisoned.
    fn create(&self, name: &str) -> Result<Box<dyn StorageFile>>;

    /// Opens a file to write at its end, making it if need be (for logs of resumable work, never for segments).
    ///
    /// # Errors
    /// When it cannot be opened, or the storage is poisoned.
    fn append(&self, name: &str) -> Result<Box<dyn StorageFile>>;

    /// A copy of a whole file.
    ///
    /// # Errors
    /// [`Missing`](crate::FormatError::Missing) when there is none, or when it cannot be read.
    fn read(&self, name: &str) -> Result<Bytes>;

    /// A whole file, mapped where the storage can.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn map(&self, name: &str) -> Result<Bytes>;

    /// The length of a file, `None` when there is none.
    ///
    /// # Errors
    /// When the system will not tell.
    fn length(&self, name: &str) -> Result<Option<u64>>;

    /// Whether there is such a file.
    ///
    /// # Errors
    /// As [`length`](Self::length).
    fn exists(&self, name: &str) -> Result<bool> {
        Ok(self.length(name)?.is_some())
    }

    /// Gives a file another name, replacing what had it, atomically.
    ///
    /// # Errors
    /// When the system refuses, or the storage is poisoned.
    fn rename(&self, from: &str, to: &str) -> Result<()>;

    /// Removes a file. Readers that have mapped it keep its bytes.
    ///
    /// # Errors
    /// When there is none or the system refuses.
    fn remove(&self, name: &str) -> Result<()>;

    /// All entries, ours and foreign, sorted by name.
    ///
    /// # Errors
    /// When the folder cannot be read.
    fn list(&self) -> Result<Vec<DirectoryEntry>>;

    /// Makes creations, renames and removals durable.
    ///
    /// # Errors
    /// When the system cannot sync; the storage is poisoned then.
    fn sync_directory(&self) -> Result<()>;

    /// Takes the writer's lock and records `holder` in it, without waiting.
    ///
    /// # Errors
    /// [`Locked`](crate::FormatError::Locked) when another has it.
    fn try_lock_writer(&self, holder: &LockHolder) -> Result<StorageLock>;

    /// Whether a sync failed, after which this storage refuses to write.
    fn is_poisoned(&self) -> bool;

    /// Makes this storage refuse to write from now on; reopening it starts afresh.
    fn poison(&self);
}
