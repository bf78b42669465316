//! Embeddings that outlive a writer that does not: a log beside the segments, read by the next writer.
//!
//! Every batch is appended as soon as it is embedded and taken over by whoever embeds the same text with the same model
//! again, so that a crash, a full disk or Ctrl-C costs at most the batches at work. The log is a help and never an authority: a
//! record counts only if its checksum does, reading ends at the first that does not, and publishing removes the log.
//!
//! The file `work-embeddings-<first 16 digits of the embedder's digest>.log` holds records of one length: the first 16
//! bytes of the SHA-256 of the text, the vector in little-endian 32-bit floats, and the CRC-32 of both.

use std::collections::HashMap;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

use evidex_index_format::{Bytes, FormatError, Storage, StorageFile, WORK_PREFIX, checksum};
use sha2::{Digest, Sha256};

use super::IndexError;
use crate::embed::EmbedderIdentity;

/// What a text is known by.
type Key = [u8; KEY];

const KEY: usize = 16;
const CHECKSUM: usize = 4;

/// Bytes after which what was appended is synced: what a loss of power may cost.
const SYNC_AFTER: usize = 16 << 20;

/// The log of one embedder.
pub(super) struct EmbeddingLog {
    name: String,
    dimension: usize,
    /// What an earlier writer left, and where in it each text's vector stands.
    earlier: Option<Bytes>,
    places: HashMap<Key, usize>,
    output: Mutex<Output>,
}

struct Output {
    file: Option<Box<dyn StorageFile>>,
    unsynced: usize,
}

impl EmbeddingLog {
    /// Opens the log of `embedder`, which may be empty. Must be called by the holder of the writer's lock.
    pub(super) fn open(storage: &dyn Storage, embedder: &EmbedderIdentity) -> Result<Self, IndexError> {
        let digest: String = embedder.digest.chars().filter(char::is_ascii_alphanumeric).take(16).collect();
        let name = format!("{WORK_PREFIX}embeddings-{digest}.log");
        let dimension = embedder.dimension as usize;
        let mut log = Self {
            name,
            dimension,
            earlier: None,
            places: HashMap::new(),
            output: Mutex::new(Output { file: None, unsynced: 0 }),
        };
        match storage.map(&log.name) {
            Ok(bytes) => {
                let sound = log.take_up(&bytes);
                log.earlier = Some(if sound < bytes.len() {
                    // What follows a torn record would never be read: the sound part becomes the log.
                    let fresh = format!("{}.new", log.name);
                    if storage.exists(&fresh)? {
                        storage.remove(&fresh)?;
                    }
                    let mut file = storage.create(&fresh)?;
                    file.write_all(&bytes[..sound]).map_err(|source| log.failed(source))?;
                    file.sync()?;
                    drop((file, bytes));
                    storage.rename(&fresh, &log.name)?;
                    storage.map(&log.name)?
                } else {
                    bytes
                });
            }
            Err(FormatError::Missing { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(log)
    }

    fn record_length(&self) -> usize {
        KEY + 4 * self.dimension + CHECKSUM
    }

    /// Takes up what an earlier writer left; gives how many bytes of it are sound.
    fn take_up(&mut self, bytes: &[u8]) -> usize {
        let length = self.record_length();
        let mut sound = 0;
        for record in bytes.chunks_exact(length) {
            let (content, expected) = record.split_at(length - CHECKSUM);
            let Some(key) = content.first_chunk::<KEY>() else { break };
            if checksum(content).to_le_bytes() != expected {
                break;
            }
            self.places.insert(*key, sound + KEY);
            sound += length;
        }
        sound
    }

    /// How many texts' vectors an earlier writer left.
    pub(super) fn taken_up(&self) -> usize {
        self.places.len()
    }

    /// Puts the vector of `text` into `output`, if an earlier writer left it.
    pub(super) fn find(&self, text: &str, output: &mut [f32]) -> bool {
        let Some(&place) = self.places.get(&key_of(text)) else { return false };
        let Some(bytes) = self.earlier.as_ref().and_then(|all| all.get(place..place + 4 * self.dimension)) else {
            return false;
        };
        for (value, bytes) in output.iter_mut().zip(bytes.as_chunks::<4>().0) {
            *value = f32::from_le_bytes(*bytes);
        }
        true
    }

    /// Appends vectors that were just made.
    pub(super) fn append<'v>(
        &self,
        storage: &dyn Storage,
        vectors: impl Iterator<Item = (&'v str, &'v [f32])>,
    ) -> Result<(), IndexError> {
        let mut records = Vec::new();
        for (text, vector) in vectors {
            let start = records.len();
            records.extend(key_of(text));
            records.extend(vector.iter().flat_map(|value| value.to_le_bytes()));
            records.extend(checksum(&records[start..]).to_le_bytes());
        }
        if records.is_empty() {
            return Ok(());
        }
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        let Output { file, unsynced } = &mut *output;
        let file = match file {
            Some(file) => file,
            None => file.insert(storage.append(&self.name)?),
        };
        // Flushed, so that it outlives the process; synced now and then, so that most of it outlives the system.
        file.write_all(&records).and_then(|()| file.flush()).map_err(|source| self.failed(source))?;
        *unsynced += records.len();
        if *unsynced >= SYNC_AFTER {
            *unsynced = 0;
            file.sync()?;
        }
        Ok(())
    }

    /// Removes the log: what it holds is published.
    pub(super) fn remove(&mut self, storage: &dyn Storage) -> Result<(), IndexError> {
        let output = self.output.get_mut().unwrap_or_else(PoisonError::into_inner);
        output.file = None;
        output.unsynced = 0;
        self.places.clear();
        self.earlier = None;
        match storage.remove(&self.name) {
            Ok(()) | Err(FormatError::Missing { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn failed(&self, source: std::io::Error) -> IndexError {
        FormatError::Io { operation: "write", file: self.name.clone(), source }.into()
    }
}

fn key_of(text: &str) -> Key {
    let digest: [u8; 32] = Sha256::digest(text.as_bytes()).into();
    let mut key = [0; KEY];
    key.copy_from_slice(&digest[..KEY]);
    key
}

#[cfg(test)]
mod tests {
    use evidex_index_format::MemStorage;

    use super::*;

    fn identity() -> EmbedderIdentity {
        EmbedderIdentity { name: "m".into(), digest: "0123456789abcdef0123".into(), dimension: 3 }
    }

    const NAME: &str = "work-embeddings-0123456789abcdef.log";

    #[test]
    fn what_was_appended_is_found_by_the_next_writer_until_it_is_removed() {
        let storage = MemStorage::new();
        let log = EmbeddingLog::open(&storage, &identity()).unwrap();
        log.append(&storage, [("one", &[1.0, 2.0, 3.0][..]), ("two", &[4.0, 5.0, 6.0])].into_iter()).unwrap();
        drop(log);
        let mut log = EmbeddingLog::open(&storage, &identity()).unwrap();
        let mut vector = [0.0; 3];
        assert!(log.find("two", &mut vector) && vector == [4.0, 5.0, 6.0]);
        assert!(!log.find("three", &mut vector));
        log.remove(&storage).unwrap();
        assert_eq!(EmbeddingLog::open(&storage, &identity()).unwrap().taken_up(), 0);
    }

    #[test]
    fn a_torn_or_flipped_record_ends_the_log_and_what_is_before_it_counts() {
        for damage in 0..3 {
            let storage = MemStorage::new();
            let log = EmbeddingLog::open(&storage, &identity()).unwrap();
            for text in ["a", "b", "c"] {
                log.append(&storage, [(text, &[1.0, 2.0, 3.0][..])].into_iter()).unwrap();
            }
            drop(log);
            let length = KEY + 12 + CHECKSUM;
            storage.damage(NAME, |bytes| match damage {
                0 => bytes.truncate(3 * length - 1),
                1 => bytes[2 * length + 3] ^= 1,
                _ => bytes[3 * length - 1] ^= 1,
            });
            let log = EmbeddingLog::open(&storage, &identity()).unwrap();
            assert_eq!(log.taken_up(), 2);
            // What is appended now is found behind the sound part.
            log.append(&storage, [("d", &[7.0, 8.0, 9.0][..])].into_iter()).unwrap();
            drop(log);
            let log = EmbeddingLog::open(&storage, &identity()).unwrap();
            let mut vector = [0.0; 3];
            assert_eq!(log.taken_up(), 3);
            assert!(log.find("d", &mut vector) && vector == [7.0, 8.0, 9.0]);
        }
    }
}
