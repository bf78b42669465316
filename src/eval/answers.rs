//! Whole answers, split into claims by us, and judged as good as their worst claim.
//!
//! An answer is contradicted if a claim is, supported if every checked claim is, and not checked if no claim could be.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::metrics::{self, ones};
use super::{Class, EvalError, PairEvaluator, PairRow, Prediction, support_score};
use crate::verify::{CheckedClaim, Features, Label, Verdict};

/// What was said of one claim of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimPrediction {
    /// The claim.
    pub text: String,
    /// Its verdict.
    pub label: Label,
    /// How much the verdict speaks for "supported"; `None` when it was not checked.
    pub support: Option<f64>,
}

/// The claims of all answers, each held to be as good as its answer: chaincheck's claim-level view.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct ClaimLevelReport {
    /// Claims checked in supported answers.
    pub clean_claims: u64,
    /// Claims checked in the other answers.
    pub hallucinated_claims: u64,
    /// Share of the claims in supported answers that are flagged, that is not supported: false alarms.
    pub clean_flag_rate: Option<f64>,
    /// The same in the other answers. Not all of their claims are wrong.
    pub hallucinated_flag_rate: Option<f64>,
    /// The second rate divided by the first.
    pub ratio: Option<f64>,
    /// Probability that a claim of a hallucinated answer is ranked as riskier than one of a supported answer, ties half.
    pub auroc: Option<f64>,
    /// Checked claims an answer.
    pub claims_per_response: Option<f64>,
    /// Supported answers without a checked claim: nothing that could be flagged.
    pub clean_without_claims: u64,
    /// Other answers without a checked claim: nothing that could be found.
    pub hallucinated_without_claims: u64,
}

impl PairEvaluator {
    /// The verdict on a whole answer.
    ///
    /// # Errors
    /// [`EvalError::Verify`] when there is neither a context nor an index.
    pub fn predict_answer(&self, row: &PairRow) -> Result<Prediction, EvalError> {
        let start = Instant::now();
        let mut settings = self.settings.clone();
        settings.question.clone_from(&row.question);
        let verification = self.builder(row).settings(settings).build()?.verify(&row.claim)?;
        let taken = start.elapsed();
        let worst =
            verification.claims.iter().filter(|checked| checked.verdict.label != Label::NotChecked).min_by(|a, b| {
                let of = |checked: &CheckedClaim| support(&checked.verdict).unwrap_or(1.0);
                rank(a.verdict.label).cmp(&rank(b.verdict.label)).then(of(a).total_cmp(&of(b)))
            });
        let claims: Vec<ClaimPrediction> = verification
            .claims
            .iter()
            .map(|checked| ClaimPrediction {
                text: checked.claim.text.clone(),
                label: checked.verdict.label,
                support: support(&checked.verdict),
            })
            .collect();
        let Some(worst) = worst else {
            return Ok(Prediction {
                id: row.id.clone(),
                line: row.line,
                gold: row.gold,
                label: Label::NotChecked,
                confidence: None,
                support: None,
                scores: Features::default(),
                reason: verification
                    .claims
                    .first()
                    .map_or_else(|| "it holds no claim".to_owned(), |checked| checked.verdict.reason.clone()),
                findings: Vec::new(),
                quotes: Vec::new(),
                claims,
                latency_ms: taken.as_secs_f64() * 1000.0,
            });
        };
        let mut prediction = super::pairs::prediction(row, worst.verdict.clone(), taken);
        prediction.reason = format!("\"{}\": {}", worst.claim.text, prediction.reason);
        prediction.claims = claims;
        Ok(prediction)
    }
}

/// How much the verdict speaks for "supported".
fn support(verdict: &Verdict) -> Option<f64> {
    support_score(verdict.label, verdict.confidence, &Features::of(verdict))
}

/// Worst first.
const fn rank(label: Label) -> u8 {
    match label {
        Label::Contradicted | Label::Conflicting => 0,
        Label::NotEnoughInfo => 1,
        Label::PartiallySupported => 2,
        Label::Supported => 3,
        Label::NotChecked => 4,
    }
}

/// The claim-level view of predictions for whole answers.
pub fn claim_level(predictions: &[Prediction]) -> ClaimLevelReport {
    let mut report = ClaimLevelReport::default();
    let (mut clean_flags, mut hallucinated_flags) = (0, 0);
    let (mut risks, mut of_hallucinated) = (Vec::new(), Vec::new());
    for prediction in predictions {
        let hallucinated = prediction.gold != Class::Supported;
        let checked: Vec<&ClaimPrediction> =
            prediction.claims.iter().filter(|claim| claim.label != Label::NotChecked).collect();
        let flagged = checked.iter().filter(|claim| claim.label != Label::Supported).count() as u64;
        let (claims, flags, without) = if hallucinated {
            (&mut report.hallucinated_claims, &mut hallucinated_flags, &mut report.hallucinated_without_claims)
        } else {
            (&mut report.clean_claims, &mut clean_flags, &mut report.clean_without_claims)
        };
        *claims += checked.len() as u64;
        *flags += flagged;
        *without += u64::from(checked.is_empty());
        for support in checked.iter().filter_map(|claim| claim.support) {
            risks.push(1.0 - support);
            of_hallucinated.push(hallucinated);
        }
    }
    let share = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
    report.clean_flag_rate = share(clean_flags, report.clean_claims);
    report.hallucinated_flag_rate = share(hallucinated_flags, report.hallucinated_claims);
    report.ratio = match (report.hallucinated_flag_rate, report.clean_flag_rate) {
        (Some(found), Some(alarms)) if alarms > 0.0 => Some(found / alarms),
        _ => None,
    };
    report.auroc = metrics::auroc(&risks, &of_hallucinated, &ones(risks.len()));
    report.claims_per_response = share(report.clean_claims + report.hallucinated_claims, predictions.len() as u64);
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::parse_answers;

    #[test]
    fn an_answer_is_as_good_as_its_worst_claim() {
        let row = |id: &str, response: &str, label: &str| {
            serde_json::json!({ "id": id, "context": "The Ilva bridge opened in 1931. It is 340 m long.",
                "response": response, "label": label })
            .to_string()
        };
        let text = [
            row("good", "The Ilva bridge opened in 1931. The Ilva bridge is 340 m long.", "supported"),
            row("bad", "The Ilva bridge opened in 1931. The Ilva bridge is 430 m long.", "unsupported"),
            row("empty", "Hello! How are you?", "supported"),
        ];
        let set = parse_answers("x", &text.join("\n"));
        let evaluator = PairEvaluator::default();
        let predictions: Vec<Prediction> = set.rows.iter().map(|row| evaluator.predict_answer(row).unwrap()).collect();
        let labels: Vec<Label> = predictions.iter().map(|prediction| prediction.label).collect();
        assert_eq!(labels, [Label::Supported, Label::Contradicted, Label::NotChecked]);
        let report = claim_level(&predictions);
        assert_eq!((report.clean_claims, report.hallucinated_claims), (2, 2));
        assert_eq!((report.clean_flag_rate, report.hallucinated_flag_rate), (Some(0.0), Some(0.5)));
        assert_eq!((report.ratio, report.clean_without_claims), (None, 1));
        assert!(report.auroc.is_some_and(|area| area > 0.5));
    }
}
