//! Comparisons that no sentence states but two measured values decide: "Uma is deeper than Oro" from the depth of each.

use std::sync::Arc;

use super::judge::Outcome;
use super::lexicon::{lexicon, opposite_sense, same_sense, word_hash};
use super::reading::ReadText;
use super::window::PassageReading;
use super::{Label, Proof};
use crate::text::{Language, Mention, NameMatch, stem};

/// What the measured values say.
#[derive(Debug, Clone)]
pub(super) struct Measured {
    pub label: Label,
    pub proof: Proof,
    /// The outcomes whose sentences hold the values.
    pub outcomes: Vec<usize>,
}

struct Value {
    outcome: usize,
    base: f64,
    shown: String,
    dimension: crate::text::Dimension,
}

/// Decides a comparative claim by measured values; `None` if it is none, or a value is not to be had.
pub(super) fn compare(claim: &ReadText, outcomes: &[Outcome], readings: &[Arc<PassageReading>]) -> Option<Measured> {
    let at = (1..claim.words.len())
        .find(|at| base_form(&claim.words[*at].folded).is_some() && claim.words[*at].is_content())?;
    let quality = base_form(&claim.words[at].folded)?;
    let key = word_hash(&stem(&quality, Language::English));
    let first = &claim.mentions.iter().find(|mention| mention.words.end <= at)?.value;
    let second = claim.mentions.iter().find(|mention| mention.words.start > at).map(|mention| &mention.value);
    let (first_value, first_turned) = measured(first, key, outcomes, readings)?;
    let (other_value, other_turned) = match second {
        Some(second) => measured(second, key, outcomes, readings)?,
        None => only_other(first, key, outcomes, readings)?,
    };
    if first_turned != other_turned
        || first_value.dimension != other_value.dimension
        || first_value.base == other_value.base
    {
        return None;
    }
    let negated = claim.words[at].negations % 2 == 1;
    let greater = first_value.base > other_value.base;
    let holds = (greater != first_turned) != negated;
    let sign = if greater { ">" } else { "<" };
    Some(Measured {
        label: if holds { Label::Supported } else { Label::Contradicted },
        proof: Proof {
            expression: format!("{} {sign} {}", first_value.shown, other_value.shown),
            result: if greater { format!("{} has more", first.text) } else { format!("{} has less", first.text) },
            claimed: claim.words[at].folded.clone(),
            holds,
        },
        outcomes: vec![first_value.outcome, other_value.outcome],
    })
}

/// "deeper" is "deep", "bigger" "big", "heavier" "heavy".
fn base_form(folded: &str) -> Option<String> {
    let short = folded.strip_suffix("er").filter(|short| short.len() >= 3)?;
    if let Some(short) = short.strip_suffix('i') {
        return Some(format!("{short}y"));
    }
    let mut ends = short.chars().rev();
    match (ends.next(), ends.next()) {
        (Some(a), Some(b)) if a == b && !"ls".contains(a) => Some(short[..short.len() - 1].to_owned()),
        (Some('g' | 'd' | 't' | 'c' | 's' | 'v'), _)
            if ["larg", "wid", "lat", "saf", "nic", "clos", "brav"].contains(&short) =>
        {
            Some(format!("{short}e"))
        }
        _ => Some(short.to_owned()),
    }
}

/// The value of a quality of a named thing, and whether the sentence measures the opposite quality.
fn measured(name: &Mention, key: u64, outcomes: &[Outcome], readings: &[Arc<PassageReading>]) -> Option<(Value, bool)> {
    outcomes.iter().enumerate().find_map(|(place, outcome)| {
        let read = &readings[outcome.passage].sentences[outcome.sentence].read;
        let named = read.mentions.iter().any(|mention| name.matches(&mention.value) == NameMatch::Same);
        named.then(|| value(place, read, key))?
    })
}

/// The only other thing whose quality is measured.
fn only_other(
    name: &Mention,
    key: u64,
    outcomes: &[Outcome],
    readings: &[Arc<PassageReading>],
) -> Option<(Value, bool)> {
    let mut found: Vec<(Value, bool)> = outcomes
        .iter()
        .enumerate()
        .filter_map(|(place, outcome)| {
            let read = &readings[outcome.passage].sentences[outcome.sentence].read;
            let other = read.mentions.iter().all(|mention| name.matches(&mention.value) != NameMatch::Same);
            (other && !read.mentions.is_empty()).then(|| value(place, read, key))?
        })
        .collect();
    if found.len() == 1 { found.pop() } else { None }
}

fn value(outcome: usize, read: &ReadText, key: u64) -> Option<(Value, bool)> {
    let senses = lexicon().senses(key);
    let turned = read.words.iter().find_map(|word| {
        if word.key == key || same_sense(word.senses, senses) {
            Some(false)
        } else if opposite_sense(word.senses, senses) {
            Some(true)
        } else {
            None
        }
    })?;
    let quantity = read
        .quantities
        .iter()
        .find(|quantity| quantity.value.unit.is_some() && quantity.value.low == quantity.value.high)?;
    let unit = quantity.value.unit.as_ref()?;
    Some((
        Value {
            outcome,
            base: quantity.value.low * unit.factor + unit.offset,
            shown: quantity.value.span.of(&read.text).trim().to_owned(),
            dimension: unit.dimension,
        },
        turned,
    ))
}
