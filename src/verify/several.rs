//! A claim of several sentences, judged as a whole and sentence by sentence.
//!
//! In: the claim judged as a whole and each of its statements judged alone. Out: one label and one verdict. Always true: it
//! is supported only if it is so as a whole or each of its statements is; what a source denies of it shows; a statement that
//! could not be checked settles nothing.

use super::judged::Judged;
use super::rule::Thresholds;
use super::{CitationRole, Label, Verdict, Warning};
use crate::claim::Claim;

/// Most statements of one claim; a longer text is to be split by who has it.
pub(super) const MOST_STATEMENTS: usize = 24;

/// A claim of several sentences.
pub(super) struct Several {
    /// It as a whole.
    pub whole: Judged,
    /// What it states, in order; spans are those of the whole.
    pub statements: Vec<(Claim, Judged)>,
}

impl Several {
    /// The label by these thresholds.
    pub(super) fn label(&self, thresholds: Thresholds) -> Label {
        let labels: Vec<Label> = self.statements.iter().map(|(_, judged)| judged.label(thresholds)).collect();
        with_statements(self.whole.label(thresholds), &labels)
    }

    /// The verdict by these thresholds.
    pub(super) fn verdict(&self, thresholds: Thresholds) -> Verdict {
        let whole = self.whole.verdict(thresholds);
        let label = self.label(thresholds);
        if label == whole.label {
            return whole;
        }
        let verdicts: Vec<(&Claim, Verdict)> =
            self.statements.iter().map(|(claim, judged)| (claim, judged.verdict(thresholds))).collect();
        merged(whole, label, verdicts)
    }
}

/// What the whole and its statements say together.
fn with_statements(whole: Label, statements: &[Label]) -> Label {
    let any = |wanted: Label| statements.contains(&wanted);
    match whole {
        Label::Contradicted | Label::Conflicting => whole,
        // Something says all of it, something else denies a part.
        Label::Supported if any(Label::Contradicted) || any(Label::Conflicting) => Label::Conflicting,
        Label::Supported => whole,
        _ if any(Label::Contradicted) => Label::Contradicted,
        _ if any(Label::Conflicting) => Label::Conflicting,
        _ if any(Label::NotChecked) => whole,
        _ if statements.iter().all(|label| *label == Label::Supported) => Label::Supported,
        _ if any(Label::Supported) || any(Label::PartiallySupported) => Label::PartiallySupported,
        _ => whole,
    }
}

/// The verdicts on the statements as one on the whole: what decides first.
fn merged(whole: Verdict, label: Label, verdicts: Vec<(&Claim, Verdict)>) -> Verdict {
    let count = verdicts.len();
    let supported = verdicts.iter().filter(|(_, verdict)| verdict.label == Label::Supported).count();
    let denied = |verdict: &Verdict| matches!(verdict.label, Label::Contradicted | Label::Conflicting);
    let decides = |verdict: &Verdict| !matches!(label, Label::Contradicted | Label::Conflicting) || denied(verdict);
    let confidences = verdicts.iter().filter(|(_, verdict)| decides(verdict)).filter_map(|(_, it)| it.confidence);
    let confidence = match label {
        // One is enough; for the others the weakest counts.
        Label::Contradicted | Label::Conflicting => confidences.reduce(f32::max),
        _ => confidences.reduce(f32::min),
    };
    let reason = match label {
        Label::Supported if count == 1 => "what it states is supported".to_owned(),
        Label::Supported => format!("each of its {count} statements is supported"),
        Label::PartiallySupported => {
            let are = if supported == 1 { "is" } else { "are" };
            format!("{supported} of its {count} statements {are} supported")
        }
        _ => verdicts.iter().find(|(_, verdict)| denied(verdict)).map_or_else(
            || whole.reason.clone(),
            |(claim, verdict)| format!("of what it states, “{}”: {}", claim.text, verdict.reason),
        ),
    };
    let says_all = whole.label == Label::Supported;
    let mut one = Verdict { label, confidence, reason, unchecked: None, considered: Vec::new(), ..whole };
    if !says_all {
        one.evidence.clear();
        one.findings.clear();
        one.proofs.clear();
    }
    for standing in &mut one.standings {
        let of_source = |verdict: &Verdict| {
            let own = verdict.standings.iter().find(|own| own.source == standing.source);
            own.map_or(Label::NotEnoughInfo, |own| own.label)
        };
        let labels: Vec<Label> = verdicts.iter().map(|(_, verdict)| of_source(verdict)).collect();
        standing.label = with_statements(standing.label, &labels);
    }
    let (deciding, others): (Vec<_>, Vec<_>) = verdicts.into_iter().partition(|(_, verdict)| decides(verdict));
    for (claim, verdict) in deciding.into_iter().chain(others) {
        append(&mut one, claim, verdict);
    }
    nearest_last(&mut one);
    one
}

/// Adds what one statement's verdict rests on; places in the statement become places in the whole.
fn append(one: &mut Verdict, claim: &Claim, verdict: Verdict) {
    let before = one.evidence.len();
    one.evidence.extend(verdict.evidence);
    one.findings.extend(verdict.findings.into_iter().map(|mut finding| {
        finding.evidence = finding.evidence.map(|at| at + before);
        finding.claim_span = finding.claim_span.and_then(|span| claim.raw_span(span));
        finding
    }));
    one.proofs.extend(verdict.proofs);
    one.considered.extend(verdict.considered);
    let new = |known: &[Warning], warning: &Warning| !known.contains(warning);
    let warnings: Vec<Warning> = verdict.warnings.into_iter().filter(|warning| new(&one.warnings, warning)).collect();
    one.warnings.extend(warnings);
    let failures: Vec<_> = verdict.failures.into_iter().filter(|failure| !one.failures.contains(failure)).collect();
    one.failures.extend(failures);
}

/// Puts the quotes that decide nothing after the others; findings stay with their quotes.
fn nearest_last(one: &mut Verdict) {
    let mut order: Vec<usize> = (0..one.evidence.len()).collect();
    order.sort_by_key(|at| one.evidence[*at].role == CitationRole::Nearest);
    let mut places = vec![0; order.len()];
    for (place, at) in order.iter().enumerate() {
        places[*at] = place;
    }
    one.evidence = order.iter().map(|at| one.evidence[*at].clone()).collect();
    for finding in &mut one.findings {
        finding.evidence = finding.evidence.map(|at| places[at]);
    }
}
