//! The graph alone: built, stored, searched from the map, and compared with the exact scan.
//!
//! Vectors, queries and the true neighbours are written too, for the peers' script.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use evidex::vector::{
    GraphOptions, Quantised, VectorReader, VectorSearch, VectorStorage, VectorWriter, build_graph, quantise,
};
use evidex_index_format::{FsStorage, LockHolder, SegmentEntry, SegmentReader, SegmentWriter, Store};

use super::Failure;
use super::clock::Clock;
use super::data::Clusters;
use super::report::Report;

const DIMENSION: usize = 384;
const QUERIES: usize = 500;
const K: usize = 10;

struct Made {
    report: Report,
    reader: VectorReader,
    queries: Vec<Vec<f32>>,
    truth: Vec<Vec<u32>>,
}

/// Where the vectors, their graph and what the peers read lie.
fn folder(size: usize, options: GraphOptions) -> PathBuf {
    let other = match options.ef_construction {
        width if width == GraphOptions::default().ef_construction => String::new(),
        width => format!("-{width}"),
    };
    super::work().join(format!("graph-{size}{other}"))
}

/// The segment with `size` vectors and their graph; made once.
fn made(part: &str, size: usize, options: GraphOptions) -> Result<Made, Failure> {
    let folder = folder(size, options);
    std::fs::create_dir_all(&folder)?;
    let clusters = Clusters::new((size / 200).max(20), DIMENSION);
    let storage = Arc::new(FsStorage::create(folder.join("segment"))?);
    let store = match Store::open(storage.clone()) {
        Ok(store) => store,
        Err(_) => Store::create(storage.clone(), 0, Vec::new())?,
    };
    if store.current().segments.is_empty() {
        let quantised = |at: usize| -> Result<Quantised, Failure> { Ok(quantise(&clusters.vector(at as u64))?) };
        let rows: Vec<Quantised> = (0..size).map(quantised).collect::<Result<_, _>>()?;
        let clock = Clock::start();
        let said = std::cell::Cell::new(0);
        let graph = build_graph(rows.into_iter(), options, &|| false, &|done| {
            if done >= said.get() + 50_000 {
                said.set(done);
                eprintln!("{done} of {size} rows, {:.0} s", clock.wall());
            }
        })?;
        std::fs::write(folder.join("build.cost"), format!("{:.2}", clock.cpu()))?;
        let lock = store.lock_writer(&LockHolder::this_process(0))?;
        let mut writer = SegmentWriter::create(store.storage(), store.allocate_segment(&lock))?;
        let row = |at: u32| Ok(Cow::Owned(clusters.vector(u64::from(at))));
        VectorWriter::write(&mut writer, u32::try_from(size)?, DIMENSION, VectorStorage::Int8, &row, Some(&graph))?;
        let mut manifest = store.current().next();
        let summary = writer.finish()?;
        manifest.segments.push(SegmentEntry {
            summary,
            chunk_count: size as u64,
            document_count: size as u64,
            tombstones: None,
            extra: Vec::new(),
        });
        store.publish(&lock, manifest)?;
    }
    let GraphOptions { m, ef_construction, .. } = options;
    let corpus = format!("{size} clustered unit vectors of length {DIMENSION}");
    let settings = format!("M {m}, efConstruction {ef_construction}, inner product, one thread");
    let report = Report::new(part, size, &corpus, &settings);
    let manifest = store.current();
    let segment = SegmentReader::open(store.storage(), &manifest.segments[0].summary)?;
    let reader = VectorReader::open(&segment, u32::try_from(size)?, DIMENSION, VectorStorage::Int8)?;
    let queries: Vec<Vec<f32>> = (0..QUERIES).map(|at| clusters.vector(1 << 40 | at as u64)).collect();
    let truth = truth(&folder, &clusters, size, &queries)?;
    Ok(Made { report, reader, queries, truth })
}

/// The true neighbours, by full 32-bit products; they, the vectors and the queries are kept as raw little-endian files.
fn truth(folder: &Path, clusters: &Clusters, size: usize, queries: &[Vec<f32>]) -> Result<Vec<Vec<u32>>, Failure> {
    let path = folder.join("truth.u32");
    if let Ok(bytes) = std::fs::read(&path) {
        let numbers: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|it| u32::from_le_bytes(*it)).collect();
        if numbers.len() == QUERIES * K {
            return Ok(numbers.chunks(K).map(<[u32]>::to_vec).collect());
        }
    }
    let mut base = std::io::BufWriter::new(std::fs::File::create(folder.join("base.f32"))?);
    let mut best: Vec<Vec<(f32, u32)>> = vec![Vec::new(); queries.len()];
    for at in 0..size {
        let vector = clusters.vector(at as u64);
        for x in &vector {
            base.write_all(&x.to_le_bytes())?;
        }
        for (best, query) in best.iter_mut().zip(queries) {
            let product = vector.iter().zip(query).map(|(x, y)| x * y).sum::<f32>();
            if best.len() < K || product > best[K - 1].0 {
                best.push((product, u32::try_from(at)?));
                best.sort_by(|a, b| b.0.total_cmp(&a.0));
                best.truncate(K);
            }
        }
    }
    base.flush()?;
    let bytes: Vec<u8> = queries.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    std::fs::write(folder.join("queries.f32"), bytes)?;
    let truth: Vec<Vec<u32>> = best.into_iter().map(|best| best.into_iter().map(|(_, at)| at).collect()).collect();
    let bytes: Vec<u8> = truth.iter().flatten().flat_map(|at| at.to_le_bytes()).collect();
    std::fs::write(path, bytes)?;
    Ok(truth)
}

impl Made {
    /// Recall@10 and queries a CPU second.
    fn measure(&self, options: VectorSearch, alive: &dyn Fn(u32) -> bool) -> Result<(f64, f64), Failure> {
        for query in self.queries.iter().take(50) {
            self.reader.search(query, K, options, alive)?;
        }
        let clock = Clock::start();
        let (mut hits, mut rounds) = (0, 0);
        // Long enough for a clock of 10 ms.
        while clock.wall() < 2.0 {
            hits = 0;
            for (query, truth) in self.queries.iter().zip(&self.truth) {
                let found: HashSet<u32> =
                    self.reader.search(query, K, options, alive)?.into_iter().map(|row| row.ordinal).collect();
                hits += truth.iter().filter(|at| found.contains(at)).count();
            }
            rounds += 1;
        }
        Ok((hits as f64 / (QUERIES * K) as f64, (rounds * QUERIES) as f64 / clock.cpu()))
    }
}

/// The graph built with beams of the default width, or of `ef_construction`.
pub fn run(size: usize, ef_construction: Option<usize>) -> Result<Report, Failure> {
    let default = GraphOptions::default();
    let options = GraphOptions { ef_construction: ef_construction.unwrap_or(default.ef_construction), ..default };
    let part = ef_construction.map_or("graph".to_owned(), |width| format!("graph-by-{width}"));
    let mut made = made(&part, size, options)?;
    let folder = folder(size, options);
    made.report.ours("graph build", None, std::fs::read_to_string(folder.join("build.cost"))?.parse()?, "CPU s");
    for ef in [40, 64, 96, 128, 192, 256, 384] {
        let (recall, rate) = made.measure(VectorSearch { ef_search: ef, exact: false }, &|_| true)?;
        made.report.search("graph search", &format!("ef {ef}"), recall, rate);
    }
    println!("peers: python3 benches/peers/store.py graph {}", folder.display());
    Ok(made.report)
}

/// The exact scan against the graph, with all rows and with few.
pub fn scan(size: usize) -> Result<Report, Failure> {
    let mut made = made("scan", size, GraphOptions::default())?;
    for (share, every) in [("all rows", 1), ("10 % of the rows", 10), ("1 % of the rows", 100)] {
        let alive = |ordinal: u32| ordinal.is_multiple_of(every);
        for (form, exact) in [("graph", false), ("scan of all", true)] {
            let (_, rate) = made.measure(VectorSearch { exact, ..VectorSearch::default() }, &alive)?;
            made.report.ours(share, Some(form), rate, "queries a CPU s");
        }
        let clock = Clock::start();
        let mut rounds = 0;
        while clock.wall() < 2.0 {
            for query in &made.queries {
                made.reader.candidates_among(query, K, (0..u32::try_from(size)?).step_by(every as usize))?;
            }
            rounds += 1;
        }
        made.report.ours(share, Some("scan of those"), (rounds * QUERIES) as f64 / clock.cpu(), "queries a CPU s");
    }
    Ok(made.report)
}
