//! `evidex eval fit`: chooses thresholds, makes the confidence a frequency, weighs the methods; writes the one file of it all.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use evidex::eval::{
    FitSet, FitSetReport, FittedFile, FittedHeads, PairEvaluator, PairRows, RuleRow, RuleSet, RuleSetReport, draw, fit,
    fit_rule, prediction, read_pairs,
};
use evidex::verify::Judged;
use evidex::verify::calibration::Heads;
use evidex::verify::rule::{Rule, RuleFittedOn, Thresholds};

use super::args::FitArgs;
use super::{ensemble, models, rows};
use crate::commands::Context;
use crate::exit::{Exit, Failure};
use crate::printer::{self, Bar};

/// Runs `evidex eval fit`.
pub fn run(args: &FitArgs, context: &mut Context) -> Result<Exit, Failure> {
    let mut file = match &args.write {
        Some(path) => {
            FittedFile::can_write(path)?;
            FittedFile::read(path)?
        }
        None => FittedFile::built_in(),
    };
    let (evaluator, names) = models::evaluator(&args.engine, context)?;
    let sets = sets(args, &evaluator)?;
    let judged = sets.iter().map(|set| judge(set, &evaluator)).collect::<Result<Vec<_>, _>>()?;
    let date = today();
    let mut page = String::new();
    let mut report = serde_json::Map::new();
    let mut rows = judged;
    if let Some(model) = names.nli.as_ref().filter(|_| !args.keep_thresholds) {
        printer::note("choosing thresholds");
        let rule_sets: Vec<RuleSet> = sets.iter().zip(rows).map(|(set, judged)| rule_set(set, judged)).collect();
        let (thresholds, per_set) = fit_rule(&rule_sets, file.rule.thresholds, &context.cancellation)?;
        let was = file.rule.thresholds;
        file.rule = Rule { fitted_on: Some(fitted_on(&sets, &per_set, &date, model)), thresholds };
        rule_text(&mut page, &file.rule, was, &per_set);
        report.insert("rule".to_owned(), serde_json::json!({ "fitted": file.rule, "sets": per_set }));
        rows = rule_sets.into_iter().map(|set| set.rows.into_iter().map(|row| row.judged).collect()).collect();
    }
    let thresholds = file.rule.thresholds;
    let fit_sets: Vec<FitSet> = sets.iter().zip(&rows).map(|(set, judged)| fit_set(set, judged, thresholds)).collect();
    let slot = if names.nli.is_some() { &mut file.calibration.with_model } else { &mut file.calibration.without_model };
    let FittedHeads { heads, sets: per_set, left } = fit(&fit_sets, &date, names.nli.clone(), slot.as_ref());
    if heads.fitted_on.rows == 0 {
        let message = "no row of the half to fit on was checked as it is to be fitted";
        return Err(Failure::new("too_few_rows", message).hint("give more sets, or sets that have every label"));
    }
    let pooled = heads.fitted_on.held_out_ece_before.zip(heads.fitted_on.held_out_ece);
    if let Some((before, after)) = pooled.filter(|(before, after)| after > before) {
        printer::warning(&format!(
            "on the rows held out the confidence is off by {after:.3}, before by {before:.3}: give more rows before you use it"
        ));
    }
    for (verdict, rows) in left {
        let message =
            format!("{rows} rows of the half to fit on came out as {verdict}: too few to say how sure that is");
        if slot.is_none() {
            return Err(Failure::new("too_few_rows", message).hint("give more sets, or sets that have every label"));
        }
        printer::warning(&format!("{message}; its confidence stays as it was"));
    }
    *slot = Some(heads.clone());
    confidence_text(&mut page, &heads, &per_set);
    report.insert("calibration".to_owned(), serde_json::json!({ "fitted": heads, "sets": per_set }));
    if let Some(fitted) = ensemble::fit(&args.models, &sets, &evaluator, &file.ensemble, &date, context)? {
        ensemble::text(&mut page, &fitted);
        report.insert("ensemble".to_owned(), serde_json::json!({ "fitted": fitted }));
        file.ensemble = fitted;
    }
    if let Some(path) = &args.write {
        file.write(path)?;
    }
    if context.settings.json() {
        printer::out(&format!("{:#}\n", serde_json::Value::Object(report)))?;
    } else {
        printer::out(&page)?;
    }
    Ok(Exit::Well)
}

/// The sets, without the rows that there is nothing to check against.
fn sets(args: &FitArgs, evaluator: &PairEvaluator) -> Result<Vec<PairRows>, Failure> {
    let mut sets = Vec::new();
    for file in &args.dev {
        let set = read_pairs(file)?;
        let has_index = evaluator.index.is_some();
        if !has_index && set.rows.iter().all(|row| row.contexts.is_empty()) {
            printer::note(&format!("{}: every context is empty; left out", file.display()));
            continue;
        }
        let mut set = rows::usable(set, file, has_index, args.engine.strict)?;
        draw(&mut set.rows, args.engine.limit.unwrap_or(usize::MAX), args.engine.seed);
        sets.push(set);
    }
    Ok(sets)
}

fn judge(set: &PairRows, evaluator: &PairEvaluator) -> Result<Vec<Judged>, Failure> {
    let bar = Bar::new(&set.name);
    let judged = PairEvaluator { progress: Some(Arc::new(bar.clone())), ..evaluator.clone() }.judge(&set.rows);
    bar.finish();
    Ok(judged?)
}

fn rule_set(set: &PairRows, judged: Vec<Judged>) -> RuleSet {
    let rows = set.rows.iter().zip(judged);
    RuleSet {
        name: set.name.clone(),
        schema: set.schema,
        rows: rows.map(|(row, judged)| RuleRow { id: row.id.clone(), gold: row.gold, judged }).collect(),
    }
}

fn fit_set(set: &PairRows, judged: &[Judged], thresholds: Thresholds) -> FitSet {
    let rows = set.rows.iter().zip(judged);
    FitSet {
        name: set.name.clone(),
        schema: set.schema,
        predictions: rows.map(|(row, judged)| prediction(row, judged.verdict(thresholds), Duration::ZERO)).collect(),
    }
}

fn fitted_on(sets: &[PairRows], per_set: &[RuleSetReport], date: &str, model: &str) -> RuleFittedOn {
    let mean = |of: &dyn Fn(&RuleSetReport) -> Option<f64>| {
        let values: Vec<f64> = per_set.iter().filter_map(of).collect();
        evidex::eval::metrics::mean(&values).map(|value| (value * 1e4).round() / 1e4)
    };
    let held_out_rows = per_set.iter().map(|set| set.rows).sum();
    RuleFittedOn {
        date: date.to_owned(),
        data: sets.iter().map(|set| set.name.clone()).collect(),
        model: model.to_owned(),
        rows: sets.iter().map(|set| set.rows.len()).sum::<usize>() - held_out_rows,
        held_out_rows,
        balanced_accuracy: mean(&|set| set.chosen_on_after),
        held_out_balanced_accuracy: mean(&|set| set.after),
        held_out_balanced_accuracy_before: mean(&|set| set.before),
        held_out_balanced_accuracy_of_checks: mean(&|set| set.checks),
    }
}

fn rule_text(page: &mut String, rule: &Rule, mut was: Thresholds, sets: &[RuleSetReport]) {
    let mut line = |name: &str, rows: &str, figures: [String; 5]| {
        let _ = write!(page, "{name:<32} {rows:>9}");
        for figure in figures {
            let _ = write!(page, " {figure:>8}");
        }
        let _ = writeln!(page);
    };
    let head = ["checks", "BA was", "BA is", "own was", "own is"].map(str::to_owned);
    line("held-out half of", "rows", head);
    for set in sets {
        let figures = [set.checks, set.before, set.after, set.chosen_on_before, set.chosen_on_after].map(shown);
        line(&set.dataset, &set.rows.to_string(), figures);
    }
    let mean = |of: &dyn Fn(&RuleSetReport) -> Option<f64>| {
        let values: Vec<f64> = sets.iter().filter_map(of).collect();
        shown(evidex::eval::metrics::mean(&values))
    };
    let figures = [
        mean(&|set| set.checks),
        mean(&|set| set.before),
        mean(&|set| set.after),
        mean(&|set| set.chosen_on_before),
        mean(&|set| set.chosen_on_after),
    ];
    let rows: usize = sets.iter().map(|set| set.rows).sum();
    line("mean of the sets", &rows.to_string(), figures);
    let mut now = rule.thresholds;
    for (is, was) in now.each().into_iter().zip(was.each()) {
        let moved = if is.value == was.value { String::new() } else { format!(" (was {})", was.value) };
        let _ = writeln!(page, "{}: {}{moved}", is.name, is.value);
    }
    let _ = writeln!(page);
}

fn confidence_text(page: &mut String, heads: &Heads, sets: &[FitSetReport]) {
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
}

fn shown(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"))
}

/// The day, by UTC.
fn today() -> String {
    jiff::Timestamp::now().to_string().chars().take(10).collect()
}
