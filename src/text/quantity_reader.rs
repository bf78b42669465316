//! Finds quantities in scanned text: puts numerals, signs, currencies, suffixes, ranges, ratios and nouns together.
//!
//! One pass over the tokens; each number looks at a bounded few around it. Dates are passed over.

use super::TextSpan;
use super::dates::DateMention;
use super::lexicon::{NumberWord, Tongue};
use super::numerals::{self, Digits, Numeral, ten_to};
use super::quantities::{Hedge, NumberLocale, Quantity, QuantityKind, Unit};
use super::quantity_suffix::{self as suffix, Sort};
use super::value_tokens::{Kind, Scan, is_unspaced};
use super::{currencies, hedges, nouns, units};

/// A number with what belongs to it alone: one side of a range or ratio.
#[derive(Debug, Clone)]
struct Side {
    /// First token, sign and currency included.
    start: usize,
    /// Tokens of the number itself.
    number: (usize, usize),
    /// Index after number and suffix.
    end: usize,
    value: f64,
    numeral: Numeral,
    magnitude: f64,
    sort: Sort,
    hyphenated: bool,
    currency_before: bool,
}

/// What was read at a token.
enum Read {
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

struct Reader<'s, 'a> {
    scan: &'s Scan<'a>,
    locale: NumberLocale,
    /// Byte at which the next date begins.
    limit: usize,
}

/// Words after which a number is a label.
#[rustfmt::skip]
const LABELS: &[&str] = &[
    "section", "sections", "chapter", "figure", "fig", "table", "page", "pages", "pp", "room", "flight", "route", "version", "vol", "issue", "article",
    "paragraph", "clause", "scene", "step", "item", "verse", "phase", "appendix", "annex", "rfc", "iso", "highway", "interstate", "gate", "platform", "question",
    "exhibit", "equation", "number", "nr", "nº", "capítulo", "artigo", "página", "seção", "secção", "kapitel", "seite", "abschnitt", "artikel", "artículo",
    "chapitre", "numéro", "número", "nummer", "lot", "track", "episode", "act", "volume", "formula", "apartment", "unit", "channel", "line", "day",
];

/// Words that tell of a change, after which "from … to …" is no range.
#[rustfmt::skip]
const CHANGES: &[&str] = &[
    "rose", "rise", "rises", "risen", "rising", "fell", "fall", "falls", "fallen", "falling", "grew", "grow", "grows", "grown", "growth", "increased", "increase", "increases", "increasing",
    "decreased", "decrease", "decreases", "declined", "decline", "declines", "dropped", "drop", "drops", "climbed", "climbs", "jumped", "changed", "change", "changes", "went", "moved", "up", "down",
    "expanded", "shrank", "shrunk", "reduced", "reduction", "raised", "cut", "improved", "slipped", "surged", "soared", "plunged", "slid", "doubled", "tripled", "converted", "upgraded",
    "subiu", "aumentou", "caiu", "passou", "stieg", "sank", "fiel", "wuchs", "subió", "aumentó", "cayó", "pasó", "passé", "augmenté", "baissé",
];

/// Words by which two numbers with "to" or a dash are a score or a vote.
const SCORES: &[&str] = &[
    "won", "win", "wins", "lost", "beat", "defeated", "defeat", "drew", "draw", "score", "scored", "vote", "voted",
    "by", "ratio", "odds", "ruled", "victory", "led", "tied", "a",
];

impl Reader<'_, '_> {
    fn read(&self, i: usize) -> Read {
        let Some(token) = self.scan.at(i) else { return Read::Skip(i + 1) };
        match token.kind {
            Kind::Digits => self.digits(i),
            Kind::Word => self.word(i),
            Kind::Symbol if vulgar(token.first).is_some() => self.side_found(self.vulgar_side(i), i),
            _ => Read::Skip(i + 1),
        }
    }

    fn digits(&self, i: usize) -> Read {
        if let Some(end) = self.not_a_number(i) {
            return Read::Skip(end);
        }
        if let Some(read) = self.clock(i) {
            return read;
        }
        self.side_found(self.digit_side(i), i)
    }

    fn side_found(&self, side: Option<Side>, i: usize) -> Read {
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
        let end = side.end;
        self.finish(&side, None, end)
    }

    /// The index after a run of letters, digits and the signs that join them.
    fn past_run(&self, i: usize) -> usize {
        let mut j = i + 1;
        while let Some(token) = self.scan.at(j) {
            let joins = match token.kind {
                Kind::Digits => true,
                Kind::Word => !is_unspaced(token.first),
                Kind::Symbol => {
                    matches!(token.first, '-' | '.' | '/' | '_' | ':')
                        && self.scan.at(j + 1).is_some_and(|next| matches!(next.kind, Kind::Digits))
                }
                _ => false,
            };
            if !joins {
                break;
            }
            j += 1;
        }
        j
    }

    /// Where to go on when the digits at `i` are the tail or head of an identifier.
    fn not_a_number(&self, i: usize) -> Option<usize> {
        let scan = self.scan;
        let skip = Some(self.past_run(i));
        if let Some(before) = scan.before(i) {
            let further = i.checked_sub(2).and_then(|at| scan.at(at));
            let after_word = further.is_some_and(|token| token.kind == Kind::Word && !is_unspaced(token.first));
            let after_digits = further.is_some_and(|token| token.kind == Kind::Digits);
            match before.kind {
                Kind::Word => {
                    if !is_unspaced(before.first) && currencies::before(scan, i).is_none() {
                        return skip;
                    }
                }
                Kind::Digits | Kind::Opaque => return skip,
                Kind::Symbol => match before.first {
                    '.' if after_word || after_digits => return skip,
                    '-' | '‑' | '–' | '/' | ':' if after_digits => return skip,
                    '-' | '‑' | '/' | '_' | '\'' | '’' if after_word => return skip,
                    '#' | '§' | '@' | '№' | '°' | '′' | '″' | '^' | '&' | '\\' => return skip,
                    '\'' | '’' if scan.at(i).is_some_and(|token| token.end - token.start == 2) => return skip,
                    '+' if self.groups_of_phone(i) => return skip_phone(scan, i),
                    _ => {}
                },
                Kind::Space => {}
            }
        }
        // "555-123-4567", "0-306-40615-2": three groups are a serial.
        let dashed = |at: usize| scan.is(at, '-') && scan.kind(at + 1) == Some(Kind::Digits);
        if dashed(i + 1) && dashed(i + 3) {
            return skip;
        }
        // "24/7", "9/11/2001" and other fractions that are none; "3/4" is one.
        if scan.is(i + 1, '/') && scan.kind(i + 2) == Some(Kind::Digits) && self.fraction(i).is_none() {
            return skip;
        }
        let digits = scan.str(i);
        let zero_led = digits.len() > 1
            && digits.starts_with('0')
            && !matches!(scan.at(i + 1).map(|t| t.first), Some('.' | ',' | ':'));
        let phone = scan.previous_is(i, &["call", "phone", "tel", "telephone", "fax", "dial", "isbn", "issn"]);
        (zero_led || (phone && digits.len() > 2)).then(|| self.past_run(i))
    }

    /// After "+": digits in several groups.
    fn groups_of_phone(&self, i: usize) -> bool {
        let joined = self.scan.at(i + 1).is_some_and(|token| matches!(token.first, ' ' | '-' | '('));
        joined && self.scan.at(i + 2).is_some_and(|token| token.kind == Kind::Digits || token.first == '(')
    }

    /// A time of day at `i`.
    fn clock(&self, i: usize) -> Option<Read> {
        let scan = self.scan;
        let two = |at: usize| scan.str(at).parse::<u32>().ok().filter(|_| scan.str(at).len() <= 2);
        let hour = two(i)?;
        let (minute, mut end) = if scan.is(i + 1, ':') && scan.str(i + 2).len() == 2 {
            (two(i + 2).filter(|minute| *minute < 60)?, i + 3)
        } else {
            (0, i + 1)
        };
        let with_colon = end > i + 1;
        if with_colon && scan.is(end, ':') && scan.kind(end + 1) == Some(Kind::Digits) {
            end += 2;
        }
        let next = scan.past_space(end);
        let dotted = scan.is_any(next, &["a", "p"]) && scan.is(next + 1, '.') && scan.is_any(next + 2, &["m"]);
        let half = if dotted {
            scan.str(next).to_ascii_lowercase()
        } else {
            scan.str(next).to_ascii_lowercase().replace('m', "")
        };
        let is_half = dotted || scan.is_any(next, &["am", "pm"]);
        if !with_colon && !is_half {
            return None;
        }
        if !is_half && scan.previous_is(i, &["ratio", "score", "odds"]) {
            return None;
        }
        let hour = match (is_half, half.as_str(), hour) {
            (true, "p", 1..=11) => hour + 12,
            (true, "a", 12) => 0,
            (true, _, 0..=12) | (false, _, 0..=24) => hour,
            _ => return None,
        };
        let end = if !is_half {
            end
        } else if dotted {
            if scan.is(next + 3, '.') { next + 4 } else { next + 3 }
        } else {
            next + 1
        };
        let (hedge, start) = hedges::before(scan, i);
        let hedge = if hedge == Hedge::About { hedge } else { Hedge::Exact };
        let value = f64::from(hour * 60 + minute);
        let mut quantity =
            self.blank(start, (i, if with_colon { i + 3 } else { i + 1 }), end, value, QuantityKind::ClockTime);
        quantity.half_unit = 0.0;
        quantity.hedge = hedge;
        Some(Read::Found(vec![quantity], end))
    }

    fn span(&self, start: usize, end: usize) -> TextSpan {
        let from = self.scan.at(start).map_or(0, |token| token.start);
        TextSpan::new(from, self.scan.before(end).map_or(from, |token| token.end))
    }

    fn blank(&self, start: usize, number: (usize, usize), end: usize, value: f64, kind: QuantityKind) -> Quantity {
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

    /// A number in digits at `i` with sign, currency and suffix.
    fn digit_side(&self, i: usize) -> Option<Side> {
        let scan = self.scan;
        let (mut numeral, number_start) = match self.fraction(i) {
            Some(numeral) => (numeral, i),
            None => match numerals::read_digits(scan, i, self.locale) {
                Digits::Number(numeral) => (numeral, i),
                Digits::Identifier(_) => return None,
            },
        };
        if self.crosses_limit(numeral.end) {
            // The last groups belong to a date: keep the first run only.
            numeral = Numeral {
                end: i + 1,
                value: scan.str(i).parse().ok()?,
                last_digit: 1.0,
                last_significant: 1.0,
                other: None,
                plain_digits: scan.str(i).len(),
                in_words: false,
                fraction: false,
            };
        }
        numeral = self.with_fraction(numeral);
        numeral = self.with_exponent(numeral);
        // ".5": a decimal without its zero.
        let mut start = number_start;
        if scan.is(i.wrapping_sub(1), '.') && i >= 1 && (i == 1 || scan.kind(i - 2) == Some(Kind::Space)) {
            let places = i32::try_from(scan.str(i).len()).ok()?;
            numeral = Numeral {
                value: numeral.value * ten_to(-places),
                last_digit: ten_to(-places),
                last_significant: ten_to(-places),
                other: None,
                plain_digits: 0,
                ..numeral
            };
            start = i - 1;
        }
        self.with_surroundings(numeral, start)
    }

    fn vulgar_side(&self, i: usize) -> Option<Side> {
        let value = vulgar(self.scan.at(i)?.first)?;
        self.with_surroundings(fraction_numeral(i + 1, value), i)
    }

    /// Sign, currency and suffix around a numeral whose first token is `start`.
    fn with_surroundings(&self, mut numeral: Numeral, number_start: usize) -> Option<Side> {
        let scan = self.scan;
        let mut start = number_start;
        let mut negative = false;
        let mut currency = None;
        let ordinal = self.ordinal_suffix(&numeral);
        let sign = |at: usize| {
            at.checked_sub(1)
                .and_then(|j| scan.at(j))
                .filter(|token| {
                    token.kind == Kind::Symbol
                        && matches!(token.first, '-' | '−' | '–' | '‑' | '+' | '﹣' | '－')
                        && self.opens(at - 1)
                })
                .map(|token| token.first != '+')
        };
        if let Some(minus) = sign(start) {
            negative = minus;
            start -= 1;
        }
        if let Some((unit, at)) = currencies::before(scan, start) {
            start = at;
            currency = Some(unit);
            if let Some(minus) = sign(start) {
                negative |= minus;
                start -= 1;
            }
        }
        if let Some(at) = scan.word_before(start).filter(|&at| scan.is_any(at, &["minus"]) && self.opens_word(at)) {
            negative = true;
            start = at;
        }
        if let Some(end) = ordinal {
            numeral.other = None;
            return Some(Side {
                start,
                number: (number_start, end),
                end,
                value: numeral.value,
                numeral,
                magnitude: 1.0,
                sort: Sort::Bare,
                hyphenated: false,
                currency_before: false,
            });
        }
        let read = suffix::read(scan, numeral.end, currency.as_ref(), &numeral)?;
        // "5m", "10 km": what is written with the number. A magnitude settles that "1.234" is a decimal.
        if read.magnitude > 1.0
            && numeral.other.is_some()
            && scan.text[self.span(number_start, numeral.end).start..].contains('.')
        {
            numeral.other = None;
        }
        let value = if negative { -numeral.value } else { numeral.value };
        Some(Side {
            start,
            number: (number_start, numeral.end),
            end: read.end,
            value,
            numeral,
            magnitude: read.magnitude,
            sort: read.sort,
            hyphenated: read.hyphenated,
            currency_before: currency.is_some(),
        })
    }

    /// Whether what stands before the sign at `i` lets it be one: "(-5", " -5", not "7-5" or "word-5".
    fn opens(&self, i: usize) -> bool {
        match self.scan.before(i) {
            None => true,
            Some(token) => match token.kind {
                Kind::Space => true,
                Kind::Symbol => {
                    matches!(token.first, '(' | '[' | ':' | '=' | '*' | '|' | '"' | '~' | '≈' | '$' | '€' | '£' | ',')
                }
                _ => false,
            },
        }
    }

    fn opens_word(&self, at: usize) -> bool {
        // "5 minus 3" is a sum.
        self.scan.word_before(at).is_none_or(|before| self.scan.number_word(before) == NumberWord::No)
            && self.scan.before(at).is_none_or(|token| token.kind == Kind::Space)
            && at.checked_sub(2).is_none_or(|j| self.scan.kind(j) != Some(Kind::Digits))
    }

    /// "rd" of "3rd", "º" of "3º": the index after it.
    fn ordinal_suffix(&self, numeral: &Numeral) -> Option<usize> {
        if numeral.plain_digits == 0 || numeral.plain_digits > 4 {
            return None;
        }
        let scan = self.scan;
        let english = scan.is_any(numeral.end, &["st", "nd", "rd", "th"]);
        let romance = scan.is(numeral.end, 'º') || scan.is(numeral.end, 'ª');
        let celsius = romance && matches!(scan.str(numeral.end + 1), "C" | "F");
        let french = scan.tongue == Tongue::French && scan.is_any(numeral.end, &["er", "re", "e", "ème", "eme", "ère"]);
        ((english || romance || french) && !celsius).then_some(numeral.end + 1)
    }

    /// "3/4" as a number: a proper fraction with a small denominator.
    fn fraction(&self, i: usize) -> Option<Numeral> {
        let scan = self.scan;
        if !scan.is(i + 1, '/') || scan.is(i + 3, '/') {
            return None;
        }
        let above: f64 = scan.str(i).parse().ok()?;
        let below: f64 = scan.str(i + 2).parse().ok()?;
        let small = (1.0..=100.0).contains(&below) && above < below && above >= 1.0;
        let glued = matches!(scan.kind(i + 3), Some(Kind::Word | Kind::Digits))
            && !scan.is_any(i + 3, &["rds", "ths", "th", "rd"]);
        (small && !glued).then(|| fraction_numeral(i + 3, above / below))
    }

    /// "2½", "2 1/2": a whole number and a fraction.
    fn with_fraction(&self, numeral: Numeral) -> Numeral {
        let scan = self.scan;
        if numeral.plain_digits == 0 {
            return numeral;
        }
        let next = scan.past_space(numeral.end);
        let part = scan
            .at(numeral.end)
            .and_then(|token| vulgar(token.first))
            .map(|value| (value, numeral.end + 1))
            .or_else(|| scan.at(next).and_then(|token| vulgar(token.first)).map(|value| (value, next + 1)))
            .or_else(|| {
                let fraction = if next > numeral.end && scan.kind(next) == Some(Kind::Digits) {
                    self.fraction(next)
                } else {
                    None
                };
                fraction.map(|fraction| (fraction.value, fraction.end))
            });
        match part {
            Some((value, end)) => Numeral {
                value: numeral.value + value,
                end,
                last_digit: 0.1,
                last_significant: 0.1,
                plain_digits: 0,
                other: None,
                ..numeral
            },
            None => numeral,
        }
    }

    /// "3 × 10^8", "3×10⁸", "6.02e23".
    fn with_exponent(&self, numeral: Numeral) -> Numeral {
        self.exponent(numeral).unwrap_or(numeral)
    }

    fn exponent(&self, numeral: Numeral) -> Option<Numeral> {
        let scan = self.scan;
        let (power, end) = if scan.is_any(numeral.end, &["e"]) && (numeral.plain_digits > 0 || numeral.last_digit < 1.0)
        {
            let signed = scan.is(numeral.end + 1, '-') || scan.is(numeral.end + 1, '+');
            let at = numeral.end + 1 + usize::from(signed);
            let power: i32 = scan.str(at).parse().ok().filter(|_| scan.kind(at) == Some(Kind::Digits))?;
            (if scan.is(numeral.end + 1, '-') { -power } else { power }, at + 1)
        } else {
            let cross = scan.past_space(numeral.end);
            if !(scan.is(cross, '×') || scan.is(cross, '·') || scan.is_any(cross, &["x"]) || scan.is(cross, '*')) {
                return None;
            }
            let ten = scan.past_space(cross + 1);
            if scan.str(ten) != "10" {
                return None;
            }
            if scan.is(ten + 1, '^') {
                let signed = scan.is(ten + 2, '-') || scan.is(ten + 2, '−');
                let at = ten + 2 + usize::from(signed);
                let power: i32 = scan.str(at).parse().ok()?;
                (if signed { -power } else { power }, at + 1)
            } else {
                let (mut power, mut at, mut minus) = (0_i32, ten + 1, false);
                while let Some(token) = scan.at(at) {
                    match token.first {
                        '⁻' if at == ten + 1 => minus = true,
                        c => match "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|digit| digit == c) {
                            Some(digit) if at < ten + 5 => power = power * 10 + i32::try_from(digit).ok()?,
                            _ => break,
                        },
                    }
                    at += 1;
                }
                if at == ten + 1 {
                    return None;
                }
                (if minus { -power } else { power }, at)
            }
        };
        if power.abs() > 200 {
            return None;
        }
        let factor = ten_to(power);
        Some(Numeral {
            end,
            value: numeral.value * factor,
            last_digit: numeral.last_digit * factor,
            last_significant: numeral.last_digit * factor,
            other: None,
            plain_digits: 0,
            ..numeral
        })
    }

    /// Whether a date begins before the token that ends at `end` does.
    fn crosses_limit(&self, end: usize) -> bool {
        self.scan.before(end).is_some_and(|token| token.end > self.limit)
    }

    /// Whether the number is a label: "section 4.2", "Apollo 11".
    fn is_label(&self, side: &Side) -> bool {
        let scan = self.scan;
        if side.sort != Sort::Bare
            || side.magnitude != 1.0
            || side.numeral.in_words
            || side.end != side.numeral.end
            || side.start != side.number.0
        {
            return false;
        }
        let mut at = side.start;
        let pointed = at >= 2 && scan.kind(at - 1) == Some(Kind::Space) && scan.is(at - 2, '.');
        if pointed {
            let word = at - 3;
            return at >= 3
                && scan.is_any(word, &["no", "nr", "fig", "vol", "ch", "sec", "art", "p", "pp", "op", "nos", "num"])
                && scan.kind(word + 1) == Some(Kind::Symbol);
        }
        let Some(word) = scan.word_before(at) else { return false };
        at = word;
        if scan.is_any(at, LABELS) {
            return true;
        }
        let plain = (1..=4).contains(&side.numeral.plain_digits);
        plain
            && scan.is_capital(at)
            && scan.tongue != Tongue::German
            && !scan.starts_sentence(at)
            && scan.at(at).is_some_and(|token| token.entry.month == 0)
            && nouns::counted(scan, side.end).is_none()
    }

    /// The next side after a connector at `i`, digits or words.
    fn side_at(&self, i: usize) -> Option<Side> {
        let scan = self.scan;
        let mut at = i;
        // A sign or currency of its own.
        for _ in 0..4 {
            match scan.at(at) {
                Some(token)
                    if token.kind == Kind::Symbol
                        && matches!(token.first, '$' | '€' | '£' | '¥' | '₹' | '-' | '−' | '+' | '~') =>
                {
                    at += 1
                }
                Some(token) if token.kind == Kind::Word && scan.is(at + 1, '$') && token.end - token.start <= 2 => {
                    at += 1
                }
                _ => break,
            }
        }
        if scan.at(at).is_some_and(|token| token.start >= self.limit) {
            return None;
        }
        match scan.kind(at)? {
            Kind::Digits => self.digit_side(at),
            Kind::Word => self.word_side(at),
            _ => None,
        }
    }

    /// The second end of a range that begins with `side`.
    fn range(&self, side: &Side) -> Option<(Side, usize)> {
        let scan = self.scan;
        if side.end != side.numeral.end && side.hyphenated {
            return None;
        }
        let dash = |j: usize| matches!(scan.at(j), Some(token) if token.kind == Kind::Symbol && matches!(token.first, '-' | '–' | '—' | '‑' | '−' | '～' | '~'));
        let spaced = scan.past_space(side.end);
        let second_at = if dash(side.end) {
            scan.past_space(side.end + 1)
        } else if spaced > side.end && dash(spaced) && scan.past_space(spaced + 1) > spaced + 1 {
            scan.past_space(spaced + 1)
        } else if spaced > side.end && self.range_word(side, spaced) {
            scan.past_space(spaced + 1)
        } else {
            return None;
        };
        let second = self.side_at(second_at)?;
        let compatible = match (&side.sort, &second.sort) {
            (Sort::Bare, Sort::Times) => !side.numeral.in_words,
            (Sort::Bare, _) => true,
            (Sort::Money(one), Sort::Money(other)) => currencies::compatible(&one.symbol, &other.symbol),
            (Sort::Money(_), Sort::Bare) => true,
            (Sort::Measure(one), Sort::Measure(other)) => one.dimension == other.dimension,
            (Sort::Percent(_), Sort::Percent(_)) | (Sort::Points(_), Sort::Points(_)) | (Sort::Times, Sort::Times) => {
                true
            }
            (Sort::Percent(_), Sort::Bare) => false,
            _ => false,
        };
        let shared = if side.magnitude == 1.0 && side.sort == Sort::Bare || side.currency_before {
            second.magnitude
        } else {
            1.0
        };
        let first = side.value * if side.magnitude == 1.0 { shared.max(1.0) } else { side.magnitude };
        (compatible && (first < second.value * second.magnitude || side.value < second.value)).then(|| {
            let end = second.end;
            (second, end)
        })
    }

    /// Whether the word at `i` joins a range after `side`.
    fn range_word(&self, side: &Side, i: usize) -> bool {
        let scan = self.scan;
        let (_, hedged) = hedges::before(scan, side.start);
        let before = scan.word_before(hedged);
        let is = |words: &[&str]| before.is_some_and(|before| scan.is_any(before, words));
        if scan.is_any(i, &["and", "und", "e", "y", "et"]) {
            return is(&["between", "zwischen", "entre"]);
        }
        let from = is(&["from", "de", "von", "desde"]);
        if scan.is_any(i, &["to", "bis", "through"]) || (from && scan.is_any(i, &["a", "à", "para"])) {
            return !(from && self.tells_change(before.unwrap_or(0)));
        }
        false
    }

    /// Whether a word of change stands shortly before token `i` in its sentence.
    fn tells_change(&self, i: usize) -> bool {
        let mut j = i;
        for _ in 0..16 {
            let Some(token) = self.scan.before(j) else { return false };
            if matches!(token.first, '.' | ';' | '\r') && token.kind != Kind::Word {
                return false;
            }
            j -= 1;
            if token.kind == Kind::Word && self.scan.is_any(j, CHANGES) {
                return true;
            }
        }
        false
    }

    /// "12 of 18", "one in four", "7 to 5", "3:1".
    fn ratio(&self, side: &Side) -> Option<Read> {
        let scan = self.scan;
        let whole = |side: &Side| {
            side.sort == Sort::Bare
                && side.magnitude == 1.0
                && side.end == side.numeral.end
                && side.value.fract() == 0.0
                && side.value >= 0.0
        };
        if !whole(side) || self.is_ordinal(side) {
            return None;
        }
        let spaced = scan.past_space(side.end);
        let after = scan.past_space(spaced + 1);
        let (counts, second_at, score) = if scan.is(side.end, ':') && scan.kind(side.end + 1) == Some(Kind::Digits) {
            (false, side.end + 1, true)
        } else if matches!(scan.at(side.end).map(|token| token.first), Some('-' | '–'))
            && scan.kind(side.end + 1) == Some(Kind::Digits)
        {
            (false, side.end + 1, true)
        } else if spaced == side.end || after == spaced + 1 {
            return None;
        } else if scan.is_any(spaced, &["of"]) {
            let the = if scan.is_any(after, &["the", "its", "their", "every", "all"]) {
                scan.past_space(after + 1)
            } else {
                after
            };
            (true, the, false)
        } else if scan.is_any(spaced, &["out"]) && scan.is_any(after, &["of"]) {
            let the = scan.past_space(after + 1);
            (true, if scan.is_any(the, &["the", "every", "its"]) { scan.past_space(the + 1) } else { the }, false)
        } else if scan.is_any(spaced, &["in", "em", "von", "sur", "cada"]) {
            let every = if scan.is_any(after, &["every", "cada"]) { scan.past_space(after + 1) } else { after };
            (false, every, false)
        } else if scan.is_any(spaced, &["to"]) {
            (false, after, true)
        } else {
            return None;
        };
        let second = self.side_at(second_at).filter(|second| whole(second) && second.start == second_at)?;
        let (one, two) = (side.value, second.value);
        if score {
            let scored = self.scored(side) && side.numeral.plain_digits <= 3;
            let colon = scan.is(side.end, ':');
            if !(colon || one > two || scored)
                || second.numeral.plain_digits > 4
                || nouns::counted(scan, second.end).is_some() && !scored && one <= two
            {
                return None;
            }
        } else if one > two || two == 0.0 {
            return None;
        }
        if !counts
            && !score
            && (two < 2.0
                || second.numeral.plain_digits == 4 && self.locale == NumberLocale::Any && two < 2200.0 && two > 1800.0)
        {
            return None;
        }
        let counted = nouns::counted(scan, second.end);
        let end = second.end;
        let (hedge, start) = hedges::before(scan, side.start);
        let value = if two == 0.0 { one } else { one / two };
        let noun_end = counted.as_ref().map_or(end, |(_, end)| *end);
        let mut ratio = self.blank(start, (side.number.0, second.number.1), noun_end, value, QuantityKind::Ratio);
        ratio.half_unit = 0.0;
        ratio.hedge = hedge;
        ratio.parts = Some((one, two));
        let noun = counted.map(|(noun, _)| noun);
        ratio.counted.clone_from(&noun);
        let mut found = Vec::with_capacity(3);
        if counts {
            let mut first = self.quantity(side, None, side.end);
            first.counted = first.counted.or_else(|| noun.clone());
            let mut total = self.quantity(&second, None, second.end);
            total.counted = total.counted.or(noun);
            found.push(first);
            found.push(total);
        }
        found.push(ratio);
        Some(Read::Found(found, noun_end))
    }

    fn scored(&self, side: &Side) -> bool {
        self.scan.word_before(side.start).is_some_and(|at| self.scan.is_any(at, SCORES))
    }

    fn is_ordinal(&self, side: &Side) -> bool {
        side.number.1 != side.numeral.end
    }

    fn finish(&self, side: &Side, second: Option<&Side>, end: usize) -> Read {
        let mut quantity = self.quantity(side, second, end);
        let mut end = end;
        if second.is_none()
            && let Some(after) = self.add_smaller_unit(side, &mut quantity)
        {
            end = after;
        }
        Read::Found(vec![quantity], end)
    }

    /// "2 h 30 min", "6 feet 2 inches": a second measure of the same dimension in a smaller unit belongs to the first.
    fn add_smaller_unit(&self, side: &Side, quantity: &mut Quantity) -> Option<usize> {
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
    fn quantity(&self, side: &Side, second: Option<&Side>, end: usize) -> Quantity {
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
                    }
                    counted = Some(noun);
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
        quantity
    }

    /// Over the plus of "500+ users" and the "de" of "milhões de pessoas", between a number and its noun.
    fn past_de(&self, side: &Side) -> usize {
        if hedges::plus(self.scan, side.end) {
            return side.end + 1;
        }
        let at = self.scan.past_space(side.end);
        if (side.magnitude > 1.0 || side.numeral.last_digit >= 1000.0) && self.scan.is_any(at, &["de"]) {
            at + 1
        } else {
            side.end
        }
    }

    /// The singular after "one": "one survivor".
    fn one_thing(&self, side: &Side) -> Option<(String, usize)> {
        if side.value != 1.0 || side.magnitude != 1.0 {
            return None;
        }
        let next = self.scan.past_space(side.end);
        let lower = self.scan.str(next).to_lowercase();
        let fits =
            next > side.end && self.scan.kind(next) == Some(Kind::Word) && !nouns::is_stop(&lower) && lower.len() > 2;
        fits.then(|| (lower, next + 1))
    }

    /// What a measure that ends before `i` is of: "long", "-old"; with the index after it.
    fn measured(&self, i: usize) -> (Option<String>, usize) {
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
    fn noun_of(&self, start: usize) -> Option<String> {
        let scan = self.scan;
        let before = scan.word_before(start)?;
        if scan.is_any(before, &["weighs", "weighed", "weighing", "wiegt", "pesa", "pèse"]) {
            return Some("weight".to_owned());
        }
        if !scan.is_any(before, &["of", "de", "von"]) {
            return None;
        }
        let noun = scan.word_before(before)?;
        let lower = scan.str(noun).to_lowercase();
        (!nouns::is_stop(&lower) && lower.len() > 2 && scan.number_word(noun) == NumberWord::No).then_some(lower)
    }

    /// Numbers in words at `i`.
    fn word(&self, i: usize) -> Read {
        let scan = self.scan;
        let word = scan.number_word(i);
        if word == NumberWord::No {
            return match self.roman(i).or_else(|| self.multiple(i)).or_else(|| self.compound(i)) {
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
            return Read::Skip(numerals::read_words(scan, tens).map_or(tens + 1, |numeral| numeral.end));
        }
        self.side_found(Some(side), i)
    }

    /// German numbers in one word that the lexicon does not hold.
    fn compound(&self, i: usize) -> Option<Read> {
        if self.scan.tongue != Tongue::German {
            return None;
        }
        let side = self.word_side(i)?;
        Some(self.side_found(Some(side), i))
    }

    /// A number in words at `i` with its suffix.
    fn word_side(&self, i: usize) -> Option<Side> {
        let scan = self.scan;
        let half = scan.number_word(i) == NumberWord::Half;
        let numeral = if half {
            // "half a million", "half a dozen".
            let article = scan.past_space(i + 1);
            let next =
                if scan.number_word(article) == NumberWord::Article { scan.past_space(article + 1) } else { article };
            match scan.number_word(next) {
                NumberWord::Dozen if next > i + 1 => {
                    Numeral { last_digit: 1.0, last_significant: 1.0, ..fraction_numeral(next + 1, 6.0) }
                }
                NumberWord::Scale(_) if next > i + 1 => {
                    let (power, end) = numerals::read_scale(scan, next)?;
                    let unit = ten_to(i32::from(power) - 1);
                    Numeral {
                        last_digit: unit,
                        last_significant: unit,
                        ..fraction_numeral(end, 0.5 * ten_to(i32::from(power)))
                    }
                }
                _ => return None,
            }
        } else {
            self.with_word_fraction(numerals::read_words(scan, i)?)
        };
        if self.crosses_limit(numeral.end) {
            return None;
        }
        let numeral = Numeral { in_words: true, ..numeral };
        self.with_surroundings(numeral, i)
    }

    /// "two and a half", "three and three quarters".
    fn with_word_fraction(&self, numeral: Numeral) -> Numeral {
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
            && let Some((power, scale_end)) = numerals::read_scale(scan, after)
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
    fn word_fraction(&self, i: usize) -> Option<Read> {
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
        if (article && !of) || (above >= below && !of) {
            return None;
        }
        Some(self.share(i, end, above, below))
    }

    fn half(&self, start: usize, at: usize) -> Option<Read> {
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

    fn share(&self, start: usize, end: usize, above: f64, below: f64) -> Read {
        let (hedge, from) = hedges::before(self.scan, start);
        let mut quantity = self.blank(from, (start, end), end, above / below, QuantityKind::Ratio);
        quantity.half_unit = 0.005;
        quantity.hedge = hedge;
        quantity.parts = Some((above, below));
        quantity.counted = nouns::part_of(self.scan, end);
        Read::Found(vec![quantity], end)
    }

    /// "the third", "twenty-first", "finished second".
    fn word_ordinal(&self, i: usize) -> Option<Read> {
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
    fn roman(&self, i: usize) -> Option<Read> {
        let scan = self.scan;
        let value = numerals::roman(scan.str(i))?;
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
    fn multiple(&self, i: usize) -> Option<Read> {
        const WORDS: &[(&[&str], f64)] = &[
            (&["twice", "doubled", "doubling", "doubles", "dobrou", "duplicou", "doppelt", "duplicó"], 2.0),
            (&["thrice", "tripled", "trebled", "tripling", "triplicou", "triplicó"], 3.0),
            (&["quadrupled", "quadrupling"], 4.0),
            (&["halved", "halving"], 0.5),
        ];
        let (_, value) = WORDS.iter().find(|(words, _)| self.scan.is_any(i, words))?;
        let (hedge, start) = hedges::before(self.scan, i);
        let mut quantity = self.blank(start, (i, i + 1), i + 1, *value, QuantityKind::Multiple);
        quantity.half_unit = 0.05;
        quantity.hedge = hedge;
        Some(Read::Found(vec![quantity], i + 1))
    }
}

fn skip_phone(scan: &Scan<'_>, i: usize) -> Option<usize> {
    let mut j = i;
    while let Some(token) = scan.at(j) {
        let part = token.kind == Kind::Digits || matches!(token.first, ' ' | '-' | '(' | ')' | '.' | '/');
        if !part {
            break;
        }
        j += 1;
    }
    Some(j)
}

fn vulgar(c: char) -> Option<f64> {
    Some(match c {
        '½' => 0.5,
        '⅓' => 1.0 / 3.0,
        '⅔' => 2.0 / 3.0,
        '¼' => 0.25,
        '¾' => 0.75,
        '⅕' => 0.2,
        '⅖' => 0.4,
        '⅗' => 0.6,
        '⅘' => 0.8,
        '⅙' => 1.0 / 6.0,
        '⅛' => 0.125,
        '⅜' => 0.375,
        '⅝' => 0.625,
        '⅞' => 0.875,
        _ => return None,
    })
}

/// A fraction as a numeral: its last digit is taken as a hundredth.
const fn fraction_numeral(end: usize, value: f64) -> Numeral {
    Numeral {
        end,
        value,
        last_digit: 0.01,
        last_significant: 0.01,
        other: None,
        plain_digits: 0,
        in_words: false,
        fraction: true,
    }
}
