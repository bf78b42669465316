//! Which value of the evidence fills the slot of which value of the claim.
//!
//! A *slot* is the place of a value among the words that claim and evidence share. Of the evidence's values that can be
//! compared, an agreeing one goes first, unless another fits the place far better: so a neighbour's number is told from the
//! one that is meant.

use std::ops::Range;

use super::align::{Alignment, Link, LinkKind};
use super::reading::{Placed, ReadText};
use crate::text::{Agreement, DateAgreement, DateBound, DateMention, Quantity, QuantityKind};

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

/// A differing value takes the slot of an agreeing one only if its place fits this many times better.
const BOUND_ELSEWHERE: f32 = 2.0;
/// Below this affinity two values are not in the same slot.
pub(super) const SAME_SLOT: f32 = 0.5;

impl Alignment {
    pub(super) fn link_quantities(&self, claim: &ReadText, evidence: &ReadText) -> Vec<Option<SlotLink<Agreement>>> {
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
        keep_to_counted(claim, evidence, &mut grid);
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
                Some(owner.clone().any(|at| self.is_linked_from(at)))
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
    pub(super) fn link_life(&mut self, claim: &ReadText, evidence: &ReadText) -> Option<usize> {
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

    pub(super) fn link_dates(
        &self,
        claim: &ReadText,
        evidence: &ReadText,
        life: Option<usize>,
    ) -> Vec<Option<SlotLink<DateAgreement>>> {
        let mut grid = Vec::new();
        for (k, date) in claim.dates.iter().enumerate() {
            for (to, other) in evidence.dates.iter().enumerate() {
                if life.is_some_and(|life| life != to) {
                    continue;
                }
                // A life's end is a day of its own, not the end of a period.
                let agreement = match life {
                    Some(_) => date.value.agrees(&DateMention { bound: DateBound::In, ..other.value.clone() }),
                    None => date.value.agrees(&other.value),
                };
                if agreement == DateAgreement::Incomparable {
                    continue;
                }
                let place = match life {
                    Some(_) => 1.0,
                    None => self.date_affinity(claim, date.words.clone(), evidence, to),
                };
                let agrees = agreement == DateAgreement::Contains;
                let differs = agreement == DateAgreement::Differs;
                grid.push(Candidate { from: k, to, affinity: place, place, agrees, differs, agreement });
            }
        }
        assign(grid, claim.dates.len())
    }

    /// How well a date fits the place of the evidence's date `to`. "in the late 1960s and early 1970s": the second stands
    /// where the first does.
    fn date_affinity(&self, claim: &ReadText, date: Range<usize>, evidence: &ReadText, to: usize) -> f32 {
        let words = &evidence.dates[to].words;
        let own = self.affinity(claim, date.clone(), evidence, words.clone());
        let Some(before) = to.checked_sub(1).map(|before| &evidence.dates[before].words) else { return own };
        let between = evidence.words.get(before.end..words.start).unwrap_or_default();
        let joined =
            between.len() == 1 && matches!(between[0].folded.as_str(), "and" | "or" | "e" | "und" | "et" | "y");
        if joined { own.max(self.affinity(claim, date, evidence, before.clone())) } else { own }
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
        // "eight of these and eight of those" beside "seven of these and eight of those": each has a value of its own.
        let own = |other: &Candidate<A>| {
            other.from == candidate.from
                && other.differs
                && !taken.contains(&other.to)
                && other.place >= SAME_SLOT
                && other.place > candidate.place
        };
        if candidate.agrees && taken.contains(&candidate.to) && grid.iter().any(own) {
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
pub(super) fn life_dates(text: &ReadText) -> Option<(usize, usize)> {
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

/// "14 nurses and 50 beds": where the sentence counts what the claim counts, numbers of other things are no candidates.
fn keep_to_counted(claim: &ReadText, evidence: &ReadText, grid: &mut Vec<Candidate<Agreement>>) {
    let noun = |quantity: &Placed<Quantity>| match (&quantity.value.unit, quantity.value.kind) {
        (None, QuantityKind::Count) => quantity.value.counted.clone(),
        _ => None,
    };
    let own: Vec<Option<String>> = claim.quantities.iter().map(noun).collect();
    let others: Vec<Option<String>> = evidence.quantities.iter().map(noun).collect();
    let counted: Vec<usize> =
        (0..own.len()).filter(|from| own[*from].is_some() && others.contains(&own[*from])).collect();
    grid.retain(|candidate| {
        let other = others[candidate.to].is_some() && others[candidate.to] != own[candidate.from];
        !(other && counted.contains(&candidate.from))
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
