//! What looks like the claim's thing and is a neighbour of it: another model of a name ("K2 Pro" for "K2"), another
//! dimension of a measure ("340 m long" for "340 m high"), another division of a body.

use crate::text::Agreement;
use crate::verify::pair::Pair;
use crate::verify::reading::{ReadText, WordKind};
use crate::verify::{Finding, Stance};

pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    check_models(pair, findings);
    check_divisions(pair, findings);
    check_dimensions(pair, findings);
}

/// Words that make another model of a name.
fn is_model(folded: &str) -> bool {
    matches!(
        folded,
        "pro"
            | "max"
            | "plus"
            | "mini"
            | "ultra"
            | "lite"
            | "air"
            | "se"
            | "xl"
            | "xs"
            | "nano"
            | "premium"
            | "deluxe"
            | "jr"
    )
}

/// The word after one, where nothing but a space or hyphen stands between.
fn extension(text: &ReadText, at: usize) -> Option<&str> {
    let (word, next) = (text.words.get(at)?, text.words.get(at + 1)?);
    let adjacent = text.text[word.span.end..next.span.start].trim_matches([' ', '-', '\u{a0}']).is_empty();
    (adjacent && word.capitalised && is_model(&next.folded) && next.capitalised).then_some(next.folded.as_str())
}

fn check_models(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    for (at, word) in pair.claim.words.iter().enumerate().filter(|(_, word)| word.capitalised) {
        let own = extension(pair.claim, at);
        let mut places = pair.evidence.places(word.key).peekable();
        let Some(first) = places.peek().copied() else { continue };
        if !is_model(&word.folded) && places.all(|to| extension(pair.evidence, to) != own) {
            let evidence = first..(first + 2).min(pair.evidence.words.len());
            findings.push(pair.finding("entity", Stance::Missing, "other_model", Some(at..at + 1), Some(evidence)));
        }
    }
}

/// Least share of the claim's other content for another division to contradict.
const NEARLY_ALL: f32 = 0.85;

/// "the IT department" beside "the finance department": a body's divisions are told apart by the word before.
fn check_divisions(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    let is_division = |folded: &str| matches!(folded, "department" | "ministry" | "faculty" | "division" | "committee");
    let told_by = |text: &ReadText, at: usize| {
        let article = at.checked_sub(2).is_some_and(|at| text.words[at].folded == "the");
        (article && !text.words[at].after_mark).then(|| at - 1)
    };
    for (at, word) in pair.claim.words.iter().enumerate().filter(|(_, word)| is_division(&word.folded)) {
        let Some(link) = pair.alignment.same(at) else { continue };
        let (Some(own), Some(other)) = (told_by(pair.claim, at), told_by(pair.evidence, link.to)) else { continue };
        let free = pair.alignment.links[own].is_none() && !pair.alignment.is_linked_from(other);
        let same = free && word.negations % 2 == 0 && pair.is_about_the_same(own..own + 1, NEARLY_ALL);
        if same && pair.neighbours_agree(at, link.to) {
            let words = (Some(own..own + 1), Some(other..other + 1));
            findings.push(pair.finding("entity", Stance::Contradicts, "other_division", words.0, words.1));
        }
    }
}

/// Which extent a word speaks of.
fn dimension(folded: &str) -> Option<u8> {
    Some(match folded {
        "high" | "tall" | "height" => 0,
        "long" | "length" => 1,
        "wide" | "width" | "broad" => 2,
        "deep" | "depth" => 3,
        "thick" | "thickness" => 4,
        "diameter" => 5,
        _ => return None,
    })
}

fn check_dimensions(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    for (quantity, link) in pair.claim.quantities.iter().zip(&pair.alignment.quantities) {
        let Some(link) = link.filter(|link| link.agreement == Agreement::Agrees) else { continue };
        let other = &pair.evidence.quantities[link.to];
        let after = |text: &ReadText, end: usize| {
            // The unit's reading may take the word in.
            (end.saturating_sub(1)..(end + 1).min(text.words.len())).find_map(|at| dimension(&text.words[at].folded))
        };
        let Some(stated) = after(pair.evidence, other.words.end) else { continue };
        let claimed = after(pair.claim, quantity.words.end).or_else(|| {
            let before = pair.claim.words[..quantity.words.start].iter().rev().take(4);
            before.filter(|word| word.kind != WordKind::Slot).find_map(|word| dimension(&word.folded))
        });
        if claimed.is_some_and(|claimed| claimed != stated) {
            let words = (Some(quantity.words.clone()), Some(other.words.clone()));
            findings.push(pair.finding("quantity", Stance::Missing, "other_dimension", words.0, words.1));
        }
    }
}
