//! A cluster as a stream of blobs: each is read in turn, none before it is asked for.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::archive::{Archive, broken};
use crate::corpus::open::{Counted, Guard};
use crate::corpus::problem::CorpusError;

/// Blobs that a cluster may have.
const MOST_BLOBS: u64 = 1 << 20;

/// Memory that an xz stream may ask for, in KiB.
const XZ_MEMORY: u32 = 192 << 10;

/// An open cluster.
pub(super) struct Cluster {
    number: u32,
    reader: Box<dyn Read + Send>,
    /// Where blobs start, and where the last one ends.
    offsets: Vec<u64>,
    at: u64,
}

impl Cluster {
    /// Opens a cluster and reads its list of blobs.
    pub(super) fn open(archive: &mut Archive, number: u32) -> Result<Self, CorpusError> {
        let (start, end) = archive.cluster_span(number)?;
        let mut stored = archive.reader(start, end)?;
        let mut info = [0];
        stored.read_exact(&mut info).map_err(|error| fault(number, error))?;
        let compressed = Arc::new(AtomicU64::new(0));
        let counted = Counted::new(stored, Arc::clone(&compressed));
        let reader: Box<dyn Read + Send> = match info[0] & 0x0f {
            0 | 1 => Box::new(io::BufReader::new(counted)),
            4 => {
                let xz = lzma_rust2::XzReader::new_mem_limit(io::BufReader::new(counted), false, XZ_MEMORY);
                Box::new(Guard::new(xz, compressed))
            }
            5 => {
                let zstd = zstd::Decoder::new(counted).map_err(|error| fault(number, error))?;
                Box::new(Guard::new(zstd, compressed))
            }
            other => {
                return Err(broken(format!("cluster {number} is compressed in a way ({other}) that is not known")));
            }
        };
        let wide = info[0] & 0x10 != 0;
        if wide && archive.major < 6 {
            return Err(broken(format!("cluster {number} has long offsets, which version 5 does not have")));
        }
        let mut cluster = Self { number, reader, offsets: Vec::new(), at: 0 };
        cluster.read_offsets(wide)?;
        Ok(cluster)
    }

    fn read_offsets(&mut self, wide: bool) -> Result<(), CorpusError> {
        let width: u64 = if wide { 8 } else { 4 };
        let first = self.offset(wide)?;
        let count = first / width;
        if !first.is_multiple_of(width) || count == 0 || count > MOST_BLOBS {
            return Err(broken(format!("cluster {} has a broken list of blobs", self.number)));
        }
        self.offsets.push(first);
        for _ in 1..count {
            let offset = self.offset(wide)?;
            if self.offsets.last().is_some_and(|before| *before > offset) {
                return Err(broken(format!("cluster {} has a broken list of blobs", self.number)));
            }
            self.offsets.push(offset);
        }
        self.at = first;
        Ok(())
    }

    fn offset(&mut self, wide: bool) -> Result<u64, CorpusError> {
        let mut bytes = [0; 8];
        let used = if wide { 8 } else { 4 };
        self.reader.read_exact(&mut bytes[..used]).map_err(|error| fault(self.number, error))?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// The blob of that number, which must not lie before the one that was read last.
    pub(super) fn blob(&mut self, number: u32, limit: u64) -> Result<Vec<u8>, CorpusError> {
        let at = number as usize;
        let (Some(start), Some(end)) = (self.offsets.get(at).copied(), self.offsets.get(at + 1).copied()) else {
            return Err(broken(format!("cluster {} has no blob {number}", self.number)));
        };
        let Some(skip) = start.checked_sub(self.at) else {
            return Err(broken(format!("blob {number} of cluster {} is asked for twice", self.number)));
        };
        let length = end - start;
        if length > limit {
            return Err(CorpusError::TooLarge { limit });
        }
        let skipped = io::copy(&mut self.reader.by_ref().take(skip), &mut io::sink());
        self.at += skipped.map_err(|error| fault(self.number, error))?;
        let mut bytes = Vec::new();
        self.reader.by_ref().take(length).read_to_end(&mut bytes).map_err(|error| fault(self.number, error))?;
        self.at += bytes.len() as u64;
        if bytes.len() as u64 != length {
            return Err(broken(format!("cluster {} ends inside blob {number}", self.number)));
        }
        Ok(bytes)
    }
}

/// Our own limits keep their kind; what a decompressor says becomes a fault of the archive.
fn fault(cluster: u32, error: io::Error) -> CorpusError {
    match CorpusError::from_io(error) {
        CorpusError::Io(error) => broken(format!("cluster {cluster}: {error}")),
        other => other,
    }
}
