//! Comparatives and superlatives: "A is deeper than B"; "the deepest", which no plain statement supports.

use crate::verify::align::LinkKind;
use crate::verify::lexicon::opposite_sense;
use crate::verify::pair::Pair;
use crate::verify::reading::{ReadText, WordKind};
use crate::verify::{Finding, Stance};

pub(super) const NAME: &str = "comparison";

/// Least share of the claim's content for a turned comparison to contradict.
const SAME_THING: f32 = 0.6;

pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    let (claimed, stated) = (thans(pair.claim).into_iter().next(), thans(pair.evidence));
    if let Some(claim) = &claimed {
        // "taller than Jo but shorter than Max": the comparison with one that the claim names.
        let named = |than: &&Than| (than.at + 1..=than.at + 3).any(|at| pair.alignment.is_linked_from(at));
        if let Some(evidence) = stated.iter().find(named).or(stated.first()) {
            compare(pair, claim, evidence, findings);
        }
    }
    if let Some(claim) = claimed
        && stated.is_empty()
        && claim_compares(pair)
    {
        let words = Some(claim.quality..claim.at + 1);
        findings.push(pair.finding(NAME, Stance::Missing, "comparison_not_found", words, None));
    }
    for (at, word) in pair.claim.words.iter().enumerate() {
        let in_name = pair.claim.mentions.iter().any(|mention| mention.words.contains(&at)) && word.capitalised;
        // "current" may stand for "latest", "small" not for "smallest".
        let said = pair
            .alignment
            .same(at)
            .is_some_and(|link| link.kind == LinkKind::Sense || is_superlative(pair.evidence, link.to));
        if !in_name && is_superlative(pair.claim, at) && !said && word.is_content() {
            findings.push(pair.finding(NAME, Stance::Missing, "superlative_not_found", Some(at..at + 1), None));
        }
    }
}

/// Whether the claim compares in words that the sentence does not hold, so that no measure stands behind them.
fn claim_compares(pair: &Pair<'_>) -> bool {
    !pair.claim.words.iter().any(|word| word.kind == WordKind::Slot)
}

struct Than {
    /// Place of "than".
    at: usize,
    /// Place of the compared quality.
    quality: usize,
    /// "less deep than".
    less: bool,
}

/// All comparisons of a text, in order.
fn thans(text: &ReadText) -> Vec<Than> {
    let in_quantity = |at: usize| text.quantities.iter().any(|quantity| quantity.words.contains(&at));
    let is_than = |at: usize| matches!(text.words[at].folded.as_str(), "than" | "als" | "que");
    // "more than 60 countries" is a bound, no comparison.
    (0..text.words.len()).filter(|at| is_than(*at) && !in_quantity(*at)).filter_map(|at| than(text, at)).collect()
}

fn than(text: &ReadText, at: usize) -> Option<Than> {
    let window = at.saturating_sub(4)..at;
    let quality = window.clone().rev().find(|at| {
        let folded = &text.words[*at].folded;
        folded.len() > 3 && folded.ends_with("er") && text.words[*at].is_content()
    });
    let quantifier = window.clone().rev().find(|at| {
        matches!(text.words[*at].folded.as_str(), "more" | "less" | "fewer" | "menos" | "mais" | "mehr" | "mas")
    });
    let less = quantifier.is_some_and(|at| matches!(text.words[at].folded.as_str(), "less" | "fewer" | "menos"));
    Some(Than { at, quality: quality.or(quantifier)?, less })
}

fn compare(pair: &Pair<'_>, claim: &Than, evidence: &Than, findings: &mut Vec<Finding>) {
    let (a, b) = (&pair.claim.words[claim.quality], &pair.evidence.words[evidence.quality]);
    let opposite = opposite_sense(a.senses, b.senses);
    let same = a.key == b.key || pair.alignment.links[claim.quality].is_some_and(|link| link.to == evidence.quality);
    if !same && !opposite && a.kind != WordKind::Function {
        let words = Some(claim.quality..claim.at + 1);
        findings.push(pair.finding(NAME, Stance::Missing, "comparison_not_found", words, None));
        return;
    }
    // "more people preferred" beside "more intensely liked": what there is more of must be the same.
    let compared = |text: &ReadText, than: &Than| {
        Some(than.quality + 1).filter(|at| *at < than.at && text.words[*at].is_content())
    };
    if a.kind == WordKind::Function
        && let Some(at) = compared(pair.claim, claim)
        && pair.alignment.same(at).is_none_or(|link| Some(link.to) != compared(pair.evidence, evidence))
    {
        return;
    }
    let Some(crossed) = super::order::crossed(pair, claim.at, evidence.at, claim.at - claim.quality) else { return };
    let turned = (claim.less != evidence.less) != opposite;
    let words = (Some(claim.quality..claim.at + 1), Some(evidence.quality..evidence.at + 1));
    let (stance, kind) = if turned == crossed {
        (Stance::Supports, "comparison_agrees")
    } else if pair.is_about_the_same(claim.quality..claim.quality + 1, SAME_THING) {
        (Stance::Contradicts, "comparison_turned")
    } else {
        (Stance::Missing, "comparison_turned")
    };
    findings.push(pair.finding(NAME, stance, kind, words.0, words.1));
}

/// "deepest", "most populous", "least known"; also "first", "last" and "only", which name one of many.
fn is_superlative(text: &ReadText, at: usize) -> bool {
    let word = &text.words[at];
    let folded = word.folded.as_str();
    if matches!(folded, "first" | "last" | "best" | "worst" | "sole") {
        return true;
    }
    let before = at.checked_sub(1).map_or("", |before| text.words[before].folded.as_str());
    folded.len() > 5 && folded.ends_with("est") && !is_no_superlative(folded)
        || matches!(before, "most" | "least") && word.kind == WordKind::Content
}

fn is_no_superlative(folded: &str) -> bool {
    matches!(
        folded,
        "interest"
            | "request"
            | "conquest"
            | "protest"
            | "contest"
            | "harvest"
            | "forest"
            | "arrest"
            | "invest"
            | "suggest"
            | "priest"
            | "manifest"
            | "digest"
            | "inquest"
            | "bequest"
            | "tempest"
            | "northwest"
            | "southwest"
            | "midwest"
            | "budapest"
            | "honest"
            | "modest"
    )
}
