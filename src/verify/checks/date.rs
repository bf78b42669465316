//! Dates: compared in the slot in which they stand; a range that contains the evidence's date is supported by it.

use crate::text::DateAgreement;
use crate::verify::align::SAME_SLOT;
use crate::verify::pair::Pair;
use crate::verify::{Finding, Stance};

pub(super) const NAME: &str = "date";

/// Least share of the claim's other content for a differing date to contradict.
const SAME_THING: f32 = 0.55;

pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    for (date, link) in pair.claim.dates.iter().zip(&pair.alignment.dates) {
        let claim_words = date.words.clone();
        let Some(link) = link else {
            findings.push(pair.finding(NAME, Stance::Missing, "date_not_found", Some(claim_words), None));
            continue;
        };
        let evidence_words = pair.evidence.dates[link.to].words.clone();
        let (stance, kind) = match link.agreement {
            DateAgreement::Contains => (Stance::Supports, "date_agrees"),
            DateAgreement::MorePrecise => (Stance::Missing, "more_precise_than_source"),
            DateAgreement::Ambiguous => (Stance::Missing, "ambiguous_date"),
            DateAgreement::Incomparable => (Stance::Missing, "date_not_found"),
            DateAgreement::Differs => {
                let same =
                    link.affinity >= SAME_SLOT && !pair.is_denied(&claim_words) && pair.is_about_the_same(claim_words.clone(), SAME_THING);
                if same { (Stance::Contradicts, "date_mismatch") } else { (Stance::Missing, "date_not_found") }
            }
        };
        let evidence_words = (kind != "date_not_found").then_some(evidence_words);
        findings.push(pair.finding(NAME, stance, kind, Some(claim_words), evidence_words));
    }
}
