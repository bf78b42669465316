//! Numbers as written in digits, with any grouping. No units and no hedges here.
//!
//! A numeral knows its value, how fine its last written digit is, and the other value that its separators allow.

use super::quantities::NumberLocale;
use super::value_tokens::{Kind, Scan, digit_value};

/// A number as written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Numeral {
    /// Index of the token after it.
    pub end: usize,
    /// Its value.
    pub value: f64,
    /// What one unit of its last written digit is worth.
    pub last_digit: f64,
    /// The same when the zeros at the end of a whole number are taken as mere filling.
    pub last_significant: f64,
    /// The other reading of its separators, where there is one.
    pub other: Option<f64>,
    /// A whole number without any separator, of so many digits; 0 for all else.
    pub plain_digits: usize,
    /// Written in words.
    pub in_words: bool,
    /// Written as a fraction: "3/4", "½".
    pub fraction: bool,
}

/// How the digits of a numeral are to be put together.
struct Groups {
    /// Token indices of the digit runs.
    runs: Vec<usize>,
    /// The separators between them, one fewer.
    separators: Vec<char>,
}

/// More groups than this are a serial number, not a value.
const MOST_GROUPS: usize = 12;
/// More digits than this are an identifier, not a value.
const MOST_DIGITS: usize = 40;

fn separator_of(scan: &Scan<'_>, i: usize) -> Option<char> {
    let token = scan.at(i)?;
    match token.kind {
        Kind::Symbol => match token.first {
            '.' | ',' => Some(token.first),
            '\'' | '’' => Some('\''),
            '٬' => Some('٬'),
            '٫' => Some('٫'),
            '，' => Some(','),
            _ => None,
        },
        // A space groups digits only when it is one character within a line.
        Kind::Space if token.first == ' ' => {
            let space = &scan.text[token.start..token.end];
            let mut characters = space.chars();
            (matches!(characters.next(), Some(' ' | '\u{a0}' | '\u{2009}' | '\u{202f}' | '\u{2007}'))
                && characters.next().is_none())
            .then_some(' ')
        }
        _ => None,
    }
}

fn digit_count(scan: &Scan<'_>, i: usize) -> usize {
    scan.str(i).chars().count()
}

fn first_digit(scan: &Scan<'_>, i: usize) -> Option<u8> {
    scan.at(i).and_then(|token| digit_value(token.first))
}

/// The digit runs from `i` on, joined by separators.
fn groups(scan: &Scan<'_>, i: usize) -> Groups {
    let mut groups = Groups { runs: vec![i], separators: Vec::new() };
    let mut j = i;
    while groups.runs.len() < MOST_GROUPS {
        let Some(separator) = separator_of(scan, j + 1) else { break };
        if scan.kind(j + 2) != Some(Kind::Digits) {
            break;
        }
        let grouping_only = matches!(separator, ' ' | '\'' | '٬');
        if grouping_only {
            let first_fits = groups.separators.iter().all(|&other| other == separator) && digit_count(scan, i) <= 3;
            let leading_zero = groups.runs.len() == 1 && first_digit(scan, i) == Some(0);
            // "in 12 300-page books": what follows the group must not carry on as another number.
            let carries_on = separator == ' ' && scan.kind(j + 3) == Some(Kind::Word) && digit_count(scan, i) > 3;
            if digit_count(scan, j + 2) != 3 || !first_fits || leading_zero || carries_on {
                break;
            }
        }
        groups.separators.push(separator);
        groups.runs.push(j + 2);
        j += 2;
    }
    groups
}

/// Digits of `runs` as ASCII, with a point before the runs from `decimal_from` on.
fn parse(scan: &Scan<'_>, runs: &[usize], decimal_from: usize) -> Option<f64> {
    let mut ascii = String::with_capacity(24);
    for (at, &run) in runs.iter().enumerate() {
        if at == decimal_from {
            ascii.push('.');
        }
        ascii.extend(scan.str(run).chars().filter_map(digit_value).map(|digit| char::from(b'0' + digit)));
    }
    if ascii.len() > MOST_DIGITS {
        return None;
    }
    ascii.parse::<f64>().ok().filter(|value| value.is_finite())
}

/// Ten to the power of `exponent`, exact for the sizes that occur.
pub(super) fn ten_to(exponent: i32) -> f64 {
    10_f64.powi(exponent)
}

/// Unit of the last digit that is not a filling zero.
fn significant_unit(scan: &Scan<'_>, runs: &[usize]) -> f64 {
    let mut zeros = 0;
    for &run in runs.iter().rev() {
        for c in scan.str(run).chars().rev() {
            if digit_value(c) != Some(0) {
                return ten_to(zeros);
            }
            zeros += 1;
        }
    }
    1.0
}

/// The outcome of reading digits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Digits {
    /// A number.
    Number(Numeral),
    /// No number but a serial, a version, an address: all before this token is to be left alone.
    Identifier(usize),
}

/// Reads the digits that start at token `i`.
pub(super) fn read_digits(scan: &Scan<'_>, i: usize, locale: NumberLocale) -> Digits {
    let Groups { runs, separators } = groups(scan, i);
    let last = *runs.last().unwrap_or(&i);
    let identifier = Digits::Identifier(last + 1);
    let lengths: Vec<usize> = runs.iter().map(|&run| digit_count(scan, run)).collect();
    let whole = |upto: usize, plain: bool| {
        let runs = &runs[..upto];
        let end = runs.last().map_or(i + 1, |run| run + 1);
        parse(scan, runs, usize::MAX).map_or(identifier, |value| {
            Digits::Number(Numeral {
                end,
                value,
                last_digit: 1.0,
                last_significant: significant_unit(scan, runs),
                other: None,
                plain_digits: if plain { lengths[0] } else { 0 },
                in_words: false,
                fraction: false,
            })
        })
    };
    let decimal = |from: usize, upto: usize| {
        let runs = &runs[..upto];
        let end = runs.last().map_or(i + 1, |run| run + 1);
        let places: usize = lengths[from..upto].iter().sum();
        let unit = ten_to(-i32::try_from(places).unwrap_or(300));
        parse(scan, runs, from).map_or(identifier, |value| {
            Digits::Number(Numeral {
                end,
                value,
                last_digit: unit,
                last_significant: unit,
                other: None,
                plain_digits: 0,
                in_words: false,
                fraction: false,
            })
        })
    };
    let Some(&separator) = separators.first() else { return whole(1, true) };
    if separators.iter().all(|&other| other == separator) {
        return match (separator, separators.len()) {
            (' ' | '\'' | '٬', _) => whole(runs.len(), false),
            ('٫', 1) => decimal(1, 2),
            ('.' | ',', 1) => {
                let groupable = lengths[1] == 3 && lengths[0] <= 3 && first_digit(scan, i) != Some(0);
                let point = separator == '.';
                if !groupable {
                    return decimal(1, 2);
                }
                let (grouped, fraction) = (whole(2, false), decimal(1, 2));
                match (locale, point) {
                    (NumberLocale::Any, true) if stands_before_millions(scan, last + 1) => grouped,
                    (NumberLocale::CommaGroups, false) | (NumberLocale::PointGroups, true) => grouped,
                    (NumberLocale::CommaGroups, true) | (NumberLocale::PointGroups, false) => fraction,
                    (NumberLocale::Any, true) => with_other(fraction, grouped),
                    (NumberLocale::Any, false) => with_other(grouped, fraction),
                }
            }
            (',' | '.', _) if lengths[0] <= 3 && lengths[1..].iter().all(|&length| length == 3) => {
                whole(runs.len(), false)
            }
            (',', _) if is_indian(&lengths) => whole(runs.len(), false),
            // "1,2,3" is a list, "192.168.1.1" an address.
            (',', _) => whole(1, true),
            _ => identifier,
        };
    }
    // Mixed: all but the last separator group, the last marks decimals.
    let head = &separators[..separators.len() - 1];
    let final_separator = separators[separators.len() - 1];
    let grouped = head.iter().all(|&other| other == separator)
        && final_separator != separator
        && matches!(final_separator, '.' | ',' | '٫')
        && lengths[0] <= 3
        && (lengths[1..runs.len() - 1].iter().all(|&length| length == 3)
            || (separator == ',' && is_indian(&lengths[..runs.len() - 1])));
    if grouped && separator != '٫' {
        return decimal(runs.len() - 1, runs.len());
    }
    match separator {
        // "3.5, 4" never comes here (the space ends it); "1,5,2.5" is a list.
        ',' => whole(1, true),
        _ => identifier,
    }
}

/// "2.000 milhões": whoever writes the millions so groups by points.
fn stands_before_millions(scan: &Scan<'_>, i: usize) -> bool {
    let next = scan.past_space(i);
    ["milhões", "milhoes", "millones", "millionen"].iter().any(|word| scan.str(next).eq_ignore_ascii_case(word))
}

/// 12,34,567: pairs, then three.
fn is_indian(lengths: &[usize]) -> bool {
    let Some((&last, rest)) = lengths.split_last() else { return false };
    last == 3 && rest.len() >= 2 && rest[0] <= 2 && rest[1..].iter().all(|&length| length == 2)
}

fn with_other(first: Digits, second: Digits) -> Digits {
    match (first, second) {
        (Digits::Number(mut numeral), Digits::Number(other)) => {
            numeral.other = Some(other.value);
            Digits::Number(numeral)
        }
        (first, _) => first,
    }
}

#[cfg(test)]
mod tests {
    use super::super::value_tokens::scan;
    use super::*;

    fn digits(text: &str, locale: NumberLocale) -> Option<(f64, Option<f64>)> {
        let scan = scan(text);
        match read_digits(&scan, 0, locale) {
            Digits::Number(numeral) if numeral.end == scan.tokens.len() => Some((numeral.value, numeral.other)),
            _ => None,
        }
    }

    #[test]
    fn digits_are_read_with_any_grouping() {
        for (text, value) in [
            ("1,234,567", 1_234_567.0),
            ("1.234.567", 1_234_567.0),
            ("1 234 567", 1_234_567.0),
            ("1\u{a0}234\u{202f}567", 1_234_567.0),
            ("1'234'567", 1_234_567.0),
            ("12,34,567", 1_234_567.0),
            ("1.234,5", 1234.5),
            ("1,234.5", 1234.5),
            ("1 234,5", 1234.5),
            ("12,34,567.25", 1_234_567.25),
            ("1234,5", 1234.5),
            ("0,1320", 0.132),
            ("٤٢٠", 420.0),
            ("１２３", 123.0),
            ("16٬181", 16181.0),
        ] {
            assert_eq!(digits(text, NumberLocale::Any), Some((value, None)), "{text}");
        }
    }

    #[test]
    fn three_digits_after_one_separator_can_be_read_two_ways() {
        assert_eq!(digits("16.181", NumberLocale::Any), Some((16.181, Some(16181.0))));
        assert_eq!(digits("16,181", NumberLocale::Any), Some((16181.0, Some(16.181))));
        assert_eq!(digits("16.181", NumberLocale::PointGroups), Some((16181.0, None)));
        assert_eq!(digits("16.181", NumberLocale::CommaGroups), Some((16.181, None)));
    }

    #[test]
    fn versions_and_addresses_are_no_numbers() {
        for text in ["192.168.1.1", "1.2.3", "3.12.0.1"] {
            let scan = scan(text);
            assert_eq!(read_digits(&scan, 0, NumberLocale::Any), Digits::Identifier(scan.tokens.len()), "{text}");
        }
    }
}
