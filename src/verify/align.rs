//! Which word of the evidence stands for which word of the claim, and which value or name fills which slot.
//!
//! Words are linked by stem, by sense, by derivation or as opposites; one that occurs more than once goes where its
//! neighbours agree. A *slot* is the place of a value or a name among the linked words: [`Alignment::affinity`] says
//! how much two places have in common, so that a neighbour's number is told from the one that is meant.

use std::ops::Range;

use super::lexicon::{opposite_sense, same_sense};
use super::reading::{Placed, ReadText, Word, WordKind};
use super::window::Context;
use crate::text::{Agreement, DateAgreement, NameMatch, Quantity, QuantityKind};

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

/// What became of a claim's value.
#[derive(Debug, Clone, Copy)]
pub struct SlotLink<A> {
    /// Place among the evidence's values of that kind.
    pub to: usize,
    /// How the two stand to each other.
    pub agreement: A,
    /// How much their places have in common.
    pub affinity: f32,
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
/// A differing value takes the slot of an agreeing one only if its place fits this many times better.
const BOUND_ELSEWHERE: f32 = 2.0;
/// Links that stand further away, in words of the claim, count for nothing: each would weigh a few hundredths.
const NEAR: usize = 64;
/// Places of one name in a sentence that are compared; who repeats a name more often is listing it.
const MOST_NAMESAKES: usize = 12;
/// Below this affinity two values are not in the same slot.
pub(super) const SAME_SLOT: f32 = 0.5;

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
            for (place, other) in evidence.mentions.iter().enumerate() {
                match mention.value.matches(&other.value) {
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
                || context.names(&mention.value)
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
        if words.len() < 2 {
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

    fn link_quantities(&self, claim: &ReadText, evidence: &ReadText) -> Vec<Option<SlotLink<Agreement>>> {
        let mut grid = Vec::new();
        for (k, quantity) in claim.quantities.iter().enumerate() {
            for (to, other) in evidence.quantities.iter().enumerate() {
                let agreement = quantity.value.agrees(&other.value);
                if agreement == Agreement::Incomparable {
                    continue;
                }
                let (from, to_words) = (core(claim, quantity), core(evidence, other));
                let place = self.affinity(claim, from, evidence, to_words);
                let counted_elsewhere = quantity.words.clone().any(|at| self.same(at).is_some());
                let affinity = place + same_measure(&quantity.value, &other.value, counted_elsewhere);
                let differs = matches!(agreement, Agreement::Differs | Agreement::UnitDiffers);
                let agrees = agreement == Agreement::Agrees;
                grid.push(Candidate { from: k, to, affinity, place, agrees, differs, agreement });
            }
        }
        keep_to_measures(claim, evidence, &mut grid);
        self.keep_to_bound_names(evidence, &mut grid);
        self.keep_to_dates(evidence, &mut grid);
        assign(grid, claim.quantities.len())
    }

    /// "Libya 989 km; Mali 1,359 km": in a list of names with a number each, a number belongs to its name. Numbers of
    /// names that the claim does not speak of are no candidates where one of a name that it speaks of is, and never
    /// differ from the claim's.
    fn keep_to_bound_names(&self, evidence: &ReadText, grid: &mut Vec<Candidate<Agreement>>) {
        let owners: Vec<Option<bool>> = evidence
            .quantities
            .iter()
            .map(|quantity| {
                let owner = bound_name(evidence, quantity)?;
                Some(owner.clone().any(|at| self.linked_from[at]))
            })
            .collect();
        if owners.iter().flatten().count() < 2 {
            return;
        }
        let some_own = grid.iter().any(|candidate| owners[candidate.to] == Some(true));
        grid.retain(|candidate| owners[candidate.to] != Some(false) || candidate.agrees && !some_own);
    }

    /// "$5 million in 2019 and $7 million in 2020": where each value has a date of its own, the values of dates that the
    /// claim does not name are no candidates beside that of one that it names.
    fn keep_to_dates(&self, evidence: &ReadText, grid: &mut Vec<Candidate<Agreement>>) {
        let named: Vec<usize> = self
            .dates
            .iter()
            .flatten()
            .filter(|link| matches!(link.agreement, DateAgreement::Contains | DateAgreement::MorePrecise))
            .map(|link| link.to)
            .collect();
        if named.is_empty() || evidence.dates.len() < 2 {
            return;
        }
        // The date that follows a value at once ("$7 million in 2020"), else the one that stands right before it.
        let own = |quantity: usize| {
            let words = &evidence.quantities[quantity].words;
            let near = |gap: usize| gap <= DATED_WITHIN;
            let after = evidence.dates.iter().position(|date| {
                date.words.start >= words.end && near(date.words.start - words.end) && {
                    let between = words.end..date.words.start;
                    !evidence.quantities.iter().any(|other| between.contains(&other.words.start))
                }
            });
            after.or_else(|| {
                evidence
                    .dates
                    .iter()
                    .position(|date| date.words.end <= words.start && near(words.start - date.words.end))
            })
        };
        let dated = |candidate: &Candidate<Agreement>| own(candidate.to);
        let some_own = grid.iter().any(|candidate| dated(candidate).is_some_and(|date| named.contains(&date)));
        if some_own {
            grid.retain(|candidate| dated(candidate).is_none_or(|date| named.contains(&date)));
        }
    }

    /// "Ada Vance (8 April 1974 – 2 February 2013)": the first date is that of birth, the second that of death. Gives the
    /// date of which the claim speaks by saying "born" or "died", and links that word to it.
    fn link_life(&mut self, claim: &ReadText, evidence: &ReadText) -> Option<usize> {
        let (first, second) = life_dates(evidence)?;
        let (at, date) = claim.words.iter().enumerate().find_map(|(at, word)| match word.folded.as_str() {
            "born" | "birth" | "nascido" | "nasceu" | "geboren" | "nacido" | "ne" => Some((at, first)),
            "died" | "death" | "dies" | "dead" | "morreu" | "gestorben" | "starb" | "murio" => Some((at, second)),
            _ => None,
        })?;
        if self.same(at).is_some() {
            return None;
        }
        let to = evidence.dates[date].words.start;
        self.links[at] = Some(Link { to, strength: 1.0, kind: LinkKind::Same });
        Some(date)
    }

    fn link_dates(
        &self,
        claim: &ReadText,
        evidence: &ReadText,
        life: Option<usize>,
    ) -> Vec<Option<SlotLink<DateAgreement>>> {
        let mut grid = Vec::new();
        for (k, date) in claim.dates.iter().enumerate() {
            for (to, other) in evidence.dates.iter().enumerate() {
                let agreement = date.value.agrees(&other.value);
                if agreement == DateAgreement::Incomparable {
                    continue;
                }
                if life.is_some_and(|life| life != to) {
                    continue;
                }
                let place = match life {
                    Some(_) => 1.0,
                    None => self.affinity(claim, date.words.clone(), evidence, other.words.clone()),
                };
                let agrees = agreement == DateAgreement::Contains;
                let differs = agreement == DateAgreement::Differs;
                grid.push(Candidate { from: k, to, affinity: place, place, agrees, differs, agreement });
            }
        }
        assign(grid, claim.dates.len())
    }
}

/// Most words between a value and its date.
const DATED_WITHIN: usize = 3;
/// What an undecided value's place counts more than a differing one's: what neither agrees nor differs explains first.
const UNDECIDED: f32 = 1.5;

struct Candidate<A> {
    from: usize,
    to: usize,
    /// Place and measure together.
    affinity: f32,
    /// Place alone.
    place: f32,
    agrees: bool,
    differs: bool,
    agreement: A,
}

impl<A> Candidate<A> {
    fn fit(&self) -> f32 {
        if self.differs { self.affinity } else { self.affinity * UNDECIDED }
    }
}

/// Gives each claim's value the evidence's value in its slot: agreeing ones first, unless another value fits the
/// place far better; each of the evidence's values serves once, or again if it agrees.
fn assign<A: Copy>(mut grid: Vec<Candidate<A>>, count: usize) -> Vec<Option<SlotLink<A>>> {
    let mut slots = vec![None; count];
    grid.sort_by(|a, b| {
        b.agrees.cmp(&a.agrees).then(b.fit().total_cmp(&a.fit())).then(a.from.cmp(&b.from)).then(a.to.cmp(&b.to))
    });
    let mut taken: Vec<usize> = Vec::new();
    for candidate in &grid {
        if slots[candidate.from].is_some() || !candidate.agrees && taken.contains(&candidate.to) {
            continue;
        }
        let fits_better = |other: &&Candidate<A>| {
            other.from == candidate.from
                && other.differs
                && candidate.place < SAME_SLOT
                && other.place > SAME_SLOT * 2.0
                && other.place > candidate.place * BOUND_ELSEWHERE
        };
        let chosen = if candidate.agrees { grid.iter().find(fits_better).unwrap_or(candidate) } else { candidate };
        slots[candidate.from] =
            Some(SlotLink { to: chosen.to, agreement: chosen.agreement, affinity: chosen.affinity });
        taken.push(chosen.to);
    }
    slots
}

/// The dates of birth and death that stand in brackets after a name: two dates with nothing but a dash between them.
fn life_dates(text: &ReadText) -> Option<(usize, usize)> {
    (1..text.dates.len()).find_map(|second| {
        let (a, b) = (&text.dates[second - 1], &text.dates[second]);
        let bracket = text.words[a.words.start].bracket_of?;
        let same = text.words[b.words.start].bracket_of == Some(bracket);
        let between = text.text.get(a.value.span.end..b.value.span.start)?.trim();
        let dash = matches!(between, "-" | "–" | "—" | "−" | "--" | "to" | "†");
        let named = text.mentions.iter().any(|mention| mention.words.contains(&bracket));
        (same && dash && named).then_some((second - 1, second))
    })
}

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

/// The name right before a number or right after it.
fn bound_name(text: &ReadText, quantity: &Placed<Quantity>) -> Option<Range<usize>> {
    let number = core(text, quantity);
    let adjacent = |at: usize| text.words.get(at).is_some_and(|word| !word.after_mark);
    let before = text.mentions.iter().find(|mention| mention.words.end == number.start && adjacent(number.start));
    let follows = |at: usize| at >= number.end && at <= quantity.words.end && adjacent(at);
    before
        .or_else(|| text.mentions.iter().find(|mention| follows(mention.words.start)))
        .map(|mention| mention.words.clone())
}

/// The words of the number itself: what is counted takes part in telling its place.
fn core(text: &ReadText, quantity: &Placed<Quantity>) -> Range<usize> {
    let words = text.words_in(quantity.value.number_span);
    if words.is_empty() { quantity.words.clone() } else { words }
}

/// Whether both say what they measure and it is not the same: "340 m long", "43 m high".
pub(super) fn measure_differently(claim: &Quantity, evidence: &Quantity) -> bool {
    matches!((&claim.measures, &evidence.measures), (Some(a), Some(b)) if a != b)
}

/// "340 m long and 43 m high": where the sentence has a value for what the claim measures, those that measure something
/// else are no candidates.
fn keep_to_measures(claim: &ReadText, evidence: &ReadText, grid: &mut Vec<Candidate<Agreement>>) {
    let measures = |from: usize| claim.quantities[from].value.measures.as_ref();
    let same = |from: usize, to: usize| {
        measures(from).is_some() && measures(from) == evidence.quantities[to].value.measures.as_ref()
    };
    let own: Vec<usize> =
        grid.iter().filter(|candidate| same(candidate.from, candidate.to)).map(|candidate| candidate.from).collect();
    grid.retain(|candidate| {
        let other =
            measure_differently(&claim.quantities[candidate.from].value, &evidence.quantities[candidate.to].value);
        !(other && own.contains(&candidate.from))
    });
}

/// What two quantities have in common by unit and by what they count.
fn same_measure(claim: &Quantity, evidence: &Quantity, counted_elsewhere: bool) -> f32 {
    let by_unit = match (&claim.unit, &evidence.unit) {
        (Some(a), Some(b)) if a.symbol == b.symbol => 0.5,
        (Some(a), Some(b)) if a.dimension == b.dimension => 0.3,
        _ if claim.kind == evidence.kind && claim.kind != QuantityKind::Count => 0.4,
        _ => 0.0,
    };
    let by_noun = match (&claim.counted, &evidence.counted) {
        (Some(a), Some(b)) if a == b => 0.3,
        (Some(_), Some(_)) if !counted_elsewhere => -0.3,
        _ => 0.0,
    };
    let by_extent = if measure_differently(claim, evidence) { -0.3 } else { 0.0 };
    by_unit + by_noun + by_extent
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
    short.stem.len() >= 4
        && !(a.capitalised || b.capitalised)
        && ["un", "dis", "non"]
            .iter()
            .chain(if is_adjective(long) { &["in", "im", "il", "ir"][..] } else { &[] })
            .any(|prefix| long.stem.strip_prefix(prefix).is_some_and(|rest| rest == short.stem))
}

/// Whether a word has the form of an adjective that "in-" turns around ("inactive", "illegal"), unlike "information".
fn is_adjective(word: &Word) -> bool {
    [
        "able", "ible", "al", "ous", "ive", "ent", "ant", "ate", "ic", "plete", "direct", "correct", "exact", "ular",
        "ure", "fect",
    ]
    .iter()
    .any(|ending| word.folded.ends_with(ending))
}
