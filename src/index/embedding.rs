//! From buffered chunks to vectors, and from vectors to a segment's sections.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};

use evidex_index_format::{SegmentWriter, Storage};
use rayon::prelude::*;

use super::IndexError;
use super::options::{IndexOptions, WriterOptions};
use super::resume::EmbeddingLog;
use super::writer::Buffered;
use crate::embed::Embedder;
use crate::vector::{Quantised, VectorError, VectorWriter, build_graph, quantise};

/// Chunks that are given to the embedder at once.
const BATCH: usize = 32;

/// Longer titles are not embedded with their chunks.
const LONGEST_TITLE: usize = 120;

/// What is embedded for a chunk: its text under its document's title, as the title often names what the chunk is of.
pub(super) fn text_to_embed<'a>(title: Option<&str>, text: &'a str) -> Cow<'a, str> {
    match title.map(str::trim) {
        Some(title) if !title.is_empty() && title.len() <= LONGEST_TITLE && !text.starts_with(title) => {
            Cow::Owned(format!("{title}\n{text}"))
        }
        _ => Cow::Borrowed(text),
    }
}

/// What embedding works with.
pub(super) struct Embedding<'a> {
    pub embedder: &'a dyn Embedder,
    pub options: &'a WriterOptions,
    /// Where finished vectors are kept until they are published, and the storage that it lies in.
    pub log: Option<(&'a EmbeddingLog, &'a dyn Storage)>,
    /// Chunks that the writer has embedded, those of earlier segments too.
    pub done: &'a AtomicU64,
}

impl Embedding<'_> {
    /// The vectors of all chunks of `documents`, one after the other.
    pub(super) fn embed(&self, documents: &[Buffered]) -> Result<Vec<f32>, IndexError> {
        let dimension = self.embedder.identity().dimension as usize;
        if dimension == 0 {
            return Err(VectorError::Dimension { expected: 1, found: 0 }.into());
        }
        let chunks: Vec<(Option<&str>, &str)> = documents.iter().flat_map(Buffered::chunks).collect();
        let total = self.done.load(Ordering::Relaxed) + chunks.len() as u64;
        let mut vectors = vec![0f32; chunks.len() * dimension];
        vectors.par_chunks_mut(BATCH * dimension).zip(chunks.par_chunks(BATCH)).try_for_each(|(output, batch)| {
            if self.options.cancellation.is_cancelled() {
                return Err(IndexError::Cancelled);
            }
            self.embed_batch(batch, output)?;
            let done = self.done.fetch_add(batch.len() as u64, Ordering::Relaxed) + batch.len() as u64;
            if let Some(progress) = &self.options.progress {
                progress.advance(done, Some(total));
            }
            Ok(())
        })?;
        Ok(vectors)
    }

    fn embed_batch(&self, batch: &[(Option<&str>, &str)], output: &mut [f32]) -> Result<(), IndexError> {
        let dimension = self.embedder.identity().dimension as usize;
        let texts: Vec<Cow<'_, str>> = batch.iter().map(|&(title, text)| text_to_embed(title, text)).collect();
        let mut rows: Vec<(&str, &mut [f32])> =
            texts.iter().map(AsRef::as_ref).zip(output.chunks_exact_mut(dimension)).collect();
        if let Some((log, _)) = self.log {
            rows.retain_mut(|(text, row)| !log.find(text, row));
        }
        if rows.is_empty() {
            return Ok(());
        }
        let missing: Vec<&str> = rows.iter().map(|(text, _)| *text).collect();
        let embedded = self.embedder.embed(&missing)?;
        if embedded.len() != missing.len() {
            let name = self.embedder.identity().name.clone();
            return Err(IndexError::WrongEmbedding { name, expected: missing.len(), found: embedded.len() });
        }
        for ((_, row), vector) in rows.iter_mut().zip(embedded) {
            if vector.len() != dimension {
                return Err(VectorError::Dimension { expected: dimension, found: vector.len() }.into());
            }
            if !vector.iter().all(|x| x.is_finite()) {
                return Err(VectorError::NotFinite.into());
            }
            row.copy_from_slice(&vector);
        }
        match self.log {
            Some((log, storage)) => log.append(storage, rows.iter().map(|(text, row)| (*text, &**row))),
            None => Ok(()),
        }
    }
}

/// Writes the vectors of a segment, with a graph where it and the index, which then holds `total` chunks, are large
/// enough for one.
pub(super) fn write_vectors<'v>(
    output: &mut SegmentWriter,
    count: u32,
    total: u64,
    index: &IndexOptions,
    options: &WriterOptions,
    row: &dyn Fn(u32) -> Result<Cow<'v, [f32]>, VectorError>,
) -> Result<(), IndexError> {
    let graph = if count >= options.graph_from.max(2) && options.graph_in(index, total) {
        let zero = || Quantised { codes: vec![0; index.dimension()], scale: 0.0 };
        // A row that cannot be read fails when it is written below.
        let rows = (0..count as usize)
            .map(|at| row(at as u32).and_then(|vector| quantise(&vector)).unwrap_or_else(|_| zero()));
        let cancelled = || options.cancellation.is_cancelled();
        Some(build_graph(rows, options.graph, &cancelled, &|_| {}).map_err(|error| match error {
            VectorError::Cancelled => IndexError::Cancelled,
            error => error.into(),
        })?)
    } else {
        None
    };
    Ok(VectorWriter::write(output, count, index.dimension(), index.vectors, row, graph.as_ref())?)
}
