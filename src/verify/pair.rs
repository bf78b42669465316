//! A claim held against one sentence of evidence: what every [`Check`](super::Check) is given.

use std::ops::Range;

use super::align::{Alignment, NameLink};
use super::checks::structure;
use super::reading::{Placed, ReadText, WordKind};
use super::slots::{SAME_SLOT, SlotLink};
use super::window::Sentence;
use super::{Finding, Stance};
use crate::claim::verbs::{self, PAST};
use crate::text::{Agreement, DateAgreement, Mention, Reading, TextSpan};

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

/// Words that say that the thing is known: the one of which the context speaks, or its own.
const DETERMINERS: [&str; 23] = [
    "the", "this", "its", "his", "her", "their", "der", "die", "das", "sein", "seine", "ihr", "ihre", "o", "seu",
    "sua", "el", "la", "le", "su", "sa", "son", "leur",
];
/// Least share of the rest of the claim for two values to differ at once.
const NEARLY_ALL: f32 = 0.95;
/// Words of content or value between two that are near each other.
const NEAR: usize = 2;
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

    /// Whether the sentence may speak of what was named before ("It was …").
    pub(super) fn refers_back(&self) -> bool {
        self.follows
    }

    /// Share of the claim's content that the sentence and its context hold, 0 to 1.
    pub fn coverage(&self) -> f32 {
        self.coverage_without(0..0, CONTEXT_STRENGTH)
    }

    /// The same, leaving out some words of the claim; `by_context` is what a word counts that only the context holds.
    pub(super) fn coverage_without(&self, except: Range<usize>, by_context: f32) -> f32 {
        self.coverage_except(&[except], by_context)
    }

    pub(super) fn coverage_except(&self, except: &[Range<usize>], by_context: f32) -> f32 {
        let left_out = |words: &Range<usize>| except.iter().any(|range| overlaps(range, words));
        let (mut held, mut total) = (0.0, 0.0);
        // What the claim names first is what the sentence's pronoun stands for.
        let first_shared = (0..self.claim.words.len())
            .find(|at| self.alignment.same(*at).is_some())
            .or_else(|| self.first_value())
            .unwrap_or_default();
        let in_name = |at: usize| self.claim.mentions.iter().any(|mention| mention.words.contains(&at));
        for (at, word) in self.claim.words.iter().enumerate() {
            if left_out(&(at..at + 1)) || word.weight() == 0.0 {
                continue;
            }
            // "Independence: 5 July 1962": the noun says what the verb of "gained independence" only carries.
            if self.alignment.same(at).is_none() && structure::noun_says_it(self, at) {
                continue;
            }
            total += word.weight();
            let strength = match self.alignment.same(at) {
                Some(link) => link.strength,
                None if self.alignment.in_context[at]
                    && (in_name(at) || self.follows && at < first_shared || self.is_told_by_context(at)) =>
                {
                    1.0
                }
                None if self.alignment.in_context[at] => by_context,
                None => 0.0,
            };
            held += strength * word.weight();
        }
        for (quantity, link) in self.claim.quantities.iter().zip(&self.alignment.quantities) {
            if !left_out(&quantity.words) {
                total += 1.0;
                held += f32::from(u8::from(link.is_some_and(|link| link.agreement == Agreement::Agrees)));
            }
        }
        for (date, link) in self.claim.dates.iter().zip(&self.alignment.dates) {
            if !left_out(&date.words) {
                total += 1.0;
                held += f32::from(u8::from(link.is_some_and(|link| link.agreement == DateAgreement::Contains)));
            }
        }
        if total == 0.0 { 0.0 } else { held / total }
    }

    /// Where the claim's first value stands that the sentence has one for ("It is 340 m long" may share no word with it).
    fn first_value(&self) -> Option<usize> {
        let quantities = self.claim.quantities.iter().zip(&self.alignment.quantities);
        let dates = self.claim.dates.iter().zip(&self.alignment.dates);
        let quantities = quantities.filter(|(_, link)| link.is_some()).map(|(value, _)| value.words.start);
        quantities.chain(dates.filter(|(_, link)| link.is_some()).map(|(date, _)| date.words.start)).min()
    }

    /// "The cable car *line*" or "the *line* of the cable car" beside "the *line*", where the context speaks of a cable car:
    /// the article says which line.
    fn is_told_by_context(&self, at: usize) -> bool {
        let words = &self.claim.words;
        let definite = |head: usize| {
            let before = |to: usize| to.checked_sub(1).map(|before| self.evidence.words[before].folded.as_str());
            self.alignment
                .same(head)
                .is_some_and(|link| before(link.to).is_some_and(|word| DETERMINERS.contains(&word)))
        };
        let modifier = |at: usize| words[at].is_content() && self.alignment.in_context[at];
        let head = (at + 1..words.len()).find(|next| !modifier(*next) || words[*next].after_mark);
        if head.is_some_and(|head| words[head].is_content() && !words[head].after_mark && definite(head)) {
            return true;
        }
        let mut before = (0..at).rev().skip_while(|before| modifier(*before));
        let mut of = before.next();
        if of.is_some_and(|at| matches!(words[at].folded.as_str(), "the" | "this" | "a" | "o" | "la" | "el" | "le")) {
            of = before.next();
        }
        let names_owner = of.is_some_and(|at| {
            matches!(words[at].folded.as_str(), "of" | "for" | "at" | "de" | "do" | "da" | "der" | "des" | "del" | "du")
        });
        names_owner && before.next().is_some_and(|head| words[head].is_content() && definite(head))
    }

    /// Whether the sentence names all that the claim names, leaving out some words of the claim.
    pub fn names_all(&self, except: Range<usize>) -> bool {
        self.names_all_except(&[except])
    }

    fn names_all_except(&self, except: &[Range<usize>]) -> bool {
        self.claim.mentions.iter().zip(&self.alignment.names).all(|(mention, link)| {
            except.iter().any(|range| overlaps(range, &mention.words))
                || matches!(link, NameLink::Here(_) | NameLink::Context)
                || self.is_weak_name(mention)
        })
    }

    /// A "name" that may only be a capital at the start of a sentence.
    pub(super) fn is_weak_name(&self, mention: &Placed<Mention>) -> bool {
        mention.value.sentence_initial && mention.words.len() == 1
    }

    /// Whether sentence and claim speak about the same thing, leaving out the words in question: all names stand in
    /// both and at least `minimum` of the remaining content is shared.
    pub fn is_about_the_same(&self, except: Range<usize>, minimum: f32) -> bool {
        self.names_all(except.clone()) && self.coverage_without(except.clone(), 0.0) >= minimum
            || !except.is_empty() && self.differs_at_once(except)
    }

    /// "… in 2015 under A" beside "… on 14 August 2018 by B": two values differ at once. Both may, where all the rest of the
    /// claim, its subject above all, stands in the sentence.
    fn differs_at_once(&self, first: Range<usize>) -> bool {
        let mut except = vec![first];
        for (quantity, link) in self.claim.quantities.iter().zip(&self.alignment.quantities) {
            let differs = |link: &SlotLink<Agreement>| {
                matches!(link.agreement, Agreement::Differs | Agreement::UnitDiffers) && link.affinity >= SAME_SLOT
            };
            except.extend(link.as_ref().filter(|link| differs(link)).map(|_| quantity.words.clone()));
        }
        for (date, link) in self.claim.dates.iter().zip(&self.alignment.dates) {
            let differs =
                |link: &SlotLink<DateAgreement>| link.agreement == DateAgreement::Differs && link.affinity >= SAME_SLOT;
            except.extend(link.as_ref().filter(|link| differs(link)).map(|_| date.words.clone()));
        }
        let shared = |at: usize| self.alignment.same(at).is_some();
        let first_shared = (0..self.claim.words.len()).find(|at| shared(*at)).unwrap_or(usize::MAX);
        for (mention, link) in self.claim.mentions.iter().zip(&self.alignment.names) {
            let replaced = |other: &Placed<Mention>| {
                other.value.kind == mention.value.kind
                    && !other
                        .words
                        .clone()
                        .any(|at| self.alignment.is_linked_from(at) && self.evidence.words[at].capitalised)
            };
            if *link == NameLink::Absent
                && mention.words.start > first_shared
                && self.evidence.mentions.iter().any(replaced)
            {
                except.push(mention.words.clone());
            }
        }
        let left = |at: &usize| !except.iter().any(|range| range.contains(at));
        let subject = self.claim.mentions.iter().any(|mention| mention.words.clone().all(|at| left(&at)));
        except.len() > 1
            && subject
            && self.names_all_except(&except)
            && self.coverage_except(&except, 0.0) >= NEARLY_ALL
            && (0..self.claim.words.len()).filter(left).filter(|at| shared(*at)).count() >= 2
    }

    /// Whether a word near `claim` in the claim stands near `evidence` in the sentence: what both are said of is the same.
    pub(super) fn neighbours_agree(&self, claim: usize, evidence: usize) -> bool {
        let rank = |text: &ReadText, at: usize| text.words[at].rank;
        (0..self.claim.words.len()).any(|at| {
            at != claim
                && rank(self.claim, at).abs_diff(rank(self.claim, claim)) <= NEAR
                && self.alignment.same(at).is_some_and(|link| {
                    link.to != evidence && rank(self.evidence, link.to).abs_diff(rank(self.evidence, evidence)) <= NEAR
                })
        })
    }

    /// Whether the sentence holds the verb that the claim's value goes with ("*born* in 1828"), and the thing that follows
    /// it at once ("2-year-old *cat*"). Where the claim has no verb of content there is nothing to ask for.
    pub(super) fn holds_governor(&self, value: &Range<usize>) -> bool {
        let words = &self.claim.words;
        let named = |at: usize| self.claim.mentions.iter().any(|mention| mention.words.contains(&at));
        let verb = |at: &usize| words[*at].kind == WordKind::Content && structure::is_verb(&words[*at]) && !named(*at);
        let governor = (0..value.start).rev().find(verb).or_else(|| (value.end..words.len()).find(verb));
        let follows = words.get(value.end).filter(|word| !word.after_mark && word.kind == WordKind::Content);
        let stands = |at: usize| self.alignment.links[at].is_some() || self.alignment.in_context[at];
        // What was only planned or asked for took place at another time, if at all.
        let governs = |at: usize| match self.alignment.links[at] {
            Some(link) => self.evidence.words[link.to].hedged <= words[at].hedged,
            // A deed of which only the sentences before speak has its own time there.
            None => self.alignment.in_context[at] && verbs::forms(&words[at].folded) & PAST == 0,
        };
        governor.is_none_or(governs) && follows.is_none_or(|_| stands(value.end))
    }

    /// Whether the sentence offers this value or name as one of two ("in 1912 or 1915").
    pub(super) fn is_alternative(&self, evidence: &Range<usize>) -> bool {
        let is_or = |at: usize| {
            self.evidence.words.get(at).is_some_and(|word| matches!(word.folded.as_str(), "or" | "ou" | "oder"))
        };
        let before = evidence.start.checked_sub(1).is_some_and(is_or)
            || evidence.start.checked_sub(2).is_some_and(is_or)
                && !self.evidence.words[evidence.start - 1].is_content();
        let after = is_or(evidence.end) || is_or(evidence.end + 1) && self.evidence.words[evidence.end].is_content();
        (before || after) && self.evidence.words[evidence.start].bracket_of.is_none()
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
