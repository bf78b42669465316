//! Results of retrieval for people.

use std::fmt::Write;

use super::RetrievalReport;
use super::table::{BOLD, paint, shown, tenths};
use crate::report::TextOptions;

/// One retrieval set in full.
pub fn retrieval_text(report: &RetrievalReport, options: &TextOptions) -> String {
    let mut page = String::new();
    let head = format!(
        "{}: {} queries over {} documents ({} chunks)",
        report.dataset, report.queries, report.documents, report.chunks
    );
    let _ = writeln!(page, "{}", paint(BOLD, &head, options));
    if !report.problems.is_empty() {
        let counted: Vec<String> =
            report.problems.iter().map(|(kind, count)| format!("{count} {}", kind.replace('_', " "))).collect();
        let _ = writeln!(page, "lines left out: {}", counted.join(", "));
    }
    let head = format!(
        "\n{:<8} {:>8} {:>15} {:>8} {:>9} {:>10} {:>6} {:>8} {:>8} {:>10}",
        "mode",
        "nDCG@10",
        "95 % interval",
        "recall@5",
        "recall@20",
        "recall@100",
        "MRR",
        "p50 ms",
        "p99 ms",
        "queries/s"
    );
    let _ = writeln!(page, "{}", paint(BOLD, &head, options));
    for (name, mode) in &report.modes {
        let interval = mode.ndcg_at_10_interval;
        let _ = writeln!(
            page,
            "{name:<8} {:>8} {:>15} {:>8} {:>9} {:>10} {:>6} {:>8} {:>8} {:>10}",
            shown(mode.ndcg_at_10),
            interval.map_or_else(|| "–".to_owned(), |interval| format!("{:.3}–{:.3}", interval.low, interval.high)),
            shown(mode.recall_at_5),
            shown(mode.recall_at_20),
            shown(mode.recall_at_100),
            shown(mode.mrr),
            tenths(mode.latency_ms.p50),
            tenths(mode.latency_ms.p99),
            mode.queries_per_second.map_or_else(|| "–".to_owned(), |rate| format!("{rate:.0}")),
        );
    }
    let _ = writeln!(
        page,
        "\nevidence recall (relevant documents among the {} passages that a claim is checked against): {}",
        report.passages_per_claim,
        shown(report.evidence_recall)
    );
    let embedder = report.embedder.as_deref().unwrap_or("none");
    let _ = write!(page, "embedder: {embedder}");
    if let Some(seconds) = report.indexing_seconds {
        let _ = write!(page, "; indexed in {seconds:.1} s");
    }
    if let Some(bytes) = report.peak_memory_bytes {
        let _ = write!(page, "; peak memory {} MB", bytes >> 20);
    }
    page.push('\n');
    page
}
