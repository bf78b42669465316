//! Trivial answers to the same question: what any method must beat.
//!
//! Each gives one number a row. Where that number is cut into classes is learnt on the other half of the rows (split by
//! the hash of the id), or on a development set: no baseline sees the row that it is asked about.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{EvalError, PairRow};
use crate::Cancellation;
use crate::embed::{EmbedError, Embedder};
use crate::text::{content_words, language, sentences};
use crate::verify::NliModel;

/// The baselines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Baseline {
    /// The commonest class, always.
    Majority,
    /// Characters of the claim.
    ClaimLength,
    /// Share of the claim's content words that stand in the context.
    TokenOverlap,
    /// What an entailment model says of the claim without any context.
    ClaimOnly,
    /// The highest cosine of the claim and a sentence of the context.
    Embedding,
}

/// What a baseline says of each row; the reason where it cannot be had.
pub type BaselineScore = Result<Vec<f64>, String>;

/// Sentences whose vectors are kept.
const CACHED_SENTENCES: usize = 50_000;

impl Baseline {
    /// Every baseline.
    pub const ALL: [Self; 5] =
        [Self::Majority, Self::ClaimLength, Self::TokenOverlap, Self::ClaimOnly, Self::Embedding];

    /// Its name in JSON and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Majority => "majority",
            Self::ClaimLength => "claim_length",
            Self::TokenOverlap => "token_overlap",
            Self::ClaimOnly => "claim_only",
            Self::Embedding => "embedding",
        }
    }

    /// One number for each row, whose context is `contexts` of the same place.
    ///
    /// # Errors
    /// [`EvalError::Embed`] when the embedder fails, [`EvalError::Cancelled`].
    pub fn scores(
        self,
        rows: &[PairRow],
        contexts: &(dyn Fn(&PairRow) -> Vec<String> + Sync),
        embedder: Option<&dyn Embedder>,
        nli: Option<&dyn NliModel>,
        cancellation: &Cancellation,
    ) -> Result<BaselineScore, EvalError> {
        let each = |of: &(dyn Fn(&PairRow) -> Result<f64, EvalError> + Sync)| {
            rows.par_iter()
                .map(|row| if cancellation.is_cancelled() { Err(EvalError::Cancelled) } else { of(row) })
                .collect::<Result<Vec<f64>, EvalError>>()
        };
        Ok(match self {
            Self::Majority => Ok(vec![0.0; rows.len()]),
            Self::ClaimLength => Ok(each(&|row| Ok(row.claim.chars().count() as f64))?),
            Self::TokenOverlap => Ok(each(&|row| Ok(token_overlap(&row.claim, &contexts(row))))?),
            Self::ClaimOnly => {
                let Some(model) = nli else { return Ok(Err("no entailment model was used".to_owned())) };
                let scores: Result<Vec<f64>, String> = rows
                    .par_iter()
                    .map(|row| match model.classify("", &row.claim) {
                        Ok([entails, _, contradicts]) => Ok(f64::from(entails) - f64::from(contradicts)),
                        Err(error) => Err(error.to_string()),
                    })
                    .collect();
                scores
            }
            Self::Embedding => {
                let Some(embedder) = embedder else { return Ok(Err("no embedder was given".to_owned())) };
                let sentences = SentenceVectors { embedder, known: Mutex::default() };
                Ok(each(&|row| Ok(sentences.similarity(&row.claim, &contexts(row))?))?)
            }
        })
    }
}

fn token_overlap(claim: &str, contexts: &[String]) -> f64 {
    let language = language(claim).language;
    let words: BTreeSet<String> = content_words(claim, language).into_iter().collect();
    let held: BTreeSet<String> = contexts.iter().flat_map(|context| content_words(context, language)).collect();
    if words.is_empty() { 0.0 } else { words.intersection(&held).count() as f64 / words.len() as f64 }
}

/// Vectors of contexts' sentences, for many rows share a context.
struct SentenceVectors<'a> {
    embedder: &'a dyn Embedder,
    known: Mutex<HashMap<String, Arc<Vec<Vec<f32>>>>>,
}

impl SentenceVectors<'_> {
    fn similarity(&self, claim: &str, contexts: &[String]) -> Result<f64, EmbedError> {
        let claim = self.embedder.embed(&[claim])?.pop().unwrap_or_default();
        let mut best = 0.0_f64;
        for context in contexts {
            for vector in self.of(context)?.iter() {
                let cosine: f64 = claim.iter().zip(vector).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
                best = best.max(cosine);
            }
        }
        Ok(best)
    }

    fn of(&self, context: &str) -> Result<Arc<Vec<Vec<f32>>>, EmbedError> {
        if let Some(vectors) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(context) {
            return Ok(Arc::clone(vectors));
        }
        let spans = sentences(context);
        let texts: Vec<&str> = spans.iter().map(|span| span.of(context)).collect();
        let vectors = Arc::new(self.embedder.embed(&texts)?);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.values().map(|vectors| vectors.len()).sum::<usize>() > CACHED_SENTENCES {
            known.clear();
        }
        known.insert(context.to_owned(), Arc::clone(&vectors));
        Ok(vectors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlap_is_the_share_of_the_claims_content_words() {
        let context = ["The bridge opened in 1931.".to_owned()];
        let full = token_overlap("The bridge opened.", &context);
        let half = token_overlap("The bridge collapsed.", &context);
        assert!(full == 1.0 && half > 0.0 && half < 1.0, "{full} {half}");
        assert_eq!(token_overlap("", &context), 0.0);
        assert_eq!(token_overlap("Bridge", &[]), 0.0);
    }

    #[test]
    fn the_same_words_are_nearer_than_others() {
        let embedder = crate::embed::HashedEmbedder::new();
        let vectors = SentenceVectors { embedder: &embedder, known: Mutex::default() };
        let context = ["It rained. The bridge opened in 1931.".to_owned()];
        let same = vectors.similarity("The bridge opened in 1931.", &context).unwrap();
        let other = vectors.similarity("Cats sleep.", &context).unwrap();
        assert!(same > 0.99 && other < 0.3, "{same} {other}");
    }
}
