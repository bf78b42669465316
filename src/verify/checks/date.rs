//! Dates: compared in the slot in which they stand; a range that contains the evidence's date is supported by it.

use std::ops::Range;

use crate::text::DateAgreement;
use crate::verify::pair::Pair;
use crate::verify::reading::{ReadText, Word};
use crate::verify::slots::SAME_SLOT;
use crate::verify::{Finding, Stance};

pub(super) const NAME: &str = "date";

/// Least share of the claim's other content for a differing date to contradict.
const SAME_THING: f32 = 0.55;
/// The same where the year is a part of an event's name.
const SAME_EVENT: f32 = 0.85;

pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    for (date, link) in pair.claim.dates.iter().zip(&pair.alignment.dates) {
        let claim_words = date.words.clone();
        let Some(link) = link else {
            findings.push(pair.finding(NAME, Stance::Missing, "date_not_found", Some(claim_words), None));
            continue;
        };
        let evidence_words = pair.evidence.dates[link.to].words.clone();
        let (stance, kind) = match link.agreement {
            DateAgreement::Contains | DateAgreement::MorePrecise if other_part(pair, &claim_words, &evidence_words) => {
                let same = pair.is_about_the_same(claim_words.clone(), SAME_THING);
                (if same { Stance::Contradicts } else { Stance::Missing }, "date_mismatch")
            }
            DateAgreement::Contains => (Stance::Supports, "date_agrees"),
            DateAgreement::MorePrecise => (Stance::Missing, "more_precise_than_source"),
            DateAgreement::Ambiguous => (Stance::Missing, "ambiguous_date"),
            DateAgreement::Incomparable => (Stance::Missing, "date_not_found"),
            DateAgreement::Differs => {
                let same = link.affinity >= SAME_SLOT
                    && !(is_edition(pair.claim, &claim_words) && is_edition(pair.evidence, &evidence_words))
                    && !pair.is_denied(&claim_words)
                    && pair.holds_governor(&claim_words)
                    && !pair.is_alternative(&evidence_words)
                    && pair.is_about_the_same(claim_words.clone(), needed(pair, &claim_words, &evidence_words));
                if same { (Stance::Contradicts, "date_mismatch") } else { (Stance::Missing, "date_not_found") }
            }
        };
        let evidence_words = (kind != "date_not_found").then_some(evidence_words);
        findings.push(pair.finding(NAME, stance, kind, Some(claim_words), evidence_words));
    }
}

/// The share of the rest that must be the same: of an event that its year names, another year is another event.
fn needed(pair: &Pair<'_>, claim: &Range<usize>, evidence: &Range<usize>) -> f32 {
    let names = names_event(pair.claim, claim) || names_event(pair.evidence, evidence);
    if names { SAME_EVENT } else { SAME_THING }
}

/// "The 2019 edition lists …": what another year's edition does is another statement.
fn is_edition(text: &ReadText, date: &Range<usize>) -> bool {
    let names = text.words.get(date.end).is_some_and(|word| {
        let of_a_year = matches!(
            word.folded.as_str(),
            "edition"
                | "issue"
                | "season"
                | "census"
                | "survey"
                | "report"
                | "budget"
                | "festival"
                | "tournament"
                | "championship"
        );
        of_a_year && !word.after_mark
    });
    names && text.words[..date.start].iter().all(|word| !word.is_content())
}

/// "the 2018 Winter Olympics", "Blade Runner 2049": a year that is a part of a name.
pub(super) fn names_event(text: &ReadText, date: &Range<usize>) -> bool {
    let bare = date.len() == 1 && text.words[date.start].folded.bytes().all(|b| b.is_ascii_digit());
    let adjacent = |at: usize| text.words.get(at).is_some_and(|word| word.capitalised && !word.after_mark);
    let before = date.start.checked_sub(1).filter(|_| !text.words[date.start].after_mark);
    let closes = before.is_some_and(|at| text.mentions.iter().any(|name| name.words.contains(&at) && at > 0));
    bare && text.words[date.start].bracket_of.is_none() && (adjacent(date.end) || closes)
}

/// Whether the two dates name other parts of one time: "early 1974" and "late 1974".
fn other_part(pair: &Pair<'_>, claim: &Range<usize>, evidence: &Range<usize>) -> bool {
    let part = |words: &[Word], range: &Range<usize>| {
        words[range.start.saturating_sub(1)..range.end].iter().find_map(|word| match word.folded.as_str() {
            "early" | "beginning" => Some(0),
            "mid" | "middle" => Some(1),
            "late" | "end" => Some(2),
            _ => None,
        })
    };
    matches!((part(&pair.claim.words, claim), part(&pair.evidence.words, evidence)), (Some(a), Some(b)) if a != b)
}
