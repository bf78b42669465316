//! A segment's vectors: the sections they lie in, and searching them.
//!
//! `vectors` holds one row of 8-bit integers a chunk, `vector-scales` a 32-bit float for each row, `vector-originals`
//! the vectors as they came, in 32-bit or 16-bit floats, where they are kept; `graph` the HNSW graph of a large
//! segment.

use std::borrow::Cow;

use evidex_index_format::{Kernel, Section, SegmentReader, SegmentWriter};
use serde::{Deserialize, Serialize};

use super::VectorError;
use super::exact::scan;
use super::graph::{Graph, GraphBytes};
use super::kernel::{dot_f16, dot_f32};
use super::quantise::{Quantised, quantise};
use super::top_k::{Nearest, TopK};

const CODES: &str = "vectors";
const SCALES: &str = "vector-scales";
const ORIGINALS: &str = "vector-originals";
const GRAPH: &str = "graph";

/// What is kept beside the 8-bit rows for exact similarities.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum VectorStorage {
    /// The vectors as they came.
    #[default]
    F32,
    /// In 16-bit floats: half the space, similarities right to three digits.
    F16,
    /// Nothing: similarities are those of the 8-bit rows, right to two digits.
    Int8,
}

/// So many rows are scored by their originals for each that is wanted.
pub const RESCORE: usize = 4;

/// Writes a segment's vectors; the rows pass through memory one by one, save for the scales.
#[derive(Debug)]
pub struct VectorWriter;

impl VectorWriter {
    /// Writes `count` rows of length `dimension`, which `row` gives by number, and the graph over them, if there is
    /// one. Rows are asked for twice where the originals are kept.
    ///
    /// # Errors
    /// [`VectorError::Dimension`], [`VectorError::NotFinite`], and what writing says.
    pub fn write<'v>(
        output: &mut SegmentWriter,
        count: u32,
        dimension: usize,
        storage: VectorStorage,
        row: &dyn Fn(u32) -> Result<Cow<'v, [f32]>, VectorError>,
        graph: Option<&GraphBytes>,
    ) -> Result<(), VectorError> {
        let mut scales = Vec::new();
        output.begin_section(CODES)?;
        for ordinal in 0..count {
            let row = row(ordinal)?;
            if row.len() != dimension {
                return Err(VectorError::Dimension { expected: dimension, found: row.len() });
            }
            let Quantised { codes, scale } = quantise(&row)?;
            output.write_i8s(&codes)?;
            scales.push(scale);
        }
        output.begin_section(SCALES)?;
        output.write_f32s(&scales)?;
        match storage {
            VectorStorage::F32 => {
                output.begin_section(ORIGINALS)?;
                for ordinal in 0..count {
                    output.write_f32s(&row(ordinal)?)?;
                }
            }
            VectorStorage::F16 => {
                output.begin_section(ORIGINALS)?;
                for ordinal in 0..count {
                    let halves: Vec<u16> = row(ordinal)?.iter().map(|&x| half::f16::from_f32(x).to_bits()).collect();
                    output.write_u16s(&halves)?;
                }
            }
            VectorStorage::Int8 => {}
        }
        if let Some(GraphBytes(words)) = graph {
            output.begin_section(GRAPH)?;
            output.write_u32s(words)?;
        }
        Ok(())
    }
}

/// How to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VectorSearch {
    /// Width of the beam in a graph.
    pub ef_search: usize,
    /// Look at every row, even where there is a graph.
    pub exact: bool,
}

impl Default for VectorSearch {
    fn default() -> Self {
        Self { ef_search: 128, exact: false }
    }
}

/// A segment's vectors, open for searching.
#[derive(Debug, Clone)]
pub struct VectorReader {
    count: u32,
    dimension: usize,
    storage: VectorStorage,
    codes: Section,
    scales: Section,
    originals: Option<Section>,
    graph: Option<Graph<Section>>,
}

impl VectorReader {
    /// Opens the vectors of a segment of `count` chunks; reads headers only.
    ///
    /// # Errors
    /// [`VectorError`] where the sections are missing, or their lengths are not those of so many vectors.
    pub fn open(
        segment: &SegmentReader,
        count: u32,
        dimension: usize,
        storage: VectorStorage,
    ) -> Result<Self, VectorError> {
        let codes = segment.section(CODES)?;
        let scales = segment.section(SCALES)?;
        let width = match storage {
            VectorStorage::F32 => 4,
            VectorStorage::F16 => 2,
            VectorStorage::Int8 => 0,
        };
        let originals = if width > 0 { Some(segment.section(ORIGINALS)?) } else { None };
        let graph = if segment.has_section(GRAPH) { Some(Graph::open(segment.section(GRAPH)?, count)?) } else { None };
        let expected = |width: usize, dimension: usize| (count as usize).checked_mul(width)?.checked_mul(dimension);
        let lengths = [
            (Some(codes.len()), expected(1, dimension)),
            (Some(scales.len()), expected(4, 1)),
            (Some(originals.as_ref().map_or(0, Section::len)), expected(width, dimension)),
        ];
        if dimension == 0 || lengths.iter().any(|(found, expected)| found != expected) {
            return Err(VectorError::damaged(format!(
                "the sections do not hold {count} vectors of length {dimension} in `{}`",
                segment.file_name()
            )));
        }
        Ok(Self { count, dimension, storage, codes, scales, originals, graph })
    }

    /// How many vectors there are, those of removed chunks too.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Whether a graph was built.
    pub fn has_graph(&self) -> bool {
        self.graph.is_some()
    }

    /// The row's vector, as exactly as it is kept.
    ///
    /// # Errors
    /// Where there is no such row, or it is damaged.
    pub fn vector(&self, ordinal: u32) -> Result<Cow<'_, [f32]>, VectorError> {
        let row = ordinal as usize * self.dimension..(ordinal as usize + 1) * self.dimension;
        Ok(match (&self.originals, self.storage) {
            (Some(originals), VectorStorage::F32) => Cow::Borrowed(originals.as_f32(row)?),
            (Some(originals), _) => {
                originals.as_u16(row)?.iter().map(|&bits| half::f16::from_bits(bits).to_f32()).collect()
            }
            (None, _) => {
                let Quantised { codes, scale } = self.quantised(ordinal)?;
                codes.into_iter().map(|code| f32::from(code) * scale).collect()
            }
        })
    }

    /// The row as it is stored in 8 bits.
    ///
    /// # Errors
    /// As [`vector`](Self::vector).
    pub fn quantised(&self, ordinal: u32) -> Result<Quantised, VectorError> {
        let (codes, scale) = self.row(ordinal)?;
        Ok(Quantised { codes: codes.to_vec(), scale })
    }

    #[inline]
    fn row(&self, ordinal: u32) -> Result<(&[i8], f32), VectorError> {
        let at = ordinal as usize;
        let codes = self.codes.as_i8(at * self.dimension..(at + 1) * self.dimension)?;
        Ok((codes, self.scales.as_f32(at..at + 1)?[0]))
    }

    /// The cosine similarity of a row and a query of unit length, as exactly as the row is kept.
    ///
    /// # Errors
    /// As [`vector`](Self::vector); [`VectorError::Dimension`].
    pub fn similarity(&self, query: &[f32], ordinal: u32) -> Result<f32, VectorError> {
        self.check_query(query)?;
        let at = ordinal as usize;
        let bytes = |width: usize| at * self.dimension * width..(at + 1) * self.dimension * width;
        Ok(match (&self.originals, self.storage) {
            (Some(originals), VectorStorage::F32) => dot_f32(query, originals.slice(bytes(4))?),
            (Some(originals), _) => dot_f16(query, originals.slice(bytes(2))?),
            (None, _) => {
                let (codes, scale) = self.row(ordinal)?;
                query.iter().zip(codes).map(|(&x, &code)| x * f32::from(code)).sum::<f32>() * scale
            }
        })
    }

    /// Rows that may be among the `k` nearest to `query`, nearest first by their 8-bit similarity: four for each, as
    /// rounding hides some. Only rows that `alive` admits.
    ///
    /// # Errors
    /// [`VectorError::Dimension`], [`VectorError::NotFinite`], and damage.
    pub fn candidates(
        &self,
        query: &[f32],
        k: usize,
        options: VectorSearch,
        alive: &dyn Fn(u32) -> bool,
    ) -> Result<Vec<Nearest>, VectorError> {
        self.check_query(query)?;
        let quantised = quantise(query)?;
        if k == 0 || self.count == 0 || quantised.scale == 0.0 {
            return Ok(Vec::new());
        }
        let fetch = k.saturating_mul(RESCORE);
        let kernel = Kernel::default();
        match &self.graph {
            Some(graph) if !options.exact => graph.search(fetch, options.ef_search.max(fetch), alive, |ordinal| {
                let (codes, scale) = self.row(ordinal)?;
                Ok(kernel.dot(codes, &quantised.codes) as f32 * scale * quantised.scale)
            }),
            _ => {
                let mut nearest = TopK::new(fetch);
                let codes = self.codes.as_i8(0..self.codes.len())?;
                let scales = self.scales.as_f32(0..self.count as usize)?;
                scan(codes, scales, &quantised.codes, quantised.scale, 0, alive, &mut nearest);
                Ok(nearest.into_sorted())
            }
        }
    }

    /// As [`candidates`](Self::candidates), among the rows of `ordinals` alone, each of which is looked at.
    ///
    /// # Errors
    /// As [`candidates`](Self::candidates).
    pub fn candidates_among(
        &self,
        query: &[f32],
        k: usize,
        ordinals: impl Iterator<Item = u32>,
    ) -> Result<Vec<Nearest>, VectorError> {
        self.check_query(query)?;
        let quantised = quantise(query)?;
        if k == 0 || self.count == 0 || quantised.scale == 0.0 {
            return Ok(Vec::new());
        }
        let mut nearest = TopK::new(k.saturating_mul(RESCORE));
        let kernel = Kernel::default();
        for ordinal in ordinals {
            let (codes, scale) = self.row(ordinal)?;
            let similarity = kernel.dot(codes, &quantised.codes) as f32 * scale * quantised.scale;
            nearest.push(Nearest { similarity, ordinal });
        }
        Ok(nearest.into_sorted())
    }

    /// The `k` rows nearest to `query` among those that `alive` admits, nearest first: exactly (but for rows whose
    /// 8-bit similarity hides that they belong there), or about so where the graph is asked.
    ///
    /// # Errors
    /// As [`candidates`](Self::candidates).
    pub fn search(
        &self,
        query: &[f32],
        k: usize,
        options: VectorSearch,
        alive: &dyn Fn(u32) -> bool,
    ) -> Result<Vec<Nearest>, VectorError> {
        let mut nearest = TopK::new(k);
        for row in self.candidates(query, k, options, alive)? {
            nearest.push(Nearest { similarity: self.similarity(query, row.ordinal)?, ordinal: row.ordinal });
        }
        Ok(nearest.into_sorted())
    }

    /// Compares all rows with their originals and looks at every row of the graph.
    ///
    /// # Errors
    /// The first fault.
    pub fn check(&self) -> Result<(), VectorError> {
        for ordinal in 0..self.count {
            let vector = self.vector(ordinal)?;
            let expected = quantise(&vector)?;
            let (codes, scale) = self.row(ordinal)?;
            if !scale.is_finite() {
                return Err(VectorError::damaged(format!("the scale of vector {ordinal} is not finite")));
            }
            let close = |(&code, &x): (&i8, &f32)| (f32::from(code) * scale - x).abs() <= expected.scale * 1.01 + 1e-3;
            if !codes.iter().zip(vector.iter()).all(close) {
                return Err(VectorError::damaged(format!("vector {ordinal} is not what its original gives")));
            }
        }
        self.graph.as_ref().map_or(Ok(()), Graph::check)
    }

    fn check_query(&self, query: &[f32]) -> Result<(), VectorError> {
        if query.len() == self.dimension {
            Ok(())
        } else {
            Err(VectorError::Dimension { expected: self.dimension, found: query.len() })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use evidex_index_format::{LockHolder, MemStorage, SegmentSummary, Store};

    use super::super::graph_build::{GraphOptions, build_graph};
    use super::*;

    /// Numbers that look random, the same every time.
    struct Random(u64);

    impl Random {
        fn unit(&mut self) -> f32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((self.0 >> 40) as f32 / (1u64 << 24) as f32) - 0.5
        }

        fn vector(&mut self, near: Option<&[f32]>, spread: f32, dimension: usize) -> Vec<f32> {
            let mut vector: Vec<f32> =
                (0..dimension).map(|at| near.map_or(0.0, |near| near[at]) + spread * self.unit()).collect();
            let norm = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
            vector.iter_mut().for_each(|x| *x /= norm);
            vector
        }

        /// Vectors in clusters that overlap, as embeddings of passages do.
        fn clustered(&mut self, count: usize, dimension: usize) -> Vec<Vec<f32>> {
            let centres: Vec<Vec<f32>> = (0..50).map(|_| self.vector(None, 1.0, dimension)).collect();
            (0..count).map(|at| self.vector(Some(&centres[at % 50]), 0.25, dimension)).collect()
        }
    }

    fn stored(vectors: &[Vec<f32>], storage: VectorStorage, graph: bool) -> VectorReader {
        let store = Store::create(Arc::new(MemStorage::new()), 0, Vec::new()).unwrap();
        let lock = store.lock_writer(&LockHolder::this_process(0)).unwrap();
        let mut writer = SegmentWriter::create(store.storage(), store.allocate_segment(&lock)).unwrap();
        let graph = graph.then(|| {
            let rows: Vec<Quantised> = vectors.iter().map(|vector| quantise(vector).unwrap()).collect();
            build_graph(rows.into_iter(), GraphOptions::default(), &|| false, &|_| {}).unwrap()
        });
        let row = |ordinal: u32| Ok(Cow::Borrowed(vectors[ordinal as usize].as_slice()));
        let (count, dimension) = (vectors.len() as u32, vectors[0].len());
        VectorWriter::write(&mut writer, count, dimension, storage, &row, graph.as_ref()).unwrap();
        let summary: SegmentSummary = writer.finish().unwrap();
        let reader = SegmentReader::open(store.storage(), &summary).unwrap();
        let opened = VectorReader::open(&reader, vectors.len() as u32, vectors[0].len(), storage).unwrap();
        opened.check().unwrap();
        opened
    }

    fn truth(vectors: &[Vec<f32>], query: &[f32], k: usize) -> Vec<u32> {
        let mut rows: Vec<Nearest> = vectors
            .iter()
            .zip(0..)
            .map(|(row, ordinal)| Nearest { similarity: row.iter().zip(query).map(|(x, y)| x * y).sum(), ordinal })
            .collect();
        rows.sort_by(|a, b| b.cmp(a));
        rows.into_iter().take(k).map(|row| row.ordinal).collect()
    }

    fn recall(reader: &VectorReader, vectors: &[Vec<f32>], queries: &[Vec<f32>], options: VectorSearch) -> f64 {
        let found: usize = queries
            .iter()
            .map(|query| {
                let truth = truth(vectors, query, 10);
                let found = reader.search(query, 10, options, &|_| true).unwrap();
                found.iter().filter(|row| truth.contains(&row.ordinal)).count()
            })
            .sum();
        found as f64 / (10 * queries.len()) as f64
    }

    #[test]
    fn the_exact_scan_finds_what_a_full_comparison_finds() {
        let mut random = Random(1);
        let vectors = random.clustered(2_000, 96);
        let queries: Vec<Vec<f32>> = (0..20).map(|at| random.vector(Some(&vectors[at * 7]), 0.2, 96)).collect();
        for (storage, least) in [(VectorStorage::F32, 0.999), (VectorStorage::F16, 0.98), (VectorStorage::Int8, 0.93)] {
            let reader = stored(&vectors, storage, false);
            let recall = recall(&reader, &vectors, &queries, VectorSearch::default());
            assert!(recall >= least, "{storage:?}: recall {recall}");
        }
    }

    #[test]
    fn the_graph_finds_nearly_all_that_the_exact_scan_finds() {
        let mut random = Random(2);
        let vectors = random.clustered(4_000, 64);
        let queries: Vec<Vec<f32>> = (0..50).map(|at| random.vector(Some(&vectors[at * 31]), 0.2, 64)).collect();
        let reader = stored(&vectors, VectorStorage::F32, true);
        assert!(reader.has_graph());
        let recall = recall(&reader, &vectors, &queries, VectorSearch::default());
        assert!(recall >= 0.97, "recall {recall}");
    }

    #[test]
    fn removed_rows_are_passed_over_by_scan_and_graph() {
        let mut random = Random(3);
        let vectors = random.clustered(1_000, 32);
        let reader = stored(&vectors, VectorStorage::F32, true);
        for exact in [false, true] {
            let options = VectorSearch { exact, ..VectorSearch::default() };
            let found = reader.search(&vectors[10], 10, options, &|ordinal| ordinal % 2 == 1).unwrap();
            assert_eq!(found.len(), 10);
            assert!(found.iter().all(|row| row.ordinal % 2 == 1));
        }
    }

    #[test]
    fn a_query_of_another_length_is_an_error_and_a_zero_query_finds_nothing() {
        let reader = stored(&Random(4).clustered(10, 8), VectorStorage::F32, false);
        let all = |_| true;
        assert!(matches!(
            reader.search(&[0.0; 7], 1, VectorSearch::default(), &all),
            Err(VectorError::Dimension { expected: 8, found: 7 })
        ));
        assert!(reader.search(&[0.0; 8], 1, VectorSearch::default(), &all).unwrap().is_empty());
    }
}
