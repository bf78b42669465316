//! From this engine's report to a [`DetectionResult`].
//!
//! | ours | theirs |
//! |---|---|
//! | supported | `supported` |
//! | contradicted, conflicting | `contradicted` |
//! | partially supported, another part contradicted | `contradicted` |
//! | partially supported, another part not found | `unsupported` |
//! | not enough info | `unsupported` |
//! | not checked, though it should have been | `unknown` |
//! | not checked, for nothing is stated | no claim |

use std::collections::BTreeMap;

use super::ensemble::{Weights, claim_details};
use super::result::{ClaimResult, DetectionResult, Label, MethodResult, Mode};
use super::score::{RiskThresholds, mean_score};
use crate::claim::Unchecked;
use crate::report::{ClaimReport, Report};
use crate::verify::{self, CitationRole, Stance};

/// The method that this engine's own checks take the place of: the one that reads the context.
const METHOD: &str = "nli";
const NOTHING_FOUND: &str = "no relevant context found";

/// What a report does not know of its request.
#[derive(Debug, Clone, Default)]
pub struct Provenance<'a> {
    /// The text that was checked.
    pub response: &'a str,
    /// The request's id.
    pub request_id: Option<&'a str>,
    /// Results of other methods on the same claims: `judge`, `qa`, ….
    pub others: Vec<MethodResult>,
    /// The weights of the methods.
    pub weights: Weights,
    /// Where the levels of risk begin.
    pub risk: RiskThresholds,
}

/// `report` in chaincheck's words: the engine's verdicts stand as method `nli`, beside those of other methods.
///
/// ```
/// # use std::sync::Arc;
/// use evidex::compat::chaincheck::{Label, Provenance, RiskLevel, detection};
/// # use evidex::{corpus::Document, evidence::InlineContext, report::Report, verify::Verifier};
/// let context = InlineContext::new(vec![Document::inline("d1", "The Eiffel Tower was completed in 1889.")])?;
/// let response = "The Eiffel Tower was completed in 1887.";
/// let report = Report::new(&Verifier::builder().source(Arc::new(context)).build()?.verify(response)?, None, false);
/// let result = detection(&report, Provenance { response, ..Provenance::default() });
/// let details = result.claim_details.unwrap();
/// assert_eq!((details[0].label, details[0].source_id.as_deref()), (Label::Contradicted, Some("d1")));
/// assert_eq!(result.risk_level, Some(RiskLevel::High));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn detection(report: &Report, provenance: Provenance<'_>) -> DetectionResult {
    let claims: Vec<ClaimResult> = report
        .claims
        .iter()
        .filter(|claim| claim.not_checked.is_none_or(should_be_checked))
        .map(claim_result)
        .collect();
    let texts = claims.iter().map(|claim| claim.claim.clone()).collect();
    // What could not be told says nothing about the risk.
    let told = claims.iter().any(|claim| claim.label != Label::Unknown);
    let error = (!told && !claims.is_empty()).then(|| failure(report));
    let own = MethodResult {
        method: METHOD.to_owned(),
        raw_score: if told { mean_score(&claims) } else { None },
        claims,
        latency_ms: report.timings.total_ms,
        error,
    };
    let mut method_results = BTreeMap::new();
    let mut latency_ms = BTreeMap::new();
    for result in std::iter::once(own).chain(provenance.others) {
        latency_ms.insert(result.method.clone(), result.latency_ms);
        method_results.insert(result.method.clone(), result);
    }
    let scores = method_results
        .iter()
        .map(|(method, result)| (method.as_str(), if result.error.is_some() { None } else { result.raw_score }));
    let aggregate_score = provenance.weights.aggregate(scores);
    DetectionResult {
        response: provenance.response.to_owned(),
        claims: texts,
        consistency: None,
        aggregate_score,
        risk_level: aggregate_score.map(|score| provenance.risk.level(score)),
        claim_details: claim_details(&method_results, &provenance.weights),
        total_latency_ms: latency_ms.values().sum(),
        method_results,
        latency_ms,
        request_id: provenance.request_id.map(str::to_owned),
        mode: Mode::Hallucination,
    }
}

const fn should_be_checked(reason: Unchecked) -> bool {
    matches!(
        reason,
        Unchecked::UnsupportedLanguage | Unchecked::EvidenceUnavailable | Unchecked::TooLong | Unchecked::CheckFailed
    )
}

fn failure(report: &Report) -> String {
    let failures = report.claims.iter().flat_map(|claim| &claim.failures).map(|failure| failure.message.as_str());
    let unchecked = |claim: &&ClaimReport| claim.not_checked.is_some_and(should_be_checked);
    let reasons = report.claims.iter().filter(unchecked).map(|claim| claim.reason.as_str());
    failures.chain(reasons).next().unwrap_or("nothing could be checked").to_owned()
}

fn claim_result(claim: &ClaimReport) -> ClaimResult {
    let label = label(claim);
    let quote = claim.evidence.iter().find(|evidence| evidence.role == role(label)).or(claim.evidence.first());
    let computed = claim.proofs.first().map(|proof| format!("{} = {}", proof.expression, proof.result));
    ClaimResult {
        claim: claim.text.clone(),
        label,
        confidence: if label == Label::Unknown { 0.0 } else { claim.confidence.unwrap_or(0.0).clamp(0.0, 1.0) },
        evidence: quote.map(|evidence| evidence.quote.clone()).or(computed).unwrap_or_else(|| NOTHING_FOUND.to_owned()),
        method: METHOD.to_owned(),
        source_id: quote.map(|evidence| evidence.document_id.clone()),
        source_url: quote.and_then(|evidence| evidence.url.clone()),
    }
}

const fn role(label: Label) -> CitationRole {
    match label {
        Label::Supported => CitationRole::Supports,
        Label::Contradicted => CitationRole::Contradicts,
        Label::Unsupported | Label::Unknown => CitationRole::Nearest,
    }
}

fn label(claim: &ClaimReport) -> Label {
    let refuted = || {
        claim.evidence.iter().any(|evidence| evidence.role == CitationRole::Contradicts)
            || claim.findings.iter().any(|finding| finding.stance == Stance::Contradicts)
            || claim.proofs.iter().any(|proof| !proof.holds)
    };
    match claim.label {
        verify::Label::Supported => Label::Supported,
        verify::Label::Contradicted | verify::Label::Conflicting => Label::Contradicted,
        verify::Label::PartiallySupported if refuted() => Label::Contradicted,
        verify::Label::PartiallySupported | verify::Label::NotEnoughInfo => Label::Unsupported,
        verify::Label::NotChecked => Label::Unknown,
    }
}
