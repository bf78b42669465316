//! Completeness: what the sentence offers as one of several, shares among several or limits is not true of a part alone
//! ("in 1912 or 1915" does not say 1915), and what the claim adds must stand in the sentence too.

use std::ops::Range;

use crate::claim::verbs::{self, AUXILIARY, PAST, THIRD};
use crate::text::{Agreement, DateAgreement};
use crate::verify::align::NameLink;
use crate::verify::pair::Pair;
use crate::verify::reading::{ReadText, Word, WordKind};
use crate::verify::{Finding, Stance};

pub(in crate::verify) const NAME: &str = "completeness";

/// What bears on a claim that is a part of the sentence word for word, too: the part may be one of two.
pub(in crate::verify) fn check_part(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    for (to, kind) in [(alternative(pair), "one_of_alternatives"), (shared_value(pair), "value_of_several")] {
        if let Some(to) = to {
            findings.push(pair.finding(NAME, Stance::Missing, kind, None, Some(to..to + 1)));
        }
    }
}

pub(in crate::verify) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    let mut missing = |kind: &str, claim: Option<Range<usize>>, evidence: Option<Range<usize>>| {
        findings.push(pair.finding(NAME, Stance::Missing, kind, claim, evidence));
    };
    if let Some(at) = added_word(pair) {
        missing("word_not_found", Some(at..at + 1), None);
    }
    if let Some(to) = alternative(pair) {
        missing("one_of_alternatives", None, Some(to..to + 1));
    }
    if let Some(to) = shared_value(pair) {
        missing("value_of_several", None, Some(to..to + 1));
    }
    if let Some(to) = distributed(pair) {
        missing("respectively", None, Some(to..to + 1));
    }
    if let Some(at) = exception(pair) {
        missing("exception_not_found", Some(at..at + 1), None);
    }
    if let Some((at, to)) = qualified(pair) {
        missing("qualified_in_source", Some(at..at + 1), Some(to..to + 1));
    }
    if let Some((at, to)) = related_otherwise(pair) {
        missing("relation_differs", Some(at..at + 1), Some(to..to + 1));
    }
    if let Some(at) = demanded(pair) {
        missing("duty_not_found", Some(at..at + 1), None);
    }
    if let Some(at) = told_twice(pair) {
        missing("said_once", Some(at..at + 1), None);
    }
    if let Some((at, to)) = ranked(pair) {
        missing("rank_differs", Some(at..at + 1), Some(to..to + 1));
    }
    if has_nothing_of_its_own(pair) {
        missing("only_in_context", None, None);
    }
    if let Some((at, to)) = other_head(pair) {
        missing("said_of_another", Some(at..at + 1), Some(to..to + 1));
    }
    if let Some((words, to)) = name_elsewhere(pair) {
        missing("another_name_here", Some(words), Some(to));
    }
    if let Some((at, to)) = part_of_one_name(pair) {
        missing("part_of_a_name", Some(at..at + 1), Some(to..to + 1));
    }
}

/// Whether all that the claim says beside names stands in the sentences before, so that this one says nothing of it.
fn has_nothing_of_its_own(pair: &Pair<'_>) -> bool {
    let named = |at: usize| pair.claim.mentions.iter().any(|mention| mention.words.contains(&at));
    let mut said =
        (0..pair.claim.words.len()).filter(|at| pair.claim.words[*at].kind == WordKind::Content && !named(*at));
    let some = said.clone().next().is_some();
    let values = pair.alignment.quantities.iter().flatten().any(|link| link.agreement == Agreement::Agrees)
        || pair.alignment.dates.iter().flatten().any(|link| link.agreement == DateAgreement::Contains);
    some && !values && said.all(|at| pair.alignment.links[at].is_none())
}

/// The noun that a word stands before, with nothing but other such words between: "jacket" for "black" in "a black leather
/// jacket".
fn head(text: &ReadText, at: usize) -> Option<usize> {
    let noun = |at: usize| {
        text.words.get(at).is_some_and(|word| {
            let forms = verbs::forms(&word.folded);
            word.kind == WordKind::Content
                && !word.after_mark
                && !word.capitalised
                && !word.folded.ends_with("ing")
                && (forms & (PAST | THIRD) == 0 || forms & verbs::NOUNISH != 0)
        })
    };
    let end = (at + 1..text.words.len()).take_while(|at| noun(*at)).last()?;
    (verbs::forms(&text.words[at].folded) & (PAST | THIRD | AUXILIARY) == 0).then_some(end)
}

/// "a *black* motorbike" beside "a black jacket … a motorbike": an attribute that the sentence gives to another thing of
/// which the claim speaks.
fn other_head(pair: &Pair<'_>) -> Option<(usize, usize)> {
    (0..pair.claim.words.len()).find_map(|at| {
        let word = &pair.claim.words[at];
        let link = pair.alignment.same(at).filter(|_| word.kind == WordKind::Content && !word.capitalised)?;
        let (own, stated) = (head(pair.claim, at)?, head(pair.evidence, link.to)?);
        let own_place = pair.alignment.same(own)?.to;
        let phrase = at..=own;
        let meant = (0..pair.claim.words.len()).find(|other| {
            !phrase.contains(other) && pair.alignment.same(*other).is_some_and(|link| link.to == stated)
        })?;
        let once = |at: usize| pair.evidence.places(pair.claim.words[at].key).nth(1).is_none();
        // "a coat brown and white" beside "a coat white and brown".
        let coordinated = own.abs_diff(meant) == 2 && is_and(pair.claim, own.min(meant) + 1);
        let within = (link.to..=stated).contains(&own_place);
        (!within && once(at) && once(meant) && !coordinated).then_some((at, stated))
    })
}

/// A name of the claim that only the sentences before hold, where this one has another of its kind.
fn name_elsewhere(pair: &Pair<'_>) -> Option<(Range<usize>, Range<usize>)> {
    if pair.refers_back() {
        return None;
    }
    let first = (0..pair.claim.words.len()).find(|at| pair.alignment.same(*at).is_some())?;
    let names = pair.claim.mentions.iter().zip(&pair.alignment.names);
    let (mention, _) =
        names.into_iter().find(|(name, link)| **link == NameLink::Context && name.words.start > first)?;
    let other = pair.evidence.mentions.iter().find(|other| {
        other.value.kind == mention.value.kind
            && !other.value.demonym
            && !other.value.sentence_initial
            && other.words.len() > 1
            && !other.words.clone().any(|at| pair.alignment.is_linked_from(at))
    })?;
    Some((mention.words.clone(), other.words.clone()))
}

/// "The Frog and the Nightingale *is* a poem": what the verb takes as one thing is one name, of which the claim has a part.
fn part_of_one_name(pair: &Pair<'_>) -> Option<(usize, usize)> {
    let words = &pair.evidence.words;
    let singular = |word: &Word| matches!(word.folded.as_str(), "is" | "was" | "has");
    let verb = words
        .iter()
        .position(|word| verbs::forms(&word.folded) & (AUXILIARY | PAST | THIRD) != 0 && !word.capitalised)?;
    let joint = (1..verb).find(|at| {
        matches!(words[*at].folded.as_str(), "and" | "or") && !words[*at].after_mark && words[at - 1].capitalised
    })?;
    let last = (joint + 1..verb).rev().find(|at| words[*at].is_content())?;
    let whole = singular(&words[verb]) && words[last].capitalised && last + 1 == verb && joint < 4;
    let claimed = (0..pair.claim.words.len()).find(|at| pair.alignment.same(*at).is_some_and(|link| link.to < verb))?;
    let joins = pair.claim.words.iter().any(|word| matches!(word.folded.as_str(), "and" | "or" | "&"));
    let held = |mut range: Range<usize>| range.any(|at| pair.alignment.is_linked_from(at));
    (whole && !joins && held(0..joint) != held(joint + 1..verb)).then_some((claimed, joint))
}

/// A word of content that neither the sentence nor its context holds.
fn added_word(pair: &Pair<'_>) -> Option<usize> {
    let named = |at: usize| {
        let names = pair.claim.mentions.iter().zip(&pair.alignment.names);
        names
            .filter(|(name, _)| name.words.contains(&at))
            .any(|(_, link)| matches!(link, NameLink::Here(_) | NameLink::Context))
    };
    let is_record = super::structure::is_record(pair.evidence);
    let in_value = |at: usize| pair.claim.quantities.iter().any(|quantity| quantity.words.contains(&at));
    // A field of a record has no verb of its own.
    let carried = |at: usize, word: &Word| {
        is_record && super::structure::is_verb(word)
            || super::structure::noun_says_it(pair, at)
            || is_asked_for(pair.claim, at)
            || is_class(&word.folded) && (at + 1..=at + 3).any(&named)
            || at < 2 && is_interjection(&word.folded)
    };
    (0..pair.claim.words.len()).find(|at| {
        let word = &pair.claim.words[*at];
        let stands =
            pair.alignment.links[*at].is_some() || pair.alignment.in_context[*at] || named(*at) || in_value(*at);
        word.kind == WordKind::Content && !stands && !carried(*at, word)
    })
}

/// "In which *city* is it? Delhi": says what kind of thing the answer is.
fn is_asked_for(claim: &ReadText, at: usize) -> bool {
    let asks = at.checked_sub(1).is_some_and(|before| {
        matches!(
            claim.words[before].folded.as_str(),
            "which" | "what" | "qual" | "quais" | "welcher" | "welche" | "welches" | "welchem" | "quel" | "quelle"
        )
    });
    let end = claim.text.find('?').filter(|end| claim.words.last().is_some_and(|last| last.span.start > *end));
    asks && end.is_some_and(|end| claim.words[at].span.end <= end)
}

/// "the firm Brack Ironworks": says of what kind a name is that the sentence gives without it.
fn is_class(folded: &str) -> bool {
    matches!(
        folded,
        "firm"
            | "company"
            | "city"
            | "town"
            | "village"
            | "island"
            | "river"
            | "mountain"
            | "lake"
            | "country"
            | "state"
            | "book"
            | "film"
            | "song"
            | "album"
            | "group"
            | "organisation"
            | "organization"
            | "newspaper"
            | "magazine"
    )
}

/// "Yes, …", "Well, …".
fn is_interjection(folded: &str) -> bool {
    matches!(
        folded,
        "yes"
            | "yeah"
            | "yea"
            | "yep"
            | "oh"
            | "ah"
            | "sure"
            | "absolutely"
            | "well"
            | "ok"
            | "okay"
            | "right"
            | "certainly"
            | "definitely"
            | "sim"
            | "ja"
            | "oui"
            | "hi"
            | "hello"
            | "wow"
            | "hmm"
    )
}

fn is_or(folded: &str) -> bool {
    matches!(folded, "or" | "ou" | "oder" | "nor")
}

/// Places of the evidence that a word or an agreeing value of the claim stands for.
fn held(pair: &Pair<'_>) -> Vec<bool> {
    let mut held: Vec<bool> = (0..pair.evidence.words.len()).map(|to| pair.alignment.is_linked_from(to)).collect();
    let mut mark = |words: &Range<usize>| held[words.clone()].iter_mut().for_each(|held| *held = true);
    for link in pair.alignment.quantities.iter().flatten().filter(|link| link.agreement == Agreement::Agrees) {
        mark(&pair.evidence.quantities[link.to].words);
    }
    for link in pair.alignment.dates.iter().flatten().filter(|link| link.agreement == DateAgreement::Contains) {
        mark(&pair.evidence.dates[link.to].words);
    }
    held
}

/// "X or Y", of which the claim states one as a fact.
fn alternative(pair: &Pair<'_>) -> Option<usize> {
    let count = |text: &ReadText| text.words.iter().filter(|word| is_or(&word.folded)).count();
    if count(pair.claim) >= count(pair.evidence) || pair.claim.words.iter().any(|word| word.hedged) {
        return None;
    }
    let words = &pair.evidence.words;
    let held = held(pair);
    let counts = |at: &usize| words[*at].kind != WordKind::Function;
    (1..words.len()).find(|at| {
        if !is_or(&words[*at].folded) || words[*at].bracket_of.is_some() || words[*at].negations % 2 == 1 {
            return false;
        }
        let before = (at.saturating_sub(3)..*at).rev().find(counts);
        let after = (*at + 1..words.len().min(*at + 4)).find(counts);
        let (Some(before), Some(after)) = (before, after) else { return false };
        // "not loud or heavy": neither.
        let denied = words[before].negations % 2 == 1;
        // "or simply metal", "or more": another name, a bound.
        let other_name = words.get(*at + 1).is_some_and(|next| {
            matches!(
                next.folded.as_str(),
                "simply"
                    | "more"
                    | "less"
                    | "fewer"
                    | "so"
                    | "not"
                    | "rather"
                    | "later"
                    | "about"
                    | "earlier"
                    | "otherwise"
            )
        });
        // "4.10 under one rule, or 4.85 under another": each has its own terms.
        let alike = (words[before].kind == WordKind::Slot) == (words[after].kind == WordKind::Slot);
        alike && held[before] != held[after] && !denied && !other_name
    })
}

fn is_and(text: &ReadText, at: usize) -> bool {
    text.words.get(at).is_some_and(|word| matches!(word.folded.as_str(), "and" | "e" | "und" | "et" | "y"))
}

/// The evidence's quantities that a quantity of the claim agrees with.
fn agreeing(pair: &Pair<'_>) -> Vec<usize> {
    let links = pair.alignment.quantities.iter().flatten();
    links.filter(|link| link.agreement == Agreement::Agrees).map(|link| link.to).collect()
}

/// "26 miles and 385 yards" is one value, of which the claim states a part.
fn compound_value(pair: &Pair<'_>) -> Option<usize> {
    agreeing(pair).into_iter().find_map(|at| {
        let value = &pair.evidence.quantities[at];
        let other = pair.evidence.quantities.iter().find(|other| {
            let adjacent = other.words.start == value.words.end + 1 && is_and(pair.evidence, value.words.end)
                || value.words.start == other.words.end + 1 && is_and(pair.evidence, other.words.end);
            let kin = matches!(
                (&value.value.unit, &other.value.unit),
                (Some(a), Some(b)) if a.dimension == b.dimension && a.symbol != b.symbol
            );
            adjacent && kin
        })?;
        let mut claimed = pair.claim.quantities.iter();
        (!claimed.any(|quantity| quantity.value.agrees(&other.value) == Agreement::Agrees)).then_some(other.words.start)
    })
}

/// "The flood and the landslide killed 30": a value of both is not that of one.
fn shared_value(pair: &Pair<'_>) -> Option<usize> {
    if agreeing(pair).is_empty()
        || pair.evidence.words.iter().any(|word| matches!(word.folded.as_str(), "both" | "each"))
    {
        return None;
    }
    if let Some(to) = compound_value(pair) {
        return Some(to);
    }
    let words = &pair.evidence.words;
    let noun = |at: usize| {
        words.get(at).is_some_and(|word| {
            word.kind == WordKind::Content && verbs::forms(&word.folded) & (PAST | THIRD) == 0 && !word.after_mark
        })
    };
    (1..words.len().saturating_sub(1)).find(|at| {
        if !is_and(pair.evidence, *at) || !noun(at - 1) {
            return false;
        }
        let next = if words[*at + 1].kind == WordKind::Function { *at + 2 } else { *at + 1 };
        if joins_clauses(pair.evidence, *at) {
            return false;
        }
        if !noun(next) || words[at - 1].capitalised != words[next].capitalised {
            return false;
        }
        // "former captain and broadcaster Richie Benaud": both are said of one.
        let titled = (next..words.len()).find(|at| words[*at].capitalised || !noun(*at));
        if !words[next].capitalised && titled.is_some_and(|at| words[at].capitalised && !words[at].after_mark) {
            return false;
        }
        pair.alignment.is_linked_from(at - 1) != pair.alignment.is_linked_from(next)
    })
}

/// "It has 24 dishes, and each dish is 9 m wide": a comma before "and", with a verb on either side, joins two statements
/// and no two things. A verb of "who" or "which" does not count.
fn joins_clauses(text: &ReadText, and: usize) -> bool {
    let words = &text.words;
    let finite =
        |at: usize| verbs::forms(&words[at].folded) & (AUXILIARY | PAST | THIRD) != 0 && !words[at].capitalised;
    let (before, after) = (words[and - 1].clause, words[and].clause);
    let relative = |at: usize| matches!(words[at].folded.as_str(), "who" | "which" | "that" | "whose" | "where");
    let first = (0..and).filter(|at| words[*at].clause == before);
    let second = (and + 1..words.len()).filter(|at| words[*at].clause == after);
    before != after && !first.clone().any(relative) && first.clone().any(finite) && second.clone().any(finite)
}

/// "a *former* minister", "the *proposed* bridge", "the *deputy* mayor", "*unlike* its predecessor": what the sentence
/// qualifies and the claim does not.
fn qualified(pair: &Pair<'_>) -> Option<(usize, usize)> {
    // Who was a minister then is a former one now.
    let past = pair.claim.words.iter().any(|word| matches!(word.folded.as_str(), "was" | "were" | "been"));
    let claimed = |folded: &str| pair.claim.words.iter().any(|word| word.folded == folded);
    if pair.claim.words.iter().any(|word| is_former(&word.folded)) {
        return None;
    }
    pair.alignment.links.iter().enumerate().find_map(|(at, link)| {
        let link = link.filter(|_| pair.claim.words[at].is_content())?;
        let qualifies = |to: &usize| {
            let folded = pair.evidence.words[*to].folded.as_str();
            is_former(folded) && !past || is_lesser(folded) && !claimed(folded)
        };
        let to = (link.to.saturating_sub(2)..link.to).rev().find(qualifies);
        let to = to.filter(|_| !pair.evidence.words[link.to].after_mark);
        // "the mayor-elect".
        let elect = pair.evidence.words.get(link.to + 1).is_some_and(|next| next.folded == "elect");
        let to = to.or((elect && !claimed("elect")).then_some(link.to + 1))?;
        Some((at, to))
    })
}

/// What no longer is, or never was, what the word after it says.
fn is_former(folded: &str) -> bool {
    matches!(
        folded,
        "former"
            | "ex"
            | "formerly"
            | "retired"
            | "alleged"
            | "proposed"
            | "planned"
            | "fictional"
            | "fake"
            | "failed"
            | "unlike"
            | "aspiring"
            | "acting"
            | "supposed"
            | "purported"
            | "unsuccessful"
            | "ehemalige"
            | "ehemaliger"
            | "antigo"
            | "ancien"
    )
}

/// What stands below, or in for, what the word after it says.
fn is_lesser(folded: &str) -> bool {
    matches!(
        folded,
        "deputy"
            | "vice"
            | "assistant"
            | "interim"
            | "honorary"
            | "shadow"
            | "stellvertretende"
            | "stellvertretender"
            | "stellvertretenden"
    )
}

/// Groups of small words of which one does not stand for another of its group.
fn relation(folded: &str) -> Option<(u8, u8)> {
    Some(match folded {
        "into" => (6, 0),
        "out" => (6, 1),
        "same" | "identical" => (0, 0),
        "other" | "another" | "different" => (0, 1),
        "new" => (0, 2),
        "up" => (1, 0),
        "down" => (1, 1),
        "behind" => (2, 0),
        "front" => (2, 1),
        "near" | "beside" | "close" | "around" => (2, 2),
        "inside" | "in" | "within" => (2, 3),
        "outside" => (2, 4),
        "under" | "below" | "beneath" | "underneath" => (2, 5),
        "above" | "over" => (2, 6),
        "against" => (2, 7),
        "from" => (2, 8),
        "on" | "onto" | "upon" => (2, 9),
        "without" => (3, 0),
        "with" => (3, 1),
        "before" => (4, 0),
        "after" | "since" => (4, 1),
        "during" => (4, 2),
        "some" => (5, 0),
        "every" | "each" | "all" => (5, 1),
        "any" => (5, 2),
        _ => return None,
    })
}

/// "behind the house" beside "in front of the house", "some morning" beside "every morning": the words before one that both
/// share. Plain prepositions of place are looked at only where the other is a telling one.
fn related_otherwise(pair: &Pair<'_>) -> Option<(usize, usize)> {
    let before = |text: &ReadText, at: usize| -> Vec<(usize, (u8, u8))> {
        let start = (0..at).rev().take(4).take_while(|before| {
            let word = &text.words[*before];
            !text.words[*before + 1].after_mark && (!word.is_content() || relation(&word.folded).is_some())
        });
        start.filter_map(|at| Some((at, relation(&text.words[at].folded)?))).collect()
    };
    let tells = |(group, member): (u8, u8)| group != 2 || !matches!(member, 3 | 8 | 9 | 2);
    pair.alignment.links.iter().enumerate().find_map(|(at, link)| {
        let link = link.filter(|_| pair.claim.words[at].is_content())?;
        let (own, other) = (before(pair.claim, at), before(pair.evidence, link.to));
        own.iter().find_map(|(at, relation)| {
            let rivals: Vec<_> = other.iter().filter(|(_, rival)| rival.0 == relation.0).collect();
            // What holds of all holds of some.
            let follows = |rival: (u8, u8)| rival == *relation || (*relation, rival) == ((5, 0), (5, 1));
            let differs = !rivals.is_empty() && rivals.iter().all(|(_, rival)| !follows(*rival));
            let telling = tells(*relation) || rivals.iter().any(|(_, rival)| tells(*rival));
            (differs && telling).then(|| (*at, rivals[0].0))
        })
    })
}

/// "should", "must": a duty that the sentence does not state.
fn demanded(pair: &Pair<'_>) -> Option<usize> {
    let demands = |text: &ReadText| {
        text.words.iter().position(|word| {
            matches!(
                word.folded.as_str(),
                "should"
                    | "must"
                    | "shall"
                    | "required"
                    | "requires"
                    | "require"
                    | "ought"
                    | "mandatory"
                    | "needs"
                    | "need"
                    | "has to"
                    | "obliged"
            )
        })
    };
    demands(pair.claim).filter(|at| {
        matches!(pair.claim.words[*at].folded.as_str(), "should" | "must" | "ought") && demands(pair.evidence).is_none()
    })
}

/// A word that the claim uses of two things and the sentence of one.
fn told_twice(pair: &Pair<'_>) -> Option<usize> {
    let words = &pair.claim.words;
    (0..words.len()).find(|at| {
        let word = &words[*at];
        let named = pair.claim.mentions.iter().any(|mention| mention.words.contains(at));
        word.kind == WordKind::Content
            && !named
            && words[..*at].iter().any(|before| before.form == word.form)
            && pair.evidence.places(word.key).count() == 1
    })
}

/// "…, respectively": which belongs to which is told by their order.
fn distributed(pair: &Pair<'_>) -> Option<usize> {
    let tells = |text: &ReadText| text.words.iter().position(|word| word.folded == "respectively");
    let at = tells(pair.evidence)?;
    tells(pair.claim).is_none().then_some(at)
}

/// "all but three", "except on Sundays", "even if": an exception that only the claim makes.
fn exception(pair: &Pair<'_>) -> Option<usize> {
    let at = |text: &ReadText| {
        let words = &text.words;
        (0..words.len()).find(|at| {
            let next = words.get(at + 1).map_or("", |word| word.folded.as_str());
            let before = at.checked_sub(1).map_or("", |before| words[before].folded.as_str());
            match words[*at].folded.as_str() {
                "but" => matches!(before, "all" | "everything" | "everyone" | "nothing" | "none" | "anything"),
                "except" | "excluding" | "excepting" | "barring" | "regardless" | "despite" => true,
                "even" => matches!(next, "if" | "though" | "when" | "without"),
                "apart" => next == "from",
                _ => false,
            }
        })
    };
    at(pair.claim).filter(|_| at(pair.evidence).is_none())
}

/// "the second-highest peak", "one of the highest peaks" beside "the highest peak".
fn ranked(pair: &Pair<'_>) -> Option<(usize, usize)> {
    let rank = |text: &ReadText, at: usize| {
        let before = at.checked_sub(1).map_or("", |before| text.words[before].folded.as_str());
        let ordinal = matches!(
            before,
            "second" | "third" | "fourth" | "fifth" | "sixth" | "seventh" | "eighth" | "ninth" | "tenth"
        ) || before.ends_with("th") && before.starts_with(|c: char| c.is_ascii_digit())
            || matches!(before, "2nd" | "3rd");
        let from = at.saturating_sub(6);
        let among = (from..at).any(|at| {
            matches!(text.words[at].folded.as_str(), "one" | "among")
                && text.words.get(at + 1).is_some_and(|next| matches!(next.folded.as_str(), "of" | "the"))
        });
        (ordinal, among)
    };
    let is_superlative = |at: usize| {
        let folded = &pair.claim.words[at].folded;
        let before = at.checked_sub(1).map_or("", |before| pair.claim.words[before].folded.as_str());
        folded.len() > 4 && folded.ends_with("est")
            || matches!(before, "most" | "least")
            || matches!(folded.as_str(), "best" | "worst" | "first" | "only")
    };
    pair.alignment.links.iter().enumerate().find_map(|(at, link)| {
        let link = link.filter(|_| pair.claim.words[at].is_content() && is_superlative(at))?;
        let (claim, evidence) = (rank(pair.claim, at), rank(pair.evidence, link.to));
        (evidence.0 && !claim.0 || evidence.1 && !claim.1 || claim.0 && !evidence.0).then_some((at, link.to))
    })
}
