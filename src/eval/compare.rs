//! Two results over the same set: what changed, and whether chance explains it.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::metrics::{McNemar, mcnemar};
use super::table::{named, shown};
use super::{EvalError, PairReport, Prediction, Schema};
use crate::corpus::{ReadOptions, read_text};

/// A result of `evidex eval`, and the predictions behind it where there are any.
#[derive(Debug, Clone)]
pub struct EvalResult {
    /// The file.
    pub path: String,
    /// The measures.
    pub report: Option<PairReport>,
    /// The predictions, by id.
    pub predictions: Option<Vec<Prediction>>,
}

/// What changed from one result to another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The first result's file.
    pub first: String,
    /// The second result's file.
    pub second: String,
    /// Measure, first value, second value.
    pub metrics: BTreeMap<String, (Option<f64>, Option<f64>)>,
    /// McNemar's test on the rows that both predict; `None` where these are not the same or not known one by one.
    pub mcnemar: Option<McNemar>,
    /// Whether the measures are of different samples of the set, so that chance alone may set them apart.
    pub other_sample: bool,
    /// Rows that both predict.
    pub common_rows: usize,
    /// Rows that only one of them predicts.
    pub other_rows: usize,
    /// Ids that the first gets right and the second wrong.
    pub lost: Vec<String>,
    /// Ids that the second gets right and the first wrong.
    pub won: Vec<String>,
}

/// Reads a result: the JSON that `--format json` prints, or the lines that `--predictions` writes.
///
/// # Errors
/// [`EvalError::Read`], or [`EvalError::NotAResult`] when the file is neither.
pub fn read_result(path: &Path) -> Result<EvalResult, EvalError> {
    let shown = path.display().to_string();
    let (text, _) = read_text(path, &ReadOptions::default())?;
    let wrong = |reason: String| EvalError::NotAResult { path: shown.clone(), reason };
    if let Ok(report) = serde_json::from_str::<PairReport>(&text) {
        return Ok(EvalResult { path: shown, report: Some(report), predictions: None });
    }
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let predictions = lines
        .map(|(at, line)| {
            serde_json::from_str::<Prediction>(line).map_err(|error| wrong(format!("line {}: {error}", at + 1)))
        })
        .collect::<Result<Vec<_>, _>>()?;
    if predictions.is_empty() {
        return Err(wrong("it is empty".to_owned()));
    }
    Ok(EvalResult { path: shown, report: None, predictions: Some(predictions) })
}

/// What changed.
///
/// # Errors
/// [`EvalError::NotAResult`] when one holds measures and the other predictions, or they are of different sets.
pub fn compare(first: &EvalResult, second: &EvalResult) -> Result<Comparison, EvalError> {
    let mut comparison = Comparison {
        first: first.path.clone(),
        second: second.path.clone(),
        metrics: BTreeMap::new(),
        mcnemar: None,
        other_sample: false,
        common_rows: 0,
        other_rows: 0,
        lost: Vec::new(),
        won: Vec::new(),
    };
    let refuse = |reason: &str| EvalError::NotAResult { path: second.path.clone(), reason: reason.to_owned() };
    match (&first.report, &second.report, &first.predictions, &second.predictions) {
        (Some(a), Some(b), ..) => {
            if a.sha256 != b.sha256 {
                return Err(refuse(&format!("it is of the set `{}`, the other of `{}`", b.dataset, a.dataset)));
            }
            let sampled = a.rows < a.rows_in_set || b.rows < b.rows_in_set;
            comparison.other_sample = a.rows != b.rows || sampled && a.seed != b.seed;
            let known = |report: &PairReport| report.rows > 0 && report.right.len() == report.rows;
            if !comparison.other_sample && known(a) && known(b) {
                let only =
                    |own: u8| a.right.bytes().zip(b.right.bytes()).filter(|(x, y)| x != y && *x == own).count() as u64;
                comparison.mcnemar = Some(mcnemar(only(b'1'), only(b'0')));
                comparison.common_rows = a.rows;
            }
            let values = |report: &PairReport| match serde_json::to_value(report.metrics) {
                Ok(serde_json::Value::Object(values)) => values,
                _ => serde_json::Map::new(),
            };
            let (a, b) = (values(a), values(b));
            comparison.metrics = a
                .iter()
                .map(|(name, value)| (name.clone(), (value.as_f64(), b.get(name).and_then(|v| v.as_f64()))))
                .collect();
        }
        (None, None, Some(a), Some(b)) => by_rows(a, b, &mut comparison),
        _ => return Err(refuse("one file holds measures, the other predictions")),
    }
    Ok(comparison)
}

/// Row by row, by id.
fn by_rows(first: &[Prediction], second: &[Prediction], comparison: &mut Comparison) {
    let binary = first.iter().chain(second).any(|p| p.gold == super::Class::Unsupported);
    let schema = if binary { Schema::Binary } else { Schema::ThreeClass };
    let right = |p: &Prediction| schema.of_label(p.label) == Some(schema.of_class(p.gold));
    let theirs: HashMap<&str, &Prediction> = second.iter().map(|p| (p.id.as_str(), p)).collect();
    let mut right_of = (0_usize, 0_usize);
    for p in first {
        let Some(other) = theirs.get(p.id.as_str()).filter(|other| other.gold == p.gold) else { continue };
        comparison.common_rows += 1;
        right_of.0 += usize::from(right(p));
        right_of.1 += usize::from(right(other));
        match (right(p), right(other)) {
            (true, false) => comparison.lost.push(p.id.clone()),
            (false, true) => comparison.won.push(p.id.clone()),
            _ => {}
        }
    }
    comparison.other_rows = first.len() + second.len() - 2 * comparison.common_rows;
    let share = |right: usize| (comparison.common_rows > 0).then(|| right as f64 / comparison.common_rows as f64);
    comparison.metrics = BTreeMap::from([("accuracy".to_owned(), (share(right_of.0), share(right_of.1)))]);
    comparison.mcnemar = Some(mcnemar(comparison.lost.len() as u64, comparison.won.len() as u64));
}

/// The comparison for people.
pub fn comparison_text(comparison: &Comparison) -> String {
    let mut page = String::new();
    let _ = writeln!(page, "{:<34} {:>8} {:>8} {:>8}", "", "first", "second", "change");
    for (name, (first, second)) in &comparison.metrics {
        let change = first.zip(*second).map_or_else(|| "–".to_owned(), |(a, b)| format!("{:+.3}", b - a));
        let _ = writeln!(page, "{:<34} {:>8} {:>8} {:>8}", named(name), shown(*first), shown(*second), change);
    }
    if let Some(test) = comparison.mcnemar {
        let _ = writeln!(
            page,
            "\nof {} rows in both, only the first is right on {}, only the second on {} (McNemar's exact test: p {})",
            comparison.common_rows,
            test.only_first,
            test.only_second,
            if test.p_value < 1e-4 { "< 0.0001".to_owned() } else { format!("= {:.4}", test.p_value) }
        );
        let verdict = match (test.p_value < 0.05, test.only_second.cmp(&test.only_first)) {
            (true, std::cmp::Ordering::Greater) => "the second is better, by more than chance",
            (true, std::cmp::Ordering::Less) => "the first is better, by more than chance",
            _ => "the difference may be chance",
        };
        let _ = writeln!(page, "{verdict}");
        for (name, ids) in [("lost", &comparison.lost), ("won", &comparison.won)] {
            if !ids.is_empty() {
                let more = if ids.len() > 10 { format!(" and {} more", ids.len() - 10) } else { String::new() };
                let first: Vec<&str> = ids.iter().take(10).map(String::as_str).collect();
                let _ = writeln!(page, "{name}: {}{more}", first.join(", "));
            }
        }
    } else {
        let _ = writeln!(page, "\nno test of chance: the two are not known to be of the same rows");
    }
    if comparison.other_sample {
        let _ = writeln!(page, "the two are of different samples of the set: chance alone may set them apart");
    }
    if comparison.other_rows > 0 {
        let _ = writeln!(page, "{} rows are in one of the files only and were left out", comparison.other_rows);
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{PairEvaluator, PairReportOptions, PairRun, pair_report, parse_pairs};
    use crate::verify::Label;

    #[test]
    fn rows_that_one_run_alone_gets_right_are_counted_and_named() {
        let row = |id: usize| format!(r#"{{"id": "{id}", "context": "A b.", "claim": "C d.", "label": "supported"}}"#);
        let rows = parse_pairs("x", &(0..12).map(row).collect::<Vec<_>>().join("\n")).rows;
        let blank: Vec<Prediction> = rows.iter().map(|row| PairEvaluator::default().predict(row).unwrap()).collect();
        let with = |right: &dyn Fn(usize) -> bool| -> Vec<Prediction> {
            let label = |at: usize| if right(at) { Label::Supported } else { Label::NotEnoughInfo };
            blank.iter().enumerate().map(|(at, p)| Prediction { label: label(at), ..p.clone() }).collect()
        };
        let result =
            |name: &str, predictions| EvalResult { path: name.into(), report: None, predictions: Some(predictions) };
        let (a, b) = (result("a", with(&|at| at == 0)), result("b", with(&|at| at > 0)));
        let found = compare(&a, &b).unwrap();
        let test = found.mcnemar.unwrap();
        assert_eq!((test.only_first, test.only_second, found.lost.as_slice()), (1, 11, ["0".to_owned()].as_slice()));
        assert!((test.p_value - 26.0 / 4096.0).abs() < 1e-9);
        assert!(comparison_text(&found).contains("the second is better"));
        assert!(compare(&a, &EvalResult { path: "c".into(), report: None, predictions: None }).is_err());

        let set = parse_pairs("x", &(0..12).map(row).collect::<Vec<_>>().join("\n"));
        let report = |result: &EvalResult| {
            let predictions = result.predictions.clone().unwrap();
            let run = PairRun { predictions, seconds: 1.0, verified: 12 };
            let report = pair_report(&set, &run, &PairReportOptions::default());
            EvalResult { path: result.path.clone(), report: Some(report), predictions: None }
        };
        let of_reports = compare(&report(&a), &report(&b)).unwrap();
        assert_eq!((of_reports.mcnemar, of_reports.common_rows), (Some(test), 12));
        let mut old = report(&b);
        old.report.as_mut().unwrap().right.clear();
        assert_eq!(compare(&report(&a), &old).unwrap().mcnemar, None);
    }
}
