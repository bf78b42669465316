//! The examples by which its callers know it, with the right answer where theirs was wrong.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::claim::Claim;
use crate::corpus;
use crate::evidence::{Evidence, EvidenceError, EvidenceSource, InlineContext};
use crate::report::Report;
use crate::verify::Verifier;

fn claim(label: Label, confidence: f64) -> ClaimResult {
    ClaimResult::new("c", label, confidence, "quote", "nli").unwrap()
}

fn close(score: Option<f64>, expected: f64) -> bool {
    score.is_some_and(|score| (score - expected).abs() < 1e-9)
}

fn report_on(documents: Vec<corpus::Document>, response: &str) -> Report {
    let source = InlineContext::new(documents).unwrap();
    let verifier = Verifier::builder().source(Arc::new(source)).build().unwrap();
    Report::new(&verifier.verify(response).unwrap(), None, false)
}

fn detect(context: &str, response: &str) -> DetectionResult {
    let report = report_on(vec![corpus::Document::inline("context", context)], response);
    detection(&report, Provenance { response, ..Provenance::default() })
}

fn labels(result: &DetectionResult) -> Vec<Label> {
    result.claim_details.iter().flatten().map(|claim| claim.label).collect()
}

#[test]
fn scores_are_those_of_the_documented_examples() {
    use Label::{Contradicted, Supported, Unknown};
    assert!(close(mean_score(&[claim(Supported, 0.9), claim(Supported, 0.8)]), 0.0));
    assert!(close(mean_score(&[claim(Contradicted, 1.0)]), 1.0));
    assert!(close(mean_score(&[claim(Contradicted, 0.0), claim(Supported, 0.0)]), 0.5));
    assert!(close(mean_score(&[claim(Unknown, 0.9)]), 0.0));
    assert!(close(
        mean_score(&[claim(Contradicted, 0.94), claim(Supported, 0.91), claim(Contradicted, 0.97)]),
        1.91 / 3.0
    ));
    assert!(close(weighted_score(&[claim(Contradicted, 0.2), claim(Supported, 0.8)]), 0.2));
    assert!(close(weighted_score(&[claim(Contradicted, 0.0), claim(Supported, 0.0)]), 0.5));
    assert_eq!((mean_score(&[]), weighted_score(&[])), (None, None));
}

#[test]
fn levels_of_risk_begin_at_three_and_seven_tenths() {
    let risk = RiskThresholds::default();
    let levels = [0.29, 0.3, 0.5, 0.69, 0.7].map(|score| risk.level(score));
    assert_eq!(levels, [RiskLevel::Low, RiskLevel::Medium, RiskLevel::Medium, RiskLevel::Medium, RiskLevel::High]);
    assert!(RiskThresholds::new(0.7, 0.3).is_err() && RiskThresholds::new(f64::NAN, 0.3).is_err());
}

#[test]
fn weights_are_those_of_the_methods_that_ran() {
    let weights = Weights::default();
    assert!(close(weights.aggregate([("nli", Some(0.0)), ("judge", Some(1.0))]), 0.6 / 0.7));
    assert_eq!((weights.aggregate([("nli", Some(0.0)), ("judge", Some(1.0))]).unwrap() * 1e3).round(), 857.0);
    assert!(close(weights.aggregate([("judge", Some(0.4)), ("consistency", Some(1.0))]), 0.4));
    assert!(close(weights.aggregate([("nli", Some(1.0)), ("qa", Some(0.0)), ("logprobs", Some(1.0))]), 0.4 / 0.65));
}

#[test]
fn a_method_that_failed_is_no_method_without_risk() {
    let weights = Weights::default();
    assert!(close(weights.aggregate([("nli", Some(0.8)), ("judge", None)]), 0.8));
    assert_eq!(weights.aggregate([("judge", None)]), None);
    let report = report_on(vec![corpus::Document::inline("d", "The sky is blue.")], "The sky is not blue.");
    let failed = MethodResult::failed("judge", "no key", 3.0);
    let result = detection(&report, Provenance { others: vec![failed], ..Provenance::default() });
    assert!(close(result.aggregate_score, result.method_results["nli"].raw_score.unwrap()));
    assert!(result.aggregate_score.unwrap() > 0.0);
    assert_eq!(result.method_results["judge"].raw_score, None);
    assert_eq!(result.latency_ms["judge"], 3.0);
}

#[test]
fn confidences_beyond_zero_and_one_are_refused() {
    for confidence in [1.5, -0.1, f64::NAN, f64::INFINITY] {
        assert!(ClaimResult::new("c", Label::Supported, confidence, "", "judge").is_err(), "{confidence}");
    }
    assert!(Weights::default().with("judge", 1.2).is_err());
    assert!(Weights::default().with("guess", 0.5).is_err());
    assert!(serde_json::from_value::<Label>(json!("maybe")).is_err());
    assert_eq!(serde_json::from_value::<Label>(json!("contradicted")).ok(), Some(Label::Contradicted));
}

#[test]
fn the_cascade_asks_the_judge_only_in_between() {
    let cascade = Cascade::default();
    let asked = [0.05, 0.2, 0.5, 0.8, 0.95].map(|score| cascade.escalates(Some(score)));
    assert_eq!(asked, [false, true, true, true, false]);
    assert!(cascade.escalates(None), "without a context nobody has looked yet");
    assert!(cascade.escalates(Some(f64::NAN)));
    assert!(Cascade::new(0.9, 0.1).is_err());
}

#[test]
fn log_probabilities_become_labels_at_the_threshold() {
    let label = |mean| logprob_label(mean, LOGPROB_THRESHOLD).unwrap();
    assert_eq!(label(-0.1).0, Label::Supported);
    assert!(label(-0.1).1 > 0.9);
    assert_eq!(label(-5.0).0, Label::Unsupported);
    assert!(label(-5.0).1 > 0.99);
    assert_eq!(label(0.0), (Label::Supported, 1.0));
    assert_eq!((label(-1.5).0, label(-1.51).0), (Label::Supported, Label::Unsupported));
    assert!(logprob_label(f64::NAN, LOGPROB_THRESHOLD).is_err() && logprob_label(0.2, LOGPROB_THRESHOLD).is_err());
}

#[test]
fn cosines_are_one_on_the_diagonal_and_zero_at_right_angles() {
    let result = ConsistencyResult::of(&[3.0, 0.0], &[vec![0.0, 2.0], vec![5.0, 0.0]], 1.0).unwrap().unwrap();
    for (at, row) in result.similarity_matrix.iter().enumerate() {
        assert_eq!(row[at], 1.0);
    }
    assert_eq!(result.similarity_matrix[0], [1.0, 0.0, 1.0]);
    assert_eq!((result.consistency_score, result.risk(), result.sample_count), (0.5, 0.5, 2));
    assert_eq!(ConsistencyResult::of(&[1.0], &[], 0.0), Ok(None), "nothing was compared");
    assert!(ConsistencyResult::of(&[1.0], &[vec![1.0, 2.0]], 0.0).is_err());
    assert!(ConsistencyResult::of(&[f32::NAN], &[vec![1.0]], 0.0).is_err());
    let opposite = ConsistencyResult::of(&[1.0], &[vec![-1.0]], 0.0).unwrap().unwrap();
    assert_eq!(opposite.risk(), 1.0);
}

fn method(name: &str, claims: &[(&str, Label, f64, &str)]) -> (String, MethodResult) {
    let claims = claims
        .iter()
        .map(|(claim, label, confidence, evidence)| {
            ClaimResult::new(*claim, *label, *confidence, *evidence, name).unwrap()
        })
        .collect::<Vec<_>>();
    let raw_score = mean_score(&claims);
    (name.to_owned(), MethodResult { method: name.to_owned(), claims, raw_score, latency_ms: 0.0, error: None })
}

#[test]
fn the_vote_on_a_claim_weighs_methods_and_confidences() {
    let results: BTreeMap<_, _> = [
        method("nli", &[("a", Label::Supported, 1.0, "weak quote"), ("b", Label::Contradicted, 0.9, "b quote")]),
        method("judge", &[("a", Label::Contradicted, 0.5, "strong quote"), ("b", Label::Unknown, 0.0, "")]),
    ]
    .into();
    let details = claim_details(&results, &Weights::default()).unwrap();
    // 0.10 × 1.0 for supported, 0.60 × 0.5 for contradicted.
    assert_eq!((details[0].label, details[0].confidence), (Label::Contradicted, 0.75));
    assert_eq!((details[0].evidence.as_str(), details[0].method.as_str()), ("strong quote", "ensemble"));
    assert_eq!(
        (details[1].label, details[1].confidence, details[1].evidence.as_str()),
        (Label::Contradicted, 1.0, "b quote")
    );
}

#[test]
fn a_method_that_left_a_claim_out_does_not_shift_the_others() {
    let results: BTreeMap<_, _> = [
        method("nli", &[("a", Label::Supported, 0.9, ""), ("b", Label::Contradicted, 0.9, "q")]),
        method("judge", &[("b", Label::Contradicted, 0.9, "q")]),
    ]
    .into();
    let details = claim_details(&results, &Weights::default()).unwrap();
    let found: Vec<_> = details.iter().map(|claim| (claim.claim.as_str(), claim.label)).collect();
    assert_eq!(found, [("a", Label::Supported), ("b", Label::Contradicted)]);
    assert_eq!(details[0].evidence, "no evidence available");
}

#[test]
fn one_method_alone_is_taken_as_it_is_and_none_gives_none() {
    let one: BTreeMap<_, _> = [method("nli", &[("a", Label::Unknown, 0.4, "q")])].into();
    assert_eq!(claim_details(&one, &Weights::default()).unwrap()[0].method, "nli");
    assert_eq!(claim_details(&BTreeMap::new(), &Weights::default()), None);
    let failed: BTreeMap<_, _> = [("judge".to_owned(), MethodResult::failed("judge", "x", 0.0))].into();
    assert_eq!(claim_details(&failed, &Weights::default()), None);
}

#[test]
fn the_eiffel_tower_is_high_risk_and_each_claim_has_its_label() {
    let result = detect(
        "The Eiffel Tower was built in 1889 by Gustave Eiffel in Paris.",
        "The Eiffel Tower was built in 1887. It was built by Gustave Eiffel. The Eiffel Tower is in Lyon.",
    );
    assert_eq!(labels(&result), [Label::Contradicted, Label::Supported, Label::Contradicted]);
    assert!(result.risk_level >= Some(RiskLevel::Medium), "{:?}", result.aggregate_score);
    assert_eq!(result.claims.len(), 3);
}

#[test]
fn what_no_source_states_counts_and_a_short_answer_is_not_dropped() {
    let invented = detect("The library opened in 1931.", "The library was designed by Olga Brandt.");
    assert_eq!(labels(&invented), [Label::Unsupported]);
    assert!(invented.aggregate_score.unwrap() > 0.0);
    let short = detect("BASIC was created in 1964.", "BASIC: 1972");
    assert!(!short.claims.is_empty() || short.aggregate_score.is_none());
}

#[test]
fn water_boils_at_one_hundred_degrees() {
    let result = detect("Water boils at 100 °C at sea level.", "Water boils at 50 °C.");
    assert_eq!(labels(&result), [Label::Contradicted]);
    assert_eq!(result.claim_details.unwrap()[0].evidence, "Water boils at 100 °C at sea level.");
}

#[test]
fn each_claim_names_its_document_and_address() {
    let mut documents = vec![
        corpus::Document::inline("one", "The tower is 300 m high."),
        corpus::Document::inline("two", "The gate opened in 1889."),
    ];
    documents[1].provenance.url = Some("https://example.org/two".to_owned());
    let result = detection(
        &report_on(documents, "The gate opened in 1887. The tower is 300 m high."),
        Provenance { request_id: Some("r-1"), ..Provenance::default() },
    );
    let details = result.claim_details.unwrap();
    let found: Vec<_> = details.iter().map(|c| (c.source_id.as_deref(), c.source_url.as_deref())).collect();
    assert_eq!(found, [(Some("two"), Some("https://example.org/two")), (Some("one"), None)]);
    assert_eq!(result.request_id.as_deref(), Some("r-1"));
}

#[test]
fn nothing_checked_is_null_and_not_low() {
    for response in ["", "Hello! Happy to help."] {
        let result = detect("The sky is blue.", response);
        assert_eq!((result.aggregate_score, result.risk_level), (None, None), "{response}");
        assert!(result.claims.is_empty());
    }
}

struct Broken;

impl EvidenceSource for Broken {
    fn name(&self) -> String {
        "broken".to_owned()
    }

    fn evidence(&self, _: &Claim, _: usize) -> Result<Vec<Evidence>, EvidenceError> {
        Err(EvidenceError::Unavailable { source_name: self.name(), reason: "no route".to_owned() })
    }
}

#[test]
fn evidence_that_cannot_be_had_is_an_error_and_no_score() {
    let verification =
        Verifier::builder().source(Arc::new(Broken)).build().unwrap().verify("The sky is blue.").unwrap();
    let result = detection(&Report::new(&verification, None, false), Provenance::default());
    assert!(labels(&result).is_empty());
    assert!(result.method_results["nli"].error.as_deref().unwrap().contains("no route"));
    assert_eq!((result.aggregate_score, result.risk_level), (None, None));
}

#[test]
fn the_json_has_their_fields_in_their_order() {
    let result = detect("The sky is blue.", "The sky is green.");
    let json: Value = serde_json::to_value(&result).unwrap();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(
        keys(&json),
        [
            "response",
            "claims",
            "method_results",
            "consistency",
            "aggregate_score",
            "risk_level",
            "claim_details",
            "latency_ms",
            "total_latency_ms",
            "request_id",
            "mode"
        ]
    );
    assert_eq!(
        keys(&json["claim_details"][0]),
        ["claim", "label", "confidence", "evidence", "method", "source_id", "source_url"]
    );
    assert_eq!(keys(&json["method_results"]["nli"]), ["method", "claims", "raw_score", "latency_ms", "error"]);
    assert_eq!(
        (&json["mode"], &json["risk_level"], &json["claim_details"][0]["label"]),
        (&json!("hallucination"), &json!("high"), &json!("contradicted"))
    );
    let read: DetectionResult = serde_json::from_value(json).unwrap();
    assert_eq!(read, result);
    let theirs = json!({
        "response": "r", "claims": ["c"], "consistency": null, "aggregate_score": 0.71, "risk_level": "high",
        "method_results": {"judge": {"method": "judge", "claims": [], "raw_score": 0.71, "latency_ms": 12.5, "error": null}},
        "claim_details": null, "latency_ms": {"judge": 12.5}, "total_latency_ms": 13.0, "request_id": null,
        "mode": "fact_check"
    });
    let read: DetectionResult = serde_json::from_value(theirs.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), theirs);
}
