//! Views of snapshots: the documents that a filter means, several indexes as one, words alone.
//!
//! A view is a [`Snapshot`] like any other. What it leaves out is left out inside the search, not after it; the BM25
//! statistics stay those of all segments, as they do for removed documents.

use std::sync::Arc;

use rayon::prelude::*;
use roaring::RoaringBitmap;

use super::IndexError;
use super::filter::{Field, Filter};
use super::snapshot::{Admitted, Inner, Snapshot, SnapshotSegment};

/// Documents that one thread looks at before it takes more work.
const BATCH: u32 = 1024;

impl Snapshot {
    /// The same generation, with only the documents that `filter` means.
    ///
    /// Reads the header of every document once: about a second for a million documents and core.
    ///
    /// ```
    /// use evidex::corpus::{Document, MetadataValue};
    /// use evidex::index::{Index, IndexOptions, WriterOptions};
    ///
    /// let index = Index::in_memory(IndexOptions::default())?;
    /// let mut writer = index.writer(None, WriterOptions::default())?;
    /// for year in [2019, 2020, 2021] {
    ///     let mut report = Document::inline(&format!("report-{year}"), format!("The report of {year}."));
    ///     report.metadata.insert("year".into(), MetadataValue::Integer(year));
    ///     writer.add(report)?;
    /// }
    /// writer.commit()?;
    ///
    /// let recent = index.snapshot()?.filtered(&"year>=2020".parse()?)?;
    /// assert_eq!(recent.document_count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When a segment is damaged.
    pub fn filtered(&self, filter: &Filter) -> Result<Self, IndexError> {
        let mut segments = Vec::with_capacity(self.segments().len());
        for segment in self.segments() {
            let admitted = Some(admit(segment, filter)?);
            segments.push(SnapshotSegment { admitted, ..segment.clone() });
        }
        let options = self.options().clone();
        Ok(Self::of_segments(options, self.0.open.clone(), segments))
    }

    /// The same documents without their vectors: a search goes by words alone and needs no embedder.
    #[must_use]
    pub fn words_only(&self) -> Self {
        let options = super::IndexOptions { embedder: None, ..self.options().clone() };
        Self::of_segments(options, self.0.open.clone(), self.segments().to_vec())
    }

    /// Several indexes as one: statistics, scores and ranks are those of an index that holds the documents of all.
    /// Documents of the same id in two of them stay two documents.
    ///
    /// # Errors
    /// [`IndexError::OtherEmbedder`] or [`IndexError::NoVectors`] when they were made by different embedders, whose
    /// vectors cannot be compared (their [`words_only`](Self::words_only) views can be searched together);
    /// [`IndexError::TooManyChunks`] when together they hold more chunks than can be numbered.
    pub fn together(snapshots: &[Self]) -> Result<Option<Self>, IndexError> {
        let Some((first, others)) = snapshots.split_first() else { return Ok(None) };
        for other in others {
            match (&first.options().embedder, &other.options().embedder) {
                (None, None) => {}
                (_, Some(found)) => first.options().check_embedder(found)?,
                (Some(found), None) => return Err(IndexError::NoVectors { found: found.name.clone() }),
            }
        }
        let mut first_chunk = 0u32;
        let mut segments = Vec::new();
        for segment in snapshots.iter().flat_map(Self::segments) {
            segments.push(SnapshotSegment { first_chunk, ..segment.clone() });
            first_chunk = first_chunk.checked_add(segment.segment().chunk_count()).ok_or(IndexError::TooManyChunks)?;
        }
        let open = snapshots.iter().flat_map(|snapshot| snapshot.0.open.iter().cloned()).collect();
        Ok(Some(Self::of_segments(first.options().clone(), open, segments)))
    }

    fn of_segments(
        options: super::IndexOptions,
        open: Vec<evidex_index_format::OpenSegments>,
        segments: Vec<SnapshotSegment>,
    ) -> Self {
        let (mut document_count, mut chunk_count) = (0, 0);
        for segment in &segments {
            let (documents, chunks) = segment.live_counts();
            document_count += documents;
            chunk_count += chunks;
        }
        Self(Arc::new(Inner { options, open, segments, document_count, chunk_count }))
    }
}

/// The segment's documents that are there and that `filter` means.
fn admit(segment: &SnapshotSegment, filter: &Filter) -> Result<Admitted, IndexError> {
    let count = segment.segment().document_count();
    let batches: Vec<u32> = (0..count).step_by(BATCH as usize).collect();
    let found: Vec<Admitted> = batches
        .into_par_iter()
        .map(|start| admit_range(segment, filter, start..start.saturating_add(BATCH).min(count)))
        .collect::<Result<_, _>>()?;
    let mut all = Admitted::default();
    for part in found {
        all.documents |= part.documents;
        all.chunks |= part.chunks;
    }
    Ok(all)
}

fn admit_range(
    segment: &SnapshotSegment,
    filter: &Filter,
    documents: std::ops::Range<u32>,
) -> Result<Admitted, IndexError> {
    let mut admitted = Admitted { documents: RoaringBitmap::new(), chunks: RoaringBitmap::new() };
    for document in documents.filter(|&document| segment.has_document(document)) {
        let row = segment.segment().document_row(document)?;
        let header = segment.segment().header(&row)?;
        let value = |field: &Field| header.field(field);
        if filter.matches_fields(&value) {
            admitted.documents.insert(document);
            admitted.chunks.insert_range(row.first_chunk..row.first_chunk.saturating_add(row.chunk_count));
        }
    }
    Ok(admitted)
}
