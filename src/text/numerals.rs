//! Numbers as written: digits with any grouping, number words, Roman numerals. No units and no hedges here.
//!
//! A numeral knows its value, how fine its last written digit is, and the other value that its separators allow.

use super::lexicon::{NumberWord, Tongue};
use super::quantities::NumberLocale;
use super::tokens::{Kind, Scan, digit_value};

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

/// Reads number words from token `i`: "three hundred and five", "two million", "a dozen", "duzentos e dez".
///
/// An article counts only before a word that makes it a number; "one" alone is left to the caller.
pub(super) fn read_words(scan: &Scan<'_>, i: usize) -> Option<Numeral> {
    use NumberWord::{And, Article, Dozen, Hundred, Hundreds, Scale, Small, Tens};
    let mut total = 0.0_f64;
    let mut group = 0_u32;
    let mut previous = NumberWord::No;
    let mut last_scale = 30_u8;
    let mut unit = 1.0_f64;
    let mut end = i;
    let mut j = i;
    loop {
        let word = scaled(scan, j);
        let accepted = match (previous, word) {
            (NumberWord::No, Article) => {
                let next = scan.past_space(j + 1);
                next > j + 1 && matches!(scaled(scan, next), Hundred | Scale(_) | Dozen)
            }
            (_, Article | And) => false,
            // "quatre-vingt", and "quatre-vingt-dix": French counts in scores.
            (Small(4), Tens(20)) if scan.tongue == Tongue::French => {
                group = group - 4 + 80;
                true
            }
            (Tens(60) | Tens(20), Small(n)) if scan.tongue == Tongue::French && n >= 10 => {
                group += u32::from(n);
                true
            }
            (Small(10), Small(n @ 7..=9)) if scan.tongue == Tongue::French => {
                group += u32::from(n);
                true
            }
            (Small(_), Small(_) | Tens(_)) | (Tens(_), Tens(_) | Hundreds(_)) => false,
            (_, Small(0)) => previous == NumberWord::No,
            (_, Small(n)) if group.is_multiple_of(10) && (group.is_multiple_of(100) || n < 10) => {
                group += u32::from(n);
                true
            }
            (_, Tens(n)) if group.is_multiple_of(100) => {
                group += u32::from(n);
                true
            }
            (_, Hundreds(n)) if group == 0 => {
                group = u32::from(n);
                true
            }
            (NumberWord::No | Article | Scale(_), Hundred) if group == 0 => {
                let bare = previous == NumberWord::No && scan.tongue == Tongue::English;
                group = 100;
                !bare
            }
            (Small(_) | Tens(_), Hundred) if (1..100).contains(&group) => {
                group *= 100;
                true
            }
            (_, Scale(power)) => {
                let factor = ten_to(i32::from(power));
                let bare = previous == NumberWord::No && (power != 3 || scan.is_word(j, "thousand"));
                if bare {
                    false
                } else if power < last_scale {
                    let count = if group == 0 && matches!(previous, NumberWord::No | Article) { 1 } else { group };
                    if count == 0 {
                        false
                    } else {
                        total += f64::from(count) * factor;
                        group = 0;
                        last_scale = power;
                        unit = factor;
                        true
                    }
                } else if power > last_scale && group == 0 {
                    // "mil milhões", "a hundred thousand million": a scale on a scale.
                    total *= factor;
                    unit *= factor;
                    last_scale = power;
                    true
                } else {
                    false
                }
            }
            (Article | Small(_) | Tens(_), Dozen) => {
                total = f64::from(group.max(1)) * 12.0;
                group = 0;
                end = j + 1;
                break;
            }
            _ => false,
        };
        if !accepted {
            break;
        }
        if !matches!(word, Scale(_)) && group > 0 {
            unit = 1.0;
        }
        previous = word;
        if word != Article {
            end = j + 1;
        }
        // On to the next word: over one space or hyphen, and over "and" where a number word follows it.
        let mut next = if scan.is(j + 1, '-') { j + 2 } else { scan.past_space(j + 1) };
        if next == j + 1 {
            break;
        }
        if scaled(scan, next) == And && may_join(scan, next, previous) {
            let after = if scan.is(next + 1, '-') { next + 2 } else { scan.past_space(next + 1) };
            let smaller = match scaled(scan, after) {
                Small(n) => n > 0 && joins_small(scan, next, after),
                Tens(_) | Hundreds(_) => true,
                Hundred => scan.tongue != Tongue::English,
                _ => false,
            };
            if !smaller {
                break;
            }
            next = after;
        }
        j = next;
    }
    if end == i {
        return None;
    }
    let value = total + f64::from(group);
    let unit = if unit >= 1000.0 { unit } else { 1.0 };
    let tens = if group > 0 || total == 0.0 { trailing_unit(group) } else { unit };
    Some(Numeral {
        end,
        value,
        last_digit: unit,
        last_significant: tens.max(unit),
        other: None,
        plain_digits: 0,
        in_words: true,
        fraction: false,
    })
}

/// The number word at `i` with German compounds taken apart, and long-scale words as their language means them.
fn scaled(scan: &Scan<'_>, i: usize) -> NumberWord {
    let word = scan.number_word(i);
    match word {
        NumberWord::No if scan.tongue == Tongue::German && scan.kind(i) == Some(Kind::Word) => german(scan.str(i))
            .map_or(NumberWord::No, |value| match value {
                0..=29 => NumberWord::Small(u8::try_from(value).unwrap_or(0)),
                _ => NumberWord::Hundreds(u16::try_from(value).unwrap_or(0)),
            }),
        // "mil" is a thousand only where a common word says Portuguese or Spanish, or nothing says English.
        NumberWord::Scale(3)
            if scan.is_word(i, "mil") && !matches!(scan.tongue, Tongue::Portuguese | Tongue::Spanish) =>
        {
            let beside = scan.past_space(i + 1);
            if matches!(scan.str(beside), "milhões" | "millones" | "milhoes") { word } else { NumberWord::No }
        }
        NumberWord::Scale(9) if scan.tongue == Tongue::German && scan.str(i) == "Billion" => NumberWord::Scale(12),
        NumberWord::Scale(12) if scan.tongue == Tongue::German && scan.str(i) == "Trillion" => NumberWord::Scale(18),
        word => word,
    }
}

/// The scale word at `i` as a power of ten: "million", "mil milhões" (two words), with the token after it.
pub(super) fn read_scale(scan: &Scan<'_>, i: usize) -> Option<(u8, usize)> {
    let NumberWord::Scale(power) = scaled(scan, i) else { return None };
    let next = scan.past_space(i + 1);
    if next > i + 1
        && let NumberWord::Scale(second) = scaled(scan, next)
        && power.checked_add(second).is_some_and(|sum| sum <= 18)
        && (power == 3 || power == 5)
    {
        return Some((power + second, next + 1));
    }
    Some((power, i + 1))
}

/// Whether the "and" at `i` after this word can carry the number on: "hundred and five", not "five and six".
fn may_join(scan: &Scan<'_>, i: usize, previous: NumberWord) -> bool {
    let big = matches!(previous, NumberWord::Hundred | NumberWord::Scale(_));
    let romance = scan.is_any(i, &["e", "y", "et"]);
    big || (romance && matches!(previous, NumberWord::Hundreds(_) | NumberWord::Tens(_)))
}

/// "A million and three quarters" is no join: the small number at `i` must not begin a fraction, nor, after the "and"
/// of English and German, a number of its own.
fn joins_small(scan: &Scan<'_>, and: usize, i: usize) -> bool {
    let next = if scan.is(i + 1, '-') { i + 2 } else { scan.past_space(i + 1) };
    match scan.number_word(next) {
        NumberWord::Part(_) | NumberWord::Half => false,
        NumberWord::Scale(_) => scan.is_any(and, &["e", "y", "et"]),
        _ => true,
    }
}

fn trailing_unit(value: u32) -> f64 {
    if value == 0 {
        return 1.0;
    }
    let mut unit = 1_u32;
    while value.is_multiple_of(unit * 10) {
        unit *= 10;
    }
    f64::from(unit)
}

/// German numbers below a thousand written as one word: "zweiundzwanzig", "dreihundertfünf".
fn german(word: &str) -> Option<u32> {
    if word.len() < 9 || word.len() > 40 {
        return None;
    }
    let lower = word.to_lowercase();
    let (hundreds, rest) = match lower.split_once("hundert") {
        Some((head, tail)) => (if head.is_empty() { 1 } else { german_unit(head)? }, tail),
        None => (0, lower.as_str()),
    };
    let rest = rest.strip_prefix("und").filter(|_| hundreds > 0).unwrap_or(rest);
    let small = if rest.is_empty() {
        0
    } else if let Some((unit, tens)) = rest.split_once("und") {
        german_unit(unit)? + german_tens(tens)?
    } else {
        german_unit(rest).or_else(|| german_tens(rest))?
    };
    let value = hundreds * 100 + small;
    (value > 20).then_some(value)
}

fn german_unit(word: &str) -> Option<u32> {
    if word == "ein" {
        return Some(1);
    }
    match super::lexicon::look_up(word).number {
        NumberWord::Small(n) => Some(u32::from(n)),
        _ => (word == "elf").then_some(11),
    }
}

fn german_tens(word: &str) -> Option<u32> {
    match super::lexicon::look_up(word).number {
        NumberWord::Tens(n) => Some(u32::from(n)),
        _ => None,
    }
}

/// The value of a Roman numeral written in capitals I, V, X (1 to 39) or lower case `None`.
pub(super) fn roman(word: &str) -> Option<u8> {
    if word.is_empty() || word.len() > 7 || !word.bytes().all(|b| matches!(b, b'I' | b'V' | b'X')) {
        return None;
    }
    let mut value = 0_u8;
    let mut rest = word;
    for (digits, worth) in [("X", 10), ("IX", 9), ("V", 5), ("IV", 4), ("I", 1)] {
        while let Some(tail) = rest.strip_prefix(digits) {
            value = value.checked_add(worth)?;
            rest = tail;
        }
    }
    // Only the one correct spelling is a numeral: "IIII" and "VX" are not.
    (rest.is_empty() && value < 40 && print_roman(value) == word).then_some(value)
}

/// The Roman numeral of 1 to 39.
pub(super) fn print_roman(value: u8) -> String {
    let mut left = value;
    let mut out = String::new();
    for (digits, worth) in [("X", 10), ("IX", 9), ("V", 5), ("IV", 4), ("I", 1)] {
        while left >= worth {
            out.push_str(digits);
            left -= worth;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::tokens::scan;
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

    #[test]
    fn number_words_are_read_in_five_languages() {
        for (text, value) in [
            ("three hundred and five", 305.0),
            ("twenty-one", 21.0),
            ("two million three hundred thousand", 2_300_000.0),
            ("a hundred", 100.0),
            ("a dozen", 12.0),
            ("two dozen", 24.0),
            ("twelve hundred", 1200.0),
            ("nine hundred thousand", 900_000.0),
            ("um milhão", 1_000_000.0),
            ("duzentos e cinquenta e três", 253.0),
            ("o das que não mil e duzentos", 1200.0),
            ("mil milhões", 1e9),
            ("der die das ist dreihundertfünf", 305.0),
            ("der die das ist zweiundzwanzig", 22.0),
            ("der die das ist zwei Millionen", 2e6),
            ("el los las del once", 11.0),
            ("treinta y dos millones el los las del", 32e6),
            ("les des est dans quatre-vingt-dix-sept", 97.0),
            ("les des est dans soixante-quinze", 75.0),
            ("les des est dans deux cents", 200.0),
        ] {
            let scan = scan(text);
            let found = (0..scan.tokens.len()).find_map(|i| read_words(&scan, i));
            assert_eq!(found.map(|numeral| numeral.value), Some(value), "{text}");
        }
    }

    #[test]
    fn words_that_only_look_like_numbers_are_left_alone() {
        for text in ["once upon a time", "a bed and a chair", "the elf", "hundreds of people", "dozens"] {
            let scan = scan(text);
            assert!((0..scan.tokens.len()).all(|i| read_words(&scan, i).is_none()), "{text}");
        }
    }

    #[test]
    fn roman_numerals_have_one_spelling() {
        for value in 1..40 {
            assert_eq!(roman(&print_roman(value)), Some(value));
        }
        for text in ["IIII", "VX", "IL", "", "iv", "XXXX"] {
            assert_eq!(roman(text), None, "{text}");
        }
    }
}
