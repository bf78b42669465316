//! Who writes: the lock that one writer holds, and the record of who that is.
//!
//! The lock is the operating system's (`flock`, `LockFileEx`), so it ends with its process and a stale lock file does
//! not exist. The record in the file is a courtesy to the second writer; nothing is decided by it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use crate::section::SegmentId;
use crate::storage::{Storage, StorageLock};

/// The process that holds the writer's lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockHolder {
    /// Its process id.
    pub process: u32,
    /// When it took the lock, in seconds since 1970.
    pub since: u64,
}

impl LockHolder {
    /// This process; the time is passed in.
    pub fn this_process(since: u64) -> Self {
        Self { process: std::process::id(), since }
    }

    pub(crate) fn encode(&self) -> String {
        format!("process {}\nsince {}\n", self.process, self.since)
    }

    /// Reads a record; `None` if it is empty or not one of ours.
    pub(crate) fn decode(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let process = lines.next()?.strip_prefix("process ")?.parse().ok()?;
        let since = lines.next()?.strip_prefix("since ")?.parse().ok()?;
        Some(Self { process, since })
    }
}

impl fmt::Display for LockHolder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "process {} (since {} seconds after 1970)", self.process, self.since)
    }
}

/// The right to publish: there is at most one per index at any time, over all processes.
///
/// Dropping it releases the lock.
#[derive(Debug)]
pub struct WriterLock {
    pub(crate) storage: Arc<dyn Storage>,
    next_segment: AtomicU64,
    // Declared last, so that it is released after everything else.
    _held: StorageLock,
}

impl WriterLock {
    pub(crate) fn new(storage: Arc<dyn Storage>, held: StorageLock, next_segment: u64) -> Self {
        Self { storage, next_segment: AtomicU64::new(next_segment), _held: held }
    }

    /// An id that no segment has or had, and no file in the folder.
    pub(crate) fn allocate_segment(&self) -> SegmentId {
        SegmentId(self.next_segment.fetch_add(1, Ordering::Relaxed))
    }

    pub(crate) fn next_segment(&self) -> u64 {
        self.next_segment.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_lock_record_survives_the_round_trip(process in any::<u32>(), since in any::<u64>()) {
            let holder = LockHolder { process, since };
            prop_assert_eq!(LockHolder::decode(&holder.encode()), Some(holder));
        }

        #[test]
        fn any_text_in_the_lock_file_is_a_record_or_none(text in ".*") {
            let _ = LockHolder::decode(&text);
        }
    }
}
