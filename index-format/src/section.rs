//! Sections: the named, aligned, checksummed parts of a segment, and the directory that lists them.
//!
//! The directory is small, fixed-width and checksummed as a whole; a writer makes it, a reader checks that each section
//! lies where a writer would have put it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::checksum::BLOCK_LENGTH;
use crate::codec::{Decoder, Encoder, pad_length};
use crate::error::{Problem, Result};
use crate::names::check_section_name;

/// Every section starts at a multiple of this many bytes, so that numbers and SIMD loads are aligned.
pub const ALIGNMENT: usize = 64;

/// Length of the footer, the last bytes of a segment.
pub(crate) const FOOTER_LENGTH: usize = 64;

/// The first bytes of the footer.
pub(crate) const FOOTER_MAGIC: &[u8; 8] = b"EVDXEND\n";

/// The number of a segment, never used twice in the life of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SegmentId(pub u64);

impl fmt::Display for SegmentId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// A section's name and length.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionSummary {
    /// The name, 1 to 255 bytes.
    pub name: String,
    /// The length in bytes, without padding.
    pub length: u64,
}

/// What a finished segment is: its id, and what its file must be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentSummary {
    /// The segment's number.
    pub id: SegmentId,
    /// The length of its file.
    pub length: u64,
    /// The checksum of its footer, which covers (through the directory and the block tables) every other byte.
    pub checksum: u32,
    /// Its sections in the order in which they were written.
    pub sections: Vec<SectionSummary>,
}

impl SegmentSummary {
    /// The name of the segment's file.
    pub fn file_name(&self) -> String {
        crate::names::segment_name(self.id)
    }

    /// The length of the section called `name`, if there is one.
    pub fn section_length(&self, name: &str) -> Option<u64> {
        self.sections.iter().find(|section| section.name == name).map(|section| section.length)
    }
}

/// One line of the directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SectionEntry {
    pub(crate) name: String,
    pub(crate) offset: u64,
    pub(crate) length: u64,
    /// Where the checksums of its blocks lie, four bytes each.
    pub(crate) table_offset: u64,
    pub(crate) table_checksum: u32,
}

impl SectionEntry {
    pub(crate) fn block_count(&self) -> u64 {
        self.length.div_ceil(BLOCK_LENGTH as u64)
    }

    pub(crate) fn summary(&self) -> SectionSummary {
        SectionSummary { name: self.name.clone(), length: self.length }
    }
}

/// Bytes of a directory entry whose name is empty.
const SMALLEST_ENTRY: usize = 8 + 8 + 8 + 8 + 4;

pub(crate) fn encode_directory(entries: &[SectionEntry]) -> Vec<u8> {
    let mut encoder = Encoder::new();
    encoder.put_u64(entries.len() as u64);
    for entry in entries {
        encoder.put_text(&entry.name);
        encoder.put_u64(entry.offset);
        encoder.put_u64(entry.length);
        encoder.put_u64(entry.table_offset);
        encoder.put_u32(entry.table_checksum);
    }
    encoder.into_bytes()
}

/// Decodes the directory and holds every place in it against where a writer puts things: sections follow one another
/// from `sections_start`, block tables follow the last section, and the directory follows those.
pub(crate) fn decode_directory(
    file: &str,
    sections_start: u64,
    directory_start: u64,
    bytes: &[u8],
) -> Result<Vec<SectionEntry>> {
    let mut decoder = Decoder::new(file, None, directory_start, bytes);
    let count = decoder.count(SMALLEST_ENTRY)?;
    let mut entries = Vec::with_capacity(count);
    let mut position = sections_start;
    for _ in 0..count {
        let at = decoder.clone();
        let entry = SectionEntry {
            name: decoder.text()?.to_owned(),
            offset: decoder.u64()?,
            length: decoder.u64()?,
            table_offset: decoder.u64()?,
            table_checksum: decoder.u32()?,
        };
        check_section_name(&entry.name).map_err(|error| at.malformed(error.to_string()))?;
        let end = entry.offset.checked_add(entry.length).and_then(aligned);
        match end {
            Some(end) if entry.offset == position && end <= directory_start => position = end,
            _ => {
                let (offset, length) = (entry.offset, entry.length);
                return Err(at.malformed(format!("section `{}` at {offset} of {length} bytes", entry.name)));
            }
        }
        entries.push(entry);
    }
    decoder.clone().finish()?;
    for entry in &entries {
        if entry.table_offset != position {
            return Err(decoder.malformed(format!("the block table of `{}` at {}", entry.name, entry.table_offset)));
        }
        position = position.saturating_add(entry.block_count() * 4);
    }
    if aligned(position) != Some(directory_start) {
        return Err(decoder.corrupt(Problem::Malformed("gaps between sections and directory".to_owned())));
    }
    let mut names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
    names.sort_unstable();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(decoder.malformed(format!("two sections named `{}`", pair[0])));
    }
    Ok(entries)
}

/// The next multiple of [`ALIGNMENT`], `None` beyond what 64 bits hold.
pub(crate) fn aligned(position: u64) -> Option<u64> {
    position.checked_next_multiple_of(ALIGNMENT as u64)
}

/// How many zero bytes follow a section that ends at `position`.
pub(crate) fn padding(position: u64) -> usize {
    pad_length((position % ALIGNMENT as u64) as usize, ALIGNMENT)
}

/// The last 64 bytes of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Footer {
    pub(crate) id: SegmentId,
    pub(crate) file_length: u64,
    pub(crate) directory_offset: u64,
    pub(crate) directory_length: u64,
    pub(crate) directory_checksum: u32,
    pub(crate) header_checksum: u32,
}

impl Footer {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut encoder = Encoder::new();
        encoder.put_bytes(FOOTER_MAGIC);
        encoder.put_u64(self.id.0);
        encoder.put_u64(self.file_length);
        encoder.put_u64(self.directory_offset);
        encoder.put_u64(self.directory_length);
        encoder.put_u32(self.directory_checksum);
        encoder.put_u32(self.header_checksum);
        encoder.put_u64(0);
        encoder.put_u32(0);
        let mut bytes = encoder.into_bytes();
        bytes.extend_from_slice(&crate::checksum::checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Decodes the footer that starts at `base`; gives it with its checksum.
    pub(crate) fn decode(file: &str, base: u64, bytes: &[u8]) -> Result<(Self, u32)> {
        let mut decoder = Decoder::new(file, None, base, bytes);
        let start = decoder.clone();
        if decoder.bytes(8)? != FOOTER_MAGIC {
            return Err(start.corrupt(Problem::WrongMagic { expected: "a segment's footer" }));
        }
        let footer = Self {
            id: SegmentId(decoder.u64()?),
            file_length: decoder.u64()?,
            directory_offset: decoder.u64()?,
            directory_length: decoder.u64()?,
            directory_checksum: decoder.u32()?,
            header_checksum: decoder.u32()?,
        };
        decoder.u64()?;
        decoder.u32()?;
        let expected = decoder.u32()?;
        decoder.finish()?;
        let found = crate::checksum::checksum(&bytes[..FOOTER_LENGTH - 4]);
        if found != expected {
            return Err(start.corrupt(Problem::ChecksumMismatch { expected, found }));
        }
        Ok((footer, expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entry(name: &str, offset: u64, length: u64, table_offset: u64) -> SectionEntry {
        SectionEntry { name: name.to_owned(), offset, length, table_offset, table_checksum: 7 }
    }

    #[test]
    fn a_directory_survives_the_round_trip() {
        // 5000 bytes in two blocks from 64, an empty section, one byte; then tables of 8, 0 and 4 bytes.
        let entries = vec![entry("a", 64, 5000, 5184), entry("b", 5120, 0, 5192), entry("c", 5120, 1, 5192)];
        let bytes = encode_directory(&entries);
        assert_eq!(decode_directory("file", 64, 5248, &bytes).unwrap(), entries);
        assert!(decode_directory("file", 64, 5312, &bytes).is_err());
        assert!(decode_directory("file", 128, 5248, &bytes).is_err());
    }

    #[test]
    fn sections_that_overlap_leave_gaps_or_share_a_name_are_refused() {
        for entries in [
            vec![entry("a", 64, 10, 192), entry("b", 64, 10, 196)],
            vec![entry("a", 64, 10, 192), entry("b", 192, 10, 196)],
            vec![entry("a", 64, 10, 192), entry("a", 128, 10, 196)],
            vec![entry("a", 64, u64::MAX, 192)],
            vec![entry("a", 64, u64::MAX - 70, 192)],
            vec![entry("", 64, 10, 128)],
            vec![entry("a", 64, 10, 64)],
        ] {
            assert!(decode_directory("file", 64, 256, &encode_directory(&entries)).unwrap_err().is_damage());
        }
    }

    proptest! {
        #[test]
        fn any_bytes_decode_to_a_directory_or_an_error(bytes in any::<Vec<u8>>(), start in any::<u64>()) {
            if let Err(error) = decode_directory("file", 64, start, &bytes) {
                prop_assert!(error.is_damage(), "{}", error);
            }
        }

        #[test]
        fn any_footer_decodes_to_itself_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            if let Ok((footer, _)) = Footer::decode("file", 0, &bytes) {
                prop_assert_eq!(footer.encode(), bytes);
            }
        }
    }
}
