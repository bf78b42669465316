//! The part of `evidex eval fit` that asks language models, and weighs what the methods say.

use std::fmt::Write;
use std::sync::Arc;

use evidex::Progress;
use evidex::eval::{Class, EnsembleRow, EnsembleSet, PairEvaluator, PairRow, PairRows, fit_ensemble};
use evidex::evidence::EvidenceSource;
use evidex::judge::{Detector, FittedEnsemble, Input, LanguageModel, Method};

use crate::commands::Context;
use crate::exit::Failure;
use crate::language_models::{self, ModelArgs};
use crate::printer::{self, Bar};

/// The ensemble fitted on the sets; `None` where `--methods` names none beside the checks.
pub fn fit(
    args: &ModelArgs,
    sets: &[PairRows],
    evaluator: &PairEvaluator,
    start: &FittedEnsemble,
    date: &str,
    context: &Context,
) -> Result<Option<FittedEnsemble>, Failure> {
    if args.methods.iter().all(|name| name.trim() == Method::Nli.as_str()) {
        return Ok(None);
    }
    let wanted = language_models::wanted(args, true, context)?;
    let models = Method::ALL.iter().filter_map(|method| wanted.models.of(*method)).map(LanguageModel::name);
    let mut models: Vec<String> = models.collect();
    models.sort();
    models.dedup();
    let detector = Detector::new(wanted.options, wanted.models, wanted.session)?
        .embedder(evaluator.embedder.clone())
        .nli_model(evaluator.nli.clone());
    let asked = sets.iter().map(|set| ask(set, &detector, evaluator)).collect::<Result<Vec<_>, _>>()?;
    Ok(Some(fit_ensemble(&asked, start, date, models)))
}

/// What the methods say of each row, one after the other: a model's server sets the pace.
fn ask(set: &PairRows, detector: &Detector, evaluator: &PairEvaluator) -> Result<EnsembleSet, Failure> {
    let bar = Bar::new(&format!("{}, methods", set.name));
    let mut rows = Vec::new();
    for row in &set.rows {
        rows.push(risks(row, detector, evaluator)?);
        bar.advance(rows.len() as u64, Some(set.rows.len() as u64));
    }
    bar.finish();
    let silent = rows.iter().filter(|row| row.risks.iter().any(|(_, risk)| risk.is_none())).count();
    if silent > 0 {
        printer::warning(&format!("{}: a method said nothing of {silent} of {} rows", set.name, rows.len()));
    }
    Ok(EnsembleSet { name: set.name.clone(), rows })
}

fn risks(row: &PairRow, detector: &Detector, evaluator: &PairEvaluator) -> Result<EnsembleRow, Failure> {
    let sources: Vec<Arc<dyn EvidenceSource>> = evaluator.source(row).into_iter().collect();
    let input = Input { answer: &row.claim, prompt: row.question.as_deref(), sources: &sources };
    let detection = detector.detect(input)?;
    Ok(EnsembleRow {
        id: row.id.clone(),
        unsupported: row.gold != Class::Supported,
        risks: detection.methods.iter().map(|run| (run.method, run.risk)).collect(),
    })
}

/// The fitted weights and levels, for people.
pub fn text(page: &mut String, fitted: &FittedEnsemble) {
    let weights = Method::ALL.map(|method| format!("{method} {}", fitted.weights.of(method)));
    let _ = writeln!(page, "\nweights: {}", weights.join(", "));
    let _ = writeln!(page, "risk: medium from {}, high from {}", fitted.medium_from, fitted.high_from);
    if let Some(on) = &fitted.fitted_on {
        let shown = |area: Option<f64>| area.map_or_else(|| "–".to_owned(), |area| format!("{area:.3}"));
        let (was, is) = (shown(on.held_out_auroc_before), shown(on.held_out_auroc));
        let _ = writeln!(page, "AUROC of the risk on {} rows held out: was {was}, is {is}", on.held_out_rows);
    }
}
