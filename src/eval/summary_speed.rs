//! The README's tables of speed and of peers, from the JSON files that `evidex eval speed` and `benches/peers/run.py` write.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use serde::Deserialize;

use super::table::shown;
use super::{EvalError, SpeedReport};

/// Recall from which on a way of searching is worth comparing.
const RECALL: f64 = 0.95;

/// A run of the peers.
#[derive(Deserialize)]
struct Peers {
    machine: PeerMachine,
    settings: PeerSettings,
    vectors: BTreeMap<String, Vectors>,
    words: BTreeMap<String, Words>,
    verification: BTreeMap<String, BTreeMap<String, Pairs>>,
}

#[derive(Deserialize)]
struct PeerMachine {
    processor: String,
    cores: usize,
}

#[derive(Deserialize)]
struct PeerSettings {
    vectors: usize,
    queries: usize,
    dimension: usize,
    retrieval: String,
    versions: Vec<String>,
    #[serde(rename = "M")]
    m: usize,
    ef_construction: String,
}

/// What a peer did with the vectors, or why it did nothing. evidex's own figures are a list, a peer's a table by setting.
#[derive(Deserialize)]
#[serde(untagged)]
enum Vectors {
    Failed { failed: String },
    Own { build_seconds: f64, file_bytes: u64, search: Vec<super::VectorSearchSpeed> },
    Peer { build_seconds: f64, file_bytes: u64, search: BTreeMap<String, Search> },
}

#[derive(Clone, Copy, Deserialize)]
struct Search {
    recall_at_10: f64,
    queries_per_second: f64,
    p99_ms: f64,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Words {
    Failed {
        failed: String,
    },
    Measured {
        ndcg_at_10: Option<f64>,
        #[serde(default)]
        build_seconds: Option<f64>,
        queries_per_second: Option<f64>,
    },
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Pairs {
    Failed {
        failed: String,
    },
    Measured {
        rows: usize,
        pairs_per_second_one_thread: Option<f64>,
        binary_balanced_accuracy: Option<f64>,
        #[serde(default)]
        binary_balanced_accuracy_best_threshold_on_these_rows: Option<f64>,
    },
}

/// The tables of `speed.json` and `peers.json` in `folder`; nothing of a file that is not there.
pub(super) fn speed_tables(page: &mut String, folder: &Path) -> Result<(), EvalError> {
    if let Some(speed) = read::<SpeedReport>(&folder.join("speed.json"))? {
        speed_table(page, &speed);
    }
    if let Some(peers) = read::<Peers>(&folder.join("peers.json"))? {
        peer_tables(page, &peers);
    }
    Ok(())
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Result<Option<T>, EvalError> {
    let shown = path.display().to_string();
    match std::fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text)
            .map(Some)
            .map_err(|error| EvalError::NotAResult { path: shown, reason: error.to_string() }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(EvalError::Io { doing: "read", path: shown, source }),
    }
}

fn speed_table(page: &mut String, report: &SpeedReport) {
    let (m, v, t) = (&report.machine, &report.vectors, &report.text);
    let _ = writeln!(
        page,
        "\nSpeed (`evidex eval speed`) on {}, {} cores; vectors: {} of {} numbers; texts: {}, {} documents, {:.1} MB:\n",
        m.processor.as_deref().unwrap_or("an unknown processor"),
        m.cores,
        v.vectors,
        v.dimension,
        report.corpus,
        t.documents,
        t.bytes as f64 / 1e6
    );
    let _ = writeln!(page, "| what | figure | at |\n|---|---:|---|");
    let mut line = |what: &str, figure: String, at: String| {
        let _ = writeln!(page, "| {what} | {figure} | {at} |");
    };
    let mut search = |what: &str, search: &super::VectorSearchSpeed| {
        let at = format!("recall@10 {:.4}, p99 {:.2} ms", search.recall_at_10, search.p99_ms);
        line(what, format!("{:.0} queries/s", search.queries_per_second), at);
    };
    for way in &v.search {
        search(&format!("vectors, {}, one thread", way.way), way);
    }
    line("vectors, built and published", format!("{:.1} s", v.build_seconds), "all threads".to_owned());
    line("the same, opened", format!("{:.1} ms", v.open_ms), format!("{} MB on disk", v.file_bytes >> 20));
    let (indexed, split) = (t.indexed_megabytes_per_second, t.split_megabytes_per_second);
    line("indexing by words", format!("{indexed:.1} MB/s"), format!("{:.2} s in all", t.indexing_seconds));
    line("splitting into claims", format!("{split:.1} MB/s"), "one thread".to_owned());
    let at = format!("{} passages, p99 {:.2} ms", t.words.passages, t.words.p99_ms);
    line("search by words", format!("{:.0} queries/s", t.words.queries_per_second), at);
    for e in &t.embedding {
        let at = format!("one thread, texts of {} bytes", e.bytes_per_text);
        line(&format!("embedding by {}", e.embedder), format!("{:.0} texts/s", e.texts_per_second_one_thread), at);
    }
    if let Some(e) = &t.entailment {
        let at = format!("one thread, pairs of {} bytes", e.bytes_per_pair);
        line(&format!("reading by {}", e.model), format!("{:.0} pairs/s", e.pairs_per_second_one_thread), at);
    }
    for c in &t.checking {
        let at = format!("one thread, up to {} passages each", c.passages_per_claim);
        line(&format!("verifying by {}", c.by), format!("{:.0} claims/s", c.claims_per_second_one_thread), at);
    }
}

fn peer_tables(page: &mut String, peers: &Peers) {
    let (m, s) = (&peers.machine, &peers.settings);
    let _ = writeln!(
        page,
        "\nPeers on the same work in the same run (`benches/peers/run.py`; {}, {} cores; {}). {} vectors of {}, {} queries one by \
         one, graphs with M {} and ef_construction {}; of each the fastest way whose recall is at least {RECALL}, else the one with most:\n",
        m.processor,
        m.cores,
        s.versions.join(", "),
        s.vectors,
        s.dimension,
        s.queries,
        s.m,
        s.ef_construction
    );
    let _ = writeln!(
        page,
        "| vectors | way | recall@10 | queries/s | p99 ms | built in s | MB |\n|---|---|---:|---:|---:|---:|---:|"
    );
    for (name, peer) in &peers.vectors {
        let (ways, build_seconds, file_bytes) = match peer {
            Vectors::Failed { failed } => {
                let _ = writeln!(page, "| {name} | not measured: {failed} | – | – | – | – | – |");
                continue;
            }
            Vectors::Own { build_seconds, file_bytes, search } => {
                let of = |s: &super::VectorSearchSpeed| Search {
                    recall_at_10: s.recall_at_10,
                    queries_per_second: s.queries_per_second,
                    p99_ms: s.p99_ms,
                };
                (search.iter().map(|s| (s.way.clone(), of(s))).collect::<Vec<_>>(), build_seconds, file_bytes)
            }
            Vectors::Peer { build_seconds, file_bytes, search } => {
                (search.iter().map(|(way, s)| (way.clone(), *s)).collect(), build_seconds, file_bytes)
            }
        };
        let good = ways.iter().filter(|(_, s)| s.recall_at_10 >= RECALL);
        let fastest = good.max_by(|a, b| a.1.queries_per_second.total_cmp(&b.1.queries_per_second));
        let best = || ways.iter().max_by(|a, b| a.1.recall_at_10.total_cmp(&b.1.recall_at_10));
        if let Some((way, s)) = fastest.or_else(best) {
            let _ = writeln!(
                page,
                "| {name} | {way} | {:.4} | {:.0} | {:.2} | {build_seconds:.1} | {} |",
                s.recall_at_10,
                s.queries_per_second,
                s.p99_ms,
                file_bytes >> 20
            );
        }
    }
    let _ = writeln!(page, "\n| words, on {} | nDCG@10 | queries/s | built in s |\n|---|---:|---:|---:|", s.retrieval);
    for (name, peer) in &peers.words {
        let _ = match peer {
            Words::Failed { failed } => writeln!(page, "| {name}: not measured: {failed} | – | – | – |"),
            Words::Measured { ndcg_at_10, build_seconds, queries_per_second } => writeln!(
                page,
                "| {name} | {} | {} | {} |",
                shown(*ndcg_at_10),
                whole(*queries_per_second),
                build_seconds.map_or_else(|| "–".to_owned(), |seconds| format!("{seconds:.2}"))
            ),
        };
    }
    verification_table(page, peers);
}

/// Supported or not: each set a line, each method its balanced accuracy and its speed.
fn verification_table(page: &mut String, peers: &Peers) {
    let mut methods: Vec<&String> = peers.verification.values().flat_map(BTreeMap::keys).collect();
    methods.sort();
    methods.dedup();
    if methods.is_empty() {
        return;
    }
    let _ = writeln!(
        page,
        "\nVerification, supported or not: balanced accuracy and pairs a second on one thread. The cosine's threshold is learnt on \
         the other half of the set; in brackets what it would reach with the best threshold for just these rows.\n"
    );
    let _ = write!(page, "| set | rows |");
    for method in &methods {
        let _ = write!(page, " {method} | pairs/s |");
    }
    let _ = writeln!(page, "\n|---|---:|{}", "---:|---:|".repeat(methods.len()));
    for (set, results) in &peers.verification {
        let rows = results.values().find_map(|result| match result {
            Pairs::Measured { rows, .. } => Some(*rows),
            Pairs::Failed { .. } => None,
        });
        let _ = write!(page, "| {set} | {} |", rows.unwrap_or(0));
        for method in &methods {
            let _ = match results.get(*method) {
                None => write!(page, " – | – |"),
                Some(Pairs::Failed { failed }) => write!(page, " not measured: {failed} | – |"),
                Some(Pairs::Measured {
                    pairs_per_second_one_thread,
                    binary_balanced_accuracy,
                    binary_balanced_accuracy_best_threshold_on_these_rows: best,
                    ..
                }) => {
                    let best = best.map_or_else(String::new, |best| format!(" ({best:.3})"));
                    let value = shown(*binary_balanced_accuracy);
                    write!(page, " {value}{best} | {} |", whole(*pairs_per_second_one_thread))
                }
            };
        }
        page.push('\n');
    }
}

fn whole(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.0}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PEERS: &str = r#"{"kind": "peers", "machine": {"processor": "P", "cores": 2, "load_before": 0.1},
      "settings": {"vectors": 9, "queries": 3, "dimension": 4, "retrieval": "r", "versions": ["a==1"], "M": 16, "ef_construction": "200"},
      "vectors": {"evidex": {"vectors": 9, "build_seconds": 1.0, "file_bytes": 1048576, "search": [
          {"way": "exact", "recall_at_10": 1.0, "queries_per_second": 50.0, "p50_ms": 1.0, "p99_ms": 2.0},
          {"way": "graph, ef_search 32", "recall_at_10": 0.96, "queries_per_second": 90.0, "p50_ms": 1.0, "p99_ms": 2.0},
          {"way": "graph, ef_search 8", "recall_at_10": 0.5, "queries_per_second": 900.0, "p50_ms": 1.0, "p99_ms": 2.0}]},
        "fast": {"build_seconds": 1.0, "file_bytes": 0, "search": {
          "ef 8": {"recall_at_10": 0.8, "queries_per_second": 9.0, "p50_ms": 1.0, "p99_ms": 2.0}}},
        "gone": {"failed": "cannot be installed: no wheel"}},
      "words": {"evidex": {"ndcg_at_10": 0.4, "queries_per_second": 70.0, "mrr": 0.1}, "other": {"failed": "no"}},
      "verification": {"set": {"evidex": {"rows": 5, "pairs_per_second_one_thread": 3.0, "binary_balanced_accuracy": 0.7},
        "cosine": {"rows": 5, "pairs_per_second_one_thread": 1.0, "binary_balanced_accuracy": 0.6,
          "binary_balanced_accuracy_best_threshold_on_these_rows": 0.65}}}}"#;

    #[test]
    fn a_peer_is_shown_where_its_recall_is_comparable_and_named_where_it_failed() {
        let folder = tempfile::tempdir().unwrap();
        let mut page = String::new();
        speed_tables(&mut page, folder.path()).unwrap();
        assert_eq!(page, "", "no file, no table");
        std::fs::write(folder.path().join("peers.json"), PEERS).unwrap();
        speed_tables(&mut page, folder.path()).unwrap();
        for line in [
            "| evidex | graph, ef_search 32 | 0.9600 | 90 | 2.00 | 1.0 | 1 |",
            "| fast | ef 8 | 0.8000 | 9 | 2.00 | 1.0 | 0 |",
            "| gone | not measured: cannot be installed: no wheel | – | – | – | – | – |",
            "| evidex | 0.400 | 70 | – |",
            "| other: not measured: no | – | – | – |",
            "| set | 5 | 0.600 (0.650) | 1 | 0.700 | 3 |",
        ] {
            assert!(page.contains(line), "{line}\n{page}");
        }
        std::fs::write(folder.path().join("peers.json"), "{}").unwrap();
        assert!(matches!(speed_tables(&mut page, folder.path()), Err(EvalError::NotAResult { .. })));
    }
}
