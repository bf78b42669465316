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

/// Documents of one commit: what a run that is stopped loses at most.
const COMMIT: usize = 100_000;

pub fn folder(size: usize) -> PathBuf {
    super::work().join(format!("index-{size}"))
}

/// Builds the index of so many chunks, or takes up where an earlier run left it; says what it costs.
pub fn build(size: usize) -> Result<Index, Failure> {
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
    let mut embedding = 0.0;
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
        embedding += sample.cpu() / texts.len() as f64 * (size - done) as f64;
        let alone = tantivy_build(size - done)?;
        println!(
            "build of {} chunks: {cpu:.1} CPU s, {embedding:.1} of them embedding; tantivy alone {alone:.1} CPU s; {:.0} chunks a \
             CPU second without embedding",
            size - done,
            (size - done) as f64 / (cpu - embedding).max(0.01)
        );
    }
    let stat = index.snapshot()?.stat();
    println!(
        "{} chunks: {} bytes of text, {} on disk without 32-bit vectors: 1.0 × the text + {:.0} bytes a chunk; {} segments, {} with a \
         graph",
        stat.chunks,
        stat.text_bytes,
        stat.file_bytes,
        (stat.file_bytes as f64 - stat.text_bytes as f64) / stat.chunks as f64,
        stat.segments,
        stat.graphs
    );
    Ok(index)
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

/// Build and query time against size.
pub fn curve(sizes: &[usize]) -> Result<(), Failure> {
    let mut rows = Vec::new();
    for &size in sizes {
        let index = build(size)?;
        let snapshot = index.snapshot()?;
        let embedder = HashedEmbedder::new();
        let mut times = [Vec::new(), Vec::new(), Vec::new()];
        for query in queries(60, size, 6) {
            for (at, mode) in [SearchMode::Bm25, SearchMode::Dense, SearchMode::Hybrid].into_iter().enumerate() {
                let query = Query { text: query.clone(), mode, k: 10 };
                let begun = std::time::Instant::now();
                search(&snapshot, &query, Some(&embedder))?;
                times[at].push(begun.elapsed().as_secs_f64() * 1e3);
            }
        }
        rows.push((size, times.map(|mut times| median(&mut times))));
    }
    println!("| chunks | BM25, ms | dense, ms | hybrid, ms | hybrid against the row before (logarithm allows) |");
    println!("|---:|---:|---:|---:|---|");
    for (at, (size, [words, meaning, both])) in rows.iter().enumerate() {
        let growth = at.checked_sub(1).map_or_else(String::new, |before| {
            let (smaller, times) = rows[before];
            format!("{:.2} × ({:.2} ×)", both / times[2], (*size as f64).ln() / (smaller as f64).ln())
        });
        println!("| {size} | {words:.2} | {meaning:.2} | {both:.2} | {growth} |");
    }
    let most = rows.iter().map(|(_, times)| times[2]).fold(0.0, f64::max);
    for (size, times) in &rows {
        let bar = "█".repeat(((times[2] / most) * 60.0).round() as usize);
        println!("{size:>9}  {bar} {:.2} ms", times[2]);
    }
    Ok(())
}
