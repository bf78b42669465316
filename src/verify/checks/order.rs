//! Order in time: "the school closed before the mill opened".

use std::ops::Range;

use crate::verify::pair::Pair;
use crate::verify::reading::ReadText;
use crate::verify::{Finding, Stance};

pub(super) const NAME: &str = "order";

/// Least share of the claim's content for another order to contradict.
const SAME_THING: f32 = 0.7;

pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    let (Some(claim), Some(evidence)) = (relation(pair.claim), relation(pair.evidence)) else { return };
    let Some(crossed) = crossed(pair, claim.at, evidence.at, 0).or_else(|| same_head(pair, claim.at, evidence.at))
    else {
        return;
    };
    if (claim.earlier_first != evidence.earlier_first) == crossed {
        findings.push(pair.finding(
            NAME,
            Stance::Supports,
            "order_agrees",
            Some(claim.at..claim.at + 1),
            Some(evidence.at..evidence.at + 1),
        ));
        return;
    }
    let stance = if pair.is_about_the_same(0..0, SAME_THING) { Stance::Contradicts } else { Stance::Missing };
    findings.push(pair.finding(
        NAME,
        stance,
        "order_mismatch",
        Some(claim.at..claim.at + 1),
        Some(evidence.at..evidence.at + 1),
    ));
}

/// "before his death" beside "after his death": what follows is the same, so nothing is crossed.
fn same_head(pair: &Pair<'_>, claim_at: usize, evidence_at: usize) -> Option<bool> {
    let head =
        (claim_at + 1..pair.claim.words.len().min(claim_at + 4)).find(|at| pair.claim.words[*at].is_content())?;
    let link = pair.alignment.same(head)?;
    (link.to > evidence_at && link.to <= evidence_at + 4).then_some(false)
}

struct Relation {
    at: usize,
    earlier_first: bool,
}

fn relation(text: &ReadText) -> Option<Relation> {
    text.words.iter().enumerate().find_map(|(at, word)| {
        let earlier_first = match word.folded.as_str() {
            "before" | "antes" | "bevor" | "avant" | "until" => true,
            "after" | "depois" | "nachdem" | "apres" | "despues" | "following" => false,
            _ => return None,
        };
        // "named after": no order in time.
        let idiom = at.checked_sub(1).is_some_and(|before| {
            matches!(
                text.words[before].folded.as_str(),
                "named"
                    | "modeled"
                    | "modelled"
                    | "remodeled"
                    | "patterned"
                    | "called"
                    | "looked"
                    | "looks"
                    | "look"
                    | "taken"
                    | "sought"
            )
        });
        if idiom {
            return None;
        }
        (at > 0 && at + 1 < text.words.len()).then_some(Relation { at, earlier_first })
    })
}

/// Whether what stands left of the claim's relation stands right of the evidence's, and the other way round; `None`
/// where the sides cannot be told. The last `besides` words of the left side belong to the relation.
pub(super) fn crossed(pair: &Pair<'_>, claim_at: usize, evidence_at: usize, besides: usize) -> Option<bool> {
    // "the north tower … the south tower": what stands on both sides tells none.
    let on_both_sides = |at: usize| {
        let mut places = pair.evidence.places(pair.claim.words[at].key);
        let first = places.next();
        first.is_some_and(|first| first < evidence_at && places.any(|other| other > evidence_at))
    };
    let share = |claim: Range<usize>, left: bool| {
        claim
            .filter_map(|at| Some((at, pair.alignment.same(at)?)))
            .filter(|(at, _)| !on_both_sides(*at))
            .filter(|(_, link)| (link.to < evidence_at) == left && link.to != evidence_at)
            .map(|(at, link)| pair.claim.words[at].weight() * link.strength)
            .sum::<f32>()
    };
    let (left, right) = (0..claim_at.saturating_sub(besides), claim_at + 1..pair.claim.words.len());
    let straight = (share(left.clone(), true), share(right.clone(), false));
    let across = (share(left, false), share(right, true));
    let (straight_sum, across_sum) = (straight.0 + straight.1, across.0 + across.1);
    if straight.0 > 0.0 && straight.1 > 0.0 && straight_sum > across_sum * 1.5 {
        Some(false)
    } else if across.0 > 0.0 && across.1 > 0.0 && across_sum > straight_sum * 1.5 {
        Some(true)
    } else {
        None
    }
}
