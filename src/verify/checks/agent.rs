//! Who did what, in a sentence that says of two names two different things: "Alice wrote it, and Bob translated it" does
//! not say that Bob wrote it.

use crate::verify::align::NameLink;
use crate::verify::lexicon::lexicon;
use crate::verify::pair::{Pair, overlaps};
use crate::verify::reading::{ReadText, WordKind};
use crate::verify::{Finding, Stance};

const NAME: &str = "role";

/// Words between a name and the verb of which it is the subject.
const REACH: usize = 4;

pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    let Some((mention, link)) = pair.claim.mentions.iter().zip(&pair.alignment.names).next() else { return };
    let NameLink::Here(at) = *link else { return };
    if mention.words.start > 1 {
        return;
    }
    let named = pair
        .evidence
        .mentions
        .iter()
        .find(|other| other.words.contains(&at))
        .map_or(at..at + 1, |other| other.words.clone());
    let claimed_verb = verb_after(pair.claim, mention.words.end);
    if let Some(at) = claimed_verb
        && let Some(link) = pair.alignment.same(at)
        && is_recipient(pair, at, link.to, named.start)
    {
        findings.push(pair.finding(NAME, Stance::Missing, "done_to_it", Some(at..at + 1), Some(link.to..link.to + 1)));
        return;
    }
    let (Some(claimed), Some(stated)) = (claimed_verb, verb_after(pair.evidence, named.end)) else {
        return;
    };
    let words = Some(claimed..claimed + 1);
    if starts(&pair.claim.words[claimed].folded) && ends(&pair.evidence.words[stated].folded) {
        findings.push(pair.finding(NAME, Stance::Missing, "other_predicate", words, Some(stated..stated + 1)));
        return;
    }
    // The claim's verb is that of another name, and this name has a verb of its own.
    let Some(link) = pair.alignment.same(claimed) else { return };
    if link.to == stated || pair.evidence.words[stated].key == pair.claim.words[claimed].key {
        return;
    }
    let other = pair.evidence.mentions.iter().rev().find(|other| {
        !overlaps(&other.words, &named)
            && !other.value.demonym
            && verb_after(pair.evidence, other.words.end) == Some(link.to)
    });
    let is_foreign = other.is_some_and(|other| {
        let mut claimed_names = pair.claim.mentions.iter().map(|mention| &mention.value);
        !claimed_names.any(|name| name.matches(&other.value) == crate::text::NameMatch::Same)
    });
    if is_foreign && pair.evidence.words[stated].kind == WordKind::Content {
        findings.push(pair.finding(NAME, Stance::Missing, "done_by_another", words, Some(link.to..link.to + 1)));
    }
}

/// Whether the sentence has another do it to the name or take it from it: "sold it to Jon Lee".
fn is_recipient(pair: &Pair<'_>, claimed: usize, verb: usize, named: usize) -> bool {
    let word = |text: &ReadText, at: Option<usize>, options: &[&str]| {
        at.and_then(|at| text.words.get(at)).is_some_and(|word| options.contains(&word.folded.as_str()))
    };
    let passive = ["is", "are", "was", "were", "be", "been", "being"];
    verb < named
        && named - verb <= REACH + 1
        && !word(pair.claim, claimed.checked_sub(1), &passive)
        && word(pair.evidence, named.checked_sub(1), &["to", "from"])
        && pair.evidence.mentions.iter().any(|other| other.words.end <= verb)
}

/// The verb of which a name that ends before `from` is the subject, where it follows at once.
fn verb_after(text: &ReadText, from: usize) -> Option<usize> {
    for at in from..text.words.len().min(from + REACH) {
        let word = &text.words[at];
        if word.after_mark || word.capitalised || word.kind == WordKind::Slot {
            return None;
        }
        let past = word.folded.ends_with("ed") || lexicon().base(word.form).is_some() || starts(&word.folded);
        if word.is_content() && past {
            return Some(at);
        }
        let passes = matches!(
            word.folded.as_str(),
            "has"
                | "had"
                | "have"
                | "also"
                | "later"
                | "then"
                | "first"
                | "was"
                | "were"
                | "is"
                | "who"
                | "subsequently"
        );
        if !passes {
            return None;
        }
    }
    None
}

/// Verbs of coming into an office or a place.
fn starts(folded: &str) -> bool {
    matches!(
        folded,
        "became" | "become" | "becomes" | "joined" | "joins" | "appointed" | "started" | "began" | "entered"
    )
}

/// Verbs of leaving it.
fn ends(folded: &str) -> bool {
    matches!(
        folded,
        "stepped" | "resigned" | "left" | "quit" | "retired" | "departed" | "dismissed" | "fired" | "ousted" | "sacked"
    )
}
