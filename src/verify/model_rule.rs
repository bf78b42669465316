//! When a model's word decides what the checks left open.
//!
//! In: a sentence's outcome and what all sentences together look like. Out: whether the model's probabilities support or
//! contradict the claim there. Always true: a value or a name that the checks miss in a sentence which otherwise speaks of the
//! claim is not made up for by a model, and a sentence that bears on the claim far less than another one does not decide; what speaks
//! of something else than the claim's subject contradicts nothing.
//!
//! The thresholds are those of the fitted [`Rule`](super::rule::Rule).

use super::judge::{Outcome, Verbatim};
use super::rule::Thresholds;
use super::{Finding, Stance};

/// What all sentences together look like.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    at: Thresholds,
    best: f32,
    best_is_barred: bool,
    is_document: bool,
}

impl Field {
    /// Looks at the outcomes, which are in order, best first.
    pub(super) fn of(outcomes: &[Outcome], at: Thresholds) -> Self {
        let best = outcomes.iter().map(|outcome| outcome.coverage).fold(0.0, f32::max);
        let best_is_barred =
            outcomes.first().is_some_and(|first| first.coverage >= at.best_bars_from && is_barred(first, &at));
        Self { at, best, best_is_barred, is_document: outcomes.len() as f32 > at.document }
    }

    /// Whether a model finds the claim entailed by the outcome's sentence, where the checks do not support it.
    pub(super) fn supports(&self, outcome: &Outcome) -> bool {
        outcome.nli.is_some_and(|[entailment, ..]| entailment >= self.at.supports)
            && outcome.coverage >= self.best - self.at.support_behind
            && !self.best_is_barred
            && !is_barred(outcome, &self.at)
    }

    /// Whether a model finds the claim contradicted by the outcome's sentence, where the checks do not.
    pub(super) fn contradicts(&self, outcome: &Outcome) -> bool {
        outcome.verbatim == Verbatim::No
            && outcome.subject_held
            && outcome.nli.is_some_and(|[.., contradiction]| contradiction >= self.at.contradicts)
            && outcome.coverage >= self.best - self.at.contradiction_behind
            && outcome.coverage >= self.at.contradiction_coverage
            && (!self.is_document || outcome.coverage >= self.at.document_coverage)
            && !outcome
                .findings
                .iter()
                .any(|finding| matches!(finding.kind.as_str(), "name_not_found" | "other_bearer"))
    }

    /// Whether a model is sure enough of the contrary to keep a paraphrase from passing.
    pub(super) fn vetoes(&self, outcome: &Outcome) -> bool {
        outcome.verbatim == Verbatim::No
            && outcome.nli.is_some_and(|[.., contradiction]| contradiction >= self.at.vetoes)
    }
}

fn is_barred(outcome: &Outcome, at: &Thresholds) -> bool {
    outcome.stance == Stance::Contradicts
        || !outcome.failures.is_empty()
        || outcome.blockers().any(is_about_a_number)
        || outcome.coverage >= at.barred_from && outcome.blockers().any(is_about_the_facts)
}

/// Whether a finding is about digits or exact words, on which a model is never believed.
fn is_about_a_number(finding: &Finding) -> bool {
    matches!(finding.check.as_str(), "quantity" | "date" | "quotation" | "binding")
}

/// Whether a finding is about a value, a name or the truth of the statement, not merely about how it is put.
fn is_about_the_facts(finding: &Finding) -> bool {
    !matches!(finding.check.as_str(), "wording" | "completeness" | "structure")
}
