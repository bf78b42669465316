//! What stands right after a number: magnitude, percent sign, currency, unit, "times", or letters that make it an
//! identifier.

use super::currencies;
use super::numerals::{Numeral, ten_to};
use super::quantities::{Dimension, Unit};
use super::spelled;
use super::value_tokens::{Kind, Scan, is_unspaced};
use super::{nouns, units};

/// What a number with its suffix is a number of.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Sort {
    /// Nothing said.
    Bare,
    /// Percent, with what one of it is in percent ("‰" is a tenth).
    Percent(f64),
    /// Percentage points, likewise (a basis point is a hundredth).
    Points(f64),
    /// An amount.
    Money(Unit),
    /// A measure.
    Measure(Unit),
    /// "x", "times", "-fold".
    Times,
}

/// The suffix of a number.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Suffix {
    /// Index after it.
    pub end: usize,
    /// What the number is to be multiplied by.
    pub magnitude: f64,
    /// What it is a number of.
    pub sort: Sort,
    /// Joined by a hyphen: "12-year", "18-member".
    pub hyphenated: bool,
}

/// Magnitudes written glued to the digits.
const GLUED: &[(&str, u8)] = &[
    ("k", 3),
    ("K", 3),
    ("M", 6),
    ("mn", 6),
    ("mln", 6),
    ("MM", 6),
    ("bn", 9),
    ("Bn", 9),
    ("BN", 9),
    ("B", 9),
    ("bln", 9),
    ("tn", 12),
    ("trn", 12),
    ("cr", 7),
];
/// Magnitudes that may stand after a space.
const SPACED: &[(&str, u8)] = &[
    ("mn", 6),
    ("mln", 6),
    ("bn", 9),
    ("bln", 9),
    ("tn", 12),
    ("trn", 12),
    ("Mio", 6),
    ("Mrd", 9),
    ("mio", 6),
    ("mrd", 9),
    ("cr", 7),
    ("Tsd", 3),
];
/// Magnitudes that only money takes.
const OF_MONEY: &[(&str, u8)] =
    &[("m", 6), ("M", 6), ("b", 9), ("B", 9), ("T", 12), ("mi", 6), ("bi", 9), ("k", 3), ("K", 3)];
/// Magnitudes of scripts without spaces, longest first.
const UNSPACED: &[(&str, u8)] = &[
    ("百万", 6),
    ("千万", 7),
    ("万亿", 12),
    ("万", 4),
    ("萬", 4),
    ("亿", 8),
    ("億", 8),
    ("兆", 12),
    ("千", 3),
    ("百", 2),
];

fn find(table: &[(&str, u8)], word: &str) -> Option<u8> {
    table.iter().find(|(name, _)| *name == word).map(|(_, power)| *power)
}

/// Skips emphasis marks that close right after a number: "**999** million".
pub(super) fn past_marks(scan: &Scan<'_>, i: usize) -> usize {
    (i..i + 3).find(|&j| !(scan.is(j, '*') || scan.is(j, '_'))).unwrap_or(i + 3)
}

/// The magnitude at `i`: its power of ten and the index after it.
fn magnitude(scan: &Scan<'_>, i: usize, glued: bool, money: bool) -> Option<(u8, usize)> {
    if let Some(found) = spelled::read_scale(scan, i) {
        return Some(found);
    }
    let token = scan.at(i).filter(|token| token.kind == Kind::Word)?;
    if is_unspaced(token.first) {
        return UNSPACED.iter().find_map(|(name, power)| {
            scan.text[token.start..].starts_with(name).then(|| (*power, i + name.chars().count()))
        });
    }
    let word = scan.str(i);
    let power = find(SPACED, word)
        .or_else(|| if glued { find(GLUED, word) } else { None })
        .or_else(|| if money { find(OF_MONEY, word) } else { None });
    let power = match power {
        // "4K video", "5M": a unit of its own when nothing of the kind is counted is rare enough.
        Some(power) => power,
        // "5m users": a metre is not counted in users.
        None if glued && word == "m" => nouns::counted_plural(scan, scan.past_space(i + 1), 1)
            .filter(|_| scan.past_space(i + 1) > i + 1)
            .map(|_| 6)?,
        None => return None,
    };
    let end = if scan.is(i + 1, '.') && matches!(word, "Mio" | "Mrd" | "mio" | "mrd" | "Tsd") { i + 2 } else { i + 1 };
    Some((power, end))
}

/// Percent signs and words at `i`.
fn percent(scan: &Scan<'_>, i: usize) -> Option<(Sort, usize)> {
    let token = scan.at(i)?;
    let next = scan.past_space(i + 1);
    if token.kind == Kind::Symbol {
        let factor = match token.first {
            '%' | '％' | '٪' => 1.0,
            '‰' => 0.1,
            _ => return None,
        };
        return Some(
            points_after(scan, i + 1).map_or((Sort::Percent(factor), i + 1), |end| (Sort::Points(factor), end)),
        );
    }
    let one = |sort: Sort| Some((sort, i + 1));
    let two = |sort: Sort| Some((sort, next + 1));
    if scan.is_any(i, &["percent", "pct", "prozent"]) {
        return points_after(scan, i + 1).map_or_else(|| one(Sort::Percent(1.0)), |end| Some((Sort::Points(1.0), end)));
    }
    if scan.is_any(i, &["per", "por", "pour"]) && next > i + 1 && scan.is_any(next, &["cent", "cento", "ciento"]) {
        return points_after(scan, next + 1)
            .map_or_else(|| two(Sort::Percent(1.0)), |end| Some((Sort::Points(1.0), end)));
    }
    if scan.is_any(i, &["pp", "prozentpunkte", "prozentpunkten", "prozentpunkt"]) {
        return one(Sort::Points(1.0));
    }
    if scan.is_any(i, &["bps", "bp"]) {
        return one(Sort::Points(0.01));
    }
    if next == i + 1 {
        return None;
    }
    if scan.is_any(i, &["percentage", "basis"]) && scan.is_any(next, &["point", "points"]) {
        return two(Sort::Points(if scan.is_any(i, &["basis"]) { 0.01 } else { 1.0 }));
    }
    let porcentual = ["percentuais", "percentual", "porcentuales", "porcentual"];
    if scan.is_any(i, &["pontos", "ponto", "puntos", "punto"]) && scan.is_any(next, &porcentual) {
        return two(Sort::Points(1.0));
    }
    let of = scan.past_space(next + 1);
    if scan.is_any(i, &["points", "point"]) && scan.is_any(next, &["de"]) && scan.is_any(of, &["pourcentage"]) {
        return Some((Sort::Points(1.0), of + 1));
    }
    None
}

fn points_after(scan: &Scan<'_>, i: usize) -> Option<usize> {
    let next = scan.past_space(i);
    (next > i && scan.is_any(next, &["points", "point"])).then_some(next + 1)
}

/// "x", "times larger", "fold" at `i`.
fn times(scan: &Scan<'_>, i: usize, glued: bool, hyphen: bool) -> Option<usize> {
    let followed_by_digits = scan.kind(scan.past_space(i + 1)) == Some(Kind::Digits);
    if glued && (scan.is_any(i, &["x"]) || scan.is(i, '×')) && !followed_by_digits {
        return Some(i + 1);
    }
    if (glued || hyphen) && scan.is_any(i, &["fold"]) {
        return Some(i + 1);
    }
    let next = scan.past_space(i + 1);
    let compared = scan.is_any(
        next,
        &[
            "as", "more", "the", "larger", "bigger", "higher", "greater", "faster", "longer", "heavier", "taller",
            "less", "that", "its", "smaller",
        ],
    );
    let mais = scan.is_any(next, &["mais", "maior", "más", "mayor", "plus", "so", "mehr", "größer"]);
    ((scan.is_any(i, &["times"]) && compared) || (scan.is_any(i, &["vezes", "veces", "fois", "mal"]) && mais))
        .then_some(i + 1)
}

/// Reads what follows the number that ends before token `i`; `None` when letters make it an identifier.
pub(super) fn read(scan: &Scan<'_>, i: usize, currency: Option<&Unit>, numeral: &Numeral) -> Option<Suffix> {
    let i = past_marks(scan, i);
    let hyphen = (scan.is(i, '-') || scan.is(i, '‑')) && scan.kind(i + 1) == Some(Kind::Word);
    let glued = !hyphen && scan.kind(i) == Some(Kind::Word);
    let mut at = if hyphen { i + 1 } else { scan.past_space(i) };
    let mut suffix = Suffix { end: i, magnitude: 1.0, sort: Sort::Bare, hyphenated: hyphen };
    if let Some((power, end)) = magnitude(scan, at, glued, currency.is_some()) {
        suffix.magnitude = ten_to(i32::from(power));
        suffix.end = end;
        at = if scan.is(end, '-') && scan.kind(end + 1) == Some(Kind::Word) { end + 1 } else { scan.past_space(end) };
    }
    // "millones de euros", "millions d'euros", "mil milhões de euros".
    if (suffix.magnitude != 1.0 || numeral.in_words) && scan.is_any(at, &["de", "d"]) {
        let after = if matches!(scan.at(at + 1).map(|token| token.first), Some('\'' | '’')) {
            at + 2
        } else {
            scan.past_space(at + 1)
        };
        if after > at + 1 && (currencies::at(scan, after).is_some() || units::read_unit(scan, after, false).is_some()) {
            at = after;
        }
    }
    let glued = glued && suffix.magnitude == 1.0;
    if let Some(unit) = currency {
        suffix.sort = Sort::Money(unit.clone());
        // "$5 million US" or "R$ 5 reais": the symbol said it already.
        if let Some((named, end)) =
            currencies::at(scan, at).filter(|(named, _)| currencies::compatible(&named.symbol, &unit.symbol))
        {
            suffix.sort = Sort::Money(named);
            suffix.end = end;
        }
        return Some(suffix);
    }
    if let Some((sort, end)) = percent(scan, at) {
        return Some(Suffix { sort, end, ..suffix });
    }
    if let Some((unit, end)) = currencies::at(scan, at) {
        let prefix_of_next = scan.kind(end) == Some(Kind::Digits) && at > i;
        if !prefix_of_next {
            return Some(Suffix { sort: Sort::Money(unit), end, ..suffix });
        }
    }
    if let Some(end) = times(scan, at, glued || scan.is(i, '×'), hyphen) {
        return Some(Suffix { sort: Sort::Times, end, ..suffix });
    }
    let plural_mark = glued && scan.str(at) == "s" && numeral.plain_digits > 0;
    if !plural_mark
        && let Some((unit, end)) = units::read_unit(scan, at, glued || at == i)
        && !coordinate(scan, &unit, end)
        && !(unit.symbol == "in" && scan.is(at, '″') && numeral.plain_digits > 2)
    {
        let glued_on = scan.kind(end) == Some(Kind::Digits)
            || (glued && scan.kind(end) == Some(Kind::Word) && !is_unspaced(scan.at(end)?.first));
        if !glued_on || unit.dimension == Dimension::Time || unit.symbol == "ft" {
            return Some(Suffix { sort: Sort::Measure(unit), end, ..suffix });
        }
    }
    if scan.is(at, '°') {
        return None;
    }
    // Letters glued to digits that say nothing known: "747s", "3D", "1080p", "5G".
    if glued && suffix.magnitude == 1.0 && !is_unspaced(scan.at(at)?.first) {
        return None;
    }
    if hyphen && suffix.magnitude == 1.0 {
        let word = scan.str(at);
        let plain = word.chars().count() > 2 && !scan.is_capital(at);
        let name = numeral.in_words && scan.is_capital(at);
        if !plain && !name {
            return None;
        }
    }
    Some(suffix)
}

/// "48°51′", "48° N": a place on the globe, not an angle to compare.
fn coordinate(scan: &Scan<'_>, unit: &Unit, end: usize) -> bool {
    unit.symbol == "°"
        && (scan.kind(end) == Some(Kind::Digits) || scan.is_any(scan.past_space(end), &["n", "s", "e", "w"]))
}
