//! Writes one segment, section by section, as a stream.
//!
//! What comes in are bytes of any size; what goes out is a synced file and its [`SegmentSummary`], the only thing that a
//! manifest can name. An unfinished segment has no summary and so can never be published.

use std::io::{self, Write};

use crate::checksum::{BlockChecksums, checksum};
use crate::error::{FormatError, Result};
use crate::header::{FileKind, Header, stored_checksum};
use crate::mmap::{Number, bytes_of};
use crate::names::{check_section_name, segment_name};
use crate::section::{
    ALIGNMENT, FOOTER_LENGTH, Footer, SectionEntry, SegmentId, SegmentSummary, encode_directory, padding,
};
use crate::storage::{Storage, StorageFile};

/// A segment being written.
///
/// Sections are written one after another; [`begin_section`](Self::begin_section) ends the one before.
pub struct SegmentWriter {
    id: SegmentId,
    file: String,
    output: Box<dyn StorageFile>,
    position: u64,
    header_checksum: u32,
    sections: Vec<(SectionEntry, Vec<u32>)>,
    open: Option<OpenSection>,
}

struct OpenSection {
    name: String,
    offset: u64,
    checksums: BlockChecksums,
}

impl SegmentWriter {
    /// Starts the file of segment `id`.
    ///
    /// # Errors
    /// When the file exists or cannot be made.
    pub fn create(storage: &dyn Storage, id: SegmentId) -> Result<Self> {
        let file = segment_name(id);
        let output = storage.create(&file)?;
        let header = Header::new(FileKind::Segment, id.0).encode();
        let header_checksum = stored_checksum(&header);
        let mut writer = Self { id, file, output, position: 0, header_checksum, sections: Vec::new(), open: None };
        writer.put(&header)?;
        Ok(writer)
    }

    /// The segment's number.
    pub fn id(&self) -> SegmentId {
        self.id
    }

    /// How many bytes were written so far.
    pub fn length(&self) -> u64 {
        self.position
    }

    /// Ends the open section, if any, and begins another at the next multiple of 64 bytes.
    ///
    /// # Errors
    /// [`FormatError::InvalidName`] when the name is unusable or taken, or when writing fails.
    pub fn begin_section(&mut self, name: &str) -> Result<()> {
        check_section_name(name)?;
        self.end_section()?;
        if self.sections.iter().any(|(entry, _)| entry.name == name) {
            return Err(FormatError::InvalidName { name: name.to_owned(), reason: "the segment has such a section" });
        }
        let (offset, checksums) = (self.position, BlockChecksums::default());
        self.open = Some(OpenSection { name: name.to_owned(), offset, checksums });
        Ok(())
    }

    /// Appends bytes to the open section.
    ///
    /// # Errors
    /// When no section is open, or writing fails.
    pub fn write_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        let Some(open) = &mut self.open else {
            return Err(FormatError::InvalidName { name: String::new(), reason: "no section is open" });
        };
        open.checksums.update(bytes);
        self.put(bytes)
    }

    /// How many bytes the open section has so far; 0 if none is open.
    pub fn section_length(&self) -> u64 {
        self.open.as_ref().map_or(0, |open| self.position - open.offset)
    }

    /// Writes a whole section.
    ///
    /// # Errors
    /// As [`begin_section`](Self::begin_section).
    pub fn write_section(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        self.begin_section(name)?;
        self.write_bytes(bytes)
    }

    /// Appends numbers, little-endian, to the open section.
    ///
    /// # Errors
    /// As [`write_bytes`](Self::write_bytes).
    pub fn write_f32s(&mut self, numbers: &[f32]) -> Result<()> {
        self.write_numbers(numbers, f32::to_le_bytes)
    }

    /// Appends numbers, little-endian, to the open section.
    ///
    /// # Errors
    /// As [`write_bytes`](Self::write_bytes).
    pub fn write_u16s(&mut self, numbers: &[u16]) -> Result<()> {
        self.write_numbers(numbers, u16::to_le_bytes)
    }

    /// Appends numbers, little-endian, to the open section.
    ///
    /// # Errors
    /// As [`write_bytes`](Self::write_bytes).
    pub fn write_u32s(&mut self, numbers: &[u32]) -> Result<()> {
        self.write_numbers(numbers, u32::to_le_bytes)
    }

    /// Appends numbers, little-endian, to the open section.
    ///
    /// # Errors
    /// As [`write_bytes`](Self::write_bytes).
    pub fn write_u64s(&mut self, numbers: &[u64]) -> Result<()> {
        self.write_numbers(numbers, u64::to_le_bytes)
    }

    /// Appends signed bytes to the open section.
    ///
    /// # Errors
    /// As [`write_bytes`](Self::write_bytes).
    pub fn write_i8s(&mut self, numbers: &[i8]) -> Result<()> {
        self.write_numbers(numbers, i8::to_le_bytes)
    }

    /// Ends the last section, writes block tables, directory and footer, and syncs the file.
    ///
    /// The file's name becomes durable with the directory, when the segment is published.
    ///
    /// # Errors
    /// When writing or syncing fails; the segment cannot be published then.
    pub fn finish(mut self) -> Result<SegmentSummary> {
        self.end_section()?;
        let mut sections = std::mem::take(&mut self.sections);
        for (entry, blocks) in &mut sections {
            let table: Vec<u8> = blocks.iter().flat_map(|block| block.to_le_bytes()).collect();
            entry.table_offset = self.position;
            entry.table_checksum = checksum(&table);
            self.put(&table)?;
        }
        self.pad()?;
        let entries: Vec<SectionEntry> = sections.into_iter().map(|(entry, _)| entry).collect();
        let directory_offset = self.position;
        let directory = encode_directory(&entries);
        self.put(&directory)?;
        let footer = Footer {
            id: self.id,
            file_length: self.position + FOOTER_LENGTH as u64,
            directory_offset,
            directory_length: directory.len() as u64,
            directory_checksum: checksum(&directory),
            header_checksum: self.header_checksum,
        };
        let encoded = footer.encode();
        self.put(&encoded)?;
        self.output.sync()?;
        Ok(SegmentSummary {
            id: self.id,
            length: footer.file_length,
            checksum: Footer::decode(&self.file, 0, &encoded)?.1,
            sections: entries.iter().map(SectionEntry::summary).collect(),
        })
    }

    fn end_section(&mut self) -> Result<()> {
        if let Some(open) = self.open.take() {
            let length = self.position - open.offset;
            let (table_offset, table_checksum) = (0, 0);
            let entry = SectionEntry { name: open.name, offset: open.offset, length, table_offset, table_checksum };
            self.sections.push((entry, open.checksums.finish()));
            self.pad()?;
        }
        Ok(())
    }

    fn pad(&mut self) -> Result<()> {
        let zeros = [0; ALIGNMENT];
        self.put(&zeros[..padding(self.position)])
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.output.write_all(bytes).map_err(|error| FormatError::io("write", &self.file, error))?;
        self.position += bytes.len() as u64;
        Ok(())
    }

    fn write_numbers<T: Number + Copy, const N: usize>(
        &mut self,
        numbers: &[T],
        encode: fn(T) -> [u8; N],
    ) -> Result<()> {
        match bytes_of(numbers) {
            Some(bytes) => self.write_bytes(bytes),
            None => numbers.chunks(1024).try_for_each(|part| {
                let bytes: Vec<u8> = part.iter().flat_map(|number| encode(*number)).collect();
                self.write_bytes(&bytes)
            }),
        }
    }
}

/// Appends to the open section, so that encoders and compressors can write into it.
impl Write for SegmentWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_bytes(bytes).map_err(|error| match error {
            FormatError::Io { source, .. } => source,
            other => io::Error::other(other),
        })?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

impl std::fmt::Debug for SegmentWriter {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "SegmentWriter({}, {} bytes)", self.file, self.position)
    }
}
