//! The engine's verdicts in this interface's words: the one table.
//!
//! | label | status |
//! |---|---|
//! | supported | `SUPPORTED` |
//! | contradicted, but only by a name that stands in no source | `HALLUCINATION` |
//! | contradicted, conflicting | `CONTRADICTION` |
//! | partially supported, another part contradicted | `CONTRADICTION` |
//! | partially supported, another part not found | `WEAK_SUPPORT` |
//! | not enough info, the claim is a denial | `UNVERIFIABLE_DENIAL` |
//! | not enough info, the nearest passage lacks a name or value of the claim | `HALLUCINATION` |
//! | not enough info, score from the threshold on | `WEAK_SUPPORT` |
//! | not enough info | `HALLUCINATION` |
//! | not checked, though it should have been | `UNKNOWN` |
//!
//! The score is the share of the claim that the nearest passage holds, kept in the band that fits the status: from 0.65
//! for `SUPPORTED`, below it for everything else, and 0.30 less where the passage says otherwise.

use super::comparer::SUPPORTED_FROM;
use super::result::Status;
use super::terms::is_missing_value;
use crate::text::{DateOrder, Language, NumberLocale};
use crate::verify::{CitationRole, Finding, Label, ReadOptions, ReadText, Stance, Verdict};

/// Taken off the score where a passage says otherwise.
const CONTRADICTED_LESS: f64 = 0.30;
/// The best score that is no support.
const BELOW_SUPPORTED: f64 = SUPPORTED_FROM - 0.01;

/// The status of a claim that was held against the sources.
pub(super) fn status(claim: &str, verdict: &Verdict, unsupported_terms: &[String], threshold: f64) -> Status {
    match verdict.label {
        Label::Supported => Status::Supported,
        Label::Contradicted if is_invented(verdict, unsupported_terms) => Status::Hallucination,
        Label::Contradicted | Label::Conflicting => Status::Contradiction,
        Label::PartiallySupported if is_contradicted_in_part(verdict) => Status::Contradiction,
        Label::PartiallySupported => Status::WeakSupport,
        Label::NotEnoughInfo if is_denial(claim) => Status::UnverifiableDenial,
        Label::NotEnoughInfo if !unsupported_terms.is_empty() => Status::Hallucination,
        Label::NotEnoughInfo if verdict.findings.iter().any(is_missing_value) => Status::Hallucination,
        Label::NotEnoughInfo if score(verdict) >= threshold => Status::WeakSupport,
        Label::NotEnoughInfo => Status::Hallucination,
        Label::NotChecked => Status::Unknown,
    }
}

fn is_contradicted_in_part(verdict: &Verdict) -> bool {
    verdict.evidence.iter().any(|citation| citation.role == CitationRole::Contradicts)
}

/// Whether all that is contradicted are names that stand in no source: the source names another, and nobody this one.
fn is_invented(verdict: &Verdict, unsupported_terms: &[String]) -> bool {
    let mut contradicting = verdict.findings.iter().filter(|finding| finding.stance == Stance::Contradicts).peekable();
    contradicting.peek().is_some()
        && contradicting.all(|finding| {
            finding.check == "entity"
                && finding.claim_value.as_ref().is_some_and(|value| unsupported_terms.contains(value))
        })
}

/// Whether the claim denies something.
fn is_denial(claim: &str) -> bool {
    let options =
        ReadOptions { language: Language::English, number_locale: NumberLocale::Any, date_order: DateOrder::Unknown };
    ReadText::new(claim, options).words.iter().any(|word| word.negation_head && word.negations % 2 == 1)
}

/// How much of the claim the sources bear out, 0 to 1.
pub(super) fn score(verdict: &Verdict) -> f64 {
    let nearest = verdict.evidence.iter().map(|citation| f64::from(citation.coverage)).fold(0.0, f64::max);
    let score = match verdict.label {
        Label::Supported => {
            let confidence = f64::from(verdict.confidence.unwrap_or(0.0));
            if verdict.evidence.is_empty() { confidence } else { nearest.max(confidence) }.max(SUPPORTED_FROM)
        }
        Label::Contradicted | Label::Conflicting => (nearest - CONTRADICTED_LESS).clamp(0.0, BELOW_SUPPORTED),
        _ => nearest.min(BELOW_SUPPORTED),
    };
    round(score)
}

/// Three decimals.
pub(super) fn round(value: f64) -> f64 {
    (value.clamp(0.0, 1.0) * 1000.0).round() / 1000.0
}

/// The reason in a few words that stay the same; `None` for support.
pub(super) fn reason(claim: &str, status: Status, verdict: &Verdict, has_terms: bool) -> Option<String> {
    let reason = match status {
        Status::Supported => return None,
        Status::Contradiction => {
            let contradicting = verdict.findings.iter().find(|finding| finding.stance == Stance::Contradicts);
            match contradicting {
                Some(finding) => mismatch(claim, finding),
                None if verdict.label == Label::Conflicting => "Sources disagree",
                None => "Meaning mismatch",
            }
        }
        Status::WeakSupport if verdict.label == Label::PartiallySupported => "Partly supported",
        Status::WeakSupport => "Related, not stated",
        Status::Hallucination if verdict.evidence.is_empty() => "No matching chunk found",
        Status::Hallucination if has_terms => "Unsupported terms",
        Status::Hallucination => "Not found in the sources",
        Status::UnverifiableDenial => "Denial not found in the sources",
        Status::Error => "Expression cannot be computed",
        Status::Unknown => "Not checked",
    };
    Some(reason.to_owned())
}

fn mismatch(claim: &str, finding: &Finding) -> &'static str {
    match finding.check.as_str() {
        "quantity" => "Number mismatch",
        "unit" => "Unit mismatch",
        "date" => "Date mismatch",
        "negation" | "opposite" => "Negation mismatch",
        "role" => "Entity-role mismatch",
        "entity" if names_a_source(claim, finding) => "Source qualifier mismatch",
        "entity" if follows(claim, finding, &["in", "at", "near", "em", "en", "no", "na"]) => "Location mismatch",
        "entity" => "Entity-role mismatch",
        "order" => "Order mismatch",
        "comparison" => "Comparison mismatch",
        "quantifier" => "Quantifier mismatch",
        "quotation" => "Quotation mismatch",
        _ => "Meaning mismatch",
    }
}

/// "Report Alpha": a report, study or survey by its name.
fn names_a_source(claim: &str, finding: &Finding) -> bool {
    const SOURCES: [&str; 6] = ["report", "study", "survey", "paper", "source", "article"];
    let value = finding.claim_value.as_deref().unwrap_or_default().to_lowercase();
    SOURCES.iter().any(|source| value.starts_with(source)) || follows(claim, finding, &SOURCES)
}

/// Whether the claim's value stands right after one of `words`.
fn follows(claim: &str, finding: &Finding, words: &[&str]) -> bool {
    let before = finding.claim_span.and_then(|span| claim.get(..span.start)).unwrap_or_default();
    let last = before.split_whitespace().rev().find(|word| !word.eq_ignore_ascii_case("the")).unwrap_or_default();
    words.iter().any(|word| last.eq_ignore_ascii_case(word))
}
