//! A storage in memory: for indexes that live as long as their process, and for crash tests.
//!
//! It keeps two images of every file and of the folder: what programs see (live) and what a sync has made durable.
//! [`MemStorage::crash`] makes a new storage from what a loss of power would leave; [`MemStorage::fail_at`] makes the
//! n-th operation fail. Files are copied on write only, so an index in memory is not held twice.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::{FormatError, Result};
use crate::lock::LockHolder;
use crate::mmap::{AlignedBuffer, Bytes};
use crate::names::check_file_name;
use crate::storage::{DirectoryEntry, Storage, StorageFile, StorageLock};

/// How much a torn write leaves intact: the unit that a disk writes as a whole.
const SECTOR: usize = 512;

/// What a crash leaves of the operations since the last sync.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrashImage {
    /// All of them: the process died and the system lived.
    EverythingWritten,
    /// None of them: the power went, and nothing had been written early.
    OnlySynced,
    /// Any part of them, in any order: every unsynced change of a name survives or not, every unsynced sector is old, new or
    /// zero, every unsynced length is old or new. The seed chooses.
    Torn(u64),
}

/// A folder in memory. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct MemStorage {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    poisoned: AtomicBool,
    locked: AtomicBool,
}

#[derive(Default)]
struct State {
    live: BTreeMap<String, Arc<FileImages>>,
    durable: BTreeMap<String, Arc<FileImages>>,
    holder: Option<LockHolder>,
    operations: u64,
    fault: Option<Fault>,
}

/// The two contents of one file; like an inode, it outlives its name.
#[derive(Default)]
struct FileImages {
    contents: Mutex<Contents>,
}

#[derive(Default)]
struct Contents {
    live: Arc<AlignedBuffer>,
    durable: Arc<AlignedBuffer>,
}

#[derive(Debug, Clone, Copy)]
struct Fault {
    at: u64,
    kind: io::ErrorKind,
    forever: bool,
}

impl std::fmt::Debug for State {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "State({} files, {} operations)", self.live.len(), self.operations)
    }
}

impl MemStorage {
    /// An empty folder.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many operations that change something were begun.
    pub fn operations(&self) -> u64 {
        self.state().operations
    }

    /// Makes the operation with the number `at` (the first is 0) fail with `kind`; if `forever`, all after it as well, as when
    /// the process stops there. A write that fails has written half of its bytes.
    pub fn fail_at(&self, at: u64, kind: io::ErrorKind, forever: bool) {
        self.state().fault = Some(Fault { at, kind, forever });
    }

    /// The storage as it would be found after a crash at this moment. This one stays as it is.
    pub fn crash(&self, image: CrashImage) -> Self {
        let state = self.state();
        let mut random = Random(match image {
            CrashImage::Torn(seed) => seed,
            _ => 0,
        });
        let mut names = match image {
            CrashImage::EverythingWritten => state.live.clone(),
            CrashImage::OnlySynced | CrashImage::Torn(_) => state.durable.clone(),
        };
        if let CrashImage::Torn(_) = image {
            let changed: Vec<&String> = state
                .live
                .keys()
                .chain(state.durable.keys())
                .filter(|name| !same_file(state.live.get(*name), state.durable.get(*name)))
                .collect();
            for name in changed {
                if random.coin() {
                    match state.live.get(name) {
                        Some(file) => names.insert(name.clone(), Arc::clone(file)),
                        None => names.remove(name),
                    };
                }
            }
        }
        let files = names.into_iter().map(|(name, file)| (name, Arc::new(file.after(image, &mut random))));
        let live: BTreeMap<String, Arc<FileImages>> = files.collect();
        let state = State { durable: live.clone(), live, ..State::default() };
        Self { shared: Arc::new(Shared { state: Mutex::new(state), ..Shared::default() }) }
    }

    /// Changes bytes of a file behind the index's back, for tests of damage; gives whether the file exists.
    pub fn damage(&self, name: &str, change: impl FnOnce(&mut Vec<u8>)) -> bool {
        let mut state = self.state();
        let Some(file) = state.live.get(name) else { return false };
        let mut bytes = file.contents().live.as_slice().to_vec();
        change(&mut bytes);
        // A new file under the old name: maps of the old one must not change.
        let replaced = Arc::new(FileImages::with(buffer(&bytes)));
        state.live.insert(name.to_owned(), Arc::clone(&replaced));
        state.durable.insert(name.to_owned(), replaced);
        true
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts an operation that changes something, and fails it where that was asked for.
    fn begin(&self, operation: &'static str, name: &str) -> Result<MutexGuard<'_, State>> {
        if self.is_poisoned() {
            return Err(FormatError::Poisoned { location: self.location() });
        }
        check_file_name(name)?;
        let mut state = self.state();
        match state.count() {
            Ok(()) => Ok(state),
            Err(error) => Err(FormatError::io(operation, name, error)),
        }
    }

    fn file(&self, name: &str) -> Result<Arc<FileImages>> {
        check_file_name(name)?;
        let file = self.state().live.get(name).map(Arc::clone);
        file.ok_or_else(|| FormatError::Missing { file: name.to_owned() })
    }

    fn writing(&self, name: &str, file: Arc<FileImages>) -> Box<dyn StorageFile> {
        Box::new(MemFile { storage: self.clone(), name: name.to_owned(), file })
    }
}

impl State {
    fn count(&mut self) -> io::Result<()> {
        let number = self.operations;
        self.operations += 1;
        match self.fault {
            Some(fault) if number == fault.at || (fault.forever && number > fault.at) => {
                Err(io::Error::new(fault.kind, "injected failure"))
            }
            _ => Ok(()),
        }
    }
}

impl FileImages {
    fn with(bytes: AlignedBuffer) -> Self {
        let live = Arc::new(bytes);
        Self { contents: Mutex::new(Contents { durable: Arc::clone(&live), live }) }
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file as a crash leaves it.
    fn after(&self, image: CrashImage, random: &mut Random) -> Self {
        let contents = self.contents();
        let (old, new) = (contents.durable.as_slice(), contents.live.as_slice());
        match image {
            CrashImage::EverythingWritten => Self::with(buffer(new)),
            CrashImage::OnlySynced => Self::with(buffer(old)),
            CrashImage::Torn(_) if old == new => Self::with(buffer(new)),
            CrashImage::Torn(_) => {
                let length = if random.coin() { old.len() } else { new.len() };
                let mut torn = vec![0; length];
                for start in (0..length).step_by(SECTOR) {
                    let end = (start + SECTOR).min(length);
                    let (old, new) = (sector(old, start, end), sector(new, start, end));
                    // A sector that was not written since the last sync is what it was.
                    let source = match random.next() % 3 {
                        _ if old == new => old,
                        0 => old,
                        1 => new,
                        _ => &[],
                    };
                    torn[start..start + source.len()].copy_from_slice(source);
                }
                Self::with(buffer(&torn))
            }
        }
    }
}

impl Storage for MemStorage {
    fn location(&self) -> String {
        "memory".to_owned()
    }

    fn create(&self, name: &str) -> Result<Box<dyn StorageFile>> {
        let mut state = self.begin("create", name)?;
        if state.live.contains_key(name) {
            return Err(FormatError::io("create", name, io::ErrorKind::AlreadyExists.into()));
        }
        let file = Arc::new(FileImages::default());
        state.live.insert(name.to_owned(), Arc::clone(&file));
        drop(state);
        Ok(self.writing(name, file))
    }

    fn append(&self, name: &str) -> Result<Box<dyn StorageFile>> {
        let mut state = self.begin("create", name)?;
        let file = Arc::clone(state.live.entry(name.to_owned()).or_default());
        drop(state);
        Ok(self.writing(name, file))
    }

    fn read(&self, name: &str) -> Result<Bytes> {
        self.map(name)
    }

    fn map(&self, name: &str) -> Result<Bytes> {
        Ok(Bytes::from_buffer(Arc::clone(&self.file(name)?.contents().live)))
    }

    fn length(&self, name: &str) -> Result<Option<u64>> {
        match self.file(name) {
            Ok(file) => Ok(Some(file.contents().live.as_slice().len() as u64)),
            Err(FormatError::Missing { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn rename(&self, from: &str, to: &str) -> Result<()> {
        check_file_name(to)?;
        let mut state = self.begin("rename", from)?;
        match state.live.remove(from) {
            Some(file) => {
                state.live.insert(to.to_owned(), file);
                Ok(())
            }
            None => Err(FormatError::io("rename", from, io::ErrorKind::NotFound.into())),
        }
    }

    fn remove(&self, name: &str) -> Result<()> {
        let mut state = self.begin("remove", name)?;
        match state.live.remove(name) {
            Some(_) => Ok(()),
            None => Err(FormatError::io("remove", name, io::ErrorKind::NotFound.into())),
        }
    }

    fn list(&self) -> Result<Vec<DirectoryEntry>> {
        let state = self.state();
        let entries = state.live.iter().map(|(name, file)| {
            let length = file.contents().live.as_slice().len() as u64;
            DirectoryEntry { name: name.clone(), length, is_file: true }
        });
        Ok(entries.collect())
    }

    fn sync_directory(&self) -> Result<()> {
        let mut state = self.begin("sync", "folder").inspect_err(|_| self.poison())?;
        state.durable = state.live.clone();
        Ok(())
    }

    fn try_lock_writer(&self, holder: &LockHolder) -> Result<StorageLock> {
        if self.is_poisoned() {
            return Err(FormatError::Poisoned { location: self.location() });
        }
        if self.shared.locked.swap(true, Ordering::AcqRel) {
            return Err(FormatError::Locked { location: self.location(), holder: self.state().holder.clone() });
        }
        self.state().holder = Some(holder.clone());
        Ok(StorageLock(Box::new(MemLock { shared: Arc::clone(&self.shared) })))
    }

    fn is_poisoned(&self) -> bool {
        self.shared.poisoned.load(Ordering::Acquire)
    }

    fn poison(&self) {
        self.shared.poisoned.store(true, Ordering::Release);
    }
}

struct MemLock {
    shared: Arc<Shared>,
}

impl Drop for MemLock {
    fn drop(&mut self) {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner).holder = None;
        self.shared.locked.store(false, Ordering::Release);
    }
}

struct MemFile {
    storage: MemStorage,
    name: String,
    file: Arc<FileImages>,
}

impl Write for MemFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let counted = self.storage.state().count();
        let written = if counted.is_ok() { bytes } else { &bytes[..bytes.len() / 2] };
        Arc::make_mut(&mut self.file.contents().live).extend_from_slice(written);
        counted.map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl StorageFile for MemFile {
    fn sync(&mut self) -> Result<()> {
        let begun = self.storage.begin("sync", &self.name).map(|_| ());
        begun.inspect_err(|_| self.storage.poison())?;
        let mut contents = self.file.contents();
        contents.durable = Arc::clone(&contents.live);
        Ok(())
    }
}

fn buffer(bytes: &[u8]) -> AlignedBuffer {
    let mut buffer = AlignedBuffer::default();
    buffer.extend_from_slice(bytes);
    buffer
}

fn sector(bytes: &[u8], start: usize, end: usize) -> &[u8] {
    &bytes[start.min(bytes.len())..end.min(bytes.len())]
}

fn same_file(a: Option<&Arc<FileImages>>, b: Option<&Arc<FileImages>>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        _ => false,
    }
}

/// A small generator of repeatable numbers (SplitMix64, Steele et al. 2014).
struct Random(u64);

impl Random {
    fn coin(&mut self) -> bool {
        self.next() & 1 == 0
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
