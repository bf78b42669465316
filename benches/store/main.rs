//! What the store costs, beside what one would otherwise put together. Ratios within one run, never absolute bars.
//!
//! ```console
//! cargo bench --bench store -- kernel                 # inner products: present form against each vector form
//! cargo bench --bench store -- build 100000           # an index of so many chunks: throughput, size (kept and taken up)
//! cargo bench --bench store -- open 100000            # a cold process: time to the first answer, memory after 100 queries
//! cargo bench --bench store -- words 100000           # BM25 and hybrid against tantivy alone
//! cargo bench --bench store -- graph 20000            # the graph: build, recall, queries a CPU second; writes peers' input
//! cargo bench --bench store -- graph 20000 200        # the same, built with beams of another width (efConstruction)
//! cargo bench --bench store -- beams FILE 20000      # what their width is worth on so many sentences of a JSONL file
//! cargo bench --bench store -- scan 100000            # the exact scan against the graph, also under a filter
//! cargo bench --bench store -- curve 10000,100000     # cost against size, as a table and a chart
//! python3 benches/peers/store.py graph FOLDER         # peers of the graph on what `graph` wrote
//! python3 benches/peers/store.py words FOLDER         # peers of BM25 on what `words` wrote
//! ```
//!
//! Everything lies in `EVIDEX_BENCH` (default `target/bench-store`) and is taken up again by a later run. Time is CPU time of
//! the process where it says so, as others may share the machine. `--out FOLDER` keeps the figures for the README's tables.

mod beams;
mod clock;
mod data;
mod graph;
mod kernel;
mod lexical;
mod open;
mod report;
mod whole;

use std::path::PathBuf;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let out = arguments.iter().position(|argument| argument == "--out").and_then(|at| {
        let folder = arguments.get(at + 1).map(PathBuf::from)?;
        arguments.drain(at..at + 2);
        Some(folder)
    });
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let count = |text: &str| text.replace('_', "").parse::<usize>().map_err(|error| format!("{text}: {error}"));
    let report = match words.as_slice() {
        ["kernel"] => kernel::run(),
        ["build", size] => whole::run(count(size)?)?,
        ["open", size] => open::run(count(size)?)?,
        ["open-child", folder] => return open::child(folder.as_ref()),
        ["words", size] => lexical::run(count(size)?)?,
        ["graph", size] => graph::run(count(size)?, None)?,
        ["graph", size, width] => graph::run(count(size)?, Some(count(width)?))?,
        ["beams", file, size] => beams::run(file, count(size)?)?,
        ["scan", size] => graph::scan(count(size)?)?,
        ["curve", sizes] => whole::curve(&sizes.split(',').map(count).collect::<Result<Vec<_>, _>>()?)?,
        [] => {
            kernel::run();
            println!("\nthe other parts are asked for by name: see the head of benches/store/main.rs");
            return Ok(());
        }
        other => return Err(format!("unknown arguments {other:?}; see the head of benches/store/main.rs").into()),
    };
    out.map_or(Ok(()), |folder| report.write(&folder))
}

/// Where indexes and vectors are kept.
fn work() -> PathBuf {
    std::env::var_os("EVIDEX_BENCH").map_or_else(|| "target/bench-store".into(), PathBuf::from)
}
