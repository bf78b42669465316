//! When a model's word decides what the checks left open.
//!
//! In: a sentence's outcome and what all sentences together look like. Out: whether the model's probabilities support or
//! contradict the claim there. Always true: a value or a name that the checks miss in a sentence which otherwise speaks of the
//! claim is not made up for by a model, and a sentence that bears on the claim far less than another one does not decide.
//!
//! The thresholds were chosen on halves (by hash of the row's id) of the development sets FEVER symmetric, FM2, BEGIN, SNLI, MNLI,
//! ConjNLI, HealthVer, ANLI r1, Breaking NLI, MED, WiCE, BUMP and SummaC (FactCC, XSumFaith, SummEval), by mean balanced accuracy
//! with FactCC and BEGIN, where the checks alone are best, held up.

use super::judge::{Outcome, Verbatim};
use super::{Finding, Stance};

/// Entailment from which a model's word supports.
const SUPPORTS: f32 = 0.6;
/// Contradiction from which a model's word contradicts.
const CONTRADICTS: f32 = 0.7;
/// Contradiction from which a model keeps a paraphrase that the checks support from passing.
const VETOES: f32 = 0.9;
/// A sentence may hold so much less of the claim's content than the best one and still support it.
const SUPPORT_BEHIND: f32 = 0.25;
/// The same to contradict it.
const CONTRADICTION_BEHIND: f32 = 0.1;
/// Coverage from which a value or name that is missing bars support: the sentence speaks of the claim and lacks just that.
const BARRED_FROM: f32 = 0.5;
/// Coverage from which the best sentence, where it is barred, bars the others.
const BEST_BARS_FROM: f32 = 0.6;
/// So many sentences are a document rather than a premise: somewhere in it something seems to contradict anything.
const DOCUMENT: usize = 6;
/// Least coverage for a contradiction in a document.
const DOCUMENT_COVERAGE: f32 = 0.5;

/// What all sentences together look like.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    best: f32,
    best_is_barred: bool,
    is_document: bool,
}

impl Field {
    /// Looks at the outcomes, which are in order, best first.
    pub(super) fn of(outcomes: &[Outcome]) -> Self {
        let best = outcomes.iter().map(|outcome| outcome.coverage).fold(0.0, f32::max);
        let best_is_barred = outcomes.first().is_some_and(|first| first.coverage >= BEST_BARS_FROM && is_barred(first));
        Self { best, best_is_barred, is_document: outcomes.len() > DOCUMENT }
    }

    /// Whether a model finds the claim entailed by the outcome's sentence, where the checks do not support it.
    pub(super) fn supports(&self, outcome: &Outcome) -> bool {
        outcome.nli.is_some_and(|[entailment, ..]| entailment >= SUPPORTS)
            && outcome.coverage >= self.best - SUPPORT_BEHIND
            && !self.best_is_barred
            && !is_barred(outcome)
    }

    /// Whether a model finds the claim contradicted by the outcome's sentence, where the checks do not.
    pub(super) fn contradicts(&self, outcome: &Outcome) -> bool {
        outcome.verbatim == Verbatim::No
            && outcome.nli.is_some_and(|[.., contradiction]| contradiction >= CONTRADICTS)
            && outcome.coverage >= self.best - CONTRADICTION_BEHIND
            && (!self.is_document || outcome.coverage >= DOCUMENT_COVERAGE)
            && !outcome
                .findings
                .iter()
                .any(|finding| matches!(finding.kind.as_str(), "name_not_found" | "other_bearer"))
    }
}

/// Whether a model is sure enough of the contrary to keep a paraphrase from passing.
pub(super) fn vetoes(outcome: &Outcome) -> bool {
    outcome.verbatim == Verbatim::No && outcome.nli.is_some_and(|[.., contradiction]| contradiction >= VETOES)
}

fn is_barred(outcome: &Outcome) -> bool {
    outcome.stance == Stance::Contradicts
        || !outcome.failures.is_empty()
        || outcome.blockers().any(is_about_a_number)
        || outcome.coverage >= BARRED_FROM && outcome.blockers().any(is_about_the_facts)
}

/// Whether a finding is about digits or exact words, on which a model is never believed.
fn is_about_a_number(finding: &Finding) -> bool {
    matches!(finding.check.as_str(), "quantity" | "date" | "quotation" | "binding")
}

/// Whether a finding is about a value, a name or the truth of the statement, not merely about how it is put.
fn is_about_the_facts(finding: &Finding) -> bool {
    !matches!(finding.check.as_str(), "wording" | "completeness" | "structure")
}
