//! From what a verdict rests on to how often such verdicts are right.
//!
//! One logistic model for each kind of label, with and without an entailment model, over [`Features`]. The coefficients
//! are in `fitted.json`, written by `evidex eval fit`, which says what they were fitted on. The signs of the weights
//! are held (see [`inputs`]), so that more evidence never lowers the confidence of a verdict. Always true: total,
//! deterministic, between 0 and 1.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::{Features, Label, Verdict};

/// Log-odds beyond which a model's probabilities are not told apart.
const MOST_LOG_ODDS: f64 = 7.0;
/// Coverage above which the second slope begins.
const HIGH_COVERAGE: f64 = 0.85;
/// Checks that have a coefficient of their own; the others share one.
const CHECKS: [&str; 7] = ["date", "quantity", "entity", "negation", "opposite", "role", "quantifier"];

/// Which way an input may move the confidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// Up only.
    Up,
    /// Down only.
    Down,
    /// Either way: which check decided, say.
    Free,
}

/// An input of a model: its name, the sign that its weight may have, its value from −1 to 1.
pub type Input = (&'static str, Sign, f64);

/// A logistic model: log-odds are the intercept plus the weighted inputs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Logistic {
    /// Log-odds where all inputs are 0.
    pub intercept: f64,
    /// Weight of each input, by name.
    pub weights: BTreeMap<String, f64>,
}

/// What the coefficients were fitted on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FittedOn {
    /// Day, as year-month-day.
    pub date: String,
    /// Sets.
    pub data: Vec<String>,
    /// The entailment model's name and digest.
    pub model: Option<String>,
    /// Rows that were fitted on.
    pub rows: usize,
    /// Rows held out.
    pub held_out_rows: usize,
    /// Calibration error on the rows held out, ten bins of equal width.
    pub held_out_ece: Option<f64>,
    /// The same with bins of equal mass.
    pub held_out_ece_equal_mass: Option<f64>,
    /// The same figure before: of the confidence that was in force when it was fitted.
    pub held_out_ece_before: Option<f64>,
}

/// The models of one way of verifying, by kind of label.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Heads {
    /// What they were fitted on.
    pub fitted_on: FittedOn,
    /// For verdicts of "supported".
    pub supported: Logistic,
    /// For verdicts of "contradicted" and "conflicting".
    pub contradicted: Logistic,
    /// For verdicts of "not enough information" and "partially supported".
    pub not_enough_info: Logistic,
    /// How often the sources of such verdicts support the claim after all: what open claims are ranked by.
    #[serde(default)]
    pub support: Logistic,
}

/// The calibration in force.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Where no entailment model ran.
    pub without_model: Option<Heads>,
    /// Where one ran.
    pub with_model: Option<Heads>,
}

impl Calibration {
    /// The one that evidex comes with.
    pub fn built_in() -> &'static Self {
        static PARSED: OnceLock<Calibration> = OnceLock::new();
        PARSED.get_or_init(|| super::fitted::section("calibration").unwrap_or_default())
    }

    /// How often verdicts of this label that rest on this are right; `None` where nothing was fitted for them, or
    /// nothing was checked.
    pub fn confidence(&self, label: Label, features: &Features) -> Option<f32> {
        let heads = self.heads(features)?;
        let head = match label {
            Label::Supported => &heads.supported,
            Label::Contradicted | Label::Conflicting => &heads.contradicted,
            Label::NotEnoughInfo | Label::PartiallySupported => &heads.not_enough_info,
            Label::NotChecked => return None,
        };
        head.probability(inputs(label, features))
    }

    /// How often a claim whose verdict is "not enough information" or "partially supported" and rests on this is supported
    /// after all; `None` for other labels and where nothing was fitted.
    pub fn support(&self, label: Label, features: &Features) -> Option<f32> {
        let heads = self.heads(features).filter(|heads| heads.support != Logistic::default())?;
        let open = matches!(label, Label::NotEnoughInfo | Label::PartiallySupported);
        open.then(|| heads.support.probability(support_inputs(label, features))).flatten()
    }

    fn heads(&self, features: &Features) -> Option<&Heads> {
        let asked = features.entailment.is_some() || features.contradiction.is_some();
        if asked { self.with_model.as_ref() } else { self.without_model.as_ref() }
    }
}

impl Logistic {
    fn probability(&self, inputs: Vec<Input>) -> Option<f32> {
        let weighted =
            inputs.into_iter().map(|(name, _, value)| self.weights.get(name).copied().unwrap_or(0.0) * value);
        let log_odds = self.intercept + weighted.sum::<f64>();
        let probability = 1.0 / (1.0 + (-log_odds).exp());
        probability.is_finite().then_some(probability as f32)
    }
}

/// The verdict's confidence by the built-in calibration; as it was where nothing was fitted for it.
pub(super) fn calibrated(verdict: &Verdict) -> Option<f32> {
    let own = verdict.confidence?;
    Some(Calibration::built_in().confidence(verdict.label, &Features::of(verdict)).unwrap_or(own))
}

/// The inputs of the confidence's model for `label`.
pub fn inputs(label: Label, features: &Features) -> Vec<Input> {
    use Sign::{Down, Free, Up};
    let is = |condition: bool| f64::from(u8::from(condition));
    let coverage = f64::from(features.coverage).clamp(0.0, 1.0);
    let high = (coverage - HIGH_COVERAGE).max(0.0) / (1.0 - HIGH_COVERAGE);
    let missing = f64::from(features.missing).clamp(0.0, 1.0);
    let (entailment, contradiction) = (log_odds(features.entailment), log_odds(features.contradiction));
    match label {
        Label::Supported => vec![
            ("coverage", Up, coverage),
            ("high_coverage", Up, high),
            ("verbatim", Up, is(features.verbatim)),
            ("missing", Down, missing),
            ("entailment", Up, entailment),
            ("contradiction", Down, contradiction),
        ],
        Label::Contradicted | Label::Conflicting => {
            let by = |check: &str| is(features.check.as_deref() == Some(check));
            let mut inputs = vec![
                ("coverage", Up, coverage),
                ("high_coverage", Up, high),
                ("entailment", Down, entailment),
                ("contradiction", Up, contradiction),
                ("conflicting", Free, is(label == Label::Conflicting)),
                ("no_check", Free, is(features.check.is_none())),
            ];
            inputs.extend(CHECKS.into_iter().map(|check| (check, Free, by(check))));
            inputs
        }
        Label::NotEnoughInfo | Label::PartiallySupported => vec![
            ("coverage", Down, coverage),
            ("high_coverage", Down, high),
            ("missing", Up, missing),
            ("entailment", Down, entailment),
            ("contradiction", Down, contradiction),
            ("partial", Free, is(label == Label::PartiallySupported)),
        ],
        Label::NotChecked => Vec::new(),
    }
}

/// The inputs of [`Heads::support`]: those of the confidence of the same verdicts, with the signs of support.
pub fn support_inputs(label: Label, features: &Features) -> Vec<Input> {
    let mut inputs = inputs(label, features);
    for (name, sign, _) in &mut inputs {
        *sign = match *name {
            "coverage" | "high_coverage" | "entailment" => Sign::Up,
            "missing" | "contradiction" => Sign::Down,
            _ => Sign::Free,
        };
    }
    inputs
}

/// Log-odds of a probability, scaled to −1 to 1; 0 where there is none.
fn log_odds(probability: Option<f32>) -> f64 {
    let Some(p) = probability.map(f64::from).filter(|p| p.is_finite()) else { return 0.0 };
    let p = p.clamp(1e-6, 1.0 - 1e-6);
    ((p / (1.0 - p)).ln() / MOST_LOG_ODDS).clamp(-1.0, 1.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_built_in_file_is_read_and_says_what_it_was_fitted_on() {
        let parsed: Calibration = crate::verify::fitted::section("calibration").unwrap();
        assert_eq!(&parsed, Calibration::built_in());
        let heads = parsed.without_model.expect("verdicts without a model are calibrated");
        assert!(heads.fitted_on.rows > 1000 && heads.fitted_on.held_out_rows > 1000);
        assert!(!heads.fitted_on.data.is_empty() && heads.fitted_on.date.len() == 10);
        assert!(heads.fitted_on.held_out_ece.unwrap() < 0.05, "{:?}", heads.fitted_on);
    }

    #[test]
    fn the_signs_of_the_weights_are_those_that_are_held() {
        let calibration = Calibration::built_in();
        for heads in [&calibration.without_model, &calibration.with_model].into_iter().flatten() {
            for (label, head) in [
                (Label::Supported, &heads.supported),
                (Label::Contradicted, &heads.contradicted),
                (Label::NotEnoughInfo, &heads.not_enough_info),
            ] {
                assert_signs(head, inputs(label, &Features::default()));
            }
            assert_signs(&heads.support, support_inputs(Label::NotEnoughInfo, &Features::default()));
        }
    }

    fn assert_signs(head: &Logistic, inputs: Vec<Input>) {
        for (name, sign, _) in inputs {
            let weight = head.weights.get(name).copied().unwrap_or(0.0);
            let held = match sign {
                Sign::Up => weight >= 0.0,
                Sign::Down => weight <= 0.0,
                Sign::Free => true,
            };
            assert!(held && weight.is_finite(), "{name} {weight}");
        }
    }

    proptest! {
        #[test]
        fn more_coverage_never_makes_support_less_sure(
            a in 0.0f32..=1.0, b in 0.0f32..=1.0, missing in 0.0f32..=1.0, entailment in prop::option::of(0.0f32..=1.0),
        ) {
            let of = |coverage| {
                let features = Features { coverage, missing, entailment, ..Features::default() };
                Calibration::built_in().confidence(Label::Supported, &features)
            };
            if let (Some(low), Some(high)) = (of(a.min(b)), of(a.max(b))) {
                prop_assert!((0.0..=1.0).contains(&low) && low <= high + 1e-6);
            }
        }

        #[test]
        fn any_numbers_give_a_probability(coverage in any::<f32>(), missing in any::<f32>(), p in any::<f32>()) {
            for label in Label::ALL {
                for entailment in [None, Some(p)] {
                    let features = Features { coverage, missing, entailment, ..Features::default() };
                    let confidence = Calibration::built_in().confidence(label, &features);
                    prop_assert!(confidence.is_none_or(|c| (0.0..=1.0).contains(&c)), "{confidence:?}");
                }
            }
        }
    }
}
