//! Numbers, units, currencies, percentages: compared in the slot in which they stand.

use crate::text::{Agreement, Hedge, Quantity, QuantityKind};
use crate::verify::pair::Pair;
use crate::verify::reading::Placed;
use crate::verify::slots::{SAME_SLOT, measure_differently};
use crate::verify::{Finding, Stance};

pub(super) const NAME: &str = "quantity";

/// Least share of the claim's other content for a differing number to contradict. Chosen on the mutation table, FEVER
/// symmetric and FM2 development sets: lower brings in neighbours' numbers.
const SAME_THING: f32 = 0.55;

/// Whether two counts may be of the same things: the claim's noun stands in the sentence, or the sentence names none. A
/// length is no height.
fn counts_the_same(pair: &Pair<'_>, claim: &Placed<Quantity>, evidence: &Quantity) -> bool {
    if measure_differently(&claim.value, evidence) {
        return false;
    }
    let (Some(a), Some(b)) = (&claim.value.counted, &evidence.counted) else { return true };
    a == b || claim.words.clone().any(|at| pair.claim.words[at].is_content() && pair.alignment.same(at).is_some())
}

/// Whether two ordinals stand before the same word: "the second season" and "the third season".
fn orders_the_same(pair: &Pair<'_>, claim: &Placed<Quantity>, evidence: &Placed<Quantity>) -> bool {
    if claim.value.kind != QuantityKind::Ordinal {
        return true;
    }
    let next = (claim.words.end..pair.claim.words.len()).find(|at| pair.claim.words[*at].is_content());
    let Some(link) = next.and_then(|at| pair.alignment.same(at)) else { return false };
    (evidence.words.end..=link.to).filter(|at| pair.evidence.words[*at].is_content()).count() <= 2
        && link.to >= evidence.words.end
}

/// The same for two bounds of one kind that differ ("more than 60", "more than 80").
const SAME_STATEMENT: f32 = 0.8;

/// Whether two quantities are bounded in the same direction at values of which the claim's does not follow.
fn bounds_differ(claim: &Quantity, evidence: &Quantity) -> bool {
    let same_unit = claim.unit.as_ref().map(|unit| &unit.symbol) == evidence.unit.as_ref().map(|unit| &unit.symbol);
    let apart = (claim.low - evidence.low).abs() > claim.half_unit.max(1e-9);
    if !same_unit {
        let convertible = matches!((&claim.unit, &evidence.unit), (Some(a), Some(b)) if a.dimension == b.dimension);
        return convertible
            && claim.hedge == evidence.hedge
            && claim.low == evidence.low
            && claim.hedge != Hedge::Exact
            && claim.hedge != Hedge::About;
    }
    match (claim.hedge, evidence.hedge) {
        (Hedge::AtLeast | Hedge::MoreThan, Hedge::AtLeast | Hedge::MoreThan) => apart && claim.low > evidence.low,
        (Hedge::AtMost, Hedge::AtMost) => (claim.high - evidence.high).abs() > claim.half_unit.max(1e-9),
        (Hedge::AtMost | Hedge::LessThan, Hedge::AtMost | Hedge::LessThan) => claim.high < evidence.high,
        _ => false,
    }
}

/// "before 10:00" says less than "10:00".
fn is_time_bound(pair: &Pair<'_>, at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| {
        matches!(pair.claim.words[before].folded.as_str(), "before" | "after" | "until" | "by" | "since" | "past")
    }) && pair.claim.words[at].folded.contains(':')
}

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
            _ if bounds_differ(&quantity.value, &other.value) => {
                // Strictly the one bound does not refute the other; in the same sentence it is another figure.
                let same = pair.is_about_the_same(claim_words.clone(), SAME_STATEMENT) && link.affinity >= SAME_SLOT;
                (if same { Stance::Contradicts } else { Stance::Missing }, "bound_mismatch")
            }
            Agreement::Agrees => (Stance::Supports, "number_agrees"),
            Agreement::MorePrecise => (Stance::Missing, "more_precise_than_source"),
            Agreement::Incomparable => (Stance::Missing, "number_not_found"),
            Agreement::Differs | Agreement::UnitDiffers => {
                let kind = if link.agreement == Agreement::UnitDiffers { "unit_mismatch" } else { "number_mismatch" };
                let same = link.affinity >= SAME_SLOT
                    && !pair.is_denied(&claim_words)
                    && pair.is_about_the_same(claim_words.clone(), SAME_THING)
                    && quantity.value.kind != QuantityKind::Ratio
                    && counts_the_same(pair, quantity, &other.value)
                    && pair.holds_governor(&claim_words)
                    && !pair.is_alternative(&evidence_words)
                    && !is_time_bound(pair, claim_words.start)
                    && orders_the_same(pair, quantity, other);
                if same { (Stance::Contradicts, kind) } else { (Stance::Missing, "number_not_found") }
            }
        };
        let check = if kind == "unit_mismatch" { "unit" } else { NAME };
        let evidence_words = (kind != "number_not_found").then_some(evidence_words);
        findings.push(pair.finding(check, stance, kind, Some(claim_words), evidence_words));
    }
}
