//! One number in digits with what belongs to it alone: sign, currency, fraction, exponent, ordinal mark, suffix.

use super::currencies;
use super::lexicon::{NumberWord, Tongue};
use super::numerals::{self, Digits, Numeral, ten_to};
use super::quantities::QuantityKind;
use super::quantity_reader::{Read, Reader, Side};
use super::quantity_suffix::{self as suffix, Sort};
use super::units;
use super::value_tokens::Kind;

impl Reader<'_, '_> {
    /// A number in digits at `i` with sign, currency and suffix.
    pub(super) fn digit_side(&self, i: usize) -> Option<Side> {
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

    pub(super) fn vulgar_side(&self, i: usize) -> Option<Side> {
        let value = vulgar(self.scan.at(i)?.first)?;
        self.with_surroundings(fraction_numeral(i + 1, value), i)
    }

    /// "In his 30s": an age of thirty to thirty-nine.
    pub(super) fn age_decade(&self, i: usize) -> Option<Read> {
        let scan = self.scan;
        let value: f64 =
            scan.str(i).parse().ok().filter(|value| *value >= 20.0 && *value <= 90.0 && value % 10.0 == 0.0)?;
        let mark = if matches!(scan.at(i + 1)?.first, '\'' | '’') { i + 2 } else { i + 1 };
        let mut owner = scan.word_before(i)?;
        if scan.is_any(owner, &["early", "mid", "late"]) {
            owner = scan.word_before(owner)?;
        }
        if !scan.is_any(mark, &["s"]) || !scan.is_any(owner, &["his", "her", "their", "my", "your", "our"]) {
            return None;
        }
        let mut quantity = self.blank(i, (i, i + 1), mark + 1, value, QuantityKind::Measure);
        quantity.high = value + 9.0;
        quantity.unit = units::look_up("year");
        quantity.measures = Some("age".to_owned());
        Some(Read::Found(vec![quantity], mark + 1))
    }

    /// Sign, currency and suffix around a numeral whose first token is `start`.
    pub(super) fn with_surroundings(&self, mut numeral: Numeral, number_start: usize) -> Option<Side> {
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
    pub(super) fn opens(&self, i: usize) -> bool {
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

    pub(super) fn opens_word(&self, at: usize) -> bool {
        // "5 minus 3" is a sum.
        self.scan.word_before(at).is_none_or(|before| self.scan.number_word(before) == NumberWord::No)
            && self.scan.before(at).is_none_or(|token| token.kind == Kind::Space)
            && at.checked_sub(2).is_none_or(|j| self.scan.kind(j) != Some(Kind::Digits))
    }

    /// "rd" of "3rd", "º" of "3º": the index after it.
    pub(super) fn ordinal_suffix(&self, numeral: &Numeral) -> Option<usize> {
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
    pub(super) fn fraction(&self, i: usize) -> Option<Numeral> {
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
    pub(super) fn with_fraction(&self, numeral: Numeral) -> Numeral {
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
    pub(super) fn with_exponent(&self, numeral: Numeral) -> Numeral {
        self.exponent(numeral).unwrap_or(numeral)
    }

    pub(super) fn exponent(&self, numeral: Numeral) -> Option<Numeral> {
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
    pub(super) fn crosses_limit(&self, end: usize) -> bool {
        self.scan.before(end).is_some_and(|token| token.end > self.limit)
    }

    /// The next side after a connector at `i`, digits or words.
    pub(super) fn side_at(&self, i: usize) -> Option<Side> {
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
}

pub(super) fn vulgar(c: char) -> Option<f64> {
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
pub(super) const fn fraction_numeral(end: usize, value: f64) -> Numeral {
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
