//! Removes what no generation needs any more; only the holder of the writer's lock may.
//!
//! A file goes only if its name is one that this package gives. What a reader has mapped stays readable after its
//! removal; where a system refuses to remove a mapped file (Windows), the next collection does it.

use std::collections::BTreeSet;

use crate::error::{FormatError, Result};
use crate::manifest::{Generation, Manifest};
use crate::names::FileName;
use crate::recovery::read_manifest;
use crate::section::SegmentId;
use crate::storage::Storage;

/// What to keep besides the current generation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keep {
    /// Generations that readers in this process still open files of, or that are kept on purpose.
    pub generations: Vec<Generation>,
    /// Segments that are being written, or are finished and not published yet.
    pub segments: Vec<SegmentId>,
}

/// What was removed, and what could not be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Collected {
    /// The removed files.
    pub removed: Vec<String>,
    /// How many bytes they had.
    pub bytes: u64,
    /// Files that could not be removed, with the reason.
    pub warnings: Vec<String>,
}

pub(crate) fn collect(storage: &dyn Storage, current: &Manifest, keep: &Keep) -> Result<Collected> {
    let mut needed: BTreeSet<String> = current.files().into_iter().collect();
    for generation in &keep.generations {
        match read_manifest(storage, *generation) {
            Ok(manifest) => needed.extend(manifest.files()),
            Err(FormatError::Missing { .. }) => {}
            // What a damaged manifest needs is not known, so nothing is removed on its account.
            Err(error) => return Err(error),
        }
    }
    let mut collected = Collected::default();
    for entry in storage.list()? {
        let ours = match FileName::parse(&entry.name) {
            FileName::CurrentTemporary | FileName::Manifest(_) => true,
            FileName::Segment(id) | FileName::Tombstones(id, _) => !keep.segments.contains(&id),
            FileName::Current | FileName::Lock | FileName::Work | FileName::Foreign => false,
        };
        if !ours || !entry.is_file || needed.contains(&entry.name) {
            continue;
        }
        match storage.remove(&entry.name) {
            Ok(()) => {
                collected.bytes += entry.length;
                collected.removed.push(entry.name);
            }
            Err(error) => collected.warnings.push(error.to_string()),
        }
    }
    Ok(collected)
}
