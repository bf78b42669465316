//! Choosing the rule's thresholds: one after the other, on one half of the rows; the other half says how well.
//!
//! What is sought is a high balanced accuracy, averaged over the sets so that each counts alike. Where a set does worse than by
//! the checks alone, the shortfall counts twice: a model is there to help. Coordinate ascent over the candidates of each
//! threshold; a gain too small to mean anything moves nothing, so the thresholds stay where they were on a plateau.

use rayon::prelude::*;

use super::metrics::ConfusionMatrix;
use super::pair_report::half;
use super::{Class, EvalError, Schema};
use crate::Cancellation;
use crate::verify::rule::Thresholds;
use crate::verify::{Judged, Label};

/// Gain in mean balanced accuracy from which on a threshold moves.
const LEAST_GAIN: f64 = 0.0005;
/// Times that all thresholds are gone through.
const ROUNDS: usize = 6;

/// A set that was judged.
pub struct RuleSet {
    /// The set's name.
    pub name: String,
    /// How finely it tells claims apart.
    pub schema: Schema,
    /// Its rows.
    pub rows: Vec<RuleRow>,
}

/// A row that was judged.
pub struct RuleRow {
    /// Its id, which decides in which half it is.
    pub id: String,
    /// Its class.
    pub gold: Class,
    /// All but the thresholds.
    pub judged: Judged,
}

/// Balanced accuracy on one set's held-out half.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct RuleSetReport {
    /// The set.
    pub dataset: String,
    /// Rows held out.
    pub rows: usize,
    /// By the checks alone, from the same rows.
    pub checks: Option<f64>,
    /// With the thresholds that were in force.
    pub before: Option<f64>,
    /// With the new ones.
    pub after: Option<f64>,
}

/// Chooses thresholds, starting from `start`; the report is on the rows that took no part in that.
///
/// # Errors
/// [`EvalError::Cancelled`].
pub fn fit_rule(
    sets: &[RuleSet],
    start: Thresholds,
    cancellation: &Cancellation,
) -> Result<(Thresholds, Vec<RuleSetReport>), EvalError> {
    let own: Vec<Half<'_>> = sets.iter().map(|set| Half::of(set, false)).collect();
    let checks: Vec<Option<f64>> = own.iter().map(|half| half.balanced_accuracy(Thresholds::DEAF)).collect();
    let worth = |thresholds: Thresholds| {
        let each = own.iter().zip(&checks).filter_map(|(half, checks)| {
            let reached = half.balanced_accuracy(thresholds)?;
            Some(reached - checks.map_or(0.0, |checks| (checks - reached).max(0.0)))
        });
        let each: Vec<f64> = each.collect();
        if each.is_empty() { 0.0 } else { each.iter().sum::<f64>() / each.len() as f64 }
    };
    let (mut chosen, mut best) = (start, worth(start));
    for _ in 0..ROUNDS {
        let before = best;
        for at in 0..chosen.each().len() {
            let mut found = (chosen, best);
            for candidate in chosen.each()[at].candidates {
                if cancellation.is_cancelled() {
                    return Err(EvalError::Cancelled);
                }
                let mut tried = chosen;
                *tried.each()[at].value = *candidate;
                let reached = worth(tried);
                if reached > found.1 && reached > best + LEAST_GAIN {
                    found = (tried, reached);
                }
            }
            (chosen, best) = found;
        }
        if best <= before {
            break;
        }
    }
    let report = sets.iter().map(|set| {
        let held_out = Half::of(set, true);
        RuleSetReport {
            dataset: set.name.clone(),
            rows: held_out.rows.len(),
            checks: held_out.balanced_accuracy(Thresholds::DEAF),
            before: held_out.balanced_accuracy(start),
            after: held_out.balanced_accuracy(chosen),
        }
    });
    Ok((chosen, report.collect()))
}

/// One half of a set.
struct Half<'a> {
    schema: Schema,
    rows: Vec<&'a RuleRow>,
    classes: Vec<Class>,
}

impl<'a> Half<'a> {
    fn of(set: &'a RuleSet, held_out: bool) -> Self {
        let rows: Vec<&RuleRow> = set.rows.iter().filter(|row| half(&row.id) == held_out).collect();
        let there = |class: &Class| rows.iter().any(|row| set.schema.of_class(row.gold) == *class);
        let classes = Class::ALL.into_iter().filter(there).collect();
        Self { schema: set.schema, rows, classes }
    }

    /// Over three classes; where there are two, over supported and not, as the reports have it.
    fn balanced_accuracy(&self, thresholds: Thresholds) -> Option<f64> {
        let labels: Vec<Label> = self.rows.par_iter().map(|row| row.judged.label(thresholds)).collect();
        let three = self.classes.len() == 3;
        let mut matrix = ConfusionMatrix::new(self.classes.len(), 1);
        for (row, label) in self.rows.iter().zip(labels) {
            let fold = |class: Class| {
                let supported = class == Class::Supported;
                let same =
                    |other: &Class| if three { *other == class } else { (*other == Class::Supported) == supported };
                self.classes.iter().position(same)
            };
            let answer = self.schema.of_label(label).and_then(fold).unwrap_or(self.classes.len());
            if let Some(truth) = fold(self.schema.of_class(row.gold)) {
                matrix.add(truth, answer, 1);
            }
        }
        matrix.balanced_accuracy()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::eval::{PairEvaluator, parse_pairs};
    use crate::verify::rule::Rule;
    use crate::verify::{NliError, NliModel};

    /// Gives the entailment that the claim's last word spells: "zidc" is 0.832. A number would be for the checks.
    struct Spelt;

    impl NliModel for Spelt {
        fn name(&self) -> &str {
            "spelt"
        }

        fn digest(&self) -> &str {
            "spelt"
        }

        fn classify(&self, _: &str, hypothesis: &str) -> Result<[f32; 3], NliError> {
            let word = hypothesis.trim_end_matches('.').rsplit(' ').next().unwrap_or_default();
            let entailment =
                word.bytes().skip(1).fold(0.0, |sum, letter| sum * 10.0 + f32::from(letter - b'a')) / 1000.0;
            Ok([entailment, 1.0 - entailment, 0.0])
        }
    }

    /// Claims that are supported exactly where the model gives more than 0.82.
    fn set(flipped: bool) -> RuleSet {
        let lines: Vec<String> = (0..400)
            .map(|at: u32| {
                let share = at * 997 % 1000;
                let letters: String =
                    format!("{share:03}").bytes().map(|digit| char::from(digit - b'0' + b'a')).collect();
                let id = at.to_string();
                let supported = (share > 820) != (flipped && half(&id));
                serde_json::json!({ "id": id, "context": "Rain fell on the hills.",
                    "claim": format!("walkers came home wet and called it z{letters}."),
                    "label": if supported { "supported" } else { "neutral" } })
                .to_string()
            })
            .collect();
        let set = parse_pairs("made", &lines.join("\n"));
        let evaluator = PairEvaluator { nli: Some(Arc::new(Spelt)), ..PairEvaluator::default() };
        let judged = evaluator.judge(&set.rows).unwrap();
        let rows = set.rows.into_iter().zip(judged);
        RuleSet {
            name: set.name,
            schema: set.schema,
            rows: rows.map(|(row, judged)| RuleRow { id: row.id, gold: row.gold, judged }).collect(),
        }
    }

    #[test]
    fn a_known_cut_is_found_again_and_holds_on_the_other_half() {
        let start = Rule::built_in().thresholds;
        let (found, report) = fit_rule(&[set(false)], start, &Cancellation::default()).unwrap();
        assert!((0.8..=0.85).contains(&found.supports), "{found:?}");
        let (before, after) = (report[0].before.unwrap(), report[0].after.unwrap());
        assert!(after > 0.95 && before < 0.9 && report[0].checks == Some(0.5), "{report:?}");
        assert_eq!(Thresholds { supports: start.supports, ..found }, start, "what makes no difference stays");
    }

    #[test]
    fn rows_held_out_choose_nothing() {
        let start = Rule::built_in().thresholds;
        let of = |set: RuleSet| fit_rule(&[set], start, &Cancellation::default()).unwrap();
        let (own, turned) = (of(set(false)), of(set(true)));
        assert_eq!(own.0, turned.0);
        assert!(turned.1[0].after.unwrap() < 0.1, "{:?}", turned.1);
    }

    #[test]
    fn a_set_of_one_class_says_nothing() {
        let mut one = set(false);
        for row in &mut one.rows {
            row.gold = Class::Neutral;
        }
        let start = Rule::built_in().thresholds;
        let (found, report) = fit_rule(&[one, set(false)], start, &Cancellation::default()).unwrap();
        assert!((0.8..=0.85).contains(&found.supports) && report[0].after.is_none(), "{report:?}");
    }
}
