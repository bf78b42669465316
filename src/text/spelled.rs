//! Numbers as spelled: number words of five languages and Roman numerals.

use super::lexicon::{NumberWord, Tongue};
use super::numerals::{Numeral, ten_to};
use super::value_tokens::{Kind, Scan};

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
    use super::super::value_tokens::scan;
    use super::*;

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
