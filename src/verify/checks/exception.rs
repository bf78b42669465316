//! Exceptions: what holds of all but one, or of another instead, is not said of the one ("everyone but the mayor signed").

use std::ops::Range;

use crate::claim::verbs::{self, AUXILIARY, PAST, THIRD};
use crate::verify::pair::Pair;
use crate::verify::reading::ReadText;
use crate::verify::{Finding, Stance};

const NAME: &str = "exception";

/// Most words of what is excepted.
const LONGEST: usize = 7;

/// Openings of an exception, word by word.
const OPENINGS: [&[&str]; 23] = [
    &["except", "for"],
    &["except"],
    &["excepting"],
    &["excluding"],
    &["apart", "from"],
    &["with", "the", "exception", "of"],
    &["instead", "of"],
    &["rather", "than"],
    &["everyone", "but"],
    &["everybody", "but"],
    &["everything", "but"],
    &["all", "but"],
    &["neither"],
    &["nor"],
    &["ausser"],
    &["außer"],
    &["mit", "ausnahme"],
    &["sauf"],
    &["hormis"],
    &["excepte"],
    &["excepto"],
    &["salvo"],
    &["exceto"],
];

pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    let ranges = excepted(pair.evidence);
    let within = |at: &usize| {
        pair.claim.words[*at].is_content()
            && pair.alignment.links[*at].is_some_and(|link| ranges.iter().any(|range| range.contains(&link.to)))
    };
    let Some(at) = (0..pair.claim.words.len()).find(within) else { return };
    let excepts = !excepted(pair.claim).is_empty();
    if !excepts {
        leave_open(findings);
    }
    // "The pool does not open on Mondays" is what "daily except Mondays" means.
    if !excepts && pair.claim.words.iter().all(|word| word.negations.is_multiple_of(2)) {
        let to = pair.alignment.links[at].map(|link| link.to..link.to + 1);
        findings.push(pair.finding(NAME, Stance::Missing, "excepted", Some(at..at + 1), to));
    }
}

/// What the rule says of all refutes nothing that is said of the exception.
fn leave_open(findings: &mut [Finding]) {
    for finding in findings.iter_mut().filter(|finding| finding.stance == Stance::Contradicts) {
        if matches!(finding.check.as_str(), "opposite" | "negation" | "weekday") {
            finding.stance = Stance::Missing;
        }
    }
}

/// The words that each exception of a text takes out; none where all is denied ("nobody except the mayor signed").
fn excepted(text: &ReadText) -> Vec<Range<usize>> {
    let word = |at: usize| text.words.get(at).map_or("", |word| word.folded.as_str());
    let mut found = Vec::new();
    for at in 0..text.words.len() {
        let opens = |opening: &&[&str]| opening.iter().enumerate().all(|(step, part)| word(at + step) == *part);
        let Some(opening) = OPENINGS.iter().find(|opening| opens(opening)) else { continue };
        let denied =
            (0..at).any(|at| matches!(word(at), "no" | "nobody" | "none" | "nothing" | "never" | "not" | "few"));
        if denied && !matches!(word(at), "neither" | "nor") {
            continue;
        }
        let start = at + opening.len();
        let ends = |at: &usize| {
            let next = &text.words[*at];
            *at > start && next.after_mark
                || !next.capitalised && verbs::forms(&next.folded) & (AUXILIARY | PAST | THIRD) != 0
        };
        let most = text.words.len().min(start + LONGEST);
        let end = (start..most).find(ends).unwrap_or(most);
        if start < end {
            found.push(start..end);
        }
    }
    found
}
