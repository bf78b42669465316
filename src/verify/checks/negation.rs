//! Negation: what the claim affirms and the evidence denies, or the other way round.

use std::ops::Range;

use crate::text::{Agreement, DateAgreement};
use crate::verify::align::LinkKind;
use crate::verify::pair::Pair;
use crate::verify::reading::Word;
use crate::verify::{Finding, Stance};

pub(super) const NAME: &str = "negation";

/// Least share of the claim's content for a differing polarity to contradict.
const SAME_THING: f32 = 0.85;
/// Where nearly all is shared, the clause need not be looked at.
const NEARLY_VERBATIM: f32 = 0.9;
/// Least share of what is shared that must stand in the clause that is denied.
const SAME_CLAUSE: f32 = 0.5;

pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    let mut denied_elsewhere = None;
    if let Some((claim, evidence)) = value_denied(pair) {
        let same = pair.is_about_the_same(0..0, SAME_THING);
        let (stance, kind) =
            if same { (Stance::Contradicts, "negation_mismatch") } else { (Stance::Missing, "polarity_differs") };
        let denies = pair.is_denied(&claim);
        findings.push(told(pair.finding(NAME, stance, kind, Some(claim), Some(evidence)), denies));
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
        let derived = link.kind == LinkKind::Derived;
        let rarely = |text: &crate::verify::ReadText| {
            text.words.iter().any(|word| matches!(word.folded.as_str(), "seldom" | "rarely" | "hardly" | "scarcely"))
        };
        // "not all", "does not always": some may.
        let partly = |text: &crate::verify::ReadText| {
            text.words.iter().any(|word| {
                word.negations > 0
                    && matches!(
                        word.folded.as_str(),
                        "all"
                            | "every"
                            | "always"
                            | "both"
                            | "entirely"
                            | "fully"
                            | "completely"
                            | "necessarily"
                            | "everyone"
                    )
            })
        };
        let some = |text: &crate::verify::ReadText| text.words.iter().any(|word| word.folded == "some");
        let weak = derived
            || partly(pair.claim) != partly(pair.evidence)
            || rarely(pair.claim)
            || rarely(pair.evidence)
            || some(pair.claim) && some(pair.evidence);
        let (stance, kind) = if !weak && pair.is_about_the_same(0..0, SAME_THING) && one_side_denies(pair, link.to) {
            (Stance::Contradicts, "negation_mismatch")
        } else {
            (Stance::Missing, "polarity_differs")
        };
        let finding = pair.finding(NAME, stance, kind, Some(at..at + 1), Some(link.to..link.to + 1));
        findings.push(told(finding, word.negations % 2 == 1));
        return;
    }
    if let Some(at) = denied_elsewhere {
        findings.push(pair.finding(NAME, Stance::Missing, "denial_not_found", Some(at..at + 1), None));
    }
}

/// The finding with a word for people on who denies what.
fn told(finding: Finding, claim_denies: bool) -> Finding {
    let detail =
        if claim_denies { "the claim denies what a source states" } else { "a source denies what the claim states" };
    Finding { detail: Some(detail.to_owned()), ..finding }
}

/// Whether just one of the two denies anything, and the denial bears on the clause that they share: where both deny
/// something, which word is denied is a matter of wording.
fn one_side_denies(pair: &Pair<'_>, evidence_word: usize) -> bool {
    let claim_denies = pair.claim.words.iter().any(|word| word.negation_head && word.negations % 2 == 1);
    let clause = pair.evidence.words[evidence_word].clause;
    let (mut here, mut all) = (0.0, 0.0);
    for (at, word) in pair.claim.words.iter().enumerate() {
        let Some(link) = pair.alignment.same(at) else { continue };
        all += word.weight();
        here += if pair.evidence.words[link.to].clause == clause { word.weight() } else { 0.0 };
    }
    let evidence_denies =
        pair.evidence.words.iter().any(|word| word.negation_head && word.negations % 2 == 1 && word.clause == clause);
    claim_denies != evidence_denies && (here >= all * SAME_CLAUSE || pair.coverage() >= NEARLY_VERBATIM)
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
