//! What the width of the beams that build a graph is worth on real text: sentences of a JSONL file, plain or `.zst`, as the
//! static embedder sees them. The exact scan of the same 8-bit rows is the truth.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read};

use evidex::embed::{Embedder, StaticEmbedder};
use evidex::onnx::AssetStore;
use evidex::vector::{Graph, GraphOptions, Nearest, Quantised, TopK, build_graph, quantise};

use super::Failure;
use super::clock::Clock;
use super::report::Report;

const WIDTHS: [usize; 4] = [100, 200, 300, 400];
const QUERIES: usize = 500;
const K: usize = 10;

/// The first `size` sentences are rows, those after them queries.
pub fn run(file: &str, size: usize) -> Result<Report, Failure> {
    let embedder = StaticEmbedder::open(&AssetStore::from_environment())?;
    let sentences = sentences(file, size + QUERIES)?;
    let vectors = embedder.embed(&sentences.iter().map(String::as_str).collect::<Vec<_>>())?;
    let (rows, queries) = vectors.split_at(size.min(vectors.len().saturating_sub(QUERIES)));
    let rows: Vec<Quantised> = rows.iter().map(|row| quantise(row)).collect::<Result<_, _>>()?;
    let count = u32::try_from(rows.len())?;
    let truth: Vec<Vec<u32>> = queries.iter().map(|query| exact(&rows, query)).collect();
    let corpus = format!("{count} sentences of text as vectors of {} numbers", embedder.identity().dimension);
    let settings = format!("M {}, {} queries", GraphOptions::default().m, queries.len());
    let mut report = Report::new("beams", rows.len(), &corpus, &settings);
    for width in WIDTHS {
        let options = GraphOptions { ef_construction: width, ..GraphOptions::default() };
        let clock = Clock::start();
        let graph = build_graph(rows.iter().cloned(), options, &|| false, &|_| ())?;
        report.ours("graph build", Some(&format!("efConstruction {width}")), clock.cpu(), "CPU s");
        let graph = Graph::open(graph, count)?;
        for ef in [40, 64, 128] {
            let (clock, mut hits) = (Clock::start(), 0);
            for (query, truth) in queries.iter().zip(&truth) {
                let found = graph.search(K, ef, &|_| true, |row| Ok(similarity(&rows[row as usize], query)))?;
                let found: HashSet<u32> = found.into_iter().map(|row| row.ordinal).collect();
                hits += truth.iter().filter(|row| found.contains(row)).count();
            }
            let recall = hits as f64 / (K * queries.len()).max(1) as f64;
            let rate = queries.len() as f64 / clock.cpu().max(0.01);
            report.search(&format!("efConstruction {width}"), &format!("ef {ef}"), recall, rate);
        }
    }
    Ok(report)
}

/// The first `count` sentences of some length of the texts of a file.
fn sentences(file: &str, count: usize) -> Result<Vec<String>, Failure> {
    let bytes = std::fs::File::open(file)?;
    let plain: Box<dyn Read> =
        if file.ends_with(".zst") { Box::new(zstd::Decoder::new(bytes)?) } else { Box::new(bytes) };
    let mut sentences = Vec::new();
    for line in BufReader::new(plain).lines() {
        let record: serde_json::Value = serde_json::from_str(&line?)?;
        let text = record["text"].as_str().unwrap_or_default();
        sentences.extend(text.split(". ").filter(|sentence| sentence.len() > 40).map(str::to_owned));
        if sentences.len() >= count {
            break;
        }
    }
    sentences.truncate(count);
    Ok(sentences)
}

fn exact(rows: &[Quantised], query: &[f32]) -> Vec<u32> {
    let mut best = TopK::new(K);
    for (row, ordinal) in rows.iter().zip(0..) {
        best.push(Nearest { similarity: similarity(row, query), ordinal });
    }
    best.into_sorted().into_iter().map(|row| row.ordinal).collect()
}

fn similarity(row: &Quantised, query: &[f32]) -> f32 {
    row.codes.iter().zip(query).map(|(&code, x)| f32::from(code) * x).sum::<f32>() * row.scale
}
