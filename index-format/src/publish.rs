//! The durability sequence, written once in `FORMAT.md` ("Publishing") and performed by this one function.
//!
//! After it returns, the new generation survives a loss of power; if it does not return, or fails, the index is in the
//! old generation or in the new one, and never between the two.

use crate::checksum::checksum;
use crate::error::{FormatError, Problem, Result};
use crate::header::{FileKind, Header};
use crate::manifest::Manifest;
use crate::names::{CURRENT, CURRENT_TEMPORARY};
use crate::recovery::Pointer;
use crate::section::SegmentId;
use crate::storage::Storage;
use crate::tombstones::Tombstones;

/// Makes `manifest` the current generation. The caller holds the writer's lock.
pub(crate) fn publish(storage: &dyn Storage, manifest: &Manifest) -> Result<Pointer> {
    let name = manifest.file_name();
    let encoded = manifest.encode()?;
    let (length, checksum) = (encoded.len() as u64, checksum(&encoded));
    let pointer = Pointer { generation: manifest.generation, length, checksum };
    let (body_length, body_checksum) = (length, checksum);
    let current = Header { body_length, body_checksum, ..Header::new(FileKind::Current, manifest.generation.0) };

    // Step 1: every segment and tombstone file was synced when it was finished; here they must be there, whole.
    check_files(storage, manifest)?;
    // Steps 2 to 4 touch nothing that the old generation needs.
    let prepared = replace_file(storage, &name, &encoded)
        // Step 3: after this the names of the new segments, tombstones and manifest are durable, so that a `CURRENT`
        // that survives never names a file that did not.
        .and_then(|()| storage.sync_directory())
        .and_then(|()| replace_file(storage, CURRENT_TEMPORARY, &current.encode()));
    if let Err(error) = prepared {
        // No manifest may stay that was never acknowledged, as recovery without `CURRENT` would take it. It is only
        // tidying: where it fails as well, garbage collection does it.
        let _ = storage.remove(CURRENT_TEMPORARY);
        let _ = storage.remove(&name);
        return Err(error);
    }
    // Steps 5 and 6: from here on a failure leaves it open which generation a reader will see.
    storage
        .rename(CURRENT_TEMPORARY, CURRENT)
        .and_then(|()| storage.sync_directory())
        .inspect_err(|_| storage.poison())?;
    Ok(pointer)
}

/// Writes and syncs a file, in the place of one left over from a publish that did not come about.
fn replace_file(storage: &dyn Storage, name: &str, bytes: &[u8]) -> Result<()> {
    if storage.exists(name)? {
        storage.remove(name)?;
    }
    let mut output = storage.create(name)?;
    output.write_all(bytes).map_err(|error| FormatError::io("write", name, error))?;
    output.sync()
}

/// Refuses a manifest that names a file that is not there in its full length.
fn check_files(storage: &dyn Storage, manifest: &Manifest) -> Result<()> {
    for entry in &manifest.segments {
        let summary = &entry.summary;
        check_length(storage, &summary.file_name(), summary.length)?;
        if let Some((file, length)) = entry.tombstones.as_ref().and_then(|it| tombstones_file(it, summary.id)) {
            check_length(storage, &file, length)?;
        }
    }
    Ok(())
}

fn tombstones_file(tombstones: &Tombstones, id: SegmentId) -> Option<(String, u64)> {
    let Tombstones::File { length, .. } = tombstones else { return None };
    Some((tombstones.file_name(id)?, length.saturating_add(crate::header::HEADER_LENGTH as u64)))
}

fn check_length(storage: &dyn Storage, file: &str, expected: u64) -> Result<()> {
    match storage.length(file)? {
        None => Err(FormatError::Missing { file: file.to_owned() }),
        Some(found) if found != expected => {
            Err(FormatError::corrupt(file, None, 0, Problem::WrongLength { expected, found }))
        }
        Some(_) => Ok(()),
    }
}
