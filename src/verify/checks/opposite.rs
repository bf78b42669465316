//! Opposites: "rose" against "fell", "legal" against "illegal", in the same slot.

use crate::text::Mention;
use crate::verify::align::{LinkKind, NameLink};
use crate::verify::lexicon::lexicon;
use crate::verify::pair::Pair;
use crate::verify::reading::{Placed, ReadText};
use crate::verify::slots::SAME_SLOT;
use crate::verify::{Finding, Stance};

pub(super) const NAME: &str = "opposite";

/// Least share of the claim's other content for an opposite to contradict.
const SAME_THING: f32 = 0.75;

pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    for (at, link) in pair.alignment.links.iter().enumerate() {
        let Some(link) = link.filter(|link| link.kind == LinkKind::Opposite) else { continue };
        let words = (Some(at..at + 1), Some(link.to..link.to + 1));
        let in_name = |mentions: &[Placed<Mention>], at: usize| {
            mentions.iter().any(|mention| mention.words.len() > 1 && mention.words.contains(&at))
        };
        if in_name(&pair.claim.mentions, at) || in_name(&pair.evidence.mentions, link.to) {
            continue;
        }
        let denied = pair.claim.words[at].negations % 2 != pair.evidence.words[link.to].negations % 2;
        let affinity = pair.alignment.affinity(pair.claim, at..at + 1, pair.evidence, link.to..link.to + 1);
        let person = is_person(&pair.claim.words[at].folded);
        let named = pair.alignment.names.iter().any(|name| matches!(name, NameLink::Here(_) | NameLink::Context));
        let some = |text: &ReadText| text.words.iter().any(|word| word.folded == "some");
        let loose = person && !named || some(pair.claim) && some(pair.evidence) || is_title(pair, at, link.to);
        if denied && person || changes_hands(pair, at, link.to) {
            continue;
        }
        if denied {
            // "not dead" beside "alive".
            findings.push(pair.finding(NAME, Stance::Supports, "opposite_denied", words.0, words.1));
        } else if affinity >= SAME_SLOT
            && !loose
            && pair.neighbours_agree(at, link.to)
            && pair.is_about_the_same(at..at + 1, SAME_THING)
            && !super::role::sides_are_swapped(pair, at, link.to)
        {
            findings.push(pair.finding(NAME, Stance::Contradicts, "opposite", words.0, words.1));
        } else {
            findings.push(pair.finding(NAME, Stance::Missing, "opposite_nearby", words.0, words.1));
        }
    }
    ends_of_an_order(pair, findings);
    others_of_a_set(pair, findings);
}

/// "can be bought" beside "is sold": the same deed, told of the thing that changes hands.
fn changes_hands(pair: &Pair<'_>, at: usize, to: usize) -> bool {
    let passive = |text: &ReadText, at: usize| {
        let before = &text.words[at.saturating_sub(2)..at];
        before.iter().any(|word| matches!(word.folded.as_str(), "is" | "are" | "was" | "were" | "be" | "been"))
    };
    let trades =
        |folded: &str| matches!(folded, "bought" | "sold" | "purchased" | "lent" | "borrowed" | "given" | "received");
    trades(&pair.claim.words[at].folded)
        && trades(&pair.evidence.words[to].folded)
        && passive(pair.claim, at)
        && passive(pair.evidence, to)
}

/// Kinds of people: "in men" and "in women" are two statements, "her son" and "her daughter" of one name are not.
fn is_person(folded: &str) -> bool {
    matches!(
        folded,
        "man"
            | "men"
            | "woman"
            | "women"
            | "boy"
            | "boys"
            | "girl"
            | "girls"
            | "male"
            | "males"
            | "female"
            | "females"
            | "husband"
            | "wife"
            | "gentleman"
            | "lady"
    )
}

/// "Bad Romance": a word written with a capital where a sentence has none is a part of a title.
fn is_title(pair: &Pair<'_>, claim: usize, evidence: usize) -> bool {
    let titled = |text: &ReadText, at: usize| {
        text.words[at].capitalised
            && (at > 0 && !text.words[at].after_mark || text.words.get(at + 1).is_some_and(|next| next.capitalised))
    };
    titled(pair.claim, claim) != titled(pair.evidence, evidence)
}

/// Least share of the claim's other content for another word of a closed set to contradict.
const NEARLY_ALL: f32 = 0.85;

/// "white roof" beside "a green roof and a white door": the place of what stands before the same noun instead.
fn moved_attribute(pair: &Pair<'_>, at: usize) -> Option<usize> {
    let head = pair.alignment.same(at + 1).filter(|_| !pair.claim.words[at + 1].after_mark)?.to;
    let beside = head.checked_sub(1)?;
    let own = pair.alignment.same(at)?.to;
    let (word, other) = (&pair.claim.words[at], &pair.evidence.words[beside]);
    (own != beside && !pair.evidence.words[head].after_mark && lexicon().exclude_each_other(word.form, other.form))
        .then_some(beside)
}

/// "green" where the sentence says "blue", "Tuesday" where it says "Friday": words that exclude each other.
fn others_of_a_set(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    let in_date = |at: usize| pair.claim.dates.iter().any(|date| date.words.contains(&at));
    for (at, word) in pair.claim.words.iter().enumerate() {
        let moved = moved_attribute(pair, at);
        let open =
            (pair.alignment.links[at].is_none() && !pair.alignment.in_context[at] || moved.is_some()) && !in_date(at);
        let named = |mentions: &[Placed<Mention>], at: usize| {
            mentions.iter().any(|mention| mention.words.len() > 1 && mention.words.contains(&at))
        };
        if !open || word.negations % 2 == 1 || named(&pair.claim.mentions, at) {
            continue;
        }
        let other = (0..pair.evidence.words.len())
            .filter(|to| {
                let other = &pair.evidence.words[*to];
                lexicon().exclude_each_other(word.form, other.form)
                    && other.negations.is_multiple_of(2)
                    && !other.hedged
                    && !pair.alignment.is_linked_from(*to)
                    && !named(&pair.evidence.mentions, *to)
                    && moved.is_none_or(|beside| beside == *to)
            })
            .map(|to| (pair.alignment.affinity(pair.claim, at..at + 1, pair.evidence, to..to + 1), to))
            .max_by(|a, b| a.0.total_cmp(&b.0));
        let Some((affinity, to)) = other else { continue };
        let same = (affinity >= SAME_SLOT || moved.is_some())
            && (moved.is_some() || pair.neighbours_agree(at, to))
            && !pair.is_alternative(&(to..to + 1))
            && pair.is_about_the_same(at..at + 1, NEARLY_ALL);
        let (stance, kind) =
            if same { (Stance::Contradicts, "other_of_set") } else { (Stance::Missing, "other_of_set_nearby") };
        findings.push(pair.finding(NAME, stance, kind, Some(at..at + 1), Some(to..to + 1)));
    }
}

/// "first" is an ordinal and "last" a word: they are opposites all the same.
fn ends_of_an_order(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    let is_end = |folded: &str| match folded {
        "first" | "initial" => Some(true),
        "last" | "final" => Some(false),
        _ => None,
    };
    for (at, word) in pair.claim.words.iter().enumerate() {
        let Some(first) = is_end(&word.folded).filter(|_| pair.alignment.links[at].is_none()) else { continue };
        let opposed = (0..pair.evidence.words.len())
            .filter(|to| {
                is_end(&pair.evidence.words[*to].folded) == Some(!first) && !pair.alignment.is_linked_from(*to)
            })
            .map(|to| (pair.alignment.affinity(pair.claim, at..at + 1, pair.evidence, to..to + 1), to))
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .filter(|(affinity, _)| *affinity >= SAME_SLOT * 2.0);
        if let Some((_, to)) = opposed
            && pair.is_about_the_same(at..at + 1, SAME_THING)
        {
            findings.push(pair.finding(NAME, Stance::Contradicts, "opposite", Some(at..at + 1), Some(to..to + 1)));
        }
    }
}
