//! The results, with the field names and the order that callers read.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::error::{ChaincheckError, share};
pub use crate::judge::OpinionLabel as Label;
pub use crate::verify::RiskLevel;

/// The highest confidence of a verdict without any context.
pub const FACT_CHECK_CAP: f64 = 0.7;

/// What a response was held against.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// A context or documents.
    #[default]
    Hallucination,
    /// What a model knows of the world.
    FactCheck,
}

/// A reference document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// Its id.
    pub id: String,
    /// Its text.
    pub content: String,
    /// Its address; may be empty.
    #[serde(default)]
    pub url: String,
}

/// What one method says of one claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimResult {
    /// The claim.
    pub claim: String,
    /// The verdict.
    pub label: Label,
    /// How sure, 0 to 1.
    pub confidence: f64,
    /// A quote, or "no relevant context found".
    pub evidence: String,
    /// The method that says so.
    pub method: String,
    /// The document that the quote stands in.
    pub source_id: Option<String>,
    /// Its address.
    pub source_url: Option<String>,
}

impl ClaimResult {
    /// A result without a document.
    ///
    /// # Errors
    /// When the confidence is no number from 0 to 1: 1.5 and −0.1 are refused, not clamped.
    pub fn new(
        claim: impl Into<String>,
        label: Label,
        confidence: f64,
        evidence: impl Into<String>,
        method: impl Into<String>,
    ) -> Result<Self, ChaincheckError> {
        let confidence = share("confidence", confidence)?;
        Ok(Self {
            claim: claim.into(),
            label,
            confidence,
            evidence: evidence.into(),
            method: method.into(),
            source_id: None,
            source_url: None,
        })
    }
}

/// What one method says of all claims.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MethodResult {
    /// The method.
    pub method: String,
    /// Claim by claim; empty for a method that looks at the whole response.
    pub claims: Vec<ClaimResult>,
    /// Risk, 0 to 1; `null` where the method failed or had nothing to check.
    pub raw_score: Option<f64>,
    /// Milliseconds.
    pub latency_ms: f64,
    /// Why it failed, if it did.
    pub error: Option<String>,
}

impl MethodResult {
    /// A method that failed: an error, and no score that could be taken for a good one.
    pub fn failed(method: &str, error: impl Into<String>, latency_ms: f64) -> Self {
        Self { method: method.to_owned(), claims: Vec::new(), raw_score: None, latency_ms, error: Some(error.into()) }
    }
}

/// How a response agrees with other responses to the same prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConsistencyResult {
    /// The mean similarity of the response to the samples, 0 to 1.
    pub consistency_score: f64,
    /// Cosines of all with all, the response first.
    pub similarity_matrix: Vec<Vec<f64>>,
    /// How many samples came back.
    pub sample_count: usize,
    /// Milliseconds.
    pub latency_ms: f64,
}

impl ConsistencyResult {
    /// From the vectors of the response and of the samples; `None` without samples, for then nothing was compared.
    ///
    /// ```
    /// use evidex::compat::chaincheck::ConsistencyResult;
    /// let result = ConsistencyResult::of(&[1.0, 0.0], &[vec![2.0, 0.0], vec![0.0, 3.0]], 0.0)?.unwrap();
    /// assert_eq!(result.similarity_matrix[0], [1.0, 1.0, 0.0]);
    /// assert_eq!((result.consistency_score, result.sample_count, result.risk()), (0.5, 2, 0.5));
    /// # Ok::<(), evidex::compat::chaincheck::ChaincheckError>(())
    /// ```
    ///
    /// # Errors
    /// When the vectors are not of one dimension, or hold a number that is not finite.
    pub fn of(response: &[f32], samples: &[Vec<f32>], latency_ms: f64) -> Result<Option<Self>, ChaincheckError> {
        if samples.is_empty() {
            return Ok(None);
        }
        let vectors: Vec<&[f32]> = std::iter::once(response).chain(samples.iter().map(Vec::as_slice)).collect();
        let mut similarity_matrix = Vec::with_capacity(vectors.len());
        for (row, left) in vectors.iter().enumerate() {
            let cosines = vectors.iter().enumerate().map(
                |(column, right)| {
                    if row == column { Ok(1.0) } else { cosine(left, right) }
                },
            );
            similarity_matrix.push(cosines.collect::<Result<Vec<f64>, _>>()?);
        }
        let similar = &similarity_matrix[0][1..];
        let mean = similar.iter().sum::<f64>() / similar.len() as f64;
        Ok(Some(Self {
            consistency_score: mean.clamp(0.0, 1.0),
            similarity_matrix,
            sample_count: samples.len(),
            latency_ms,
        }))
    }

    /// One less the consistency, 0 to 1.
    pub fn risk(&self) -> f64 {
        (1.0 - self.consistency_score).clamp(0.0, 1.0)
    }
}

fn cosine(left: &[f32], right: &[f32]) -> Result<f64, ChaincheckError> {
    if left.len() != right.len() {
        return Err(ChaincheckError::Dimensions { left: left.len(), right: right.len() });
    }
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    let cosine = dot(left, right) / (dot(left, left).sqrt() * dot(right, right).sqrt()).max(1e-8);
    if cosine.is_finite() {
        Ok(cosine.clamp(-1.0, 1.0))
    } else {
        Err(ChaincheckError::OutOfRange { what: "similarity".to_owned(), value: cosine })
    }
}

/// The whole result for a response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DetectionResult {
    /// The response.
    pub response: String,
    /// Its claims.
    pub claims: Vec<String>,
    /// Method by method.
    pub method_results: BTreeMap<String, MethodResult>,
    /// The consistency, where it was asked for.
    pub consistency: Option<ConsistencyResult>,
    /// Risk, 0 to 1, weighted over the methods that ran; `null` where nothing was checked.
    pub aggregate_score: Option<f64>,
    /// Its level; `null` where nothing was checked.
    pub risk_level: Option<RiskLevel>,
    /// The verdicts on the claims, over all methods.
    pub claim_details: Option<Vec<ClaimResult>>,
    /// Milliseconds, method by method.
    pub latency_ms: BTreeMap<String, f64>,
    /// Milliseconds, all in all.
    pub total_latency_ms: f64,
    /// The request's id, where one was given.
    pub request_id: Option<String>,
    /// What the response was held against.
    pub mode: Mode,
}
