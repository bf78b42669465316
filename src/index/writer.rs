//! The writer: documents go in one by one, a commit publishes them together.
//!
//! Documents wait in a buffer until the memory budget is reached; then the buffer becomes a segment on disk, which no
//! reader sees before the commit. All that a commit does becomes visible at once, or not at all.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use evidex_index_format::{
    Generation, Keep, LockHolder, SegmentEntry, SegmentReader, SegmentSummary, Tombstones, WriterLock, encode_metadata,
};
use roaring::RoaringBitmap;

use super::IndexError;
use super::build::{BuiltSegment, NewDocument, SegmentBuilder, short};
use super::embedding::{Embedding, write_vectors};
use super::handle::{Index, now};
use super::hash::{content_hash, encode_header};
use super::merge::{self, Candidate};
use super::options::WriterOptions;
use super::resume::EmbeddingLog;
use super::roots::SourceRoots;
use super::segment::{Segment, SegmentFacts};
use super::stored::StoredHeader;
use super::threads::Threads;
use crate::chunk::chunk_spans;
use crate::corpus::{Document, DocumentId, MetadataValue};
use crate::embed::Embedder;
use crate::text::TextSpan;

/// What adding a document did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// There was no document with its id.
    New,
    /// It takes the place of another version.
    Replaced,
    /// The index holds it already, word for word.
    Unchanged,
}

/// What a commit published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommitSummary {
    /// The generation that is current now; the same as before where nothing changed.
    pub generation: Generation,
    /// Documents added under new ids.
    pub added: u64,
    /// Documents that took the place of other versions.
    pub replaced: u64,
    /// Documents that were there already.
    pub unchanged: u64,
    /// Documents removed.
    pub removed: u64,
    /// Chunks cut from what was added or replaced.
    pub chunks: u64,
}

/// The least that a buffer may hold; the postings writer takes some 15 MiB besides, whatever the budget.
const LEAST_BUDGET: usize = 64 << 10;

/// Chunks after which a buffer becomes a segment whatever the budget, so that numbers stay far from their limits.
const MOST_CHUNKS: usize = 8 << 20;

/// The index's only writer. Dropping it without [`commit`](Self::commit) publishes nothing and frees the lock.
pub struct IndexWriter {
    pub(super) index: Index,
    embedder: Option<Arc<dyn Embedder>>,
    pub(super) options: WriterOptions,
    pub(super) threads: Threads,
    pub(super) segments: Vec<Working>,
    pub(super) buffer: Buffer,
    counts: Counts,
    pub(super) dirty: bool,
    pub(super) failed: bool,
    embedded: Arc<AtomicU64>,
    /// Vectors of an earlier writer that did not publish, and of this one until it does.
    log: Option<EmbeddingLog>,
    pub(super) roots: SourceRoots,
    /// Whether files of other folders may take the place of those of the same ids.
    pub(super) moved: bool,
    // Dropped last, so that no other writer starts before this one's files are closed.
    pub(super) lock: WriterLock,
}

/// A segment of the pending generation.
pub(super) struct Working {
    pub segment: Arc<Segment>,
    pub summary: SegmentSummary,
    pub facts: SegmentFacts,
    pub removed_documents: RoaringBitmap,
    pub removed_chunks: u64,
    /// As published, while nothing more was removed.
    pub tombstones: Option<Tombstones>,
    /// Documents that were added again and had not changed.
    pub confirmed: RoaringBitmap,
    /// Made by this writer, not published yet.
    pub own: bool,
}

#[derive(Debug, Default)]
pub(super) struct Buffer {
    documents: Vec<Option<Buffered>>,
    by_id: HashMap<DocumentId, usize>,
    chunks: usize,
    bytes: usize,
}

#[derive(Debug)]
pub(super) struct Buffered {
    id: DocumentId,
    title: Option<String>,
    header: Vec<u8>,
    text: String,
    content_hash: [u8; 32],
    spans: Vec<TextSpan>,
}

impl Buffered {
    /// The texts to embed, chunk by chunk.
    pub(super) fn chunks(&self) -> impl Iterator<Item = (Option<&str>, &str)> {
        self.spans.iter().map(|span| (self.title.as_deref(), span.of(&self.text)))
    }
}

#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    added: u64,
    replaced: u64,
    unchanged: u64,
    removed: u64,
    chunks: u64,
}

/// Where the current version of a document is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place {
    Buffered(usize),
    Stored(usize, u32),
}

impl fmt::Debug for IndexWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IndexWriter")
            .field("index", &self.index)
            .field("options", &self.options)
            .field("counts", &self.counts)
            .finish_non_exhaustive()
    }
}

impl IndexWriter {
    pub(super) fn new(
        index: Index,
        embedder: Option<Arc<dyn Embedder>>,
        options: WriterOptions,
    ) -> Result<Self, IndexError> {
        let lock = index.store().lock_writer(&LockHolder::this_process(now()))?;
        let threads = Threads::new(options.threads)?;
        let mut writer = Self {
            index,
            embedder,
            options,
            threads,
            segments: Vec::new(),
            buffer: Buffer::default(),
            counts: Counts::default(),
            dirty: false,
            failed: false,
            embedded: Arc::default(),
            log: None,
            roots: SourceRoots::default(),
            moved: false,
            lock,
        };
        if let Some(embedder) = writer.embedder.as_ref().map(|embedder| embedder.identity().clone())
            && writer.options.resumable
            && !embedder.is_quick()
        {
            let log = EmbeddingLog::open(writer.index.store().storage(), &embedder)?;
            if log.taken_up() > 0 {
                tracing::info!("{} embeddings are taken over from a run that did not end", log.taken_up());
            }
            writer.log = Some(log);
        }
        // What a killed writer left behind is no one's now.
        if let Err(error) = writer.index.store().collect_garbage(&writer.lock, &Keep::default()) {
            tracing::warn!("leftover files could not be removed: {error}");
        }
        writer.load()?;
        Ok(writer)
    }

    /// Takes over the segments of the current generation.
    fn load(&mut self) -> Result<(), IndexError> {
        let snapshot = self.index.snapshot()?;
        self.segments = snapshot
            .segments()
            .iter()
            .zip(&snapshot.open_segments().manifest.segments)
            .map(|(segment, entry)| Working {
                segment: segment.shared(),
                summary: entry.summary.clone(),
                facts: segment.segment().facts.clone(),
                removed_documents: segment.removed_documents().clone(),
                removed_chunks: segment.removed_chunk_count(),
                tombstones: entry.tombstones.clone(),
                confirmed: RoaringBitmap::new(),
                own: false,
            })
            .collect();
        self.roots = snapshot.roots()?;
        Ok(())
    }

    /// Adds a document, or replaces the one with the same id.
    ///
    /// # Errors
    /// [`IndexError::InvalidDocument`] when it cannot be stored, and the writer goes on; [`IndexError::Cancelled`],
    /// and errors of the storage or the embedder, after which the writer must be dropped.
    pub fn add(&mut self, document: Document) -> Result<Added, IndexError> {
        self.ready()?;
        if let (None, Some(expected)) = (&self.embedder, &self.index.options().embedder) {
            return Err(IndexError::EmbedderNeeded { expected: expected.name.clone() });
        }
        validate(&document)?;
        let header = encode_header(&StoredHeader::of(&document))?;
        let content_hash = content_hash(&header, &document.text);
        let place = self.find(&document.id)?;
        let known = match &place {
            Some(Place::Buffered(at)) => self.buffer.documents[*at].as_ref().map(|known| known.content_hash),
            Some(Place::Stored(segment, number)) => {
                Some(self.segments[*segment].segment.document_row(*number)?.content_hash)
            }
            None => None,
        };
        if known == Some(content_hash) {
            if let Some(Place::Stored(segment, number)) = place {
                self.segments[segment].confirmed.insert(number);
            }
            self.counts.unchanged += 1;
            return Ok(Added::Unchanged);
        }
        if let Some(place) = &place {
            self.check_source(&document.id, &document.provenance.source, place)?;
        }
        // Cut before anything changes: a document that cannot be cut leaves its older version in place.
        let spans = chunk_spans(&document.text, &self.index.options().chunking)?;
        let chunks = spans.len();
        let outcome = match place {
            Some(place) => {
                self.take_out(place)?;
                self.counts.replaced += 1;
                Added::Replaced
            }
            None => {
                self.counts.added += 1;
                Added::New
            }
        };
        self.counts.chunks += chunks as u64;
        self.dirty = true;
        self.buffer.push(
            Buffered { id: document.id, title: document.title, header, text: document.text, content_hash, spans },
            self.index.options().vector_memory(),
        );
        if self.buffer.bytes > self.budget() / 4 * 3 || self.buffer.chunks >= MOST_CHUNKS {
            self.flush()?;
        }
        Ok(outcome)
    }

    /// Removes the document with this id; gives whether there was one.
    ///
    /// # Errors
    /// [`IndexError::Cancelled`], and damage.
    pub fn remove(&mut self, id: &DocumentId) -> Result<bool, IndexError> {
        self.ready()?;
        let Some(place) = self.find(id)? else { return Ok(false) };
        self.take_out(place)?;
        self.dirty = true;
        self.counts.removed += 1;
        Ok(true)
    }

    /// Whether the pending generation holds a document with this id.
    ///
    /// # Errors
    /// Damage.
    pub fn contains(&self, id: &DocumentId) -> Result<bool, IndexError> {
        Ok(self.find(id)?.is_some())
    }

    /// Publishes everything since the last commit as one generation. After this returns it survives a loss of power.
    ///
    /// # Errors
    /// [`IndexError::Cancelled`], and errors of the storage or the embedder: the generation before stays current,
    /// and the writer must be dropped.
    pub fn commit(&mut self) -> Result<CommitSummary, IndexError> {
        self.ready()?;
        self.flush()?;
        let changed = self.dirty;
        let generation = if changed {
            let published = self.publish();
            self.failed |= published.is_err();
            published?
        } else {
            self.index.store().current().generation
        };
        let Counts { added, replaced, unchanged, removed, chunks } = std::mem::take(&mut self.counts);
        self.dirty = false;
        Ok(CommitSummary { generation, added, replaced, unchanged, removed, chunks })
    }

    pub(super) fn publish(&mut self) -> Result<Generation, IndexError> {
        self.drop_empty_segments();
        self.merge()?;
        let store = self.index.store();
        let mut manifest = store.current().next();
        let mut entries = Vec::with_capacity(self.segments.len());
        for working in &mut self.segments {
            if working.tombstones.is_none() && !working.removed_documents.is_empty() {
                let mut bytes = Vec::new();
                working.removed_documents.serialize_into(&mut bytes).map_err(|source| {
                    evidex_index_format::FormatError::Io { operation: "encode", file: "tombstones".to_owned(), source }
                })?;
                working.tombstones =
                    Some(Tombstones::write(store.storage(), working.summary.id, manifest.generation, &bytes)?);
            }
            entries.push(SegmentEntry {
                summary: working.summary.clone(),
                chunk_count: u64::from(working.segment.chunk_count()),
                document_count: u64::from(working.segment.document_count()),
                tombstones: working.tombstones.clone(),
                extra: encode_metadata(&working.facts)?,
            });
        }
        manifest.segments = entries;
        manifest.settings = self.index.options().encode(&self.roots)?;
        if self.options.cancellation.is_cancelled() {
            return Err(IndexError::Cancelled);
        }
        let published = store.publish(&self.lock, manifest)?;
        if let Some(log) = &mut self.log
            && let Err(error) = log.remove(store.storage())
        {
            tracing::warn!("the log of finished embeddings could not be removed: {error}");
        }
        for working in &mut self.segments {
            working.own = false;
            working.confirmed.clear();
        }
        // What is published stays published, whether or not older files can be removed.
        match store.collect_garbage(&self.lock, &Keep::default()) {
            Ok(collected) => collected.warnings.iter().for_each(|warning| tracing::warn!("{warning}")),
            Err(error) => tracing::warn!("old files could not be removed: {error}"),
        }
        Ok(published.generation)
    }

    /// Leaves out segments of which everything was removed.
    pub(super) fn drop_empty_segments(&mut self) {
        self.segments.retain(|working| working.removed_documents.len() < u64::from(working.segment.document_count()));
    }

    pub(super) fn ready(&self) -> Result<(), IndexError> {
        if self.failed {
            return Err(IndexError::WriterFailed);
        }
        if self.options.cancellation.is_cancelled() {
            return Err(IndexError::Cancelled);
        }
        Ok(())
    }

    pub(super) fn budget(&self) -> usize {
        self.options.memory_budget.max(LEAST_BUDGET)
    }

    fn find(&self, id: &DocumentId) -> Result<Option<Place>, IndexError> {
        if let Some(&at) = self.buffer.by_id.get(id) {
            return Ok(Some(Place::Buffered(at)));
        }
        for (at, working) in self.segments.iter().enumerate() {
            let alive = |number| !working.removed_documents.contains(number);
            if let Some(number) = working.segment.find(id, alive)? {
                return Ok(Some(Place::Stored(at, number)));
            }
        }
        Ok(None)
    }

    fn take_out(&mut self, place: Place) -> Result<(), IndexError> {
        match place {
            Place::Buffered(at) => {
                let of_vector = self.index.options().vector_memory();
                self.buffer.take_out(at, of_vector);
            }
            Place::Stored(segment, number) => {
                let working = &mut self.segments[segment];
                let row = working.segment.document_row(number)?;
                if working.removed_documents.insert(number) {
                    working.removed_chunks += u64::from(row.chunk_count);
                }
                working.tombstones = None;
            }
        }
        Ok(())
    }

    /// Makes a segment of what is in the buffer.
    pub(super) fn flush(&mut self) -> Result<(), IndexError> {
        let buffer = std::mem::take(&mut self.buffer);
        let documents: Vec<Buffered> = buffer.documents.into_iter().flatten().collect();
        if documents.is_empty() {
            return Ok(());
        }
        let built = self.build(&documents);
        drop(documents);
        let opened = built.and_then(|built| self.open(built));
        self.failed |= opened.is_err();
        self.segments.push(opened?);
        Ok(())
    }

    fn build(&self, documents: &[Buffered]) -> Result<BuiltSegment, IndexError> {
        let store = self.index.store();
        let id = store.allocate_segment(&self.lock);
        let cancellation = &self.options.cancellation;
        let push = || {
            let mut builder = SegmentBuilder::new(store.storage(), id, self.budget() / 4)?;
            for document in documents {
                if cancellation.is_cancelled() {
                    return Err(IndexError::Cancelled);
                }
                builder.push(NewDocument {
                    id: &document.id,
                    title: document.title.as_deref(),
                    header: &document.header,
                    text: &document.text,
                    content_hash: document.content_hash,
                    spans: &document.spans,
                })?;
            }
            Ok(builder)
        };
        let vectors = || match &self.embedder {
            Some(embedder) => {
                let log = self.log.as_ref().map(|log| (log, store.storage()));
                let (options, done) = (&self.options, &*self.embedded);
                Embedding { embedder: &**embedder, options, log, done }.embed(documents).map(Some)
            }
            None => {
                let chunks: u64 = documents.iter().map(|document| document.spans.len() as u64).sum();
                let done = self.embedded.fetch_add(chunks, std::sync::atomic::Ordering::Relaxed) + chunks;
                if let Some(progress) = &self.options.progress {
                    progress.advance(done, None);
                }
                Ok(None)
            }
        };
        let (builder, vectors) = self.threads.run(|| rayon::join(push, vectors));
        let (builder, vectors) = (builder?, vectors?);
        let count = builder.chunk_count();
        let total = self.stored_chunks() + u64::from(count);
        let index_options = self.index.options();
        builder.finish(|output| match vectors {
            Some(vectors) => {
                let dimension = index_options.dimension();
                let row = |chunk: u32| {
                    let start = chunk as usize * dimension;
                    Ok(std::borrow::Cow::Borrowed(&vectors[start..start + dimension]))
                };
                self.threads.run(|| write_vectors(output, count, total, index_options, &self.options, &row))
            }
            None => Ok(()),
        })
    }

    /// Chunks in the segments of the pending generation, but for removed ones.
    pub(super) fn stored_chunks(&self) -> u64 {
        self.segments.iter().map(|working| u64::from(working.segment.chunk_count()) - working.removed_chunks).sum()
    }

    pub(super) fn open(&self, built: BuiltSegment) -> Result<Working, IndexError> {
        let BuiltSegment { summary, facts, document_count, chunk_count } = built;
        let reader = SegmentReader::open(self.index.store().storage(), &summary)?;
        let segment = Arc::new(Segment::open(reader, self.index.options(), facts.clone())?);
        if (segment.document_count(), segment.chunk_count()) != (document_count, chunk_count) {
            return Err(segment.damaged("it does not hold what was written"));
        }
        Ok(Working {
            segment,
            summary,
            facts,
            removed_documents: RoaringBitmap::new(),
            removed_chunks: 0,
            tombstones: None,
            confirmed: RoaringBitmap::new(),
            own: true,
        })
    }

    /// Merges segments until they are few enough; each merge stays within the memory budget.
    fn merge(&mut self) -> Result<(), IndexError> {
        let largest = merge::largest(self.budget(), self.index.options());
        loop {
            let candidates: Vec<Candidate> = self
                .segments
                .iter()
                .map(|working| Candidate {
                    chunks: u64::from(working.segment.chunk_count()),
                    removed: working.removed_chunks,
                })
                .collect();
            let Some(chosen) = merge::choose(&candidates, largest) else { return Ok(()) };
            self.merge_segments(&chosen)?;
        }
    }

    /// Makes one segment of those at the places `chosen`, which are in order.
    pub(super) fn merge_segments(&mut self, chosen: &[usize]) -> Result<(), IndexError> {
        let store = self.index.store();
        let id = store.allocate_segment(&self.lock);
        let sources: Vec<&Working> = chosen.iter().map(|&at| &self.segments[at]).collect();
        let built = self.threads.run(|| {
            let (total, index_options) = (self.stored_chunks(), self.index.options());
            merge::merge(store.storage(), id, &sources, total, index_options, &self.options, self.budget() / 4)
        })?;
        let merged = self.open(built)?;
        let first = chosen.first().copied().unwrap_or(0);
        for &at in chosen.iter().rev() {
            self.segments.remove(at);
        }
        self.segments.insert(first, merged);
        Ok(())
    }
}

impl Buffer {
    /// The source of a document in the buffer.
    pub(super) fn source(&self, at: usize) -> Result<String, IndexError> {
        let Some(Some(document)) = self.documents.get(at) else { return Ok(String::new()) };
        let header: StoredHeader = evidex_index_format::decode_metadata("the buffer", None, &document.header)?;
        Ok(header.provenance.source)
    }

    fn push(&mut self, document: Buffered, of_vector: usize) {
        self.chunks += document.spans.len();
        self.bytes += memory_of(&document, of_vector);
        self.by_id.insert(document.id.clone(), self.documents.len());
        self.documents.push(Some(document));
    }

    fn take_out(&mut self, at: usize, of_vector: usize) {
        if let Some(document) = self.documents.get_mut(at).and_then(Option::take) {
            self.by_id.remove(&document.id);
            self.chunks -= document.spans.len();
            self.bytes -= memory_of(&document, of_vector);
        }
    }
}

/// About what a document takes in the buffer and while it becomes part of a segment: itself, its postings, its vectors of
/// `of_vector` bytes each.
fn memory_of(document: &Buffered, of_vector: usize) -> usize {
    let own = document.text.len() + document.header.len() + 2 * document.id.0.len() + 256;
    let title = document.title.as_ref().map_or(0, String::len);
    let of_chunk = size_of::<TextSpan>() + of_vector + 120 + title;
    let posted: usize = document.spans.iter().map(|span| span.len()).sum();
    own + document.spans.len() * of_chunk + posted
}

fn validate(document: &Document) -> Result<(), IndexError> {
    let invalid = |reason| Err(IndexError::InvalidDocument { id: short(&document.id.0), reason });
    if document.id.0.is_empty() {
        return invalid("its id is empty");
    }
    if document.id.0.len() > 1 << 16 {
        return invalid("its id is longer than 65,536 bytes");
    }
    let finite = |value: &MetadataValue| !matches!(value, MetadataValue::Number(number) if !number.is_finite());
    if !document.metadata.values().all(finite) {
        return invalid("a field holds a number that is not finite");
    }
    Ok(())
}
