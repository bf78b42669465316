//! Opposites: "rose" against "fell", "legal" against "illegal", in the same slot.

use crate::verify::align::{LinkKind, SAME_SLOT};
use crate::verify::pair::Pair;
use crate::verify::{Finding, Stance};

pub(super) const NAME: &str = "opposite";

/// Least share of the claim's other content for an opposite to contradict.
const SAME_THING: f32 = 0.6;

pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    for (at, link) in pair.alignment.links.iter().enumerate() {
        let Some(link) = link.filter(|link| link.kind == LinkKind::Opposite) else { continue };
        let words = (Some(at..at + 1), Some(link.to..link.to + 1));
        let denied = pair.claim.words[at].negations % 2 != pair.evidence.words[link.to].negations % 2;
        let affinity = pair.alignment.affinity(pair.claim, at..at + 1, pair.evidence, link.to..link.to + 1);
        if denied {
            // "not dead" beside "alive".
            findings.push(pair.finding(NAME, Stance::Supports, "opposite_denied", words.0, words.1));
        } else if affinity >= SAME_SLOT
            && pair.is_about_the_same(at..at + 1, SAME_THING)
            && !super::role::sides_are_swapped(pair, at, link.to)
        {
            findings.push(pair.finding(NAME, Stance::Contradicts, "opposite", words.0, words.1));
        } else {
            findings.push(pair.finding(NAME, Stance::Missing, "opposite_nearby", words.0, words.1));
        }
    }
}
