//! Quantities in words: "two and a half", "two-thirds of", "the third", "Osric IV", "doubled".

use super::lexicon::{NumberWord, Tongue};
use super::number_side::fraction_numeral;
use super::numerals::{Numeral, ten_to};
use super::quantities::{Hedge, QuantityKind};
use super::quantity_reader::{Read, Reader, Side};
use super::quantity_suffix::Sort;
use super::spelled;
use super::value_tokens::Kind;
use super::{hedges, nouns, units};

impl Reader<'_, '_> {
    /// Numbers in words at `i`.
    pub(super) fn word(&self, i: usize) -> Read {
        let scan = self.scan;
        let word = scan.number_word(i);
        if word == NumberWord::No {
            return match self
                .named_hour(i)
                .or_else(|| self.roman(i))
                .or_else(|| self.multiple(i))
                .or_else(|| self.compound(i))
            {
                Some(read) => read,
                None => Read::Skip(i + 1),
            };
        }
        let joined = scan
            .before(i)
            .is_some_and(|token| matches!(token.first, '-' | '_' | '\'' | '’') && token.kind == Kind::Symbol)
            && i.checked_sub(2).is_some_and(|at| scan.kind(at) == Some(Kind::Word));
        if joined {
            return Read::Skip(i + 1);
        }
        if let Some(read) = self.word_fraction(i).or_else(|| self.word_ordinal(i)) {
            return read;
        }
        let Some(side) = self.word_side(i) else { return Read::Skip(i + 1) };
        // "The Seven Years War", "Formula One": a capital inside a sentence is a name.
        if scan.is_capital(i)
            && !scan.starts_sentence(i)
            && scan.tongue != Tongue::German
            && !matches!(side.sort, Sort::Measure(_) | Sort::Money(_) | Sort::Percent(_))
        {
            return Read::Skip(side.end);
        }
        let one = side.value == 1.0 && side.end == i + 1;
        if one && side.sort == Sort::Bare && self.ratio(&side).is_none() && self.range(&side).is_none() {
            let pronoun = scan.previous_is(i, &["no", "any", "every", "each", "this", "that", "which", "some", "only"]);
            if pronoun || (self.one_thing(&side).is_none() && !side.hyphenated) {
                return Read::Skip(side.end);
            }
        }
        // "nineteen eighty-four" is a year in words.
        if (11.0..21.0).contains(&side.value)
            && matches!(scan.number_word(scan.past_space(side.end)), NumberWord::Tens(_))
        {
            let tens = scan.past_space(side.end);
            return Read::Skip(spelled::read_words(scan, tens).map_or(tens + 1, |numeral| numeral.end));
        }
        self.side_found(Some(side), i)
    }

    /// German numbers in one word that the lexicon does not hold.
    pub(super) fn compound(&self, i: usize) -> Option<Read> {
        if self.scan.tongue != Tongue::German {
            return None;
        }
        let side = self.word_side(i)?;
        Some(self.side_found(Some(side), i))
    }

    /// A number in words at `i` with its suffix.
    pub(super) fn word_side(&self, i: usize) -> Option<Side> {
        let scan = self.scan;
        let share = match scan.number_word(i) {
            NumberWord::Half => Some(0.5),
            NumberWord::Part(4) if scan.is_any(i, &["quarter"]) => Some(0.25),
            _ => None,
        };
        let numeral = if let Some(share) = share {
            // "half a million", "half a dozen".
            let article = if scan.is(i + 1, '-') { i + 2 } else { scan.past_space(i + 1) };
            let next =
                if scan.number_word(article) == NumberWord::Article { scan.past_space(article + 1) } else { article };
            match scan.number_word(next) {
                NumberWord::Dozen if next > i + 1 && share == 0.5 => {
                    Numeral { last_digit: 1.0, last_significant: 1.0, ..fraction_numeral(next + 1, 12.0 * share) }
                }
                NumberWord::Scale(_) if next > i + 1 => {
                    let (power, end) = spelled::read_scale(scan, next)?;
                    let unit = ten_to(i32::from(power) - 1);
                    Numeral {
                        last_digit: unit,
                        last_significant: unit,
                        ..fraction_numeral(end, share * ten_to(i32::from(power)))
                    }
                }
                _ => return None,
            }
        } else {
            self.with_word_fraction(spelled::read_words(scan, i)?)
        };
        if self.crosses_limit(numeral.end) {
            return None;
        }
        let numeral = Numeral { in_words: true, ..numeral };
        self.with_surroundings(numeral, i)
    }

    /// "two and a half", "three and three quarters".
    pub(super) fn with_word_fraction(&self, numeral: Numeral) -> Numeral {
        let scan = self.scan;
        let and = scan.past_space(numeral.end);
        if and == numeral.end || scan.number_word(and) != NumberWord::And {
            return numeral;
        }
        let next = scan.past_space(and + 1);
        let half = if scan.number_word(next) == NumberWord::Article { scan.past_space(next + 1) } else { next };
        let (value, mut end) = match scan.number_word(half) {
            NumberWord::Half if half > and + 1 => (0.5, half + 1),
            NumberWord::Part(4) if half > next && scan.is_any(half, &["quarter"]) => (0.25, half + 1),
            NumberWord::Small(3) if scan.number_word(scan.past_space(next + 1)) == NumberWord::Part(4) => {
                (0.75, scan.past_space(next + 1) + 1)
            }
            _ => return numeral,
        };
        let mut scale = 1.0;
        let after = scan.past_space(end);
        if after > end
            && let Some((power, scale_end)) = spelled::read_scale(scan, after)
        {
            scale = ten_to(i32::from(power));
            end = scale_end;
        }
        Numeral {
            value: (numeral.value + value) * scale,
            end,
            last_digit: 0.1 * scale,
            last_significant: 0.1 * scale,
            ..numeral
        }
    }

    /// "two-thirds", "a quarter of", "half the", "one half".
    pub(super) fn word_fraction(&self, i: usize) -> Option<Read> {
        let scan = self.scan;
        let (above, next, article) = match scan.number_word(i) {
            NumberWord::Article => (1.0, scan.past_space(i + 1), true),
            NumberWord::Small(n @ 1..=20) => {
                let next = if scan.is(i + 1, '-') { i + 2 } else { scan.past_space(i + 1) };
                (f64::from(n), next, false)
            }
            NumberWord::Half => return self.half(i, i),
            _ => return None,
        };
        if next == i + 1 {
            return None;
        }
        if scan.number_word(next) == NumberWord::Half && above == 1.0 {
            return self.half(i, next);
        }
        let below = match scan.number_word(next) {
            NumberWord::Part(n) => f64::from(n),
            NumberWord::Ordinal(n) if n >= 3 && above == 1.0 => f64::from(n),
            _ => return None,
        };
        // "a third party", "a quarter mile", "three quarters later": a share has something that it is of.
        let end = next + 1;
        let after = scan.past_space(end);
        let of = scan.is_any(after, &["of", "der", "des", "dos", "das", "de", "del", "da", "do"]);
        if !of && (article || above >= below) {
            return None;
        }
        Some(self.share(i, end, above, below))
    }

    pub(super) fn half(&self, start: usize, at: usize) -> Option<Read> {
        let scan = self.scan;
        let after = scan.past_space(at + 1);
        if after == at + 1
            || scan.previous_is(start, &["first", "second", "other", "latter", "and", "ersten", "zweiten", "a"])
                && start == at
        {
            return None;
        }
        let of = scan.is_any(
            after,
            &[
                "of", "the", "its", "their", "his", "her", "our", "all", "der", "des", "dos", "das", "de", "del", "da",
                "do", "los", "las", "as", "os", "les",
            ],
        );
        if of {
            return Some(self.share(start, at + 1, 1.0, 2.0));
        }
        // "half an hour", "half a mile".
        let article = scan.number_word(after) == NumberWord::Article;
        let unit_at = if article { scan.past_space(after + 1) } else { after };
        let (unit, end) = units::read_unit(scan, unit_at, false).filter(|_| article)?;
        let (hedge, from) = hedges::before(scan, start);
        let mut quantity = self.blank(from, (start, at + 1), end, 0.5, QuantityKind::Measure);
        quantity.half_unit = 0.05;
        quantity.hedge = hedge;
        quantity.unit = Some(unit);
        Some(Read::Found(vec![quantity], end))
    }

    /// A share of something; "a quarter of a mile" is a measure.
    pub(super) fn share(&self, start: usize, end: usize, above: f64, below: f64) -> Read {
        let (hedge, from) = hedges::before(self.scan, start);
        let article = self.scan.past_space(self.scan.past_space(end) + 1);
        if self.scan.number_word(article) == NumberWord::Article
            && let Some((unit, after)) = units::read_unit(self.scan, self.scan.past_space(article + 1), false)
        {
            let mut quantity = self.blank(from, (start, end), after, above / below, QuantityKind::Measure);
            quantity.half_unit = 0.005;
            quantity.hedge = hedge;
            quantity.unit = Some(unit);
            return Read::Found(vec![quantity], after);
        }
        let mut quantity = self.blank(from, (start, end), end, above / below, QuantityKind::Ratio);
        // "Nearly half" is 47 % as well.
        quantity.half_unit = if hedge == Hedge::About { 0.03 } else { 0.005 };
        quantity.hedge = hedge;
        quantity.parts = Some((above, below));
        quantity.counted = nouns::part_of(self.scan, end);
        Read::Found(vec![quantity], end)
    }

    /// "the third", "twenty-first", "finished second".
    pub(super) fn word_ordinal(&self, i: usize) -> Option<Read> {
        let scan = self.scan;
        let (value, end) = match scan.number_word(i) {
            NumberWord::Ordinal(n) => (u32::from(n), i + 1),
            NumberWord::Tens(tens) => match scan.number_word(i + 2) {
                NumberWord::Ordinal(n) if n < 10 && (scan.is(i + 1, '-') || scan.past_space(i + 1) == i + 2) => {
                    (u32::from(tens) + u32::from(n), i + 3)
                }
                _ => return None,
            },
            _ => return None,
        };
        let placed = scan.previous_is(
            i,
            &[
                "the",
                "its",
                "his",
                "her",
                "their",
                "our",
                "a",
                "an",
                "s",
                "finished",
                "finishing",
                "ranked",
                "ranks",
                "came",
                "placed",
                "every",
            ],
        );
        if !placed || scan.is_any(scan.past_space(end), &["time", "place"]) && value == 1 {
            return Some(Read::Skip(end));
        }
        let mut quantity = self.blank(i, (i, end), end, f64::from(value), QuantityKind::Ordinal);
        quantity.half_unit = 0.0;
        Some(Read::Found(vec![quantity], end))
    }

    /// "Osric IV": a Roman numeral after a name.
    pub(super) fn roman(&self, i: usize) -> Option<Read> {
        let scan = self.scan;
        let value = spelled::roman(scan.str(i))?;
        let name = scan.word_before(i).filter(|&at| scan.is_capital(at))?;
        let length = scan.str(i).len();
        let lone = length == 1;
        // "I" is a word, "V" and "X" initials: alone they count only between a name and no further name.
        let followed = scan.past_space(i + 1);
        let next_is_name =
            scan.is_capital(followed) || scan.is(i + 1, '.') && scan.is_capital(scan.past_space(i + 2)) && lone;
        let pronoun = scan.str(i) == "I"
            && scan.at(followed).is_some_and(|token| token.kind == Kind::Word)
            && !scan.is_any(followed, &["of", "was", "and", "ruled", "is", "died", "had", "of"]);
        let initial_word = scan.starts_sentence(name) && scan.at(name).is_some_and(|token| token.entry.common_in != 0);
        if (lone && (next_is_name || pronoun))
            || initial_word
            || scan.before(i).is_some_and(|token| token.first == '\n')
        {
            return None;
        }
        let mut quantity = self.blank(i, (i, i + 1), i + 1, f64::from(value), QuantityKind::Ordinal);
        quantity.half_unit = 0.0;
        Some(Read::Found(vec![quantity], i + 1))
    }

    /// "twice", "doubled", "halved".
    pub(super) fn multiple(&self, i: usize) -> Option<Read> {
        let value = f64::from(self.scan.at(i)?.entry.multiple);
        if value == 0.0 {
            return None;
        }
        let (hedge, start) = hedges::before(self.scan, i);
        let mut quantity = self.blank(start, (i, i + 1), i + 1, value, QuantityKind::Multiple);
        quantity.half_unit = 0.05;
        // "He won twice" counts times; "twice as many" and "twice the size" compare.
        let compared = ["as", "the", "that", "its", "their", "his", "her", "what", "more"];
        if self.scan.is_any(i, &["twice", "thrice"]) && !self.scan.is_any(self.scan.past_space(i + 1), &compared) {
            quantity.kind = QuantityKind::Count;
            quantity.counted = Some("time".to_owned());
            quantity.half_unit = 0.5;
        }
        quantity.hedge = hedge;
        Some(Read::Found(vec![quantity], i + 1))
    }
}
