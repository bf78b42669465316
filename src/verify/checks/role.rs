//! Roles: who did it to whom. "A acquired B" is refuted by "B acquired A", not by "B was acquired by A".

use std::ops::Range;

use crate::text::NameMatch;
use crate::verify::align::{LinkKind, NameLink};
use crate::verify::lexicon::lexicon;
use crate::verify::pair::{Pair, overlaps};
use crate::verify::reading::{ReadText, Word};
use crate::verify::{Finding, Stance};

pub(super) const NAME: &str = "role";

/// Least share of the claim's content for swapped roles to contradict.
const SAME_THING: f32 = 0.8;
/// The same where no predicate tells the sides apart and only the neighbours do.
const NEARLY_VERBATIM: f32 = 0.92;
/// Names that stand further apart, counted in names between them, play no roles towards each other.
const MOST_APART: usize = 12;
/// Names fit each other's places this many times better than their own.
const SWAPPED: f32 = 1.6;

pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    other_agent(pair, findings);
    if let Some((at, to)) = turned_complement(pair) {
        let stance = if pair.is_about_the_same(0..0, SAME_THING) { Stance::Contradicts } else { Stance::Missing };
        findings.push(pair.finding(NAME, stance, "roles_swapped", Some(at), Some(to)));
        return;
    }
    let named = placed_names(pair);
    for (k, a) in named.iter().enumerate() {
        for b in named[k + 1..].iter().take(MOST_APART) {
            if overlaps(&a.claim, &b.claim) || overlaps(&a.evidence, &b.evidence) || are_listed(pair, a, b) {
                continue;
            }
            let between = a.claim.end.min(b.claim.end)..a.claim.start.max(b.claim.start);
            if pair.claim.words[between].iter().any(is_mutual) {
                continue;
            }
            let (swapped, needed) = match around_predicate(pair, a, b) {
                Some(swapped) => (swapped, SAME_THING),
                None if is_exchanged(pair, a, b) => (true, SAME_THING),
                None => (fit_each_other(pair, a, b), NEARLY_VERBATIM),
            };
            if !swapped || is_converse(pair) {
                continue;
            }
            let stance = if pair.is_about_the_same(0..0, needed) { Stance::Contradicts } else { Stance::Missing };
            let words = a.claim.start.min(b.claim.start)..a.claim.end.max(b.claim.end);
            let evidence = a.evidence.start.min(b.evidence.start)..a.evidence.end.max(b.evidence.end);
            findings.push(pair.finding(NAME, stance, "roles_swapped", Some(words), Some(evidence)));
            return;
        }
    }
}

/// Least share of the rest of the claim for another agent to contradict.
const SAME_DEED: f32 = 0.85;

/// "B discovered X" beside "X was discovered by A": the claim's agent is not named, another one stands in its place. The
/// entity check looks at names in the same place of both sentences; here the voices differ, or the agent is the subject.
fn other_agent(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    for (mention, link) in pair.claim.mentions.iter().zip(&pair.alignment.names) {
        // A capital at the start may only be that of "Scientists".
        let key = mention.value.key.as_str();
        let plural = pair.is_weak_name(mention)
            && (key.ends_with('s') || matches!(key, "people" | "men" | "women" | "children" | "somebody" | "someone"));
        if *link != NameLink::Absent || plural {
            continue;
        }
        let verb = mention.words.end;
        let Some(word) = pair.claim.words.get(verb) else { continue };
        let Some(to) = pair.alignment.same(verb).map(|link| link.to) else { continue };
        let past = |text: &ReadText, at: usize| {
            text.words[at].folded.ends_with("ed") || lexicon().base(text.words[at].form).is_some()
        };
        if word.negations % 2 == 1
            || pair.evidence.words[to].negations % 2 == 1
            || lexicon().is_several(word.key)
            || lexicon().is_symmetric(word.key)
            || !past(pair.claim, verb)
            || !past(pair.evidence, to)
        {
            continue;
        }
        // What the deed was done to: it follows the verb in the claim and stands before it in the passive sentence.
        let clause = pair.evidence.words[to].clause;
        let done_to = (verb + 1..pair.claim.words.len())
            .find(|at| pair.claim.words[*at].is_content())
            .and_then(|at| pair.alignment.same(at))
            .is_some_and(|link| link.to < to && pair.evidence.words[link.to].clause == clause);
        let auxiliary = to.checked_sub(1).is_some_and(|at| is_auxiliary(&pair.evidence.words[at].folded));
        if !done_to || !auxiliary {
            continue;
        }
        let Some(by) =
            (to + 1..pair.evidence.words.len()).take_while(|at| pair.evidence.words[*at].clause == clause).find(|at| {
                matches!(pair.evidence.words[*at].folded.as_str(), "by" | "por" | "von" | "par" | "pelo" | "pela")
            })
        else {
            continue;
        };
        // "by A", "by the chemist A", not "by a student of A".
        let agent = pair.evidence.mentions.iter().find(|other| {
            let between = pair.evidence.words.get(by + 1..other.words.start);
            between.is_some_and(|words| {
                words.len() <= 3
                    && words.iter().all(|word| word.is_content() || matches!(word.folded.as_str(), "the" | "a" | "an"))
            })
        });
        let Some(agent) = agent.filter(|agent| !agent.words.clone().any(|at| pair.alignment.is_linked_from(at))) else {
            continue;
        };
        if pair.is_about_the_same(mention.words.clone(), SAME_DEED) {
            let (claim, evidence) = (Some(mention.words.clone()), Some(agent.words.clone()));
            findings.push(pair.finding(NAME, Stance::Contradicts, "other_agent", claim, evidence));
            return;
        }
    }
}

/// "A signed before B did" beside "B signed after A did"; "… and so does B": the other way round says the same.
fn is_converse(pair: &Pair<'_>) -> bool {
    let earlier = |text: &ReadText| {
        text.words.iter().find_map(|word| match word.folded.as_str() {
            "before" => Some(true),
            "after" => Some(false),
            _ => None,
        })
    };
    let elliptic = pair.evidence.words.windows(2).any(|two| {
        two[0].folded == "so"
            && matches!(two[1].folded.as_str(), "does" | "do" | "did" | "is" | "was" | "has" | "had" | "will")
    });
    elliptic || matches!((earlier(pair.claim), earlier(pair.evidence)), (Some(a), Some(b)) if a != b)
}

fn is_auxiliary(folded: &str) -> bool {
    matches!(
        folded,
        "is" | "are"
            | "was"
            | "were"
            | "be"
            | "been"
            | "being"
            | "foi"
            | "foram"
            | "wurde"
            | "wurden"
            | "fue"
            | "est"
            | "fut"
    )
}

struct Placement {
    claim: Range<usize>,
    evidence: Range<usize>,
}

/// The claim's names that the sentence holds, with their places in both.
fn placed_names(pair: &Pair<'_>) -> Vec<Placement> {
    let mut placed = Vec::new();
    for (mention, link) in pair.claim.mentions.iter().zip(&pair.alignment.names) {
        let NameLink::Here(at) = *link else { continue };
        let evidence = pair
            .evidence
            .mentions
            .iter()
            .map(|other| other.words.clone())
            .find(|words| words.contains(&at))
            .unwrap_or(at..at + 1);
        placed.push(Placement { claim: mention.words.clone(), evidence });
    }
    placed
}

/// Whether only conjunctions stand between the two, so that their order means nothing.
fn are_listed(pair: &Pair<'_>, a: &Placement, b: &Placement) -> bool {
    let listed = |text: &ReadText, a: &Range<usize>, b: &Range<usize>| {
        let between = a.end.min(b.end)..a.start.max(b.start);
        crate::verify::work::count(between.len());
        text.words.get(between).is_some_and(|words| {
            words.iter().all(|word| {
                matches!(word.folded.as_str(), "and" | "or" | "the" | "e" | "y" | "et" | "und" | "with" | "ou" | "oder")
                    || word.capitalised
            })
        })
    };
    listed(pair.claim, &a.claim, &b.claim) || listed(pair.evidence, &a.evidence, &b.evidence)
}

/// Whether the two names stand on the other sides of a predicate that both texts share; `None` where no such
/// predicate stands between them.
fn around_predicate(pair: &Pair<'_>, a: &Placement, b: &Placement) -> Option<bool> {
    let between = a.claim.end.min(b.claim.end)..a.claim.start.max(b.claim.start);
    for at in between {
        let Some(word) = pair.claim.words.get(at) else { continue };
        let Some(link) = pair.alignment.links[at].filter(|_| is_verb(pair.claim, at)) else { continue };
        if lexicon().is_symmetric(word.key) {
            return Some(false);
        }
        let Some(claim_agent_is_a) = agent_is_first(pair.claim, at, &a.claim, &b.claim) else { continue };
        let Some(evidence_agent_is_a) = agent_is_first(pair.evidence, link.to, &a.evidence, &b.evidence) else {
            continue;
        };
        let opposite = link.kind == LinkKind::Opposite;
        return Some((claim_agent_is_a != evidence_agent_is_a) != opposite);
    }
    None
}

/// Whether `a` acts on `b` at the predicate; `None` where the two do not stand on either side of it, each next to it.
fn agent_is_first(text: &ReadText, predicate: usize, a: &Range<usize>, b: &Range<usize>) -> Option<bool> {
    let (a_before, earlier, later) = if a.end <= predicate && predicate < b.start {
        (true, a, b)
    } else if b.end <= predicate && predicate < a.start {
        (false, b, a)
    } else {
        return None;
    };
    // "the Danish company Kvern": a people's name is an attribute here, not one who acts.
    let foreign =
        |range: Range<usize>| text.mentions.iter().any(|other| !other.value.demonym && overlaps(&other.words, &range));
    if !is_verb(text, predicate) || foreign(earlier.end..predicate) || foreign(predicate + 1..later.start) {
        return None;
    }
    let by = text
        .words
        .get(predicate + 1..later.start)?
        .iter()
        .any(|word| matches!(word.folded.as_str(), "by" | "por" | "von" | "par" | "pelo" | "pela"));
    let auxiliary = text.words.get(predicate.saturating_sub(2)..predicate)?;
    let auxiliary = auxiliary.iter().any(|word| is_auxiliary(&word.folded));
    if auxiliary && !by {
        // A passive that does not say by whom.
        return None;
    }
    Some(a_before != by)
}

/// Whether a word is a verb by its form: a past form, or a present one right after a name or before an article or name.
fn is_verb(text: &ReadText, at: usize) -> bool {
    let word = &text.words[at];
    if word.capitalised || !word.is_content() {
        return false;
    }
    let past = word.folded.ends_with("ed")
        || lexicon().base(word.form).is_some()
        || word.folded.ends_with("ou")
        || word.folded.ends_with("te");
    let before = at.checked_sub(1).map(|before| &text.words[before]);
    let after = text.words.get(at + 1);
    let present = word.folded.ends_with('s')
        && before.is_some_and(|word| word.capitalised)
        && after.is_some_and(|word| {
            word.capitalised || matches!(word.folded.as_str(), "the" | "a" | "an" | "its" | "his" | "her")
        });
    past || present
}

/// Words before and after two names that must be the same for the names to have changed places.
const SAME_WORDS: usize = 3;

/// Places of one name that are looked at.
const MOST_PLACES: usize = 4;

/// Whether the claim is the sentence with two names in each other's place, and the sentence does not hold them the claim's
/// way round too.
fn is_exchanged(pair: &Pair<'_>, a: &Placement, b: &Placement) -> bool {
    let (first, second) = if a.claim.start < b.claim.start { (a, b) } else { (b, a) };
    let stands_anywhere = |x: &Placement, y: &Placement| {
        places(pair, x)
            .iter()
            .any(|x| places(pair, y).iter().any(|y| stand_so(pair, [&first.claim, &second.claim], [x, y])))
    };
    stands_anywhere(second, first) && !stands_anywhere(first, second)
}

/// Where the sentence holds a name of the claim.
fn places(pair: &Pair<'_>, name: &Placement) -> Vec<Range<usize>> {
    let mut places = vec![name.evidence.clone()];
    let own = pair.claim.mentions.iter().find(|mention| mention.words == name.claim);
    let others = pair.evidence.mentions.iter().filter(|other| {
        own.is_some_and(|own| own.value.matches(&other.value) == NameMatch::Same)
            && !overlaps(&other.words, &name.evidence)
    });
    places.extend(others.map(|other| other.words.clone()).take(MOST_PLACES));
    places
}

/// Whether two places of the sentence are those of two names of the claim, word for word around and between them.
fn stand_so(pair: &Pair<'_>, [first, second]: [&Range<usize>; 2], [earlier, later]: [&Range<usize>; 2]) -> bool {
    let (claim, evidence) = (&pair.claim.words, &pair.evidence.words);
    let (Some(between), Some(stated)) = (claim.get(first.end..second.start), evidence.get(earlier.end..later.start))
    else {
        return false;
    };
    let same = |(a, b): &(&Word, &Word)| a.form == b.form;
    if between.is_empty()
        || between.len() != stated.len()
        || !between.iter().zip(stated).all(|two| same(&two))
        || holds_both_ways(between)
    {
        return false;
    }
    let (claim_before, before) = (&claim[..first.start], &evidence[..earlier.start]);
    let (claim_after, after) = (&claim[second.end..], &evidence[later.end..]);
    let as_before = claim_before.iter().rev().zip(before.iter().rev()).take_while(same).count();
    let as_after = claim_after.iter().zip(after).take_while(same).count();
    as_before >= claim_before.len().min(SAME_WORDS) && as_after >= claim_after.len().min(SAME_WORDS)
}

/// "A is north of B" beside "north of A is B": the word that both share has the claim's other name after its "of".
fn turned_complement(pair: &Pair<'_>) -> Option<(Range<usize>, Range<usize>)> {
    let complement = |text: &ReadText, at: usize| {
        let of =
            text.words.get(at + 1).filter(|word| !word.after_mark && matches!(word.folded.as_str(), "of" | "to"))?;
        let article = text.words.get(at + 2).is_some_and(|word| matches!(word.folded.as_str(), "the" | "a" | "an"));
        let start = at + 2 + usize::from(article);
        let name = text.mentions.iter().find(|mention| mention.words.start == start && !mention.value.demonym)?;
        // "the son of a US president" is not the son of the US.
        let whole = text.words.get(name.words.end).is_none_or(|next| next.after_mark || !next.is_content());
        whole.then(|| (of.form, name.words.clone()))
    };
    let named = placed_names(pair);
    let of_claim = |words: &Range<usize>| named.iter().find(|name| overlaps(&name.claim, words));
    let of_evidence = |words: &Range<usize>| named.iter().find(|name| overlaps(&name.evidence, words));
    (0..pair.claim.words.len()).find_map(|at| {
        let word = &pair.claim.words[at];
        let link = pair.alignment.same(at).filter(|_| word.is_content() && !word.capitalised)?;
        let (form, own) = complement(pair.claim, at)?;
        let (stated_form, stated) = complement(pair.evidence, link.to)?;
        let (claimed, stands) = (of_claim(&own)?, of_evidence(&stated)?);
        let apart = !overlaps(&claimed.claim, &stands.claim) && !overlaps(&claimed.evidence, &stands.evidence);
        let both_ways = holds_both_ways(&pair.claim.words[at..=at]);
        (form == stated_form && apart && !both_ways && !occurs_twice(pair, at) && stands.claim.end <= at)
            .then_some((stands.claim.start..own.end, stated))
    })
}

/// Whether the sentence or the claim holds a word more than once, so that it is not sure which one is meant.
fn occurs_twice(pair: &Pair<'_>, at: usize) -> bool {
    let key = pair.claim.words[at].key;
    pair.claim.places(key).nth(1).is_some() || pair.evidence.places(key).nth(1).is_some()
}

/// Whether a word says of two the same as of the two turned round, or is compared by a check of its own.
fn is_mutual(word: &Word) -> bool {
    matches!(
        word.folded.as_str(),
        "alongside" | "beside" | "near" | "cousin" | "rival" | "ally" | "enemy" | "contemporary" | "than"
    )
}

/// Whether what stands between two names says the same with the names in each other's place.
fn holds_both_ways(between: &[Word]) -> bool {
    between.iter().any(|word| {
        lexicon().is_symmetric(word.key)
            || is_mutual(word)
            || matches!(
                word.folded.as_str(),
                "and"
                    | "or"
                    | "nor"
                    | "with"
                    | "while"
                    | "but"
                    | "vs"
                    | "like"
                    | "brother"
                    | "sister"
                    | "und"
                    | "oder"
                    | "mit"
                    | "et"
                    | "ou"
                    | "avec"
                    | "y"
                    | "con"
                    | "com"
                    | "e"
            )
    })
}

/// Whether each of two names stands where the other's neighbours are.
fn fit_each_other(pair: &Pair<'_>, a: &Placement, b: &Placement) -> bool {
    let fit = |from: &Range<usize>, to: &Range<usize>| {
        pair.alignment.affinity_beside(pair.claim, from.clone(), pair.evidence, to.clone(), &[&a.claim, &b.claim])
    };
    let (own_a, own_b) = (fit(&a.claim, &a.evidence), fit(&b.claim, &b.evidence));
    let (other_a, other_b) = (fit(&a.claim, &b.evidence), fit(&b.claim, &a.evidence));
    other_a > own_a * SWAPPED && other_b > own_b * SWAPPED && other_a + other_b > 1.0
}

/// Whether the names on either side of a linked predicate have changed sides, so that a converse says the same
/// ("A preceded B" beside "B succeeded A").
pub(super) fn sides_are_swapped(pair: &Pair<'_>, claim_word: usize, evidence_word: usize) -> bool {
    let named = placed_names(pair);
    named.iter().enumerate().any(|(k, a)| {
        named[k + 1..].iter().take(MOST_APART).any(|b| {
            let claim = agent_is_first(pair.claim, claim_word, &a.claim, &b.claim);
            let evidence = agent_is_first(pair.evidence, evidence_word, &a.evidence, &b.evidence);
            matches!((claim, evidence), (Some(claim), Some(evidence)) if claim != evidence)
        })
    })
}
