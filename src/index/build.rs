//! Writing one segment: documents are pushed one by one, then it is finished with its vectors.
//!
//! Texts are compressed and written as they come; what stays in memory is the tables, the compressed headers and the
//! postings.

use std::collections::BTreeSet;

use evidex_index_format::{SegmentId, SegmentSummary, SegmentWriter, Storage};

use super::IndexError;
use super::blocks::{BlockWriter, write_starts};
use super::hash::{passage_form, quick_hash};
use super::rows::{CHUNKS, ChunkRow, DOCUMENTS, DocumentRow, IDS, IdTable};
use super::segment::{HEADERS, POSTINGS, SegmentFacts, TEXTS};
use crate::corpus::DocumentId;
use crate::lexical::{PostingsWriter, Stemming};
use crate::text::TextSpan;

/// A finished segment, not yet published.
#[derive(Debug, Clone)]
pub(super) struct BuiltSegment {
    pub summary: SegmentSummary,
    pub facts: SegmentFacts,
    pub document_count: u32,
    pub chunk_count: u32,
}

/// A document as the builder takes it.
#[derive(Debug, Clone, Copy)]
pub(super) struct NewDocument<'a> {
    pub id: &'a DocumentId,
    pub title: Option<&'a str>,
    pub header: &'a [u8],
    pub text: &'a str,
    pub content_hash: [u8; 32],
    pub spans: &'a [TextSpan],
}

pub(super) struct SegmentBuilder {
    output: SegmentWriter,
    texts: BlockWriter,
    headers: BlockWriter,
    header_blocks: Vec<u8>,
    document_rows: Vec<u8>,
    chunk_rows: Vec<u8>,
    id_hashes: Vec<u64>,
    chunk_count: u32,
    postings: PostingsWriter,
    stemmings: BTreeSet<Stemming>,
}

impl SegmentBuilder {
    pub(super) fn new(storage: &dyn Storage, id: SegmentId, postings_memory: usize) -> Result<Self, IndexError> {
        let mut output = SegmentWriter::create(storage, id)?;
        output.begin_section(TEXTS)?;
        Ok(Self {
            output,
            texts: BlockWriter::new()?,
            headers: BlockWriter::new()?,
            header_blocks: Vec::new(),
            document_rows: Vec::new(),
            chunk_rows: Vec::new(),
            id_hashes: Vec::new(),
            chunk_count: 0,
            postings: PostingsWriter::new(postings_memory)?,
            stemmings: BTreeSet::new(),
        })
    }

    /// Adds a document and its chunks.
    pub(super) fn push(&mut self, document: NewDocument<'_>) -> Result<(), IndexError> {
        let too_many = || IndexError::InvalidDocument {
            id: short(&document.id.0),
            reason: "its segment would hold too many chunks",
        };
        let number = u32::try_from(self.id_hashes.len()).map_err(|_| too_many())?;
        let chunk_count = u32::try_from(document.spans.len()).map_err(|_| too_many())?;
        let stemming = Stemming::of_document(document.text);
        let row = DocumentRow {
            text_start: self.texts.length(),
            text_length: document.text.len() as u64,
            header_start: self.headers.length(),
            header_length: u32::try_from(document.header.len()).map_err(|_| IndexError::InvalidDocument {
                id: short(&document.id.0),
                reason: "its metadata is longer than 4 GiB",
            })?,
            first_chunk: self.chunk_count,
            chunk_count,
            stemming,
            content_hash: document.content_hash,
        };
        row.encode(&mut self.document_rows);
        self.id_hashes.push(quick_hash(document.id.0.as_bytes()));
        self.stemmings.insert(stemming);
        let output = &mut self.output;
        self.texts.write(document.text.as_bytes(), &mut |block| Ok(output.write_bytes(block)?))?;
        let header_blocks = &mut self.header_blocks;
        self.headers.write(document.header, &mut |block| {
            header_blocks.extend_from_slice(block);
            Ok(())
        })?;
        self.push_chunks(number, &document, stemming)?;
        self.chunk_count = self.chunk_count.checked_add(chunk_count).ok_or_else(too_many)?;
        Ok(())
    }

    fn push_chunks(&mut self, number: u32, document: &NewDocument<'_>, stemming: Stemming) -> Result<(), IndexError> {
        let title = PostingsWriter::title(document.title.unwrap_or(""), stemming);
        let (mut counted_to, mut chars) = (0usize, 0u64);
        for (span, position) in document.spans.iter().zip(0u32..) {
            let Some(text) = span.get(document.text) else {
                return Err(IndexError::InvalidDocument {
                    id: short(&document.id.0),
                    reason: "a chunk lies outside its text",
                });
            };
            // Windows start one after the other, so each part of the text is counted once.
            if span.start < counted_to {
                return Err(IndexError::InvalidDocument {
                    id: short(&document.id.0),
                    reason: "its chunks are out of order",
                });
            }
            chars += document.text[counted_to..span.start].chars().count() as u64;
            counted_to = span.start;
            let row = ChunkRow {
                document: number,
                position,
                start: span.start as u64,
                length: u32::try_from(span.len()).map_err(|_| IndexError::InvalidDocument {
                    id: short(&document.id.0),
                    reason: "a chunk of it is longer than 4 GiB",
                })?,
                chars_before: chars,
                passage_hash: quick_hash(passage_form(text).as_bytes()),
            };
            row.encode(&mut self.chunk_rows);
            self.postings.add(text, &title)?;
        }
        Ok(())
    }

    /// Chunks pushed so far.
    pub(super) fn chunk_count(&self) -> u32 {
        self.chunk_count
    }

    /// Writes the rest, `vectors` among it, and syncs the file.
    pub(super) fn finish(
        self,
        vectors: impl FnOnce(&mut SegmentWriter) -> Result<(), IndexError>,
    ) -> Result<BuiltSegment, IndexError> {
        let Self { mut output, texts, headers, mut header_blocks, .. } = self;
        let text_bytes = texts.length();
        let starts = texts.finish(&mut |block| Ok(output.write_bytes(block)?))?;
        write_starts(&mut output, TEXTS, text_bytes, &starts)?;
        let header_bytes = headers.length();
        let starts = headers.finish(&mut |block| {
            header_blocks.extend_from_slice(block);
            Ok(())
        })?;
        output.write_section(HEADERS, &header_blocks)?;
        write_starts(&mut output, HEADERS, header_bytes, &starts)?;
        output.write_section(DOCUMENTS, &self.document_rows)?;
        output.write_section(CHUNKS, &self.chunk_rows)?;
        output.write_section(IDS, &IdTable::encode(&self.id_hashes))?;
        for (name, bytes) in self.postings.finish()? {
            output.write_section(&format!("{POSTINGS}{name}"), &bytes)?;
        }
        vectors(&mut output)?;
        let summary = output.finish()?;
        Ok(BuiltSegment {
            summary,
            facts: SegmentFacts { stemmings: self.stemmings.into_iter().collect(), text_bytes },
            document_count: u32::try_from(self.id_hashes.len()).unwrap_or(u32::MAX),
            chunk_count: self.chunk_count,
        })
    }
}

/// An id as it stands in messages.
pub(super) fn short(id: &str) -> String {
    match id.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &id[..end]),
        None => id.to_owned(),
    }
}
