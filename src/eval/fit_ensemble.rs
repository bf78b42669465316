//! Fitting how much each method counts, and where the levels of risk begin, on one half of the rows.
//!
//! The weights are those whose weighted risk best ranks unsupported texts above supported ones (area under the curve, averaged
//! over the sets). A risk is medium from where flagging it is right most evenly (balanced accuracy), and high from where nine
//! flagged texts of ten are unsupported. Methods that said nothing keep their weight.

use std::collections::{BTreeMap, BTreeSet};

use super::fit::rounded;
use super::metrics::{ConfusionMatrix, auroc, mean, ones};
use super::pair_report::half;
use crate::judge::{EnsembleFittedOn, FittedEnsemble, Method, Weights, aggregate};

/// What a weight may be, before all are scaled.
const CANDIDATES: [f64; 10] = [0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0];
/// Gain in area under the curve from which on a weight moves.
const LEAST_GAIN: f64 = 0.0005;
/// Times that all weights are gone through.
const ROUNDS: usize = 6;
/// Share of unsupported texts among those of a high risk.
const HIGH_PRECISION: f64 = 0.9;
/// Least texts that such a share is believed of.
const LEAST_FLAGGED: usize = 10;

/// A set that several methods looked at.
pub struct EnsembleSet {
    /// The set's name.
    pub name: String,
    /// Its rows.
    pub rows: Vec<EnsembleRow>,
}

/// What several methods said of one text.
#[derive(Debug, Clone)]
pub struct EnsembleRow {
    /// The row's id, which decides in which half it is.
    pub id: String,
    /// Whether the text is not supported.
    pub unsupported: bool,
    /// Each method's risk; `None` where it said nothing.
    pub risks: Vec<(Method, Option<f64>)>,
}

/// The ensemble whose weights and levels do best on one half of the rows, with what it does on the other half.
pub fn fit_ensemble(sets: &[EnsembleSet], start: &FittedEnsemble, date: &str, models: Vec<String>) -> FittedEnsemble {
    let halves = |held_out: bool| -> Vec<Vec<&EnsembleRow>> {
        sets.iter().map(|set| set.rows.iter().filter(|row| half(&row.id) == held_out).collect()).collect()
    };
    let (own, held_out) = (halves(false), halves(true));
    let said = own.iter().flatten().flat_map(|row| &row.risks).filter(|(_, risk)| risk.is_some());
    let methods: BTreeSet<Method> = said.map(|(method, _)| *method).collect();
    let mut weights = start.weights.clone();
    let mut best = ranking(&own, &weights).unwrap_or(0.0);
    for _ in 0..ROUNDS {
        let before = best;
        for method in &methods {
            let mut found = (weights.of(*method), best);
            for candidate in CANDIDATES {
                let mut tried = weights.clone();
                tried.set(*method, candidate);
                let reached = ranking(&own, &tried).unwrap_or(0.0);
                if reached > found.1 && reached > best + LEAST_GAIN {
                    found = (candidate, reached);
                }
            }
            weights.set(*method, found.0);
            best = found.1;
        }
        if best <= before {
            break;
        }
    }
    scale(&mut weights, &start.weights, &methods);
    let pooled: Vec<(f64, bool)> = risks(own.iter().flatten().copied(), &weights);
    let medium_from = medium_from(&pooled).unwrap_or(start.medium_from);
    let high_from = high_from(&pooled, medium_from).unwrap_or(start.high_from.max(medium_from));
    let fitted_on = EnsembleFittedOn {
        date: date.to_owned(),
        data: sets.iter().map(|set| set.name.clone()).collect(),
        models,
        rows: own.iter().map(Vec::len).sum(),
        held_out_rows: held_out.iter().map(Vec::len).sum(),
        held_out_auroc: ranking(&held_out, &weights).map(rounded),
        held_out_auroc_before: ranking(&held_out, &start.weights).map(rounded),
    };
    FittedEnsemble {
        fitted_on: Some(fitted_on),
        weights,
        medium_from: rounded(medium_from),
        high_from: rounded(high_from),
    }
}

/// Risk of each text that a method with a weight said something of, and whether it is unsupported.
fn risks<'a>(rows: impl Iterator<Item = &'a EnsembleRow>, weights: &Weights) -> Vec<(f64, bool)> {
    rows.filter_map(|row| Some((aggregate(&row.risks, weights).0?, row.unsupported))).collect()
}

/// Area under the curve, mean over the sets in which it is defined.
fn ranking(sets: &[Vec<&EnsembleRow>], weights: &Weights) -> Option<f64> {
    let areas = sets.iter().filter_map(|rows| {
        let (risks, unsupported): (Vec<f64>, Vec<bool>) = risks(rows.iter().copied(), weights).into_iter().unzip();
        auroc(&risks, &unsupported, &ones(risks.len()))
    });
    mean(&areas.collect::<Vec<f64>>())
}

/// Brings the fitted weights to the sum that they had, so that they stand to the others as before.
fn scale(weights: &mut Weights, before: &Weights, methods: &BTreeSet<Method>) {
    let sum = |of: &Weights| methods.iter().map(|method| of.of(*method)).sum::<f64>();
    let (now, then) = (sum(weights), sum(before));
    if now > 0.0 && then > 0.0 {
        for method in methods {
            weights.set(*method, rounded(weights.of(*method) * then / now));
        }
    }
}

fn medium_from(rows: &[(f64, bool)]) -> Option<f64> {
    let rated = between(rows).filter_map(|from| {
        let mut matrix = ConfusionMatrix::new(2, 0);
        for (risk, unsupported) in rows {
            matrix.add(usize::from(*unsupported), usize::from(*risk >= from), 1);
        }
        Some((matrix.balanced_accuracy()?, from))
    });
    rated.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1))).map(|(_, from)| from)
}

fn high_from(rows: &[(f64, bool)], medium_from: f64) -> Option<f64> {
    between(rows).filter(|from| *from >= medium_from).find(|from| {
        let flagged = || rows.iter().filter(|(risk, _)| risk >= from);
        let unsupported = flagged().filter(|(_, unsupported)| *unsupported).count();
        flagged().count() >= LEAST_FLAGGED && unsupported as f64 >= HIGH_PRECISION * flagged().count() as f64
    })
}

/// Places between neighbouring risks, ascending.
fn between(rows: &[(f64, bool)]) -> impl Iterator<Item = f64> {
    let distinct: BTreeMap<u64, f64> = rows.iter().map(|(risk, _)| (risk.to_bits(), *risk)).collect();
    let ascending: Vec<f64> = distinct.into_values().collect();
    (1..ascending.len()).map(move |at| f64::midpoint(ascending[at - 1], ascending[at]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The judge knows, mostly; the checks say nothing but noise.
    fn set(rows: usize) -> EnsembleSet {
        let mut random = fastrand::Rng::with_seed(3);
        let rows = (0..rows).map(|at| {
            let unsupported = random.bool();
            let right = random.f64() < 0.95;
            let judge = 0.6 * random.f64() + if unsupported == right { 0.4 } else { 0.0 };
            let risks = vec![(Method::Nli, Some(random.f64())), (Method::Judge, Some(judge)), (Method::Qa, None)];
            EnsembleRow { id: format!("row {at}"), unsupported, risks }
        });
        EnsembleSet { name: "made".into(), rows: rows.collect() }
    }

    #[test]
    fn a_method_that_knows_outweighs_one_that_guesses_and_the_silent_keep_their_weight() {
        let start = FittedEnsemble::built_in();
        let fitted = fit_ensemble(&[set(2000)], start, "2026-12-01", vec!["m".into()]);
        let weights = &fitted.weights;
        assert!(weights.of(Method::Judge) > 4.0 * weights.of(Method::Nli), "{weights:?}");
        assert_eq!(weights.of(Method::Qa), start.weights.of(Method::Qa));
        let of = |weights: &Weights| weights.of(Method::Judge) + weights.of(Method::Nli);
        assert!((of(weights) - of(&start.weights)).abs() < 1e-3);
        let on = fitted.fitted_on.unwrap();
        assert!(on.held_out_auroc.unwrap() > on.held_out_auroc_before.unwrap() + 0.01, "{on:?}");
        assert!((0.35..0.65).contains(&fitted.medium_from), "{}", fitted.medium_from);
        assert!(fitted.medium_from <= fitted.high_from && fitted.high_from < 0.9, "{}", fitted.high_from);
    }

    #[test]
    fn rows_held_out_change_nothing_that_is_fitted() {
        let start = FittedEnsemble::built_in();
        let one = fit_ensemble(&[set(400)], start, "2026-12-01", Vec::new());
        let mut turned = set(400);
        for row in turned.rows.iter_mut().filter(|row| half(&row.id)) {
            row.unsupported = !row.unsupported;
        }
        let other = fit_ensemble(&[turned], start, "2026-12-01", Vec::new());
        assert_eq!(
            (&one.weights, one.medium_from, one.high_from),
            (&other.weights, other.medium_from, other.high_from)
        );
        assert_ne!(one.fitted_on, other.fitted_on);
    }

    #[test]
    fn without_rows_all_stays() {
        let start = FittedEnsemble::built_in();
        let fitted = fit_ensemble(&[], start, "2026-12-01", Vec::new());
        assert_eq!(
            (&fitted.weights, fitted.medium_from, fitted.high_from),
            (&start.weights, start.medium_from, start.high_from)
        );
        assert_eq!(fitted.fitted_on.unwrap().held_out_auroc, None);
    }
}
