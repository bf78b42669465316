//! Claims that no single sentence holds: two sentences that share a name, each holding a part.

use std::ops::Range;
use std::sync::Arc;

use super::judge::{Outcome, Verbatim};
use super::reading::{ReadText, WordKind};
use super::window::PassageReading;
use super::{Finding, Stance};
use crate::text::{Mention, NameMatch};

/// Least share of the claim's content that two sentences must hold together: more than one alone, as they may be about
/// two things. Chosen on FactCC and WiCE.
const TOGETHER_COVERAGE: f32 = 0.9;
/// What each of two sentences about a known thing must say that the other does not: a statement of its own, not a word.
const PART_OF_ITS_OWN: f32 = 2.0;
/// The same where a name links them that the claim leaves out: one thing said of it.
const LINK_OF_ITS_OWN: f32 = 1.0;
/// Sentences that are tried as first and as second.
const TRIED: usize = 8;
/// A part of the claim stands if a sentence holds this share of it.
const PART_COVERAGE: f32 = 0.8;

/// Two outcomes that support the claim together.
pub(super) fn together(
    claim: &ReadText,
    outcomes: &[Outcome],
    readings: &[Arc<PassageReading>],
) -> Option<(usize, usize)> {
    let usable: Vec<usize> = (0..outcomes.len())
        .filter(|at| outcomes[*at].stance != Stance::Contradicts && outcomes[*at].failures.is_empty())
        .filter(|at| !outcomes[*at].findings.iter().any(is_about_truth))
        .take(TRIED)
        .collect();
    let mut best: Option<(f32, usize, usize)> = None;
    let front = super::checks::structure::fronted(claim);
    for (k, &a) in usable.iter().enumerate() {
        for &b in &usable[k + 1..] {
            let (first, second) = (&outcomes[a], &outcomes[b]);
            if !complete_each_other(claim, first, second) {
                continue;
            }
            let Some(bridge) = bridge(claim, first, second, readings) else { continue };
            if front.is_some_and(|main| says_both(claim, main, first, second)) {
                best = Some((1.0, a, b));
                continue;
            }
            if bridge == Bridge::Foreign && !leaves_unnamed(claim, first, second) {
                continue;
            }
            let needed = if bridge == Bridge::Known { PART_OF_ITS_OWN } else { LINK_OF_ITS_OWN };
            if own_share(claim, first, second) < needed || own_share(claim, second, first) < needed {
                continue;
            }
            let coverage = union_coverage(claim, first, second, bridge == Bridge::Foreign);
            if coverage >= TOGETHER_COVERAGE && best.is_none_or(|(score, ..)| coverage > score) {
                best = Some((coverage, a, b));
            }
        }
    }
    best.map(|(_, a, b)| (a, b))
}

/// Findings that no other sentence can make good.
fn is_about_truth(finding: &Finding) -> bool {
    finding.stance == Stance::Missing
        && matches!(
            finding.kind.as_str(),
            "polarity_differs"
                | "hedged_in_source"
                | "other_time_in_source"
                | "quantifier_wider"
                | "exclusive_not_found"
                | "superlative_not_found"
                | "roles_swapped"
                | "frequency_mismatch"
                | "other_days"
                | "order_mismatch"
                | "comparison_turned"
                | "opposite_nearby"
                | "denial_not_found"
        )
}

/// Whether one sentence says what a participle says at the claim's beginning ("Designed by Ana Brandt, …") and the other
/// the rest, which begins at `main`.
fn says_both(claim: &ReadText, main: usize, a: &Outcome, b: &Outcome) -> bool {
    let holds = |outcome: &Outcome, range: Range<usize>| {
        range.into_iter().all(|at| claim.words[at].kind == WordKind::Function || outcome.held[at])
    };
    if own_share(claim, a, b) < LINK_OF_ITS_OWN || own_share(claim, b, a) < LINK_OF_ITS_OWN {
        return false;
    }
    let whole = 0..main;
    let rest = main..claim.words.len();
    holds(a, whole.clone()) && holds(b, rest.clone()) || holds(b, whole) && holds(a, rest)
}

/// Whether each value, name or word that one lacks stands in the other.
fn complete_each_other(claim: &ReadText, a: &Outcome, b: &Outcome) -> bool {
    let made_good = |missing: &Finding, other: &Outcome| {
        let Some(span) = missing.claim_span else { return false };
        let mut words = claim.words_in(span).filter(|at| claim.words[*at].kind != WordKind::Function).peekable();
        words.peek().is_some() && words.all(|at| other.held[at])
    };
    a.blockers().all(|missing| made_good(missing, b)) && b.blockers().all(|missing| made_good(missing, a))
}

/// How much of the claim only the first of two sentences holds; a name counts once.
fn own_share(claim: &ReadText, first: &Outcome, second: &Outcome) -> f32 {
    let own = |at: usize| first.held[at] && !second.held[at];
    let in_name = |at: usize| claim.mentions.iter().any(|mention| mention.words.contains(&at));
    let names = claim.mentions.iter().filter(|mention| mention.words.clone().any(own)).count();
    let slots =
        claim.quantities.iter().map(|quantity| &quantity.words).chain(claim.dates.iter().map(|date| &date.words));
    let values = slots.filter(|words| (*words).clone().any(own)).count();
    let words: f32 =
        (0..claim.words.len()).filter(|at| own(*at) && !in_name(*at)).map(|at| claim.words[at].weight()).sum();
    names as f32 + values as f32 + words
}

/// Share of the claim that the two hold together. A kind of thing that the claim does not name ("a company") may stand
/// for the name that links the two.
fn union_coverage(claim: &ReadText, a: &Outcome, b: &Outcome, by_foreign_name: bool) -> f32 {
    let (mut held, mut total) = (0.0, 0.0);
    let mut to_be_named = by_foreign_name;
    for (at, word) in claim.words.iter().enumerate() {
        let weight = if word.kind == WordKind::Slot { 1.0 } else { word.weight() };
        let stands = a.held[at] || b.held[at];
        let article = at.checked_sub(1).map_or("", |before| claim.words[before].folded.as_str());
        if to_be_named
            && !stands
            && matches!(article, "a" | "an" | "um" | "uma" | "ein" | "eine" | "einen" | "un" | "une" | "una")
        {
            to_be_named = false;
            continue;
        }
        total += weight;
        held += if stands { weight } else { 0.0 };
    }
    if total == 0.0 { 0.0 } else { held / total }
}

/// Whether an indefinite article stands before the word.
fn is_indefinite(claim: &ReadText, at: usize) -> bool {
    let article = at.checked_sub(1).map_or("", |before| claim.words[before].folded.as_str());
    matches!(article, "a" | "an" | "um" | "uma" | "ein" | "eine" | "einen" | "un" | "une" | "una")
}

/// Whether the claim leaves a thing unnamed that another name may stand for: "a company based in …", "the man who …".
fn leaves_unnamed(claim: &ReadText, a: &Outcome, b: &Outcome) -> bool {
    (0..claim.words.len()).any(|at| {
        let word = &claim.words[at];
        word.is_content() && !a.held[at] && !b.held[at] && is_indefinite(claim, at)
            || matches!(word.folded.as_str(), "who" | "which" | "that" | "whose" | "where" | "que" | "qui")
    })
}

/// How two sentences speak about a common thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bridge {
    /// The claim names it, or it is the sentence before.
    Known,
    /// A name that stands in both sentences and not in the claim.
    Foreign,
}

fn bridge(claim: &ReadText, a: &Outcome, b: &Outcome, readings: &[Arc<PassageReading>]) -> Option<Bridge> {
    let sentence = |outcome: &Outcome| &readings[outcome.passage].sentences[outcome.sentence];
    let (first, second) = (sentence(a), sentence(b));
    let same = |x: &Mention, y: &Mention| x.matches(y) == NameMatch::Same;
    let shared = first.read.mentions.iter().filter(|x| second.read.mentions.iter().any(|y| same(&x.value, &y.value)));
    let mut found = None;
    for mention in shared {
        if claim.mentions.iter().any(|named| same(&named.value, &mention.value)) {
            return Some(Bridge::Known);
        }
        found = Some(Bridge::Foreign);
    }
    if found.is_some() {
        return found;
    }
    let later = if a.sentence > b.sentence { first } else { second };
    let follows = a.passage == b.passage && a.sentence.abs_diff(b.sentence) == 1 && later.follows;
    follows.then_some(Bridge::Known)
}

/// The outcomes of the sentences that a claim of several sentences repeats, one for each, where it repeats all.
pub(super) fn repeated(claim: &ReadText, outcomes: &[Outcome], readings: &[Arc<PassageReading>]) -> Option<Vec<usize>> {
    let spans = crate::text::sentences(&claim.text);
    if spans.len() < 2 {
        return None;
    }
    let parts: Vec<Range<usize>> = spans.into_iter().map(|span| claim.words_in(span)).collect();
    let same = |part: &Range<usize>, outcome: &Outcome| {
        let words = &readings[outcome.passage].sentences[outcome.sentence].read.words;
        let own = &claim.words[part.clone()];
        words.len() == own.len() && words.iter().zip(own).all(|(a, b)| a.form == b.form)
    };
    parts
        .iter()
        .filter(|part| !part.is_empty())
        .map(|part| outcomes.iter().position(|outcome| outcome.failures.is_empty() && same(part, outcome)))
        .collect()
}

/// The claim's coordinated parts: "… uses an LED / and lasts 40,000 hours".
pub(super) fn parts(claim: &ReadText) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = 0;
    for at in 1..claim.words.len().saturating_sub(1) {
        let joins = matches!(claim.words[at].folded.as_str(), "and" | "but" | "und" | "aber" | "mas" | "pero" | "mais");
        if joins && starts_predicate(claim, at + 1) && has_content(claim, start..at) {
            parts.push(start..at);
            start = at + 1;
        }
    }
    if has_content(claim, start..claim.words.len()) {
        parts.push(start..claim.words.len());
    }
    parts
}

fn has_content(claim: &ReadText, range: Range<usize>) -> bool {
    claim.words[range].iter().filter(|word| word.is_content() || word.kind == WordKind::Slot).count() >= 2
}

/// Whether a finite verb starts here, with or without a pronoun before it.
fn starts_predicate(claim: &ReadText, at: usize) -> bool {
    let Some(word) = claim.words.get(at) else { return false };
    let pronoun = matches!(
        word.folded.as_str(),
        "it" | "he"
            | "she"
            | "they"
            | "this"
            | "that"
            | "was"
            | "is"
            | "has"
            | "had"
            | "were"
            | "are"
            | "have"
            | "will"
            | "can"
            | "does"
            | "did"
            | "not"
            | "never"
    );
    let verb = !word.capitalised
        && word.is_content()
        && (word.folded.ends_with("ed")
            || word.folded.ends_with('s') && !word.folded.ends_with("ss") && !follows_plural(claim, at)
            || super::lexicon::lexicon().base(word.form).is_some());
    pronoun || verb
}

/// "cats and dogs": a plural beside a plural is a list, unless an object follows ("has dishes and employs *forty* guards").
fn follows_plural(claim: &ReadText, at: usize) -> bool {
    let object = |word: &super::reading::Word| {
        word.kind == WordKind::Slot && !word.after_mark
            || matches!(word.folded.as_str(), "a" | "an" | "the" | "its" | "his" | "her" | "their" | "no")
    };
    if claim.words.get(at + 1).is_some_and(object) {
        return false;
    }
    at.checked_sub(2).and_then(|before| claim.words.get(before)).is_some_and(|word| word.folded.ends_with('s'))
}

/// Which parts some sentence supports: no contradiction or gap in the part, most of its content held.
pub(super) fn standing_parts(claim: &ReadText, parts: &[Range<usize>], outcomes: &[Outcome]) -> Vec<Option<usize>> {
    parts
        .iter()
        .map(|part| {
            let span = claim.span_of(part.clone());
            outcomes.iter().position(|outcome| {
                let (mut held, mut total) = (0.0, 0.0);
                for at in part.clone() {
                    let word = &claim.words[at];
                    let weight = if word.kind == WordKind::Slot { 1.0 } else { word.weight() };
                    total += weight;
                    held += if outcome.held[at] { weight } else { 0.0 };
                }
                let faulted = outcome.findings.iter().any(|finding| {
                    matches!(finding.stance, Stance::Missing | Stance::Contradicts)
                        && finding.claim_span.is_none_or(|found| found.overlaps(span))
                });
                total > 0.0 && held / total >= PART_COVERAGE && !faulted && outcome.failures.is_empty()
                    || outcome.verbatim != Verbatim::No && outcome.stance == Stance::Supports
            })
        })
        .collect()
}
