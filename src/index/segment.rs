//! One immutable segment, open for reading.

use std::fmt;

use evidex_index_format::{SegmentId, SegmentReader};
use serde::{Deserialize, Serialize};

use super::IndexError;
use super::blocks::BlockReader;
use super::hash::quick_hash;
use super::options::IndexOptions;
use super::rows::{CHUNKS, ChunkRow, ChunkTable, DOCUMENTS, DocumentRow, DocumentTable, IDS, IdTable};
use super::stored::StoredHeader;
use crate::corpus::{Document, DocumentId};
use crate::lexical::{PostingsFile, PostingsReader, Stemming};
use crate::vector::VectorReader;

pub(super) const TEXTS: &str = "texts";
pub(super) const HEADERS: &str = "headers";
/// Postings lie in sections of this name and the name of the file.
pub(super) const POSTINGS: &str = "postings.";

/// What a manifest says of a segment besides its counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SegmentFacts {
    /// The stemmers of its documents.
    pub stemmings: Vec<Stemming>,
    /// Bytes of its documents' texts.
    pub text_bytes: u64,
}

/// One immutable segment, open for reading. Numbers of documents and chunks count from 0 in each segment.
pub struct Segment {
    reader: SegmentReader,
    pub(super) facts: SegmentFacts,
    documents: DocumentTable,
    chunks: ChunkTable,
    ids: IdTable,
    texts: BlockReader,
    headers: BlockReader,
    postings: PostingsReader,
    vectors: Option<VectorReader>,
}

impl fmt::Debug for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Segment")
            .field("id", &self.id())
            .field("documents", &self.document_count())
            .field("chunks", &self.chunk_count())
            .finish()
    }
}

impl Segment {
    pub(super) fn open(reader: SegmentReader, options: &IndexOptions, facts: SegmentFacts) -> Result<Self, IndexError> {
        let documents = DocumentTable::open(reader.section(DOCUMENTS)?)?;
        let chunks = ChunkTable::open(reader.section(CHUNKS)?)?;
        let ids = IdTable::open(reader.section(IDS)?)?;
        let files: Vec<String> =
            reader.sections().filter_map(|section| section.name.strip_prefix(POSTINGS).map(str::to_owned)).collect();
        let files = files
            .into_iter()
            .map(|name| Ok(PostingsFile::stored(&name, reader.section(&format!("{POSTINGS}{name}"))?)))
            .collect::<Result<_, IndexError>>()?;
        let postings = PostingsReader::open(files)?;
        let vectors = match &options.embedder {
            Some(_) => Some(VectorReader::open(&reader, chunks.count(), options.dimension(), options.vectors)?),
            None => None,
        };
        let segment = Self {
            texts: BlockReader::open(&reader, TEXTS)?,
            headers: BlockReader::open(&reader, HEADERS)?,
            reader,
            facts,
            documents,
            chunks,
            ids,
            postings,
            vectors,
        };
        if segment.postings.chunk_count() != segment.chunk_count() || segment.ids.count() != segment.document_count() {
            return Err(segment.damaged("its tables have different lengths"));
        }
        Ok(segment)
    }

    pub(super) fn damaged(&self, reason: impl Into<String>) -> IndexError {
        IndexError::Damaged { segment: self.id().0, reason: reason.into() }
    }

    /// Its number.
    pub fn id(&self) -> SegmentId {
        self.reader.id()
    }

    /// Documents in it, removed ones too.
    pub fn document_count(&self) -> u32 {
        self.documents.count()
    }

    /// Chunks in it, removed ones too.
    pub fn chunk_count(&self) -> u32 {
        self.chunks.count()
    }

    /// Its postings.
    pub fn postings(&self) -> &PostingsReader {
        &self.postings
    }

    /// Its vectors, if the index has any.
    pub fn vectors(&self) -> Option<&VectorReader> {
        self.vectors.as_ref()
    }

    pub(super) fn document_row(&self, document: u32) -> Result<DocumentRow, IndexError> {
        self.documents.get(document)
    }

    pub(super) fn chunk_row(&self, chunk: u32) -> Result<ChunkRow, IndexError> {
        self.chunks.get(chunk)
    }

    pub(super) fn header(&self, row: &DocumentRow) -> Result<StoredHeader, IndexError> {
        let end = row.header_start.saturating_add(u64::from(row.header_length));
        let bytes = self.headers.read(row.header_start..end)?;
        Ok(evidex_index_format::decode_metadata(self.reader.file_name(), Some(HEADERS), &bytes)?)
    }

    /// The whole text of a document.
    pub(super) fn text(&self, row: &DocumentRow) -> Result<String, IndexError> {
        self.texts.read_text(row.text_start..row.text_start.saturating_add(row.text_length))
    }

    /// The text of a document from byte `start` to byte `end`, and up to `lead` bytes before it; the lead starts at a
    /// character.
    pub(super) fn text_with_lead(
        &self,
        row: &DocumentRow,
        start: u64,
        end: u64,
        lead: u64,
    ) -> Result<(String, String), IndexError> {
        if start > end || end > row.text_length {
            return Err(self.damaged("a chunk lies outside its document"));
        }
        let lead_start = start.saturating_sub(lead);
        let base = row.text_start;
        let bytes = self.texts.read(base.saturating_add(lead_start)..base.saturating_add(end))?;
        let (before, text) = bytes.split_at((start - lead_start) as usize);
        let not_text = || self.damaged("a chunk does not lie on character boundaries");
        let text = std::str::from_utf8(text).map_err(|_| not_text())?.to_owned();
        let skip = before.iter().take_while(|&&byte| byte & 0xc0 == 0x80).count().min(before.len());
        let before = std::str::from_utf8(&before[skip..]).map_err(|_| not_text())?;
        Ok((before.to_owned(), text))
    }

    /// The document with this id among those that `alive` admits.
    pub(super) fn find(&self, id: &DocumentId, alive: impl Fn(u32) -> bool) -> Result<Option<u32>, IndexError> {
        for document in self.ids.find(quick_hash(id.0.as_bytes()))? {
            if alive(document) && self.header(&self.document_row(document)?)?.id == *id {
                return Ok(Some(document));
            }
        }
        Ok(None)
    }

    /// A document as it was added.
    pub(super) fn document(&self, document: u32) -> Result<Document, IndexError> {
        let row = self.document_row(document)?;
        let text = self.text(&row)?;
        Ok(self.header(&row)?.into_document(text))
    }

    /// Whether the hash of an id leads to each document: what a deep check asks.
    pub(super) fn knows(&self, id: &DocumentId, document: u32) -> Result<bool, IndexError> {
        Ok(self.ids.find(quick_hash(id.0.as_bytes()))?.contains(&document))
    }
}
