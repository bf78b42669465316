//! Finds quantities in scanned text: puts numerals, signs, currencies, suffixes, ranges, ratios and nouns together.
//!
//! One pass over the tokens; each number looks at a bounded few around it. Dates are passed over.

use super::TextSpan;
use super::dates::DateMention;
use super::lexicon::NumberWord;
use super::number_side::vulgar;
use super::numerals::{self, Digits, Numeral};
use super::quantities::{Hedge, NumberLocale, Quantity, QuantityKind, Unit};
use super::quantity_suffix::Sort;
use super::value_tokens::{Kind, Scan};
use super::{hedges, nouns, units};

/// A number with what belongs to it alone: one side of a range or ratio.
#[derive(Debug, Clone)]
pub(super) struct Side {
    /// First token, sign and currency included.
    pub start: usize,
    /// Tokens of the number itself.
    pub number: (usize, usize),
    /// Index after number and suffix.
    pub end: usize,
    pub value: f64,
    pub numeral: Numeral,
    pub magnitude: f64,
    pub sort: Sort,
    pub hyphenated: bool,
    pub currency_before: bool,
}

/// What was read at a token.
pub(super) enum Read {
    /// Quantities, and the index to go on from.
    Found(Vec<Quantity>, usize),
    /// Nothing; go on from this index.
    Skip(usize),
}

/// Every quantity of the scanned text, in order; tokens of `dates` are passed over.
pub(super) fn read_quantities(scan: &Scan<'_>, locale: NumberLocale, dates: &[DateMention]) -> Vec<Quantity> {
    let mut found = Vec::new();
    let mut dates = dates.iter().peekable();
    let mut i = 0;
    while let Some(token) = scan.at(i) {
        while dates.next_if(|date| date.span.end <= token.start).is_some() {}
        if let Some(date) = dates.peek().filter(|date| date.span.start <= token.start) {
            let end = date.span.end;
            while scan.at(i).is_some_and(|token| token.start < end) {
                i += 1;
            }
            continue;
        }
        // A number must end where the next date begins: "one in 2020" is no ratio.
        let limit = dates.peek().map_or(usize::MAX, |date| date.span.start);
        let reader = Reader { scan, locale, limit };
        match reader.read(i) {
            Read::Found(quantities, end) => {
                found.extend(quantities);
                i = end.max(i + 1);
            }
            Read::Skip(end) => i = end.max(i + 1),
        }
    }
    found
}

pub(super) struct Reader<'s, 'a> {
    pub scan: &'s Scan<'a>,
    pub locale: NumberLocale,
    /// Byte at which the next date begins.
    pub limit: usize,
}

impl Reader<'_, '_> {
    pub(super) fn read(&self, i: usize) -> Read {
        let Some(token) = self.scan.at(i) else { return Read::Skip(i + 1) };
        match token.kind {
            Kind::Digits => self.digits(i),
            Kind::Word => self.word(i),
            Kind::Symbol if vulgar(token.first).is_some() => self.side_found(self.vulgar_side(i), i),
            _ => Read::Skip(i + 1),
        }
    }

    pub(super) fn digits(&self, i: usize) -> Read {
        if let Some(end) = self.not_a_number(i) {
            return Read::Skip(end);
        }
        if let Some(read) = self.age_decade(i).or_else(|| self.clock(i)) {
            return read;
        }
        self.side_found(self.digit_side(i), i)
    }

    pub(super) fn side_found(&self, side: Option<Side>, i: usize) -> Read {
        let Some(side) = side else { return Read::Skip(self.past_run(i)) };
        if self.is_label(&side) {
            return Read::Skip(side.end);
        }
        if let Some(found) = self.ratio(&side) {
            return found;
        }
        if let Some((second, end)) = self.range(&side) {
            return self.finish(&side, Some(&second), end);
        }
        if let Some(end_unit) = self.change(&side) {
            let end = side.end;
            return self.finish(&Side { sort: end_unit.sort, magnitude: end_unit.magnitude, ..side }, None, end);
        }
        let end = side.end;
        self.finish(&side, None, end)
    }

    pub(super) fn span(&self, start: usize, end: usize) -> TextSpan {
        let from = self.scan.at(start).map_or(0, |token| token.start);
        TextSpan::new(from, self.scan.before(end).map_or(from, |token| token.end))
    }

    pub(super) fn blank(
        &self,
        start: usize,
        number: (usize, usize),
        end: usize,
        value: f64,
        kind: QuantityKind,
    ) -> Quantity {
        Quantity {
            span: self.span(start, end),
            number_span: self.span(number.0, number.1),
            low: value,
            high: value,
            half_unit: 0.5,
            kind,
            unit: None,
            counted: None,
            measures: None,
            parts: None,
            hedge: Hedge::Exact,
            other_reading: None,
        }
    }

    pub(super) fn is_ordinal(&self, side: &Side) -> bool {
        side.number.1 != side.numeral.end
    }

    pub(super) fn finish(&self, side: &Side, second: Option<&Side>, end: usize) -> Read {
        let (mut quantity, mut end) = self.quantity(side, second, end);
        if second.is_none()
            && let Some(after) = self.add_smaller_unit(side, &mut quantity)
        {
            end = after;
        }
        Read::Found(vec![quantity], end)
    }

    /// "2 h 30 min", "6 feet 2 inches": a second measure of the same dimension in a smaller unit belongs to the first.
    pub(super) fn add_smaller_unit(&self, side: &Side, quantity: &mut Quantity) -> Option<usize> {
        let scan = self.scan;
        let unit = quantity.unit.clone().filter(|unit| {
            matches!(unit.symbol.as_str(), "h" | "min" | "d" | "week" | "month" | "year" | "ft" | "lb")
        })?;
        if quantity.low.fract() != 0.0 || side.hyphenated {
            return None;
        }
        let mut end = side.end;
        let mut last = unit.clone();
        for _ in 0..3 {
            let mut at = scan.past_space(end);
            if scan.is(at, ',') {
                at = scan.past_space(at + 1);
            }
            if scan.is_any(at, &["and", "e", "y", "et", "und"]) {
                at = scan.past_space(at + 1);
            }
            let Some(smaller) =
                self.side_at(at).filter(|smaller| smaller.start == at && !smaller.hyphenated && smaller.value >= 0.0)
            else {
                break;
            };
            let mut smaller = smaller;
            // "5 ft 10 in": after feet "in" is inches.
            let inches = scan.past_space(smaller.end);
            if unit.symbol == "ft" && smaller.sort == Sort::Bare && scan.is_any(inches, &["in"]) && smaller.value < 12.0
            {
                smaller.sort = units::look_up("in").map_or(Sort::Bare, Sort::Measure);
                smaller.end = inches + 1;
            }
            let Sort::Measure(small) = &smaller.sort else { break };
            if small.dimension != unit.dimension
                || small.factor >= last.factor
                || smaller.value * small.factor >= last.factor
            {
                break;
            }
            let ratio = small.factor / unit.factor;
            quantity.low += smaller.value * ratio;
            quantity.high = quantity.low;
            quantity.half_unit = smaller.numeral.last_digit / 2.0 * ratio;
            end = smaller.end;
            last = small.clone();
        }
        if end == side.end {
            return None;
        }
        quantity.span.end = self.span(side.start, end).end;
        Some(end)
    }

    /// Puts the quantity of one or two sides together, with hedge and noun.
    pub(super) fn quantity(&self, side: &Side, second: Option<&Side>, end: usize) -> (Quantity, usize) {
        let scan = self.scan;
        let last = second.unwrap_or(side);
        let sort = if side.sort == Sort::Bare { &last.sort } else { &side.sort };
        let share = second.is_some()
            && side.magnitude == 1.0
            && (side.sort == Sort::Bare || side.currency_before)
            && side.value <= last.value;
        let first_magnitude = if share { last.magnitude } else { side.magnitude };
        let (hedge, mut start) = hedges::before(scan, side.start);
        if second.is_some()
            && let Some(at) =
                scan.word_before(start).filter(|&at| scan.is_any(at, &["between", "from", "zwischen", "entre"]))
        {
            start = at;
        }
        let mut end = end;
        let (mut kind, mut unit, mut factor) = match sort {
            Sort::Bare if self.is_ordinal(side) => (QuantityKind::Ordinal, None, 1.0),
            Sort::Bare => (QuantityKind::Count, None, 1.0),
            Sort::Percent(factor) => (QuantityKind::Percent, None, *factor),
            Sort::Points(factor) => (QuantityKind::PercentPoints, None, *factor),
            Sort::Money(unit) => (QuantityKind::Money, Some(unit.clone()), 1.0),
            Sort::Measure(unit) => (QuantityKind::Measure, Some(unit.clone()), 1.0),
            Sort::Times => (QuantityKind::Multiple, None, 1.0),
        };
        let mut counted = None;
        let mut measures = None;
        match sort {
            Sort::Bare if kind == QuantityKind::Count => {
                let noun = if last.hyphenated {
                    let at = last.end + 1;
                    let lower = scan.str(at).to_lowercase();
                    (!nouns::is_stop(&lower)).then(|| (nouns::singular(&lower, scan.tongue), at + 1))
                } else {
                    nouns::counted(scan, self.past_de(last)).or_else(|| self.one_thing(last))
                };
                if let Some((noun, after)) = noun {
                    end = after;
                    // "5 people per sq km" measures a density.
                    if let Some((below, after)) = units::read_denominator(scan, after, false) {
                        unit =
                            Some(Unit::plain(format!("{noun}/{}", below.symbol), super::quantities::Dimension::Other));
                        kind = QuantityKind::Measure;
                        end = after;
                    } else if let Some((below, after)) = self.per_number(after) {
                        unit = Some(Unit::plain(format!("{noun}/{below}"), super::quantities::Dimension::Other));
                        kind = QuantityKind::Measure;
                        end = after;
                    }
                    counted = Some(noun);
                } else if scan.str(last.end) == "人" {
                    counted = Some("person".to_owned());
                    end = last.end + 1;
                }
                if scan.previous_is(side.start, &["aged", "age", "ages"]) && counted.is_none() {
                    unit = units::look_up("year");
                    kind = QuantityKind::Measure;
                    measures = Some("age".to_owned());
                }
            }
            Sort::Percent(_) => counted = nouns::part_of(scan, end),
            Sort::Measure(_) => {
                let (what, after) = self.measured(end);
                measures = what;
                end = after;
            }
            _ => {}
        }
        // A fraction standing alone is a share.
        if kind == QuantityKind::Count
            && second.is_none()
            && side.magnitude == 1.0
            && side.numeral.fraction
            && side.value < 1.0
            && counted.is_none()
        {
            kind = QuantityKind::Ratio;
            counted = nouns::part_of(scan, end);
        }
        if measures.is_none() {
            measures = self.noun_of(start);
        }
        // "At the age of 37".
        if kind == QuantityKind::Count && counted.is_none() && measures.as_deref() == Some("age") {
            unit = units::look_up("year");
            kind = QuantityKind::Measure;
        }
        let (hedge, end) = match hedges::after(scan, end) {
            Some((after, at)) if hedge == Hedge::Exact => (after, at),
            None if hedge == Hedge::Exact && hedges::plus(scan, last.end) => (Hedge::AtLeast, end),
            _ => (hedge, end),
        };
        let about = hedge == Hedge::About;
        let written = |side: &Side, magnitude: f64| {
            let digit = if about { side.numeral.last_significant } else { side.numeral.last_digit };
            digit * magnitude / 2.0
        };
        if !factor.is_finite() {
            factor = 1.0;
        }
        let mut low = side.value * first_magnitude * factor;
        let mut high = last.value * last.magnitude * factor;
        // "5 m to 7 km": the ends have units of their own; the first counts.
        if let (Some(_), Sort::Measure(one), Sort::Measure(other)) = (second, &side.sort, &last.sort)
            && one.symbol != other.symbol
        {
            high = one.from_base(other.to_base(high));
        }
        let mut other_reading = if second.is_none() {
            side.numeral.other.map(|other| other * side.magnitude * factor * side.value.signum())
        } else {
            None
        };
        let mut half = (written(side, first_magnitude).max(written(last, last.magnitude)) * factor).abs();
        // Things are counted whole: "16.181 users" are sixteen thousand.
        if kind == QuantityKind::Count
            && counted.is_some()
            && side.magnitude == 1.0
            && let Some(other) = other_reading.filter(|other| other.abs() > low.abs())
        {
            other_reading = Some(low);
            low = other;
            high = other;
            half = 0.5;
        }
        let mut quantity = self.blank(start, (side.number.0, last.number.1), end, low, kind);
        quantity.low = low.min(high);
        quantity.high = high.max(low);
        quantity.half_unit = if kind == QuantityKind::Ordinal { 0.0 } else { half };
        quantity.unit = unit;
        quantity.counted = counted;
        quantity.measures = measures;
        quantity.hedge = hedge;
        quantity.other_reading = other_reading.filter(|other| other.is_finite());
        (quantity, end)
    }

    /// The number below a rate: "deaths/1,000 live births", "births per 1,000 people"; with the index after it.
    fn per_number(&self, i: usize) -> Option<(f64, usize)> {
        let scan = self.scan;
        let at = if scan.is(i, '/') {
            i + 1
        } else {
            let per = scan.past_space(i);
            let next = scan.past_space(per + 1);
            (per > i && next > per + 1 && scan.is_any(per, &["per", "por", "pro", "pour"])).then_some(next)?
        };
        if scan.kind(at) != Some(Kind::Digits) {
            return None;
        }
        match numerals::read_digits(scan, at, NumberLocale::CommaGroups) {
            Digits::Number(numeral) if numeral.value >= 10.0 && !self.crosses_limit(numeral.end) => {
                Some((numeral.value, numeral.end))
            }
            _ => None,
        }
    }

    /// Over the plus of "500+ users" and the "de" of "milhões de pessoas", between a number and its noun.
    pub(super) fn past_de(&self, side: &Side) -> usize {
        if hedges::plus(self.scan, side.end) {
            return side.end + 1;
        }
        let at = self.scan.past_space(side.end);
        if (side.magnitude > 1.0 || side.numeral.last_digit >= 1000.0 || side.numeral.in_words)
            && self.scan.is_any(at, &["de"])
        {
            at + 1
        } else {
            side.end
        }
    }

    /// The singular after "one": "one survivor".
    pub(super) fn one_thing(&self, side: &Side) -> Option<(String, usize)> {
        if side.value != 1.0 || side.magnitude != 1.0 {
            return None;
        }
        let next = self.scan.past_space(side.end);
        let lower = self.scan.str(next).to_lowercase();
        // "At one point" and "one thing" count nothing.
        let phrase = matches!(lower.as_str(), "point" | "time" | "side" | "hand" | "way" | "thing");
        let word = next > side.end && self.scan.kind(next) == Some(Kind::Word);
        let fits = word && !phrase && !nouns::is_stop(&lower) && lower.len() > 2;
        fits.then(|| (lower, next + 1))
    }

    /// What a measure that ends before `i` is of: "long", "-old"; with the index after it.
    pub(super) fn measured(&self, i: usize) -> (Option<String>, usize) {
        const WORDS: &[(&[&str], &str)] = &[
            (&["long", "length", "comprimento", "lang"], "length"),
            (&["wide", "width", "breit"], "width"),
            (&["high", "tall", "height", "hoch", "altura"], "height"),
            (&["deep", "depth", "tief"], "depth"),
            (&["thick", "thickness"], "thickness"),
            (&["old", "idade", "alt"], "age"),
            (&["away", "apart"], "distance"),
        ];
        let hyphen = self.scan.is(i, '-');
        let mut next = if hyphen { i + 1 } else { self.scan.past_space(i) };
        if next == i {
            return (None, i);
        }
        if self.scan.is_any(next, &["in", "of", "de"]) {
            next = self.scan.past_space(next + 1);
        }
        match WORDS.iter().find(|(words, _)| self.scan.is_any(next, words)) {
            Some((_, what)) => (Some((*what).to_owned()), next + 1),
            None => (None, i),
        }
    }

    /// The noun of "a population of 5,000", and of "weighs 5 kg".
    pub(super) fn noun_of(&self, start: usize) -> Option<String> {
        let scan = self.scan;
        let before = scan.word_before(start)?;
        if scan.is_any(before, &["weighs", "weighed", "weighing", "wiegt", "pesa", "pèse"]) {
            return Some("weight".to_owned());
        }
        if !scan.is_any(before, &["of", "de", "von"]) {
            return None;
        }
        let noun = scan.word_before(before)?;
        // "von" also begins a change ("stieg von 4 auf 6"); only a German noun is measured.
        if scan.is_any(before, &["von"]) && !scan.is_capital(noun) {
            return None;
        }
        let lower = scan.str(noun).to_lowercase();
        const VERBS: [&str; 9] =
            ["consists", "consisted", "consisting", "consist", "composed", "made", "instead", "because", "exception"];
        (!nouns::is_stop(&lower)
            && !VERBS.contains(&lower.as_str())
            && lower.len() > 2
            && scan.number_word(noun) == NumberWord::No)
            .then_some(lower)
    }
}
