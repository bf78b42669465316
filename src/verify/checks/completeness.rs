//! Completeness: what the sentence offers as one of several, shares among several or limits is not true of a part alone
//! ("in 1912 or 1915" does not say 1915), and what the claim adds must stand in the sentence too.

use std::ops::Range;

use crate::claim::verbs::{self, PAST, THIRD};
use crate::text::{Agreement, DateAgreement};
use crate::verify::align::NameLink;
use crate::verify::pair::Pair;
use crate::verify::reading::{ReadText, WordKind};
use crate::verify::{Finding, Stance};

pub(in crate::verify) const NAME: &str = "completeness";

pub(in crate::verify) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    let mut missing = |kind: &str, claim: Option<Range<usize>>, evidence: Option<Range<usize>>| {
        findings.push(pair.finding(NAME, Stance::Missing, kind, claim, evidence));
    };
    if let Some(at) = added_word(pair) {
        missing("word_not_found", Some(at..at + 1), None);
    }
    if let Some(to) = alternative(pair) {
        missing("one_of_alternatives", None, Some(to..to + 1));
    }
    if let Some(to) = shared_value(pair) {
        missing("value_of_several", None, Some(to..to + 1));
    }
    if let Some(to) = distributed(pair) {
        missing("respectively", None, Some(to..to + 1));
    }
    if let Some(at) = exception(pair) {
        missing("exception_not_found", Some(at..at + 1), None);
    }
    if let Some((at, to)) = ranked(pair) {
        missing("rank_differs", Some(at..at + 1), Some(to..to + 1));
    }
}

/// A word of content that neither the sentence nor its context holds.
fn added_word(pair: &Pair<'_>) -> Option<usize> {
    let named = |at: usize| {
        let names = pair.claim.mentions.iter().zip(&pair.alignment.names);
        names.filter(|(name, _)| name.words.contains(&at)).any(|(name, link)| {
            matches!(link, NameLink::Here(_) | NameLink::Context) || pair.is_weak_name(name) && name.words.start > 0
        })
    };
    let is_record = super::structure::is_record(pair.evidence);
    let in_value = |at: usize| pair.claim.quantities.iter().any(|quantity| quantity.words.contains(&at));
    (0..pair.claim.words.len()).find(|at| {
        let word = &pair.claim.words[*at];
        word.kind == WordKind::Content
            && pair.alignment.links[*at].is_none()
            && !pair.alignment.in_context[*at]
            && !named(*at)
            && !in_value(*at)
            // A field of a record has no verb of its own.
            && !(is_record && super::structure::is_verb(word))
            && !(is_class(&word.folded) && (at + 1..=at + 3).any(|next| named(next)))
            && !(*at < 2 && is_interjection(&word.folded))
    })
}

/// "the firm Brack Ironworks": says of what kind a name is that the sentence gives without it.
fn is_class(folded: &str) -> bool {
    matches!(
        folded,
        "firm"
            | "company"
            | "city"
            | "town"
            | "village"
            | "island"
            | "river"
            | "mountain"
            | "lake"
            | "country"
            | "state"
            | "book"
            | "film"
            | "song"
            | "album"
            | "group"
            | "organisation"
            | "organization"
            | "newspaper"
            | "magazine"
    )
}

/// "Yes, …", "Well, …".
fn is_interjection(folded: &str) -> bool {
    matches!(
        folded,
        "yes"
            | "yeah"
            | "yea"
            | "yep"
            | "oh"
            | "ah"
            | "sure"
            | "absolutely"
            | "well"
            | "ok"
            | "okay"
            | "right"
            | "certainly"
            | "definitely"
            | "sim"
            | "ja"
            | "oui"
            | "hi"
            | "hello"
            | "wow"
            | "hmm"
    )
}

fn is_or(folded: &str) -> bool {
    matches!(folded, "or" | "ou" | "oder" | "nor")
}

/// Places of the evidence that a word or an agreeing value of the claim stands for.
fn held(pair: &Pair<'_>) -> Vec<bool> {
    let mut held: Vec<bool> = (0..pair.evidence.words.len()).map(|to| pair.alignment.is_linked_from(to)).collect();
    let mut mark = |words: &Range<usize>| held[words.clone()].iter_mut().for_each(|held| *held = true);
    for link in pair.alignment.quantities.iter().flatten().filter(|link| link.agreement == Agreement::Agrees) {
        mark(&pair.evidence.quantities[link.to].words);
    }
    for link in pair.alignment.dates.iter().flatten().filter(|link| link.agreement == DateAgreement::Contains) {
        mark(&pair.evidence.dates[link.to].words);
    }
    held
}

/// "X or Y", of which the claim states one as a fact.
fn alternative(pair: &Pair<'_>) -> Option<usize> {
    if pair.claim.words.iter().any(|word| is_or(&word.folded) || word.hedged) {
        return None;
    }
    let words = &pair.evidence.words;
    let held = held(pair);
    let counts = |at: &usize| words[*at].kind != WordKind::Function;
    (1..words.len()).find(|at| {
        if !is_or(&words[*at].folded) || words[*at].bracket_of.is_some() || words[*at].negations % 2 == 1 {
            return false;
        }
        let before = (at.saturating_sub(3)..*at).rev().find(counts);
        let after = (*at + 1..words.len().min(*at + 4)).find(counts);
        let (Some(before), Some(after)) = (before, after) else { return false };
        let denied = words[after].negations % 2 == 1 && words[before].negations % 2 == 1;
        // "or simply metal", "or more": another name, a bound.
        let other_name = words.get(*at + 1).is_some_and(|next| {
            matches!(
                next.folded.as_str(),
                "simply"
                    | "more"
                    | "less"
                    | "fewer"
                    | "so"
                    | "not"
                    | "rather"
                    | "later"
                    | "about"
                    | "earlier"
                    | "otherwise"
            )
        });
        // "4.10 under one rule, or 4.85 under another": each has its own terms.
        let alike = (words[before].kind == WordKind::Slot) == (words[after].kind == WordKind::Slot);
        alike && held[before] != held[after] && !denied && !other_name
    })
}

/// "The flood and the landslide killed 30": a value of both is not that of one; "26 miles and 385 yards" is one value.
fn shared_value(pair: &Pair<'_>) -> Option<usize> {
    let agreeing: Vec<usize> = pair
        .alignment
        .quantities
        .iter()
        .flatten()
        .filter(|link| link.agreement == Agreement::Agrees)
        .map(|link| link.to)
        .collect();
    if agreeing.is_empty() {
        return None;
    }
    let words = &pair.evidence.words;
    let and =
        |at: usize| words.get(at).is_some_and(|word| matches!(word.folded.as_str(), "and" | "e" | "und" | "et" | "y"));
    for &at in &agreeing {
        let value = &pair.evidence.quantities[at];
        let part_of = pair.evidence.quantities.iter().find(|other| {
            let adjacent = other.words.start == value.words.end + 1 && and(value.words.end)
                || value.words.start == other.words.end + 1 && and(other.words.end);
            let kin = matches!((&value.value.unit, &other.value.unit), (Some(a), Some(b)) if a.dimension == b.dimension && a.symbol != b.symbol);
            adjacent && kin
        });
        if let Some(other) = part_of {
            let claimed =
                pair.claim.quantities.iter().any(|quantity| quantity.value.agrees(&other.value) == Agreement::Agrees);
            if !claimed {
                return Some(other.words.start);
            }
        }
    }
    let noun = |at: usize| {
        words.get(at).is_some_and(|word| {
            word.kind == WordKind::Content && verbs::forms(&word.folded) & (PAST | THIRD) == 0 && !word.after_mark
        })
    };
    (1..words.len().saturating_sub(1)).find(|at| {
        if !and(*at) || !noun(at - 1) {
            return false;
        }
        let next = if words[*at + 1].kind == WordKind::Function { *at + 2 } else { *at + 1 };
        if !noun(next) || words[at - 1].capitalised != words[next].capitalised {
            return false;
        }
        let (a, b) = (pair.alignment.is_linked_from(at - 1), pair.alignment.is_linked_from(next));
        a != b
    })
}

/// "…, respectively": which belongs to which is told by their order.
fn distributed(pair: &Pair<'_>) -> Option<usize> {
    let tells = |text: &ReadText| text.words.iter().position(|word| word.folded == "respectively");
    let at = tells(pair.evidence)?;
    tells(pair.claim).is_none().then_some(at)
}

/// "all but three", "except on Sundays", "even if": an exception that only the claim makes.
fn exception(pair: &Pair<'_>) -> Option<usize> {
    let at = |text: &ReadText| {
        let words = &text.words;
        (0..words.len()).find(|at| {
            let next = words.get(at + 1).map_or("", |word| word.folded.as_str());
            let before = at.checked_sub(1).map_or("", |before| words[before].folded.as_str());
            match words[*at].folded.as_str() {
                "but" => matches!(before, "all" | "everything" | "everyone" | "nothing" | "none" | "anything"),
                "except" | "excluding" | "excepting" | "barring" | "regardless" | "despite" => true,
                "even" => matches!(next, "if" | "though" | "when" | "without"),
                "apart" => next == "from",
                _ => false,
            }
        })
    };
    at(pair.claim).filter(|_| at(pair.evidence).is_none())
}

/// "the second-highest peak", "one of the highest peaks" beside "the highest peak".
fn ranked(pair: &Pair<'_>) -> Option<(usize, usize)> {
    let rank = |text: &ReadText, at: usize| {
        let before = at.checked_sub(1).map_or("", |before| text.words[before].folded.as_str());
        let ordinal = matches!(
            before,
            "second" | "third" | "fourth" | "fifth" | "sixth" | "seventh" | "eighth" | "ninth" | "tenth"
        ) || before.ends_with("th") && before.starts_with(|c: char| c.is_ascii_digit())
            || matches!(before, "2nd" | "3rd");
        let from = at.saturating_sub(6);
        let among = (from..at).any(|at| {
            matches!(text.words[at].folded.as_str(), "one" | "among")
                && text.words.get(at + 1).is_some_and(|next| matches!(next.folded.as_str(), "of" | "the"))
        });
        (ordinal, among)
    };
    let is_superlative = |at: usize| {
        let folded = &pair.claim.words[at].folded;
        let before = at.checked_sub(1).map_or("", |before| pair.claim.words[before].folded.as_str());
        folded.len() > 4 && folded.ends_with("est")
            || matches!(before, "most" | "least")
            || matches!(folded.as_str(), "best" | "worst" | "first" | "only")
    };
    pair.alignment.links.iter().enumerate().find_map(|(at, link)| {
        let link = link.filter(|_| pair.claim.words[at].is_content() && is_superlative(at))?;
        let (claim, evidence) = (rank(pair.claim, at), rank(pair.evidence, link.to));
        (evidence.0 && !claim.0 || evidence.1 && !claim.1 || claim.0 && !evidence.0).then_some((at, link.to))
    })
}
