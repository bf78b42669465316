//! From what several methods say to one risk. Weights are renormalised over the methods that said something; a method
//! that failed is no zero but a gap, which lowers the coverage.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fitted::FittedEnsemble;
use super::method::{Method, MethodRun, Opinion, OpinionLabel};
use crate::verify::{RiskBounds, RiskLevel};

/// How much each method counts, 0 or more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Weights(BTreeMap<Method, f64>);

impl Default for Weights {
    fn default() -> Self {
        FittedEnsemble::built_in().weights.clone()
    }
}

impl Weights {
    /// chaincheck's default weights.
    pub fn chaincheck() -> Self {
        Self(BTreeMap::from([
            (Method::Nli, 0.10),
            (Method::Judge, 0.60),
            (Method::Qa, 0.25),
            (Method::Consistency, 0.0),
            (Method::Logprobs, 0.30),
        ]))
    }

    /// The weight of a method.
    pub fn of(&self, method: Method) -> f64 {
        self.0.get(&method).copied().unwrap_or(0.0)
    }

    /// Sets the weight of a method; what is not finite or negative becomes 0.
    pub fn set(&mut self, method: Method, weight: f64) {
        self.0.insert(method, if weight.is_finite() { weight.max(0.0) } else { 0.0 });
    }
}

/// How a method's risk is reckoned from its opinions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scoring {
    /// The mean over the claims: 0 for supported, the confidence for unsupported and contradicted, ½ where sources were
    /// looked at and could not tell.
    #[default]
    Evidex,
    /// As chaincheck 0.6 does: what a method cannot tell counts as no risk.
    Chaincheck,
}

/// What all methods say together.
#[derive(Debug, Clone, PartialEq)]
pub struct Ensemble {
    /// Weighted mean of the methods' risks; `None` when no method with a weight said anything.
    pub risk: Option<f64>,
    /// Its level.
    pub level: Option<RiskLevel>,
    /// Whether any method holds any claim contradicted: a mean hides one lie among ten truths.
    pub any_contradiction: bool,
    /// The weights that the risk was reckoned with; they sum to 1.
    pub weights: BTreeMap<Method, f64>,
    /// Share of the claims that were judged by the methods that were to run, by weight; 1 when nothing failed.
    pub coverage: Option<f64>,
}

/// Mean confidence of the bad among all; where that is 0, the share of the bad. `None` without opinions.
pub fn mean_risk(said: &[(OpinionLabel, f64)]) -> Option<f64> {
    if said.is_empty() {
        return None;
    }
    let count = said.len() as f64;
    let bad = said.iter().filter(|(label, _)| label.is_bad());
    let sum: f64 = bad.clone().map(|(_, confidence)| confidence).sum();
    Some(if sum == 0.0 { bad.count() as f64 / count } else { (sum / count).min(1.0) })
}

/// Share of the bad, each claim counting by its confidence; where all are 0, the plain share. `None` without opinions.
///
/// ```
/// use evidex::judge::{OpinionLabel::*, weighted_risk};
/// assert_eq!(weighted_risk(&[(Contradicted, 0.2), (Supported, 0.8)]), Some(0.2));
/// assert_eq!(weighted_risk(&[(Contradicted, 0.0), (Supported, 0.0)]), Some(0.5));
/// ```
pub fn weighted_risk(said: &[(OpinionLabel, f64)]) -> Option<f64> {
    if said.is_empty() {
        return None;
    }
    let total: f64 = said.iter().map(|(_, confidence)| confidence).sum();
    let bad = said.iter().filter(|(label, _)| label.is_bad());
    Some(if total == 0.0 {
        bad.count() as f64 / said.len() as f64
    } else {
        (bad.map(|(_, confidence)| confidence).sum::<f64>() / total).clamp(0.0, 1.0)
    })
}

/// The weighted mean of the risks that there are, with the weights that it was reckoned with. `None` when none has a
/// weight.
///
/// ```
/// use evidex::judge::{Method, Weights, aggregate};
/// let weights = Weights::chaincheck();
/// let (risk, _) = aggregate(&[(Method::Nli, Some(0.0)), (Method::Judge, Some(1.0)), (Method::Qa, None)], &weights);
/// assert_eq!((risk.unwrap() * 1000.0).round(), 857.0);
/// ```
pub fn aggregate(risks: &[(Method, Option<f64>)], weights: &Weights) -> (Option<f64>, BTreeMap<Method, f64>) {
    let ran: Vec<(Method, f64)> = risks.iter().filter_map(|(method, risk)| Some((*method, (*risk)?))).collect();
    let total: f64 = ran.iter().map(|(method, _)| weights.of(*method)).sum();
    if total <= 0.0 {
        return (None, BTreeMap::new());
    }
    let shares: BTreeMap<Method, f64> = ran.iter().map(|(method, _)| (*method, weights.of(*method) / total)).collect();
    let risk: f64 = ran.iter().map(|(method, risk)| weights.of(*method) / total * risk).sum();
    (Some(risk.clamp(0.0, 1.0)), shares)
}

/// The label that most weight × confidence stands behind, and its share of all of it; ties go to the more cautious one.
///
/// ```
/// use evidex::judge::{OpinionLabel::*, vote};
/// assert_eq!(vote(&[(0.1, Contradicted, 0.9), (0.6, Supported, 0.9)]).unwrap().0, Supported);
/// assert_eq!(vote(&[(0.5, Contradicted, 0.9), (0.5, Supported, 0.9)]).unwrap().0, Contradicted);
/// ```
pub fn vote(votes: &[(f64, OpinionLabel, f64)]) -> Option<(OpinionLabel, f64)> {
    const CAUTIOUS: [OpinionLabel; 4] =
        [OpinionLabel::Contradicted, OpinionLabel::Unsupported, OpinionLabel::Unknown, OpinionLabel::Supported];
    if votes.is_empty() {
        return None;
    }
    let behind = |wanted: OpinionLabel| -> f64 {
        votes.iter().filter(|(_, label, _)| *label == wanted).map(|(weight, _, confidence)| weight * confidence).sum()
    };
    let total: f64 = votes.iter().map(|(weight, _, confidence)| weight * confidence).sum();
    let mut best: Option<(OpinionLabel, f64)> = None;
    for label in CAUTIOUS {
        let strength = behind(label);
        let given = votes.iter().any(|(_, voted, _)| *voted == label);
        if given && best.is_none_or(|(_, most)| strength > most + 1e-12) {
            best = Some((label, strength));
        }
    }
    best.map(|(label, strength)| (label, if total > 0.0 { strength / total } else { 0.0 }))
}

/// The risk that a method's opinions stand for.
pub(super) fn method_risk(run: &MethodRun, scoring: Scoring) -> Option<f64> {
    // By embeddings, where they could be compared.
    if run.method == Method::Consistency && run.risk.is_some() {
        return run.risk;
    }
    let said: Vec<(OpinionLabel, f64)> =
        run.opinions.iter().filter_map(|opinion| Some((opinion.label?, opinion.confidence?))).collect();
    match (scoring, run.method) {
        (Scoring::Chaincheck, Method::Nli | Method::Judge) => mean_risk(&said),
        (Scoring::Chaincheck, _) => weighted_risk(&said),
        (Scoring::Evidex, _) => {
            let risks: Vec<f64> = run.opinions.iter().filter_map(claim_risk).collect();
            (!risks.is_empty()).then(|| risks.iter().sum::<f64>() / risks.len() as f64)
        }
    }
}

fn claim_risk(opinion: &Opinion) -> Option<f64> {
    match (opinion.label?, opinion.grounded) {
        (OpinionLabel::Supported, _) => Some(0.0),
        (OpinionLabel::Unsupported | OpinionLabel::Contradicted, _) => opinion.confidence,
        (OpinionLabel::Unknown, true) => Some(0.5),
        // Nothing was looked at and nothing is known: that is no half risk but none said.
        (OpinionLabel::Unknown, false) => None,
    }
}

/// Reckons each method's risk and puts them together.
pub(super) fn ensemble(runs: &mut [MethodRun], weights: &Weights, scoring: Scoring, bounds: RiskBounds) -> Ensemble {
    for run in runs.iter_mut() {
        run.risk = method_risk(run, scoring);
        run.weight = weights.of(run.method);
        run.note_failures();
    }
    let risks: Vec<(Method, Option<f64>)> = runs.iter().map(|run| (run.method, run.risk)).collect();
    let (risk, shares) = aggregate(&risks, weights);
    let any_contradiction =
        runs.iter().flat_map(|run| &run.opinions).any(|opinion| opinion.label == Some(OpinionLabel::Contradicted));
    let applicable: Vec<&MethodRun> = runs.iter().filter(|run| run.skipped.is_none()).collect();
    let weighted = applicable.iter().any(|run| run.weight > 0.0);
    let (mut asked, mut judged) = (0.0, 0.0);
    for run in applicable {
        let weight = if weighted { run.weight } else { 1.0 };
        let wanted = run.opinions.iter().filter(|opinion| opinion.skipped.is_none()).count();
        asked += weight * wanted as f64;
        judged += weight * run.judged() as f64;
    }
    Ensemble {
        risk,
        level: risk.map(|risk| bounds.level(risk)),
        any_contradiction,
        weights: shares,
        coverage: (asked > 0.0).then(|| judged / asked),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use OpinionLabel::*;

    #[test]
    fn chainchecks_documented_scores_come_out() {
        assert_eq!(weighted_risk(&[(Supported, 0.9), (Supported, 0.4)]), Some(0.0));
        assert_eq!(weighted_risk(&[(Contradicted, 1.0)]), Some(1.0));
        assert_eq!(weighted_risk(&[(Contradicted, 0.2), (Supported, 0.8)]), Some(0.2));
        assert_eq!(weighted_risk(&[(Contradicted, 0.0), (Supported, 0.0)]), Some(0.5));
        assert_eq!(weighted_risk(&[(Unknown, 0.9)]), Some(0.0));
        assert_eq!(weighted_risk(&[]), None);
        assert_eq!(mean_risk(&[(Contradicted, 0.94), (Supported, 0.91)]), Some(0.47));
        assert_eq!(mean_risk(&[(Unsupported, 0.0), (Supported, 0.9)]), Some(0.5));
    }

    #[test]
    fn weights_are_shared_out_over_the_methods_that_ran_and_a_failed_one_is_no_zero() {
        let weights = Weights::chaincheck();
        let (risk, shares) = aggregate(&[(Method::Nli, Some(0.0)), (Method::Judge, Some(1.0))], &weights);
        assert!((risk.unwrap() - 6.0 / 7.0).abs() < 1e-12);
        assert!((shares.values().sum::<f64>() - 1.0).abs() < 1e-12);
        let (alone, _) = aggregate(&[(Method::Nli, Some(0.9)), (Method::Judge, None)], &weights);
        assert_eq!(alone, Some(0.9));
        assert_eq!(aggregate(&[(Method::Judge, None)], &weights).0, None);
        // Consistency has no weight of chaincheck's.
        assert_eq!(aggregate(&[(Method::Consistency, Some(1.0))], &weights).0, None);
    }

    #[test]
    fn a_method_that_failed_on_one_of_two_claims_is_reckoned_from_the_other_and_lowers_coverage() {
        let mut run = MethodRun::new(Method::Judge);
        run.opinions = vec![Opinion::new(0, Contradicted, 0.8, ""), Opinion::failed(1, "gone")];
        let mut runs = [run];
        let whole = ensemble(&mut runs, &Weights::default(), Scoring::Evidex, RiskBounds::default());
        assert_eq!((whole.risk, whole.coverage, whole.any_contradiction), (Some(0.8), Some(0.5), true));
        assert!(runs[0].error.as_deref().unwrap().starts_with("1 of 2 claims failed"));
        let mut failed = [MethodRun { opinions: vec![Opinion::failed(0, "gone")], ..MethodRun::new(Method::Judge) }];
        let nothing = ensemble(&mut failed, &Weights::default(), Scoring::Evidex, RiskBounds::default());
        assert_eq!((nothing.risk, nothing.level, nothing.coverage), (None, None, Some(0.0)));
    }

    #[test]
    fn what_the_sources_do_not_settle_is_a_risk_for_us_and_none_for_chaincheck() {
        let opinion = Opinion { grounded: true, ..Opinion::new(0, Unknown, 0.9, "") };
        let run = MethodRun { opinions: vec![opinion], ..MethodRun::new(Method::Nli) };
        assert_eq!(method_risk(&run, Scoring::Evidex), Some(0.5));
        assert_eq!(method_risk(&run, Scoring::Chaincheck), Some(0.0));
    }
}
