//! `evidex eval fit`: makes the confidence a frequency.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use evidex::eval::{EvalError, FitSet, FitSetReport, PairEvaluator, draw, fit, read_pairs};
use evidex::verify::calibration::{Calibration, Heads};

use super::args::FitArgs;
use super::models;
use crate::commands::Context;
use crate::exit::{Exit, Failure};
use crate::printer::{self, Bar};

/// Runs `evidex eval fit`.
pub fn run(args: &FitArgs, context: &mut Context) -> Result<Exit, Failure> {
    let (evaluator, names) = models::evaluator(&args.engine, context)?;
    let mut sets = Vec::new();
    for file in &args.dev {
        let mut set = read_pairs(file)?;
        if evaluator.index.is_none() {
            set.rows.retain(|row| !row.contexts.is_empty());
        }
        if set.rows.is_empty() {
            printer::note(&format!("{}: every context is empty; left out", file.display()));
            continue;
        }
        draw(&mut set.rows, args.engine.limit.unwrap_or(usize::MAX), args.engine.seed);
        let bar = Bar::new(&set.name);
        let run = PairEvaluator { progress: Some(Arc::new(bar.clone())), ..evaluator.clone() }.run(&set.rows, None);
        bar.finish();
        sets.push(FitSet { name: set.name, schema: set.schema, predictions: run?.predictions });
    }
    let model = names.nli.clone();
    let (heads, per_set) = fit(&sets, &today(), model.clone());
    let mut calibration = match &args.write {
        Some(path) => read(path)?,
        None => Calibration::built_in().clone(),
    };
    let slot = if model.is_some() { &mut calibration.with_model } else { &mut calibration.without_model };
    *slot = Some(heads.clone());
    if let Some(path) = &args.write {
        let text = serde_json::to_string_pretty(&calibration).unwrap_or_default() + "\n";
        std::fs::write(path, text).map_err(|source| EvalError::Io {
            doing: "write",
            path: path.display().to_string(),
            source,
        })?;
    }
    if context.settings.json() {
        let page = serde_json::json!({ "calibration": calibration, "sets": per_set });
        printer::out(&format!("{page:#}\n"))?;
    } else {
        printer::out(&text(&heads, &per_set))?;
    }
    Ok(Exit::Well)
}

/// The calibration in a file; an empty one where there is no file.
fn read(path: &Path) -> Result<Calibration, Failure> {
    let shown = path.display().to_string();
    match std::fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text)
            .map_err(|error| EvalError::NotAResult { path: shown, reason: error.to_string() }.into()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Calibration::default()),
        Err(source) => Err(EvalError::Io { doing: "read", path: shown, source }.into()),
    }
}

fn text(heads: &Heads, sets: &[FitSetReport]) -> String {
    let shown = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"));
    let mut page = String::new();
    let _ = writeln!(page, "{:<32} {:>9} {:>8} {:>8}", "held-out half of", "rows", "ECE was", "ECE is");
    for set in sets {
        let _ = writeln!(page, "{:<32} {:>9} {:>8} {:>8}", set.dataset, set.rows, shown(set.before), shown(set.after));
    }
    let fitted = &heads.fitted_on;
    let _ = writeln!(
        page,
        "{:<32} {:>9} {:>8} {:>8}   equal mass {}",
        "all, pooled",
        fitted.held_out_rows,
        shown(fitted.held_out_ece_before),
        shown(fitted.held_out_ece),
        shown(fitted.held_out_ece_equal_mass)
    );
    for (name, head) in [
        ("supported", &heads.supported),
        ("contradicted", &heads.contradicted),
        ("not enough info", &heads.not_enough_info),
    ] {
        let weights: Vec<String> = head.weights.iter().map(|(name, weight)| format!("{name} {weight:+.2}")).collect();
        let _ = writeln!(page, "{name}: {:+.2}, {}", head.intercept, weights.join(", "));
    }
    page
}

/// The day, by UTC.
fn today() -> String {
    jiff::Timestamp::now().to_string().chars().take(10).collect()
}
