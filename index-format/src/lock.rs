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
        write!(formatter, "process {} since {}", self.process, UtcTime(self.since))
    }
}

/// Seconds since 1970, shown as date and time.
struct UtcTime(u64);

impl fmt::Display for UtcTime {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, seconds) = (self.0 / 86_400, self.0 % 86_400);
        // Civil date from a count of days (H. Hinnant, "chrono-compatible low-level date algorithms"): eras of 400 years,
        // years that start in March, so that the leap day comes last.
        let shifted = days + 719_468;
        let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
        let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = year_of_era + era * 400 + u64::from(month <= 2);
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        write!(formatter, "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
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

    #[test]
    fn a_holder_is_shown_with_a_date_that_people_can_read() {
        let shown = |since| LockHolder { process: 7, since }.to_string();
        assert_eq!(shown(0), "process 7 since 1970-01-01 00:00:00 UTC");
        assert_eq!(shown(951_782_400), "process 7 since 2000-02-29 00:00:00 UTC");
        assert_eq!(shown(1_798_761_599), "process 7 since 2026-12-31 23:59:59 UTC");
        assert_eq!(shown(4_107_542_400), "process 7 since 2100-03-01 00:00:00 UTC");
        assert!(shown(u64::MAX).ends_with(" UTC"));
    }

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
