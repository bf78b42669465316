//! What the store costs, beside what one would otherwise put together. Ratios within one run, never absolute bars.
//!
//! ```console
//! cargo bench --bench store -- kernel                 # inner products: present form against each vector form
//! cargo bench --bench store -- build 100000           # an index of so many chunks: throughput, size (kept and taken up)
//! cargo bench --bench store -- open 100000            # a cold process: time to the first answer, memory after 100 queries
//! cargo bench --bench store -- words 100000           # BM25 and hybrid against tantivy alone
//! cargo bench --bench store -- graph 20000            # the graph: build, recall, queries a CPU second; writes peers' input
//! cargo bench --bench store -- scan 100000            # the exact scan against the graph, also under a filter
//! cargo bench --bench store -- curve 10000,100000     # cost against size, as a table and a chart
//! python3 benches/peers/store.py graph FOLDER         # usearch, faiss, hnswlib on what `graph` wrote
//! ```
//!
//! Everything lies in `EVIDEX_BENCH` (default `target/bench-store`) and is taken up again by a later run. Time is CPU time of
//! the process where it says so, as others may share the machine.

mod clock;
mod data;
mod graph;
mod kernel;
mod lexical;
mod open;
mod whole;

use std::path::PathBuf;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let count = |text: &str| text.replace('_', "").parse::<usize>().map_err(|error| format!("{text}: {error}"));
    match words.as_slice() {
        ["kernel"] => kernel::run(),
        ["build", size] => whole::build(count(size)?).map(|_| ()),
        ["open", size] => open::run(count(size)?),
        ["open-child", folder] => open::child(folder.as_ref()),
        ["words", size] => lexical::run(count(size)?),
        ["graph", size] => graph::run(count(size)?),
        ["scan", size] => graph::scan(count(size)?),
        ["curve", sizes] => whole::curve(&sizes.split(',').map(count).collect::<Result<Vec<_>, _>>()?),
        [] => {
            kernel::run()?;
            println!("\nthe other parts are asked for by name: see the head of benches/store/main.rs");
            Ok(())
        }
        other => Err(format!("unknown arguments {other:?}; see the head of benches/store/main.rs").into()),
    }
}

/// Where indexes and vectors are kept.
fn work() -> PathBuf {
    std::env::var_os("EVIDEX_BENCH").map_or_else(|| "target/bench-store".into(), PathBuf::from)
}
