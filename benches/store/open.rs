//! A cold process: from its start to the first answer, and its memory after a hundred queries.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use evidex::embed::HashedEmbedder;
use evidex::index::Index;
use evidex::retrieve::{Query, SearchMode, search};

use super::Failure;
use super::clock::{median, memory};
use super::data::queries;
use super::report::Report;

pub fn run(size: usize) -> Result<Report, Failure> {
    let (_, mut report) = super::whole::build("open", size)?;
    let folder = super::whole::folder(size);
    let (mut process, mut inside) = (Vec::new(), Vec::new());
    let mut last = String::new();
    for _ in 0..7 {
        let begun = Instant::now();
        let output = Command::new(std::env::current_exe()?).arg("open-child").arg(&folder).output()?;
        let whole = begun.elapsed().as_secs_f64() * 1e3;
        last = String::from_utf8(output.stdout)?;
        let fields: Vec<f64> = last.split_whitespace().filter_map(|field| field.parse().ok()).collect();
        let [first, all, ..] = fields.as_slice() else {
            return Err(format!("the other process failed: {last}").into());
        };
        process.push(whole - all + first);
        inside.push(*first);
    }
    report.ours("open and first answer", Some("cold process"), median(&mut process), "ms");
    report.ours("open and first answer", Some("from main on"), median(&mut inside), "ms");
    for (what, field) in ["RssAnon after 100 queries", "RssFile after 100 queries"].into_iter().zip(2..) {
        let kib: f64 = last.split_whitespace().nth(field).unwrap_or("nan").parse()?;
        report.ours(what, None, kib / 1024.0, "MiB");
    }
    Ok(report)
}

/// Prints milliseconds to the first answer, to the hundredth, and memory.
pub fn child(folder: &Path) -> Result<(), Failure> {
    let begun = Instant::now();
    let snapshot = Index::open(folder)?.snapshot()?;
    let embedder = HashedEmbedder::new();
    let documents = usize::try_from(snapshot.document_count())?;
    let mut first = 0.0;
    for (at, text) in queries(100, documents, 6).into_iter().enumerate() {
        search(&snapshot, &Query { text, mode: SearchMode::Hybrid, k: 10 }, Some(&embedder))?;
        if at == 0 {
            first = begun.elapsed().as_secs_f64() * 1e3;
        }
    }
    let all = begun.elapsed().as_secs_f64() * 1e3;
    println!("{first} {all} {} {}", memory("RssAnon").unwrap_or(0), memory("RssFile").unwrap_or(0));
    Ok(())
}
