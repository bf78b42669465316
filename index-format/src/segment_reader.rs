//! Opens segments and hands out their sections; no byte of a section is handed out before its block was verified.
//!
//! Opening reads the header, the directory and the footer only. Each block of 4 KiB is checked against its
//! checksum when it is first touched, and remembered in a bitmap that all readers of the segment share.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use crate::checksum::{BLOCK_LENGTH, checksum};
use crate::codec::u32_at;
use crate::error::{FormatError, Problem, Result};
use crate::header::{FileKind, Header, stored_checksum};
use crate::mmap::{Bytes, Number, view};
use crate::section::{
    FOOTER_LENGTH, Footer, SectionEntry, SectionSummary, SegmentId, SegmentSummary, aligned, decode_directory,
};
use crate::storage::Storage;

/// A segment that was opened. Clones share the map and what was verified.
#[derive(Clone)]
pub struct SegmentReader {
    inner: Arc<Inner>,
}

struct Inner {
    file: String,
    id: SegmentId,
    bytes: Bytes,
    header_length: usize,
    tables_end: usize,
    directory_offset: usize,
    sections: Vec<OpenSection>,
}

struct OpenSection {
    entry: SectionEntry,
    start: usize,
    length: usize,
    /// Made when the section is first touched, once its block table was verified.
    blocks: OnceLock<Arc<Blocks>>,
}

struct Blocks {
    /// One bit per block, set once it was verified. The bytes never change, so relaxed order is enough.
    verified: Vec<AtomicU64>,
    /// Once this is 0 the bitmap need not be asked.
    unverified: AtomicUsize,
}

impl SegmentReader {
    /// Opens the segment that `summary` describes.
    ///
    /// # Errors
    /// [`FormatError::Missing`] when its file is gone, [`FormatError::Corrupt`] when it is damaged or another one,
    /// [`FormatError::UnsupportedVersion`] and [`FormatError::UnknownFeature`] when this build cannot read it.
    pub fn open(storage: &dyn Storage, summary: &SegmentSummary) -> Result<Self> {
        let (reader, found) = Self::open_unchecked(storage, summary.id)?;
        let corrupt = |offset: u64, problem| Err(FormatError::corrupt(&reader.inner.file, None, offset, problem));
        if found.length != summary.length {
            return corrupt(0, Problem::WrongLength { expected: summary.length, found: found.length });
        }
        if found.checksum != summary.checksum {
            let (expected, found) = (summary.checksum, found.checksum);
            let offset = reader.inner.bytes.len() - FOOTER_LENGTH;
            return corrupt(offset as u64, Problem::ChecksumMismatch { expected, found });
        }
        if found.sections != summary.sections {
            let problem = Problem::Malformed("the manifest lists other sections than the segment".to_owned());
            return corrupt(reader.inner.directory_offset as u64, problem);
        }
        Ok(reader)
    }

    /// Opens whatever segment lies under the name of `id`, and says what it is.
    pub(crate) fn open_unchecked(storage: &dyn Storage, id: SegmentId) -> Result<(Self, SegmentSummary)> {
        let file = crate::names::segment_name(id);
        let bytes = storage.map(&file)?;
        let corrupt = |offset: usize, problem| FormatError::corrupt(&file, None, offset as u64, problem);
        let (header, header_length) = Header::decode(&file, FileKind::Segment, &bytes)?;
        let footer_start = match bytes.len().checked_sub(FOOTER_LENGTH) {
            Some(start) if start >= header_length => start,
            _ => {
                let (needed, available) = (FOOTER_LENGTH as u64, bytes.len().saturating_sub(header_length) as u64);
                return Err(corrupt(header_length, Problem::Truncated { needed, available }));
            }
        };
        let (footer, footer_checksum) = Footer::decode(&file, footer_start as u64, &bytes[footer_start..])?;
        for (offset, found) in [(32, header.identity), (footer_start + 8, footer.id.0)] {
            if found != id.0 {
                let problem = Problem::WrongIdentity { what: "the segment's id", expected: id.0, found };
                return Err(corrupt(offset, problem));
            }
        }
        if footer.file_length != bytes.len() as u64 {
            let (expected, found) = (footer.file_length, bytes.len() as u64);
            return Err(corrupt(footer_start + 16, Problem::WrongLength { expected, found }));
        }
        let (expected, found) = (footer.header_checksum, stored_checksum(&bytes));
        if expected != found {
            return Err(corrupt(0, Problem::ChecksumMismatch { expected, found }));
        }
        let directory_offset = usize::try_from(footer.directory_offset).unwrap_or(usize::MAX);
        let directory = bytes
            .get(directory_offset..footer_start)
            .filter(|directory| directory_offset >= header_length && directory.len() as u64 == footer.directory_length);
        let Some(directory) = directory else {
            let what = format!("a directory at {} of {} bytes", footer.directory_offset, footer.directory_length);
            return Err(corrupt(footer_start + 24, Problem::Malformed(what)));
        };
        let (expected, found) = (footer.directory_checksum, checksum(directory));
        if expected != found {
            return Err(corrupt(directory_offset, Problem::ChecksumMismatch { expected, found }));
        }
        let entries = decode_directory(&file, header_length as u64, footer.directory_offset, directory)?;
        let summary = SegmentSummary {
            id,
            length: bytes.len() as u64,
            checksum: footer_checksum,
            sections: entries.iter().map(SectionEntry::summary).collect(),
        };
        // `decode_directory` holds offsets and lengths to the file's own length, so these conversions are exact.
        let tables_end =
            entries.last().map_or(header_length, |last| (last.table_offset + last.block_count() * 4) as usize);
        let sections = entries.into_iter().map(OpenSection::new).collect();
        let inner = Inner { file, id, bytes, header_length, tables_end, directory_offset, sections };
        Ok((Self { inner: Arc::new(inner) }, summary))
    }

    /// The segment's number.
    pub fn id(&self) -> SegmentId {
        self.inner.id
    }

    /// The name of the segment's file.
    pub fn file_name(&self) -> &str {
        &self.inner.file
    }

    /// The sections in the order in which they were written.
    pub fn sections(&self) -> impl ExactSizeIterator<Item = SectionSummary> + '_ {
        self.inner.sections.iter().map(|section| section.entry.summary())
    }

    /// Where the section called `name` starts in the file, if there is one.
    pub fn section_offset(&self, name: &str) -> Option<u64> {
        self.inner.sections.iter().find(|section| section.entry.name == name).map(|section| section.entry.offset)
    }

    /// Whether there is a section called `name`.
    pub fn has_section(&self, name: &str) -> bool {
        self.section_offset(name).is_some()
    }

    /// The section called `name`.
    ///
    /// # Errors
    /// [`FormatError::NoSuchSection`] when there is none, [`FormatError::Corrupt`] when its block table is damaged.
    pub fn section(&self, name: &str) -> Result<Section> {
        match self.inner.sections.iter().position(|section| section.entry.name == name) {
            Some(index) => {
                let blocks = Arc::clone(self.inner.blocks(index)?);
                let OpenSection { start, length, .. } = self.inner.sections[index];
                let bytes = self.inner.bytes.slice(start..start + length).unwrap_or_else(Bytes::empty);
                Ok(Section { segment: Arc::clone(&self.inner), index, bytes, blocks })
            }
            None => Err(FormatError::NoSuchSection { file: self.inner.file.clone(), section: name.to_owned() }),
        }
    }

    /// Verifies every byte of the file again, also those that were verified before.
    ///
    /// # Errors
    /// The first damage.
    pub fn verify_all(&self) -> Result<()> {
        self.damage().next().map_or(Ok(()), Err)
    }

    /// All damage in the file, one error for each block or gap that is not as it was written.
    pub fn damage(&self) -> impl Iterator<Item = FormatError> + '_ {
        let inner = &*self.inner;
        let sections = inner.sections.iter().enumerate().flat_map(move |(index, section)| {
            let table = inner.blocks(index).err();
            let blocks = if table.is_some() { 0 } else { section.entry.block_count() as usize };
            table.into_iter().chain((0..blocks).filter_map(move |block| inner.verify_block(section, block).err()))
        });
        sections.chain(inner.damaged_gaps())
    }

    /// The whole file, unverified.
    pub(crate) fn raw(&self) -> &[u8] {
        &self.inner.bytes
    }

    /// How many bytes the file has.
    pub fn length(&self) -> u64 {
        self.inner.bytes.len() as u64
    }
}

impl fmt::Debug for SegmentReader {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SegmentReader({}, {} sections)", self.inner.file, self.inner.sections.len())
    }
}

impl OpenSection {
    fn new(entry: SectionEntry) -> Self {
        Self { start: entry.offset as usize, length: entry.length as usize, entry, blocks: OnceLock::new() }
    }
}

impl Inner {
    /// The bitmap of a section; the first call verifies the section's block table.
    fn blocks(&self, index: usize) -> Result<&Arc<Blocks>> {
        let section = &self.sections[index];
        if let Some(blocks) = section.blocks.get() {
            return Ok(blocks);
        }
        let (expected, found) = (section.entry.table_checksum, checksum(self.table(section)));
        if expected != found {
            let problem = Problem::ChecksumMismatch { expected, found };
            return Err(FormatError::corrupt(
                &self.file,
                Some(&section.entry.name),
                section.entry.table_offset,
                problem,
            ));
        }
        Ok(section.blocks.get_or_init(|| {
            let count = section.entry.block_count() as usize;
            let verified = (0..count.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
            Arc::new(Blocks { verified, unverified: AtomicUsize::new(count) })
        }))
    }

    fn table(&self, section: &OpenSection) -> &[u8] {
        let start = section.entry.table_offset as usize;
        &self.bytes[start..start + section.entry.block_count() as usize * 4]
    }

    /// Verifies the blocks under `start..end`, which lie within the section, where that was not done before.
    #[inline(never)]
    fn verify(&self, section: &OpenSection, blocks: &Blocks, start: usize, end: usize) -> Result<()> {
        if start == end {
            return Ok(());
        }
        for block in start / BLOCK_LENGTH..=(end - 1) / BLOCK_LENGTH {
            let (word, bit) = (&blocks.verified[block / 64], 1_u64 << (block % 64));
            if word.load(Ordering::Relaxed) & bit == 0 {
                self.verify_block(section, block)?;
                if word.fetch_or(bit, Ordering::Relaxed) & bit == 0 {
                    blocks.unverified.fetch_sub(1, Ordering::Relaxed);
                }
            }
        }
        Ok(())
    }

    fn verify_block(&self, section: &OpenSection, block: usize) -> Result<()> {
        let start = block * BLOCK_LENGTH;
        let end = (start + BLOCK_LENGTH).min(section.length);
        let found = checksum(&self.bytes[section.start + start..section.start + end]);
        let expected = u32_at(self.table(section), block).unwrap_or_default();
        if found == expected {
            return Ok(());
        }
        let (offset, problem) = ((section.start + start) as u64, Problem::ChecksumMismatch { expected, found });
        Err(FormatError::corrupt(&self.file, Some(&section.entry.name), offset, problem))
    }

    /// The padding that no checksum covers must be the zeros that the writer put there.
    fn damaged_gaps(&self) -> impl Iterator<Item = FormatError> + '_ {
        let mut end = self.header_length;
        let gaps = self.sections.iter().map(move |section| {
            let gap = (end, section.start);
            end = section.start + section.length;
            gap
        });
        let tail = self.sections.last().map(|last| {
            let end = last.start + last.length;
            (end, aligned(end as u64).map_or(end, |end| end as usize))
        });
        let gaps = gaps.chain(tail).chain([(self.tables_end, self.directory_offset)]);
        gaps.filter_map(|(start, end)| {
            let place = self.bytes[start..end].iter().position(|byte| *byte != 0)?;
            let problem = Problem::Malformed("padding that is not zero".to_owned());
            Some(FormatError::corrupt(&self.file, None, (start + place) as u64, problem))
        })
    }
}

/// One section of an open segment. It keeps the segment's map alive.
#[derive(Clone)]
pub struct Section {
    segment: Arc<Inner>,
    index: usize,
    bytes: Bytes,
    blocks: Arc<Blocks>,
}

impl Section {
    /// The section's name.
    pub fn name(&self) -> &str {
        &self.open().entry.name
    }

    /// The length in bytes.
    #[inline]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All bytes, verified.
    ///
    /// # Errors
    /// [`FormatError::Corrupt`] when a block is damaged.
    pub fn bytes(&self) -> Result<Bytes> {
        self.range(0..self.len())
    }

    /// The bytes in `range`, verified, without a copy; only the blocks that it touches are verified.
    ///
    /// # Errors
    /// [`FormatError::OutOfRange`] when the section is shorter, [`FormatError::Corrupt`] when a block is damaged.
    pub fn range(&self, range: Range<usize>) -> Result<Bytes> {
        self.slice(range.clone())?;
        self.bytes.slice(range.clone()).ok_or_else(|| self.out_of_range(&range))
    }

    /// As [`range`](Self::range), borrowed: the cheapest access, for inner loops. Where all blocks were verified it
    /// costs little more than a bounds check.
    ///
    /// # Errors
    /// As [`range`](Self::range).
    #[inline]
    pub fn slice(&self, range: Range<usize>) -> Result<&[u8]> {
        let Some(part) = self.bytes.get(range.clone()) else { return Err(self.out_of_range(&range)) };
        if self.blocks.unverified.load(Ordering::Relaxed) != 0 {
            self.segment.verify(self.open(), &self.blocks, range.start, range.end)?;
        }
        Ok(part)
    }

    /// The elements in `elements` (counted in `f32`s, not bytes), in place.
    ///
    /// # Errors
    /// As [`range`](Self::range); [`FormatError::Misaligned`] on a big-endian machine.
    #[inline]
    pub fn as_f32(&self, elements: Range<usize>) -> Result<&[f32]> {
        self.numbers(elements)
    }

    /// The elements in `elements` (counted in `u16`s, not bytes), in place; for half-precision vectors.
    ///
    /// # Errors
    /// As [`as_f32`](Self::as_f32).
    #[inline]
    pub fn as_u16(&self, elements: Range<usize>) -> Result<&[u16]> {
        self.numbers(elements)
    }

    /// The elements in `elements` (counted in `u32`s, not bytes), in place.
    ///
    /// # Errors
    /// As [`as_f32`](Self::as_f32).
    #[inline]
    pub fn as_u32(&self, elements: Range<usize>) -> Result<&[u32]> {
        self.numbers(elements)
    }

    /// The elements in `elements` (counted in `u64`s, not bytes), in place.
    ///
    /// # Errors
    /// As [`as_f32`](Self::as_f32).
    #[inline]
    pub fn as_u64(&self, elements: Range<usize>) -> Result<&[u64]> {
        self.numbers(elements)
    }

    /// The signed bytes in `elements`, in place.
    ///
    /// # Errors
    /// As [`range`](Self::range).
    #[inline]
    pub fn as_i8(&self, elements: Range<usize>) -> Result<&[i8]> {
        self.numbers(elements)
    }

    /// An error at `offset` in this section, for decoders of its contents.
    pub fn malformed(&self, offset: usize, what: impl Into<String>) -> FormatError {
        let place = (self.open().start as u64).saturating_add(offset as u64);
        FormatError::corrupt(&self.segment.file, Some(self.name()), place, Problem::Malformed(what.into()))
    }

    #[inline]
    fn numbers<T: Number>(&self, elements: Range<usize>) -> Result<&[T]> {
        let scaled = |count: usize| count.saturating_mul(size_of::<T>());
        let range = scaled(elements.start)..scaled(elements.end);
        view(self.slice(range.clone())?).ok_or_else(|| self.misaligned(range.start, T::NAME))
    }

    #[cold]
    fn misaligned(&self, start: usize, element: &'static str) -> FormatError {
        let (file, section) = (self.segment.file.clone(), self.name().to_owned());
        FormatError::Misaligned { file, section, offset: (self.open().start + start) as u64, element }
    }

    fn open(&self) -> &OpenSection {
        &self.segment.sections[self.index]
    }

    #[cold]
    fn out_of_range(&self, range: &Range<usize>) -> FormatError {
        FormatError::OutOfRange {
            file: self.segment.file.clone(),
            section: self.name().to_owned(),
            start: range.start as u64,
            end: range.end as u64,
            length: self.len() as u64,
        }
    }
}

impl fmt::Debug for Section {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Section({} of {}, {} bytes)", self.name(), self.segment.file, self.len())
    }
}
