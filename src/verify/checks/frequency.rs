//! How often: "once daily" is not "twice daily", and "robbed once before" says more than "robbed".

use std::ops::Range;

use crate::text::Dimension;
use crate::verify::pair::Pair;
use crate::verify::reading::ReadText;
use crate::verify::slots::SAME_SLOT;
use crate::verify::{Finding, Stance};

pub(in crate::verify) const NAME: &str = "frequency";

/// Least share of the claim's other content for another frequency to contradict.
const SAME_THING: f32 = 0.7;
/// Relative difference up to which two frequencies are the same: months are not equally long.
const SAME: f64 = 0.02;
const SECONDS_A_DAY: f64 = 86_400.0;

/// A frequency and where it stands.
struct Frequency {
    words: Range<usize>,
    /// Times a day.
    rate: f64,
}

pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    let (claimed, stated) = (frequencies(pair.claim), frequencies(pair.evidence));
    let stated = match stated.is_empty() {
        true => days_of_the_week(pair.evidence).into_iter().collect(),
        false => stated,
    };
    // Where each side has just one, they face each other.
    let alone = claimed.len() == 1 && stated.len() == 1;
    for claimed in claimed {
        let words = Some(claimed.words.clone());
        let agrees = |other: &&Frequency| (other.rate - claimed.rate).abs() <= SAME * claimed.rate;
        if let Some(other) = stated.iter().find(agrees) {
            let span = pair.claim.span_of(claimed.words.clone());
            // "three times a day" beside "every 8 hours": its number is part of the frequency.
            for finding in findings.iter_mut().filter(|finding| finding.check == "quantity") {
                if finding.claim_span.is_some_and(|number| span.contains(number)) {
                    finding.stance = Stance::Notes;
                }
            }
            findings.push(pair.finding(NAME, Stance::Supports, "frequency_agrees", words, Some(other.words.clone())));
        } else if let Some(other) =
            stated.iter().max_by(|a, b| fit(pair, &claimed, a).total_cmp(&fit(pair, &claimed, b)))
        {
            let same = !pair.is_denied(&claimed.words)
                && !pair.is_alternative(&other.words)
                && (alone || fit(pair, &claimed, other) >= SAME_SLOT)
                && pair.is_about_the_same(claimed.words.clone(), SAME_THING)
                && pair.holds_governor(&claimed.words);
            let stance = if same { Stance::Contradicts } else { Stance::Missing };
            findings.push(pair.finding(NAME, stance, "frequency_mismatch", words, Some(other.words.clone())));
        } else {
            findings.push(pair.finding(NAME, Stance::Missing, "frequency_not_found", words, None));
        }
    }
    if let Some(at) = told_once(pair.claim)
        && told_once(pair.evidence).is_none()
    {
        findings.push(pair.finding(NAME, Stance::Missing, "frequency_not_found", Some(at..at + 1), None));
    }
}

fn fit(pair: &Pair<'_>, claimed: &Frequency, stated: &Frequency) -> f32 {
    pair.alignment.affinity(pair.claim, claimed.words.clone(), pair.evidence, stated.words.clone())
}

/// Days of the period that a noun or an adverb names.
fn period(folded: &str) -> Option<f64> {
    Some(match folded {
        "hour" | "hourly" => 1.0 / 24.0,
        "day" | "daily" | "night" | "nightly" => 1.0,
        "week" | "weekly" => 7.0,
        "fortnight" | "fortnightly" => 14.0,
        "month" | "monthly" => 365.25 / 12.0,
        "quarter" | "quarterly" => 365.25 / 4.0,
        "year" | "yearly" | "annually" | "annual" => 365.25,
        _ => return None,
    })
}

/// "on Mondays and Thursdays": as often a week as it names days.
fn days_of_the_week(text: &ReadText) -> Option<Frequency> {
    let is_day = |word: &crate::verify::Word| {
        matches!(
            word.folded.as_str(),
            "mondays" | "tuesdays" | "wednesdays" | "thursdays" | "fridays" | "saturdays" | "sundays"
        )
    };
    let first = text.words.iter().position(is_day)?;
    let last = text.words.iter().rposition(is_day)?;
    let between = &text.words[first..=last];
    let listed = between.iter().all(|word| is_day(word) || word.folded == "and");
    let days = between.iter().filter(|word| is_day(word)).count();
    let from = first.saturating_sub(2)..first;
    let open = text.words[from].iter().any(|word| {
        matches!(word.folded.as_str(), "except" | "not" | "no" | "other" | "alternate" | "some" | "most" | "from")
    });
    (listed && !open).then_some(Frequency { words: first..last + 1, rate: days as f64 / 7.0 })
}

/// All frequencies of a text, in order.
fn frequencies(text: &ReadText) -> Vec<Frequency> {
    let word = |at: usize| text.words.get(at).map_or("", |word| word.folded.as_str());
    let mut found: Vec<Frequency> = Vec::new();
    for at in 0..text.words.len() {
        if found.last().is_some_and(|last| last.words.contains(&at)) {
            continue;
        }
        if let Some((start, times)) = times(text, at) {
            let article = matches!(word(at + 1), "a" | "an" | "per" | "each" | "every" | "the");
            let of = at + 1 + usize::from(article);
            if let Some(days) = period(word(of)).filter(|_| article || word(of).ends_with("ly")) {
                found.push(Frequency { words: start..of + 1, rate: times / days });
            }
            continue;
        }
        let rate = match word(at) {
            "every" | "each" => {
                let timed = text.quantities.iter().find(|quantity| {
                    quantity.words.start == at + 1 || quantity.words.start == at && quantity.words.len() > 2
                });
                let unit = timed.and_then(|quantity| Some((quantity, quantity.value.unit.as_ref()?)));
                match unit.filter(|(_, unit)| unit.dimension == Dimension::Time) {
                    Some((quantity, unit)) if quantity.value.low > 0.0 => {
                        Some((quantity.words.end, SECONDS_A_DAY / (quantity.value.low * unit.factor)))
                    }
                    _ if word(at + 1) == "other" => period(word(at + 2)).map(|days| (at + 3, 0.5 / days)),
                    _ => period(word(at + 1)).map(|days| (at + 2, 1.0 / days)),
                }
            }
            folded if folded.ends_with("ly") || folded == "annual" => period(folded).map(|days| (at + 1, 1.0 / days)),
            _ => None,
        };
        found.extend(rate.map(|(end, rate)| Frequency { words: at..end, rate }));
    }
    found
}

/// "twice", "three times": where it begins and how many times it says; it ends at `at`.
fn times(text: &ReadText, at: usize) -> Option<(usize, f64)> {
    match text.words[at].folded.as_str() {
        "once" => Some((at, 1.0)),
        "twice" => Some((at, 2.0)),
        "thrice" => Some((at, 3.0)),
        "times" => {
            let counted = text.quantities.iter().find(|quantity| {
                (quantity.words.contains(&at) || quantity.words.end == at) && quantity.value.low == quantity.value.high
            })?;
            Some((counted.words.start, counted.value.low))
        }
        _ => None,
    }
}

/// "It was robbed once.", "once before": not "once the seat of the dukes".
fn told_once(text: &ReadText) -> Option<usize> {
    (1..text.words.len()).find(|at| {
        let next = text.words.get(at + 1);
        text.words[*at].folded == "once"
            && !matches!(text.words[at - 1].folded.as_str(), "at" | "all" | "than" | "for")
            && next.is_none_or(|next| {
                matches!(next.folded.as_str(), "before" | "again" | "more" | "only") || next.after_mark
            })
    })
}
