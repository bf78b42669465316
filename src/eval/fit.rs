//! Fitting the confidence: logistic regression with held signs, on one half of the rows; the other half says how well.

use std::collections::BTreeMap;

use super::metrics::{equal_mass_bins, equal_width_bins, expected_calibration_error};
use super::pair_report::half;
use super::{Class, Prediction, Schema};
use crate::verify::calibration::{Calibration, FittedOn, Heads, Input, Logistic, Sign, inputs, support_inputs};
use crate::verify::{Features, Label};

/// Strength of the pull towards 0: about one row's worth for each weight, and for the intercept, so that a few rows that are
/// all right make no verdict certain.
const RIDGE: f64 = 1.0;
/// Steps of the ascent.
const STEPS: usize = 4000;
/// Rows of a verdict below which nothing can be said of its confidence.
const LEAST_ROWS: usize = 8;

/// A set's predictions.
pub struct FitSet {
    /// The set's name.
    pub name: String,
    /// How finely it tells claims apart.
    pub schema: Schema,
    /// What was predicted.
    pub predictions: Vec<Prediction>,
}

/// How well a calibration does on one set's held-out half.
#[derive(Debug, Clone, serde::Serialize)]
pub struct FitSetReport {
    /// The set.
    pub dataset: String,
    /// Rows held out.
    pub rows: usize,
    /// Calibration error with the confidence that was in force.
    pub before: Option<f64>,
    /// Calibration error with the new one.
    pub after: Option<f64>,
}

/// What came of a fit.
pub struct FittedHeads {
    /// The confidence's models.
    pub heads: Heads,
    /// How they do on each set.
    pub sets: Vec<FitSetReport>,
    /// Verdicts with too few rows: their models are as they stood. Each with its rows.
    pub left: Vec<(&'static str, usize)>,
}

/// Fits the models of one way of verifying: of the rows that `model` read where one is named, else of those that none
/// read. Which half a row is in depends on its id alone. A verdict that fewer than 8 rows of the one half got keeps its model
/// of `standing`.
pub fn fit(sets: &[FitSet], date: &str, model: Option<String>, standing: Option<&Heads>) -> FittedHeads {
    let mut training: Vec<Row<'_>> = Vec::new();
    let mut held_out: Vec<Vec<Row<'_>>> = Vec::new();
    for set in sets {
        let checked = set.predictions.iter().filter(|p| p.confidence.is_some() && p.label != Label::NotChecked);
        let rows = checked.filter(|p| p.scores.entailment.is_some() == model.is_some()).map(|p| Row {
            label: p.label,
            features: &p.scores,
            before: f64::from(p.confidence.unwrap_or(0.0)),
            right: set.schema.of_label(p.label) == Some(set.schema.of_class(p.gold)),
            supported: p.gold == Class::Supported,
            held_out: half(&p.id),
        });
        let (held, own): (Vec<Row<'_>>, Vec<Row<'_>>) = rows.partition(|row| row.held_out);
        training.extend(own);
        held_out.push(held);
    }
    let mut left = Vec::new();
    let rows_of =
        |labels: &[Label]| -> Vec<&Row<'_>> { training.iter().filter(|row| labels.contains(&row.label)).collect() };
    let mut head = |name, labels: &[Label], standing: Option<&Logistic>| {
        let rows = rows_of(labels);
        if rows.len() < LEAST_ROWS {
            left.push((name, rows.len()));
            return standing.cloned().unwrap_or_default();
        }
        let examples: Vec<Example> = rows.into_iter().map(Row::for_confidence).collect();
        logistic(&examples)
    };
    let open = [Label::NotEnoughInfo, Label::PartiallySupported];
    let of_support: Vec<Example> = rows_of(&open).into_iter().map(Row::for_support).collect();
    let mut heads = Heads {
        fitted_on: FittedOn::default(),
        supported: head("supported", &[Label::Supported], standing.map(|heads| &heads.supported)),
        contradicted: head(
            "contradicted",
            &[Label::Contradicted, Label::Conflicting],
            standing.map(|heads| &heads.contradicted),
        ),
        not_enough_info: head("not_enough_info", &open, standing.map(|heads| &heads.not_enough_info)),
        support: if of_support.len() < LEAST_ROWS {
            standing.map(|heads| heads.support.clone()).unwrap_or_default()
        } else {
            logistic(&of_support)
        },
    };
    // Whether a model ran is told by the features, so that the same heads serve as either.
    let calibration = Calibration { without_model: Some(heads.clone()), with_model: Some(heads.clone()) };
    let after = |row: &Row<'_>| calibration.confidence(row.label, row.features).map_or(row.before, f64::from);
    let before = |row: &Row<'_>| row.before;
    let per_set = sets
        .iter()
        .zip(&held_out)
        .map(|(set, rows)| FitSetReport {
            dataset: set.name.clone(),
            rows: rows.len(),
            before: ece(rows, &before, false),
            after: ece(rows, &after, false),
        })
        .collect();
    let pooled: Vec<Row<'_>> = held_out.into_iter().flatten().collect();
    heads.fitted_on = FittedOn {
        date: date.to_owned(),
        data: sets.iter().map(|set| set.name.clone()).collect(),
        model,
        rows: training.len(),
        held_out_rows: pooled.len(),
        held_out_ece: ece(&pooled, &after, false).map(rounded),
        held_out_ece_equal_mass: ece(&pooled, &after, true).map(rounded),
        held_out_ece_before: ece(&pooled, &before, false).map(rounded),
    };
    FittedHeads { heads, sets: per_set, left }
}

#[derive(Clone)]
struct Row<'a> {
    label: Label,
    features: &'a Features,
    before: f64,
    right: bool,
    /// Whether its gold label is "supported".
    supported: bool,
    held_out: bool,
}

impl Row<'_> {
    /// As an example for the confidence's model.
    fn for_confidence(&self) -> Example {
        (inputs(self.label, self.features), self.right)
    }

    /// As an example for the model of open claims' support.
    fn for_support(&self) -> Example {
        (support_inputs(self.label, self.features), self.supported)
    }
}

/// What a model is given, and whether it is to say yes.
type Example = (Vec<Input>, bool);

fn ece(rows: &[Row<'_>], confidence: &dyn Fn(&Row<'_>) -> f64, equal_mass: bool) -> Option<f64> {
    let probabilities: Vec<f64> = rows.iter().map(|row| confidence(row).clamp(0.0, 1.0)).collect();
    let right: Vec<bool> = rows.iter().map(|row| row.right).collect();
    let bins = if equal_mass {
        equal_mass_bins(&probabilities, &right, 10)
    } else {
        equal_width_bins(&probabilities, &right, 10)
    };
    expected_calibration_error(&bins?)
}

pub(super) fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

/// Maximises the likelihood by projected gradient ascent with Nesterov's acceleration; a weight that would take the
/// wrong sign stays at 0. Inputs that are 0 in every row get no weight.
fn logistic(rows: &[Example]) -> Logistic {
    let Some((first, _)) = rows.first() else { return Logistic::default() };
    let names: Vec<(&'static str, Sign)> = first.iter().map(|(name, sign, _)| (*name, *sign)).collect();
    let data: Vec<(Vec<f64>, f64)> = rows
        .iter()
        .map(|(inputs, yes)| {
            let mut values: Vec<f64> = inputs.iter().map(|(.., value)| *value).collect();
            values.push(1.0);
            (values, f64::from(u8::from(*yes)))
        })
        .collect();
    let width = names.len() + 1;
    let project = |weights: &mut [f64]| {
        for (weight, (_, sign)) in weights.iter_mut().zip(&names) {
            match sign {
                Sign::Up => *weight = weight.max(0.0),
                Sign::Down => *weight = weight.min(0.0),
                Sign::Free => {}
            }
        }
    };
    // The Hessian is at most a quarter of the sum of squares.
    let squares: f64 = data.iter().flat_map(|(values, _)| values).map(|value| value * value).sum();
    let step = 1.0 / (squares / 4.0 + RIDGE);
    let (mut weights, mut ahead) = (vec![0.0; width], vec![0.0; width]);
    for round in 0..STEPS {
        let mut gradient = vec![0.0; width];
        for (values, yes) in &data {
            let log_odds: f64 = values.iter().zip(&ahead).map(|(value, weight)| value * weight).sum();
            let error = yes - 1.0 / (1.0 + (-log_odds).exp());
            for (slot, value) in gradient.iter_mut().zip(values) {
                *slot += error * value;
            }
        }
        let mut next = ahead.clone();
        for (at, weight) in next.iter_mut().enumerate() {
            *weight += step * (gradient[at] - RIDGE * *weight);
        }
        project(&mut next);
        let momentum = round as f64 / (round as f64 + 3.0);
        ahead = next.iter().zip(&weights).map(|(new, old)| new + momentum * (new - old)).collect();
        weights = next;
    }
    let named: BTreeMap<String, f64> = names
        .iter()
        .zip(&weights)
        .filter(|(_, weight)| weight.abs() > 5e-5)
        .map(|((name, _), weight)| ((*name).to_owned(), rounded(*weight)))
        .collect();
    Logistic { intercept: rounded(weights[width - 1]), weights: named }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{PairEvaluator, parse_pairs};

    /// Verdicts of "supported" that are right as often as a known model says.
    fn set(rows: usize, slope: f64, intercept: f64) -> FitSet {
        let row = r#"{"id": "0", "context": "A b.", "claim": "C d.", "label": "supported"}"#;
        let blank = PairEvaluator::default().predict(&parse_pairs("x", row).rows[0]).unwrap();
        let mut random = fastrand::Rng::with_seed(7);
        let predictions = (0..rows).map(|at| {
            let coverage = random.f32();
            let p = 1.0 / (1.0 + (-(intercept + slope * f64::from(coverage))).exp());
            Prediction {
                id: format!("row {at}"),
                gold: if random.f64() < p { Class::Supported } else { Class::Neutral },
                label: Label::Supported,
                confidence: Some(0.99),
                scores: Features { coverage, ..Features::default() },
                ..blank.clone()
            }
        });
        FitSet { name: "made".into(), schema: Schema::ThreeClass, predictions: predictions.collect() }
    }

    #[test]
    fn a_known_model_is_found_again_and_holds_on_the_other_half() {
        let FittedHeads { heads, sets: per_set, .. } = fit(&[set(6000, 2.0, -0.5)], "2026-12-01", None, None);
        let coverage = heads.supported.weights["coverage"];
        assert!((coverage - 2.0).abs() < 0.6 && (heads.supported.intercept + 0.5).abs() < 0.3, "{:?}", heads.supported);
        let fitted = &heads.fitted_on;
        assert!(fitted.held_out_ece.unwrap() < 0.03 && fitted.held_out_ece_before.unwrap() > 0.3, "{fitted:?}");
        assert!(fitted.rows + fitted.held_out_rows == 6000 && fitted.rows.abs_diff(3000) < 300);
        assert!(per_set[0].after.unwrap() < per_set[0].before.unwrap());
    }

    #[test]
    fn a_few_rows_that_are_all_right_make_no_verdict_certain() {
        let FittedHeads { heads, .. } = fit(&[set(24, 0.0, 50.0)], "2026-12-01", None, None);
        assert!((1.0..4.0).contains(&heads.supported.intercept), "{:?}", heads.supported);
    }

    #[test]
    fn a_weight_against_its_sign_stays_at_zero() {
        let FittedHeads { heads, left, .. } = fit(&[set(2000, -3.0, 1.0)], "2026-12-01", None, None);
        assert_eq!(heads.supported.weights.get("coverage"), None, "{:?}", heads.supported);
        assert_eq!(left, [("contradicted", 0), ("not_enough_info", 0)]);
    }

    #[test]
    fn what_too_few_rows_speak_of_stays_as_it_stood() {
        let known = fit(&[set(2000, 2.0, 0.0)], "2026-12-01", None, None).heads;
        let few = fit(&[set(6, -9.0, 0.0)], "2026-12-01", None, Some(&known));
        assert_eq!(few.heads.supported, known.supported);
        assert_eq!(few.left[0].0, "supported");
        let empty = fit(&[], "2026-12-01", None, Some(&known));
        assert_eq!((empty.heads.supported, empty.heads.fitted_on.held_out_ece), (known.supported, None));
    }
}
