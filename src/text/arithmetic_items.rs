//! The pieces of an arithmetic expression in scanned text: numbers, signs and the words for them.

use super::exact::{Exact, Item};
use super::lexicon::NumberWord;
use super::numerals::{self, Digits, Numeral};
use super::quantities::NumberLocale;
use super::spelled;
use super::value_tokens::{Kind, Scan, digit_value};

/// An item with the tokens it stands in, first and one past the last, and the numeral it was read from.
pub(super) type ReadItem = (Item, usize, usize, Option<Numeral>);

/// The operator at token `i`, with the index after it.
pub(super) fn operator_at(scan: &Scan<'_>, i: usize) -> Option<(Item, usize)> {
    let token = scan.at(i)?;
    if token.kind == Kind::Symbol {
        let item = match token.first {
            '+' | '＋' => Item::Plus,
            '-' | '−' | '–' | '‑' => Item::Minus,
            '×' | '·' | '⋅' | '∙' => Item::Times,
            '*' if scan.is(i + 1, '*') => return Some((Item::Power, i + 2)),
            '*' => Item::Times,
            '÷' | '/' | '∕' => Item::Over,
            '^' => Item::Power,
            '%' | '％' => Item::Percent,
            '²' => Item::Squared,
            '³' => Item::Cubed,
            '√' => Item::Root,
            '(' | '[' => Item::Open,
            ')' | ']' => Item::Close,
            _ => return None,
        };
        return Some((item, i + 1));
    }
    if token.kind != Kind::Word {
        return None;
    }
    let next = scan.past_space(i + 1);
    let one = |item| Some((item, i + 1));
    if scan.is_any(i, &["plus", "mais", "más"]) {
        one(Item::Plus)
    } else if scan.is_any(i, &["minus", "menos", "moins"]) {
        one(Item::Minus)
    } else if scan.is_any(i, &["times", "x", "vezes", "mal", "fois", "por"]) {
        one(Item::Times)
    } else if scan.is_any(i, &["multiplied"]) && scan.is_any(next, &["by"]) {
        Some((Item::Times, next + 1))
    } else if (scan.is_any(i, &["divided"]) && scan.is_any(next, &["by"]))
        || (scan.is_any(i, &["dividido"]) && scan.is_any(next, &["por"]))
    {
        Some((Item::Over, next + 1))
    } else if scan.is_any(i, &["squared"]) {
        one(Item::Squared)
    } else if scan.is_any(i, &["cubed"]) {
        one(Item::Cubed)
    } else if scan.is_any(i, &["percent", "prozent"]) {
        one(Item::Percent)
    } else if scan.is_any(i, &["per", "por"]) && scan.is_any(next, &["cent", "cento", "ciento"]) {
        Some((Item::Percent, next + 1))
    } else if scan.is_any(i, &["by"]) && i >= 2 && scan.is_any(i - 2, &["multiplied", "divided"]) {
        // The second word of a two-word operator, met when walking backwards.
        one(if scan.is_any(i - 2, &["multiplied"]) { Item::Times } else { Item::Over })
    } else {
        None
    }
}

pub(super) fn is_percent_of(scan: &Scan<'_>, i: usize) -> bool {
    scan.is_any(i, &["of", "de", "von", "du"]) && {
        let before =
            if scan.kind(i.wrapping_sub(1)) == Some(Kind::Space) { i.wrapping_sub(2) } else { i.wrapping_sub(1) };
        scan.is(before, '%')
            || scan.is(before, '％')
            || scan.is_any(before, &["percent", "cent", "cento", "ciento", "prozent"])
    }
}

/// Whether the token at `i` may stand in an expression.
pub(super) fn belongs(scan: &Scan<'_>, i: usize) -> bool {
    let Some(token) = scan.at(i) else { return false };
    let digit = |at: usize| scan.kind(at) == Some(Kind::Digits);
    match token.kind {
        Kind::Digits => true,
        Kind::Space => !matches!(token.first, '\n' | '\r'),
        Kind::Opaque => false,
        Kind::Symbol => {
            operator_at(scan, i).is_some()
                || matches!(token.first, '$' | '€' | '£')
                || (matches!(token.first, '.' | ',' | '\'' | '’') && i > 0 && digit(i - 1) && digit(i + 1))
        }
        Kind::Word => {
            operator_at(scan, i).is_some()
                || scan.is_any(i, &["cent", "cento", "ciento"])
                || is_percent_of(scan, i)
                || matches!(
                    scan.number_word(i),
                    NumberWord::Small(_)
                        | NumberWord::Tens(_)
                        | NumberWord::Hundred
                        | NumberWord::Hundreds(_)
                        | NumberWord::Scale(_)
                )
        }
    }
}

/// Reads items from token `i` up to `limit`, as long as they belong to an expression.
pub(super) fn read_items(scan: &Scan<'_>, start: usize, limit: usize) -> Vec<ReadItem> {
    let mut items = Vec::new();
    let mut i = start;
    while i < limit && belongs(scan, i) {
        let token = scan.tokens[i];
        let mut end = i + 1;
        match token.kind {
            Kind::Digits => match number(scan, i) {
                Some((value, numeral)) if numeral.end <= limit => {
                    end = numeral.end;
                    items.push((Item::Number(value), i, end, Some(numeral)));
                }
                _ => break,
            },
            Kind::Word if is_percent_of(scan, i) => items.push((Item::Times, i, end, None)),
            Kind::Word if operator_at(scan, i).is_none() => match spelled::read_words(scan, i) {
                Some(numeral) if numeral.end <= limit && numeral.value.fract() == 0.0 && numeral.value < 1e15 => {
                    end = numeral.end;
                    #[expect(clippy::cast_possible_truncation, reason = "whole and below 10^15")]
                    let Ok(value) = Exact::new(numeral.value as i128, 1) else { break };
                    items.push((Item::Number(value), i, end, Some(numeral)));
                }
                _ => break,
            },
            _ => {
                if let Some((item, after)) = operator_at(scan, i) {
                    items.push((item, i, after, None));
                    end = after;
                }
            }
        }
        i = end;
    }
    items
}

/// The number in digits at `i`, exactly; commas group, points mark decimals, unless the digits can only be the other way.
pub(super) fn number(scan: &Scan<'_>, i: usize) -> Option<(Exact, Numeral)> {
    let Digits::Number(numeral) = numerals::read_digits(scan, i, NumberLocale::CommaGroups) else { return None };
    let places = if numeral.last_digit < 1.0 {
        let last = numeral.end.checked_sub(1)?;
        u32::try_from(scan.str(last).chars().count()).ok()?
    } else {
        0
    };
    let digits: String = (i..numeral.end)
        .filter(|&at| scan.kind(at) == Some(Kind::Digits))
        .flat_map(|at| scan.str(at).chars())
        .filter_map(digit_value)
        .map(|digit| char::from(b'0' + digit))
        .collect();
    // Letters glued to the digits make an identifier of it, save "x" between numbers.
    let glued = |at: Option<usize>| at.is_some_and(|at| scan.kind(at) == Some(Kind::Word) && !scan.is_any(at, &["x"]));
    if glued(i.checked_sub(1)) || glued(Some(numeral.end)) {
        return None;
    }
    Some((Exact::from_digits(&digits, places).ok()?, numeral))
}
