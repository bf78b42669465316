//! Which entries of a segment are deleted: bytes of the caller's, inline in the manifest or in a file of their own.
//!
//! A segment never changes, so each new set of tombstones belongs to a generation. A large one goes to a file that is
//! synced before the manifest that names it.

use serde::{Deserialize, Serialize};

use crate::checksum::checksum;
use crate::codec::{Decoder, Encoder};
use crate::error::{FormatError, Problem, Result};
use crate::header::{FileKind, Header, decode_with_body};
use crate::manifest::Generation;
use crate::mmap::Bytes;
use crate::names::tombstones_name;
use crate::section::SegmentId;
use crate::storage::Storage;

/// Up to this many bytes, tombstones lie in the manifest itself.
pub const INLINE_TOMBSTONES: usize = 1024;

/// The tombstones of one segment, as a manifest holds them. What the bytes mean is the caller's business.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tombstones {
    /// The bytes themselves.
    Inline(Vec<u8>),
    /// A file, named after the segment and the generation for which it was written.
    File {
        /// The generation.
        generation: Generation,
        /// The length of the bytes.
        length: u64,
        /// Their checksum.
        checksum: u32,
    },
}

impl Tombstones {
    /// Keeps `bytes` for `segment` from `generation` on: inline when they are few, else in a synced file.
    ///
    /// # Errors
    /// When the file cannot be written or synced.
    pub fn write(storage: &dyn Storage, segment: SegmentId, generation: Generation, bytes: &[u8]) -> Result<Self> {
        if bytes.len() <= INLINE_TOMBSTONES {
            return Ok(Self::Inline(bytes.to_vec()));
        }
        let file = tombstones_name(segment, generation);
        // Left from a publish that did not come about; no manifest names it.
        if storage.exists(&file)? {
            storage.remove(&file)?;
        }
        let mut output = storage.create(&file)?;
        let header = Header::with_body(FileKind::Tombstones, segment.0, bytes).encode();
        output
            .write_all(&header)
            .and_then(|()| output.write_all(bytes))
            .map_err(|error| FormatError::io("write", &file, error))?;
        output.sync()?;
        Ok(Self::File { generation, length: bytes.len() as u64, checksum: checksum(bytes) })
    }

    /// The bytes, verified.
    ///
    /// # Errors
    /// When the file is missing, damaged or another one.
    pub fn read(&self, storage: &dyn Storage, segment: SegmentId) -> Result<Bytes> {
        let (generation, length, sum) = match self {
            Self::Inline(bytes) => return Ok(Bytes::copy_from(bytes)),
            Self::File { generation, length, checksum } => (*generation, *length, *checksum),
        };
        let file = tombstones_name(segment, generation);
        let bytes = storage.map(&file)?;
        let (header, body) = decode_with_body(&file, FileKind::Tombstones, segment.0, &bytes)?;
        let start = bytes.len() - body.len();
        if (header.body_length, header.body_checksum) != (length, sum) {
            let problem = Problem::ChecksumMismatch { expected: sum, found: header.body_checksum };
            return Err(FormatError::corrupt(&file, None, start as u64, problem));
        }
        bytes.slice(start..bytes.len()).ok_or(FormatError::Missing { file })
    }

    pub(crate) fn file_name(&self, segment: SegmentId) -> Option<String> {
        match self {
            Self::Inline(_) => None,
            Self::File { generation, .. } => Some(tombstones_name(segment, *generation)),
        }
    }

    pub(crate) fn encode(tombstones: Option<&Self>, encoder: &mut Encoder) {
        match tombstones {
            None => encoder.put_u32(0),
            Some(Self::Inline(bytes)) => {
                encoder.put_u32(1);
                encoder.put_sized(bytes);
            }
            Some(Self::File { generation, length, checksum }) => {
                encoder.put_u32(2);
                encoder.put_u64(generation.0);
                encoder.put_u64(*length);
                encoder.put_u32(*checksum);
            }
        }
    }

    pub(crate) fn decode(decoder: &mut Decoder<'_>) -> Result<Option<Self>> {
        let start = decoder.clone();
        match decoder.u32()? {
            0 => Ok(None),
            1 => Ok(Some(Self::Inline(decoder.sized()?.to_vec()))),
            2 => {
                let generation = Generation(decoder.u64()?);
                let (length, checksum) = (decoder.u64()?, decoder.u32()?);
                Ok(Some(Self::File { generation, length, checksum }))
            }
            tag => Err(start.malformed(format!("tombstones of kind {tag}"))),
        }
    }
}
