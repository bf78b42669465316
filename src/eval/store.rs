//! What the store costs beside its peers: the results that `benches/store` and `benches/peers/store.py` write, as tables.
//!
//! Files of one part, ours and the peers', become one table. Of measures at several settings the fastest counts that
//! finds nearly all there is to find, so that speed is never bought with recall unseen.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::{Deserialize, Serialize};

/// The least recall@10 that a speed of searching is shown at.
const LEAST_RECALL: f64 = 0.98;

/// What was measured in one run of one program.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StoreReport {
    /// The part of the bench and its size: `graph-20000`.
    pub part: String,
    /// What it ran on.
    pub machine: String,
    /// What was indexed.
    pub corpus: String,
    /// What all who are compared were told.
    pub settings: String,
    /// The measures, in the order in which they were taken.
    pub measures: Vec<StoreMeasure>,
    /// Who could not be measured, and why.
    #[serde(default)]
    pub left_out: BTreeMap<String, String>,
}

/// One figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoreMeasure {
    /// What was measured.
    pub what: String,
    /// Whose it is, with version.
    pub who: String,
    /// The setting that differs from measure to measure.
    pub setting: Option<String>,
    /// The figure.
    pub value: f64,
    /// Its unit.
    pub unit: String,
    /// Share of the true ten nearest that were found.
    pub recall_at_10: Option<f64>,
}

/// All reports as tables in Markdown, a table a part.
pub(super) fn store_tables(page: &mut String, reports: &BTreeMap<String, StoreReport>) {
    let mut parts: BTreeMap<(String, usize), Vec<&StoreReport>> = BTreeMap::new();
    for report in reports.values() {
        parts.entry(by_size(&report.part)).or_default().push(report);
    }
    for ((name, size), reports) in parts {
        let Some(first) = reports.first() else { continue };
        let _ = writeln!(
            page,
            "\n`{name} {size}`: {}; {}; {}.\n\n| measured | who | at | recall@10 | |\n|---|---|---|---:|---:|",
            first.corpus, first.settings, first.machine
        );
        let mut rows: Vec<&StoreMeasure> = reports.iter().flat_map(|report| shown(&report.measures)).collect();
        let order: Vec<&str> = rows.iter().map(|row| row.what.as_str()).collect();
        let order: Vec<usize> =
            order.iter().map(|what| order.iter().position(|other| other == what).unwrap_or(0)).collect();
        let mut placed: Vec<(usize, &StoreMeasure)> = order.into_iter().zip(rows.drain(..)).collect();
        placed.sort_by_key(|(place, _)| *place);
        for (_, row) in placed {
            let recall = row.recall_at_10.map_or_else(|| "–".to_owned(), |recall| format!("{recall:.3}"));
            let setting = row.setting.as_deref().unwrap_or("–");
            let _ = writeln!(
                page,
                "| {} | {} | {setting} | {recall} | {} {} |",
                row.what,
                row.who,
                figure(row.value),
                row.unit
            );
        }
        for (who, reason) in reports.iter().flat_map(|report| &report.left_out) {
            let _ = writeln!(page, "\n{who} is left out: {reason}");
        }
    }
}

/// A part's name and its size, so that sizes stand in the order of numbers.
fn by_size(part: &str) -> (String, usize) {
    let cut = part.rsplit_once('-').and_then(|(name, size)| Some((name.to_owned(), size.parse().ok()?)));
    cut.unwrap_or_else(|| (part.to_owned(), 0))
}

/// The measures worth a row: those without recall, and of those with it the fastest of each that finds enough.
fn shown(measures: &[StoreMeasure]) -> Vec<&StoreMeasure> {
    let enough = |row: &StoreMeasure| row.recall_at_10.is_some_and(|recall| recall >= LEAST_RECALL);
    let same = |a: &StoreMeasure, b: &StoreMeasure| a.what == b.what && a.who == b.who;
    let best = |row: &StoreMeasure| {
        let rivals = measures.iter().filter(|other| same(row, other) && enough(other));
        enough(row) && rivals.map(|other| other.value).fold(0.0, f64::max) <= row.value
    };
    measures.iter().filter(|row| row.recall_at_10.is_none() || best(row)).collect()
}

/// Three digits that count, or all before the point.
fn figure(value: f64) -> String {
    match value.abs() {
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        1.0.. => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(who: &str, what: &str, value: f64, recall_at_10: Option<f64>) -> StoreMeasure {
        let setting = recall_at_10.map(|recall| format!("ef {recall}"));
        StoreMeasure { what: what.into(), who: who.into(), setting, value, unit: "a second".into(), recall_at_10 }
    }

    #[test]
    fn the_fastest_that_finds_enough_stands_beside_its_peers_and_who_is_missing_is_named() {
        let ours = StoreReport {
            part: "graph-20000".into(),
            measures: vec![
                measure("we", "build", 12.34, None),
                measure("we", "search", 900.0, Some(0.95)),
                measure("we", "search", 700.0, Some(0.985)),
                measure("we", "search", 500.0, Some(0.99)),
            ],
            ..StoreReport::default()
        };
        let peers = StoreReport {
            part: "graph-20000".into(),
            measures: vec![measure("they", "build", 20.0, None), measure("they", "search", 600.0, Some(0.98))],
            left_out: BTreeMap::from([("others".to_owned(), "no wheel".to_owned())]),
            ..StoreReport::default()
        };
        let mut page = String::new();
        store_tables(&mut page, &BTreeMap::from([("a".to_owned(), ours), ("b".to_owned(), peers)]));
        let rows: Vec<&str> = page.lines().filter(|line| line.contains("we |") || line.contains("they |")).collect();
        assert_eq!(
            rows,
            [
                "| build | we | – | – | 12.3 a second |",
                "| build | they | – | – | 20.0 a second |",
                "| search | we | ef 0.985 | 0.985 | 700 a second |",
                "| search | they | ef 0.98 | 0.980 | 600 a second |",
            ]
        );
        assert!(page.contains("others is left out: no wheel"));
    }

    #[test]
    fn parts_are_ordered_by_number() {
        let report = |part: &str| (part.to_owned(), StoreReport { part: part.to_owned(), ..StoreReport::default() });
        let mut page = String::new();
        store_tables(&mut page, &["graph-100000", "graph-20000"].map(report).into());
        assert!(page.find("graph 20000").unwrap() < page.find("graph 100000").unwrap());
    }
}
