//! When a model's word decides what the checks left open.
//!
//! In: a sentence's outcome and what all sentences together look like. Out: whether the model's probabilities support or
//! contradict the claim there. Always true: a value or a name that the checks miss in a sentence which otherwise speaks of the
//! claim is not made up for by a model, a sentence that bears on the claim far less than another one does not decide, and what
//! speaks of something else than the claim's subject contradicts nothing.
//!
//! The thresholds are those of the fitted [`Rule`](super::rule::Rule).

use super::judge::{Outcome, Verbatim};
use super::rule::{Belief, Thresholds};
use super::{Finding, Stance};

/// A sentence that the checks find to contradict is as surely about the claim as one that holds so much more of it.
const NO_LESS_SURE: f32 = 0.05;

/// What all sentences together look like.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    at: Thresholds,
    best: f32,
    best_is_barred: bool,
    /// From where on the model is believed about so much evidence.
    belief: Belief,
    /// How surely the checks find the claim contradicted, at most; nothing where they do not.
    contradicted: Option<f32>,
}

impl Field {
    /// Looks at the outcomes, which are in order, best first.
    pub(super) fn of(outcomes: &[Outcome], at: Thresholds) -> Self {
        let best = outcomes.iter().map(|outcome| outcome.coverage).fold(0.0, f32::max);
        let best_is_barred =
            outcomes.first().is_some_and(|first| first.coverage >= at.best_bars_from && is_barred(first, &at));
        let contradicted = outcomes
            .iter()
            .filter(|outcome| outcome.stance == Stance::Contradicts)
            .map(|outcome| outcome.strength)
            .reduce(f32::max);
        let belief = if outcomes.len() as f32 > at.premise_sentences { at.document } else { at.premise };
        Self { at, best, best_is_barred, belief, contradicted }
    }

    /// Whether a model finds the claim entailed by the outcome's sentence, where the checks do not support it.
    pub(super) fn supports(&self, outcome: &Outcome) -> bool {
        outcome.nli.is_some_and(|[entailment, ..]| entailment >= self.belief.supports)
            && outcome.coverage >= self.belief.support_coverage.max(self.best - self.at.support_behind)
            // Anything may be what a pronoun stands for: that alone is next to nothing.
            && (outcome.subject_held || outcome.coverage >= self.at.barred_from)
            && self.contradicted.is_none_or(|strength| outcome.coverage > strength + NO_LESS_SURE)
            && !self.best_is_barred
            && !is_barred(outcome, &self.at)
    }

    /// Whether a model finds the claim contradicted by the outcome's sentence, where the checks do not.
    pub(super) fn contradicts(&self, outcome: &Outcome) -> bool {
        outcome.verbatim == Verbatim::No
            && outcome.subject_held
            && outcome.nli.is_some_and(|[.., contradiction]| contradiction >= self.belief.contradicts)
            && outcome.coverage >= self.best - self.at.contradiction_behind
            && outcome.coverage >= self.belief.contradiction_coverage
            && !outcome
                .findings
                .iter()
                .any(|finding| matches!(finding.kind.as_str(), "name_not_found" | "other_bearer"))
    }
}

fn is_barred(outcome: &Outcome, at: &Thresholds) -> bool {
    outcome.stance == Stance::Contradicts
        || !outcome.failures.is_empty()
        || outcome.blockers().any(is_about_a_number)
        || outcome.coverage >= at.barred_from && outcome.blockers().any(is_about_the_facts)
}

/// Whether a finding is about a value, an exception or exact words, on which a model is never believed.
fn is_about_a_number(finding: &Finding) -> bool {
    matches!(
        finding.check.as_str(),
        "quantity" | "date" | "frequency" | "weekday" | "exception" | "quotation" | "binding"
    )
}

/// Whether a finding is about a value, a name or the truth of the statement, not merely about how it is put.
fn is_about_the_facts(finding: &Finding) -> bool {
    !matches!(finding.check.as_str(), "wording" | "completeness" | "structure")
}
