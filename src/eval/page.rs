//! Results as one self-contained page: tables, charts, and the worst errors with their evidence. It asks for nothing from
//! anywhere, holds no script, and forbids both in its own policy.

use std::fmt::Write;

use super::charts::{self, Line};
use super::metrics::{curve, ones};
use super::table::{named, rate, shown, tenths};
use super::{BaselineReport, Class, PairReport, PairRows, Prediction, RetrievalReport, pareto_front};

const STYLE: &str = include_str!("page.css");
/// Errors that are shown in full.
const SHOWN_ERRORS: usize = 50;
/// Characters of a context that are shown.
const SHOWN_CONTEXT: usize = 1500;

/// Text as it may stand in a page.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn open(title: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>evidex: {title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    )
}

const CLOSE: &str = "</body>\n</html>\n";

/// A table; the first row is its head.
fn table(page: &mut String, rows: &[Vec<String>]) {
    page.push_str("<div class=\"scroll\"><table>\n");
    for (at, row) in rows.iter().enumerate() {
        let tag = if at == 0 { "th" } else { "td" };
        let cells: String = row.iter().map(|cell| format!("<{tag}>{}</{tag}>", escape(cell))).collect();
        let _ = writeln!(page, "<tr>{cells}</tr>");
    }
    page.push_str("</table></div>\n");
}

fn figure(page: &mut String, svg: &str, caption: &str) {
    if !svg.is_empty() {
        let _ = writeln!(page, "<figure>{svg}<figcaption>{}</figcaption></figure>", escape(caption));
    }
}

fn cells<const N: usize>(row: [&str; N]) -> Vec<String> {
    row.map(str::to_owned).into()
}

/// The page of a set of claims or answers.
pub fn pair_page(report: &PairReport, set: &PairRows, predictions: &[Prediction]) -> String {
    let mut page = open(&report.dataset);
    let classes: Vec<String> =
        report.per_class.iter().map(|(class, counts)| format!("{} {class}", counts.rows)).collect();
    let of = if report.rows < report.rows_in_set { format!(" of {}", report.rows_in_set) } else { String::new() };
    let models = format!(
        "entailment model {}, embedder {}",
        report.models.nli.as_deref().unwrap_or("none"),
        report.models.embedder.as_deref().unwrap_or("none")
    );
    let _ = writeln!(
        page,
        "<p class=\"soft\">{}{of} rows ({}); evidex {}, {}; set SHA-256 <code>{}</code></p>",
        report.rows,
        escape(&classes.join(", ")),
        escape(&report.evidex),
        escape(&models),
        escape(report.sha256.get(..12).unwrap_or(&report.sha256)),
    );
    methods(&mut page, report);
    pair_charts(&mut page, report, predictions);
    measures(&mut page, report);
    confusion(&mut page, report);
    thresholds(&mut page, report);
    claims(&mut page, report);
    worst(&mut page, set, predictions);
    page.push_str(CLOSE);
    page
}

fn methods(page: &mut String, report: &PairReport) {
    page.push_str("<h2>Beside the baselines</h2>\n");
    let mut rows = vec![cells(["method", "balanced accuracy", "95 % interval", "accuracy", "macro F1", "AUROC"])];
    let m = &report.metrics;
    let interval = report.intervals.get("balanced_accuracy").copied().flatten();
    rows.push(vec![
        "evidex".to_owned(),
        shown(m.balanced_accuracy),
        interval.map_or_else(String::new, |interval| format!("{:.3}–{:.3}", interval.low, interval.high)),
        shown(m.accuracy),
        shown(m.macro_f1),
        shown(m.auroc),
    ]);
    for (name, baseline) in &report.baselines {
        rows.push(match baseline {
            BaselineReport::Measured { balanced_accuracy, accuracy, macro_f1, auroc } => vec![
                name.replace('_', " "),
                shown(*balanced_accuracy),
                String::new(),
                shown(*accuracy),
                shown(*macro_f1),
                shown(*auroc),
            ],
            BaselineReport::Missing { .. } => {
                vec![name.replace('_', " "), shown(None), String::new(), shown(None), shown(None), shown(None)]
            }
        });
    }
    table(page, &rows);
    for (name, baseline) in &report.baselines {
        if let BaselineReport::Missing { missing } = baseline {
            let _ = writeln!(page, "<p class=\"soft\">{}: {}</p>", escape(&name.replace('_', " ")), escape(missing));
        }
    }
    if report.per_class.len() == 2 {
        let value = shown(report.headline());
        let interval = report.headline_interval();
        let interval =
            interval.map_or_else(String::new, |interval| format!(" ({:.3}–{:.3})", interval.low, interval.high));
        let _ = writeln!(
            page,
            "<p>Two classes, so what counts is supported or not: balanced accuracy {value}{interval}.</p>"
        );
    }
    if !report.not_better_than.is_empty() {
        let names = report.not_better_than.join(", ").replace('_', " ");
        let _ = writeln!(page, "<p class=\"bad\">evidex is not better than {} on this set.</p>", escape(&names));
    }
}

fn pair_charts(page: &mut String, report: &PairReport, predictions: &[Prediction]) {
    let checked = predictions.iter().filter_map(|p| Some((1.0 - p.support?, p.gold != Class::Supported)));
    let (risk, unsupported): (Vec<f64>, Vec<bool>) = checked.unzip();
    let points = curve(&risk, &unsupported, &ones(risk.len())).unwrap_or_default();
    let times: Vec<f64> = predictions.iter().map(|p| p.latency_ms).collect();
    page.push_str("<h2>Curves</h2>\n<div class=\"charts\">\n");
    let m = &report.metrics;
    figure(
        page,
        &charts::reliability(&report.calibration),
        &format!("Calibration error {} (equal mass {}); grey: rows in each bin", shown(m.ece), shown(m.ece_equal_mass)),
    );
    figure(page, &charts::roc(&points), &format!("Area {}", shown(m.auroc)));
    figure(page, &charts::precision_recall(&points), "Grey: the share of unsupported claims");
    let t = &report.latency_ms;
    figure(
        page,
        &charts::latency(&times),
        &format!(
            "Mean {} ms, p50 {} ms, p95 {} ms, p99 {} ms{}{}",
            tenths(t.mean),
            tenths(t.p50),
            tenths(t.p95),
            tenths(t.p99),
            report.pairs_per_second.map_or_else(String::new, |pairs| format!("; {} rows a second", rate(pairs))),
            report.peak_memory_bytes.map_or_else(String::new, |bytes| format!("; peak memory {} MB", bytes >> 20)),
        ),
    );
    page.push_str("</div>\n");
}

fn measures(page: &mut String, report: &PairReport) {
    page.push_str("<h2>All measures</h2>\n");
    let Ok(serde_json::Value::Object(values)) = serde_json::to_value(report.metrics) else { return };
    let mut rows = vec![cells(["measure", "value", "95 % interval", ""])];
    for (name, value) in values {
        let interval = report.intervals.get(&name).copied().flatten();
        rows.push(vec![
            named(&name),
            shown(value.as_f64()),
            interval.map_or_else(String::new, |interval| format!("{:.3}–{:.3}", interval.low, interval.high)),
            report.undefined.get(&name).map_or_else(String::new, |why| format!("undefined: {why}")),
        ]);
    }
    table(page, &rows);
}

fn confusion(page: &mut String, report: &PairReport) {
    page.push_str("<h2>Class by class</h2>\n");
    let columns: Vec<String> =
        report.confusion.values().next().map_or_else(Vec::new, |row| row.keys().cloned().collect());
    let mut head = cells(["class", "precision", "recall", "F1"]);
    head.extend(columns.iter().map(|column| format!("read as {}", column.replace('_', " "))));
    let mut rows = vec![head];
    for (name, class) in &report.per_class {
        let mut row = vec![name.clone(), shown(class.precision), shown(class.recall), shown(class.f1)];
        let count = |column: &String| report.confusion.get(name).and_then(|row| row.get(column)).copied().unwrap_or(0);
        row.extend(columns.iter().map(|column| count(column).to_string()));
        rows.push(row);
    }
    table(page, &rows);
}

fn thresholds(page: &mut String, report: &PairReport) {
    page.push_str("<h2>Supported or not, at a threshold on the support</h2>\n");
    let mut rows = vec![cells(["support above", "chosen on", "balanced accuracy", "precision", "recall", "F1"])];
    rows.extend(report.threshold.iter().map(|at| {
        vec![
            format!("{:.3}", at.threshold),
            at.chosen_on.clone(),
            shown(at.balanced_accuracy),
            shown(at.precision),
            shown(at.recall),
            shown(at.f1),
        ]
    }));
    table(page, &rows);
}

/// Whole answers only: their claims, and which of them are worth handing on to a second stage.
fn claims(page: &mut String, report: &PairReport) {
    if let Some(claims) = &report.claims {
        page.push_str("<h2>Claims, each held to be as good as its answer</h2>\n");
        let share = |rate: Option<f64>, of: u64| format!("{} of {of}", shown(rate));
        let mut rows = vec![cells(["answers", "claims flagged", "answers without a checked claim"])];
        rows.push(vec![
            "supported".to_owned(),
            share(claims.clean_flag_rate, claims.clean_claims),
            claims.clean_without_claims.to_string(),
        ]);
        rows.push(vec![
            "others".to_owned(),
            share(claims.hallucinated_flag_rate, claims.hallucinated_claims),
            claims.hallucinated_without_claims.to_string(),
        ]);
        table(page, &rows);
        let _ = writeln!(
            page,
            "<p>Ratio {}, area under the curve {}, {} checked claims an answer.</p>",
            claims.ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2}")),
            shown(claims.auroc),
            claims.claims_per_response.map_or_else(|| "–".to_owned(), |count| format!("{count:.2}")),
        );
    }
    if report.cascade.is_empty() {
        return;
    }
    page.push_str("<h2>Handing answers on to the second stage: the Pareto front</h2>\n");
    let mut rows = vec![cells(["support in", "handed on", "balanced accuracy", "F1", "ms a row"])];
    rows.extend(pareto_front(&report.cascade).into_iter().map(|point| {
        let band = point.low.zip(point.high);
        vec![
            band.map_or_else(|| "first alone".to_owned(), |(low, high)| format!("{low:.1} to {high:.1}")),
            shown(Some(point.escalated)),
            shown(point.balanced_accuracy),
            shown(point.f1),
            tenths(Some(point.latency_ms)),
        ]
    }));
    table(page, &rows);
}

/// The rows that are wrong, the surest first.
fn worst(page: &mut String, set: &PairRows, predictions: &[Prediction]) {
    let mut wrong: Vec<(usize, &Prediction)> = predictions
        .iter()
        .enumerate()
        .filter(|(_, p)| set.schema.of_label(p.label) != Some(set.schema.of_class(p.gold)))
        .collect();
    let sureness = |p: &Prediction| p.confidence.unwrap_or(0.0);
    wrong.sort_by(|(a, x), (b, y)| sureness(y).total_cmp(&sureness(x)).then(a.cmp(b)));
    let _ = writeln!(page, "<h2>The {} worst of {} errors</h2>", wrong.len().min(SHOWN_ERRORS), wrong.len());
    for (at, prediction) in wrong.into_iter().take(SHOWN_ERRORS) {
        let Some(row) = set.rows.get(at) else { continue };
        let _ = writeln!(
            page,
            "<details><summary>{} <span class=\"soft\">should be {}, read as {} ({})</span></summary>",
            escape(&row.claim.chars().take(300).collect::<String>()),
            row.gold,
            prediction.label.as_str().replace('_', " "),
            prediction.confidence.map_or_else(|| "–".to_owned(), |confidence| format!("{confidence:.2}")),
        );
        let _ = writeln!(page, "<p>{}: {}</p>", escape(&row.id), escape(&prediction.reason));
        for quote in &prediction.quotes {
            let _ = writeln!(page, "<blockquote>{}</blockquote>", escape(quote));
        }
        for finding in &prediction.findings {
            let value =
                |value: &Option<String>| value.as_deref().map_or_else(|| "–".to_owned(), |value| format!("“{value}”"));
            let _ = writeln!(
                page,
                "<p class=\"soft\">{}, {}: {} in the claim, {} in the evidence</p>",
                escape(&finding.check),
                escape(&finding.kind.replace('_', " ")),
                escape(&value(&finding.claim_value)),
                escape(&value(&finding.evidence_value)),
            );
        }
        if !row.contexts.is_empty() {
            let whole = row.contexts.join("\n\n");
            let shown: String = whole.chars().take(SHOWN_CONTEXT).collect();
            let rest = if shown.len() < whole.len() { " …" } else { "" };
            let _ =
                writeln!(page, "<p class=\"soft\">The context:</p><blockquote>{}{rest}</blockquote>", escape(&shown));
        }
        page.push_str("</details>\n");
    }
}

/// The page of a retrieval set.
pub fn retrieval_page(report: &RetrievalReport) -> String {
    let mut page = open(&report.dataset);
    let _ = writeln!(
        page,
        "<p class=\"soft\">{} queries over {} documents ({} chunks); evidex {}, embedder {}</p>",
        report.queries,
        report.documents,
        report.chunks,
        escape(&report.evidex),
        escape(report.embedder.as_deref().unwrap_or("none")),
    );
    let mut rows = vec![cells([
        "mode",
        "nDCG@10",
        "95 % interval",
        "recall@5",
        "recall@20",
        "recall@100",
        "MRR",
        "p50 ms",
        "p99 ms",
    ])];
    for (name, mode) in &report.modes {
        let interval = mode.ndcg_at_10_interval;
        rows.push(vec![
            name.clone(),
            shown(mode.ndcg_at_10),
            interval.map_or_else(String::new, |interval| format!("{:.3}–{:.3}", interval.low, interval.high)),
            shown(mode.recall_at_5),
            shown(mode.recall_at_20),
            shown(mode.recall_at_100),
            shown(mode.mrr),
            tenths(mode.latency_ms.p50),
            tenths(mode.latency_ms.p99),
        ]);
    }
    table(&mut page, &rows);
    let _ = writeln!(
        page,
        "<p>Relevant documents among the {} passages that a claim is checked against: {}</p>",
        report.passages_per_claim,
        shown(report.evidence_recall)
    );
    let lines: Vec<Line> = report
        .modes
        .iter()
        .map(|(name, mode)| Line {
            name: name.clone(),
            points: mode.recall_curve.iter().map(|(rank, recall)| (*rank as f64, *recall)).collect(),
        })
        .collect();
    page.push_str("<h2>Recall by rank</h2>\n<div class=\"charts\">\n");
    figure(&mut page, &charts::recall_at_ranks(&lines), "Share of the relevant documents among the first ones");
    page.push_str("</div>\n");
    page.push_str(CLOSE);
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{PairEvaluator, PairReportOptions, PairRun, pair_report, parse_pairs};

    #[test]
    fn the_page_holds_every_chart_and_error_and_no_text_of_a_row_as_markup() {
        let row = |id: usize, claim: &str, label: &str| {
            serde_json::json!({ "id": format!("row {id}"), "context": "The <b>bridge</b> is 340 m long & old.",
                "claim": claim, "label": label })
            .to_string()
        };
        let text = [
            row(1, "The bridge is 340 m long.", "supported"),
            row(2, "The bridge is 430 m long.", "contradicted"),
            row(3, "<script>alert(1)</script> The bridge is 430 m long.", "supported"),
            row(4, "The town has a castle.", "neutral"),
        ];
        let set = parse_pairs("bridges <1>", &text.join("\n"));
        let run: PairRun = PairEvaluator::default().run(&set.rows, None).unwrap();
        let report = pair_report(&set, &run, &PairReportOptions::default());
        let page = pair_page(&report, &set, &run.predictions);
        assert_eq!(page.matches("<svg role=\"img\"").count(), 4, "{page}");
        assert!(page.contains("row 3") && page.contains("&lt;script&gt;") && !page.contains("<script"));
        assert!(page.contains("<title>evidex: bridges &lt;1&gt;</title>"));
        for outside in ["http://", "https://", "src=", "@import", "url("] {
            let found = page.replace("http://www.w3.org/2000/svg", "").contains(outside);
            assert!(!found, "{outside}");
        }
        // The colours that the style sheet gives a meaning are those that the charts use.
        for colour in ["#111111", "#CCCCCC", "#1F77B4"] {
            assert!(page.matches(colour).count() > 2, "{colour}");
        }
    }
}
