//! A claim held against one sentence of evidence: what every [`Check`](super::Check) is given.

use std::ops::Range;

use super::align::{Alignment, NameLink};
use super::reading::ReadText;
use super::window::Sentence;
use super::{Finding, Stance};
use crate::text::{Agreement, DateAgreement, Reading, TextSpan};

/// A claim and one sentence of evidence, both read, and how they align.
#[derive(Debug)]
pub struct Pair<'a> {
    /// The claim.
    pub claim: &'a ReadText,
    /// The sentence of evidence.
    pub evidence: &'a ReadText,
    /// The way from the sentence as read back to its passage's text.
    pub(super) reading: &'a Reading,
    /// Where the passage stands in its document, in bytes.
    pub passage_start: usize,
    /// How the two align.
    pub alignment: Alignment,
    /// Whether the sentence speaks of something named before ("It is 240 m long").
    follows: bool,
}

/// Weight of a word that only the context holds; a name counts in full.
pub(super) const CONTEXT_STRENGTH: f32 = 0.5;

impl<'a> Pair<'a> {
    /// Aligns a claim with a sentence.
    pub(super) fn new(claim: &'a ReadText, sentence: &'a Sentence, passage_start: usize) -> Self {
        let alignment = Alignment::new(claim, &sentence.read, &sentence.context);
        Self {
            claim,
            evidence: &sentence.read,
            reading: &sentence.reading,
            passage_start,
            alignment,
            follows: sentence.follows,
        }
    }

    /// Share of the claim's content that the sentence and its context hold, 0 to 1.
    pub fn coverage(&self) -> f32 {
        self.coverage_without(0..0, CONTEXT_STRENGTH)
    }

    /// The same, leaving out some words of the claim; `by_context` is what a word counts that only the context holds.
    pub(super) fn coverage_without(&self, except: Range<usize>, by_context: f32) -> f32 {
        let (mut held, mut total) = (0.0, 0.0);
        // What the claim names first is what the sentence's pronoun stands for.
        let first_shared =
            (0..self.claim.words.len()).find(|at| self.alignment.same(*at).is_some()).unwrap_or(usize::MAX);
        let in_name = |at: usize| self.claim.mentions.iter().any(|mention| mention.words.contains(&at));
        for (at, word) in self.claim.words.iter().enumerate() {
            if except.contains(&at) || word.weight() == 0.0 {
                continue;
            }
            total += word.weight();
            let strength = match self.alignment.same(at) {
                Some(link) => link.strength,
                None if self.alignment.in_context[at] && (in_name(at) || self.follows && at < first_shared) => 1.0,
                None if self.alignment.in_context[at] => by_context,
                None => 0.0,
            };
            held += strength * word.weight();
        }
        for (quantity, link) in self.claim.quantities.iter().zip(&self.alignment.quantities) {
            if !overlaps(&except, &quantity.words) {
                total += 1.0;
                held += f32::from(u8::from(link.is_some_and(|link| link.agreement == Agreement::Agrees)));
            }
        }
        for (date, link) in self.claim.dates.iter().zip(&self.alignment.dates) {
            if !overlaps(&except, &date.words) {
                total += 1.0;
                held += f32::from(u8::from(link.is_some_and(|link| link.agreement == DateAgreement::Contains)));
            }
        }
        if total == 0.0 { 0.0 } else { held / total }
    }

    /// Whether the sentence names all that the claim names, leaving out some words of the claim.
    pub fn names_all(&self, except: Range<usize>) -> bool {
        self.claim.mentions.iter().zip(&self.alignment.names).all(|(mention, link)| {
            overlaps(&except, &mention.words)
                || matches!(link, NameLink::Here(_) | NameLink::Context)
                || self.is_weak_name(mention)
        })
    }

    /// A "name" that may only be a capital at the start of a sentence.
    pub(super) fn is_weak_name(&self, mention: &super::reading::Placed<crate::text::Mention>) -> bool {
        mention.value.sentence_initial && mention.words.len() == 1
    }

    /// Whether sentence and claim speak about the same thing, leaving out the words in question: all names stand in
    /// both and at least `minimum` of the remaining content is shared.
    pub fn is_about_the_same(&self, except: Range<usize>, minimum: f32) -> bool {
        self.names_all(except.clone()) && self.coverage_without(except, 0.0) >= minimum
    }

    /// Whether the claim denies these words, so that another value says the same.
    pub(super) fn is_denied(&self, words: &Range<usize>) -> bool {
        self.claim.words.get(words.start).is_some_and(|word| word.negations % 2 == 1)
    }

    /// A finding about these words of the claim and of the evidence.
    pub fn finding(
        &self,
        check: &str,
        stance: Stance,
        kind: &str,
        claim_words: Option<Range<usize>>,
        evidence_words: Option<Range<usize>>,
    ) -> Finding {
        let claim_span = claim_words.map(|words| self.claim.span_of(words));
        let evidence_span = evidence_words.map(|words| self.evidence.span_of(words));
        self.finding_at(check, stance, kind, claim_span, evidence_span)
    }

    /// A finding about these spans of the claim's text and of the sentence.
    pub fn finding_at(
        &self,
        check: &str,
        stance: Stance,
        kind: &str,
        claim_span: Option<TextSpan>,
        evidence_span: Option<TextSpan>,
    ) -> Finding {
        Finding {
            check: check.to_owned(),
            stance,
            kind: kind.to_owned(),
            claim_value: claim_span.map(|span| span.of(&self.claim.text).to_owned()),
            claim_span,
            evidence_value: evidence_span.map(|span| span.of(&self.evidence.text).to_owned()),
            evidence_span: evidence_span.map(|span| self.reading.raw_span(span).shifted(self.passage_start)),
            evidence: None,
            detail: None,
        }
    }
}

/// Whether two ranges of words share one.
pub(super) fn overlaps(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}
