//! The archive's header, its lists and its directory entries.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use md5::{Digest, Md5};

use crate::corpus::problem::CorpusError;

/// The first four bytes.
const MAGIC: u32 = 0x044D_495A;

const HEADER: usize = 80;

/// Bytes that a directory entry, or the list of kinds, may take.
const LONGEST_ENTRY: u64 = 64 << 10;

/// An open archive whose checksum is right.
#[derive(Debug)]
pub(super) struct Archive {
    file: File,
    length: u64,
    pub(super) entries: u32,
    clusters: u32,
    paths_at: u64,
    clusters_at: u64,
    pub(super) kinds: Vec<String>,
    pub(super) major: u16,
}

/// What an entry leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// Another entry.
    Redirect,
    /// Content.
    Blob {
        /// The number of the cluster.
        cluster: u32,
        /// Its number in the cluster.
        blob: u32,
    },
    /// Nothing any more.
    Gone,
}

/// A directory entry.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) kind: u16,
    pub(super) namespace: u8,
    pub(super) target: Target,
    pub(super) path: String,
    /// As it is shown; the path where there is none.
    pub(super) title: String,
}

pub(super) fn broken(message: impl Into<String>) -> CorpusError {
    CorpusError::BrokenArchive { message: message.into() }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at + 2)?.try_into().ok().map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..at + 8)?.try_into().ok().map(u64::from_le_bytes)
}

impl Archive {
    /// Opens an archive and checks it against its checksum, which reads all of it once.
    pub(super) fn open(path: &Path) -> Result<Self, CorpusError> {
        let mut file = File::open(path).map_err(CorpusError::from_io)?;
        let metadata = file.metadata().map_err(CorpusError::from_io)?;
        if metadata.is_dir() {
            return Err(CorpusError::IsDirectory);
        }
        let length = metadata.len();
        let mut header = Vec::with_capacity(HEADER);
        (&mut file).take(HEADER as u64).read_to_end(&mut header).map_err(CorpusError::from_io)?;
        if header.is_empty() {
            return Err(CorpusError::Empty);
        }
        let cut_off = || broken("the header is cut off");
        if u32_at(&header, 0) != Some(MAGIC) {
            return Err(broken("it does not start as a ZIM archive does"));
        }
        let major = u16_at(&header, 4).ok_or_else(cut_off)?;
        if !matches!(major, 5 | 6) {
            return Err(broken(format!("version {major} is not known (5 and 6 are)")));
        }
        let checksum_at = u64_at(&header, 72).ok_or_else(cut_off)?;
        let kinds_at = u64_at(&header, 56).ok_or_else(cut_off)?;
        let mut archive = Self {
            file,
            length,
            entries: u32_at(&header, 24).ok_or_else(cut_off)?,
            clusters: u32_at(&header, 28).ok_or_else(cut_off)?,
            paths_at: u64_at(&header, 32).ok_or_else(cut_off)?,
            clusters_at: u64_at(&header, 48).ok_or_else(cut_off)?,
            kinds: Vec::new(),
            major,
        };
        if checksum_at.checked_add(16) != Some(length) {
            return Err(broken(format!("it has {length} bytes, its header says {}", checksum_at.saturating_add(16))));
        }
        archive.check(checksum_at)?;
        archive.fits("entries", archive.paths_at, archive.entries)?;
        archive.fits("clusters", archive.clusters_at, archive.clusters)?;
        archive.kinds = archive.read_kinds(kinds_at)?;
        Ok(archive)
    }

    fn fits(&self, what: &str, at: u64, count: u32) -> Result<(), CorpusError> {
        match at.checked_add(u64::from(count) * 8) {
            Some(end) if end <= self.length => Ok(()),
            _ => Err(broken(format!("its list of {what} reaches over its end"))),
        }
    }

    /// Compares the file with the checksum at its end.
    fn check(&mut self, checksum_at: u64) -> Result<(), CorpusError> {
        self.file.seek(SeekFrom::Start(0)).map_err(CorpusError::from_io)?;
        let mut hasher = Md5::new();
        let mut buffer = vec![0; 1 << 18];
        let mut left = checksum_at;
        while left > 0 {
            let wanted = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
            let read = self.file.read(&mut buffer[..wanted]).map_err(CorpusError::from_io)?;
            if read == 0 {
                return Err(broken("it ends before its checksum"));
            }
            hasher.update(&buffer[..read]);
            left -= read as u64;
        }
        let mut expected = [0; 16];
        self.file.read_exact(&mut expected).map_err(CorpusError::from_io)?;
        if hasher.finalize().as_slice() == expected { Ok(()) } else { Err(broken("its checksum is wrong")) }
    }

    /// Up to `length` bytes at `at`.
    fn window(&mut self, at: u64, length: u64) -> Result<Vec<u8>, CorpusError> {
        self.file.seek(SeekFrom::Start(at)).map_err(CorpusError::from_io)?;
        let mut bytes = Vec::new();
        (&mut self.file).take(length).read_to_end(&mut bytes).map_err(CorpusError::from_io)?;
        Ok(bytes)
    }

    fn read_kinds(&mut self, at: u64) -> Result<Vec<String>, CorpusError> {
        let bytes = self.window(at, LONGEST_ENTRY)?;
        let mut kinds = Vec::new();
        for name in bytes.split(|byte| *byte == 0) {
            if name.is_empty() {
                return Ok(kinds);
            }
            kinds.push(String::from_utf8_lossy(name).into_owned());
        }
        Err(broken("its list of kinds does not end"))
    }

    /// The places of the entries from `first` on, `count` of them.
    pub(super) fn places(&mut self, first: u32, count: u32) -> Result<Vec<u64>, CorpusError> {
        let bytes = self.window(self.paths_at + u64::from(first) * 8, u64::from(count) * 8)?;
        Ok(bytes.chunks_exact(8).filter_map(|place| u64_at(place, 0)).collect())
    }

    /// The entry at a place.
    pub(super) fn entry(&mut self, place: u64) -> Result<Entry, CorpusError> {
        // Nearly all are short.
        let mut bytes = self.window(place, 512)?;
        let entry = match parse_entry(&bytes) {
            Some(entry) => entry,
            None => {
                bytes = self.window(place, LONGEST_ENTRY)?;
                parse_entry(&bytes).ok_or_else(|| broken(format!("no directory entry at byte {place}")))?
            }
        };
        Ok(entry)
    }

    /// Where a cluster starts and ends.
    pub(super) fn cluster_span(&mut self, number: u32) -> Result<(u64, u64), CorpusError> {
        if number >= self.clusters {
            return Err(broken(format!("there is no cluster {number}")));
        }
        let last = number + 1 == self.clusters;
        let bytes = self.window(self.clusters_at + u64::from(number) * 8, if last { 8 } else { 16 })?;
        let start = u64_at(&bytes, 0).ok_or_else(|| broken("its list of clusters is cut off"))?;
        let mut end = if last { None } else { u64_at(&bytes, 8) }.unwrap_or(self.length - 16);
        // Clusters need not lie in order; one that ends before it starts reaches to the end at most.
        if end <= start {
            end = self.length - 16;
        }
        if start >= end || end > self.length {
            return Err(broken(format!("cluster {number} lies outside of it")));
        }
        Ok((start, end))
    }

    /// A reader of the bytes between two places.
    pub(super) fn reader(&mut self, start: u64, end: u64) -> Result<std::io::Take<File>, CorpusError> {
        let mut file = self.file.try_clone().map_err(CorpusError::from_io)?;
        file.seek(SeekFrom::Start(start)).map_err(CorpusError::from_io)?;
        Ok(file.take(end - start))
    }
}

fn parse_entry(bytes: &[u8]) -> Option<Entry> {
    let kind = u16_at(bytes, 0)?;
    let namespace = *bytes.get(3)?;
    let (target, names) = match kind {
        0xffff => (Target::Redirect, 12),
        0xfffe | 0xfffd => (Target::Gone, 8),
        _ => (Target::Blob { cluster: u32_at(bytes, 8)?, blob: u32_at(bytes, 12)? }, 16),
    };
    let mut names = bytes.get(names..)?.split_inclusive(|byte| *byte == 0);
    let mut name = || names.next()?.strip_suffix(&[0]).map(|name| String::from_utf8_lossy(name).into_owned());
    let (path, title) = (name()?, name()?);
    let title = if title.is_empty() { path.clone() } else { title };
    Some(Entry { kind, namespace, target, path, title })
}
