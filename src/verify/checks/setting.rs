//! What a sentence only asks, supposes or keeps to one thing ("only the …") is not stated of others.

use std::ops::Range;

use crate::verify::pair::Pair;
use crate::verify::reading::{ReadText, WordKind};
use crate::verify::{Finding, Stance};

/// These findings bear on a claim that is a part of the sentence word for word, as those of `modality` do.
const NAME: &str = "modality";

pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    check_question(pair, findings);
    check_condition(pair, findings);
    check_only(pair, findings);
}

/// A question states nothing.
pub(in crate::verify) fn check_question(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    let asks = |text: &ReadText| text.text.trim_end_matches(['"', '”', '»', ')', ' ', '*']).ends_with(['?', '？']);
    if asks(pair.evidence) && !asks(pair.claim) {
        findings.push(pair.finding(NAME, Stance::Missing, "source_asks", Some(0..pair.claim.words.len()), None));
    }
}

/// What holds if something else does, said as if it held anyway.
fn check_condition(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    let claim_limits = pair.claim.words.iter().any(|word| {
        matches!(
            word.folded.as_str(),
            "if" | "unless"
                | "when"
                | "whenever"
                | "whether"
                | "once"
                | "without"
                | "provided"
                | "case"
                | "otherwise"
                | "can"
                | "could"
                | "may"
                | "might"
                | "would"
                | "wenn"
                | "falls"
                | "only"
                | "with"
                | "during"
        )
    });
    if claim_limits {
        return;
    }
    let words = &pair.evidence.words;
    let is = |at: Option<usize>, options: &[&str]| {
        at.and_then(|at| words.get(at)).is_some_and(|word| options.contains(&word.folded.as_str()))
    };
    let Some(at) = (0..words.len()).find(|at| {
        is(Some(*at), &["if", "unless", "wenn"])
            && !is(at.checked_sub(1), &["even", "as", "what", "see", "and"])
            && !is(Some(at + 1), &["any", "not", "necessary", "possible", "applicable", "ever", "only"])
    }) else {
        return;
    };
    let statement = statement(pair.evidence, at);
    // What is shared must stand in the statement with the condition.
    let links = (0..pair.claim.words.len())
        .filter(|at| pair.claim.words[*at].kind == WordKind::Content)
        .filter_map(|at| pair.alignment.same(at));
    let (inside, outside): (Vec<_>, Vec<_>) = links.partition(|link| statement.contains(&link.to));
    if inside.len() > outside.len() {
        findings.push(pair.finding(
            NAME,
            Stance::Missing,
            "conditional_in_source",
            Some(0..pair.claim.words.len()),
            Some(at..at + 1),
        ));
    }
}

/// The words around a place up to the next semicolons.
fn statement(text: &ReadText, at: usize) -> Range<usize> {
    let cut = |at: &usize| *at > 0 && text.text[text.words[*at - 1].span.end..text.words[*at].span.start].contains(';');
    let start = (0..=at).rev().find(cut).unwrap_or(0);
    let end = (at + 1..text.words.len()).find(cut).unwrap_or(text.words.len());
    start..end
}

/// "Only the K2 Pro …": another name of which only a part stands there is not meant.
fn check_only(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    let words = &pair.evidence.words;
    for at in (0..words.len()).filter(|at| words[*at].folded == "only") {
        let start = if words.get(at + 1).is_some_and(|word| word.folded == "the") { at + 2 } else { at + 1 };
        let end = (start..words.len()).find(|at| !words[*at].capitalised || *at > start && words[*at].after_mark);
        let name = start..end.unwrap_or(words.len());
        if name.len() < 2 {
            continue;
        }
        let shared = name.clone().filter(|to| pair.claim.holds(words[*to].key)).count();
        if shared > 0 && shared < name.len() {
            findings.push(pair.finding(NAME, Stance::Missing, "only_another", None, Some(at..name.end)));
        }
    }
}
