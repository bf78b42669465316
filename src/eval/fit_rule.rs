//! Choosing the rule's thresholds: one after the other, on one half of the rows; the other half says how well.
//!
//! What is sought is a high balanced accuracy, averaged over the sets. A set counts by what its smallest classes can tell: one
//! row of a class that has three is no reason to move anything. Where a set does worse than by the checks alone, the shortfall
//! counts twice: a model is there to help. Coordinate ascent over the candidates of each threshold; a move must be a gain on
//! both quarters of which the half consists, each by itself, and a gain too small to mean anything moves nothing.

use rayon::prelude::*;

use super::metrics::ConfusionMatrix;
use super::pair_report::half;
use super::{Class, EvalError, Schema};
use crate::Cancellation;
use crate::verify::rule::Thresholds;
use crate::verify::{Judged, Label};

/// Gain in mean balanced accuracy from which on a threshold moves, times the root of the rows: about the standard error of the
/// difference where two thresholds tell one row in twenty differently.
const LEAST_GAIN: f64 = 0.22;
/// Rows of each class from which on a set counts in full.
const ENOUGH_ROWS: f64 = 50.0;
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
    /// On the half that they were chosen on, with the thresholds that were in force.
    pub chosen_on_before: Option<f64>,
    /// On that half with the new ones.
    pub chosen_on_after: Option<f64>,
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
    let quarters = [false, true].map(|second| Quarter::of(sets, second));
    let worth = |thresholds: Thresholds| [quarters[0].worth(thresholds), quarters[1].worth(thresholds)];
    let rows: usize = quarters.iter().flat_map(|quarter| &quarter.parts).map(|(part, _)| part.rows.len()).sum();
    let least_gain = LEAST_GAIN / (rows.max(1) as f64).sqrt();
    let (mut chosen, mut best) = (start, worth(start));
    for _ in 0..ROUNDS {
        let before = chosen;
        for at in 0..chosen.each().len() {
            let mut found = (chosen, best);
            for candidate in chosen.each()[at].candidates {
                if cancellation.is_cancelled() {
                    return Err(EvalError::Cancelled);
                }
                let mut tried = chosen;
                *tried.each()[at].value = *candidate;
                let reached = worth(tried);
                let both = reached[0] > best[0] && reached[1] > best[1];
                if both && mean(reached) > mean(found.1) && mean(reached) > mean(best) + least_gain {
                    found = (tried, reached);
                }
            }
            (chosen, best) = found;
        }
        if chosen == before {
            break;
        }
    }
    let report = sets.iter().map(|set| {
        let own = Part::of(set, |id| !half(id));
        let held_out = Part::of(set, half);
        RuleSetReport {
            dataset: set.name.clone(),
            rows: held_out.rows.len(),
            checks: held_out.balanced_accuracy(Thresholds::DEAF),
            before: held_out.balanced_accuracy(start),
            after: held_out.balanced_accuracy(chosen),
            chosen_on_before: own.balanced_accuracy(start),
            chosen_on_after: own.balanced_accuracy(chosen),
        }
    });
    Ok((chosen, report.collect()))
}

fn mean(quarters: [f64; 2]) -> f64 {
    f64::midpoint(quarters[0], quarters[1])
}

/// A quarter of all sets: one half of the rows that thresholds are chosen on.
struct Quarter<'a> {
    /// Its part of each set, and what the checks alone reach there.
    parts: Vec<(Part<'a>, Option<f64>)>,
}

impl<'a> Quarter<'a> {
    fn of(sets: &'a [RuleSet], second: bool) -> Self {
        let part = |set: &'a RuleSet| {
            // Another hash than that which chose the half.
            let part = Part::of(set, |id| !half(id) && half(&format!("quarter {id}")) == second);
            let checks = part.balanced_accuracy(Thresholds::DEAF);
            (part, checks)
        };
        Self { parts: sets.iter().map(part).collect() }
    }

    /// Weighted mean of the sets' balanced accuracies, less what they fall short of the checks alone.
    fn worth(&self, thresholds: Thresholds) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for (part, checks) in &self.parts {
            if let (Some(reached), Some(checks)) = (part.balanced_accuracy(thresholds), checks) {
                sum += part.weight() * (reached - (checks - reached).max(0.0));
                weights += part.weight();
            }
        }
        if weights > 0.0 { sum / weights } else { 0.0 }
    }
}

/// Some rows of a set.
struct Part<'a> {
    schema: Schema,
    rows: Vec<&'a RuleRow>,
    classes: Vec<Class>,
}

impl<'a> Part<'a> {
    fn of(set: &'a RuleSet, belongs: impl Fn(&str) -> bool) -> Self {
        let rows: Vec<&RuleRow> = set.rows.iter().filter(|row| belongs(&row.id)).collect();
        let there = |class: &Class| rows.iter().any(|row| set.schema.of_class(row.gold) == *class);
        let classes = Class::ALL.into_iter().filter(there).collect();
        Self { schema: set.schema, rows, classes }
    }

    /// 1 where every class has enough rows, less by the harmonic mean of the classes' rows where not.
    fn weight(&self) -> f64 {
        let count = |class: &Class| self.rows.iter().filter(|row| self.schema.of_class(row.gold) == *class).count();
        let inverse: f64 = self.classes.iter().map(|class| 1.0 / count(class) as f64).sum();
        if inverse > 0.0 { (self.classes.len() as f64 / inverse / ENOUGH_ROWS).min(1.0) } else { 0.0 }
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
                    "claim": format!("rain fell on the hills and walkers called it z{letters}."),
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
        assert!((0.8..=0.85).contains(&found.premise.supports), "{found:?}");
        let (before, after) = (report[0].before.unwrap(), report[0].after.unwrap());
        assert!(after > 0.95 && before < 0.9 && report[0].checks == Some(0.5), "{report:?}");
        let mut others = found;
        others.premise.supports = start.premise.supports;
        assert_eq!(others, start, "what makes no difference stays");
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
        assert!((0.8..=0.85).contains(&found.premise.supports) && report[0].after.is_none(), "{report:?}");
    }
}
