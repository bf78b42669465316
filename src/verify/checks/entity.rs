//! Names: each name of the claim must stand in the evidence; another name of the same type in its slot contradicts.

use std::ops::Range;

use crate::claim::verbs::{self, PAST};
use crate::text::{Mention, MentionKind, NameMatch, Quantity};
use crate::verify::align::NameLink;
use crate::verify::lexicon::lexicon;
use crate::verify::pair::Pair;
use crate::verify::reading::{Placed, ReadText, Word, WordKind};
use crate::verify::slots::SAME_SLOT;
use crate::verify::{Finding, Stance};

pub(super) const NAME: &str = "entity";

/// Least share of the claim's other content for another name to contradict.
const SAME_THING: f32 = 0.75;
/// The same for a name in the very place of another.
const NEARLY_ALL: f32 = 0.85;

pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    for (mention, link) in pair.claim.mentions.iter().zip(&pair.alignment.names) {
        let words = mention.words.clone();
        // "120 Minuten": a unit with a capital, as German writes all nouns.
        let is_unit =
            |quantity: &Placed<Quantity>| quantity.value.unit.is_some() && quantity.words.contains(&words.start);
        if pair.claim.quantities.iter().any(is_unit) {
            continue;
        }
        match link {
            NameLink::Here(at) => {
                findings.push(pair.finding(NAME, Stance::Supports, "name_agrees", Some(words), Some(*at..*at + 1)));
            }
            NameLink::Context => {
                findings.push(pair.finding(NAME, Stance::Notes, "name_in_context", Some(words), None));
            }
            NameLink::OtherBearer(at) => {
                let evidence = Some(*at..*at + 1);
                findings.push(pair.finding(NAME, Stance::Missing, "other_bearer", Some(words), evidence));
            }
            NameLink::Absent if pair.is_weak_name(mention) => {}
            NameLink::Absent => match replaced_in_place(pair, mention).or_else(|| replacement(pair, mention)) {
                Some(other) => {
                    findings.push(pair.finding(NAME, Stance::Contradicts, "entity_mismatch", Some(words), Some(other)));
                }
                None => findings.push(pair.finding(NAME, Stance::Missing, "name_not_found", Some(words), None)),
            },
        }
    }
}

/// Words on either side of a name that must be the same, one by one, for another name to stand in its very place.
const SAME_WORDS: usize = 6;

/// The evidence's name that stands in the claim's place word for word: what stands before and after both is the same.
fn replaced_in_place(pair: &Pair<'_>, mention: &Placed<Mention>) -> Option<Range<usize>> {
    let (claim, evidence) = (&pair.claim.words, &pair.evidence.words);
    let words = &mention.words;
    let offered = [words.start.checked_sub(1), Some(words.end)]
        .into_iter()
        .flatten()
        .any(|at| claim.get(at).is_some_and(|word| matches!(word.folded.as_str(), "or" | "ou" | "oder")));
    if offered
        || claim[words.start].negations % 2 == 1
        || words.start <= 1 && !holds_of_one(pair.claim, words.end) && !says_only(pair.evidence)
        || !pair.is_about_the_same(words.clone(), NEARLY_ALL)
    {
        return None;
    }
    pair.evidence
        .mentions
        .iter()
        .find(|other| {
            let own = &other.words;
            let before = (1..=words.start.min(own.start))
                .take_while(|k| claim[words.start - k].form == evidence[own.start - k].form)
                .count();
            let after =
                claim[words.end..].iter().zip(&evidence[own.end..]).take_while(|(a, b)| a.form == b.form).count();
            let whole = before == words.start && after == claim.len() - words.end;
            let shares = words.clone().any(|at| {
                !is_generic(&claim[at])
                    && claim[at].is_content()
                    && own.clone().any(|to| evidence[to].key == claim[at].key)
            });
            let claimed = own.clone().any(|to| !is_generic(&evidence[to]) && pair.alignment.is_linked_from(to));
            // A place within the place, an alias or a part of the name says nothing else.
            (whole && before + after >= 3 || before + after >= SAME_WORDS && before >= 2)
                && (same_type(&mention.value, &other.value, true)
                    || whole && super::polity::exclude_each_other(pair, mention, other))
                && mention.value.matches(&other.value) == NameMatch::Different
                && !shares
                && !claimed
                && !pair.is_alternative(own)
        })
        .map(|other| other.words.clone())
}

/// Whether what begins at `at` is said of one subject only: "is the mayor of X", "founded the firm", not "is a chemist",
/// "lives in X".
fn holds_of_one(text: &ReadText, at: usize) -> bool {
    let rest = text.words.get(at..).unwrap_or_default();
    let Some(verb) =
        rest.iter().position(|word| !matches!(word.folded.as_str(), "also" | "now" | "has" | "had" | "who"))
    else {
        return false;
    };
    let definite = rest.get(verb + 1).is_some_and(|word| word.folded == "the" || word.capitalised);
    let copula = matches!(rest[verb].folded.as_str(), "is" | "was" | "are" | "were");
    let forms = verbs::forms(&rest[verb].folded);
    let office = matches!(
        rest[verb].folded.as_str(),
        "leads" | "heads" | "chairs" | "directs" | "commands" | "captains" | "owns"
    );
    let deed = forms & PAST != 0 && !lexicon().is_several(rest[verb].key);
    definite && (copula && rest[verb + 1].folded == "the" || deed || office)
}

/// "Only GET requests are repeated": what is said holds of nothing else.
fn says_only(text: &ReadText) -> bool {
    text.words.first().is_some_and(|word| matches!(word.folded.as_str(), "only" | "just"))
}

/// The evidence's name that stands in the slot of an absent one.
///
/// The claim's subject has no such slot: another subject is another statement. Nor has a name that the claim denies.
fn replacement(pair: &Pair<'_>, mention: &Placed<Mention>) -> Option<Range<usize>> {
    let led_by_shared =
        (0..mention.words.start).any(|at| pair.claim.words[at].is_content() && pair.alignment.same(at).is_some());
    let partly_shared =
        mention.words.clone().any(|at| !is_generic(&pair.claim.words[at]) && pair.alignment.same(at).is_some());
    if !led_by_shared || partly_shared || pair.claim.words[mention.words.start].negations % 2 == 1 {
        return None;
    }
    if !pair.is_about_the_same(mention.words.clone(), SAME_THING)
        || !pair.holds_governor(&mention.words)
        || is_among_several(pair, mention.words.clone())
    {
        return None;
    }
    let shares_word = |other: &Placed<Mention>| {
        mention.words.clone().any(|at| {
            let word = &pair.claim.words[at];
            word.is_content()
                && !is_generic(word)
                && other.words.clone().any(|to| pair.evidence.words[to].key == word.key)
        })
    };
    let best = pair
        .evidence
        .mentions
        .iter()
        .filter(|other| {
            let by = |text: &ReadText, at: usize| preposition(text, at).is_some_and(|at| text.words[at].folded == "by");
            let agents = by(pair.claim, mention.words.start) && by(pair.evidence, other.words.start);
            same_type(&mention.value, &other.value, agents)
        })
        .filter(|other| !shares_word(other) && !pair.is_alternative(&other.words))
        // A capital at the start of the sentence may be that of any word.
        .filter(|other| !(other.value.sentence_initial && other.words.len() == 1))
        .filter(|other| {
            !other.words.clone().any(|at| !is_generic(&pair.evidence.words[at]) && pair.alignment.is_linked_from(at))
        })
        .filter_map(|other| {
            let governed = same_preposition(pair, mention.words.start, other.words.start)?;
            let affinity =
                pair.alignment.affinity(pair.claim, mention.words.clone(), pair.evidence, other.words.clone());
            Some((affinity + governed, other))
        })
        .max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 >= SAME_SLOT).then(|| best.1.words.clone())
}

/// What it adds that both names hang on the same preposition of the same word ("album by …", "born in …"); `None` where
/// they hang on different ones and so stand in different slots.
fn same_preposition(pair: &Pair<'_>, claim_at: usize, evidence_at: usize) -> Option<f32> {
    let (a, b) = (preposition(pair.claim, claim_at), preposition(pair.evidence, evidence_at));
    let (Some(a), Some(b)) = (a, b) else { return (a.is_none() && b.is_none()).then_some(0.0) };
    let place = |at: &str| matches!(at, "in" | "at" | "near" | "on" | "to" | "from" | "em" | "en" | "de");
    let (x, y) = (pair.claim.words[a].folded.as_str(), pair.evidence.words[b].folded.as_str());
    if x != y && !(place(x) && place(y)) {
        return None;
    }
    // A date or number may stand between: "cast *in 1962* by …".
    let governor = |text: &ReadText, at: usize| {
        let before = text.words[..at].iter().rposition(|word| word.is_content())?;
        let slots_between = text.words[before + 1..at].iter().all(|word| {
            word.kind == WordKind::Slot
                || matches!(word.folded.as_str(), "in" | "on" | "at" | "em" | "am" | "im" | "en")
        });
        (slots_between && text.words[before].clause == text.words[at].clause).then_some(before)
    };
    let governed = match (governor(pair.claim, a), governor(pair.evidence, b)) {
        (Some(x), Some(y)) => pair.alignment.same(x).is_some_and(|link| link.to == y),
        _ => false,
    };
    Some(if governed {
        0.8
    } else if x == y {
        0.2
    } else {
        0.0
    })
}

/// Words that may stand between a preposition and the name that it governs.
const ATTRIBUTES: usize = 5;

fn preposition(text: &ReadText, name: usize) -> Option<usize> {
    for at in (name.saturating_sub(ATTRIBUTES)..name).rev() {
        let word = &text.words[at];
        match word.folded.as_str() {
            "in" | "at" | "by" | "of" | "from" | "for" | "to" | "with" | "on" | "as" | "under" | "near" | "into"
            | "against" | "em" | "por" | "de" | "von" | "am" | "par" | "en" | "da" | "do" | "du" | "im" | "bei" => {
                return Some(at);
            }
            "the" | "a" | "an" | "and" | "o" | "der" | "die" | "das" | "el" | "la" | "le" | "both" => {}
            _ if word.kind == WordKind::Function || text.words[at + 1].after_mark => return None,
            _ if word.folded.ends_with("ed") || lexicon().base(word.form).is_some() => return None,
            _ => {}
        }
    }
    None
}

/// Whether the predicate beside the name may hold of several things.
fn is_among_several(pair: &Pair<'_>, words: Range<usize>) -> bool {
    let clause = pair.claim.words.get(words.start).map_or(0, |word| word.clause);
    let near = words.start.saturating_sub(4)..words.end + 3;
    let by = preposition(pair.claim, words.start).is_some_and(|at| pair.claim.words[at].folded == "by");
    let is_several = |word: &Word| lexicon().is_several(word.key) && !(by && lexicon().has_one_agent(word.key));
    near.filter_map(|at| pair.claim.words.get(at)).any(|word| word.clause == clause && is_several(word))
}

/// Whether two names may stand for one another: same kind, or kind unknown; who did something may be a person or a body.
fn same_type(a: &Mention, b: &Mention, agents: bool) -> bool {
    let (level_a, level_b) = (lexicon().region(&a.key), lexicon().region(&b.key));
    if level_a.is_some() || level_b.is_some() {
        // A wider place does not contradict a narrower one.
        return level_a == level_b && a.demonym == b.demonym;
    }
    if a.demonym != b.demonym || a.demonym && (is_wide(&a.key) || is_wide(&b.key)) {
        return false;
    }
    let several_words = |mention: &Mention| mention.key.contains(' ');
    match (a.kind, b.kind) {
        (x, y) if x == y => true,
        // Most names of two words whose kind is not known are people; most of one word are not.
        (MentionKind::Name, MentionKind::Person) => several_words(a),
        (MentionKind::Person, MentionKind::Name) => several_words(b),
        (MentionKind::Name, _) | (_, MentionKind::Name) => true,
        (MentionKind::Person, MentionKind::Organisation) | (MentionKind::Organisation, MentionKind::Person) => agents,
        _ => false,
    }
}

/// Words that many names share, so that they do not tell one name from another.
fn is_generic(word: &Word) -> bool {
    matches!(
        word.folded.as_str(),
        "university"
            | "college"
            | "institute"
            | "academy"
            | "school"
            | "company"
            | "corporation"
            | "corp"
            | "inc"
            | "ltd"
            | "group"
            | "bank"
            | "city"
            | "county"
            | "province"
            | "district"
            | "state"
            | "republic"
            | "kingdom"
            | "empire"
            | "river"
            | "lake"
            | "mount"
            | "mountain"
            | "island"
            | "islands"
            | "sea"
            | "bay"
            | "valley"
            | "street"
            | "road"
            | "avenue"
            | "park"
            | "bridge"
            | "tower"
            | "castle"
            | "church"
            | "cathedral"
            | "museum"
            | "library"
            | "hospital"
            | "hall"
            | "theatre"
            | "theater"
            | "airport"
            | "station"
            | "club"
            | "united"
            | "association"
            | "society"
            | "party"
            | "ministry"
            | "department"
            | "office"
            | "council"
            | "court"
            | "committee"
            | "agency"
            | "authority"
            | "union"
            | "league"
            | "cup"
            | "prize"
            | "award"
            | "awards"
            | "festival"
            | "war"
            | "battle"
            | "army"
            | "navy"
            | "force"
            | "king"
            | "queen"
            | "prince"
            | "president"
            | "saint"
            | "st"
            | "san"
            | "new"
            | "old"
            | "north"
            | "south"
            | "east"
            | "west"
            | "northern"
            | "southern"
            | "eastern"
            | "western"
            | "great"
            | "national"
            | "royal"
            | "international"
            | "report"
            | "project"
            | "series"
            | "act"
            | "region"
    )
}

/// Peoples that others are a part of.
fn is_wide(key: &str) -> bool {
    matches!(
        key,
        "european"
            | "asian"
            | "african"
            | "british"
            | "soviet"
            | "latin american"
            | "south american"
            | "north american"
            | "western"
            | "eastern"
            | "scandinavian"
            | "nordic"
            | "arab"
            | "europe"
            | "asia"
            | "africa"
            | "soviet union"
            | "yugoslav"
            | "jewish"
            | "christian"
            | "muslim"
            | "catholic"
            | "communist"
    )
}
