//! The comparer: sources become an evidence source, the answer goes through the verifier, verdicts become results.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::chunks::{TruthChunk, chunk_with, chunks_of};
use super::documents::{TruthDocument, TruthDocuments, load_files};
use super::error::HalgorithemError;
use super::filter::classify_claim_type;
use super::result::*;
use super::status::{reason, round, score, status};
use super::terms::{SourceWords, unsupported};
use crate::chunk::ChunkPolicy;
use crate::claim::{Claim, Unchecked};
use crate::evidence::InlineContext;
use crate::text::{DateOrder, TextSpan, arithmetic, dates};
use crate::verify::{CheckedClaim, Citation, Label, NliModel, Stance, Verdict, Verifier};

/// The score from which `SUPPORTED` begins.
pub const SUPPORTED_FROM: f64 = 0.65;
/// The score from which `WEAK_SUPPORT` begins, unless the caller chooses another.
pub const WEAK_SUPPORT_FROM: f64 = 0.30;
/// Passages shown for a claim.
const SHOWN_EVIDENCE: usize = 5;

/// Compares answers with source documents.
///
/// ```
/// use evidex::compat::halgorithem::{Halgorithem, Status};
///
/// let comparer = Halgorithem::new(2, 1)?;
/// let truth = "The tower is 31 m high. It was built in 1884.";
/// let comparison = comparer.compare_to_docs("The tower is 31 m high.", truth)?;
/// assert_eq!(comparison.results[0].status, Status::Supported);
/// assert_eq!(comparison.results[0].matched_source.as_deref(), Some("inline_text"));
/// # Ok::<(), evidex::compat::halgorithem::HalgorithemError>(())
/// ```
#[derive(Clone)]
pub struct Halgorithem {
    chunking: ChunkPolicy,
    threshold: f64,
    nli: Option<Arc<dyn NliModel>>,
}

impl Default for Halgorithem {
    /// Two sentences a chunk, one of them shared with the next.
    fn default() -> Self {
        Self { chunking: ChunkPolicy::default(), threshold: WEAK_SUPPORT_FROM, nli: None }
    }
}

impl Halgorithem {
    /// A comparer whose chunks have `sentences_per_chunk` sentences and share `sentence_overlap` with the next.
    ///
    /// # Errors
    /// [`HalgorithemError::Chunking`] when the chunk is empty or the overlap is not smaller than it.
    pub fn new(sentences_per_chunk: u32, sentence_overlap: u32) -> Result<Self, HalgorithemError> {
        let chunking = ChunkPolicy::Sentences { size: sentences_per_chunk, overlap: sentence_overlap };
        chunking.validate()?;
        Ok(Self { chunking, ..Self::default() })
    }

    /// Lets `WEAK_SUPPORT` begin at another score.
    ///
    /// # Errors
    /// [`HalgorithemError::Threshold`] when it is not from 0 to 0.65.
    pub fn with_threshold(mut self, threshold: f64) -> Result<Self, HalgorithemError> {
        if !(0.0..=SUPPORTED_FROM).contains(&threshold) {
            return Err(HalgorithemError::Threshold { threshold });
        }
        self.threshold = threshold;
        Ok(self)
    }

    /// Asks a model for natural-language inference where the checks leave a claim open.
    #[must_use]
    pub fn with_nli(mut self, model: Arc<dyn NliModel>) -> Self {
        self.nli = Some(model);
        self
    }

    /// The chunks of a source text, in reading order.
    ///
    /// # Errors
    /// [`HalgorithemError::Chunking`] when the text makes more chunks than can be numbered.
    pub fn chunk_text(&self, document: &TruthDocument) -> Result<Vec<TruthChunk>, HalgorithemError> {
        Ok(chunks_of(document, &self.chunking)?)
    }

    /// How much of a claim a text bears out, 0 to 1: 0.65 and more if it says so. A text without words bears out nothing.
    ///
    /// # Errors
    /// Only when the text cannot be cut into passages.
    pub fn support_score(&self, claim: &str, truth_text: &str) -> Result<f64, HalgorithemError> {
        if truth_text.trim().is_empty() {
            return Ok(0.0);
        }
        let verifier = self.verifier(&truth_text.into())?;
        Ok(score(&verifier.verify_claim(&Claim::whole(claim))))
    }

    /// Compares an answer with sources: a text, a list of texts, or documents. An empty answer has no results.
    ///
    /// # Errors
    /// [`HalgorithemError::NoDocuments`] or [`HalgorithemError::EmptyDocuments`].
    pub fn compare_to_docs(
        &self,
        ai_output: &str,
        truth: impl Into<TruthDocuments>,
    ) -> Result<Comparison, HalgorithemError> {
        let truth = truth.into();
        let verification = self.verifier(&truth)?.verify(ai_output)?;
        let chunks = truth.0.iter().map(|document| self.chunk_text(document)).collect::<Result<Vec<_>, _>>()?;
        let sources = Sources { documents: &truth.0, chunks, words: SourceWords::of(&truth.0) };
        let mut sentence_ids: HashMap<TextSpan, usize> = HashMap::new();
        let mut comparison =
            Comparison { results: Vec::new(), skipped: Vec::new(), diagnostics: Diagnostics::lexical() };
        for CheckedClaim { claim, verdict } in &verification.claims {
            let next = sentence_ids.len() + 1;
            let sentence_id = *sentence_ids.entry(claim.sentence).or_insert(next);
            let claim_type = classify_claim_type(&claim.text);
            if let Some(reason) = verdict.unchecked
                && claim_type == ClaimType::Source
                && !is_failure(reason)
            {
                comparison.skipped.push(SkippedClaim { sentence_id, claim: claim.text.clone(), reason });
                continue;
            }
            let mut result = match claim_type {
                ClaimType::Math if verdict.label != Label::Supported || verdict.evidence.is_empty() => {
                    math_result(claim, verdict)
                }
                _ => sources.result(claim, verdict, self.threshold),
            };
            result.claim_id = comparison.results.len() + 1;
            result.sentence_id = sentence_id;
            result.source_sentence = claim.sentence.of(ai_output).to_owned();
            comparison.results.push(result);
        }
        Ok(comparison)
    }

    /// Another name of [`Self::compare_to_docs`].
    ///
    /// # Errors
    /// The same.
    pub fn compare_with_reasoning(
        &self,
        ai_output: &str,
        truth: impl Into<TruthDocuments>,
    ) -> Result<Comparison, HalgorithemError> {
        self.compare_to_docs(ai_output, truth)
    }

    /// Compares an answer with source files, numbered from 1.
    ///
    /// # Errors
    /// As [`load_files`] and [`Self::compare_to_docs`].
    pub fn compare_to_files<P: AsRef<Path>>(
        &self,
        ai_output: &str,
        paths: &[P],
    ) -> Result<Comparison, HalgorithemError> {
        self.compare_to_docs(ai_output, load_files(paths)?)
    }

    fn verifier(&self, truth: &TruthDocuments) -> Result<Verifier, HalgorithemError> {
        let mut builder = Verifier::builder().source(Arc::new(InlineContext::new(truth.to_engine()?)?));
        if let Some(nli) = &self.nli {
            builder = builder.nli(Arc::clone(nli));
        }
        Ok(builder.build()?)
    }
}

/// Whether a claim that was not checked for this reason should have been.
fn is_failure(reason: Unchecked) -> bool {
    matches!(
        reason,
        Unchecked::UnsupportedLanguage | Unchecked::EvidenceUnavailable | Unchecked::TooLong | Unchecked::CheckFailed
    )
}

/// A result with nothing in it but the claim; its number and sentence are put in by the caller.
fn bare(claim: &Claim, claim_type: ClaimType, status: Status, explanation: String) -> ClaimResult {
    ClaimResult {
        claim_id: 0,
        sentence_id: 0,
        source_sentence: String::new(),
        claim_type,
        status,
        claim: claim.text.clone(),
        score: 0.0,
        confidence: 0.0,
        reason: None,
        explanation,
        ai_numbers: Vec::new(),
        truth_numbers: Vec::new(),
        expected: None,
        got: None,
        matched_doc_id: None,
        matched_source: None,
        matched_chunk_id: None,
        chunk_text: None,
        unsupported_terms: Vec::new(),
        evidence: Vec::new(),
        warning: None,
        as_of_year: None,
    }
}

/// The result of a claim that is computed.
fn math_result(claim: &Claim, verdict: &Verdict) -> ClaimResult {
    let computed = verdict.evidence.is_empty() && verdict.findings.is_empty() && !verdict.proofs.is_empty();
    if computed {
        let holds = verdict.proofs.iter().all(|proof| proof.holds);
        let status = if holds { Status::Supported } else { Status::Contradiction };
        let mut result = bare(claim, ClaimType::Math, status, verdict.reason.clone());
        (result.score, result.confidence) = (1.0, 1.0);
        if let Some(wrong) = verdict.proofs.iter().find(|proof| !proof.holds) {
            result.reason = Some("Math mismatch".to_owned());
            result.expected = Some(wrong.result.clone());
            result.got = Some(wrong.claimed.clone());
        }
        return result;
    }
    if !claim.text.contains('=') && arithmetic(&claim.text).is_empty() {
        let mut result = bare(
            claim,
            ClaimType::Math,
            Status::Unknown,
            "the claim does not say what the expression comes to".to_owned(),
        );
        result.reason = Some("No expression found".to_owned());
        return result;
    }
    let why = arithmetic(&claim.text).into_iter().find_map(|statement| statement.result.err());
    let explanation =
        why.map_or_else(|| "the expression has unsupported symbols".to_owned(), |error| error.to_string());
    let mut result = bare(claim, ClaimType::Math, Status::Error, explanation);
    result.reason = Some("Expression cannot be computed".to_owned());
    result
}

/// The sources of one comparison.
struct Sources<'a> {
    documents: &'a [TruthDocument],
    /// The chunks of each document.
    chunks: Vec<Vec<TruthChunk>>,
    words: SourceWords,
}

impl Sources<'_> {
    /// The result of a claim that is held against the sources.
    fn result(&self, claim: &Claim, verdict: &Verdict, threshold: f64) -> ClaimResult {
        let mut terms = Vec::new();
        if !matches!(verdict.label, Label::Supported | Label::NotChecked) {
            terms = unsupported(&claim.text, verdict, &self.words);
        }
        let status = status(&claim.text, verdict, &terms, threshold);
        let mut result = bare(claim, ClaimType::Source, status, verdict.reason.clone());
        result.score = score(verdict);
        result.confidence = round(verdict.confidence.map_or(0.0, f64::from));
        result.reason = reason(&claim.text, status, verdict, !terms.is_empty());
        result.unsupported_terms = terms;
        for finding in &verdict.findings {
            if finding.stance == Stance::Contradicts && matches!(finding.check.as_str(), "quantity" | "unit" | "date") {
                result.ai_numbers.extend(finding.claim_value.clone());
                result.truth_numbers.extend(finding.evidence_value.clone());
            }
        }
        for numbers in [&mut result.ai_numbers, &mut result.truth_numbers] {
            numbers.sort_unstable();
            numbers.dedup();
        }
        let shown = verdict.evidence.iter().chain(verdict.considered.iter().map(|considered| &considered.citation));
        for (at, citation) in shown.take(SHOWN_EVIDENCE).enumerate() {
            let Some((document, chunk)) = self.locate(citation) else { continue };
            if result.matched_doc_id.is_none() {
                result.matched_doc_id = Some(document.file_id);
                result.matched_source = Some(document.file_path.clone());
                result.matched_chunk_id = Some(chunk.chunk_id);
                result.chunk_text = Some(chunk.text.clone());
            }
            let signals = verdict.findings.iter().filter(|finding| finding.evidence == Some(at));
            result.evidence.push(ResultEvidence {
                doc_id: document.file_id,
                source: document.file_path.clone(),
                chunk_id: chunk.chunk_id,
                sentence_start: chunk.sentence_start,
                sentence_end: chunk.sentence_end,
                score: round(f64::from(citation.coverage)),
                signals: signals.map(|finding| finding.kind.clone()).collect(),
                text: citation.quote.clone(),
            });
        }
        if verdict.warnings.iter().any(|warning| warning.code == "time_sensitive") {
            result.warning = Some("Time-sensitive claim".to_owned());
            let passage = verdict.evidence.first().map_or("", |citation| citation.passage.text.as_str());
            let years = dates(passage, DateOrder::Unknown).into_iter().filter_map(|date| date.last.or(date.first));
            result.as_of_year = years.map(|date| date.year()).max();
        }
        result
    }

    fn locate(&self, citation: &Citation) -> Option<(&TruthDocument, &TruthChunk)> {
        let place: usize = citation.passage.document_id.0.parse().ok()?;
        Some((self.documents.get(place)?, chunk_with(self.chunks.get(place)?, citation.span)?))
    }
}
