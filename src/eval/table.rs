//! Results for people: one set in full, or many sets a line each.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::{BaselineReport, PairReport, pareto_front};
use crate::report::TextOptions;

pub(super) const BOLD: &str = "\x1b[1m";
const RED: &str = "\x1b[31m";
const RESET: &str = "\x1b[0m";

/// A measure with three digits, or a dash.
pub(super) fn shown(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"))
}

/// A measure's name in JSON as people write it.
pub(super) fn named(measure: &str) -> String {
    let word = |word: &str| match word {
        "auroc" | "ece" | "f1" => word.to_uppercase(),
        "brier" => "Brier".to_owned(),
        "percent" => "%".to_owned(),
        word => word.to_owned(),
    };
    measure.split('_').map(word).collect::<Vec<String>>().join(" ")
}

/// A rate: with a digit after the point where it is small.
pub(super) fn rate(value: f64) -> String {
    if value < 10.0 { format!("{value:.1}") } else { format!("{value:.0}") }
}

/// A number with one digit after the point, or a dash.
pub(super) fn tenths(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.1}"))
}

pub(super) fn paint(style: &str, text: &str, options: &TextOptions) -> String {
    if options.colour { format!("{style}{text}{RESET}") } else { text.to_owned() }
}

/// Many sets, a line each, with the best baseline beside ours.
pub fn pair_table(reports: &[PairReport], options: &TextOptions) -> String {
    let name = reports.iter().map(|report| report.dataset.chars().count()).max().unwrap_or(0).max(3);
    let mut page = String::new();
    let head = format!(
        "{:<name$} {:>6} {:>8} {:>8} {:>6} {:>6} {:>6} {:>8} {:>6} {:>8} {:>6} {:>20} {:>8}",
        "set",
        "rows",
        "balanced",
        "accuracy",
        "S prec",
        "X prec",
        "X on S",
        "macro F1",
        "AUROC",
        "coverage",
        "ECE",
        "best baseline",
        "pairs/s",
    );
    let _ = writeln!(page, "{}", paint(BOLD, &head, options));
    for report in reports {
        let count = |gold: &str, predicted: &str| {
            report.confusion.get(gold).and_then(|row| row.get(predicted)).copied().unwrap_or(0)
        };
        let supported: u64 = report.confusion.get("supported").map_or(0, |row| row.values().sum());
        let refuted = count("supported", "contradicted");
        let refuted = (supported > 0).then(|| refuted as f64 / supported as f64);
        let precision = |class: &str| report.per_class.get(class).and_then(|class| class.precision);
        let against = if report.per_class.contains_key("contradicted") { "contradicted" } else { "unsupported" };
        let line = format!(
            "{:<name$} {:>6} {:>8} {:>8} {:>6} {:>6} {:>6} {:>8} {:>6} {:>8} {:>6} {:>20} {:>8}",
            report.dataset,
            report.rows,
            shown(report.headline()),
            shown(report.metrics.accuracy),
            shown(precision("supported")),
            shown(precision(against)),
            shown(refuted),
            shown(report.metrics.macro_f1),
            shown(report.metrics.auroc),
            shown(report.metrics.coverage),
            shown(report.metrics.ece),
            best_baseline(report).map_or_else(|| "–".to_owned(), |(name, value)| format!("{name} {value:.3}")),
            report.pairs_per_second.map_or_else(|| "–".to_owned(), rate),
        );
        let line =
            if report.not_better_than.is_empty() { line } else { paint(RED, &format!("{line}  not better"), options) };
        let _ = writeln!(page, "{line}");
    }
    page
}

fn best_baseline(report: &PairReport) -> Option<(&str, f64)> {
    report
        .baselines
        .iter()
        .filter_map(|(name, baseline)| match baseline {
            BaselineReport::Measured { balanced_accuracy: Some(value), .. } => Some((name.as_str(), *value)),
            _ => None,
        })
        .max_by(|a, b| a.1.total_cmp(&b.1))
}

/// One set in full.
pub fn pair_text(report: &PairReport, options: &TextOptions) -> String {
    let mut page = String::new();
    let classes: Vec<String> =
        report.per_class.iter().map(|(class, counts)| format!("{} {class}", counts.rows)).collect();
    let of = if report.rows < report.rows_in_set { format!(" of {}", report.rows_in_set) } else { String::new() };
    let head = format!("{}: {}{of} rows ({})", report.dataset, report.rows, classes.join(", "));
    let _ = writeln!(page, "{}", paint(BOLD, &head, options));
    if !report.problems.is_empty() {
        let counted: Vec<String> =
            report.problems.iter().map(|(kind, count)| format!("{count} {}", kind.replace('_', " "))).collect();
        let _ = writeln!(page, "lines with a problem: {}", counted.join(", "));
    }
    methods(&mut page, report, options);
    further(&mut page, report);
    classes_and_confusion(&mut page, report);
    for threshold in &report.threshold {
        let on = if threshold.chosen_on == "default" {
            String::new()
        } else {
            format!(", chosen on {}", threshold.chosen_on)
        };
        let _ = writeln!(
            page,
            "at support > {:.3}{on}: balanced accuracy {} (supported or not); unsupported: precision {}, recall {}, F1 {}",
            threshold.threshold,
            shown(threshold.balanced_accuracy),
            shown(threshold.precision),
            shown(threshold.recall),
            shown(threshold.f1),
        );
    }
    claims(&mut page, report);
    times(&mut page, report);
    page
}

/// The claims of whole answers, and the cascade's front.
fn claims(page: &mut String, report: &PairReport) {
    if let Some(claims) = &report.claims {
        let _ = writeln!(
            page,
            "claims, each held to be as good as its answer: flagged {} of {} in supported answers, {} of {} in the others \
             (ratio {}), AUROC {}, {} checked claims an answer; without a checked claim: {} supported and {} other answers",
            shown(claims.clean_flag_rate),
            claims.clean_claims,
            shown(claims.hallucinated_flag_rate),
            claims.hallucinated_claims,
            claims.ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2}")),
            shown(claims.auroc),
            claims.claims_per_response.map_or_else(|| "–".to_owned(), |count| format!("{count:.2}")),
            claims.clean_without_claims,
            claims.hallucinated_without_claims,
        );
    }
    if report.cascade.is_empty() {
        return;
    }
    let _ = writeln!(
        page,
        "\n{:<16} {:>9} {:>8} {:>6} {:>9}   (cascade, Pareto front)",
        "support in", "handed on", "balanced", "F1", "ms a row"
    );
    for point in pareto_front(&report.cascade) {
        let band =
            point.low.zip(point.high).map_or_else(|| "first alone".to_owned(), |(a, b)| format!("{a:.1} to {b:.1}"));
        let _ = writeln!(
            page,
            "{band:<16} {:>9} {:>8} {:>6} {:>9.1}",
            shown(Some(point.escalated)),
            shown(point.balanced_accuracy),
            shown(point.f1),
            point.latency_ms
        );
    }
    let _ = writeln!(page);
}

/// Ours beside the baselines.
fn methods(page: &mut String, report: &PairReport, options: &TextOptions) {
    let head = format!(
        "\n{:<16} {:>8} {:>15} {:>8} {:>8} {:>6}",
        "method", "balanced", "95 % interval", "accuracy", "macro F1", "AUROC"
    );
    let _ = writeln!(page, "{}", paint(BOLD, &head, options));
    let interval = report.intervals.get("balanced_accuracy").copied().flatten();
    let _ = writeln!(
        page,
        "{:<16} {:>8} {:>15} {:>8} {:>8} {:>6}",
        "evidex",
        shown(report.metrics.balanced_accuracy),
        interval.map_or_else(|| "–".to_owned(), |interval| format!("{:.3}–{:.3}", interval.low, interval.high)),
        shown(report.metrics.accuracy),
        shown(report.metrics.macro_f1),
        shown(report.metrics.auroc),
    );
    for (name, baseline) in &report.baselines {
        let line = match baseline {
            BaselineReport::Measured { balanced_accuracy, accuracy, macro_f1, auroc } => format!(
                "{name:<16} {:>8} {:>15} {:>8} {:>8} {:>6}",
                shown(*balanced_accuracy),
                "",
                shown(*accuracy),
                shown(*macro_f1),
                shown(*auroc),
            ),
            BaselineReport::Missing { missing } => format!("{name:<16} not measured: {missing}"),
        };
        let _ = writeln!(page, "{line}");
    }
    if report.per_class.len() == 2 {
        let value = shown(report.headline());
        let interval = report.headline_interval();
        let interval =
            interval.map_or_else(String::new, |interval| format!(" ({:.3}–{:.3})", interval.low, interval.high));
        let _ = writeln!(page, "two classes, so what counts is supported or not: balanced accuracy {value}{interval}");
    }
    if !report.not_better_than.is_empty() {
        let line = format!("evidex is not better than {} on this set", report.not_better_than.join(", "));
        let _ = writeln!(page, "{}", paint(RED, &line, options));
    }
}

fn further(page: &mut String, report: &PairReport) {
    let m = &report.metrics;
    let rows = [
        ("supported or not, balanced accuracy", m.binary_balanced_accuracy),
        ("precision at 80 / 90 / 95 % recall of unsupported", None),
        ("recall of unsupported at 1 % false alarms", m.recall_at_1_percent_false_alarms),
        ("calibration error (equal width)", m.ece),
        ("calibration error (equal mass)", m.ece_equal_mass),
        ("Brier score", m.brier),
        ("coverage (checked / all)", m.coverage),
    ];
    let _ = writeln!(page);
    for (name, value) in rows {
        let value = if name.starts_with("precision") {
            [m.precision_at_recall_80, m.precision_at_recall_90, m.precision_at_recall_95].map(shown).join(" / ")
        } else {
            shown(value)
        };
        let _ = writeln!(page, "{name:<50} {value}");
    }
    let reasons: BTreeSet<&String> = report.undefined.values().collect();
    for reason in reasons {
        let names: Vec<&str> =
            report.undefined.iter().filter(|(_, why)| *why == reason).map(|(name, _)| name.as_str()).collect();
        let _ = writeln!(page, "undefined because {reason}: {}", names.join(", "));
    }
}

fn classes_and_confusion(page: &mut String, report: &PairReport) {
    let columns: Vec<&String> = report.confusion.values().next().map_or_else(Vec::new, |row| row.keys().collect());
    let width = |name: &str| name.chars().count().max(6);
    let _ = write!(page, "\n{:<14} {:>9} {:>6} {:>6}   read as:", "class", "precision", "recall", "F1");
    for column in &columns {
        let _ = write!(page, " {column:>0$}", width(column));
    }
    let _ = writeln!(page);
    for (name, class) in &report.per_class {
        let _ = write!(
            page,
            "{name:<14} {:>9} {:>6} {:>6}           ",
            shown(class.precision),
            shown(class.recall),
            shown(class.f1)
        );
        for column in &columns {
            let count = report.confusion.get(name).and_then(|row| row.get(*column)).copied().unwrap_or(0);
            let _ = write!(page, " {count:>0$}", width(column));
        }
        let _ = writeln!(page);
    }
    let _ = writeln!(page);
}

fn times(page: &mut String, report: &PairReport) {
    let (t, ms) = (&report.latency_ms, tenths);
    let _ = write!(page, "a row takes {} ms (p50 {}, p95 {}, p99 {})", ms(t.mean), ms(t.p50), ms(t.p95), ms(t.p99));
    if let Some(pairs) = report.pairs_per_second {
        let _ = write!(page, ", {} pairs a second on {} threads", rate(pairs), report.threads);
    }
    if let Some(bytes) = report.peak_memory_bytes {
        let _ = write!(page, ", peak memory {} MB", bytes >> 20);
    }
    let nli = report.models.nli.as_deref().unwrap_or("none");
    let embedder = report.models.embedder.as_deref().unwrap_or("none");
    let _ = writeln!(page, "\nentailment model: {nli}; embedder: {embedder}");
}
