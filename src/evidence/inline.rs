//! Evidence given directly, without an index: a few documents held in memory, ranked by BM25.

use std::collections::{BTreeMap, HashMap};

use super::Pinned;
use super::passages::lead;
use super::source::{Evidence, EvidenceError, EvidenceSource};
use crate::chunk::{ChunkPolicy, chunks};
use crate::claim::Claim;
use crate::corpus::Document;
use crate::retrieve::PassageScores;
use crate::text::{Language, TextSpan, content_words, language};

/// How contexts are cut: longer than an index's chunks, for fewer passages then hold what belongs together.
const CHUNKING: ChunkPolicy = ChunkPolicy::Sentences { size: 4, overlap: 1 };
/// BM25's usual parameters: how soon repetition stops counting, and how much length is held against a passage.
const K1: f32 = 1.2;
const B: f32 = 0.75;
/// Bytes of a document from which its language is told.
const LANGUAGE_SAMPLE: usize = 2_000;

/// Documents given with the text, cut into passages.
///
/// ```
/// use evidex::corpus::Document;
/// use evidex::evidence::{EvidenceSource, InlineContext};
///
/// let context = InlineContext::new(vec![Document::inline("tower.txt", "The tower was built in 1889.")])?;
/// assert_eq!(context.name(), "context");
/// # Ok::<(), evidex::evidence::EvidenceError>(())
/// ```
pub struct InlineContext {
    name: String,
    documents: Vec<Document>,
    passages: Vec<Passage>,
    /// For each term, the passages that hold it and how often.
    postings: HashMap<String, Vec<(u32, f32)>>,
    mean_length: f32,
}

struct Passage {
    document: usize,
    span: TextSpan,
    chars_before: usize,
    length: f32,
}

impl InlineContext {
    /// Cuts `documents` into passages. Passages of the same text are kept once, so that copies do not crowd out others.
    ///
    /// # Errors
    /// [`EvidenceError::Empty`] when no document holds any text.
    pub fn new(documents: Vec<Document>) -> Result<Self, EvidenceError> {
        let mut passages = Vec::new();
        let mut postings: HashMap<String, Vec<(u32, f32)>> = HashMap::new();
        let mut seen: HashMap<String, ()> = HashMap::new();
        for (at, document) in documents.iter().enumerate() {
            let spoken = language_of(document);
            let title = document.title.as_deref().map_or_else(Vec::new, |title| content_words(title, spoken));
            let (mut counted_to, mut chars) = (0, 0);
            for chunk in chunks(document, &CHUNKING)? {
                chars += document.text.get(counted_to..chunk.span.start).map_or(0, |text| text.chars().count());
                counted_to = chunk.span.start.max(counted_to);
                if seen.insert(chunk.text.clone(), ()).is_some() {
                    continue;
                }
                let ordinal = u32::try_from(passages.len()).unwrap_or(u32::MAX);
                let words = content_words(&chunk.text, spoken);
                let length = words.len() as f32;
                let mut frequencies: BTreeMap<String, f32> = BTreeMap::new();
                for word in words.into_iter().chain(title.iter().cloned()) {
                    *frequencies.entry(word).or_insert(0.0) += 1.0;
                }
                for (word, frequency) in frequencies {
                    postings.entry(word).or_default().push((ordinal, frequency));
                }
                passages.push(Passage { document: at, span: chunk.span, chars_before: chars, length });
            }
        }
        if passages.is_empty() {
            return Err(EvidenceError::Empty);
        }
        let mean_length = passages.iter().map(|passage| passage.length).sum::<f32>() / passages.len() as f32;
        Ok(Self { name: "context".to_owned(), documents, passages, postings, mean_length: mean_length.max(1.0) })
    }

    /// The same documents under another name in reports.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Every passage's BM25 score for the words of `text`, zero where none matches.
    fn score(&self, text: &str) -> Vec<f32> {
        let mut scores = vec![0.0; self.passages.len()];
        let mut terms = content_words(text, language_hint(text));
        terms.sort_unstable();
        terms.dedup();
        let count = self.passages.len() as f32;
        for postings in terms.iter().filter_map(|term| self.postings.get(term)) {
            let holding = postings.len() as f32;
            let rarity = (1.0 + (count - holding + 0.5) / (holding + 0.5)).ln();
            for &(ordinal, frequency) in postings {
                let ordinal = ordinal as usize;
                let relative = self.passages[ordinal].length / self.mean_length;
                scores[ordinal] += rarity * frequency * (K1 + 1.0) / (frequency + K1 * (1.0 - B + B * relative));
            }
        }
        scores
    }
}

impl EvidenceSource for InlineContext {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn evidence(&self, claim: &Claim, limit: usize) -> Result<Vec<Evidence>, EvidenceError> {
        let scores = self.score(&claim.text);
        let mut order: Vec<usize> = (0..self.passages.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
        order.truncate(limit);
        Ok(order
            .into_iter()
            .map(|ordinal| {
                let passage = &self.passages[ordinal];
                let document = &self.documents[passage.document];
                let score = (scores[ordinal] > 0.0).then_some(scores[ordinal]);
                Evidence {
                    document_id: document.id.clone(),
                    source: document.provenance.source.clone(),
                    title: document.title.clone(),
                    url: document.provenance.url.clone(),
                    text: passage.span.of(&document.text).to_owned(),
                    span: passage.span,
                    chars_before: passage.chars_before,
                    lead: lead(&document.text, passage.span).to_owned(),
                    scores: PassageScores { bm25: score, dense: None, fused: score },
                    pinned: Pinned::of(&document.metadata),
                }
            })
            .collect())
    }
}

fn language_of(document: &Document) -> Language {
    let mut end = document.text.len().min(LANGUAGE_SAMPLE);
    while !document.text.is_char_boundary(end) {
        end -= 1;
    }
    language_hint(&document.text[..end])
}

fn language_hint(text: &str) -> Language {
    language(text).language
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_after_four_hundred_sentences_is_found_first() {
        let filler = "The committee met again and talked about the weather at some length. ";
        let mut text = (0..400).map(|n| format!("Meeting {n}. {filler}")).collect::<String>();
        text.push_str("The Halden tunnel opened in 1931.");
        let context = InlineContext::new(vec![Document::inline("minutes", text.clone())]).unwrap();
        let found = context.evidence(&Claim::whole("The Halden tunnel opened in 1951."), 4).unwrap();
        assert!(found[0].text.contains("opened in 1931"), "{:?}", found[0]);
        assert_eq!(found[0].span.of(&text), found[0].text);
        assert_eq!(found[0].chars_before, text[..found[0].span.start].chars().count());
    }

    #[test]
    fn copies_of_a_passage_do_not_crowd_out_a_rarer_one() {
        let mut documents: Vec<Document> =
            (0..100).map(|n| Document::inline(&format!("copy-{n}"), "The fee is 5.")).collect();
        documents.push(Document::inline("news", "Since May the fee is 7."));
        let context = InlineContext::new(documents).unwrap();
        let found = context.evidence(&Claim::whole("The fee is 5."), 8).unwrap();
        assert_eq!(found.len(), 2);
        assert!(found.iter().any(|evidence| evidence.document_id.0 == "news"));
    }

    #[test]
    fn a_context_without_text_is_an_error() {
        assert!(matches!(InlineContext::new(vec![Document::inline("a", " \n")]), Err(EvidenceError::Empty)));
    }
}
