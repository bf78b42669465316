//! From a detection by several methods to a [`DetectionResult`].
//!
//! Opinions that rest on no source show here as labels, as its callers know it. A method that was not run is left out; one
//! that failed has an error and no score.

use std::collections::BTreeMap;
use std::time::Duration;

use super::ensemble::{Weights, claim_details};
use super::result::{ClaimResult, ConsistencyResult, DetectionResult, Label, MethodResult, Mode};
use super::score::{RiskThresholds, mean_score, weighted_score};
use crate::judge::{self, Detection, Method, MethodRun, Opinion};

const NOTHING_FOUND: &str = "no relevant context found";

/// `detection` in chaincheck's words, scored by its formulas, with the weights and risk levels of the caller.
///
/// ```
/// # use std::sync::Arc;
/// use evidex::compat::chaincheck::{Label, RiskThresholds, result};
/// use evidex::judge::{DetectOptions, Detector, Input, Models, Session, SessionOptions};
/// # use evidex::{corpus::Document, evidence::{EvidenceSource, InlineContext}};
/// let detector = Detector::new(DetectOptions::default(), Models::default(), Session::new(SessionOptions::default())?)?;
/// let context = InlineContext::new(vec![Document::inline("d1", "The Eiffel Tower was completed in 1889.")])?;
/// let sources: [Arc<dyn EvidenceSource>; 1] = [Arc::new(context)];
/// let input = Input { answer: "The Eiffel Tower was completed in 1887.", prompt: None, sources: &sources };
/// let result = result(&detector.detect(input)?, RiskThresholds::default());
/// assert_eq!(result.claim_details.unwrap()[0].label, Label::Contradicted);
/// assert_eq!(result.method_results["nli"].claims[0].source_id.as_deref(), Some("d1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn result(detection: &Detection, risk: RiskThresholds) -> DetectionResult {
    let texts: BTreeMap<usize, &str> = detection
        .verification
        .claims
        .iter()
        .filter(|checked| checked.claim.unchecked.is_none())
        .map(|checked| (checked.claim.index, checked.claim.text.as_str()))
        .collect();
    let mut weights = Weights::default();
    let mut method_results = BTreeMap::new();
    let mut latency_ms = BTreeMap::new();
    for run in detection.methods.iter().filter(|run| run.skipped.is_none()) {
        if let Ok(weighted) = weights.clone().with(run.method.as_str(), run.weight.clamp(0.0, 1.0)) {
            weights = weighted;
        }
        let result = method_result(run, &texts);
        latency_ms.insert(result.method.clone(), result.latency_ms);
        method_results.insert(result.method.clone(), result);
    }
    let scores = method_results.values().map(|result| (result.method.as_str(), result.raw_score));
    let aggregate_score = weights.aggregate(scores);
    DetectionResult {
        response: detection.verification.answer.clone(),
        claims: texts.values().map(|text| (*text).to_owned()).collect(),
        consistency: detection.method(Method::Consistency).and_then(consistency),
        aggregate_score,
        risk_level: aggregate_score.map(|score| risk.level(score)),
        claim_details: claim_details(&method_results, &weights),
        latency_ms,
        total_latency_ms: millis(detection.latency()),
        method_results,
        request_id: None,
        mode: match detection.mode {
            judge::Mode::Sources => Mode::Hallucination,
            judge::Mode::FactCheck => Mode::FactCheck,
        },
    }
}

fn method_result(run: &MethodRun, texts: &BTreeMap<usize, &str>) -> MethodResult {
    let claims: Vec<ClaimResult> =
        run.opinions.iter().filter_map(|opinion| claim_result(run.method, opinion, texts)).collect();
    let raw_score = match run.method {
        Method::Nli | Method::Judge => mean_score(&claims),
        Method::Qa | Method::Logprobs => weighted_score(&claims),
        Method::Consistency => run.risk,
    };
    MethodResult {
        method: run.method.to_string(),
        claims,
        raw_score,
        latency_ms: millis(run.latency),
        error: run.error.clone(),
    }
}

fn claim_result(method: Method, opinion: &Opinion, texts: &BTreeMap<usize, &str>) -> Option<ClaimResult> {
    let label = match opinion.label? {
        // What the sources do not say is no "unknown": it counts.
        Label::Unknown if method == Method::Nli => Label::Unsupported,
        label => label,
    };
    let quote = opinion.evidence.first();
    let evidence = match quote {
        Some(citation) => citation.quote.clone(),
        None if opinion.grounded => NOTHING_FOUND.to_owned(),
        None => opinion.reason.clone(),
    };
    Some(ClaimResult {
        claim: (*texts.get(&opinion.claim)?).to_owned(),
        label,
        confidence: opinion.confidence.unwrap_or(0.0),
        evidence,
        method: method.to_string(),
        source_id: quote.map(|citation| citation.passage.document_id.0.clone()),
        source_url: quote.and_then(|citation| citation.passage.url.clone()),
    })
}

fn consistency(run: &MethodRun) -> Option<ConsistencyResult> {
    let consistency = run.consistency.as_ref()?;
    Some(ConsistencyResult {
        consistency_score: consistency.score?.clamp(0.0, 1.0),
        similarity_matrix: consistency.similarity.clone(),
        sample_count: consistency.samples,
        latency_ms: millis(run.latency),
    })
}

fn millis(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}
