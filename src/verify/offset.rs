//! A value told by its distance from another: "the tower is 90 m tall, 15 m less than the cathedral".
//!
//! The stated value is that of the first thing; that of the thing after "than" is computed, and the computation shown.

use super::derived;
use super::pair::Pair;
use super::reading::{Placed, ReadText};
use super::{Finding, Stance};
use crate::text::Quantity;

/// Least share of the claim's other content for the computed value to refute another.
const SAME_THING: f32 = 0.7;
/// Words after "than" that name the other thing.
const OTHER_WITHIN: usize = 4;

/// What the sentence says of the thing after "than", where the claim's number is said of that; whether it settles it.
pub(super) fn check(pair: &Pair<'_>, quantity: &Placed<Quantity>, findings: &mut Vec<Finding>) -> bool {
    let text = pair.evidence;
    if pair.claim.words.iter().any(|word| word.folded == "than") {
        return false;
    }
    let Some((than, more, distance)) = distance(text) else { return false };
    let base = text
        .quantities
        .iter()
        .find(|other| other.words.end <= distance.words.start && derived::comparable(&other.value, &distance.value));
    let Some(base) = base.filter(|base| derived::comparable(&quantity.value, &base.value)) else { return false };
    let other = than + 1..text.words.len().min(than + 1 + OTHER_WITHIN);
    let subject = (0..quantity.words.start)
        .filter(|at| pair.claim.words[*at].is_content())
        .find_map(|at| pair.alignment.same(at));
    if subject.is_none_or(|link| !other.contains(&link.to)) {
        return false;
    }
    let (Some(first), Some(by)) = (derived::plain(&base.value), derived::plain(&distance.value)) else { return false };
    let (value, sign) = if more { (first - by, '−') } else { (first + by, '+') };
    let span = pair.claim.span_of(quantity.words.clone());
    for finding in findings.iter_mut().filter(|finding| matches!(finding.check.as_str(), "quantity" | "binding")) {
        if finding.claim_span.is_some_and(|other| other.overlaps(span)) {
            finding.stance = Stance::Notes;
        }
    }
    let (stance, kind) = match derived::fits(&quantity.value, value) {
        true => (Stance::Supports, "derived_difference"),
        false if pair.is_about_the_same(quantity.words.clone(), SAME_THING) => {
            (Stance::Contradicts, "derived_mismatch")
        }
        false => (Stance::Missing, "derived_mismatch"),
    };
    let words = base.words.start..than + 1;
    let mut finding = pair.finding(derived::NAME, stance, kind, Some(quantity.words.clone()), Some(words));
    finding.detail =
        Some(format!("{} {sign} {} = {}", derived::shown(first), derived::shown(by), derived::shown(value)));
    findings.push(finding);
    true
}

/// "15 m less than": the place of "than", whether it says more, and the distance.
fn distance(text: &ReadText) -> Option<(usize, bool, &Placed<Quantity>)> {
    let than = text.words.iter().position(|word| word.folded == "than")?;
    let degree = than.checked_sub(1)?;
    let more = match text.words[degree].folded.as_str() {
        "more" | "longer" | "taller" | "higher" | "older" | "larger" | "deeper" | "wider" | "heavier" => true,
        "less" | "fewer" | "shorter" | "lower" | "younger" | "smaller" | "shallower" | "narrower" | "lighter" => false,
        _ => return None,
    };
    let distance = text.quantities.iter().find(|quantity| quantity.words.end == degree)?;
    Some((than, more, distance))
}
