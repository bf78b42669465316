//! An index as a whole: building it, its size, and cost against size.

use std::path::PathBuf;
use std::sync::Arc;

use evidex::embed::{Embedder, HashedEmbedder};
use evidex::index::{Index, IndexOptions, WriterOptions};
use evidex::retrieve::{Query, SearchMode, search};
use evidex::vector::VectorStorage;
use tantivy::schema::{IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions};

use super::Failure;
use super::clock::{Clock, median};
use super::data::{document, queries, text};
use super::report::Report;

/// Documents of one commit: what a run that is stopped loses at most.
const COMMIT: usize = 100_000;

pub fn folder(size: usize) -> PathBuf {
    super::work().join(format!("index-{size}"))
}

/// Builds the index of so many chunks, or takes up where an earlier run left it, and starts the report of a part.
pub fn build(part: &str, size: usize) -> Result<(Index, Report), Failure> {
    let corpus = format!("{size} made-up passages of 20 to 40 words");
    let mut report = Report::new(part, size, &corpus, "hashed embedder, 8-bit vectors, memory 256 MB");
    let folder = folder(size);
    let embedder: Arc<dyn Embedder> = Arc::new(HashedEmbedder::new());
    let index = match Index::open(&folder) {
        Ok(index) => index,
        Err(error) if error.is_no_index() => {
            let identity = Some(embedder.identity().clone());
            Index::create(
                &folder,
                IndexOptions { embedder: identity, vectors: VectorStorage::Int8, ..Default::default() },
            )?
        }
        Err(error) => return Err(error.into()),
    };
    let done = usize::try_from(index.snapshot()?.document_count())?;
    let clock = Clock::start();
    if done < size {
        let mut writer = index.writer(Some(Arc::clone(&embedder)), WriterOptions::default())?;
        for number in done..size {
            writer.add(document(number))?;
            if (number + 1) % COMMIT == 0 || number + 1 == size {
                writer.commit()?;
                eprintln!("{} of {size} chunks, {:.0} s", number + 1, clock.wall());
            }
        }
        drop(writer);
        let cpu = clock.cpu();
        let sample = Clock::start();
        let texts: Vec<String> = (0..2_000.min(size)).map(text).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        embedder.embed(&texts)?;
        let added = (size - done) as f64;
        let embedding = sample.cpu() / texts.len() as f64 * added;
        report.ours("build with embedding", None, added / cpu, "chunks a CPU s");
        report.ours("build without embedding", None, added / (cpu - embedding).max(0.01), "chunks a CPU s");
        report.tantivy("build without embedding", added / tantivy_build(size - done)?, "chunks a CPU s");
    }
    Ok((index, report))
}

/// What building costs, and the index's size. Only what this run adds is timed.
pub fn run(size: usize) -> Result<Report, Failure> {
    let (index, mut report) = build("build", size)?;
    let stat = index.snapshot()?.stat();
    let over = (stat.file_bytes as f64 - stat.text_bytes as f64) / stat.chunks as f64;
    report.ours("size over 1.0 × the raw text", None, over, "bytes a chunk");
    let of_vectors = |name: &str| name.starts_with("vector") || name == "graph";
    let vectors: u64 = stat.sections.iter().filter(|part| of_vectors(&part.name)).map(|part| part.bytes).sum();
    let aside = over - vectors as f64 / stat.chunks as f64;
    report.ours("size over 1.0 × the raw text", Some("vectors aside"), aside, "bytes a chunk");
    report.ours("segments", None, stat.segments as f64, "files");
    Ok(report)
}

/// CPU seconds of tantivy alone, with one field and its text stored.
fn tantivy_build(size: usize) -> Result<f64, Failure> {
    let index = super::lexical::tantivy_index();
    let clock = Clock::start();
    let field = index.schema().get_field("text")?;
    let mut writer: tantivy::IndexWriter = index.writer_with_num_threads(1, 100 << 20)?;
    for number in 0..size {
        writer.add_document(tantivy::doc!(field => text(number)))?;
    }
    writer.commit()?;
    Ok(clock.cpu())
}

/// A schema of one text field.
pub fn tantivy_schema() -> Schema {
    let indexing = TextFieldIndexing::default().set_index_option(IndexRecordOption::WithFreqs);
    let mut builder = Schema::builder();
    builder.add_text_field("text", TextOptions::default().set_indexing_options(indexing) | STORED);
    builder.build()
}

/// Query time against size, also as a chart.
pub fn curve(sizes: &[usize]) -> Result<Report, Failure> {
    let most = sizes.iter().copied().max().unwrap_or(0);
    let mut report =
        Report::new("curve", most, "made-up passages of 20 to 40 words", "6 words, ten best, median of 60");
    let mut hybrid = Vec::new();
    for &size in sizes {
        let (index, _) = build("build", size)?;
        let snapshot = index.snapshot()?;
        let embedder = HashedEmbedder::new();
        for (name, mode) in [("words", SearchMode::Bm25), ("meaning", SearchMode::Dense), ("both", SearchMode::Hybrid)]
        {
            let mut times = Vec::new();
            for query in queries(60, size, 6) {
                let query = Query { text: query, mode, k: 10 };
                // The second of two, so that all sizes find their pages there.
                search(&snapshot, &query, Some(&embedder))?;
                let begun = std::time::Instant::now();
                search(&snapshot, &query, Some(&embedder))?;
                times.push(begun.elapsed().as_secs_f64() * 1e3);
            }
            let time = median(&mut times);
            report.ours(&format!("query of {size} chunks"), Some(name), time, "ms");
            if mode == SearchMode::Hybrid {
                hybrid.push((size, time));
            }
        }
    }
    let longest = hybrid.iter().map(|(_, time)| *time).fold(0.0, f64::max);
    for (size, time) in &hybrid {
        println!("{size:>9}  {} {time:.2} ms", "█".repeat((time / longest * 60.0).round() as usize));
    }
    Ok(report)
}
