//! Wording: a content word that stands where the evidence has another, between words that both share. What the two
//! have to do with each other no rule can tell, so the claim is not supported by that sentence.

use super::structure;
use crate::verify::pair::Pair;
use crate::verify::reading::WordKind;
use crate::verify::{Finding, Stance};

pub(super) const NAME: &str = "wording";

/// Words that a shared neighbour may be away on either side.
const REACH: usize = 3;

pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    let words = &pair.claim.words;
    for (at, word) in words.iter().enumerate() {
        if word.kind != WordKind::Content || pair.alignment.links[at].is_some() || pair.alignment.in_context[at] {
            continue;
        }
        if pair.claim.mentions.iter().any(|mention| mention.words.contains(&at) && !pair.is_weak_name(mention)) {
            continue;
        }
        if structure::is_record(pair.evidence) && structure::noun_says_it(pair, at) {
            continue;
        }
        let linked = |at: usize| pair.alignment.same(at).map(|link| link.to);
        let before = (at.saturating_sub(REACH)..at).rev().find_map(linked);
        let after = (at + 1..words.len().min(at + 1 + REACH)).find_map(linked);
        // "football player" beside "poker player".
        let next = linked(at + 1).filter(|_| at + 1 < words.len()).and_then(|after| after.checked_sub(1));
        if let Some(to) = next {
            let other = &pair.evidence.words[to];
            if other.is_content() && !pair.alignment.is_linked_from(to) && !pair.evidence.words[to + 1].after_mark {
                findings.push(pair.finding(NAME, Stance::Missing, "word_replaced", Some(at..at + 1), Some(to..to + 1)));
                continue;
            }
        }
        let gap = match (before, after) {
            (Some(before), Some(after)) if before < after && after - before <= REACH * 2 => before + 1..after,
            (Some(before), None) if at + 2 >= words.len() => {
                before + 1..pair.evidence.words.len().min(before + 1 + REACH)
            }
            (None, Some(after)) if at < 2 => after.saturating_sub(REACH)..after,
            _ => continue,
        };
        let clause = gap.clone().next().map_or(0, |to| pair.evidence.words[to].clause);
        let other = gap.clone().find(|to| {
            let other = &pair.evidence.words[*to];
            other.is_content() && !pair.alignment.is_linked_from(*to) && other.clause == clause
        });
        if let Some(to) = other {
            findings.push(pair.finding(NAME, Stance::Missing, "word_replaced", Some(at..at + 1), Some(to..to + 1)));
        }
    }
}
