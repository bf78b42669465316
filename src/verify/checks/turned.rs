//! Who did what to whom, where one of the two is no name: "the observatory funded the Hale Foundation" turns around "it was
//! funded by the Hale Foundation". Two names are looked at by `role`.

use std::ops::Range;

use crate::claim::verbs::{self, AUXILIARY, BE, NOUNISH, PAST, THIRD};
use crate::verify::align::LinkKind;
use crate::verify::lexicon::lexicon;
use crate::verify::pair::Pair;
use crate::verify::reading::{ReadText, Word, WordKind};
use crate::verify::{Finding, Stance};

/// Least share of the claim's content for turned sides to contradict.
const SAME_THING: f32 = 0.8;
/// Most words of a noun phrase that is looked at.
const LONGEST_PHRASE: usize = 6;

/// The two sides of a deed: words of a noun phrase, or one pronoun.
struct Sides {
    agent: Range<usize>,
    patient: Range<usize>,
}

pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    if findings.iter().any(|finding| finding.kind == "roles_swapped") {
        return;
    }
    for at in 0..pair.claim.words.len() {
        let Some(link) = pair.alignment.links[at].filter(|link| link.kind == LinkKind::Same) else { continue };
        if lexicon().is_symmetric(pair.claim.words[at].key) {
            continue;
        }
        let (Some(claim), Some(evidence)) = (sides(pair.claim, at), sides(pair.evidence, link.to)) else { continue };
        let (agent, patient) = (claim.agent.end - 1, claim.patient.end - 1);
        let crossed = stands_in(pair, agent, &evidence.patient) && stands_in(pair, patient, &evidence.agent);
        if crossed && !stands_in(pair, agent, &evidence.agent) && !stands_in(pair, patient, &evidence.patient) {
            let same = pair.is_about_the_same(0..0, SAME_THING) && !pair.is_denied(&(at..at + 1));
            let stance = if same { Stance::Contradicts } else { Stance::Missing };
            let words = claim.agent.start.min(claim.patient.start)..claim.agent.end.max(claim.patient.end);
            let stated = evidence.agent.start.min(evidence.patient.start)..evidence.agent.end.max(evidence.patient.end);
            findings.push(pair.finding(super::role::NAME, stance, "roles_swapped", Some(words), Some(stated)));
            return;
        }
    }
}

/// Whether a word of the claim is the head of this side of the sentence, or what its pronoun stands for.
fn stands_in(pair: &Pair<'_>, at: usize, side: &Range<usize>) -> bool {
    let words = &pair.evidence.words;
    if is_pronoun(&words[side.start]) {
        return pair.alignment.same(at).is_none() && pair.alignment.in_context[at];
    }
    side.clone().any(|to| words[to].is_content() && words[to].key == pair.claim.words[at].key)
}

/// The sides of the verb at `at`; `None` where it is no verb or one of them does not stand right beside it.
fn sides(text: &ReadText, at: usize) -> Option<Sides> {
    let word = &text.words[at];
    let forms = verbs::forms(&word.folded);
    let is_verb = forms & PAST != 0
        || word.folded.ends_with("ed")
        || lexicon().base(word.form).is_some()
        || forms & THIRD != 0 && forms & NOUNISH == 0;
    if word.capitalised || !word.is_content() || !is_verb {
        return None;
    }
    let mut before = at;
    let mut passive = false;
    while let Some(previous) = before.checked_sub(1).map(|previous| &text.words[previous]) {
        let kind = verbs::forms(&previous.folded);
        let auxiliary = kind & AUXILIARY != 0 || matches!(previous.folded.as_str(), "been" | "being" | "be");
        let adverb = previous.folded.len() > 4 && previous.folded.ends_with("ly")
            || matches!(previous.folded.as_str(), "also" | "later" | "then" | "not" | "never");
        if text.words[before].after_mark || !(auxiliary || adverb) {
            break;
        }
        passive |= kind & BE != 0 || matches!(previous.folded.as_str(), "been" | "being" | "be");
        before -= 1;
    }
    let relative = before.checked_sub(1).filter(|at| matches!(text.words[*at].folded.as_str(), "who" | "which"));
    let subject = match relative {
        Some(at) => antecedent(text, at)?,
        None => phrase_before(text, before)?,
    };
    if !passive {
        return Some(Sides { agent: subject, patient: phrase_from(text, at + 1)? });
    }
    text.words.get(at + 1).filter(|word| word.folded == "by" && !word.after_mark)?;
    Some(Sides { agent: phrase_from(text, at + 2)?, patient: subject })
}

/// The noun phrase that ends at `end`; none that only completes another ("the director of the museum").
fn phrase_before(text: &ReadText, end: usize) -> Option<Range<usize>> {
    let last = end.checked_sub(1)?;
    if is_pronoun(&text.words[last]) && !text.words[end].after_mark {
        return Some(last..end);
    }
    let mut start = end;
    while start > 0
        && end - start < LONGEST_PHRASE
        && text.words[start - 1].kind != WordKind::Function
        && !text.words.get(start).is_some_and(|word| word.after_mark)
    {
        start -= 1;
    }
    let opens = start == 0
        || text.words[start].after_mark
        || matches!(text.words[start - 1].folded.as_str(), "the" | "a" | "an" | "and" | "but")
            && (start < 2 || text.words[start - 1].after_mark || !text.words[start - 2].is_content())
            && !text.words[..start - 1].last().is_some_and(|word| is_preposition(&word.folded));
    (start < end && opens).then_some(start..end)
}

/// The noun right before "who" or "which".
fn antecedent(text: &ReadText, relative: usize) -> Option<Range<usize>> {
    let last = relative.checked_sub(1)?;
    text.words[last].is_content().then_some(last..relative)
}

/// The noun phrase that begins at `start`, without its article.
fn phrase_from(text: &ReadText, start: usize) -> Option<Range<usize>> {
    let article = |word: &Word| matches!(word.folded.as_str(), "the" | "a" | "an");
    let first = text.words.get(start).filter(|word| !word.after_mark)?;
    if is_pronoun(first) {
        return Some(start..start + 1);
    }
    if !article(first) && !first.capitalised {
        return None;
    }
    let from = start + usize::from(article(first));
    let end = (from..text.words.len().min(from + LONGEST_PHRASE))
        .find(|at| text.words[*at].kind == WordKind::Function || *at > from && text.words[*at].after_mark)
        .unwrap_or(text.words.len().min(from + LONGEST_PHRASE));
    (from < end).then_some(from..end)
}

fn is_pronoun(word: &Word) -> bool {
    matches!(word.folded.as_str(), "it" | "he" | "she" | "they" | "him" | "them")
}

fn is_preposition(folded: &str) -> bool {
    matches!(folded, "of" | "in" | "by" | "for" | "with" | "from" | "at" | "on" | "to" | "and")
}
