//! Negation: what the claim affirms and the evidence denies, or the other way round.

use crate::verify::align::LinkKind;
use crate::verify::pair::Pair;
use crate::verify::{Finding, Stance};

pub(super) const NAME: &str = "negation";

/// Least share of the claim's content for a differing polarity to contradict.
const SAME_THING: f32 = 0.6;

pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    let mut denied_elsewhere = None;
    for (at, link) in pair.alignment.links.iter().enumerate() {
        let word = &pair.claim.words[at];
        let Some(link) = link.filter(|link| link.kind != LinkKind::Opposite) else {
            if word.negation_head && word.negations % 2 == 1 && word.is_content() {
                denied_elsewhere.get_or_insert(at);
            }
            continue;
        };
        let other = &pair.evidence.words[link.to];
        if !(word.negation_head || other.negation_head) || word.negations % 2 == other.negations % 2 {
            continue;
        }
        let (stance, kind) = if pair.is_about_the_same(0..0, SAME_THING) {
            (Stance::Contradicts, "negation_mismatch")
        } else {
            (Stance::Missing, "polarity_differs")
        };
        findings.push(pair.finding(NAME, stance, kind, Some(at..at + 1), Some(link.to..link.to + 1)));
        return;
    }
    if let Some(at) = denied_elsewhere {
        findings.push(pair.finding(NAME, Stance::Missing, "denial_not_found", Some(at..at + 1), None));
    }
}
