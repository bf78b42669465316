//! From a verification to its report: places are counted in characters too, and the verdicts are summed up.

use std::collections::BTreeMap;

use super::summary::{Counts, Coverage, Risk, Status, is_shortfall};
use super::types::*;
use crate::evidence::source_quality;
use crate::text::TextSpan;
use crate::verify::{CheckedClaim, Citation, Finding, Verification};

impl Report {
    /// The report on `verification`; `source` names where its answer came from, `explain` adds the passages that were
    /// looked at and did not decide.
    pub fn new(verification: &Verification, source: Option<&str>, explain: bool) -> Self {
        let places = Places::of(&verification.answer);
        let mut counts = Counts::default();
        let mut reasons = BTreeMap::new();
        let mut shortfall = false;
        let mut failed_checks = 0;
        for CheckedClaim { verdict, .. } in &verification.claims {
            counts.add(verdict.label);
            failed_checks += verdict.failures.len();
            if let Some(reason) = verdict.unchecked {
                *reasons.entry(name_of(&reason)).or_insert(0) += 1;
                shortfall |= is_shortfall(reason);
            }
        }
        let status = match (counts.checked(), shortfall) {
            (0, true) => Status::NothingChecked,
            (0, false) => Status::NoClaims,
            _ => Status::Checked,
        };
        Self {
            schema_version: SCHEMA_VERSION,
            evidex_version: env!("CARGO_PKG_VERSION").to_owned(),
            status,
            answer: AnswerReport {
                source: source.map(str::to_owned),
                bytes: verification.answer.len(),
                chars: places.place(TextSpan::whole(&verification.answer)).char_end,
            },
            summary: counts,
            score: counts.score(),
            risk: Risk::of(&counts),
            coverage: Coverage {
                claims_found: verification.claims.len(),
                checked: counts.checked(),
                not_checked: counts.not_checked,
                not_checked_reasons: reasons,
                failed_checks,
            },
            claims: verification.claims.iter().map(|checked| claim_report(checked, &places, explain)).collect(),
            sources: verification.sources.clone(),
            models: ModelsReport {
                embedder: verification.models.embedder.as_ref().map(model_report),
                nli: verification.models.nli.as_ref().map(model_report),
            },
            timings: TimingsReport {
                claims_ms: millis(verification.timings.claims),
                evidence_ms: millis(verification.timings.evidence),
                checks_ms: millis(verification.timings.checks),
                total_ms: millis(verification.timings.total),
            },
        }
    }
}

fn model_report((name, digest): &(String, String)) -> ModelReport {
    ModelReport { name: name.clone(), digest: digest.clone() }
}

fn claim_report(checked: &CheckedClaim, places: &Places<'_>, explain: bool) -> ClaimReport {
    let CheckedClaim { claim, verdict } = checked;
    let whole = claim.spans.iter().copied().reduce(TextSpan::cover).unwrap_or(claim.sentence);
    ClaimReport {
        index: claim.index,
        text: claim.text.clone(),
        span: places.place(whole),
        parts: claim.spans.iter().map(|&span| places.place(span)).collect(),
        kind: claim.kind,
        label: verdict.label,
        confidence: verdict.confidence.and_then(round),
        reason: verdict.unchecked.map_or_else(|| verdict.reason.clone(), |why| why.describe().to_owned()),
        not_checked: verdict.unchecked,
        ambiguous: claim.ambiguous.clone(),
        evidence: verdict.evidence.iter().map(evidence_report).collect(),
        proofs: verdict.proofs.clone(),
        findings: verdict.findings.iter().map(|finding| finding_report(finding, checked, places)).collect(),
        warnings: verdict.warnings.clone(),
        failures: verdict.failures.clone(),
        standings: verdict.standings.clone(),
        considered: explain.then(|| {
            verdict
                .considered
                .iter()
                .map(|considered| ConsideredReport {
                    evidence: evidence_report(&considered.citation),
                    why: considered.why.clone(),
                })
                .collect()
        }),
    }
}

pub(super) fn evidence_report(citation: &Citation) -> EvidenceReport {
    let passage = &citation.passage;
    let inside = citation.span.start.saturating_sub(passage.span.start);
    let char_start = passage.chars_before + passage.text.get(..inside).map_or(0, |before| before.chars().count());
    let address = passage.url.as_deref().or(Some(passage.source.as_str()));
    EvidenceReport {
        pinned: passage.pinned.clone(),
        source_quality: address.and_then(source_quality).map(str::to_owned),
        role: citation.role,
        document_id: passage.document_id.0.clone(),
        title: passage.title.clone(),
        source: passage.source.clone(),
        url: passage.url.clone(),
        origin: citation.origin.clone(),
        quote: citation.quote.clone(),
        span: Place {
            start: citation.span.start,
            end: citation.span.end,
            char_start,
            char_end: char_start + citation.quote.chars().count(),
        },
        scores: EvidenceScores {
            bm25: passage.scores.bm25.and_then(round),
            dense: passage.scores.dense.and_then(round),
            fused: passage.scores.fused.and_then(round),
            coverage: round(citation.coverage).unwrap_or(0.0),
            entailment: citation.nli.and_then(|nli| round(nli[0])),
            neutral: citation.nli.and_then(|nli| round(nli[1])),
            contradiction: citation.nli.and_then(|nli| round(nli[2])),
        },
    }
}

fn finding_report(finding: &Finding, checked: &CheckedClaim, places: &Places<'_>) -> FindingReport {
    FindingReport {
        check: finding.check.clone(),
        stance: finding.stance,
        kind: finding.kind.clone(),
        claim_value: finding.claim_value.clone(),
        claim_span: finding.claim_span.and_then(|span| checked.claim.raw_span(span)).map(|span| places.place(span)),
        evidence_value: finding.evidence_value.clone(),
        evidence_span: finding.evidence_span,
        evidence: finding.evidence,
        detail: finding.detail.clone(),
    }
}

/// Counts characters before any byte of a text without reading it from the start each time.
struct Places<'a> {
    text: &'a str,
    /// Characters before every 1,024th byte.
    marks: Vec<usize>,
}

const MARK_EVERY: usize = 1024;

impl<'a> Places<'a> {
    fn of(text: &'a str) -> Self {
        let mut marks = Vec::with_capacity(text.len() / MARK_EVERY + 1);
        let mut chars = 0;
        for (at, byte) in text.bytes().enumerate() {
            if at % MARK_EVERY == 0 {
                marks.push(chars);
            }
            // Every character has exactly one byte that is not a continuation byte.
            chars += usize::from(byte & 0xC0 != 0x80);
        }
        marks.push(chars);
        Self { text, marks }
    }

    fn chars_before(&self, byte: usize) -> usize {
        let byte = byte.min(self.text.len());
        let mark = byte / MARK_EVERY;
        let from = mark * MARK_EVERY;
        let Some(&chars) = self.marks.get(mark) else { return *self.marks.last().unwrap_or(&0) };
        chars + self.text.as_bytes()[from.min(byte)..byte].iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
    }

    fn place(&self, span: TextSpan) -> Place {
        Place {
            start: span.start,
            end: span.end,
            char_start: self.chars_before(span.start),
            char_end: self.chars_before(span.end),
        }
    }
}

fn name_of(reason: &crate::claim::Unchecked) -> String {
    match serde_json::to_value(reason) {
        Ok(serde_json::Value::String(name)) => name,
        _ => "other".to_owned(),
    }
}

pub(super) fn millis(duration: std::time::Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

/// To four digits: what a person may compare. A number that is not finite becomes `null`, never a zero.
fn round(value: f32) -> Option<f64> {
    value.is_finite().then(|| (f64::from(value) * 1e4).round() / 1e4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_characters_across_marks_in_a_long_text_of_wide_characters() {
        let text = "a👩‍🚀é".repeat(700);
        let places = Places::of(&text);
        for (chars, (byte, _)) in text.char_indices().enumerate() {
            assert_eq!(places.chars_before(byte), chars);
        }
        assert_eq!(places.chars_before(text.len()), text.chars().count());
    }

    #[test]
    fn places_in_an_empty_text_are_zero() {
        assert_eq!(Places::of("").place(TextSpan::default()), Place::default());
    }
}
