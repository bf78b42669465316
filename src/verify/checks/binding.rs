//! Binding: in a sentence that coordinates several statements ("opened in 1950, closed in 1999"), a value belongs to the
//! words of its own segment. A claim that takes the value of one segment and the words of another is not supported.
//!
//! The sentence is cut between neighbouring values of one kind, at the strongest mark of coordination between them. What
//! stands before the first value is shared by later segments, save as much of it as they replace with words of their own.

use std::ops::Range;

use super::date::names_event;
use crate::text::{Agreement, DateAgreement, Quantity, QuantityKind};
use crate::verify::align::LinkKind;
use crate::verify::lexicon::lexicon;
use crate::verify::pair::Pair;
use crate::verify::reading::{Placed, ReadText, WordKind};
use crate::verify::{Finding, Stance};

const NAME: &str = "binding";

/// Least share of the claim's content for a crossed value to contradict.
const SAME_THING: f32 = 0.8;
/// Most words of content before a value that surely speak of it.
const LONGEST_HEAD: usize = 6;
/// How strongly a semicolon cuts.
const SEMICOLON: u8 = 4;

pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    for quantity in &pair.claim.quantities {
        let rivals = pair.evidence.quantities.iter().filter_map(|other| {
            let agreement = quantity.value.agrees(&other.value);
            // "40 tonnes … and Sweden exported 70": the unit is left out.
            let bare = quantity.value.unit.is_some()
                && other.value.kind == QuantityKind::Count
                && other.value.counted.is_none();
            let comparable = agreement != Agreement::Incomparable || bare;
            comparable.then(|| (other.words.clone(), agreement == Agreement::Agrees))
        });
        check_value(pair, &quantity.words, rivals.collect(), findings);
    }
    for date in pair.claim.dates.iter().filter(|date| !names_event(pair.claim, &date.words)) {
        let rivals = pair.evidence.dates.iter().filter(|other| !names_event(pair.evidence, &other.words));
        let rivals = rivals.filter_map(|other| {
            let agreement = date.value.agrees(&other.value);
            // "2021" beside "29 July 2021" is the same date told less exactly.
            let comparable = !matches!(agreement, DateAgreement::Incomparable | DateAgreement::MorePrecise);
            comparable.then(|| (other.words.clone(), agreement == DateAgreement::Contains))
        });
        check_value(pair, &date.words, rivals.collect(), findings);
    }
    check_direction(pair, findings);
}

/// A value of the evidence and the words that say what it is the value of.
#[derive(Debug)]
struct Segment {
    words: Range<usize>,
    value: Range<usize>,
    agrees: bool,
}

/// Finds whether a value agrees only with those of segments whose words are not the claim's.
fn check_value(pair: &Pair<'_>, value: &Range<usize>, rivals: Vec<(Range<usize>, bool)>, findings: &mut Vec<Finding>) {
    if !rivals.iter().any(|(_, agrees)| *agrees) {
        return;
    }
    let segments = segments(pair.evidence, rivals);
    if segments.len() < 2 {
        return;
    }
    let scope = scope_in_claim(pair.claim, value);
    let mut crossed = None;
    for own in segments.iter().filter(|segment| segment.agrees) {
        let other = segments.iter().filter(|other| !other.agrees).find_map(|other| {
            let word = crossing_word(pair, &scope, value, own, other, &segments[0])?;
            Some((word, other))
        });
        match other {
            Some((word, other)) => {
                let own_words = scope.clone().filter(|at| {
                    pair.alignment
                        .same(*at)
                        .is_some_and(|link| own_part(own, &segments[0], pair.evidence, other).contains(&link.to))
                        && !occurs(pair, *at, &other.words)
                });
                let clear = own_words.count() == 0 && pair.is_about_the_same(0..0, SAME_THING);
                crossed = Some((word, other, clear));
            }
            // Nothing speaks against this one.
            None => return,
        }
    }
    if let Some((_, other, clear)) = crossed {
        let stance = if clear && !pair.is_denied(value) { Stance::Contradicts } else { Stance::Missing };
        findings.push(pair.finding(NAME, stance, "value_of_another", Some(value.clone()), Some(other.value.clone())));
    }
}

/// A word of the claim that stands among those which set `other` apart from `own`.
fn crossing_word(
    pair: &Pair<'_>,
    scope: &Range<usize>,
    value: &Range<usize>,
    own: &Segment,
    other: &Segment,
    first: &Segment,
) -> Option<usize> {
    let text = pair.evidence;
    let head = if other.words.start == first.words.start {
        replaced_head(text, other, own)
    } else {
        other.words.start..other.value.start
    };
    let has_tail = (own.value.end..own.words.end).any(|at| text.words[at].kind == WordKind::Content);
    let tail = if has_tail { other.value.end..other.words.end } else { 0..0 };
    // Statements beyond a semicolon are not about this value.
    let stops = |at: &usize| cut_before(text, *at) == SEMICOLON;
    let from = (head.start + 1..=other.value.start).rev().find(stops).unwrap_or(head.start);
    let (head, tail) = (from..head.end, tail.start..tail.clone().find(stops).unwrap_or(tail.end));
    if head.clone().filter(|at| text.words[*at].is_content()).count() > LONGEST_HEAD {
        return None;
    }
    let shared =
        first.words.start..if own.words.start == first.words.start { 0 } else { replaced_head(text, first, own).start };
    if let Some(at) = crossing_quantity(pair, scope, value, own, other) {
        return Some(at);
    }
    scope.clone().filter(|at| !value.contains(at)).find(|at| {
        let word = &pair.claim.words[*at];
        let Some(link) = pair.alignment.links[*at] else { return false };
        word.kind == WordKind::Content
            && link.kind != LinkKind::Opposite
            && (head.contains(&link.to) || tail.contains(&link.to))
            && !occurs(pair, *at, &own.words)
            && !occurs(pair, *at, &shared)
    })
}

/// A quantity of the claim that stands beside `other`, while `own` has another of its kind.
fn crossing_quantity(
    pair: &Pair<'_>,
    scope: &Range<usize>,
    value: &Range<usize>,
    own: &Segment,
    other: &Segment,
) -> Option<usize> {
    let beside = pair.claim.quantities.iter().filter(|quantity| {
        scope.contains(&quantity.words.start) && !crate::verify::pair::overlaps(&quantity.words, value)
    });
    let places = |quantity: &Placed<Quantity>, segment: &Segment, wanted: &[Agreement]| {
        pair.evidence.quantities.iter().any(|stated| {
            segment.words.contains(&stated.words.start) && wanted.contains(&quantity.value.agrees(&stated.value))
        })
    };
    beside
        .filter(|quantity| {
            places(quantity, other, &[Agreement::Agrees])
                && !places(quantity, own, &[Agreement::Agrees, Agreement::MorePrecise])
                && places(quantity, own, &[Agreement::Differs])
        })
        .map(|quantity| quantity.words.start)
        .next()
}

/// The words that say what `segment` is about and that no other shares.
fn own_part(segment: &Segment, first: &Segment, text: &ReadText, other: &Segment) -> Range<usize> {
    if segment.words.start == first.words.start {
        replaced_head(text, segment, other).start..segment.words.end
    } else {
        segment.words.clone()
    }
}

/// The part of the first segment's words before its value in whose place a later segment has words of its own: as many
/// as that one has before its value, and from the verb on where it has a verb.
fn replaced_head(text: &ReadText, first: &Segment, later: &Segment) -> Range<usize> {
    let counts = |at: &usize| text.words[*at].is_content();
    let own = (later.words.start..later.value.start).filter(counts).count();
    let pronoun = (later.words.start..later.value.start)
        .any(|at| matches!(text.words[at].folded.as_str(), "it" | "them" | "him" | "her" | "he" | "she" | "they"));
    if pronoun {
        // "founded the firm …, sold it …": what the pronoun stands for is shared.
        let verb = (first.words.start..first.value.start).rev().find(|at| {
            let word = &text.words[*at];
            word.is_content() && (word.folded.ends_with("ed") || lexicon().base(word.form).is_some())
        });
        return verb.map_or(first.value.start..first.value.start, |at| at..at + 1);
    }
    let places: Vec<usize> = (first.words.start..first.value.start).filter(counts).collect();
    // "The track is 4.6 km long and drops 310 m": all before "is" is the subject of both.
    let copula =
        (first.words.start..first.value.start).rev().take_while(|at| !counts(at)).any(|at| is_copula(text, at));
    let opens_with_verb = (later.words.start..later.value.start).find(counts).is_some_and(|at| {
        let folded = &text.words[at].folded;
        !text.words[at].capitalised && (folded.ends_with('s') || folded.ends_with("ed"))
    });
    if copula && opens_with_verb && own == 1 {
        return first.value.start..first.value.start;
    }
    match places.len().checked_sub(own).and_then(|at| places.get(at)) {
        Some(start) => *start..first.value.start,
        None if own == 0 => first.value.start..first.value.start,
        None => first.words.start..first.value.start,
    }
}

fn is_copula(text: &ReadText, at: usize) -> bool {
    matches!(text.words[at].folded.as_str(), "is" | "are" | "was" | "were" | "has" | "have" | "had")
}

/// Whether a word of the claim, or what stands for it, occurs in this part of the evidence.
fn occurs(pair: &Pair<'_>, at: usize, range: &Range<usize>) -> bool {
    let word = &pair.claim.words[at];
    pair.evidence.places(word.key).any(|to| range.contains(&to))
        || pair.alignment.same(at).is_some_and(|link| range.contains(&link.to))
}

/// How strongly a sentence is cut before a word.
fn cut_before(text: &ReadText, at: usize) -> u8 {
    let Some(before) = at.checked_sub(1) else { return 0 };
    let gap = &text.text[text.words[before].span.end..text.words[at].span.start];
    let joins = matches!(
        text.words[at].folded.as_str(),
        "and" | "but" | "while" | "whereas" | "then" | "und" | "aber" | "et" | "mais" | "y" | "e" | "mas" | "pero"
    );
    // "from 8.1% in 2010 to 5.2% in 2015".
    let turns = text.words[at].folded == "to"
        && text.words.get(at + 1).is_some_and(|word| word.kind == WordKind::Slot)
        && text.words[..at].iter().any(|word| word.folded == "from");
    if gap.contains(';') {
        SEMICOLON
    } else if joins && gap.contains(',') {
        3
    } else if joins {
        2
    } else {
        u8::from(gap.contains(',') || turns)
    }
}

/// The sentence cut between neighbouring values; words between two cuts of one strength belong to both sides.
fn segments(text: &ReadText, values: Vec<(Range<usize>, bool)>) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    for (value, agrees) in values {
        let Some(last) = segments.last_mut() else {
            segments.push(Segment { words: 0..text.words.len(), value, agrees });
            continue;
        };
        if value.start < last.value.end {
            continue;
        }
        let between = last.value.end..value.start + 1;
        let strongest = between.clone().map(|at| cut_before(text, at)).max().unwrap_or(0);
        if strongest == 0 {
            return Vec::new();
        }
        let mut cuts = between.filter(|at| cut_before(text, *at) == strongest);
        let Some(first_cut) = cuts.next() else { return Vec::new() };
        last.words.end = cuts.next_back().unwrap_or(first_cut);
        segments.push(Segment { words: first_cut..text.words.len(), value, agrees });
    }
    segments
}

/// The words of the claim that are said of its value: up to the cuts towards its neighbours.
fn scope_in_claim(claim: &ReadText, value: &Range<usize>) -> Range<usize> {
    let others = claim.quantities.iter().map(|other| &other.words).chain(claim.dates.iter().map(|other| &other.words));
    let mut scope = 0..claim.words.len();
    for other in others {
        if other.end <= value.start {
            let cut = (other.end..=value.start).rev().find(|at| cut_before(claim, *at) > 0);
            scope.start = scope.start.max(cut.unwrap_or(0));
        } else if other.start >= value.end {
            let cut = (value.end..=other.start).find(|at| cut_before(claim, *at) > 0);
            scope.end = scope.end.min(cut.unwrap_or(claim.words.len()));
        }
    }
    scope
}

/// "from 12% to 9%" says the contrary of "from 9% to 12%".
fn check_direction(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    for (from, to) in ways(pair.claim) {
        let same = |a: &Range<usize>, b: &Range<usize>| {
            let numbers = |text: &ReadText, range: &Range<usize>| -> Vec<u64> {
                text.words[range.clone()].iter().filter(|word| is_number(&word.folded)).map(|word| word.form).collect()
            };
            numbers(pair.claim, a) == numbers(pair.evidence, b)
        };
        let found: Vec<_> = ways(pair.evidence);
        let straight = found.iter().any(|(a, b)| same(&from, a) && same(&to, b));
        let turned = found.iter().find(|(a, b)| same(&from, b) && same(&to, a));
        if let Some((a, b)) = turned.filter(|_| !straight) {
            let words = Some(from.start..to.end);
            findings.push(pair.finding(NAME, Stance::Contradicts, "direction_turned", words, Some(a.start..b.end)));
        }
    }
}

fn is_number(folded: &str) -> bool {
    folded.starts_with(|c: char| c.is_ascii_digit())
}

/// The numbers of each "from … to …" of a text.
fn ways(text: &ReadText) -> Vec<(Range<usize>, Range<usize>)> {
    let words = &text.words;
    let is = |at: usize, options: &[&str]| words.get(at).is_some_and(|word| options.contains(&word.folded.as_str()));
    let number_at = |at: usize| {
        let at = if is(at, &["about", "around", "some", "nearly", "almost", "over"]) { at + 1 } else { at };
        words.get(at).filter(|word| is_number(&word.folded)).map(|_| at..at + 1)
    };
    (0..words.len())
        .filter(|at| is(*at, &["from", "von", "de"]))
        .filter_map(|at| {
            let from = number_at(at + 1)?;
            let to = (from.end..from.end + 4).find(|at| is(*at, &["to", "auf", "a", "para"]))?;
            Some((from, number_at(to + 1)?))
        })
        .filter(|(from, to)| words[from.start].form != words[to.start].form)
        .collect()
}
