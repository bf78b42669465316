//! The README's results, from the JSON files of committed results. What the README says is what the files say.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::store::store_tables;
use super::summary_speed::speed_tables;
use super::{BaselineReport, EvalError, ModeReport, PairReport, RetrievalReport, Schema, StoreReport};

/// Folder of results by the checks alone.
const CHECKS: &str = "checks";
/// Folder of results with the entailment model.
const MODEL: &str = "model";
/// Folder of retrieval results, with a folder for each embedder.
const RETRIEVAL: &str = "retrieval";
/// Folder of what the store costs.
const STORE: &str = "store";

/// Where the generated part of a page begins and ends.
pub const SUMMARY_MARKS: (&str, &str) = ("<!-- results: begin -->", "<!-- results: end -->");

/// The tables in Markdown, of all results in `folder`.
///
/// # Errors
/// [`EvalError::Io`] when the folder cannot be read, [`EvalError::NotAResult`] when a file in it is no result, or
/// it holds none.
pub fn results_markdown(folder: &Path) -> Result<String, EvalError> {
    let checks: BTreeMap<String, PairReport> = reports(&folder.join(CHECKS))?;
    let model: BTreeMap<String, PairReport> = reports(&folder.join(MODEL))?;
    let mut retrieval = Vec::new();
    for embedder in folders(&folder.join(RETRIEVAL))? {
        retrieval.extend(reports::<RetrievalReport>(&embedder)?.into_values());
    }
    let mut page = String::new();
    pairs(&mut page, &checks, &model);
    retrieval_table(&mut page, &mut retrieval);
    store_tables(&mut page, &reports::<StoreReport>(&folder.join(STORE))?);
    speed_tables(&mut page, folder)?;
    if page.is_empty() {
        let reason = "it holds none of checks/, model/, retrieval/, store/, speed.json and peers.json".to_owned();
        return Err(EvalError::NotAResult { path: folder.display().to_string(), reason });
    }
    Ok(page)
}

/// `page` with the part between the marks replaced; `None` where it has no marks.
pub fn with_summary(page: &str, summary: &str) -> Option<String> {
    let (begin, end) = SUMMARY_MARKS;
    let start = page.find(begin)? + begin.len();
    let stop = start + page[start..].find(end)?;
    Some(format!("{}\n{summary}{}", &page[..start], &page[stop..]))
}

/// Every result of a folder by its file's name; none where there is no folder.
fn reports<T: serde::de::DeserializeOwned>(folder: &Path) -> Result<BTreeMap<String, T>, EvalError> {
    let mut found = BTreeMap::new();
    for path in entries(folder)?.into_iter().filter(|path| path.extension().is_some_and(|it| it == "json")) {
        let text = std::fs::read_to_string(&path).map_err(reading(&path))?;
        let report = serde_json::from_str(&text)
            .map_err(|error| EvalError::NotAResult { path: path.display().to_string(), reason: error.to_string() })?;
        let name = path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        found.insert(name, report);
    }
    Ok(found)
}

/// The folders in a folder.
fn folders(folder: &Path) -> Result<Vec<PathBuf>, EvalError> {
    Ok(entries(folder)?.into_iter().filter(|path| path.is_dir()).collect())
}

/// What a folder holds, in the order of names; nothing where there is no folder.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, EvalError> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let read = std::fs::read_dir(folder).map_err(reading(folder))?;
    let mut paths: Vec<PathBuf> =
        read.map(|entry| Ok(entry.map_err(reading(folder))?.path())).collect::<Result<_, EvalError>>()?;
    paths.sort();
    Ok(paths)
}

fn reading(path: &Path) -> impl FnOnce(std::io::Error) -> EvalError {
    let path = path.display().to_string();
    move |source| EvalError::Io { doing: "read", path, source }
}

fn pairs(page: &mut String, checks: &BTreeMap<String, PairReport>, model: &BTreeMap<String, PairReport>) {
    let names: BTreeSet<&String> = checks.keys().chain(model.keys()).collect();
    if names.is_empty() {
        return;
    }
    let mut ways: Vec<(&str, &BTreeMap<String, PairReport>)> = Vec::new();
    if !checks.is_empty() {
        ways.push(("checks alone", checks));
    }
    if !model.is_empty() {
        ways.push(("with the model", model));
    }
    let _ = write!(page, "\n| set | rows | classes |");
    for (way, _) in &ways {
        let _ = write!(page, " {way}: balanced accuracy | AUROC | ECE |");
    }
    let _ = writeln!(page, " best baseline |");
    let _ = writeln!(page, "|---|---:|---:|{}---:|", "---:|---:|---:|".repeat(ways.len()));
    for name in names {
        let Some(any) = checks.get(name).or_else(|| model.get(name)) else { continue };
        let classes = match any.schema {
            Schema::Binary => 2,
            Schema::ThreeClass => any.per_class.len(),
        };
        let _ = write!(page, "| {name} | {} | {classes} |", any.rows);
        for (_, reports) in &ways {
            match reports.get(name) {
                Some(report) => {
                    let interval = report.headline_interval();
                    let interval =
                        interval.map_or_else(String::new, |i| format!(" ({}–{})", short(i.low), short(i.high)));
                    let value = figure(report.headline());
                    let value = if report.not_better_than.is_empty() { format!("**{value}**") } else { value };
                    let (auroc, ece) = (figure(report.metrics.auroc), figure(report.metrics.ece));
                    let _ = write!(page, " {value}{interval} | {auroc} | {ece} |");
                }
                None => page.push_str(" – | – | – |"),
            }
        }
        let best = model.get(name).or(checks.get(name)).and_then(best_baseline);
        let best =
            best.map_or_else(|| "–".to_owned(), |(name, value)| format!("{} {value:.3}", name.replace('_', " ")));
        let _ = writeln!(page, " {best} |");
    }
}

fn best_baseline(report: &PairReport) -> Option<(&str, f64)> {
    let measured = report.baselines.iter().filter_map(|(name, baseline)| match baseline {
        BaselineReport::Measured { balanced_accuracy: Some(value), .. } => Some((name.as_str(), *value)),
        _ => None,
    });
    measured.max_by(|a, b| a.1.total_cmp(&b.1))
}

/// A row for each set and embedder. Sets of one name stand together.
fn retrieval_table(page: &mut String, reports: &mut [RetrievalReport]) {
    if reports.is_empty() {
        return;
    }
    reports.sort_by(|a, b| (&a.dataset, &a.embedder).cmp(&(&b.dataset, &b.embedder)));
    let _ = writeln!(
        page,
        "\n| set | queries | documents | embedder | nDCG@10: words | meaning | both | both − better | recall@20: words | \
         meaning | both |\n|---|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|"
    );
    for report in reports {
        let of = |mode: &str, measure: &dyn Fn(&ModeReport) -> Option<f64>| report.modes.get(mode).and_then(measure);
        let modes = ["bm25", "dense", "hybrid"];
        let gains = modes.map(|mode| of(mode, &|mode| mode.ndcg_at_10));
        let recalls = modes.map(|mode| of(mode, &|mode| mode.recall_at_20));
        let [words, meaning, both] = gains;
        let better = words.into_iter().chain(meaning).reduce(f64::max);
        let difference = both.zip(better).map_or_else(|| "–".to_owned(), |(both, leg)| format!("{:+.4}", both - leg));
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {} | {difference} | {} |",
            report.dataset,
            report.queries,
            report.documents,
            report.embedder.as_deref().unwrap_or("none"),
            gains.map(figure).join(" | "),
            recalls.map(figure).join(" | "),
        );
    }
}

fn figure(value: Option<f64>) -> String {
    super::table::shown(value)
}

/// Two digits, without the zero before the point.
fn short(value: f64) -> String {
    let text = format!("{value:.2}");
    text.strip_prefix('0').map_or(text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_between_the_marks_is_replaced_and_nothing_else() {
        let page = format!("before\n{}\nold\n{}\nafter\n", SUMMARY_MARKS.0, SUMMARY_MARKS.1);
        let new = with_summary(&page, "new\n").unwrap();
        assert_eq!(new, page.replace("old", "new"));
        assert_eq!(with_summary(&new, "new\n").unwrap(), new);
        assert_eq!(with_summary("no marks", "new"), None);
    }

    #[test]
    fn the_readme_says_what_the_committed_results_say() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
        let summary = results_markdown(&root.join("benches/results")).unwrap();
        assert!(summary.lines().count() > 10, "no results are committed");
        let generated = with_summary(&readme, &summary).unwrap();
        assert!(
            generated == readme,
            "the README's results are not those under benches/results; \
             `evidex eval table benches/results --write README.md` writes them"
        );
    }
}
