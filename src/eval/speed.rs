//! Speed of the store's vectors and of search, with the recall at which it was reached: a speed without it says nothing.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::metrics;
use crate::corpus::Document;
use crate::embed::{EmbedError, Embedder, EmbedderIdentity};
use crate::index::{Index, IndexOptions, Snapshot, WriterOptions};
use crate::vector::{Nearest, VectorSearch};
use crate::{Cancellation, Error};

/// Nearest rows that are asked for.
const K: usize = 10;
/// Widths of the beam.
const BEAMS: [usize; 4] = [32, 64, 128, 256];

/// Vectors and queries of unit length.
#[derive(Debug, Clone)]
pub struct VectorSet {
    /// Length of each.
    pub dimension: usize,
    /// What is searched.
    pub vectors: Vec<Vec<f32>>,
    /// What is looked for.
    pub queries: Vec<Vec<f32>>,
}

impl VectorSet {
    /// Clustered vectors, as embeddings are: a centre for every hundred rows, and each row its centre with noise. The same
    /// seed gives the same vectors.
    pub fn clustered(rows: usize, queries: usize, dimension: usize, seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        // The sum of a few uniform numbers is near enough to normal.
        let mut noise = |scale: f32| (0..4).map(|_| random.f32() - 0.5).sum::<f32>() * scale;
        let centres: Vec<Vec<f32>> =
            (0..rows.div_ceil(100).max(1)).map(|_| (0..dimension).map(|_| noise(1.0)).collect()).collect();
        let mut make = |count: usize, offset: usize| -> Vec<Vec<f32>> {
            (0..count)
                .map(|row| {
                    let centre = &centres[(row + offset) * 7919 % centres.len()];
                    unit(centre.iter().map(|x| x + noise(0.6)).collect())
                })
                .collect()
        };
        Self { dimension, vectors: make(rows, 0), queries: make(queries, 1) }
    }

    /// Vectors from raw little-endian 32-bit numbers, each scaled to unit length; `None` where the bytes are no whole number
    /// of vectors, or a number is not finite.
    pub fn from_bytes(vectors: &[u8], queries: &[u8], dimension: usize) -> Option<Self> {
        let read = |bytes: &[u8]| -> Option<Vec<Vec<f32>>> {
            if dimension == 0 || bytes.is_empty() || !bytes.len().is_multiple_of(4 * dimension) {
                return None;
            }
            let (numbers, _) = bytes.as_chunks::<4>();
            let numbers: Vec<f32> = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
            let finite = numbers.iter().all(|number| number.is_finite());
            finite.then(|| numbers.chunks(dimension).map(|row| unit(row.to_vec())).collect())
        };
        Some(Self { dimension, vectors: read(vectors)?, queries: read(queries)? })
    }

    /// The true nearest rows of every query, by brute force.
    fn truth(&self) -> Vec<Vec<usize>> {
        self.queries
            .par_iter()
            .map(|query| {
                let dot = |row: &Vec<f32>| row.iter().zip(query).map(|(a, b)| a * b).sum::<f32>();
                let mut rows: Vec<(f32, usize)> =
                    self.vectors.iter().enumerate().map(|(at, row)| (dot(row), at)).collect();
                let take = K.min(rows.len());
                rows.select_nth_unstable_by(take.saturating_sub(1), |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
                rows[..take].iter().map(|row| row.1).collect()
            })
            .collect()
    }
}

fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let norm = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if norm > 0.0 {
        vector.iter_mut().for_each(|x| *x /= norm);
    }
    vector
}

/// Searching at one setting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VectorSearchSpeed {
    /// `exact`, or `graph` with its width of beam.
    pub way: String,
    /// Share of the true ten nearest that were found.
    pub recall_at_10: f64,
    /// Queries a second on one thread.
    pub queries_per_second: f64,
    /// Milliseconds of a query, half of them no longer.
    pub p50_ms: f64,
    /// Milliseconds of a query, 99 % of them no longer.
    pub p99_ms: f64,
}

/// Building and searching an index of vectors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VectorSpeed {
    /// Vectors.
    pub vectors: usize,
    /// Their length.
    pub dimension: usize,
    /// Queries.
    pub queries: usize,
    /// Links of a node on the graph's higher levels.
    pub m: usize,
    /// Width of the beam that finds them.
    pub ef_construction: usize,
    /// Seconds from documents to a published generation on disk, graph and all.
    pub build_seconds: f64,
    /// Bytes on disk.
    pub file_bytes: u64,
    /// Milliseconds to open the index and take a snapshot.
    pub open_ms: f64,
    /// Each way of searching.
    pub search: Vec<VectorSearchSpeed>,
}

/// Gives the vectors of a set to texts that name their rows.
struct Given {
    identity: EmbedderIdentity,
    rows: HashMap<String, Vec<f32>>,
}

impl Embedder for Given {
    fn identity(&self) -> &EmbedderIdentity {
        &self.identity
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let blank = || vec![0.0; self.identity.dimension as usize];
        Ok(texts.iter().map(|text| self.rows.get(*text).cloned().unwrap_or_else(blank)).collect())
    }
}

/// Builds an index of the set in `folder`, which must be empty, and searches it, exactly and by graph, on one thread.
///
/// # Errors
/// [`Error::Index`] when the index cannot be written or read.
pub fn vector_speed(folder: &Path, set: &VectorSet, cancellation: &Cancellation) -> Result<VectorSpeed, Error> {
    let rows: HashMap<String, Vec<f32>> =
        set.vectors.iter().enumerate().map(|(at, vector)| (format!("row {at}"), vector.clone())).collect();
    let identity = EmbedderIdentity {
        name: "given".to_owned(),
        digest: "0".repeat(64),
        dimension: u32::try_from(set.dimension).unwrap_or(u32::MAX),
    };
    let embedder: Arc<dyn Embedder> = Arc::new(Given { identity: identity.clone(), rows });
    let start = Instant::now();
    let index = Index::create(folder, IndexOptions { embedder: Some(identity), ..IndexOptions::default() })?;
    let options = WriterOptions {
        graph_from: 1,
        graph_from_total: 1,
        memory_budget: 4 << 30,
        cancellation: cancellation.clone(),
        ..WriterOptions::default()
    };
    let graph = options.graph;
    let mut writer = index.writer(Some(embedder), options)?;
    for at in 0..set.vectors.len() {
        writer.add(Document::inline(&at.to_string(), format!("row {at}")))?;
    }
    writer.commit()?;
    let build_seconds = start.elapsed().as_secs_f64();
    drop(writer);
    drop(index);
    let start = Instant::now();
    let snapshot = Index::open(folder)?.snapshot()?;
    let open_ms = start.elapsed().as_secs_f64() * 1000.0;
    let truth = set.truth();
    let rows = row_of_chunk(&snapshot)?;
    let mut search = vec![search_speed(
        "exact",
        VectorSearch { exact: true, ..VectorSearch::default() },
        &snapshot,
        set,
        &truth,
        &rows,
    )?];
    for ef_search in BEAMS {
        let options = VectorSearch { ef_search, exact: false };
        search.push(search_speed(&format!("graph, ef_search {ef_search}"), options, &snapshot, set, &truth, &rows)?);
    }
    Ok(VectorSpeed {
        vectors: set.vectors.len(),
        dimension: set.dimension,
        queries: set.queries.len(),
        m: graph.m,
        ef_construction: graph.ef_construction,
        build_seconds,
        file_bytes: snapshot.stat().file_bytes,
        open_ms,
        search,
    })
}

/// For each segment, the row of the set that each chunk is.
fn row_of_chunk(snapshot: &Snapshot) -> Result<Vec<Vec<usize>>, Error> {
    let mut all = Vec::new();
    for segment in snapshot.segments() {
        let mut rows = Vec::new();
        for chunk in 0..segment.segment().chunk_count() {
            let passage = snapshot.passage(segment.ordinal(chunk))?;
            rows.push(passage.and_then(|passage| passage.document_id.0.parse().ok()).unwrap_or(usize::MAX));
        }
        all.push(rows);
    }
    Ok(all)
}

fn search_speed(
    way: &str,
    options: VectorSearch,
    snapshot: &Snapshot,
    set: &VectorSet,
    truth: &[Vec<usize>],
    rows: &[Vec<usize>],
) -> Result<VectorSearchSpeed, Error> {
    let mut times = Vec::new();
    let mut found_rows = 0_usize;
    for (query, nearest) in set.queries.iter().zip(truth) {
        let start = Instant::now();
        let mut found: Vec<(f32, usize)> = Vec::new();
        for (segment, rows) in snapshot.segments().iter().zip(rows) {
            let Some(vectors) = segment.segment().vectors() else { continue };
            let hits: Vec<Nearest> = vectors
                .search(query, K, options, &|chunk| segment.is_alive(chunk))
                .map_err(crate::index::IndexError::from)?;
            found.extend(hits.iter().map(|hit| (hit.similarity, rows[hit.ordinal as usize])));
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        found.truncate(K);
        times.push(start.elapsed().as_secs_f64() * 1000.0);
        found_rows += found.iter().filter(|(_, row)| nearest.contains(row)).count();
    }
    let wanted: usize = truth.iter().map(Vec::len).sum();
    let total: f64 = times.iter().sum();
    times.sort_by(f64::total_cmp);
    Ok(VectorSearchSpeed {
        way: way.to_owned(),
        recall_at_10: found_rows as f64 / wanted.max(1) as f64,
        queries_per_second: if total > 0.0 { times.len() as f64 * 1000.0 / total } else { 0.0 },
        p50_ms: metrics::percentile(&times, 0.5).unwrap_or(0.0),
        p99_ms: metrics::percentile(&times, 0.99).unwrap_or(0.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_search_finds_nearly_all_of_the_true_nearest_and_graphs_come_close() {
        let set = VectorSet::clustered(600, 20, 48, 3);
        assert!(set.vectors.iter().all(|row| (row.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-4));
        let folder = tempfile::tempdir().unwrap();
        let speed = vector_speed(folder.path(), &set, &Cancellation::new()).unwrap();
        assert_eq!((speed.vectors, speed.search.len()), (600, 1 + BEAMS.len()));
        let exact = &speed.search[0];
        assert!(exact.recall_at_10 > 0.97, "{exact:?}");
        assert!(speed.search[BEAMS.len()].recall_at_10 > 0.9, "{speed:?}");
        assert!(exact.queries_per_second > 0.0 && speed.file_bytes > 600 * 48);
    }

    #[test]
    fn raw_vectors_are_read_whole_or_not_at_all() {
        let bytes: Vec<u8> = [3.0_f32, 4.0, 0.0, 2.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        let set = VectorSet::from_bytes(&bytes, &bytes, 2).unwrap();
        assert_eq!(set.vectors, [[0.6, 0.8], [0.0, 1.0]]);
        assert!(VectorSet::from_bytes(&bytes[..12], &bytes, 2).is_none());
        assert!(VectorSet::from_bytes(&f32::NAN.to_le_bytes(), &bytes, 1).is_none());
    }
}
