//! Numbers, units, currencies, percentages: compared in the slot in which they stand.

use crate::text::{Agreement, QuantityKind};
use crate::verify::align::SAME_SLOT;
use crate::verify::pair::Pair;
use crate::verify::{Finding, Stance};

pub(super) const NAME: &str = "quantity";

/// Least share of the claim's other content for a differing number to contradict. Chosen on the mutation table, FEVER
/// symmetric and FM2 development sets: lower brings in neighbours' numbers.
const SAME_THING: f32 = 0.55;

pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    for (quantity, link) in pair.claim.quantities.iter().zip(&pair.alignment.quantities) {
        let claim_words = quantity.words.clone();
        let Some(link) = link else {
            findings.push(pair.finding(NAME, Stance::Missing, "number_not_found", Some(claim_words), None));
            continue;
        };
        let other = &pair.evidence.quantities[link.to];
        let evidence_words = other.words.clone();
        let (stance, kind) = match link.agreement {
            Agreement::Agrees => (Stance::Supports, "number_agrees"),
            Agreement::MorePrecise => (Stance::Missing, "more_precise_than_source"),
            Agreement::Incomparable => (Stance::Missing, "number_not_found"),
            Agreement::Differs | Agreement::UnitDiffers => {
                let kind = if link.agreement == Agreement::UnitDiffers { "unit_mismatch" } else { "number_mismatch" };
                let same = link.affinity >= SAME_SLOT
                    && !pair.is_denied(&claim_words)
                    && pair.is_about_the_same(claim_words.clone(), SAME_THING)
                    && quantity.value.kind != QuantityKind::Ratio;
                if same { (Stance::Contradicts, kind) } else { (Stance::Missing, "number_not_found") }
            }
        };
        let check = if kind == "unit_mismatch" { "unit" } else { NAME };
        let evidence_words = (kind != "number_not_found").then_some(evidence_words);
        findings.push(pair.finding(check, stance, kind, Some(claim_words), evidence_words));
    }
}
