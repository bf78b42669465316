//! Quantifiers: "all" is more than "most", "only" more than nothing said.

use std::ops::Range;

use crate::text::QuantityKind;
use crate::verify::pair::Pair;
use crate::verify::reading::ReadText;
use crate::verify::{Finding, Stance};

pub(super) const NAME: &str = "quantifier";

/// Least share of the claim's content for clashing quantifiers to contradict.
const SAME_THING: f32 = 0.7;

/// How much of a set a quantifier takes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    Few,
    Some,
    Most,
    All,
}

fn reach(folded: &str) -> Option<Reach> {
    Some(match folded {
        "all" | "every" | "each" | "always" | "entire" | "entirely" | "whole" | "unanimous" | "unanimously"
        | "everyone" | "everybody" | "completely" | "todos" | "todas" | "alle" | "toutes" | "tous" => Reach::All,
        "most" | "mostly" | "majority" | "usually" | "generally" | "maioria" | "meisten" | "plupart" | "mayoria" => {
            Reach::Most
        }
        "some" | "several" | "many" | "often" | "sometimes" | "partly" | "partially" | "half" | "alguns"
        | "algumas" | "einige" | "manche" | "algunos" | "certains" => Reach::Some,
        "few" | "minority" | "rarely" | "seldom" | "hardly" | "poucos" | "wenige" | "pocos" | "peu" => Reach::Few,
        _ => return None,
    })
}

pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    for (at, word) in pair.claim.words.iter().enumerate() {
        if is_exclusive(pair.claim, at) {
            let found = (0..pair.evidence.words.len()).any(|to| is_exclusive(pair.evidence, to));
            if !found {
                findings.push(pair.finding(NAME, Stance::Missing, "exclusive_not_found", Some(at..at + 1), None));
            }
            continue;
        }
        if let Some((to, kind)) = told_of_one(pair, at).or_else(|| told_of_a_share(pair, at)) {
            let same = pair.is_about_the_same(at..at + 1, SAME_THING);
            let stance = if same { Stance::Contradicts } else { Stance::Missing };
            findings.push(pair.finding(NAME, stance, kind, Some(at..at + 1), Some(to)));
            continue;
        }
        let Some(claimed) = reach(&word.folded).filter(|_| !is_superlative_most(pair.claim, at)) else { continue };
        let Some((said_at, said)) = counterpart(pair, at) else { continue };
        let words = (Some(at..at + 1), Some(said_at..said_at + 1));
        let clashes = claimed >= Reach::Most && said == Reach::Few || claimed == Reach::Few && said >= Reach::Most;
        if clashes && pair.is_about_the_same(at..at + 1, SAME_THING) {
            findings.push(pair.finding(NAME, Stance::Contradicts, "quantifier_mismatch", words.0, words.1));
        } else if claimed > said {
            findings.push(pair.finding(NAME, Stance::Missing, "quantifier_wider", words.0, words.1));
        }
    }
}

/// "several operas" beside "his only opera".
fn told_of_one(pair: &Pair<'_>, at: usize) -> Option<(Range<usize>, &'static str)> {
    let several = ["several", "many", "numerous", "various", "multiple", "all"];
    let head = at + 1;
    if !several.contains(&pair.claim.words[at].folded.as_str()) || head >= pair.claim.words.len() {
        return None;
    }
    let link = pair.alignment.same(head).filter(|_| pair.claim.words[head].is_content())?;
    let only = link.to.checked_sub(1)?;
    let owner = only.checked_sub(1).map_or("", |owner| pair.evidence.words[owner].folded.as_str());
    let one = matches!(pair.evidence.words[only].folded.as_str(), "only" | "sole")
        && matches!(owner, "his" | "her" | "its" | "their" | "the");
    let singular = !pair.evidence.words[link.to].folded.ends_with('s');
    (one && singular).then_some((only..link.to + 1, "quantifier_mismatch"))
}

/// "all of the costs" beside "85 percent of the costs".
fn told_of_a_share(pair: &Pair<'_>, at: usize) -> Option<(Range<usize>, &'static str)> {
    if reach(&pair.claim.words[at].folded) != Some(Reach::All) || !pair.claim.quantities.is_empty() {
        return None;
    }
    let head = (at + 1..pair.claim.words.len().min(at + 5)).find_map(|next| pair.alignment.same(next))?;
    let share = pair.evidence.quantities.iter().find(|quantity| {
        let near = quantity.words.end <= head.to && head.to - quantity.words.end <= 3;
        let of = pair.evidence.words[quantity.words.end - 1].folded == "of"
            || pair.evidence.words.get(quantity.words.end).is_some_and(|word| word.folded == "of");
        near && of && quantity.value.kind == QuantityKind::Percent && quantity.value.high < 100.0
    })?;
    Some((share.words.clone(), "quantifier_mismatch"))
}

/// The evidence's quantifier that bears on the word that the claim's bears on.
fn counterpart(pair: &Pair<'_>, at: usize) -> Option<(usize, Reach)> {
    let head = (at + 1..pair.claim.words.len().min(at + 5)).find_map(|next| pair.alignment.same(next))?;
    let from = head.to.saturating_sub(4);
    (from..=head.to).rev().find_map(|to| {
        Some((to, reach(&pair.evidence.words[to].folded).filter(|_| !is_superlative_most(pair.evidence, to))?))
    })
}

/// "most populous" is a superlative, "most members" a quantifier; told by what follows: "the most …".
fn is_superlative_most(text: &ReadText, at: usize) -> bool {
    text.words[at].folded == "most" && at.checked_sub(1).is_some_and(|before| text.words[before].folded == "the")
}

/// "only", "exclusively", "solely"; not "not only" and not "only in 1990" within a list of years.
fn is_exclusive(text: &ReadText, at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |before| text.words[before].folded.as_str());
    matches!(
        text.words[at].folded.as_str(),
        "only"
            | "exclusively"
            | "solely"
            | "sole"
            | "just"
            | "apenas"
            | "somente"
            | "nur"
            | "solo"
            | "seulement"
            | "alone"
            | "merely"
    ) && !matches!(before, "not" | "nao" | "nicht" | "if")
}
