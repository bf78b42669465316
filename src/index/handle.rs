//! The index itself: made, opened, and asked for snapshots, writers and checks.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use evidex_index_format::{FsStorage, MemStorage, Storage, Store};

use super::IndexError;
use super::check::{CheckReport, check};
use super::options::{IndexOptions, WriterOptions};
use super::snapshot::Snapshot;
use super::writer::IndexWriter;
use crate::embed::Embedder;

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
        Self::create_in(Arc::new(FsStorage::create(folder)?), options)
    }

    /// Opens the index in a folder, for reading until a [`writer`](Self::writer) is asked for.
    ///
    /// # Errors
    /// [`IndexError::Format`] when there is none, or it is damaged or another version's.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, IndexError> {
        Self::open_in(Arc::new(FsStorage::open(folder)?))
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
        let store = Store::create(storage, now(), options.encode()?)?;
        Ok(Self(Arc::new(Inner { store, options, newest: Mutex::new(None) })))
    }

    pub(super) fn open_in(storage: Arc<dyn Storage>) -> Result<Self, IndexError> {
        let store = Store::open(storage)?;
        let manifest = store.current();
        let options = IndexOptions::decode(&manifest.file_name(), &manifest.settings)?;
        Ok(Self(Arc::new(Inner { store, options, newest: Mutex::new(None) })))
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
        check(self, deep)
    }
}

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
