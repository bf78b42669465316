//! Speed of what is done with texts: indexing, searching, splitting, embedding, reading by a model, checking.
//!
//! A corpus's own sentences are the queries, taken over and over where it has fewer than are measured. A claim is one's first
//! half with the next one's second half: what stands word for word would be read by no model.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::{EvalError, metrics};
use crate::claim::{Claim, ClaimOptions, extract};
use crate::corpus::Document;
use crate::embed::Embedder;
use crate::evidence::{EvidenceSource, LocalIndex};
use crate::index::{Index, IndexOptions, WriterOptions};
use crate::text::sentences;
use crate::verify::{NliModel, Verifier, VerifySettings};
use crate::{Cancellation, Error};

/// Sentences that are searched for, embedded and checked.
const SENTENCES: usize = 256;
/// Words below which a sentence is no claim to measure with.
const LEAST_WORDS: usize = 4;

/// Searching by words.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct WordSearchSpeed {
    /// Queries.
    pub queries: usize,
    /// Passages asked for.
    pub passages: usize,
    /// Queries a second on one thread.
    pub queries_per_second: f64,
    /// Milliseconds of a query, half of them no longer.
    pub p50_ms: f64,
    /// Milliseconds of a query, 99 % of them no longer.
    pub p99_ms: f64,
}

/// Embedding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EmbeddingSpeed {
    /// The embedder's name.
    pub embedder: String,
    /// Texts, one by one.
    pub texts: usize,
    /// Their mean length.
    pub bytes_per_text: usize,
    /// Texts a second on one thread.
    pub texts_per_second_one_thread: f64,
}

/// An entailment model reading pairs of sentences.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntailmentSpeed {
    /// The model's name.
    pub model: String,
    /// Pairs, one by one.
    pub pairs: usize,
    /// Their mean length.
    pub bytes_per_pair: usize,
    /// Pairs a second on one thread.
    pub pairs_per_second_one_thread: f64,
}

/// Checking claims against the corpus, search and all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckingSpeed {
    /// `checks alone`, or the model beside them.
    pub by: String,
    /// Claims.
    pub claims: usize,
    /// Most passages that a claim is checked against.
    pub passages_per_claim: usize,
    /// Claims a second on one thread.
    pub claims_per_second_one_thread: f64,
}

/// What is done with texts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TextSpeed {
    /// Documents of the corpus.
    pub documents: usize,
    /// Their text.
    pub bytes: usize,
    /// Seconds from documents to a published generation on disk, by words only.
    pub indexing_seconds: f64,
    /// The same as a rate.
    pub indexed_megabytes_per_second: f64,
    /// Splitting the documents into claims, one thread.
    pub split_megabytes_per_second: f64,
    /// Searching by words.
    pub words: WordSearchSpeed,
    /// Embedding, each embedder.
    pub embedding: Vec<EmbeddingSpeed>,
    /// The entailment model; `None` where there is none.
    pub entailment: Option<EntailmentSpeed>,
    /// Checking, without and with the model.
    pub checking: Vec<CheckingSpeed>,
}

/// Measures all of it, with an index of `documents` in `folder`, which must be empty.
///
/// # Errors
/// [`Error::Index`] when the index cannot be written or read, [`Error::Embed`] when an embedder fails.
pub fn text_speed(
    folder: &Path,
    documents: &[Document],
    embedders: &[&dyn Embedder],
    nli: Option<&Arc<dyn NliModel>>,
    cancellation: &Cancellation,
) -> Result<TextSpeed, Error> {
    let bytes = documents.iter().map(|document| document.text.len()).sum::<usize>();
    let rate = |seconds: f64| if seconds > 0.0 { bytes as f64 / 1e6 / seconds } else { 0.0 };
    let start = Instant::now();
    let index = Index::create(folder, IndexOptions::default())?;
    let mut writer =
        index.writer(None, WriterOptions { cancellation: cancellation.clone(), ..WriterOptions::default() })?;
    for document in documents {
        writer.add(document.clone())?;
    }
    writer.commit()?;
    let indexing_seconds = start.elapsed().as_secs_f64();
    drop(writer);
    let start = Instant::now();
    for document in documents {
        extract(&document.text, &ClaimOptions::default());
    }
    let splitting = start.elapsed().as_secs_f64();
    let texts = sentences_of(documents);
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let source: Arc<dyn EvidenceSource> = Arc::new(LocalIndex::new("corpus", index.snapshot()?, None));
    let claims = crossed(&texts);
    let mut checking = vec![check(&source, None, &claims, cancellation)?];
    if let Some(model) = nli {
        checking.push(check(&source, Some(model), &claims, cancellation)?);
    }
    Ok(TextSpeed {
        documents: documents.len(),
        bytes,
        indexing_seconds,
        indexed_megabytes_per_second: rate(indexing_seconds),
        split_megabytes_per_second: rate(splitting),
        words: search(&*source, &texts)?,
        embedding: embedders.iter().map(|embedder| embed(*embedder, &texts)).collect::<Result<_, _>>()?,
        entailment: nli.map(|model| read(&**model, &texts)),
        checking,
    })
}

/// Sentences of the corpus, from all over it.
fn sentences_of(documents: &[Document]) -> Vec<String> {
    let all = documents.iter().flat_map(|document| {
        sentences(&document.text).into_iter().map(|span| span.of(&document.text)).collect::<Vec<&str>>()
    });
    let all: Vec<&str> = all.filter(|text| words(text).len() >= LEAST_WORDS).collect();
    if all.is_empty() {
        return Vec::new();
    }
    let step = (all.len() / SENTENCES).max(1);
    all.iter().step_by(step).cycle().take(SENTENCES).map(|text| (*text).to_owned()).collect()
}

/// Each sentence's first half with the second half of the next.
fn crossed(texts: &[&str]) -> Vec<String> {
    let next = texts.iter().cycle().skip(1);
    let cross = |(first, second): (&&str, &&str)| {
        let (first, second): (Vec<&str>, Vec<&str>) = (words(first), words(second));
        [&first[..first.len() / 2], &second[second.len() / 2..]].concat().join(" ")
    };
    texts.iter().zip(next).map(cross).collect()
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

fn per_second(count: usize, seconds: f64) -> f64 {
    if seconds > 0.0 { count as f64 / seconds } else { 0.0 }
}

fn search(source: &dyn EvidenceSource, texts: &[&str]) -> Result<WordSearchSpeed, Error> {
    let passages = VerifySettings::default().passages_per_claim;
    let mut times = Vec::new();
    for text in texts {
        let claim = Claim::whole(text);
        let start = Instant::now();
        source.evidence(&claim, passages)?;
        times.push(start.elapsed().as_secs_f64() * 1000.0);
    }
    let seconds = times.iter().sum::<f64>() / 1000.0;
    times.sort_by(f64::total_cmp);
    Ok(WordSearchSpeed {
        queries: texts.len(),
        passages,
        queries_per_second: per_second(texts.len(), seconds),
        p50_ms: metrics::percentile(&times, 0.5).unwrap_or(0.0),
        p99_ms: metrics::percentile(&times, 0.99).unwrap_or(0.0),
    })
}

fn embed(embedder: &dyn Embedder, texts: &[&str]) -> Result<EmbeddingSpeed, Error> {
    // Once before the clock starts: the first text warms the model up.
    embedder.embed(&texts[..texts.len().min(8)])?;
    let start = Instant::now();
    for text in texts {
        embedder.embed(&[text])?;
    }
    let seconds = start.elapsed().as_secs_f64();
    Ok(EmbeddingSpeed {
        embedder: embedder.identity().name.clone(),
        texts: texts.len(),
        bytes_per_text: texts.iter().map(|text| text.len()).sum::<usize>() / texts.len().max(1),
        texts_per_second_one_thread: per_second(texts.len(), seconds),
    })
}

/// Each sentence as the evidence for the next one. A pair that the model refuses is not counted.
fn read(model: &dyn NliModel, texts: &[&str]) -> EntailmentSpeed {
    let pairs: Vec<(&str, &str)> = texts.windows(2).map(|two| (two[0], two[1])).collect();
    for (premise, hypothesis) in pairs.iter().take(8) {
        drop(model.classify(premise, hypothesis));
    }
    let start = Instant::now();
    let read = pairs.iter().filter(|(premise, hypothesis)| model.classify(premise, hypothesis).is_ok()).count();
    let seconds = start.elapsed().as_secs_f64();
    EntailmentSpeed {
        model: model.name().to_owned(),
        pairs: read,
        bytes_per_pair: pairs.iter().map(|(a, b)| a.len() + b.len()).sum::<usize>() / pairs.len().max(1),
        pairs_per_second_one_thread: per_second(read, seconds),
    }
}

fn check(
    source: &Arc<dyn EvidenceSource>,
    nli: Option<&Arc<dyn NliModel>>,
    claims: &[String],
    cancellation: &Cancellation,
) -> Result<CheckingSpeed, Error> {
    let mut builder = Verifier::builder().source(Arc::clone(source));
    if let Some(model) = nli {
        builder = builder.nli(Arc::clone(model));
    }
    let verifier = builder.build()?;
    let start = Instant::now();
    for text in claims {
        if cancellation.is_cancelled() {
            return Err(EvalError::Cancelled.into());
        }
        verifier.verify_claim(&Claim::whole(text));
    }
    let seconds = start.elapsed().as_secs_f64();
    Ok(CheckingSpeed {
        by: nli.map_or_else(|| "checks alone".to_owned(), |model| format!("checks and {}", model.name())),
        claims: claims.len(),
        passages_per_claim: verifier.settings().passages_per_claim,
        claims_per_second_one_thread: per_second(claims.len(), seconds),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::HashedEmbedder;

    #[test]
    fn a_claim_to_measure_with_stands_nowhere_and_is_as_long_as_a_sentence() {
        assert_eq!(crossed(&["a b c d.", "e f g h."]), ["a b g h.", "e f c d."]);
        assert!(crossed(&[]).is_empty());
    }

    #[test]
    fn every_step_is_measured_on_the_corpus_that_is_given() {
        let text = "The Ilva bridge is 340 m long. It opened in May 1931. Ana Brandt designed the bridge.";
        let documents: Vec<Document> = (0..3).map(|n| Document::inline(&n.to_string(), text)).collect();
        let folder = tempfile::tempdir().unwrap();
        let hashed = HashedEmbedder::new();
        let speed = text_speed(&folder.path().join("i"), &documents, &[&hashed], None, &Cancellation::new()).unwrap();
        assert_eq!((speed.documents, speed.bytes), (3, 3 * text.len()));
        assert!(speed.indexing_seconds > 0.0 && speed.split_megabytes_per_second > 0.0);
        assert_eq!((speed.words.queries, speed.checking.len(), speed.checking[0].claims), (SENTENCES, 1, SENTENCES));
        assert!(speed.words.queries_per_second > 0.0 && speed.words.p50_ms <= speed.words.p99_ms);
        assert!(speed.embedding[0].texts_per_second_one_thread > 0.0 && speed.entailment.is_none());
    }
}
