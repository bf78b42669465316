//! One generation as a reader sees it: it never changes, whatever is published later.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use evidex_index_format::{Generation, OpenSegments, SegmentEntry, decode_metadata};
use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};

use super::IndexError;
use super::options::IndexOptions;
use super::rows::DocumentRow;
use super::segment::{Segment, SegmentFacts};
use crate::chunk::ChunkPolicy;
use crate::corpus::{Document, DocumentId, MetadataValue};
use crate::embed::EmbedderIdentity;
use crate::lexical::Stemming;
use crate::text::TextSpan;
use crate::vector::VectorStorage;

/// As much of a document as stands before a passage to resolve references with, in bytes.
const LEAD_BYTES: u64 = 300;

/// A chunk's number in a snapshot; numbers of removed chunks are not used again within the snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ChunkOrdinal(pub u32);

/// One generation of an index. Clones are cheap and share what is open.
#[derive(Debug, Clone)]
pub struct Snapshot(pub(super) Arc<Inner>);

#[derive(Debug)]
pub(super) struct Inner {
    pub options: IndexOptions,
    /// What is open: of one generation, but for a view of several indexes together.
    pub open: Vec<OpenSegments>,
    pub segments: Vec<SnapshotSegment>,
    pub document_count: u64,
    pub chunk_count: u64,
}

/// A segment with what was removed from it.
#[derive(Debug, Clone)]
pub struct SnapshotSegment {
    pub(super) segment: Arc<Segment>,
    pub(super) removed_documents: RoaringBitmap,
    pub(super) removed_chunks: RoaringBitmap,
    /// What a filter lets through; `None` without one.
    pub(super) admitted: Option<Admitted>,
    pub(super) first_chunk: u32,
}

/// The documents of a segment that a filter lets through, and their chunks; none of them is a removed one.
#[derive(Debug, Clone, Default)]
pub(super) struct Admitted {
    pub documents: RoaringBitmap,
    pub chunks: RoaringBitmap,
}

impl SnapshotSegment {
    /// The segment.
    pub fn segment(&self) -> &Segment {
        &self.segment
    }

    pub(super) fn shared(&self) -> Arc<Segment> {
        Arc::clone(&self.segment)
    }

    pub(super) fn removed_documents(&self) -> &RoaringBitmap {
        &self.removed_documents
    }

    pub(super) fn removed_chunk_count(&self) -> u64 {
        self.removed_chunks.len()
    }

    /// Whether the segment's chunk can be found: it was not removed, and the view's filter lets it through.
    #[inline]
    pub fn is_alive(&self, chunk: u32) -> bool {
        match &self.admitted {
            Some(admitted) => admitted.chunks.contains(chunk),
            None => self.removed_chunks.is_empty() || !self.removed_chunks.contains(chunk),
        }
    }

    /// Whether the segment's document is there, as for [`is_alive`](Self::is_alive).
    pub(super) fn has_document(&self, document: u32) -> bool {
        match &self.admitted {
            Some(admitted) => admitted.documents.contains(document),
            None => !self.removed_documents.contains(document),
        }
    }

    /// The chunks that a filter lets through, in order; `None` where there is no filter.
    pub fn admitted_chunks(&self) -> Option<&RoaringBitmap> {
        self.admitted.as_ref().map(|admitted| &admitted.chunks)
    }

    /// How many documents and chunks can be found in the segment.
    pub(super) fn live_counts(&self) -> (u64, u64) {
        match &self.admitted {
            Some(admitted) => (admitted.documents.len(), admitted.chunks.len()),
            None => (
                u64::from(self.segment.document_count()) - self.removed_documents.len(),
                u64::from(self.segment.chunk_count()) - self.removed_chunks.len(),
            ),
        }
    }

    /// The number in the snapshot of a chunk of this segment.
    pub fn ordinal(&self, chunk: u32) -> ChunkOrdinal {
        ChunkOrdinal(self.first_chunk.saturating_add(chunk))
    }
}

/// A document without its text.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentHeader {
    /// Stable id.
    pub id: DocumentId,
    /// Title, where there is one.
    pub title: Option<String>,
    /// The file, address or name of its source.
    pub source: String,
    /// The place in the source, where it holds several documents.
    pub place: Option<String>,
    /// The address that the document itself names.
    pub url: Option<String>,
    /// How many chunks it was cut into.
    pub chunk_count: u32,
    /// Length of its text in bytes.
    pub text_length: u64,
    /// Further fields.
    pub metadata: BTreeMap<String, MetadataValue>,
}

/// A chunk with its document's header: verbatim text and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct PassageText {
    /// The chunk.
    pub ordinal: ChunkOrdinal,
    /// The document it stands in.
    pub document_id: DocumentId,
    /// The file, address or name of the document's source.
    pub source: String,
    /// The document's title.
    pub title: Option<String>,
    /// The document's address.
    pub url: Option<String>,
    /// Verbatim text.
    pub text: String,
    /// Where it stands in the document, in bytes.
    pub span: TextSpan,
    /// Its place among the document's chunks.
    pub position: u32,
    /// Characters of the document before it.
    pub chars_before: usize,
    /// The document's text just before it.
    pub lead: String,
    /// The document's further fields.
    pub metadata: BTreeMap<String, MetadataValue>,
}

/// How many bytes a section takes over all segments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SectionBytes {
    /// The section's name.
    pub name: String,
    /// Its bytes.
    pub bytes: u64,
}

/// What a generation holds and what it takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IndexStat {
    /// The generation.
    pub generation: Generation,
    /// When the index was made, in seconds since 1970.
    pub created: u64,
    /// Documents.
    pub documents: u64,
    /// Chunks.
    pub chunks: u64,
    /// Removed documents that still lie in segments.
    pub removed_documents: u64,
    /// Removed chunks that still lie in segments.
    pub removed_chunks: u64,
    /// Segments.
    pub segments: u64,
    /// Segments with a graph.
    pub graphs: u64,
    /// Bytes of all texts, removed ones too.
    pub text_bytes: u64,
    /// Bytes of all segments' files.
    pub file_bytes: u64,
    /// The same by section, largest first.
    pub sections: Vec<SectionBytes>,
    /// Who made the vectors.
    pub embedder: Option<EmbedderIdentity>,
    /// How documents are cut.
    pub chunking: ChunkPolicy,
    /// What is kept of the vectors.
    pub vectors: VectorStorage,
    /// The stemmers in use.
    pub stemmings: Vec<Stemming>,
}

impl Snapshot {
    /// The snapshot of opened segments; segments that `previous` has open already are shared with it.
    pub(super) fn new(
        options: IndexOptions,
        open: OpenSegments,
        previous: Option<&Snapshot>,
    ) -> Result<Self, IndexError> {
        let mut segments: Vec<SnapshotSegment> = Vec::with_capacity(open.readers.len());
        let (mut document_count, mut chunk_count, mut first_chunk) = (0u64, 0u64, 0u32);
        for ((entry, reader), tombstones) in open.manifest.segments.iter().zip(&open.readers).zip(&open.tombstones) {
            let known = previous.and_then(|previous| {
                previous
                    .open_segments()
                    .manifest
                    .segments
                    .iter()
                    .zip(&previous.0.segments)
                    .find(|(e, _)| e.summary == entry.summary)
            });
            let segment = match known {
                Some((_, known)) => known.shared(),
                None => {
                    let facts: SegmentFacts = decode_metadata(&open.manifest.file_name(), None, &entry.extra)?;
                    Arc::new(Segment::open(reader.clone(), &options, facts)?)
                }
            };
            let segment = Self::with_tombstones(segment, entry, tombstones.as_deref(), first_chunk)?;
            let (documents, chunks) = segment.live_counts();
            document_count += documents;
            chunk_count += chunks;
            first_chunk = first_chunk
                .checked_add(segment.segment.chunk_count())
                .ok_or_else(|| segment.segment.damaged("the generation holds more chunks than can be numbered"))?;
            segments.push(segment);
        }
        Ok(Self(Arc::new(Inner { options, open: vec![open], segments, document_count, chunk_count })))
    }

    fn with_tombstones(
        segment: Arc<Segment>,
        entry: &SegmentEntry,
        tombstones: Option<&[u8]>,
        first_chunk: u32,
    ) -> Result<SnapshotSegment, IndexError> {
        let counts = (u64::from(segment.document_count()), u64::from(segment.chunk_count()));
        if counts != (entry.document_count, entry.chunk_count) {
            return Err(segment.damaged("the manifest counts other documents and chunks"));
        }
        let removed_documents = match tombstones {
            Some(bytes) => RoaringBitmap::deserialize_from(bytes)
                .map_err(|error| segment.damaged(format!("its tombstones cannot be read: {error}")))?,
            None => RoaringBitmap::new(),
        };
        if removed_documents.max().is_some_and(|last| last >= segment.document_count()) {
            return Err(segment.damaged("its tombstones name a document that it does not hold"));
        }
        let mut removed_chunks = RoaringBitmap::new();
        for document in &removed_documents {
            let row = segment.document_row(document)?;
            let end = row.first_chunk.checked_add(row.chunk_count).filter(|&end| end <= segment.chunk_count());
            let end = end.ok_or_else(|| segment.damaged("a document's chunks lie outside the segment"))?;
            removed_chunks.insert_range(row.first_chunk..end);
        }
        Ok(SnapshotSegment { segment, removed_documents, removed_chunks, admitted: None, first_chunk })
    }

    /// What is open; of a view of several indexes, the first one's.
    pub(super) fn open_segments(&self) -> &OpenSegments {
        &self.0.open[0]
    }

    pub(super) fn roots(&self) -> Result<super::roots::SourceRoots, IndexError> {
        let manifest = &self.open_segments().manifest;
        Ok(IndexOptions::decode(&manifest.file_name(), &manifest.settings)?.roots)
    }

    /// The generation; of a view of several indexes, the first one's.
    pub fn generation(&self) -> Generation {
        self.open_segments().manifest.generation
    }

    /// What the index was made with.
    pub fn options(&self) -> &IndexOptions {
        &self.0.options
    }

    /// How many documents there are.
    pub fn document_count(&self) -> u64 {
        self.0.document_count
    }

    /// How many chunks there are.
    pub fn chunk_count(&self) -> u64 {
        self.0.chunk_count
    }

    /// The segments, in the manifest's order.
    pub fn segments(&self) -> &[SnapshotSegment] {
        &self.0.segments
    }

    /// The stemmers that documents of this generation were read with.
    pub fn stemmings(&self) -> Vec<Stemming> {
        let all: BTreeSet<Stemming> =
            self.0.segments.iter().flat_map(|segment| segment.segment.facts.stemmings.iter().copied()).collect();
        all.into_iter().collect()
    }

    /// The document with this id, as it was added.
    ///
    /// # Errors
    /// When its segment is damaged.
    pub fn document(&self, id: &DocumentId) -> Result<Option<Document>, IndexError> {
        for segment in &self.0.segments {
            let alive = |document| segment.has_document(document);
            if let Some(document) = segment.segment.find(id, alive)? {
                return segment.segment.document(document).map(Some);
            }
        }
        Ok(None)
    }

    /// The chunks of the document with this id, in order; none where there is no such document.
    ///
    /// # Errors
    /// When its segment is damaged.
    pub fn chunks_of(&self, id: &DocumentId) -> Result<Vec<ChunkOrdinal>, IndexError> {
        for segment in &self.0.segments {
            let alive = |document| segment.has_document(document);
            if let Some(document) = segment.segment.find(id, alive)? {
                let row = segment.segment.document_row(document)?;
                let chunks = row.first_chunk..row.first_chunk.saturating_add(row.chunk_count);
                return Ok(chunks.map(|chunk| segment.ordinal(chunk)).collect());
            }
        }
        Ok(Vec::new())
    }

    /// The vector of a chunk, as exactly as it is kept; `None` where the index has no vectors or no such chunk.
    ///
    /// # Errors
    /// When its segment is damaged.
    pub fn vector(&self, ordinal: ChunkOrdinal) -> Result<Option<Vec<f32>>, IndexError> {
        let Some((segment, chunk)) = self.locate(ordinal) else { return Ok(None) };
        let Some(vectors) = segment.segment.vectors() else { return Ok(None) };
        Ok(Some(vectors.vector(chunk)?.into_owned()))
    }

    /// All documents, in the order in which they lie in the index.
    pub fn documents(&self) -> impl Iterator<Item = Result<DocumentHeader, IndexError>> + '_ {
        self.0.segments.iter().flat_map(|segment| {
            (0..segment.segment.document_count()).filter(|&document| segment.has_document(document)).map(|document| {
                let row = segment.segment.document_row(document)?;
                let header = segment.segment.header(&row)?;
                Ok(DocumentHeader {
                    metadata: header.metadata(),
                    id: header.id,
                    title: header.title,
                    source: header.provenance.source,
                    place: header.provenance.place,
                    url: header.provenance.url,
                    chunk_count: row.chunk_count,
                    text_length: row.text_length,
                })
            })
        })
    }

    /// The segment and number in it of a chunk; `None` if there is no such chunk or it was removed.
    pub fn locate(&self, ordinal: ChunkOrdinal) -> Option<(&SnapshotSegment, u32)> {
        let at = self.0.segments.partition_point(|segment| segment.first_chunk <= ordinal.0).checked_sub(1)?;
        let segment = self.0.segments.get(at)?;
        let chunk = ordinal.0 - segment.first_chunk;
        (chunk < segment.segment.chunk_count() && segment.is_alive(chunk)).then_some((segment, chunk))
    }

    /// The text of a chunk and where it stands; `None` if there is no such chunk or it was removed.
    ///
    /// # Errors
    /// When its segment is damaged.
    pub fn passage(&self, ordinal: ChunkOrdinal) -> Result<Option<PassageText>, IndexError> {
        let Some((segment, chunk)) = self.locate(ordinal) else { return Ok(None) };
        let segment = segment.segment();
        let row = segment.chunk_row(chunk)?;
        let document: DocumentRow = segment.document_row(row.document)?;
        let header = segment.header(&document)?;
        let span = row.span().ok_or_else(|| segment.damaged("a chunk lies outside its document"))?;
        let (lead, text) = segment.text_with_lead(&document, row.start, span.end as u64, LEAD_BYTES)?;
        Ok(Some(PassageText {
            ordinal,
            metadata: header.metadata(),
            document_id: header.id,
            source: header.provenance.source,
            title: header.title,
            url: header.provenance.url,
            text,
            span,
            position: row.position,
            chars_before: usize::try_from(row.chars_before).unwrap_or(usize::MAX),
            lead: whole_words(lead, row.start > LEAD_BYTES),
        }))
    }

    /// A hash that is equal for chunks whose texts are identical but for case and spacing.
    pub(crate) fn passage_hash(&self, ordinal: ChunkOrdinal) -> Result<u64, IndexError> {
        let Some((segment, chunk)) = self.locate(ordinal) else { return Ok(0) };
        Ok(segment.segment.chunk_row(chunk)?.passage_hash)
    }

    /// The document and position of a chunk: what chunks of equal score are ordered by.
    pub(crate) fn chunk_key(&self, ordinal: ChunkOrdinal) -> Result<(DocumentId, u32), IndexError> {
        let Some((segment, chunk)) = self.locate(ordinal) else { return Ok((DocumentId::from(""), 0)) };
        let row = segment.segment.chunk_row(chunk)?;
        let document = segment.segment.document_row(row.document)?;
        Ok((segment.segment.header(&document)?.id, row.position))
    }

    /// What this generation holds and what it takes.
    pub fn stat(&self) -> IndexStat {
        let manifest = &self.open_segments().manifest;
        let entries = || self.0.open.iter().flat_map(|open| &open.manifest.segments);
        let mut sections: BTreeMap<&str, u64> = BTreeMap::new();
        for section in entries().flat_map(|entry| &entry.summary.sections) {
            *sections.entry(&section.name).or_default() += section.length;
        }
        let mut sections: Vec<SectionBytes> =
            sections.into_iter().map(|(name, bytes)| SectionBytes { name: name.to_owned(), bytes }).collect();
        sections.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.name.cmp(&b.name)));
        let segments = &self.0.segments;
        let has_graph =
            |segment: &&SnapshotSegment| segment.segment.vectors().is_some_and(|vectors| vectors.has_graph());
        IndexStat {
            generation: manifest.generation,
            created: manifest.created,
            documents: self.0.document_count,
            chunks: self.0.chunk_count,
            removed_documents: segments.iter().map(|segment| segment.removed_documents.len()).sum(),
            removed_chunks: segments.iter().map(|segment| segment.removed_chunks.len()).sum(),
            segments: segments.len() as u64,
            graphs: segments.iter().filter(has_graph).count() as u64,
            text_bytes: segments.iter().map(|segment| segment.segment.facts.text_bytes).sum(),
            file_bytes: entries().map(|entry| entry.summary.length).sum(),
            sections,
            embedder: self.0.options.embedder.clone(),
            chunking: self.0.options.chunking,
            vectors: self.0.options.vectors,
            stemmings: self.stemmings(),
        }
    }
}

/// A lead that was cut off inside a word starts at the next one.
fn whole_words(lead: String, was_cut: bool) -> String {
    if !was_cut {
        return lead;
    }
    match lead.char_indices().find(|(_, c)| c.is_whitespace()) {
        Some((at, c)) => lead[at + c.len_utf8()..].to_owned(),
        None => lead,
    }
}
