//! A consistent copy of one generation into another place, while readers and a writer go on.
//!
//! The copy holds its segments open, so collection cannot take them away under it, and is published in the target by
//! the same sequence as any generation: until then the target holds no index.

use std::sync::Arc;

use crate::error::{FormatError, Result};
use crate::lock::LockHolder;
use crate::publish::publish;
use crate::storage::Storage;
use crate::store::{OpenSegments, Store, check_vacant};
use crate::tombstones::Tombstones;

/// How many bytes are handed on at once.
const PORTION: usize = 1 << 20;

impl Store {
    /// Copies the current generation to `target`, verifying every byte; gives what was copied.
    ///
    /// The copy is an index of its own with the same generation. `holder` is recorded in the target's lock meanwhile.
    ///
    /// # Errors
    /// [`FormatError::AlreadyAnIndex`] when the target holds one, [`FormatError::Corrupt`] when a source segment is damaged, and
    /// whatever the storages report; the target then holds no index, and may hold files that are left over.
    pub fn copy_to(&self, target: &Arc<dyn Storage>, holder: &LockHolder) -> Result<OpenSegments> {
        let _held = target.try_lock_writer(holder)?;
        check_vacant(&**target)?;
        let opened = self.open_segments()?;
        for ((entry, reader), dead) in opened.manifest.segments.iter().zip(&opened.readers).zip(&opened.tombstones) {
            reader.verify_all()?;
            let file = reader.file_name();
            let mut output = target.create(file)?;
            for part in reader.raw().chunks(PORTION) {
                output.write_all(part).map_err(|error| FormatError::io("write", file, error))?;
            }
            output.sync()?;
            if let (Some(Tombstones::File { generation, .. }), Some(bytes)) = (&entry.tombstones, dead) {
                Tombstones::write(&**target, entry.summary.id, *generation, bytes)?;
            }
        }
        publish(&**target, &opened.manifest)?;
        Ok(opened)
    }
}
