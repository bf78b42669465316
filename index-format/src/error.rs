//! Everything that can go wrong with the bytes of an index, split by who must act.
//!
//! A damaged file, a newer format, a lock that another process holds and a refused system call are different
//! variants. Damage always names the file, the section (where there is one) and the byte offset in the file.

use std::io;

use crate::lock::LockHolder;
use crate::manifest::Generation;

/// What this package returns.
pub type Result<T, E = FormatError> = std::result::Result<T, E>;

/// What is wrong at a place in a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The bytes are not those that were written.
    #[error("checksum mismatch (expected {expected:08x}, found {found:08x})")]
    ChecksumMismatch {
        /// The checksum that was stored.
        expected: u32,
        /// The checksum of the bytes that are there.
        found: u32,
    },
    /// The file ends before what it should hold.
    #[error("truncated ({needed} bytes needed, {available} available)")]
    Truncated {
        /// How many bytes should follow.
        needed: u64,
        /// How many there are.
        available: u64,
    },
    /// The file has another length than was recorded.
    #[error("wrong length ({expected} bytes recorded, {found} found)")]
    WrongLength {
        /// The recorded length.
        expected: u64,
        /// The length that was found.
        found: u64,
    },
    /// The file does not start as files of its kind do.
    #[error("not {expected} (the first bytes differ)")]
    WrongMagic {
        /// The kind that was expected, with its article.
        expected: &'static str,
    },
    /// The file is sound, yet it is another one than was asked for (a swapped segment, for example).
    #[error("{what} is {found} where {expected} was expected")]
    WrongIdentity {
        /// What differs.
        what: &'static str,
        /// What was expected.
        expected: u64,
        /// What was found.
        found: u64,
    },
    /// A value that no writer produces.
    #[error("malformed: {0}")]
    Malformed(String),
}

/// Anything that can go wrong in this package.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The operating system refused an operation: permissions, no space, a failing disk.
    #[error("could not {operation} `{file}`: {source}")]
    Io {
        /// What was attempted, as a verb.
        operation: &'static str,
        /// The file or folder.
        file: String,
        /// Why it failed.
        source: io::Error,
    },
    /// The place holds no index.
    #[error("no index in `{location}`: {reason}")]
    NotAnIndex {
        /// The folder.
        location: String,
        /// What was missed.
        reason: String,
    },
    /// An index (or what is left of one) is in the place already.
    #[error("`{location}` already holds an index, or what is left of one")]
    AlreadyAnIndex {
        /// The folder.
        location: String,
    },
    /// Bytes are damaged. Other segments and older generations may be sound.
    #[error("{problem} in {}`{file}` at byte {offset}", section_prefix(.section))]
    Corrupt {
        /// The damaged file.
        file: String,
        /// The section in it, if the place lies in one.
        section: Option<String>,
        /// Where, counted from the start of the file.
        offset: u64,
        /// What is wrong there.
        problem: Problem,
    },
    /// A file that the manifest names is gone. A reader that raced with a writer refreshes and tries again.
    #[error("`{file}` is missing")]
    Missing {
        /// The file.
        file: String,
    },
    /// The file was written by another version of the format.
    #[error("`{file}` has format version {found}, this build reads {oldest} to {newest}")]
    UnsupportedVersion {
        /// The file.
        file: String,
        /// Its version.
        found: u32,
        /// The oldest version that this build reads.
        oldest: u32,
        /// The newest version that this build reads.
        newest: u32,
    },
    /// The file needs a feature that this build lacks.
    #[error("`{file}` needs the feature `{feature}`, which this build does not know")]
    UnknownFeature {
        /// The file.
        file: String,
        /// The feature's name, or its bit where the file does not name it.
        feature: String,
    },
    /// Another process writes to the index.
    #[error("`{location}` is locked by {}", holder_name(.holder))]
    Locked {
        /// The folder.
        location: String,
        /// Who holds the lock, where it could be read.
        holder: Option<LockHolder>,
    },
    /// A sync or a replacement failed earlier, so what is on the medium is not known: reopen the index.
    #[error("writing to `{location}` stopped after a failed sync; reopen the index")]
    Poisoned {
        /// The folder.
        location: String,
    },
    /// The lock offered belongs to another store.
    #[error("the writer lock belongs to another index than `{location}`")]
    ForeignLock {
        /// The folder.
        location: String,
    },
    /// The manifest offered does not follow the current one.
    #[error("generation {offered} cannot follow generation {current}")]
    GenerationConflict {
        /// The current generation.
        current: Generation,
        /// The one that was offered.
        offered: Generation,
    },
    /// The manifest offered contradicts itself.
    #[error("the manifest cannot be published: {reason}")]
    InvalidManifest {
        /// What is wrong with it.
        reason: String,
    },
    /// A name that cannot be used for a file or a section.
    #[error("the name {name:?} cannot be used: {reason}")]
    InvalidName {
        /// The name.
        name: String,
        /// Why not.
        reason: &'static str,
    },
    /// The segment has no such section.
    #[error("`{file}` has no section `{section}`")]
    NoSuchSection {
        /// The segment's file.
        file: String,
        /// The section that was asked for.
        section: String,
    },
    /// The caller asked for more than a section holds.
    #[error("bytes {start}..{end} lie outside section `{section}` of `{file}` ({length} bytes)")]
    OutOfRange {
        /// The segment's file.
        file: String,
        /// The section.
        section: String,
        /// First byte asked for.
        start: u64,
        /// Byte after the last one asked for.
        end: u64,
        /// The section's length.
        length: u64,
    },
    /// The bytes cannot be viewed as numbers in place: wrong alignment, or a big-endian machine.
    #[error("section `{section}` of `{file}` cannot be viewed as {element} at byte {offset}")]
    Misaligned {
        /// The segment's file.
        file: String,
        /// The section.
        section: String,
        /// Where in the file.
        offset: u64,
        /// The element type.
        element: &'static str,
    },
    /// More than the format can hold.
    #[error("{what} is too large ({length}, at most {limit})")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// Its size.
        length: u64,
        /// The largest size.
        limit: u64,
    },
}

fn section_prefix(section: &Option<String>) -> String {
    section.as_ref().map(|name| format!("section `{name}` of ")).unwrap_or_default()
}

fn holder_name(holder: &Option<LockHolder>) -> String {
    holder.as_ref().map_or_else(|| "another process".to_owned(), ToString::to_string)
}

impl FormatError {
    /// A stable name for the kind of error, for tables and machines.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io { source, .. } if is_no_space(source) => "no-space",
            Self::Io { .. } => "io",
            Self::NotAnIndex { .. } => "not-an-index",
            Self::AlreadyAnIndex { .. } => "already-an-index",
            Self::Corrupt { .. } => "corrupt-index",
            Self::Missing { .. } => "missing-file",
            Self::UnsupportedVersion { .. } => "unsupported-version",
            Self::UnknownFeature { .. } => "unknown-feature",
            Self::Locked { .. } => "locked",
            Self::Poisoned { .. } => "poisoned",
            Self::ForeignLock { .. } => "foreign-lock",
            Self::GenerationConflict { .. } => "generation-conflict",
            Self::InvalidManifest { .. } => "invalid-manifest",
            Self::InvalidName { .. } => "invalid-name",
            Self::NoSuchSection { .. } => "no-such-section",
            Self::OutOfRange { .. } => "out-of-range",
            Self::Misaligned { .. } => "misaligned",
            Self::TooLarge { .. } => "too-large",
        }
    }

    /// Whether the medium, not the caller, is at fault: damaged, truncated or missing files.
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Corrupt { .. } | Self::Missing { .. })
    }

    pub(crate) fn io(operation: &'static str, file: impl Into<String>, source: io::Error) -> Self {
        Self::Io { operation, file: file.into(), source }
    }

    pub(crate) fn corrupt(file: &str, section: Option<&str>, offset: u64, problem: Problem) -> Self {
        Self::Corrupt { file: file.to_owned(), section: section.map(str::to_owned), offset, problem }
    }
}

fn is_no_space(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}
