//! Parts of a whole: "half of the 48 rooms are booked", "of the 120 tickets, 90 were sold", "900 people, 300 of them in Spain".
//!
//! What is said of the part is not said of the whole, the part of a whole that is told by a share can be computed, and what
//! is denied of the part holds of the rest. Each computation is shown.

use std::ops::Range;

use super::align::LinkKind;
use super::derived;
use super::pair::Pair;
use super::reading::{Placed, ReadText};
use super::{Finding, Stance};
use crate::text::{Quantity, QuantityKind};

/// Least share of the claim's other content for the part's number to refute another.
const SAME_THING: f32 = 0.7;
/// Most words between a whole and its part.
const APART: usize = 3;
/// Most words that say what the part is.
const TOLD_WITHIN: usize = 5;

/// A whole, its part and how the part's number is known.
struct Parting<'a> {
    whole: &'a Placed<Quantity>,
    part: f64,
    /// Where both stand.
    words: Range<usize>,
    /// How the part was computed, where it is told by a share.
    shown: Option<String>,
    /// What tells the part from the whole, where the sentence speaks of the whole first ("of them *in Spain*").
    told: Range<usize>,
}

/// What the sentence's part and whole say of one of the claim's numbers; whether they settle it.
pub(super) fn check(pair: &Pair<'_>, quantity: &Placed<Quantity>, findings: &mut Vec<Finding>) -> bool {
    if !matches!(quantity.value.kind, QuantityKind::Count | QuantityKind::Money | QuantityKind::Measure)
        || find(pair.claim).is_some()
    {
        return false;
    }
    let Some(parting) = find(pair.evidence) else { return false };
    let whole = parting.whole.value.low;
    let same_noun = match (&quantity.value.counted, &parting.whole.value.counted) {
        (Some(own), Some(other)) => own == other,
        _ => true,
    };
    if !same_noun
        || !derived::comparable(&quantity.value, &parting.whole.value)
        || !shares_predicate(pair, quantity, &parting)
    {
        return false;
    }
    let fits = |value: f64| derived::fits(&quantity.value, value);
    let rest = whole - parting.part;
    let of_rest = speaks_of_rest(pair);
    let told = parting.told.clone().any(|to| pair.evidence.words[to].is_content() && pair.alignment.is_linked_from(to));
    let by_whole = !parting.told.is_empty();
    let (kind, holds, shown) = if of_rest {
        let subtraction =
            format!("{} − {} = {}", derived::shown(whole), derived::shown(parting.part), derived::shown(rest));
        ("derived_remainder", fits(rest), Some(subtraction))
    } else if by_whole && (fits(whole) || fits(parting.part)) {
        // The whole where the claim does not name what the part is, else the part.
        if fits(if told { parting.part } else { whole }) {
            return false;
        }
        ("part_for_whole", false, None)
    } else if let Some(shown) = parting.shown.clone() {
        ("derived_share", fits(parting.part), Some(shown))
    } else if fits(whole) && !fits(parting.part) && !by_whole {
        ("whole_for_part", false, None)
    } else {
        return false;
    };
    settle(pair, quantity, findings, kind, holds, &parting, shown);
    true
}

fn settle(
    pair: &Pair<'_>,
    quantity: &Placed<Quantity>,
    findings: &mut Vec<Finding>,
    kind: &str,
    holds: bool,
    parting: &Parting<'_>,
    shown: Option<String>,
) {
    let span = pair.claim.span_of(quantity.words.clone());
    for finding in findings.iter_mut() {
        let about_it = finding.claim_span.is_some_and(|other| other.overlaps(span));
        let of_rest = kind == "derived_remainder"
            && matches!(
                finding.kind.as_str(),
                "polarity_differs" | "negation_mismatch" | "denial_not_found" | "opposite" | "opposite_nearby"
            );
        if about_it && matches!(finding.check.as_str(), "quantity" | "binding") || of_rest {
            finding.stance = Stance::Notes;
        }
    }
    let stance = match holds {
        true => Stance::Supports,
        false if pair.is_about_the_same(quantity.words.clone(), SAME_THING) => Stance::Contradicts,
        false => Stance::Missing,
    };
    let check = if shown.is_some() { derived::NAME } else { "quantity" };
    let kind = if holds || shown.is_none() { kind } else { "derived_mismatch" };
    let mut finding = pair.finding(check, stance, kind, Some(quantity.words.clone()), Some(parting.words.clone()));
    finding.detail = shown;
    findings.push(finding);
}

/// Whether claim and sentence share more than the number and what is counted.
fn shares_predicate(pair: &Pair<'_>, quantity: &Placed<Quantity>, parting: &Parting<'_>) -> bool {
    (0..pair.claim.words.len()).any(|at| {
        !quantity.words.contains(&at)
            && pair.claim.words[at].is_content()
            && pair.alignment.links[at]
                .is_some_and(|link| !parting.words.contains(&link.to) || parting.told.contains(&link.to))
    })
}

/// Whether the claim says of what is left what the sentence denies of it: "were not sold", "remained unsold".
fn speaks_of_rest(pair: &Pair<'_>) -> bool {
    let denies = |text: &ReadText| text.words.iter().any(|word| word.negation_head && word.negations % 2 == 1);
    let opposite = pair.alignment.links.iter().flatten().any(|link| link.kind == LinkKind::Opposite);
    (denies(pair.claim) != denies(pair.evidence)) != opposite
}

/// The first part and whole of a text.
fn find(text: &ReadText) -> Option<Parting<'_>> {
    let word = |at: usize| text.words.get(at).map_or("", |word| word.folded.as_str());
    let determiner =
        |folded: &str| matches!(folded, "the" | "its" | "his" | "her" | "their" | "all" | "these" | "those");
    text.quantities
        .iter()
        .find_map(|whole| {
            let is_count =
                matches!(whole.value.kind, QuantityKind::Count | QuantityKind::Money | QuantityKind::Measure);
            let total = derived::plain(&whole.value).filter(|total| is_count && *total > 0.0)?;
            let mut before = whole.words.start;
            while before > 0 && determiner(word(before - 1)) {
                before -= 1;
            }
            let of = before.checked_sub(1).filter(|at| word(*at) == "of" && before < whole.words.start)?;
            let opens = of == 0 || text.words[of].after_mark;
            if opens { led(text, whole, total, of) } else { shared(text, whole, total, of) }
        })
        .or_else(|| text.quantities.windows(2).find_map(|two| followed(text, &two[0], &two[1])))
}

/// "Of the 120 tickets, 90 were sold".
fn led<'a>(text: &'a ReadText, whole: &'a Placed<Quantity>, total: f64, of: usize) -> Option<Parting<'a>> {
    let part = text.quantities.iter().find(|other| {
        other.words.start >= whole.words.end
            && other.words.start - whole.words.end <= APART
            && text.words[other.words.start].after_mark
            && other.value.kind == QuantityKind::Count
            && other
                .value
                .counted
                .as_ref()
                .is_none_or(|noun| Some(noun) == whole.value.counted.as_ref() || is_verb(noun))
    })?;
    let value = derived::plain(&part.value).filter(|value| *value <= total)?;
    Some(Parting { whole, part: value, words: of..part.words.start + 1, shown: None, told: 0..0 })
}

fn is_verb(noun: &str) -> bool {
    crate::claim::verbs::forms(noun) != 0
}

/// "half of the 48 rooms", "25% of the 200 boats", "40 of the 65 houses".
fn shared<'a>(text: &'a ReadText, whole: &'a Placed<Quantity>, total: f64, of: usize) -> Option<Parting<'a>> {
    let word = |at: Option<usize>| at.and_then(|at| text.words.get(at)).map_or("", |word| word.folded.as_str());
    let share = text
        .quantities
        .iter()
        .find(|other| {
            other.words.contains(&(of.checked_sub(1).unwrap_or(usize::MAX)))
                && other.words.start < of
                && other.words.start != whole.words.start
        })
        .filter(|other| !other.words.contains(&whole.words.start) || other.value.parts.is_none());
    let computed = |ratio: f64, start: usize, how: String| {
        let part = total * ratio;
        let shown = format!("{how} × {} = {}", derived::shown(total), derived::shown(part));
        Parting { whole, part, words: start..whole.words.end, shown: Some(shown), told: 0..0 }
    };
    match share {
        Some(share) if share.value.kind == QuantityKind::Percent => {
            let percent = derived::plain(&share.value)?;
            Some(computed(percent / 100.0, share.words.start, format!("{} %", derived::shown(percent))))
        }
        Some(share) if share.value.kind == QuantityKind::Ratio => {
            let (part, parts) = share.value.parts?;
            Some(computed(
                part / parts,
                share.words.start,
                format!("{} / {}", derived::shown(part), derived::shown(parts)),
            ))
        }
        Some(share) if share.value.kind == QuantityKind::Count => {
            let part = derived::plain(&share.value).filter(|part| *part <= total)?;
            Some(Parting { whole, part, words: share.words.start..whole.words.end, shown: None, told: 0..0 })
        }
        None if word(of.checked_sub(1)) == "half" => Some(computed(0.5, of - 1, "1 / 2".to_owned())),
        _ => None,
    }
}

/// "900 people, 300 of them in Spain", "80 seats, of which 50 were taken".
fn followed<'a>(text: &'a ReadText, whole: &'a Placed<Quantity>, part: &'a Placed<Quantity>) -> Option<Parting<'a>> {
    let word = |at: usize| text.words.get(at).map_or("", |word| word.folded.as_str());
    let refers = |at: usize| matches!(word(at), "them" | "whom" | "which");
    let start = text.words_in(part.value.number_span).start;
    let end = text.words_in(part.value.number_span).end;
    let after = word(end) == "of" && refers(end + 1);
    let before = start >= 2 && refers(start - 1) && word(start - 2) == "of";
    if !(after || before) || start < whole.words.end || start - whole.words.end > APART {
        return None;
    }
    let (total, value) = (derived::plain(&whole.value)?, derived::plain(&part.value)?);
    let from = if after { end + 2 } else { end };
    let to = (from..text.words.len()).find(|at| *at > from && text.words[*at].after_mark).unwrap_or(text.words.len());
    let told = from..to.min(from + TOLD_WITHIN);
    (value <= total && !told.is_empty()).then_some(Parting {
        whole,
        part: value,
        words: whole.words.start..end,
        shown: None,
        told,
    })
}
