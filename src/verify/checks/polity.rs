//! A place that stands for itself: who acts, owns or borders. There a place within another is another thing ("the border
//! between Italy and Austria" is not that between Verona and Austria), while "in Verona" only says more than "in Italy".

use std::ops::Range;

use crate::text::{Mention, MentionKind};
use crate::verify::lexicon::lexicon;
use crate::verify::pair::Pair;
use crate::verify::reading::{Placed, ReadText};

/// Most words between a place and the preposition that it hangs on: "in Malta, Sweden and northern Italy".
const REACH: usize = 8;

/// Whether two places of which one may lie in the other exclude each other, because both stand for themselves.
pub(super) fn exclude_each_other(pair: &Pair<'_>, claim: &Placed<Mention>, evidence: &Placed<Mention>) -> bool {
    // Most towns are not known as such.
    let place = |name: &Mention| matches!(name.kind, MentionKind::Place | MentionKind::Name) && !name.demonym;
    let places = place(&claim.value) && place(&evidence.value);
    let (level, other) = (lexicon().region(&claim.value.key), lexicon().region(&evidence.value.key));
    places
        && level.is_some() != other.is_some()
        && !lexicon().is_capital_of(&claim.value.key, &evidence.value.key)
        && !lexicon().is_capital_of(&evidence.value.key, &claim.value.key)
        && stands_for_itself(pair.claim, &claim.words)
        && stands_for_itself(pair.evidence, &evidence.words)
}

/// Whether a place is what acts, has or is beside another, and not where something is.
fn stands_for_itself(text: &ReadText, place: &Range<usize>) -> bool {
    let end = text.span_of(place.clone()).end;
    let owns = ["'s ", "\u{2019}s ", "' ", "\u{2019} "].iter().any(|mark| text.text[end..].starts_with(mark));
    owns || !is_located(text, place.start)
}

/// Whether the place hangs on a preposition that says where.
fn is_located(text: &ReadText, start: usize) -> bool {
    for word in text.words[start.saturating_sub(REACH)..start].iter().rev() {
        match word.folded.as_str() {
            "in" | "at" | "from" | "to" | "near" | "into" | "on" | "onto" | "across" | "within" | "throughout"
            | "around" | "outside" | "over" | "through" | "toward" | "towards" | "for" | "of" | "off" | "em" | "de"
            | "para" | "en" | "nach" | "aus" | "von" | "dans" | "du" | "da" | "do" => return true,
            // "northern", "present-day", "the", and the places before it in a list.
            "the" | "and" | "or" | "e" | "y" | "und" | "et" | "present" | "day" | "modern" | "now" | "what" | "is"
            | "today" | "north" | "south" | "east" | "west" | "central" | "both" | "neighboring" | "neighbouring" => {}
            folded if folded.ends_with("ern") => {}
            _ if word.capitalised => {}
            _ => return false,
        }
    }
    false
}
