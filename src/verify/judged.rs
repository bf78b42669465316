//! A claim judged against its evidence, up to where thresholds decide.
//!
//! In: what all checks and models said of each sentence. Out: the verdict by given thresholds, as often as one likes, for
//! nothing is read or asked again. The same thresholds always give the same verdict.

use std::sync::Arc;

use super::caution;
use super::fusion::{self, Decision};
use super::judge::Outcome;
use super::reading::ReadText;
use super::rule::Thresholds;
use super::several::Several;
use super::verifier::UNAVAILABLE;
use super::window::PassageReading;
use super::{CheckFailure, Citation, CitationRole, Considered, Label, Standing, Verdict, Warning, calibration};
use crate::claim::{Claim, Unchecked};
use crate::evidence::Evidence;
use crate::text::{Language, language};

/// Passages shown that did not decide.
const SHOWN_BESIDES: usize = 5;

/// Why a claim is not checked that the checks leave open and that no model reads.
const TOO_LONG_FOR_THE_MODEL: &str = "the checks leave it open, and it is too long for the model to read";

/// A claim judged, but for the thresholds.
pub struct Judged(pub(super) State);

pub(super) enum State {
    /// No threshold changes it: it was not checked, or computed.
    Settled(Box<Verdict>),
    /// Thresholds decide.
    Open(Box<Open>),
    /// Several sentences.
    Several(Box<Several>),
}

/// What a verdict is made of.
pub(super) struct Open {
    pub claim: Claim,
    pub read: ReadText,
    pub language: Language,
    /// Passages by the source that brought them.
    pub passages: Vec<(String, Evidence)>,
    pub readings: Vec<Arc<PassageReading>>,
    /// Best first.
    pub outcomes: Vec<Outcome>,
    pub failures: Vec<CheckFailure>,
    pub caveats: Vec<Warning>,
    /// Whether a source could not tell all that it may hold.
    pub incomplete: bool,
    /// Whether the claim is too long for the model to read.
    pub too_long: bool,
    /// Whether several sources were asked.
    pub several: bool,
}

impl Judged {
    /// The label by these thresholds; cheaper than the verdict.
    pub fn label(&self, thresholds: Thresholds) -> Label {
        match &self.0 {
            State::Settled(verdict) => verdict.label,
            State::Open(open) => open.stands(open.decide(&open.outcomes, thresholds).label),
            State::Several(several) => several.label(thresholds),
        }
    }

    /// The verdict by these thresholds.
    pub fn verdict(&self, thresholds: Thresholds) -> Verdict {
        match &self.0 {
            State::Settled(verdict) => (**verdict).clone(),
            State::Open(open) => open.verdict(thresholds),
            State::Several(several) => several.verdict(thresholds),
        }
    }
}

impl Open {
    fn decide(&self, outcomes: &[Outcome], thresholds: Thresholds) -> Decision {
        fusion::fuse(&self.read, outcomes, &self.readings, thresholds)
    }

    /// What could not be asked may have said more, be it a source or the model: the others' silence decides nothing.
    fn stands(&self, label: Label) -> Label {
        let unheard = self.incomplete || self.too_long;
        if unheard && label == Label::NotEnoughInfo { Label::NotChecked } else { label }
    }

    fn verdict(&self, thresholds: Thresholds) -> Verdict {
        let mut verdict =
            assemble(self.decide(&self.outcomes, thresholds), &self.outcomes, &self.passages, &self.readings);
        verdict.failures.clone_from(&self.failures);
        verdict.warnings = caution::warnings(&self.claim, &self.passages, &self.outcomes, &verdict.evidence);
        verdict.standings = self.standings(thresholds);
        verdict.confidence = calibration::calibrated(&verdict);
        if verdict.label == Label::NotEnoughInfo
            && language(&self.claim.text).reliable
            && let Some(other) = caution::other_language(self.language, &self.passages)
        {
            verdict.reason = format!(
                "the passages are in another language ({}) than the claim ({})",
                other.code(),
                self.language.code()
            );
            let message =
                "claims and passages in two languages are compared by names, numbers and dates only".to_owned();
            verdict.warnings.push(Warning { code: "other_language".to_owned(), message });
        }
        let label = self.stands(verdict.label);
        if label != verdict.label {
            verdict.label = label;
            verdict.confidence = None;
            let (unchecked, reason) = if self.incomplete {
                (Unchecked::EvidenceUnavailable, UNAVAILABLE)
            } else {
                (Unchecked::TooLong, TOO_LONG_FOR_THE_MODEL)
            };
            verdict.unchecked = Some(unchecked);
            verdict.reason = reason.to_owned();
        }
        verdict.warnings.extend(self.caveats.iter().cloned());
        verdict
    }

    /// What each source says by itself, where several brought passages or were asked.
    fn standings(&self, thresholds: Thresholds) -> Vec<Standing> {
        if !self.several {
            return Vec::new();
        }
        let mut standings: Vec<Standing> = Vec::new();
        for (source, _) in &self.passages {
            if standings.iter().any(|standing| standing.source == *source) {
                continue;
            }
            let own = self.outcomes.iter().filter(|outcome| self.passages[outcome.passage].0 == *source);
            let own: Vec<Outcome> = own.cloned().collect();
            standings.push(Standing { source: source.clone(), label: self.decide(&own, thresholds).label });
        }
        standings
    }
}

fn assemble(
    decision: Decision,
    outcomes: &[Outcome],
    passages: &[(String, Evidence)],
    readings: &[Arc<PassageReading>],
) -> Verdict {
    let mut evidence: Vec<Citation> = Vec::new();
    let mut findings = Vec::new();
    let cite = |outcome: &Outcome, role| {
        let (origin, passage) = &passages[outcome.passage];
        let local = readings[outcome.passage].window(outcome.sentence);
        Citation {
            role,
            origin: origin.clone(),
            passage: passage.clone(),
            quote: local.of(&passage.text).to_owned(),
            span: local.shifted(passage.span.start),
            coverage: outcome.coverage.clamp(0.0, 1.0),
            nli: outcome.nli,
        }
    };
    let mut used = Vec::new();
    let mut add = |at: usize, role| {
        let citation = cite(&outcomes[at], role);
        let same = evidence.iter().any(|other: &Citation| {
            other.role == role
                && other.span == citation.span
                && other.passage.document_id == citation.passage.document_id
        });
        if same || evidence.len() >= SHOWN_BESIDES * 2 {
            return;
        }
        let number = evidence.len();
        evidence.push(citation);
        used.push(at);
        findings.extend(outcomes[at].findings.iter().cloned().map(|mut finding| {
            finding.evidence = Some(number);
            finding
        }));
    };
    let contradicting = decision.contradicting.iter().take(SHOWN_BESIDES);
    let supporting = decision.supporting.iter().take(SHOWN_BESIDES);
    if matches!(decision.label, Label::Contradicted) {
        contradicting.for_each(|at| add(*at, CitationRole::Contradicts));
    } else {
        supporting.for_each(|at| add(*at, CitationRole::Supports));
        contradicting.for_each(|at| add(*at, CitationRole::Contradicts));
    }
    if decision.label == Label::NotEnoughInfo && !outcomes.is_empty() {
        add(0, CitationRole::Nearest);
    }
    let mut proofs = super::derived::proofs(&findings);
    proofs.extend(decision.proof);
    let considered = (0..outcomes.len())
        .filter(|at| !used.contains(at))
        .take(SHOWN_BESIDES)
        .map(|at| Considered {
            citation: cite(&outcomes[at], CitationRole::Nearest),
            why: fusion::why_not(&outcomes[at]),
        })
        .collect();
    Verdict {
        label: decision.label,
        confidence: Some(decision.confidence.clamp(0.0, 1.0)),
        reason: decision.reason,
        unchecked: None,
        evidence,
        proofs,
        findings,
        considered,
        warnings: Vec::new(),
        failures: Vec::new(),
        standings: Vec::new(),
    }
}
