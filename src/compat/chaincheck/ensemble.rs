//! Several methods as one: the weighted mean of their scores, and the vote on each claim.

use std::collections::BTreeMap;

use super::error::{ChaincheckError, share};
use super::result::{ClaimResult, Label, MethodResult};

/// What says that there is no quote.
const NO_QUOTES: [&str; 2] = ["", "no relevant context found"];
/// The evidence of a claim for which no method has a quote.
const NO_EVIDENCE: &str = "no evidence available";
/// The weight of a method's vote that has none of its own.
const OTHER: f64 = 0.25;

/// The weights of the methods.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights(BTreeMap<String, f64>);

impl Default for Weights {
    /// nli 0.10, judge 0.60, qa 0.25, logprobs 0.30, consistency 0.
    fn default() -> Self {
        let weights = [("nli", 0.10), ("judge", 0.60), ("qa", 0.25), ("logprobs", 0.30), ("consistency", 0.0)];
        Self(weights.into_iter().map(|(method, weight)| (method.to_owned(), weight)).collect())
    }
}

impl Weights {
    /// The same with another weight for `method`.
    ///
    /// # Errors
    /// When the weight is no number from 0 to 1.
    pub fn with(mut self, method: &str, weight: f64) -> Result<Self, ChaincheckError> {
        share(&format!("weight of `{method}`"), weight)?;
        self.0.insert(method.to_owned(), weight);
        Ok(self)
    }

    /// The mean of the scores of the methods that ran, by their weights, which are made to sum up to 1. `None` where no
    /// method with a weight has a score: a method that failed is no method without risk.
    ///
    /// ```
    /// use evidex::compat::chaincheck::Weights;
    /// let score = Weights::default().aggregate([("nli", Some(0.0)), ("judge", Some(1.0)), ("qa", None)]);
    /// assert!((score.unwrap() - 0.6 / 0.7).abs() < 1e-9);
    /// ```
    pub fn aggregate<'a>(&self, scores: impl IntoIterator<Item = (&'a str, Option<f64>)>) -> Option<f64> {
        let (mut sum, mut total) = (0.0, 0.0);
        for (method, score) in scores {
            if let (Some(weight), Some(score)) = (self.0.get(method), score) {
                sum += weight * score;
                total += weight;
            }
        }
        (total > 0.0).then(|| (sum / total).clamp(0.0, 1.0))
    }

    fn vote(&self, method: &str) -> f64 {
        self.0.get(method).copied().unwrap_or(OTHER)
    }
}

/// The verdicts over all methods that have verdicts: each votes for its label with weight × confidence; the label with
/// the most wins, its share of all votes is the confidence, and the quote of the strongest vote the evidence. One method
/// alone is taken as it is. `None` where no method has verdicts.
///
/// Claims are matched by their text, so that a method that left one out does not shift the others.
pub fn claim_details(results: &BTreeMap<String, MethodResult>, weights: &Weights) -> Option<Vec<ClaimResult>> {
    let active: Vec<&MethodResult> =
        results.values().filter(|result| result.error.is_none() && !result.claims.is_empty()).collect();
    if let [only] = active[..] {
        return Some(only.claims.clone());
    }
    let longest = active.iter().max_by_key(|result| result.claims.len())?;
    Some(longest.claims.iter().map(|claim| vote(&claim.claim, &active, weights)).collect())
}

fn vote(claim: &str, active: &[&MethodResult], weights: &Weights) -> ClaimResult {
    let mut votes: BTreeMap<Label, f64> = BTreeMap::new();
    let mut strongest: Option<(f64, &ClaimResult)> = None;
    for result in active {
        let Some(said) = result.claims.iter().find(|other| other.claim == claim) else { continue };
        let weight = weights.vote(&result.method) * said.confidence;
        *votes.entry(said.label).or_insert(0.0) += weight;
        let quotes = !NO_QUOTES.contains(&said.evidence.as_str());
        if quotes && strongest.is_none_or(|(most, _)| weight > most) {
            strongest = Some((weight, said));
        }
    }
    let total: f64 = votes.values().sum();
    // At a tie the worse label wins.
    let (label, most) = votes
        .into_iter()
        .max_by(|a, b| a.1.total_cmp(&b.1).then(gravity(a.0).cmp(&gravity(b.0))))
        .unwrap_or((Label::Unknown, 0.0));
    let confidence = if total > 0.0 { most / total } else { 0.0 };
    ClaimResult {
        claim: claim.to_owned(),
        label,
        confidence: (confidence * 1e4).round() / 1e4,
        evidence: strongest.map_or_else(|| NO_EVIDENCE.to_owned(), |(_, said)| said.evidence.clone()),
        method: "ensemble".to_owned(),
        source_id: strongest.and_then(|(_, said)| said.source_id.clone()),
        source_url: strongest.and_then(|(_, said)| said.source_url.clone()),
    }
}

const fn gravity(label: Label) -> u8 {
    match label {
        Label::Supported => 0,
        Label::Unknown => 1,
        Label::Unsupported => 2,
        Label::Contradicted => 3,
    }
}
