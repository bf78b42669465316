//! Negation: what the claim affirms and the evidence denies, or the other way round.

use std::ops::Range;

use crate::text::{Agreement, DateAgreement};
use crate::verify::align::LinkKind;
use crate::verify::pair::Pair;
use crate::verify::reading::Word;
use crate::verify::{Finding, Stance};

pub(super) const NAME: &str = "negation";

/// Least share of the claim's content for a differing polarity to contradict.
const SAME_THING: f32 = 0.6;

pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    let mut denied_elsewhere = None;
    if let Some((claim, evidence)) = value_denied(pair) {
        let same = pair.is_about_the_same(0..0, SAME_THING);
        let (stance, kind) =
            if same { (Stance::Contradicts, "negation_mismatch") } else { (Stance::Missing, "polarity_differs") };
        findings.push(pair.finding(NAME, stance, kind, Some(claim), Some(evidence)));
        return;
    }
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

/// A value that both hold and one of them denies: "is not 2 km long".
fn value_denied(pair: &Pair<'_>) -> Option<(Range<usize>, Range<usize>)> {
    let clash = |claim: &Range<usize>, evidence: &Range<usize>| {
        let (a, b) = (&pair.claim.words[claim.clone()], &pair.evidence.words[evidence.clone()]);
        let head = a.iter().chain(b).any(|word| word.negation_head);
        let parity = |words: &[Word]| words.first().map_or(0, |word| word.negations % 2);
        head && parity(a) != parity(b)
    };
    let quantities = pair.claim.quantities.iter().zip(&pair.alignment.quantities).filter_map(|(quantity, link)| {
        let link = link.filter(|link| link.agreement == Agreement::Agrees)?;
        Some((quantity.words.clone(), pair.evidence.quantities[link.to].words.clone()))
    });
    let dates = pair.claim.dates.iter().zip(&pair.alignment.dates).filter_map(|(date, link)| {
        let link = link.filter(|link| link.agreement == DateAgreement::Contains)?;
        Some((date.words.clone(), pair.evidence.dates[link.to].words.clone()))
    });
    quantities.chain(dates).find(|(claim, evidence)| clash(claim, evidence))
}
