//! The index as a whole: open or create it, read its current generation, publish the next one.
//!
//! Readers register nothing anywhere: a reader holds the maps of its segments, and removing a mapped file leaves its bytes
//! to those who have it. A reader that comes too late to open a file looks at `CURRENT` again.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::error::{FormatError, Result};
use crate::garbage::{Collected, Keep, collect};
use crate::lock::{LockHolder, WriterLock};
use crate::manifest::{Generation, Manifest};
use crate::mmap::Bytes;
use crate::names::{CURRENT, FileName};
use crate::publish::publish;
use crate::recovery::{
    MAX_CHASES, Pointer, Recovered, generations, holds_remains, leftover_warnings, newest_sound, read_manifest,
    read_pointer, recover,
};
use crate::section::SegmentId;
use crate::segment_reader::SegmentReader;
use crate::storage::{DirectoryEntry, Storage};

/// An open index. `Send + Sync`; one process may hold several.
#[derive(Debug)]
pub struct Store {
    storage: Arc<dyn Storage>,
    current: RwLock<Current>,
    warnings: Vec<String>,
    salvaged: bool,
}

#[derive(Debug)]
struct Current {
    manifest: Arc<Manifest>,
    /// What `CURRENT` said when the manifest was read; `None` if that is not what decided.
    pointer: Option<Pointer>,
}

/// The segments of one generation, opened. They stay readable whatever later generations do.
#[derive(Debug, Clone)]
pub struct OpenSegments {
    /// The generation.
    pub manifest: Arc<Manifest>,
    /// Its segments, in the manifest's order.
    pub readers: Vec<SegmentReader>,
    /// Their tombstones, in the same order.
    pub tombstones: Vec<Option<Bytes>>,
}

impl Store {
    /// Makes a new, empty index (generation 0), holding the writer's lock meanwhile.
    ///
    /// `created` is in seconds since 1970; `settings` are the caller's and opaque here. Files of others in the same place
    /// are left alone.
    ///
    /// # Errors
    /// [`FormatError::AlreadyAnIndex`] when an index, or what is left of a damaged one, is there;
    /// [`FormatError::Locked`] when another process makes one.
    pub fn create(storage: Arc<dyn Storage>, created: u64, settings: Vec<u8>) -> Result<Self> {
        let _held = storage.try_lock_writer(&LockHolder::this_process(created))?;
        let entries = check_vacant(&*storage)?;
        let manifest = Manifest::first(created, settings);
        let pointer = Some(publish(&*storage, &manifest)?);
        let warnings = leftover_warnings(&entries);
        let current = RwLock::new(Current { manifest: Arc::new(manifest), pointer });
        Ok(Self { storage, current, warnings, salvaged: false })
    }

    /// Opens an index for reading; [`lock_writer`](Self::lock_writer) is needed only to write.
    ///
    /// # Errors
    /// [`FormatError::NotAnIndex`] when there is none, [`FormatError::UnsupportedVersion`] or
    /// [`FormatError::UnknownFeature`] when it is a newer build's, [`FormatError::Corrupt`] or [`FormatError::Missing`] when it is damaged.
    pub fn open(storage: Arc<dyn Storage>) -> Result<Self> {
        let recovered = recover(&*storage)?;
        Self::from_recovered(storage, recovered, false)
    }

    /// Opens the newest generation that is sound, whatever `CURRENT` says: the way out when the current manifest is damaged.
    /// What was published after it is lost; [`warnings`](Self::warnings) says what was passed over.
    ///
    /// # Errors
    /// When no generation is sound.
    pub fn open_salvaged(storage: Arc<dyn Storage>) -> Result<Self> {
        let recovered = newest_sound(&*storage, None)?;
        Self::from_recovered(storage, recovered, true)
    }

    fn from_recovered(storage: Arc<dyn Storage>, recovered: Recovered, salvaged: bool) -> Result<Self> {
        let mut warnings = recovered.warnings;
        warnings.extend(leftover_warnings(&storage.list()?));
        let current = Current { manifest: Arc::new(recovered.manifest), pointer: recovered.pointer };
        Ok(Self { storage, current: RwLock::new(current), warnings, salvaged })
    }

    /// Where the index lives.
    pub fn storage(&self) -> &dyn Storage {
        &*self.storage
    }

    /// What was odd when the index was opened: foreign files, leftovers, a recovery.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The newest generation that this store knows of; see [`refresh`](Self::refresh).
    pub fn current(&self) -> Arc<Manifest> {
        Arc::clone(&self.read().manifest)
    }

    /// Looks whether another process has published; gives whether the current generation changed.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn refresh(&self) -> Result<bool> {
        let known = self.read().pointer;
        match read_pointer(&*self.storage) {
            Ok(pointer) if known == Some(pointer) => return Ok(false),
            _ => {}
        }
        let recovered = recover(&*self.storage)?;
        let mut state = self.write();
        state.pointer = recovered.pointer;
        let changed = *state.manifest != recovered.manifest;
        if changed {
            state.manifest = Arc::new(recovered.manifest);
        }
        Ok(changed)
    }

    /// The generations whose manifests are still there, oldest first.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    pub fn generations(&self) -> Result<Vec<Generation>> {
        Ok(generations(&self.storage.list()?))
    }

    /// The manifest of a generation that is still there.
    ///
    /// # Errors
    /// When it is missing or damaged.
    pub fn manifest(&self, generation: Generation) -> Result<Manifest> {
        read_manifest(&*self.storage, generation)
    }

    /// Opens all segments of the current generation, following a writer that replaces them meanwhile.
    ///
    /// # Errors
    /// When a segment is damaged, missing or not readable by this build.
    pub fn open_segments(&self) -> Result<OpenSegments> {
        self.open_segments_after(None)
    }

    /// As [`open_segments`](Self::open_segments), taking over from `previous` what did not change, with what was verified of it.
    ///
    /// # Errors
    /// As [`open_segments`](Self::open_segments).
    pub fn open_segments_after(&self, previous: Option<&OpenSegments>) -> Result<OpenSegments> {
        for _ in 0..MAX_CHASES {
            let manifest = self.current();
            match self.open_manifest(&manifest, previous) {
                Err(error @ FormatError::Missing { .. }) => {
                    if !self.refresh()? {
                        return Err(error);
                    }
                }
                result => return result,
            }
        }
        let manifest = self.current();
        self.open_manifest(&manifest, previous)
    }

    /// Opens all segments of a given generation.
    ///
    /// # Errors
    /// As [`open_segments`](Self::open_segments); [`FormatError::Missing`] also when it was collected.
    pub fn open_manifest(&self, manifest: &Arc<Manifest>, previous: Option<&OpenSegments>) -> Result<OpenSegments> {
        let mut readers = Vec::with_capacity(manifest.segments.len());
        let mut tombstones = Vec::with_capacity(manifest.segments.len());
        for entry in &manifest.segments {
            let known = previous.and_then(|previous| {
                let entries = previous.manifest.segments.iter();
                entries.zip(&previous.readers).find(|(known, _)| known.summary == entry.summary)
            });
            readers.push(match known {
                Some((_, reader)) => reader.clone(),
                None => SegmentReader::open(&*self.storage, &entry.summary)?,
            });
            let dead = entry.tombstones.as_ref();
            tombstones.push(dead.map(|dead| dead.read(&*self.storage, entry.summary.id)).transpose()?);
        }
        Ok(OpenSegments { manifest: Arc::clone(manifest), readers, tombstones })
    }

    /// Takes the writer's lock and brings [`current`](Self::current) up to date.
    ///
    /// # Errors
    /// [`FormatError::Locked`] when another writer has it; as [`open`](Self::open) when the index is damaged.
    pub fn lock_writer(&self, holder: &LockHolder) -> Result<WriterLock> {
        let held = self.storage.try_lock_writer(holder)?;
        match self.refresh() {
            // What this store was salvaged from is no obstacle to writing its successor.
            Err(error) if self.salvaged && error.is_damage() => {}
            result => result.map(|_| ())?,
        }
        let in_folder = self
            .storage
            .list()?
            .iter()
            .filter_map(|entry| match FileName::parse(&entry.name) {
                FileName::Segment(id) | FileName::Tombstones(id, _) => Some(id.0.saturating_add(1)),
                _ => None,
            })
            .max();
        let next = self.current().next_segment.max(in_folder.unwrap_or(0));
        Ok(WriterLock::new(Arc::clone(&self.storage), held, next))
    }

    /// A number for a new segment, never used before.
    pub fn allocate_segment(&self, lock: &WriterLock) -> SegmentId {
        lock.allocate_segment()
    }

    /// Publishes the next generation: after this returns it survives a loss of power.
    ///
    /// # Errors
    /// [`FormatError::GenerationConflict`] when `manifest` does not follow the current generation,
    /// [`FormatError::Missing`] when it names a segment that is not there, [`FormatError::Poisoned`] after an earlier
    /// failed sync, and whatever the storage reports. After an error the index is in the old generation or, where
    /// the storage is poisoned by it, in either.
    pub fn publish(&self, lock: &WriterLock, mut manifest: Manifest) -> Result<Arc<Manifest>> {
        let location = || self.storage.location();
        if !Arc::ptr_eq(&lock.storage, &self.storage) {
            return Err(FormatError::ForeignLock { location: location() });
        }
        if self.storage.is_poisoned() {
            return Err(FormatError::Poisoned { location: location() });
        }
        let (current, offered) = (self.current().generation, manifest.generation);
        if offered != current.next() {
            return Err(FormatError::GenerationConflict { current, offered });
        }
        manifest.next_segment = manifest.next_segment.max(lock.next_segment());
        if let Err(reason) = manifest.check_ids() {
            return Err(FormatError::InvalidManifest { reason });
        }
        let pointer = publish(&*self.storage, &manifest)?;
        let manifest = Arc::new(manifest);
        *self.write() = Current { manifest: Arc::clone(&manifest), pointer: Some(pointer) };
        Ok(manifest)
    }

    /// Removes what no generation needs: manifests before and after the current one, and the files that
    /// neither it nor `keep` names. Foreign files stay.
    ///
    /// # Errors
    /// When the folder cannot be listed or the lock is another store's. A file that cannot be removed is a warning.
    pub fn collect_garbage(&self, lock: &WriterLock, keep: &Keep) -> Result<Collected> {
        if !Arc::ptr_eq(&lock.storage, &self.storage) {
            return Err(FormatError::ForeignLock { location: self.storage.location() });
        }
        collect(&*self.storage, &self.current(), keep)
    }

    fn read(&self) -> RwLockReadGuard<'_, Current> {
        self.current.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Current> {
        self.current.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Refuses a place that holds an index or what may be left of a damaged one; gives what else is there.
pub(crate) fn check_vacant(storage: &dyn Storage) -> Result<Vec<DirectoryEntry>> {
    let entries = storage.list()?;
    if storage.exists(CURRENT)? || holds_remains(&entries) {
        return Err(FormatError::AlreadyAnIndex { location: storage.location() });
    }
    Ok(entries)
}
