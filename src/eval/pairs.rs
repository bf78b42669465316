//! Verifying pairs: each claim whole, against its own context or an index.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{ClaimPrediction, Class, EvalError, Journal, PairRow, support_score};
use crate::claim::Claim;
use crate::corpus::Document;
use crate::embed::Embedder;
use crate::evidence::{EvidenceSource, InlineContext};
use crate::verify::{Features, Finding, Judged, Label, NliModel, Verdict, Verifier, VerifierBuilder, VerifySettings};
use crate::{Cancellation, Progress};

/// Quotes that a prediction keeps.
const KEPT_QUOTES: usize = 3;

/// What was said of one row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// The row's id.
    pub id: String,
    /// Its line.
    pub line: usize,
    /// Its class.
    pub gold: Class,
    /// The verdict.
    pub label: Label,
    /// How sure the verdict is.
    pub confidence: Option<f32>,
    /// How much it speaks for "supported", 0 to 1.
    pub support: Option<f64>,
    /// The numbers that it rests on.
    pub scores: Features,
    /// Why, for people; why not, when it was not checked.
    pub reason: String,
    /// What the checks found.
    pub findings: Vec<Finding>,
    /// The quotes that it rests on, or the nearest.
    pub quotes: Vec<String>,
    /// The claims of a whole answer; empty where the row is one claim.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<ClaimPrediction>,
    /// Milliseconds from claim to verdict.
    pub latency_ms: f64,
}

/// A set verified.
#[derive(Debug, Clone)]
pub struct PairRun {
    /// A prediction for each row, in the rows' order.
    pub predictions: Vec<Prediction>,
    /// Seconds that it took, as a clock shows them, on all threads together.
    pub seconds: f64,
    /// Rows that were verified in this time; the others had been before.
    pub verified: usize,
}

/// Verifies pairs.
#[derive(Clone, Default)]
pub struct PairEvaluator {
    /// Evidence for rows without a context.
    pub index: Option<Arc<dyn EvidenceSource>>,
    /// Compares the samples of language models, where their methods are fitted.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// Reads what the checks leave open.
    pub nli: Option<Arc<dyn NliModel>>,
    /// How to read and weigh.
    pub settings: VerifySettings,
    /// Stops the work between two rows.
    pub cancellation: Cancellation,
    /// Told as rows are done.
    pub progress: Option<Arc<dyn Progress>>,
}

impl PairEvaluator {
    /// A prediction for each row, in the rows' order. Rows that the journal has already are not verified again.
    ///
    /// # Errors
    /// [`EvalError::Cancelled`]; [`EvalError::Verify`] or [`EvalError::Io`]. What fails for one row is in its prediction.
    pub fn run(&self, rows: &[PairRow], journal: Option<&Journal>) -> Result<PairRun, EvalError> {
        self.run_each(rows, journal, |row| self.predict(row))
    }

    /// The same for whole answers, which are split into claims.
    ///
    /// # Errors
    /// As [`PairEvaluator::run`].
    pub fn run_answers(&self, rows: &[PairRow], journal: Option<&Journal>) -> Result<PairRun, EvalError> {
        self.run_each(rows, journal, |row| self.predict_answer(row))
    }

    fn run_each(
        &self,
        rows: &[PairRow],
        journal: Option<&Journal>,
        predict: impl Fn(&PairRow) -> Result<Prediction, EvalError> + Sync,
    ) -> Result<PairRun, EvalError> {
        let (start, fresh) = (Instant::now(), AtomicU64::new(0));
        let predictions = self.each(rows, |row| {
            if let Some(known) = journal.and_then(|journal| journal.known(row)) {
                return Ok(known);
            }
            let prediction = predict(row)?;
            fresh.fetch_add(1, Ordering::Relaxed);
            if let Some(journal) = journal {
                journal.write(&prediction)?;
            }
            Ok(prediction)
        })?;
        let fresh = usize::try_from(fresh.into_inner()).unwrap_or(usize::MAX);
        Ok(PairRun { predictions, seconds: start.elapsed().as_secs_f64(), verified: fresh })
    }

    /// Does the work for each row, on all threads; the results are in the rows' order.
    fn each<T: Send>(
        &self,
        rows: &[PairRow],
        work: impl Fn(&PairRow) -> Result<T, EvalError> + Sync,
    ) -> Result<Vec<T>, EvalError> {
        let (done, total) = (AtomicU64::new(0), rows.len() as u64);
        rows.par_iter()
            .map(|row| {
                if self.cancellation.is_cancelled() {
                    return Err(EvalError::Cancelled);
                }
                let result = work(row)?;
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                if let Some(progress) = &self.progress {
                    progress.advance(done, Some(total));
                }
                Ok(result)
            })
            .collect()
    }

    /// Each row judged up to where thresholds decide, in the rows' order.
    ///
    /// # Errors
    /// As [`PairEvaluator::run`].
    pub fn judge(&self, rows: &[PairRow]) -> Result<Vec<Judged>, EvalError> {
        self.each(rows, |row| Ok(self.builder(row).build()?.judge_claim(&Claim::whole(&row.claim))))
    }

    /// The verdict on one row.
    ///
    /// # Errors
    /// [`EvalError::Verify`] when there is neither a context nor an index.
    pub fn predict(&self, row: &PairRow) -> Result<Prediction, EvalError> {
        let claim = Claim::whole(&row.claim);
        let start = Instant::now();
        let verdict = self.builder(row).build()?.verify_claim(&claim);
        Ok(prediction(row, verdict, start.elapsed()))
    }

    /// Where the evidence for a row comes from: its own context, else the index.
    pub fn source(&self, row: &PairRow) -> Option<Arc<dyn EvidenceSource>> {
        inline(row).map(|context| Arc::new(context) as Arc<dyn EvidenceSource>).or_else(|| self.index.clone())
    }

    /// A verifier for a row.
    pub(super) fn builder(&self, row: &PairRow) -> VerifierBuilder {
        let mut builder = Verifier::builder().settings(self.settings.clone());
        if let Some(source) = self.source(row) {
            builder = builder.source(source);
        }
        if let Some(model) = &self.nli {
            builder = builder.nli(Arc::clone(model));
        }
        builder
    }

    /// The texts that a row is checked against: its context, else what the index has for its claim.
    pub fn contexts(&self, row: &PairRow) -> Vec<String> {
        if !row.contexts.is_empty() {
            return row.contexts.clone();
        }
        let Some(index) = &self.index else { return Vec::new() };
        let found = index.evidence(&Claim::whole(&row.claim), self.settings.passages_per_claim);
        found.unwrap_or_default().into_iter().map(|evidence| evidence.text).collect()
    }
}

/// The row's context as a source of evidence, as `evidex verify --context` reads it.
fn inline(row: &PairRow) -> Option<InlineContext> {
    let documents = row.contexts.iter().enumerate().map(|(at, text)| {
        let mut document = Document::inline(&format!("context-{}", at + 1), text.as_str());
        document.title.clone_from(&row.title);
        document
    });
    InlineContext::new(documents.collect()).ok()
}

/// A verdict on a row as a prediction.
pub fn prediction(row: &PairRow, verdict: Verdict, taken: Duration) -> Prediction {
    let scores = Features::of(&verdict);
    let failed = verdict.failures.iter().map(|failure| format!("; {}: {}", failure.check, failure.message));
    Prediction {
        id: row.id.clone(),
        line: row.line,
        gold: row.gold,
        label: verdict.label,
        confidence: verdict.confidence,
        support: support_score(verdict.label, verdict.confidence, &scores),
        scores,
        reason: std::iter::once(verdict.reason.clone()).chain(failed).collect(),
        quotes: verdict.evidence.iter().take(KEPT_QUOTES).map(|citation| citation.quote.clone()).collect(),
        findings: verdict.findings,
        claims: Vec::new(),
        latency_ms: taken.as_secs_f64() * 1000.0,
    }
}
