//! The index itself: made, opened, and asked for snapshots, writers and checks.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use evidex_index_format::{FsStorage, Generation, Inspection, LockHolder, MemStorage, Storage, Store};
use serde::Serialize;

use super::IndexError;
use super::check::{CheckReport, check_storage};
use super::options::{IndexOptions, Recorded, WriterOptions};
use super::roots::SourceRoots;
use super::snapshot::Snapshot;
use super::writer::IndexWriter;
use crate::embed::Embedder;
use crate::lexical::ANALYZER_VERSION;

/// An index, in a folder or in memory. Clones are the same index.
///
/// ```
/// use evidex::corpus::Document;
/// use evidex::index::{Index, IndexOptions, WriterOptions};
/// use evidex::retrieve::{Query, SearchMode, search};
///
/// let index = Index::in_memory(IndexOptions::default())?;
/// let mut writer = index.writer(None, WriterOptions::default())?;
/// writer.add(Document::inline("tower", "The tower of Hallan is 31 m high. It was built in 1884."))?;
/// writer.commit()?;
///
/// let snapshot = index.snapshot()?;
/// let query = Query { text: "When was the tower built?".into(), mode: SearchMode::Bm25, k: 3 };
/// let found = search(&snapshot, &query, None)?;
/// assert_eq!(found[0].text, "The tower of Hallan is 31 m high. It was built in 1884.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Index(Arc<Inner>);

struct Inner {
    store: Store,
    options: IndexOptions,
    /// The folder, for an index in one.
    folder: Option<PathBuf>,
    /// The version of the analyzer that its words were read by; this build's, unless it is opened to be upgraded.
    analyzer_version: u32,
    /// The newest snapshot that was asked for, so that the next one shares what did not change.
    newest: Mutex<Option<Snapshot>>,
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Index").field("location", &self.location()).field("options", &self.0.options).finish()
    }
}

impl Index {
    /// Makes an empty index in a folder, which is made too if need be.
    ///
    /// # Errors
    /// [`IndexError::Format`] when an index is there already, or the folder cannot be written to;
    /// [`IndexError::Chunk`] when the chunking makes no sense.
    pub fn create(folder: impl AsRef<Path>, options: IndexOptions) -> Result<Self, IndexError> {
        options.chunking.validate()?;
        let storage = FsStorage::create(&folder)?;
        Self::create_with(Arc::new(storage), Some(folder.as_ref().to_owned()), options)
    }

    /// Opens the index in a folder, for reading until a [`writer`](Self::writer) is asked for.
    ///
    /// # Errors
    /// [`IndexError::Format`] when there is none, or it is damaged or another version's.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, IndexError> {
        let storage = FsStorage::open(&folder)?;
        Self::open_with(Arc::new(storage), Some(folder.as_ref().to_owned()))?.of_this_build()
    }

    /// Opens the index in a folder whose words were read by another version's analyzer, to
    /// [`upgrade`](IndexWriter::upgrade) it; one of this version opens as well.
    ///
    /// # Errors
    /// As [`open`](Self::open), but for the analyzer of an older version; a newer version's is refused.
    pub fn open_older(folder: impl AsRef<Path>) -> Result<Self, IndexError> {
        let storage = FsStorage::open(&folder)?;
        let index = Self::open_with(Arc::new(storage), Some(folder.as_ref().to_owned()))?;
        if index.0.analyzer_version > ANALYZER_VERSION { index.of_this_build() } else { Ok(index) }
    }

    fn of_this_build(self) -> Result<Self, IndexError> {
        let found = self.0.analyzer_version;
        if found == ANALYZER_VERSION {
            Ok(self)
        } else {
            Err(IndexError::OtherAnalyzer { expected: ANALYZER_VERSION, found })
        }
    }

    /// Makes an empty index in memory.
    ///
    /// # Errors
    /// [`IndexError::Chunk`] when the chunking makes no sense.
    pub fn in_memory(options: IndexOptions) -> Result<Self, IndexError> {
        options.chunking.validate()?;
        Self::create_in(Arc::new(MemStorage::new()), options)
    }

    pub(super) fn create_in(storage: Arc<dyn Storage>, options: IndexOptions) -> Result<Self, IndexError> {
        Self::create_with(storage, None, options)
    }

    fn create_with(
        storage: Arc<dyn Storage>,
        folder: Option<PathBuf>,
        options: IndexOptions,
    ) -> Result<Self, IndexError> {
        let store = Store::create(storage, now(), options.encode(&SourceRoots::default())?)?;
        let newest = Mutex::new(None);
        Ok(Self(Arc::new(Inner { store, options, folder, analyzer_version: ANALYZER_VERSION, newest })))
    }

    #[cfg(test)]
    pub(super) fn open_in(storage: Arc<dyn Storage>) -> Result<Self, IndexError> {
        Self::open_with(storage, None)?.of_this_build()
    }

    pub(super) fn open_with(storage: Arc<dyn Storage>, folder: Option<PathBuf>) -> Result<Self, IndexError> {
        let store = Store::open(storage)?;
        let manifest = store.current();
        let Recorded { options, analyzer_version, .. } =
            IndexOptions::decode(&manifest.file_name(), &manifest.settings)?;
        Ok(Self(Arc::new(Inner { store, options, folder, analyzer_version, newest: Mutex::new(None) })))
    }

    /// What the index was made with.
    pub fn options(&self) -> &IndexOptions {
        &self.0.options
    }

    /// Where it lies, for messages.
    pub fn location(&self) -> String {
        self.0.store.storage().location()
    }

    /// What was odd when the index was opened: files of others, leftovers of a killed writer.
    pub fn warnings(&self) -> &[String] {
        self.0.store.warnings()
    }

    /// The folder that it lies in; `None` for an index in memory.
    pub fn folder(&self) -> Option<&Path> {
        self.0.folder.as_deref()
    }

    /// The version of the analyzer that its words were read by.
    pub fn analyzer_version(&self) -> u32 {
        self.0.analyzer_version
    }

    pub(super) fn store(&self) -> &Store {
        &self.0.store
    }

    /// The only writer, until it is dropped; readers go on meanwhile.
    ///
    /// # Errors
    /// [`IndexError::Format`] with `Locked` and the holder's process number when another writer is at work;
    /// [`IndexError::OtherEmbedder`], [`IndexError::EmbedderNeeded`] or [`IndexError::NoVectors`] when `embedder` is
    /// not the index's.
    pub fn writer(
        &self,
        embedder: Option<Arc<dyn Embedder>>,
        options: WriterOptions,
    ) -> Result<IndexWriter, IndexError> {
        match (&self.0.options.embedder, &embedder) {
            (_, Some(embedder)) => self.0.options.check_embedder(embedder.identity())?,
            (Some(expected), None) => return Err(IndexError::EmbedderNeeded { expected: expected.name.clone() }),
            (None, None) => {}
        }
        IndexWriter::new(self.clone(), embedder, options)
    }

    /// A writer for what needs no embedder, whatever the index holds: it removes, compacts and upgrades; adding to an index
    /// with vectors is refused with [`IndexError::EmbedderNeeded`].
    ///
    /// # Errors
    /// [`IndexError::Format`] with `Locked` when another writer is at work.
    pub fn maintenance_writer(&self, options: WriterOptions) -> Result<IndexWriter, IndexError> {
        IndexWriter::new(self.clone(), None, options)
    }

    /// The newest published generation.
    ///
    /// # Errors
    /// When a segment is damaged.
    pub fn snapshot(&self) -> Result<Snapshot, IndexError> {
        self.0.store.refresh()?;
        let mut newest = self.0.newest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(snapshot) = newest.as_ref()
            && *snapshot.open_segments().manifest == *self.0.store.current()
        {
            return Ok(snapshot.clone());
        }
        let open = self.0.store.open_segments_after(newest.as_ref().map(Snapshot::open_segments))?;
        let snapshot = Snapshot::new(self.0.options.clone(), open, newest.as_ref())?;
        *newest = Some(snapshot.clone());
        Ok(snapshot)
    }

    /// Verifies every checksum of the newest generation; `deep` compares texts, chunks, postings, vectors and graph
    /// with each other too. What is wrong is in the report, not an error.
    ///
    /// # Errors
    /// When the folder cannot be read at all.
    pub fn check(&self, deep: bool) -> Result<CheckReport, IndexError> {
        check_storage(self.0.store.storage(), deep, || Ok(self.clone()))
    }

    /// Copies the newest generation into a new or empty folder, while readers and a writer go on; every byte is verified on
    /// the way. The copy is an index of its own.
    ///
    /// # Errors
    /// [`IndexError::FolderInUse`] when the folder holds anything; damage, and whatever the storages report: the folder
    /// then holds no index, and may hold files that are left over.
    pub fn back_up(&self, folder: impl AsRef<Path>) -> Result<Backup, IndexError> {
        let folder = folder.as_ref();
        let storage: Arc<dyn Storage> = Arc::new(FsStorage::create(folder)?);
        if !storage.list()?.is_empty() {
            return Err(IndexError::FolderInUse { location: folder.display().to_string() });
        }
        self.0.store.refresh()?;
        let copied = self.0.store.copy_to(&storage, &LockHolder::this_process(now()))?;
        let segments = &copied.manifest.segments;
        Ok(Backup {
            generation: copied.manifest.generation,
            segments: segments.len() as u64,
            documents: segments.iter().map(|entry| entry.document_count).sum(),
            bytes: segments.iter().map(|entry| entry.summary.length).sum(),
        })
    }
}

/// As [`Index::check`], for an index in a folder that may be too damaged to be opened.
///
/// # Errors
/// When there is no index, or it is another version's.
pub fn check_folder(folder: impl AsRef<Path>, deep: bool) -> Result<CheckReport, IndexError> {
    let storage: Arc<dyn Storage> = Arc::new(FsStorage::open(&folder)?);
    check_storage(&*storage, deep, || Index::open_with(Arc::clone(&storage), None)?.of_this_build())
}

/// What the files of an index are made of, also of one that is damaged in part.
///
/// # Errors
/// When there is no index, or the folder cannot be read.
pub fn inspect_folder(folder: impl AsRef<Path>) -> Result<Inspection, IndexError> {
    Ok(evidex_index_format::inspect(&FsStorage::open(folder)?)?)
}

/// What a backup copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Backup {
    /// The generation.
    pub generation: Generation,
    /// Segments.
    pub segments: u64,
    /// Documents in them, removed ones that are not yet merged away too.
    pub documents: u64,
    /// Bytes of the segments' files.
    pub bytes: u64,
}

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
