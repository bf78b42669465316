//! A folder on a file system.
//!
//! Readers need only read rights: opening and mapping create nothing and take no lock. Writes go through a buffer and
//! are durable after [`StorageFile::sync`] and, for names, [`Storage::sync_directory`].

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{FormatError, Result};
use crate::lock::LockHolder;
use crate::mmap::{AlignedBuffer, Bytes};
use crate::names::{LOCK, check_file_name};
use crate::storage::{DirectoryEntry, Storage, StorageFile, StorageLock};

const WRITE_BUFFER: usize = 256 * 1024;

/// Longest lock record that is read.
const LOCK_RECORD: u64 = 256;

/// The files of one folder.
#[derive(Debug)]
pub struct FsStorage {
    folder: PathBuf,
    poisoned: Arc<AtomicBool>,
}

impl FsStorage {
    /// The folder at `folder`, which must exist; read rights are enough to read.
    ///
    /// # Errors
    /// [`FormatError::NotAnIndex`] when there is none or it is no folder.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self> {
        let folder = folder.as_ref();
        let not_an_index = |reason: &str| {
            Err(FormatError::NotAnIndex { location: folder.display().to_string(), reason: reason.to_owned() })
        };
        match fs::metadata(folder) {
            Ok(metadata) if metadata.is_dir() => {
                Ok(Self { folder: folder.to_owned(), poisoned: Arc::new(AtomicBool::new(false)) })
            }
            Ok(_) => not_an_index("it is a file, not a folder"),
            Err(error) if is_absent(&error) => not_an_index("there is no such folder"),
            Err(error) => Err(FormatError::io("open", folder.display().to_string(), error)),
        }
    }

    /// The folder at `folder`, made (with its parents) if need be.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn create(folder: impl AsRef<Path>) -> Result<Self> {
        let folder = folder.as_ref();
        if !folder.is_dir() {
            let failed = |error| FormatError::io("create the folder", folder.display().to_string(), error);
            let missing: Vec<&Path> = folder.ancestors().take_while(|ancestor| !ancestor.is_dir()).collect();
            fs::create_dir_all(folder).map_err(failed)?;
            // The new folders' names must outlive a crash as well. A parent that we may not read is no fault.
            for parent in missing.iter().filter_map(|made| made.parent()) {
                let _ = sync_folder(if parent.as_os_str().is_empty() { Path::new(".") } else { parent });
            }
        }
        Self::open(folder)
    }

    /// The folder's path.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    fn path_of(&self, name: &str) -> Result<PathBuf> {
        check_file_name(name)?;
        Ok(self.folder.join(name))
    }

    fn check_writable(&self) -> Result<()> {
        if self.is_poisoned() { Err(FormatError::Poisoned { location: self.location() }) } else { Ok(()) }
    }

    fn open_for_reading(&self, name: &str) -> Result<File> {
        let path = self.path_of(name)?;
        let failed = |error: io::Error| {
            if is_absent(&error) {
                FormatError::Missing { file: name.to_owned() }
            } else {
                FormatError::io("open", path.display().to_string(), error)
            }
        };
        // Asked first, as opening a pipe would wait for its other end.
        if !fs::metadata(&path).map_err(failed)?.is_file() {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "not a regular file");
            return Err(FormatError::io("open", path.display().to_string(), error));
        }
        File::open(&path).map_err(failed)
    }

    fn writing(&self, name: &str, options: &mut OpenOptions) -> Result<Box<dyn StorageFile>> {
        self.check_writable()?;
        let path = self.path_of(name)?;
        let file = options.open(&path).map_err(|error| FormatError::io("create", path.display().to_string(), error))?;
        let writer = BufWriter::with_capacity(WRITE_BUFFER, file);
        Ok(Box::new(FsFile { writer, path, poisoned: Arc::clone(&self.poisoned) }))
    }
}

impl Storage for FsStorage {
    fn location(&self) -> String {
        self.folder.display().to_string()
    }

    fn create(&self, name: &str) -> Result<Box<dyn StorageFile>> {
        self.writing(name, OpenOptions::new().write(true).create_new(true))
    }

    fn append(&self, name: &str) -> Result<Box<dyn StorageFile>> {
        self.writing(name, OpenOptions::new().append(true).create(true))
    }

    fn read(&self, name: &str) -> Result<Bytes> {
        let mut file = self.open_for_reading(name)?;
        let mut buffer = AlignedBuffer::default();
        let mut part = vec![0; 64 * 1024];
        loop {
            match file.read(&mut part) {
                Ok(0) => return Ok(Bytes::from_buffer(Arc::new(buffer))),
                Ok(count) => buffer.extend_from_slice(&part[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(FormatError::io("read", name, error)),
            }
        }
    }

    fn map(&self, name: &str) -> Result<Bytes> {
        let file = self.open_for_reading(name)?;
        Bytes::map(&file).map_err(|error| FormatError::io("map", name, error))
    }

    fn length(&self, name: &str) -> Result<Option<u64>> {
        let path = self.path_of(name)?;
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_file() => Ok(Some(metadata.len())),
            Ok(_) => Ok(None),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(FormatError::io("look at", path.display().to_string(), error)),
        }
    }

    fn rename(&self, from: &str, to: &str) -> Result<()> {
        self.check_writable()?;
        let (from, to) = (self.path_of(from)?, self.path_of(to)?);
        fs::rename(&from, &to).map_err(|error| FormatError::io("rename", from.display().to_string(), error))
    }

    fn remove(&self, name: &str) -> Result<()> {
        self.check_writable()?;
        let path = self.path_of(name)?;
        fs::remove_file(&path).map_err(|error| FormatError::io("remove", path.display().to_string(), error))
    }

    fn list(&self) -> Result<Vec<DirectoryEntry>> {
        let failed = |error| FormatError::io("list", self.location(), error);
        let mut entries = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            // A file may go away between listing and looking, and a link may lead nowhere.
            let file = fs::metadata(entry.path()).ok().filter(fs::Metadata::is_file);
            entries.push(DirectoryEntry {
                name: entry.file_name().to_string_lossy().into_owned(),
                length: file.as_ref().map_or(0, fs::Metadata::len),
                is_file: file.is_some(),
            });
        }
        entries.sort();
        Ok(entries)
    }

    fn sync_directory(&self) -> Result<()> {
        self.check_writable()?;
        sync_folder(&self.folder).map_err(|error| {
            self.poison();
            FormatError::io("sync", self.location(), error)
        })
    }

    fn try_lock_writer(&self, holder: &LockHolder) -> Result<StorageLock> {
        self.check_writable()?;
        let path = self.path_of(LOCK)?;
        let failed = |error| FormatError::io("lock", path.display().to_string(), error);
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut record = String::new();
                // Where the lock also forbids reading (Windows), the holder stays unnamed.
                let _ = (&mut file).take(LOCK_RECORD).read_to_string(&mut record);
                return Err(FormatError::Locked { location: self.location(), holder: LockHolder::decode(&record) });
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        file.set_len(0).and_then(|()| file.write_all(holder.encode().as_bytes())).map_err(failed)?;
        Ok(StorageLock(Box::new(HeldLock { file })))
    }

    fn is_poisoned(&self) -> bool {
        self.poisoned.load(Ordering::Acquire)
    }

    fn poison(&self) {
        self.poisoned.store(true, Ordering::Release);
    }
}

struct HeldLock {
    file: File,
}

impl Drop for HeldLock {
    fn drop(&mut self) {
        // The record goes with the lock. The file stays: removing it would let two writers lock two files.
        let _ = self.file.set_len(0);
        let _ = self.file.unlock();
    }
}

struct FsFile {
    writer: BufWriter<File>,
    path: PathBuf,
    poisoned: Arc<AtomicBool>,
}

impl Write for FsFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl StorageFile for FsFile {
    fn sync(&mut self) -> Result<()> {
        let failed = |operation, error| FormatError::io(operation, self.path.display().to_string(), error);
        self.writer.flush().map_err(|error| failed("write", error))?;
        self.writer.get_ref().sync_all().map_err(|error| {
            // The kernel may have dropped the pages that it could not write, so a second sync would succeed and lie.
            self.poisoned.store(true, Ordering::Release);
            failed("sync", error)
        })
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder)?.sync_all() {
        // Some file systems (FUSE, SMB) have no sync for folders; there is nothing more that could be done on them.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        result => result,
    }
}

/// Windows makes a rename durable with its file system's journal and has no sync for folders.
#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}
