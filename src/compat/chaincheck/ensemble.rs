//! Several methods as one: the weighted mean of their scores, and the vote on each claim. Both are those of [`judge`].

use std::collections::BTreeMap;

use super::error::{ChaincheckError, share};
use super::result::{ClaimResult, Label, MethodResult};
use crate::judge::{self, Method};

/// What says that there is no quote.
const NO_QUOTES: [&str; 2] = ["", "no relevant context found"];
/// The evidence of a claim for which no method has a quote.
const NO_EVIDENCE: &str = "no evidence available";
/// The weight of the vote of a method that is none of chaincheck's.
const OTHER: f64 = 0.25;

/// The weights of the methods.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights(judge::Weights);

impl Default for Weights {
    /// nli 0.10, judge 0.60, qa 0.25, logprobs 0.30, consistency 0.
    fn default() -> Self {
        Self(judge::Weights::chaincheck())
    }
}

impl Weights {
    /// The same with another weight for `method`.
    ///
    /// # Errors
    /// When the weight is no number from 0 to 1, or there is no such method.
    pub fn with(mut self, method: &str, weight: f64) -> Result<Self, ChaincheckError> {
        share(&format!("weight of `{method}`"), weight)?;
        let known = method.parse().map_err(|_| ChaincheckError::UnknownMethod { name: method.to_owned() })?;
        self.0.set(known, weight);
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
        let known = scores.into_iter().filter_map(|(method, score)| Some((method.parse::<Method>().ok()?, score)));
        judge::aggregate(&known.collect::<Vec<_>>(), &self.0).0
    }

    fn vote(&self, method: &str) -> f64 {
        method.parse().map_or(OTHER, |method| self.0.of(method))
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
    let said: Vec<(f64, &ClaimResult)> = active
        .iter()
        .filter_map(|result| {
            let said = result.claims.iter().find(|other| other.claim == claim)?;
            Some((weights.vote(&result.method), said))
        })
        .collect();
    let votes: Vec<(f64, Label, f64)> =
        said.iter().map(|(weight, said)| (*weight, said.label, said.confidence)).collect();
    let (label, confidence) = judge::vote(&votes).unwrap_or((Label::Unknown, 0.0));
    let quoted = said.iter().filter(|(_, said)| !NO_QUOTES.contains(&said.evidence.as_str()));
    let strongest =
        quoted.rev().max_by(|a, b| (a.0 * a.1.confidence).total_cmp(&(b.0 * b.1.confidence))).map(|(_, said)| said);
    ClaimResult {
        claim: claim.to_owned(),
        label,
        confidence: (confidence * 1e4).round() / 1e4,
        evidence: strongest.map_or_else(|| NO_EVIDENCE.to_owned(), |said| said.evidence.clone()),
        method: "ensemble".to_owned(),
        source_id: strongest.and_then(|said| said.source_id.clone()),
        source_url: strongest.and_then(|said| said.source_url.clone()),
    }
}
