//! The fixed-width tables of a segment: one row a document, one row a chunk, and the ids by their hashes.
//!
//! All numbers are little-endian. Reading checks only that the row is there; what a row says of other sections is
//! checked where it is used.

use evidex_index_format::Section;

use super::IndexError;
use crate::lexical::Stemming;
use crate::text::TextSpan;

pub(super) const DOCUMENTS: &str = "documents";
pub(super) const CHUNKS: &str = "chunks";
pub(super) const IDS: &str = "document-ids";

const DOCUMENT_ROW: usize = 80;
const CHUNK_ROW: usize = 40;
const ID_ROW: usize = 16;

/// A document's place in its segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DocumentRow {
    /// Where its text starts among all texts, and its length.
    pub text_start: u64,
    pub text_length: u64,
    /// The same for its header.
    pub header_start: u64,
    pub header_length: u32,
    /// Its chunks, which follow each other.
    pub first_chunk: u32,
    pub chunk_count: u32,
    pub stemming: Stemming,
    pub content_hash: [u8; 32],
}

/// A chunk's place in its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ChunkRow {
    pub document: u32,
    pub position: u32,
    pub start: u64,
    pub length: u32,
    /// Characters of the document before the chunk.
    pub chars_before: u64,
    /// Equal for passages that are identical but for case and spacing.
    pub passage_hash: u64,
}

impl ChunkRow {
    pub(super) fn span(&self) -> Option<TextSpan> {
        let start = usize::try_from(self.start).ok()?;
        Some(TextSpan::new(start, start.checked_add(self.length as usize)?))
    }
}

impl DocumentRow {
    pub(super) fn encode(&self, output: &mut Vec<u8>) {
        output.extend(self.text_start.to_le_bytes());
        output.extend(self.text_length.to_le_bytes());
        output.extend(self.header_start.to_le_bytes());
        output.extend(self.header_length.to_le_bytes());
        output.extend(self.first_chunk.to_le_bytes());
        output.extend(self.chunk_count.to_le_bytes());
        output.extend(self.stemming.code().to_le_bytes());
        output.extend(self.content_hash);
        output.extend([0; 8]);
    }

    fn decode(row: &[u8; DOCUMENT_ROW]) -> Option<Self> {
        let mut content_hash = [0; 32];
        content_hash.copy_from_slice(&row[40..72]);
        Some(Self {
            text_start: u64_of(row, 0),
            text_length: u64_of(row, 8),
            header_start: u64_of(row, 16),
            header_length: u32_of(row, 24),
            first_chunk: u32_of(row, 28),
            chunk_count: u32_of(row, 32),
            stemming: Stemming::from_code(u32_of(row, 36))?,
            content_hash,
        })
    }
}

impl ChunkRow {
    pub(super) fn encode(&self, output: &mut Vec<u8>) {
        output.extend(self.document.to_le_bytes());
        output.extend(self.position.to_le_bytes());
        output.extend(self.start.to_le_bytes());
        output.extend(self.length.to_le_bytes());
        output.extend([0; 4]);
        output.extend(self.chars_before.to_le_bytes());
        output.extend(self.passage_hash.to_le_bytes());
    }

    fn decode(row: &[u8; CHUNK_ROW]) -> Self {
        Self {
            document: u32_of(row, 0),
            position: u32_of(row, 4),
            start: u64_of(row, 8),
            length: u32_of(row, 16),
            chars_before: u64_of(row, 24),
            passage_hash: u64_of(row, 32),
        }
    }
}

fn u32_of<const N: usize>(row: &[u8; N], at: usize) -> u32 {
    row[at..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

fn u64_of<const N: usize>(row: &[u8; N], at: usize) -> u64 {
    row[at..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

fn row<const N: usize>(section: &Section, at: u32) -> Result<&[u8; N], IndexError> {
    let start = at as usize * N;
    let bytes = section.slice(start..start + N)?;
    bytes.first_chunk().ok_or_else(|| section.malformed(start, "a row is cut off").into())
}

/// A segment's document table.
#[derive(Debug, Clone)]
pub(super) struct DocumentTable(Section);

impl DocumentTable {
    pub(super) fn open(section: Section) -> Result<Self, IndexError> {
        check_rows(&section, DOCUMENT_ROW)?;
        Ok(Self(section))
    }

    pub(super) fn count(&self) -> u32 {
        count(&self.0, DOCUMENT_ROW)
    }

    pub(super) fn get(&self, document: u32) -> Result<DocumentRow, IndexError> {
        DocumentRow::decode(row(&self.0, document)?)
            .ok_or_else(|| self.0.malformed(document as usize * DOCUMENT_ROW, "unknown stemmer").into())
    }
}

/// A segment's chunk table.
#[derive(Debug, Clone)]
pub(super) struct ChunkTable(Section);

impl ChunkTable {
    pub(super) fn open(section: Section) -> Result<Self, IndexError> {
        check_rows(&section, CHUNK_ROW)?;
        Ok(Self(section))
    }

    pub(super) fn count(&self) -> u32 {
        count(&self.0, CHUNK_ROW)
    }

    pub(super) fn get(&self, chunk: u32) -> Result<ChunkRow, IndexError> {
        Ok(ChunkRow::decode(row(&self.0, chunk)?))
    }
}

/// A segment's documents by the hash of their ids.
#[derive(Debug, Clone)]
pub(super) struct IdTable(Section);

impl IdTable {
    pub(super) fn open(section: Section) -> Result<Self, IndexError> {
        check_rows(&section, ID_ROW)?;
        Ok(Self(section))
    }

    pub(super) fn count(&self) -> u32 {
        count(&self.0, ID_ROW)
    }

    /// The bytes of the table for the hashes of all documents, in document order.
    pub(super) fn encode(hashes: &[u64]) -> Vec<u8> {
        let mut rows: Vec<(u64, u32)> = hashes.iter().copied().zip(0..).collect();
        rows.sort_unstable();
        let mut bytes = Vec::with_capacity(rows.len() * ID_ROW);
        for (hash, document) in rows {
            bytes.extend(hash.to_le_bytes());
            bytes.extend(document.to_le_bytes());
            bytes.extend([0; 4]);
        }
        bytes
    }

    fn get(&self, at: u32) -> Result<(u64, u32), IndexError> {
        let row: &[u8; ID_ROW] = row(&self.0, at)?;
        Ok((u64_of(row, 0), u32_of(row, 8)))
    }

    /// The documents whose ids have this hash.
    pub(super) fn find(&self, hash: u64) -> Result<Vec<u32>, IndexError> {
        let (mut low, mut high) = (0, self.count());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.get(middle)?.0 < hash {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let mut documents = Vec::new();
        while low < self.count() {
            let (found, document) = self.get(low)?;
            if found != hash {
                break;
            }
            documents.push(document);
            low += 1;
        }
        Ok(documents)
    }
}

fn count(section: &Section, width: usize) -> u32 {
    u32::try_from(section.len() / width).unwrap_or(u32::MAX)
}

fn check_rows(section: &Section, width: usize) -> Result<(), IndexError> {
    if section.len().is_multiple_of(width) && section.len() / width < u32::MAX as usize {
        Ok(())
    } else {
        Err(section.malformed(0, "the table's length is no whole number of rows").into())
    }
}
