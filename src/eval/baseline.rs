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
    /// The highest cosine of the claim and a sentence of the context; of a long context, of those sentences that share most
    /// words with the claim.
    Embedding,
}

/// What a baseline says of each row; the reason where it cannot be had.
pub type BaselineScore = Result<Vec<f64>, String>;

/// The score of one claim beside its contexts.
type ScoreOf<'a> = dyn Fn(&str, &[String]) -> Result<f64, EvalError> + Sync + 'a;

/// Sentences whose vectors are kept.
const CACHED_SENTENCES: usize = 50_000;
/// Sentences of a context that are compared by meaning.
const COMPARED_SENTENCES: usize = 16;

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
        contexts: &[Vec<String>],
        embedder: Option<&dyn Embedder>,
        nli: Option<&dyn NliModel>,
        cancellation: &Cancellation,
    ) -> Result<BaselineScore, EvalError> {
        let each = |of: &ScoreOf<'_>| {
            rows.par_iter()
                .zip(contexts)
                .map(
                    |(row, context)| {
                        if cancellation.is_cancelled() { Err(EvalError::Cancelled) } else { of(&row.claim, context) }
                    },
                )
                .collect::<Result<Vec<f64>, EvalError>>()
        };
        Ok(match self {
            Self::Majority => Ok(vec![0.0; rows.len()]),
            Self::ClaimLength => Ok(each(&|claim, _| Ok(claim.chars().count() as f64))?),
            Self::TokenOverlap => Ok(each(&|claim, context| Ok(token_overlap(claim, context)))?),
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
                Ok(each(&|claim, context| Ok(sentences.similarity(claim, context)?))?)
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
    known: Mutex<HashMap<String, Arc<Vec<f32>>>>,
}

impl SentenceVectors<'_> {
    fn similarity(&self, claim: &str, contexts: &[String]) -> Result<f64, EmbedError> {
        let own = self.embedder.embed(&[claim])?.pop().unwrap_or_default();
        let cosine = |vector: &Arc<Vec<f32>>| -> f64 {
            own.iter().zip(vector.iter()).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
        };
        Ok(self.of(&nearest_by_words(claim, contexts))?.iter().map(cosine).fold(0.0, f64::max))
    }

    fn of(&self, sentences: &[&str]) -> Result<Vec<Arc<Vec<f32>>>, EmbedError> {
        let known = |sentence: &str| self.known.lock().unwrap_or_else(PoisonError::into_inner).get(sentence).cloned();
        let mut vectors: Vec<Option<Arc<Vec<f32>>>> = sentences.iter().map(|sentence| known(sentence)).collect();
        let new: Vec<usize> = (0..sentences.len()).filter(|at| vectors[*at].is_none()).collect();
        let texts: Vec<&str> = new.iter().map(|at| sentences[*at]).collect();
        let made = self.embedder.embed(&texts)?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() + made.len() > CACHED_SENTENCES {
            known.clear();
        }
        for (at, vector) in new.into_iter().zip(made) {
            let vector = Arc::new(vector);
            known.insert(sentences[at].to_owned(), Arc::clone(&vector));
            vectors[at] = Some(vector);
        }
        Ok(vectors.into_iter().flatten().collect())
    }
}

/// The sentences that share most content words with the claim, all of them where there are few.
fn nearest_by_words<'a>(claim: &str, contexts: &'a [String]) -> Vec<&'a str> {
    let all = contexts.iter().flat_map(|context| sentences(context).into_iter().map(|span| span.of(context)));
    let mut all: Vec<&str> = all.collect();
    if all.len() > COMPARED_SENTENCES {
        let language = language(claim).language;
        let words: BTreeSet<String> = content_words(claim, language).into_iter().collect();
        let shared = |sentence: &str| {
            let own: BTreeSet<String> = content_words(sentence, language).into_iter().collect();
            own.intersection(&words).count()
        };
        all.sort_by_cached_key(|sentence| std::cmp::Reverse(shared(sentence)));
        all.truncate(COMPARED_SENTENCES);
    }
    all
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

    #[test]
    fn of_a_long_context_the_sentences_nearest_by_words_are_compared() {
        let filler = "It rained on the hills. ".repeat(40);
        let context = [format!("{filler}The bridge opened in 1931. {filler}")];
        let compared = nearest_by_words("The bridge opened.", &context);
        assert_eq!((compared.len(), compared[0]), (COMPARED_SENTENCES, "The bridge opened in 1931."));
        let short = ["It rained. The bridge opened.".to_owned()];
        assert_eq!(nearest_by_words("The bridge opened.", &short), ["It rained.", "The bridge opened."]);
    }
}
