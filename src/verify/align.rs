//! Which word of the evidence stands for which word of the claim, and which name for which.
//!
//! Words are linked by stem, by sense, by derivation or as opposites; one that occurs more than once goes where its
//! neighbours agree. [`Alignment::affinity`] says how much the places of two values or names have in common, by the
//! linked words around both; `slots` gives each value its place by that.

use std::ops::Range;

use super::lexicon::{opposite_sense, same_sense};
use super::reading::{ReadText, Word, WordKind};
use super::slots::SlotLink;
use super::window::Context;
use crate::text::{Agreement, DateAgreement, Mention, NameMatch};

/// How two words came to be linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkKind {
    /// Same stem, or part of the same name.
    Same,
    /// Another word of the same sense.
    Sense,
    /// A word derived from it ("founder" of "found").
    Derived,
    /// A word of the opposite sense.
    Opposite,
}

/// A claim's word found in the evidence.
#[derive(Debug, Clone, Copy)]
pub struct Link {
    /// Place of the evidence's word.
    pub to: usize,
    /// 0 to 1.
    pub strength: f32,
    /// How it was found.
    pub kind: LinkKind,
}

/// What became of a claim's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameLink {
    /// The evidence names it: place of its first word.
    Here(usize),
    /// The title or the sentences before name it, and the evidence may refer back to it.
    Context,
    /// A namesake, told apart by a qualifier.
    OtherBearer(usize),
    /// Not named.
    Absent,
}

/// A claim held against one sentence of evidence.
#[derive(Debug, Clone)]
pub struct Alignment {
    /// For each word of the claim.
    pub links: Vec<Option<Link>>,
    /// For each word of the claim: whether only the context holds it.
    pub in_context: Vec<bool>,
    /// For each name of the claim.
    pub names: Vec<NameLink>,
    /// For each quantity of the claim, the evidence's quantity in its slot.
    pub quantities: Vec<Option<SlotLink<Agreement>>>,
    /// For each date of the claim, the evidence's date in its slot.
    pub dates: Vec<Option<SlotLink<DateAgreement>>>,
    linked_from: Vec<bool>,
}

/// Strength of a link by sense.
const SENSE_STRENGTH: f32 = 0.85;
/// Strength of a link by derivation.
const DERIVED_STRENGTH: f32 = 0.8;
/// Worth of a neighbour that agrees too, when choosing among several places for a word.
const NEIGHBOUR: f32 = 0.2;
/// Links that stand further away, in words of the claim, count for nothing: each would weigh a few hundredths.
const NEAR: usize = 64;
/// Places of one name in a sentence that are compared; who repeats a name more often is listing it.
const MOST_NAMESAKES: usize = 12;
impl Alignment {
    /// Aligns a claim with one sentence of evidence.
    pub(super) fn new(claim: &ReadText, evidence: &ReadText, context: &Context) -> Self {
        let mut alignment = Self {
            links: vec![None; claim.words.len()],
            in_context: vec![false; claim.words.len()],
            names: Vec::new(),
            quantities: Vec::new(),
            dates: Vec::new(),
            linked_from: vec![false; evidence.words.len()],
        };
        alignment.link_words(claim, evidence);
        alignment.link_days(claim, evidence);
        alignment.link_names(claim, evidence, context);
        alignment.drop_bracketed(claim, evidence);
        alignment.link_context(claim, context);
        let life = alignment.link_life(claim, evidence);
        alignment.dates = alignment.link_dates(claim, evidence, life);
        alignment.quantities = alignment.link_quantities(claim, evidence);
        alignment
    }

    /// Whether some word of the claim is linked to this word of the evidence.
    pub fn is_linked_from(&self, evidence_word: usize) -> bool {
        self.linked_from.get(evidence_word).copied().unwrap_or(false)
    }

    pub(super) fn mark_linked(&mut self, evidence_words: Range<usize>) {
        self.linked_from[evidence_words].fill(true);
    }

    /// The link of a claim's word, unless it is to an opposite.
    pub fn same(&self, claim_word: usize) -> Option<Link> {
        self.links.get(claim_word).copied().flatten().filter(|link| link.kind != LinkKind::Opposite)
    }

    fn link_words(&mut self, claim: &ReadText, evidence: &ReadText) {
        let mut candidates: Vec<(f32, usize, usize, LinkKind, f32)> = Vec::new();
        for (i, word) in claim.words.iter().enumerate().filter(|(_, word)| word.is_content()) {
            let mut exact = false;
            for j in evidence.places(word.key) {
                if evidence.words[j].is_content() {
                    candidates.push((1.0 + neighbours(claim, i, evidence, j), i, j, LinkKind::Same, 1.0));
                    exact = true;
                }
            }
            for (j, other) in evidence.words.iter().enumerate().filter(|(_, other)| other.is_content()) {
                let opposite = opposite_sense(word.senses, other.senses) || is_prefixed_opposite(word, other);
                if exact && !opposite {
                    continue;
                }
                let (kind, strength) = if same_sense(word.senses, other.senses) {
                    (LinkKind::Sense, SENSE_STRENGTH)
                } else if opposite {
                    (LinkKind::Opposite, SENSE_STRENGTH)
                } else if is_derived(word, other) {
                    (LinkKind::Derived, DERIVED_STRENGTH)
                } else {
                    continue;
                };
                candidates.push((strength + neighbours(claim, i, evidence, j), i, j, kind, strength));
            }
        }
        // A word goes to itself before it goes to its opposite.
        let same_first = |kind: LinkKind| kind == LinkKind::Opposite;
        candidates.sort_by(|a, b| {
            same_first(a.3).cmp(&same_first(b.3)).then(b.0.total_cmp(&a.0)).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2))
        });
        candidates.dedup_by(|a, b| (a.1, a.2) == (b.1, b.2));
        for &(_, i, j, kind, strength) in &candidates {
            if self.links[i].is_none() && !self.linked_from[j] {
                self.links[i] = Some(Link { to: j, strength, kind });
                self.linked_from[j] = true;
            }
        }
        // A word that the claim repeats may stand for the same word of the evidence.
        for &(_, i, j, kind, strength) in &candidates {
            if self.links[i].is_none() && kind == LinkKind::Same {
                self.links[i] = Some(Link { to: j, strength, kind });
            }
        }
    }

    fn link_names(&mut self, claim: &ReadText, evidence: &ReadText, context: &Context) {
        for (place, mention) in claim.mentions.iter().enumerate() {
            let is_subject = place == 0 && mention.words.start <= 1;
            let mut best: Option<(f32, usize)> = None;
            let mut same = 0;
            let mut namesake = None;
            let mut of_another = false;
            for (place, other) in evidence.mentions.iter().enumerate() {
                match mention.value.matches(&other.value) {
                    NameMatch::Same if is_short_for_another(&mention.value, &other.value, evidence) => {
                        of_another = true
                    }
                    NameMatch::Same if same == MOST_NAMESAKES => {}
                    NameMatch::Same => {
                        same += 1;
                        let affinity = self.affinity(claim, mention.words.clone(), evidence, other.words.clone());
                        if best.is_none_or(|(score, _)| affinity > score) {
                            best = Some((affinity, place));
                        }
                    }
                    NameMatch::OtherBearer => namesake = Some(other.words.start),
                    NameMatch::Different => {}
                }
            }
            let content = || mention.words.clone().filter(|at| claim.words[*at].is_content());
            let apart = best.is_some_and(|(_, place)| {
                // "Franklin College" beside "Franklin and Marshall College": its last word belongs to another name.
                let range = &evidence.mentions[place].words;
                let held = |at: usize| range.clone().any(|to| evidence.words[to].key == claim.words[at].key);
                let places: Vec<usize> = content().filter_map(|at| self.same(at)).map(|link| link.to).collect();
                content().any(|at| !held(at) && self.same(at).is_some_and(|link| !range.contains(&link.to)))
                    && !stands_together(evidence, places.into_iter())
            });
            let link = if apart {
                NameLink::Absent
            } else if let Some((_, place)) = best {
                // An alias or a shorter form: its words stand for the name as a whole.
                let range = evidence.mentions[place].words.clone();
                for at in content() {
                    if self.links[at].is_none() {
                        self.links[at] = Some(Link { to: range.start, strength: 1.0, kind: LinkKind::Same });
                    }
                }
                for at in range.clone() {
                    self.linked_from[at] = true;
                }
                let first = content().filter_map(|at| self.links[at]).map(|link| link.to).find(|to| range.contains(to));
                NameLink::Here(first.unwrap_or(range.start))
            } else if let Some(at) = namesake {
                NameLink::OtherBearer(at)
            } else if let Some(at) = self.fuller_name(claim, mention.words.clone(), evidence) {
                NameLink::Here(at)
            } else if content().next().is_some()
                && content().all(|at| self.same(at).is_some())
                && stands_together(evidence, content().filter_map(|at| self.same(at)).map(|link| link.to))
            {
                NameLink::Here(content().find_map(|at| self.same(at)).map_or(0, |link| link.to))
            } else if is_subject && context.is_open()
                || !of_another && context.names(&mention.value)
                || context.holds(content().map(|at| &claim.words[at]))
            {
                NameLink::Context
            } else {
                NameLink::Absent
            };
            if link == NameLink::Context {
                for at in mention.words.clone() {
                    self.in_context[at] = true;
                }
            }
            self.names.push(link);
        }
    }

    /// "PARIS (capital), Lyon": what stands in brackets after a name is said of that name alone. Where the claim names
    /// another thing of the sentence and not that one, the bracket is not about the claim.
    fn drop_bracketed(&mut self, claim: &ReadText, evidence: &ReadText) {
        let named_outside = self.names.iter().any(|name| {
            matches!(name, NameLink::Here(at) if evidence.words.get(*at).is_some_and(|word| word.bracket_of.is_none()))
        });
        if !named_outside {
            return;
        }
        for at in 0..self.links.len() {
            let Some(link) = self.links[at] else { continue };
            let Some(before) = evidence.words[link.to].bracket_of else { continue };
            let owner = evidence.mentions.iter().find(|mention| mention.words.contains(&before));
            let in_name = claim.mentions.iter().any(|mention| mention.words.contains(&at));
            let foreign = owner.is_some_and(|owner| !owner.words.clone().any(|at| self.linked_from[at]));
            if foreign && !in_name {
                self.links[at] = None;
                self.linked_from[link.to] = false;
            }
        }
    }

    /// "Chris Kyle" in "Christopher Scott Kyle": the last words are the same and the first ones begin alike.
    fn fuller_name(&mut self, claim: &ReadText, words: Range<usize>, evidence: &ReadText) -> Option<usize> {
        // "Rockel Iron and Coal Company" is no fuller "Rockel Iron Company".
        if words.len() < 2 || claim.words[words.clone()].iter().any(|word| word.folded == "and") {
            return None;
        }
        let (first, last) = (&claim.words[words.start], &claim.words[words.end - 1]);
        let begin_alike = |a: &str, b: &str| {
            let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
            common >= 3 && common >= a.len().min(b.len())
                || a.len() == 1 && b.starts_with(a)
                || b.len() == 1 && a.starts_with(b)
        };
        let other = evidence.mentions.iter().find(|other| {
            let range = &other.words;
            range.len() >= 2
                && evidence.words[range.end - 1].form == last.form
                && begin_alike(&evidence.words[range.start].folded, &first.folded)
        })?;
        let start = other.words.start;
        for at in words {
            if self.links[at].is_none() {
                self.links[at] = Some(Link { to: start, strength: 1.0, kind: LinkKind::Same });
            }
        }
        self.linked_from[start] = true;
        Some(start)
    }

    /// Words without a link that the context holds, next to nothing but names and what refers to them.
    fn link_context(&mut self, claim: &ReadText, context: &Context) {
        for (at, word) in claim.words.iter().enumerate() {
            if word.is_content() && self.links[at].is_none() && context.holds(std::iter::once(word)) {
                self.in_context[at] = true;
            }
        }
    }

    /// How much the place of `from` in the claim and of `to` in the evidence have in common: linked words near both
    /// count most. Adjacent to the same linked word on either side gives about 1.
    pub(super) fn affinity(&self, claim: &ReadText, from: Range<usize>, evidence: &ReadText, to: Range<usize>) -> f32 {
        self.affinity_beside(claim, from, evidence, to, &[])
    }

    /// The same, without the links of some more words of the claim.
    pub(super) fn affinity_beside(
        &self,
        claim: &ReadText,
        from: Range<usize>,
        evidence: &ReadText,
        to: Range<usize>,
        leaving_out: &[&Range<usize>],
    ) -> f32 {
        let clause = evidence.words.get(to.start).map_or(0, |word| word.clause);
        let mut total = 0.0;
        let near = from.start.saturating_sub(NEAR)..self.links.len().min(from.end.saturating_add(NEAR));
        super::work::count(near.len());
        for at in near {
            let Some(link) = &self.links[at] else { continue };
            if from.contains(&at) || to.contains(&link.to) || leaving_out.iter().any(|range| range.contains(&at)) {
                continue;
            }
            let near = distance(claim, at, &from) + distance(evidence, link.to, &to);
            let same_side = (at < from.start) == (link.to < to.start);
            let weight = link.strength / (near as f32 - 1.0).max(1.0);
            let crossing = if evidence.words[link.to].clause == clause { 1.0 } else { 0.5 };
            total += weight * crossing * if same_side { 1.0 } else { 0.7 };
        }
        let same_form = |a: Option<&Word>, b: Option<&Word>| matches!((a, b), (Some(a), Some(b)) if a.form == b.form && a.kind == WordKind::Function);
        let before = |words: &'_ [Word], at: usize| at.checked_sub(1).filter(|at| *at < words.len());
        let (claim_before, evidence_before) = (before(&claim.words, from.start), before(&evidence.words, to.start));
        if same_form(claim_before.map(|at| &claim.words[at]), evidence_before.map(|at| &evidence.words[at])) {
            total += 0.3;
        }
        if same_form(claim.words.get(from.end), evidence.words.get(to.end)) {
            total += 0.2;
        }
        total
    }
}

/// "Salvation Party (NPP)" beside "New Patriotic Party (NPP)": the short form that both texts explain is that of another
/// name. Two translations of one name begin some word alike.
fn is_short_for_another(name: &Mention, short: &Mention, evidence: &ReadText) -> bool {
    let begins = |word: &str| word.get(..word.floor_char_boundary(SAME_BEGINNING)).unwrap_or_default().to_owned();
    let akin = |full: &Mention| {
        let own: Vec<String> = name.key.split(' ').filter(|word| word.len() >= SAME_BEGINNING).map(begins).collect();
        full.key.split(' ').any(|word| own.contains(&begins(word)))
    };
    name.also.contains(&short.key)
        && evidence.mentions.iter().any(|full| {
            full.value.also.contains(&short.key)
                && full.value.matches(name) == NameMatch::Different
                && !akin(&full.value)
        })
}

/// Bytes with which two words begin that may be one word in two languages.
const SAME_BEGINNING: usize = 4;

/// Whether the words of a name stand together in the sentence: "Franklin College" is not named by "Franklin and Marshall
/// College".
fn stands_together(text: &ReadText, places: impl Iterator<Item = usize>) -> bool {
    let mut places: Vec<usize> = places.collect();
    places.sort_unstable();
    places.windows(2).all(|two| {
        let between = &text.words[(two[0] + 1).min(two[1])..two[1]];
        between.len() <= 2
            && between.iter().all(|word| {
                !matches!(word.folded.as_str(), "and" | "or" | "e" | "und" | "et" | "y")
                    && (word.kind == WordKind::Function || word.capitalised && word.folded.len() <= 2)
            })
    })
}

/// How many words of content away a word stands from a range; 1 beside it.
fn distance(text: &ReadText, at: usize, range: &Range<usize>) -> usize {
    let rank = |at: usize| text.words.get(at).map_or(0, |word| word.rank);
    if at < range.start {
        rank(range.start) - rank(at)
    } else {
        let last = range.end.saturating_sub(1).max(range.start);
        rank(at).saturating_sub(rank(last)).max(1)
    }
}

/// Worth of the words that agree on both sides of a possible link.
fn neighbours(claim: &ReadText, i: usize, evidence: &ReadText, j: usize) -> f32 {
    let agree = |a: Option<usize>, b: Option<usize>| match (a, b) {
        (Some(a), Some(b)) => match (claim.words.get(a), evidence.words.get(b)) {
            (Some(a), Some(b)) => a.form == b.form,
            _ => false,
        },
        _ => false,
    };
    let before = (1..=3).take_while(|k| agree(i.checked_sub(*k), j.checked_sub(*k))).count();
    let after = (1..=3).take_while(|k| agree(Some(i + k), Some(j + k))).count();
    NEIGHBOUR * (before + after) as f32
}

/// "founder" of "found", "presidential" of "president": one stem begins with the whole of the other.
fn is_derived(a: &Word, b: &Word) -> bool {
    let (short, long) = if a.stem.len() <= b.stem.len() { (&a.stem, &b.stem) } else { (&b.stem, &a.stem) };
    short.len() >= 5
        && long.len() - short.len() <= 4
        && long.starts_with(short.as_str())
        && !short.starts_with(|c: char| c.is_ascii_digit())
        && !(a.capitalised && b.capitalised && short.len() < long.len())
}

/// "legal" and "illegal", "able" and "unable".
fn is_prefixed_opposite(a: &Word, b: &Word) -> bool {
    let (short, long) = if a.stem.len() <= b.stem.len() { (a, b) } else { (b, a) };
    // An irregular form keeps its own stem under a prefix: "unpaid".
    let turns = |prefix: &&str| {
        long.stem.strip_prefix(*prefix).is_some_and(|rest| rest == short.stem)
            || long.folded.strip_prefix(*prefix).is_some_and(|rest| rest == short.folded)
    };
    short.folded.len() >= 4
        && !(a.capitalised || b.capitalised)
        && ["un", "dis", "non"]
            .iter()
            .chain(if is_adjective(long) { &["in", "im", "il", "ir"][..] } else { &[] })
            .any(turns)
}

/// Whether a word has the form of an adjective that "in-" turns around ("inactive", "illegal"), unlike "information".
fn is_adjective(word: &Word) -> bool {
    [
        "able", "ible", "al", "ous", "ive", "ent", "ant", "ate", "ic", "plete", "direct", "correct", "exact", "ular",
        "ure", "fect", "id",
    ]
    .iter()
    .any(|ending| word.folded.ends_with(ending))
}
