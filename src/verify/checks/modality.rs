//! Modality: what may be, was planned or is alleged is no fact.

use crate::verify::pair::Pair;
use crate::verify::{Finding, Stance};

pub(super) const NAME: &str = "modality";

pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    let (mut hedged, mut linked) = (0, 0);
    let mut first = None;
    for (at, word) in pair.claim.words.iter().enumerate() {
        if word.hedged {
            return;
        }
        let Some(link) = pair.alignment.same(at).filter(|_| word.is_content()) else { continue };
        linked += 1;
        if pair.evidence.words[link.to].hedged {
            hedged += 1;
            first.get_or_insert((at, link.to));
        }
    }
    // Names before the verb stay outside the hedge: half of what is shared suffices.
    if let Some((at, to)) = first.filter(|_| hedged * 2 >= linked) {
        findings.push(pair.finding(NAME, Stance::Missing, "hedged_in_source", Some(at..at + 1), Some(to..to + 1)));
    }
}
