//! Structure: a claim whose words all stand in the sentence, but in other clauses or other roles, is not stated by it
//! ("A wrote the text and B composed the music" does not say that A composed the music).
//!
//! The claim's words are followed through the sentence. From one to the next the sentence may leave out attributes, places
//! and asides, but no predicate: what stands beyond another verb belongs to that verb. Adjuncts may move, and the passive,
//! the copula and what is said of both sides of it may turn round. Nothing here contradicts; a model may know better.

use std::ops::Range;

use crate::claim::verbs::{self, AUXILIARY, PARTICIPLE, PAST, THIRD};
use crate::text::{Agreement, DateAgreement};
use crate::verify::align::NameLink;
use crate::verify::pair::{Pair, overlaps};
use crate::verify::reading::{ReadText, Word, WordKind};
use crate::verify::{Finding, Stance};

pub(in crate::verify) const NAME: &str = "structure";

/// Most words between two that may change their order within one phrase ("coffee production", "production of coffee").
const WITHIN_PHRASE: usize = 5;

/// Most words of a participle with what belongs to it, before the statement.
const LONGEST_FRONT: usize = 12;

pub(in crate::verify) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    let mut missing = |kind: &str, claim: Option<Range<usize>>, evidence: Option<Range<usize>>| {
        findings.push(pair.finding(NAME, Stance::Missing, kind, claim, evidence));
    };
    if let Some(at) = broken_at(pair) {
        missing("rearranged", Some(at..at + 1), None);
    }
    if let Some((at, to)) = possessor(pair) {
        missing("possessor_only", Some(at..at + 1), Some(to..to + 1));
    }
    if let Some(at) = subject_of_another(pair) {
        missing("other_subject", Some(at..at + 1), None);
    }
    if let Some(at) = predicate_elsewhere(pair) {
        missing("predicate_elsewhere", Some(at..at + 1), None);
    }
}

/// Whether the claim's words follow one another in the sentence as they do in the claim.
pub(in crate::verify) fn reads_straight(pair: &Pair<'_>) -> bool {
    broken_at(pair).is_none()
}

/// A word, name or value of the claim and its place in the sentence.
#[derive(Debug, Clone)]
struct Unit {
    claim: Range<usize>,
    evidence: Range<usize>,
    is_date: bool,
}

fn units(pair: &Pair<'_>) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut at = 0;
    while at < pair.claim.words.len() {
        let date = pair.claim.dates.iter().zip(&pair.alignment.dates).find(|(date, _)| date.words.start == at);
        if let Some((date, link)) = date {
            if let Some(link) = link.filter(|link| link.agreement == DateAgreement::Contains) {
                let evidence = pair.evidence.dates[link.to].words.clone();
                units.push(Unit { claim: date.words.clone(), evidence, is_date: true });
            }
            at = date.words.end.max(at + 1);
            continue;
        }
        let quantity =
            pair.claim.quantities.iter().zip(&pair.alignment.quantities).find(|(value, _)| value.words.start == at);
        if let Some((value, Some(link))) = quantity
            && link.agreement == Agreement::Agrees
        {
            let evidence = pair.evidence.quantities[link.to].words.clone();
            units.push(Unit { claim: value.words.clone(), evidence, is_date: false });
            at = value.words.end.max(at + 1);
            continue;
        }
        let named = pair.claim.mentions.iter().zip(&pair.alignment.names).find(|(name, _)| name.words.start == at);
        if let Some((name, NameLink::Here(to))) = named {
            let evidence = pair
                .evidence
                .mentions
                .iter()
                .find(|other| other.words.contains(to))
                .map_or(*to..(*to + name.words.len()).min(pair.evidence.words.len()), |other| other.words.clone());
            units.push(Unit { claim: name.words.clone(), evidence, is_date: false });
            at = name.words.end.max(at + 1);
            continue;
        }
        if pair.claim.words[at].is_content()
            && let Some(link) = pair.alignment.same(at)
        {
            units.push(Unit { claim: at..at + 1, evidence: link.to..link.to + 1, is_date: false });
        }
        at += 1;
    }
    units
}

/// The first word of the claim that does not follow the one before it in the sentence; `None` if all do, in the claim's
/// own order or in one that says the same.
fn broken_at(pair: &Pair<'_>) -> Option<usize> {
    if is_record(pair.evidence) {
        return None;
    }
    let own = units(pair);
    let broken = first_break(pair, &own)?;
    turned(pair, &own).into_iter().all(|order| first_break(pair, &order).is_some()).then_some(broken)
}

/// Orders of the units that say the same: around a "by" that only one of the two has, and around a copula.
fn turned(pair: &Pair<'_>, own: &[Unit]) -> Vec<Vec<Unit>> {
    let mut orders = Vec::new();
    let split = |at: usize| -> (Vec<Unit>, Vec<Unit>) { own.iter().cloned().partition(|unit| unit.claim.start < at) };
    let is = |text: &ReadText, at: usize, options: &[&str]| {
        text.words.get(at).is_some_and(|word| options.contains(&word.folded.as_str()))
    };
    let by = |text: &ReadText| (0..text.words.len()).find(|at| is(text, *at, &["by", "por", "von", "par"]));
    match (by(pair.claim), by(pair.evidence)) {
        (Some(at), None) => {
            let (before, after) = split(at);
            // "O was built by S in 1900": S, then the verb, then what was done to.
            let verb = before.iter().rposition(|unit| is_verb(&pair.claim.words[unit.claim.start]));
            if let Some(verb) = verb {
                let agent_end = after.first().map_or(0, |_| 1);
                let mut order = after[..agent_end].to_vec();
                order.push(before[verb].clone());
                order.extend(before[..verb].iter().cloned());
                order.extend(before[verb + 1..].iter().cloned());
                order.extend(after[agent_end..].iter().cloned());
                orders.push(order);
            }
        }
        (None, Some(_)) => {
            if let Some(verb) = own.iter().position(|unit| is_verb(&pair.claim.words[unit.claim.start])) {
                let mut order = own[verb + 1..].to_vec();
                order.push(own[verb].clone());
                order.extend(own[..verb].iter().cloned());
                orders.push(order);
                if let Some(object) = own.get(verb + 1) {
                    let mut order = vec![object.clone(), own[verb].clone()];
                    order.extend(own[..verb].iter().cloned());
                    order.extend(own[verb + 2..].iter().cloned());
                    orders.push(order);
                }
            }
        }
        _ => {}
    }
    orders.extend(owner_first(pair, own));
    // "Designed by A, the bridge opened in 1931": the subject before what is said of it first, or after it.
    if let Some(main) = fronted(pair.claim) {
        let (before, after) = split(main);
        if let Some((subject, rest)) = after.split_first() {
            let subject = std::slice::from_ref(subject);
            orders.push([subject, &before, rest].concat());
            orders.push([subject, rest, &before].concat());
        }
    } else if let Some(main) = fronted(pair.evidence) {
        let (before, after): (Vec<Unit>, Vec<Unit>) = own.iter().cloned().partition(|unit| unit.evidence.start >= main);
        orders.push(after.into_iter().chain(before).collect());
    }
    let copula = (0..pair.claim.words.len())
        .find(|at| is(pair.claim, *at, &["is", "are", "was", "were", "e", "foi", "ist", "war", "est", "es", "fue"]));
    if let Some(at) = copula {
        let (before, after) = split(at);
        if after.first().is_some_and(|unit| is_verb(&pair.claim.words[unit.claim.start])) {
            // A passive: its sides are told by "by" alone.
            return orders;
        }
        orders.push(after.into_iter().chain(before).collect());
    }
    orders
}

/// "Designed by Ana Brandt, the bridge opened": where the statement begins of which the participle before it speaks.
pub(in crate::verify) fn fronted(text: &ReadText) -> Option<usize> {
    let first = text.words.first()?;
    if verbs::forms(&first.folded) & PARTICIPLE == 0 {
        return None;
    }
    let main = (2..text.words.len().min(LONGEST_FRONT)).find(|at| text.words[*at].after_mark)?;
    let finite = |word: &Word| !word.capitalised && verbs::forms(&word.folded) & (PAST | THIRD | AUXILIARY) != 0;
    let states = text.words[main..].iter().any(finite)
        && !text.words[1..main].iter().any(|word| verbs::forms(&word.folded) & AUXILIARY != 0);
    states.then_some(main)
}

/// "The office of the firm is in Delhi" where the sentence names the firm first and then "its office" or "the firm's
/// office": the owner before what it owns.
fn owner_first(pair: &Pair<'_>, own: &[Unit]) -> Option<Vec<Unit>> {
    let (words, evidence) = (&pair.claim.words, &pair.evidence.words);
    let of =
        (1..words.len()).find(|at| matches!(words[*at].folded.as_str(), "of" | "de" | "do" | "da" | "von" | "des"))?;
    let owner = own.iter().position(|unit| unit.claim.start > of)?;
    let led = |at: usize| matches!(words[at].folded.as_str(), "the" | "a" | "an" | "its" | "their");
    if !(of + 1..own[owner].claim.start).all(led) {
        return None;
    }
    // What is owned: the words before "of" up to its article.
    let start = (0..of).rev().take_while(|at| words[*at].is_content() && !is_verb(&words[*at])).last()?;
    let owned = own.iter().position(|unit| unit.claim.start >= start)?;
    let place = own.get(owned..owner)?.iter().map(|unit| unit.evidence.start).min()?;
    let before = own[owner].evidence.end;
    let possessive = place.checked_sub(1).filter(|at| *at >= before)?;
    let own_name = |name: &Range<usize>| overlaps(name, &own[owner].evidence);
    let another = pair
        .evidence
        .mentions
        .iter()
        .any(|name| name.words.start >= before && name.words.end <= place && !own_name(&name.words));
    let refers = matches!(evidence[possessive].folded.as_str(), "its" | "his" | "her" | "their" | "whose");
    if another || !refers {
        return None;
    }
    let mut order = own.to_vec();
    let unit = order.remove(owner);
    order.insert(owned, unit);
    Some(order)
}

fn first_break(pair: &Pair<'_>, units: &[Unit]) -> Option<usize> {
    let mut before: Option<&Unit> = None;
    for unit in units {
        let Some(last) = before else {
            before = Some(unit);
            continue;
        };
        if unit.evidence.start >= last.evidence.end {
            if skips_predicate(pair, last, unit) {
                return Some(unit.claim.start);
            }
        } else if unit.evidence.end <= last.evidence.start {
            let between = unit.evidence.end..last.evidence.start;
            let parted = (unit.evidence.end..=last.evidence.start).any(|at| pair.evidence.words[at].after_mark);
            // "acquitted of fraud but convicted of perjury": what stands before belongs to the verb before.
            let joins = |at: usize| matches!(pair.evidence.words[at].folded.as_str(), "and" | "but" | "or");
            let own_verb = is_verb(&pair.claim.words[last.claim.start])
                && last.evidence.start.checked_sub(1).is_some_and(|at| at >= unit.evidence.end && joins(at));
            let near = !own_verb
                && !parted
                && between.len() <= WITHIN_PHRASE
                && !between.clone().any(|at| bears_verb(pair, at, &between));
            if !near || crosses_predicate(pair, last, unit) {
                if is_adjunct(pair, unit) || is_aside(pair, unit) && !is_aside(pair, last) {
                    continue;
                }
                if !is_adjunct(pair, last) {
                    return Some(unit.claim.start);
                }
            }
        }
        before = Some(unit);
    }
    None
}

/// "X (born 18 July 1996)": what a bracket says of the name before it may stand anywhere in the claim.
fn is_aside(pair: &Pair<'_>, unit: &Unit) -> bool {
    pair.evidence.words[unit.evidence.start].bracket_of.is_some()
}

/// Whether a word that stands before a verb in the claim stands after it in the sentence, or the other way round: who did
/// it has become what it was done to. A participle right before its noun is an attribute ("the painted wall").
fn crosses_predicate(pair: &Pair<'_>, last: &Unit, unit: &Unit) -> bool {
    let acts = |unit: &Unit| {
        let word = &pair.claim.words[unit.claim.start];
        let progressive = word.folded.ends_with("ing") && is_preceded_by_be(pair.claim, unit.claim.start);
        (is_verb(word) && verbs::forms(&word.folded) & verbs::NOUNISH == 0 || progressive) && !in_name(pair, unit)
    };
    // "is overseen by" beside "overseeing": the voices differ, so that what it was done to changes sides.
    let turned = |unit: &Unit| {
        is_preceded_by_be(pair.claim, unit.claim.start) != is_preceded_by_be(pair.evidence, unit.evidence.start)
    };
    let other_voice = acts(last) && turned(last) || acts(unit) && turned(unit);
    // An answer stands behind its question, wherever its place is; what is given may stand before or after.
    let is_given = |unit: &Unit| {
        matches!(
            pair.claim.words[unit.claim.start].folded.as_str(),
            "awarded" | "given" | "granted" | "offered" | "paid" | "presented" | "sold" | "gave" | "called" | "named"
        )
    };
    // "opened after the school closed": two clauses may stand in either order.
    let other_clause = pair.claim.words[last.claim.end..unit.claim.start.max(last.claim.end)].iter().any(|word| {
        matches!(
            word.folded.as_str(),
            "after" | "before" | "when" | "while" | "until" | "since" | "and" | "but" | "because"
        )
    });
    if pair.claim.text.contains('?') || other_clause || other_voice || is_given(last) || is_given(unit) {
        return false;
    }
    let attribute = unit.evidence.end == last.evidence.start && !is_preceded_by_be(pair.evidence, unit.evidence.start);
    let mut between = unit.evidence.end..last.evidence.start;
    acts(last) != acts(unit) && !attribute || between.any(|at| is_finite_predicate(pair, at))
}

fn in_name(pair: &Pair<'_>, unit: &Unit) -> bool {
    pair.claim.mentions.iter().any(|mention| overlaps(&mention.words, &unit.claim))
}

fn is_preceded_by_be(text: &ReadText, at: usize) -> bool {
    text.words[at.saturating_sub(2)..at].iter().any(|word| {
        matches!(word.folded.as_str(), "is" | "are" | "was" | "were" | "be" | "been" | "being" | "has" | "have" | "had")
    })
}

/// Whether a word of the sentence is a verb with its auxiliary that the claim holds too.
fn is_finite_predicate(pair: &Pair<'_>, at: usize) -> bool {
    pair.alignment.is_linked_from(at) && is_verb(&pair.evidence.words[at]) && is_preceded_by_be(pair.evidence, at)
}

/// A date, or a name or noun after a preposition in both: it may stand first or last.
fn is_adjunct(pair: &Pair<'_>, unit: &Unit) -> bool {
    let led = |text: &ReadText, at: usize| {
        let words = &text.words;
        (at.saturating_sub(3)..at).rev().take_while(|before| !words[*before + 1].after_mark).any(|before| {
            matches!(
                words[before].folded.as_str(),
                "in" | "on"
                    | "at"
                    | "during"
                    | "since"
                    | "after"
                    | "before"
                    | "from"
                    | "for"
                    | "with"
                    | "as"
                    | "under"
                    | "to"
                    | "em"
                    | "no"
                    | "na"
                    | "im"
                    | "am"
                    | "seit"
                    | "en"
                    | "desde"
            )
        })
    };
    unit.is_date || led(pair.claim, unit.claim.start) && led(pair.evidence, unit.evidence.start)
}

pub(in crate::verify) fn is_verb(word: &Word) -> bool {
    !word.capitalised && verbs::forms(&word.folded) & (PAST | PARTICIPLE | THIRD) != 0
}

/// Whether an unlinked word of the sentence is the verb of a clause.
fn bears_verb(pair: &Pair<'_>, at: usize, gap: &Range<usize>) -> bool {
    let words = &pair.evidence.words;
    let word = &words[at];
    let forms = verbs::forms(&word.folded);
    if forms & (PAST | PARTICIPLE | THIRD | AUXILIARY) == 0 || word.capitalised || pair.alignment.is_linked_from(at) {
        return false;
    }
    if forms & AUXILIARY != 0 {
        // The auxiliary of a verb that is linked, or one that the claim has too.
        let own = (at + 1..gap.end.min(words.len())).find(|next| words[*next].is_content());
        return own.is_some() && !pair.claim.words.iter().any(|other| other.form == word.form);
    }
    if forms & verbs::NOUNISH != 0 && forms & PAST == 0 {
        return false;
    }
    let before = at.checked_sub(1).map(|before| words[before].folded.as_str()).unwrap_or_default();
    let determined = matches!(
        before,
        "the" | "a" | "an" | "its" | "his" | "her" | "their" | "this" | "these" | "of" | "with" | "most" | "more"
    ) || before.ends_with("ly");
    let attributive = determined && words.get(at + 1).is_some_and(|next| next.is_content() && !next.after_mark);
    !attributive
}

/// Whether the way from one unit to the next leads past a verb that the claim leaves out.
fn skips_predicate(pair: &Pair<'_>, last: &Unit, unit: &Unit) -> bool {
    let words = &pair.evidence.words;
    let mut end = unit.evidence.start;
    // The verb's own auxiliaries and adverbs.
    while end > last.evidence.end && is_light_before(&words[end - 1]) {
        end -= 1;
    }
    let gap = without_asides(pair.evidence, last.evidence.end, end);
    let crosses_mark = |mark: char| {
        let (from, to) = (words[last.evidence.end - 1].span.end, words[unit.evidence.start].span.start);
        pair.evidence.text.get(from..to).is_some_and(|between| between.contains(mark))
    };
    if crosses_mark(';') {
        return true;
    }
    let outside = words[unit.evidence.start].bracket_of.is_none();
    let verb = |at: &usize| bears_verb(pair, *at, &gap) && !(outside && words[*at].bracket_of.is_some());
    let Some(first) = gap.clone().find(verb) else { return false };
    let others = gap.clone().filter(verb).count() > 1;
    let names_another = pair.evidence.mentions.iter().any(|name| {
        gap.contains(&name.words.start) && !name.value.demonym && !pair.alignment.is_linked_from(name.words.start)
    });
    // "X is a song recorded by Y": what a thing is said to be does not come between it and what it did.
    if !others && !names_another && is_copula(&words[first]) {
        return false;
    }
    // "issued a decision denying the motion".
    if !others && words[unit.evidence.start].folded.ends_with("ing") && !names_another {
        return false;
    }
    let joined = |at: usize| {
        matches!(
            words[at].folded.as_str(),
            "and" | "or" | "but" | "then" | "e" | "und" | "et" | "y" | "mas" | "aber" | "pero" | "mais"
        )
    };
    let is_predicate = is_verb(&words[unit.evidence.start]) || is_verb(&pair.claim.words[unit.claim.start]);
    let last_is_predicate = is_verb(&pair.claim.words[last.claim.start]);
    // "A joined it in 2009 and led it": the second verb has the same subject.
    if is_predicate && !last_is_predicate && (end > gap.start && joined(end - 1) || words[end].after_mark) {
        return false;
    }
    // "designed and built the bridge".
    let only_verbs = gap.clone().filter(|at| words[*at].is_content()).all(|at| is_verb(&words[at]));
    !(last_is_predicate && only_verbs && gap.clone().any(joined))
}

/// The words from `start` to `end` without the asides that open the way: from a mark or "who" to the next mark.
fn without_asides(text: &ReadText, start: usize, end: usize) -> Range<usize> {
    let mut from = start;
    while from < end {
        let opens = text.words[from].after_mark
            || matches!(text.words[from].folded.as_str(), "who" | "which" | "that" | "whose" | "where");
        let joins = matches!(text.words[from].folded.as_str(), "and" | "but" | "or" | "then");
        if !opens || joins {
            break;
        }
        let close = (from + 1..=end).find(|at| text.words.get(*at).is_some_and(|word| word.after_mark));
        match close {
            Some(close) => from = close,
            None => break,
        }
        // Only what a comma closes is an aside; the rest begins at a verb or at what follows.
        if text.words.get(from).is_none_or(|word| !word.after_mark) || from >= end {
            break;
        }
        let rest_is_verb = verbs::forms(&text.words[from].folded) & (AUXILIARY | PAST | THIRD) != 0;
        if rest_is_verb {
            break;
        }
    }
    from..end
}

fn is_copula(word: &Word) -> bool {
    matches!(word.folded.as_str(), "is" | "are" | "was" | "were")
}

/// Whether a sentence is a row of a table or a list of fields, in which a semicolon parts cells.
pub(in crate::verify) fn is_record(text: &ReadText) -> bool {
    let Some((label, value)) = text.text.split_once(": ") else { return false };
    let finite = |word: &&Word| verbs::forms(&word.folded) & AUXILIARY != 0;
    let label_words = text.words.iter().take_while(|word| word.span.end <= label.len());
    label_words.clone().count() <= LABEL_WORDS
        && !label_words.clone().any(|word| finite(&word))
        && !label.contains(['.', '?', '!'])
        && (value.contains(": ")
            || !text.words.iter().skip(label_words.count()).take(VALUE_WORDS).any(|word| finite(&word)))
}

/// Most words of a field's label.
const LABEL_WORDS: usize = 10;
/// Words after the label that tell a value from a sentence.
const VALUE_WORDS: usize = 8;

fn is_light_before(word: &Word) -> bool {
    word.kind == WordKind::Function && verbs::forms(&word.folded) & AUXILIARY != 0
        || matches!(
            word.folded.as_str(),
            "been" | "be" | "being" | "also" | "later" | "first" | "not" | "to" | "the" | "a" | "an"
        )
        || word.folded.ends_with("ly") && word.folded.len() > 4
}

/// "The mayor's sister founded it" says nothing of what the mayor did: a word of the claim that stands in the sentence as a
/// possessor only.
pub(in crate::verify) fn possessor(pair: &Pair<'_>) -> Option<(usize, usize)> {
    let owns = |text: &ReadText, end: usize| {
        let rest = &text.text[text.words[end].span.start..];
        let own = text.words[end].span.of(&text.text);
        let after = &rest[own.len()..];
        own.ends_with("'s")
            || own.ends_with("’s")
            || own.ends_with("s'")
            || own.ends_with("s’")
            || after.starts_with("'s ")
            || after.starts_with("’s ")
            || after.starts_with("' ") && own.ends_with('s')
            || after.starts_with("’ ") && own.ends_with('s')
    };
    let first = units(pair).into_iter().next()?;
    let (claim_last, evidence_last) = (first.claim.end - 1, first.evidence.end - 1);
    let owner_in_claim = owns(pair.claim, claim_last)
        || pair.claim.words[..first.claim.start]
            .iter()
            .any(|word| matches!(word.folded.as_str(), "of" | "by" | "for" | "in" | "from"));
    let next_stands =
        pair.evidence.words.get(evidence_last + 1).is_some_and(|next| next.is_content() && pair.claim.holds(next.key));
    (owns(pair.evidence, evidence_last) && !owner_in_claim && !next_stands)
        .then_some((first.claim.start, evidence_last))
}

/// The claim's subject, where only the context names it and the sentence has a subject of its own.
pub(in crate::verify) fn subject_of_another(pair: &Pair<'_>) -> Option<usize> {
    let at = (0..pair.claim.words.len()).find(|at| pair.claim.words[*at].kind != WordKind::Function)?;
    if pair.alignment.same(at).is_some() || !pair.alignment.in_context[at] {
        return None;
    }
    let words = &pair.evidence.words;
    let first = words.first()?;
    if is_record(pair.evidence) {
        return None;
    }
    let possessive = matches!(first.folded.as_str(), "his" | "her" | "its" | "their");
    let claim_owns = pair.claim.text.contains("'s ")
        || pair.claim.text.contains("’s ")
        || pair.claim.text.contains("s' ")
        || pair.claim.words.iter().any(|word| word.folded == "of");
    if possessive {
        return (!claim_owns).then_some(at);
    }
    // A name or a bare noun that the claim does not hold, with a verb after it.
    let named = |at: usize| pair.evidence.mentions.iter().any(|name| name.words.start == at) && words[at].capitalised;
    let head = match first.folded.as_str() {
        _ if first.is_content() => 0,
        "the" if words.len() > 1 && named(1) => 1,
        _ => return None,
    };
    let name_end =
        pair.evidence.mentions.iter().find(|name| name.words.contains(&head)).map_or(head + 1, |name| name.words.end);
    let foreign = (head..name_end).all(|to| !pair.alignment.is_linked_from(to) && !pair.claim.holds(words[to].key));
    let verb_follows = words
        .get(name_end)
        .is_some_and(|next| !next.after_mark && verbs::forms(&next.folded) & (PAST | THIRD | AUXILIARY) != 0);
    (foreign && verb_follows && !is_verb(first)).then_some(at)
}

/// "gained independence" beside "independence in 1962": the noun says what the verb only carries.
pub(in crate::verify) fn noun_says_it(pair: &Pair<'_>, verb: usize) -> bool {
    let words = &pair.claim.words;
    matches!(words[verb].folded.as_str(), "gained" | "obtained" | "achieved" | "attained" | "underwent")
        && (verb + 1..words.len())
            .find(|at| words[*at].is_content())
            .is_some_and(|at| pair.alignment.same(at).is_some())
}

/// The claim's verb, where only the context holds it.
fn predicate_elsewhere(pair: &Pair<'_>) -> Option<usize> {
    let at = (0..pair.claim.words.len()).find(|at| {
        let word = &pair.claim.words[*at];
        let forms = verbs::forms(&word.folded);
        word.kind == WordKind::Content
            && !word.capitalised
            && (forms & PAST != 0 || forms & THIRD != 0 && forms & verbs::NOUNISH == 0)
    })?;
    let named = pair.claim.mentions.iter().any(|mention| overlaps(&mention.words, &(at..at + 1)));
    (!named && !noun_says_it(pair, at) && pair.alignment.links[at].is_none() && pair.alignment.in_context[at])
        .then_some(at)
}
