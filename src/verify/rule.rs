//! The thresholds of the rule by which a model's word decides what the checks left open (`model_rule` applies them).
//!
//! Kept in `fitted.json`, which says on what `evidex eval fit` chose them. Where it names nothing, they were set by hand on 300
//! rows each of SNLI, MNLI, ConjNLI, MED, Breaking NLI, FEVER symmetric, FM2, BUMP, WiCE, BEGIN, SummaC (FactCC, SummEval,
//! XSumFaith), AVeriTeC, HealthVer, RGB, FEVER adversarial, ANLI r1, ConTRoL, InferBR, ContractNLI and ASSIN 2, by mean balanced
//! accuracy and by how often they support or contradict what is neither. A single sentence and a document have their own:
//! beside one sentence `evidex-nli-2` is right in nine of ten contradictions from 0.75, among several it finds one to nearly
//! anything. What the search chose instead let names that no source has pass as supported.
//!
//! A new threshold is a field here, a line in [`Thresholds::each`] and a number in the file.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

/// What the thresholds were chosen on, and what came of it on the rows held out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RuleFittedOn {
    /// Day, as year-month-day.
    pub date: String,
    /// Sets.
    pub data: Vec<String>,
    /// The entailment model's name.
    pub model: String,
    /// Rows that were chosen on.
    pub rows: usize,
    /// Rows held out.
    pub held_out_rows: usize,
    /// Mean over the sets of the balanced accuracy on the rows that were chosen on.
    pub balanced_accuracy: Option<f64>,
    /// The same on the rows held out.
    pub held_out_balanced_accuracy: Option<f64>,
    /// The same with the thresholds that were in force when these were chosen.
    pub held_out_balanced_accuracy_before: Option<f64>,
    /// The same by the checks alone.
    pub held_out_balanced_accuracy_of_checks: Option<f64>,
}

/// The rule: its thresholds and where they come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// What the thresholds were chosen on; `None` where they were set by hand.
    pub fitted_on: Option<RuleFittedOn>,
    /// The thresholds.
    pub thresholds: Thresholds,
}

/// Where the parts of the rule begin. Probabilities and shares lie between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    /// Where all evidence is a sentence or few.
    pub premise: Belief,
    /// Where it is a document.
    pub document: Belief,
    /// More sentences than this are a document rather than a premise.
    pub premise_sentences: f32,
    /// A sentence may hold so much less of the claim's content than the best one and still support it.
    pub support_behind: f32,
    /// The same to contradict it.
    pub contradiction_behind: f32,
    /// Coverage from which a value or name that is missing bars support: the sentence speaks of the claim and lacks just that.
    pub barred_from: f32,
    /// Coverage from which the best sentence, where it is barred, bars the others.
    pub best_bars_from: f32,
}

/// From where on a model is believed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Belief {
    /// Entailment from which a model's word supports.
    pub supports: f32,
    /// Least coverage for that: what shares next to nothing with the claim does not say it.
    pub support_coverage: f32,
    /// Contradiction from which a model's word contradicts.
    pub contradicts: f32,
    /// Least coverage for that.
    pub contradiction_coverage: f32,
}

/// A threshold and the values among which it is chosen.
pub struct Choice<'a> {
    /// Its name in the file, after that of the section within it.
    pub name: &'static str,
    /// Its value.
    pub value: &'a mut f32,
    /// What it may be, ascending.
    pub candidates: &'static [f32],
}

/// Probabilities from "rather yes" to "next to sure".
const PROBABILITIES: &[f32] = &[0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98, 1.01];
/// Differences of coverage.
const SLACKS: &[f32] = &[0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 1.0];
/// Coverages from "any" to "never".
const COVERAGES: &[f32] = &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01];
/// Numbers of sentences.
const SENTENCES: &[f32] = &[1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 20.0];

impl Rule {
    /// The one that evidex comes with.
    pub fn built_in() -> &'static Self {
        static PARSED: OnceLock<Rule> = OnceLock::new();
        PARSED.get_or_init(|| {
            super::fitted::section("rule").unwrap_or(Self { fitted_on: None, thresholds: Thresholds::DEAF })
        })
    }
}

impl Thresholds {
    /// No model is sure enough: the checks alone decide.
    pub const DEAF: Self = Self {
        premise: Belief::NONE,
        document: Belief::NONE,
        premise_sentences: 1.0,
        support_behind: 0.0,
        contradiction_behind: 0.0,
        barred_from: 0.0,
        best_bars_from: 0.0,
    };

    /// Every threshold.
    pub fn each(&mut self) -> [Choice<'_>; 13] {
        let choice = |name, value, candidates| Choice { name, value, candidates };
        let (premise, document) = (&mut self.premise, &mut self.document);
        [
            choice("premise.supports", &mut premise.supports, PROBABILITIES),
            choice("premise.support_coverage", &mut premise.support_coverage, COVERAGES),
            choice("premise.contradicts", &mut premise.contradicts, PROBABILITIES),
            choice("premise.contradiction_coverage", &mut premise.contradiction_coverage, COVERAGES),
            choice("document.supports", &mut document.supports, PROBABILITIES),
            choice("document.support_coverage", &mut document.support_coverage, COVERAGES),
            choice("document.contradicts", &mut document.contradicts, PROBABILITIES),
            choice("document.contradiction_coverage", &mut document.contradiction_coverage, COVERAGES),
            choice("premise_sentences", &mut self.premise_sentences, SENTENCES),
            choice("support_behind", &mut self.support_behind, SLACKS),
            choice("contradiction_behind", &mut self.contradiction_behind, SLACKS),
            choice("barred_from", &mut self.barred_from, COVERAGES),
            choice("best_bars_from", &mut self.best_bars_from, COVERAGES),
        ]
    }
}

impl Belief {
    /// Never.
    const NONE: Self = Self { supports: 2.0, support_coverage: 1.0, contradicts: 2.0, contradiction_coverage: 1.0 };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_file_holds_a_rule_that_hears_the_model() {
        let rule: Rule = crate::verify::fitted::section("rule").expect("the file has a rule");
        assert_eq!(&rule, Rule::built_in());
        for Belief { supports, contradicts, .. } in [rule.thresholds.premise, rule.thresholds.document] {
            assert!(supports < 1.0 && contradicts < 1.0, "{rule:?}");
        }
    }

    #[test]
    fn every_threshold_is_among_those_that_are_chosen() {
        let mut thresholds = Rule::built_in().thresholds;
        let stored = serde_json::to_value(thresholds).unwrap();
        let stored_numbers = |value: &serde_json::Value| value.as_object().map_or(1, |object| object.len());
        let numbers: usize = stored.as_object().unwrap().values().map(stored_numbers).sum();
        assert_eq!(numbers, thresholds.each().len());
        for choice in thresholds.each() {
            assert!(choice.candidates.is_sorted(), "{}", choice.name);
            let pointer = format!("/{}", choice.name.replace('.', "/"));
            let own = stored.pointer(&pointer).unwrap().as_f64().unwrap();
            assert!((own - f64::from(*choice.value)).abs() < 1e-6, "`{}` names another field", choice.name);
        }
    }
}
