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
    let (Some(claimed), Some(stated)) =
        (verb_after(pair.claim, mention.words.end), verb_after(pair.evidence, named.end))
    else {
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
