//! All speeds in one place, with what they depend on: the machine, the corpus, the settings and the recall.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::{TextSpeed, VectorSpeed};

/// Where it ran.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's name, where the system tells.
    pub processor: Option<String>,
    /// Cores that the program may use.
    pub cores: usize,
    /// Memory, where the system tells.
    pub memory_bytes: Option<u64>,
    /// Operating system and architecture.
    pub system: String,
    /// Whether the build is optimised: figures of another say nothing about the shipped one.
    pub optimised: bool,
}

/// All that was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpeedReport {
    /// What kind of result it is.
    pub kind: String,
    /// The program that made it.
    pub evidex: String,
    /// Where it ran.
    pub machine: Machine,
    /// The corpus of the text measures, by name.
    pub corpus: String,
    /// Seed of the vectors; `None` where they were given.
    pub seed: Option<u64>,
    /// Vectors: built, opened, searched.
    pub vectors: VectorSpeed,
    /// Texts: indexed, searched, embedded, checked.
    pub text: TextSpeed,
    /// Most memory of the process so far; `None` where the system does not tell.
    pub peak_memory_bytes: Option<u64>,
}

/// The speeds for people.
pub fn speed_text(report: &SpeedReport) -> String {
    let mut page = String::new();
    let m = &report.machine;
    let memory = m.memory_bytes.map_or_else(String::new, |bytes| format!(", {} GB of memory", bytes >> 30));
    let processor = m.processor.as_deref().unwrap_or("unknown processor");
    let _ = writeln!(page, "{processor}, {} cores{memory}, {}", m.cores, m.system);
    if !m.optimised {
        let _ = writeln!(page, "this is an unoptimised build: its figures say nothing about the shipped one");
    }
    vectors(&mut page, &report.vectors);
    let t = &report.text;
    let _ = writeln!(page, "\ncorpus {}: {} documents, {} KB", report.corpus, t.documents, t.bytes >> 10);
    let _ = writeln!(
        page,
        "indexed by words in {:.2} s ({:.1} MB a second on {} threads), split into claims at {:.1} MB a second",
        t.indexing_seconds, t.indexed_megabytes_per_second, m.cores, t.split_megabytes_per_second
    );
    let w = &t.words;
    let _ = writeln!(
        page,
        "searched by words: {:.0} queries a second on one thread (p50 {:.2} ms, p99 {:.2} ms; {} sentences as queries, {} \
         passages each)",
        w.queries_per_second, w.p50_ms, w.p99_ms, w.queries, w.passages
    );
    for e in &t.embedding {
        let _ = writeln!(
            page,
            "embedded by {}: {:.0} texts a second on one thread ({} texts of {} bytes)",
            e.embedder, e.texts_per_second_one_thread, e.texts, e.bytes_per_text
        );
    }
    if let Some(e) = &t.entailment {
        let _ = writeln!(
            page,
            "read by {}: {:.0} pairs a second on one thread ({} pairs of {} bytes)",
            e.model, e.pairs_per_second_one_thread, e.pairs, e.bytes_per_pair
        );
    }
    for c in &t.checking {
        let _ = writeln!(
            page,
            "checked by {}: {:.0} claims a second on one thread ({} claims, up to {} passages each)",
            c.by, c.claims_per_second_one_thread, c.claims, c.passages_per_claim
        );
    }
    if let Some(bytes) = report.peak_memory_bytes {
        let _ = writeln!(page, "peak memory {} MB", bytes >> 20);
    }
    page
}

fn vectors(page: &mut String, v: &VectorSpeed) {
    let _ = writeln!(
        page,
        "\n{} vectors of {} (M {}, ef_construction {}): built and published in {:.1} s, {} MB on disk, opened in {:.1} ms",
        v.vectors,
        v.dimension,
        v.m,
        v.ef_construction,
        v.build_seconds,
        v.file_bytes >> 20,
        v.open_ms
    );
    let _ = writeln!(
        page,
        "{:<22} {:>10} {:>10} {:>8} {:>8}",
        "search, one thread", "recall@10", "queries/s", "p50 ms", "p99 ms"
    );
    for s in &v.search {
        let _ = writeln!(
            page,
            "{:<22} {:>10.4} {:>10.0} {:>8.3} {:>8.3}",
            s.way, s.recall_at_10, s.queries_per_second, s.p50_ms, s.p99_ms
        );
    }
}
