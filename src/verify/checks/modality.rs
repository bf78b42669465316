//! Modality: what may be, was planned or is alleged is no fact, and what will be or used to be is not what was or is.

use crate::claim::verbs::{self, AUXILIARY, BE, PARTICIPLE, PAST, THIRD};
use crate::verify::pair::Pair;
use crate::verify::reading::ReadText;
use crate::verify::{Finding, Stance};

pub(super) const NAME: &str = "modality";

pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    check_plan(pair, findings);
    let (mut hedged, mut linked) = (0, 0);
    let mut first = None;
    for (at, word) in pair.claim.words.iter().enumerate() {
        if word.hedged {
            return;
        }
        let Some(link) = pair.alignment.same(at).filter(|_| word.is_content()) else { continue };
        linked += 1;
        if pair.evidence.words[link.to].hedged {
            hedged += 1;
            first.get_or_insert((at, link.to));
        }
    }
    // Names before the verb stay outside the hedge: half of what is shared suffices.
    if let Some((at, to)) = first.filter(|_| hedged * 2 >= linked) {
        findings.push(pair.finding(NAME, Stance::Missing, "hedged_in_source", Some(at..at + 1), Some(to..to + 1)));
    }
}

/// When a deed takes place, as its words tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Time {
    Past,
    Present,
    /// "will open", "is to open".
    ToCome,
    /// "used to open".
    Gone,
}

/// Words between a verb and what tells its time.
const REACH: usize = 3;

/// The time of the verb at `at`; `None` where its words do not tell.
fn time(text: &ReadText, at: usize) -> Option<Time> {
    let word = |at: usize| text.words[at].folded.as_str();
    let own = verbs::forms(word(at));
    for before in (at.saturating_sub(REACH)..at).rev() {
        let forms = verbs::forms(word(before));
        match word(before) {
            _ if text.words[before + 1].after_mark => break,
            "will" | "shall" => return Some(Time::ToCome),
            "to" if before >= 1 && word(before - 1) == "used" => {
                let passive = before >= 2 && verbs::forms(word(before - 2)) & BE != 0;
                return (!passive).then_some(Time::Gone);
            }
            "to" if before >= 1 && verbs::forms(word(before - 1)) & BE != 0 => return Some(Time::ToCome),
            "was" | "were" | "had" | "did" => return Some(Time::Past),
            "has" | "have" => return Some(Time::Past),
            "is" | "are" => return Some(Time::Present),
            _ if forms & AUXILIARY != 0 => return None,
            _ if text.words[before].is_content() => break,
            _ => {}
        }
    }
    if own & PAST != 0 {
        Some(Time::Past)
    } else if own & THIRD != 0 && own & (PARTICIPLE | verbs::NOUNISH) == 0 {
        Some(Time::Present)
    } else {
        None
    }
}

/// Whether a text speaks at all of what is to come or used to be.
fn tells_another_time(text: &ReadText) -> bool {
    text.words.windows(2).any(|two| match two[0].folded.as_str() {
        "will" | "shall" | "used" => true,
        "is" | "are" | "was" | "were" => two[1].folded == "to",
        _ => false,
    })
}

/// What the sentence says will be is not what the claim says was, nor what used to be what is.
fn check_plan(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    if !tells_another_time(pair.evidence) {
        return;
    }
    for at in 0..pair.claim.words.len() {
        let Some(link) = pair.alignment.same(at).filter(|_| pair.claim.words[at].is_content()) else { continue };
        let differ = matches!(
            (time(pair.claim, at), time(pair.evidence, link.to)),
            (Some(Time::Past), Some(Time::ToCome)) | (Some(Time::Present), Some(Time::Gone))
        );
        if differ {
            let words = (Some(at..at + 1), Some(link.to..link.to + 1));
            findings.push(pair.finding(NAME, Stance::Missing, "other_time_in_source", words.0, words.1));
            return;
        }
    }
}
