//! Hedges and bounds around a number: "about", "at least", "up to", "or more".

use super::lexicon::Tongue;
use super::quantities::Hedge;
use super::value_tokens::{Kind, Scan};

use Hedge::{About, AtLeast, AtMost, LessThan, MoreThan};

/// Phrases that end right before the number; a longer one stands before its own tail.
pub(super) const PHRASES: &[(&str, Hedge)] = &[
    ("no fewer than", AtLeast),
    ("no less than", AtLeast),
    ("not less than", AtLeast),
    ("not fewer than", AtLeast),
    ("no more than", AtMost),
    ("not more than", AtMost),
    ("no later than", AtMost),
    ("at least", AtLeast),
    ("a minimum of", AtLeast),
    ("minimum of", AtLeast),
    ("upwards of", AtLeast),
    ("at most", AtMost),
    ("up to", AtMost),
    ("a maximum of", AtMost),
    ("maximum of", AtMost),
    ("as many as", AtMost),
    ("as much as", AtMost),
    ("well over", MoreThan),
    ("in excess of", MoreThan),
    ("more than", MoreThan),
    ("greater than", MoreThan),
    ("larger than", MoreThan),
    ("higher than", MoreThan),
    ("longer than", MoreThan),
    ("older than", MoreThan),
    ("over", MoreThan),
    ("above", MoreThan),
    ("exceeding", MoreThan),
    ("exceeds", MoreThan),
    ("exceeded", MoreThan),
    ("surpassed", MoreThan),
    ("less than", LessThan),
    ("fewer than", LessThan),
    ("smaller than", LessThan),
    ("lower than", LessThan),
    ("shorter than", LessThan),
    ("younger than", LessThan),
    ("well under", LessThan),
    ("under", LessThan),
    ("below", LessThan),
    ("close to", About),
    ("in the region of", About),
    ("an estimated", About),
    ("estimated at", About),
    ("an average of", About),
    ("about", About),
    ("around", About),
    ("approximately", About),
    ("approx", About),
    ("roughly", About),
    ("nearly", About),
    ("almost", About),
    ("some", About),
    ("circa", About),
    ("ca", About),
    ("c", About),
    ("estimated", About),
    ("just over", About),
    ("just under", About),
    ("pelo menos", AtLeast),
    ("no mínimo", AtLeast),
    ("no máximo", AtMost),
    ("até", AtMost),
    ("mais de", MoreThan),
    ("menos de", LessThan),
    ("cerca de", About),
    ("aproximadamente", About),
    ("quase", About),
    ("mindestens", AtLeast),
    ("höchstens", AtMost),
    ("maximal", AtMost),
    ("bis zu", AtMost),
    ("mehr als", MoreThan),
    ("über", MoreThan),
    ("weniger als", LessThan),
    ("unter", LessThan),
    ("etwa", About),
    ("rund", About),
    ("ungefähr", About),
    ("fast", About),
    ("knapp", About),
    ("zirka", About),
    ("al menos", AtLeast),
    ("por lo menos", AtLeast),
    ("como máximo", AtMost),
    ("hasta", AtMost),
    ("más de", MoreThan),
    ("alrededor de", About),
    ("unos", About),
    ("unas", About),
    ("casi", About),
    ("au moins", AtLeast),
    ("au plus", AtMost),
    ("plus de", MoreThan),
    ("moins de", LessThan),
    ("environ", About),
    ("près de", About),
    ("presque", About),
    ("quelque", About),
];

/// The longest phrase in words.
const LONGEST: usize = 4;

/// The hedge that ends before token `i` (the first of the number, sign and currency), with the token it begins at.
pub(super) fn before(scan: &Scan<'_>, i: usize) -> (Hedge, usize) {
    let mut j = i;
    if scan.before(j).is_some_and(|token| token.kind == Kind::Space && token.first != '\r') {
        j -= 1;
    }
    if let Some(token) = scan.before(j) {
        let equals = j >= 2 && (scan.is(j - 2, '>') || scan.is(j - 2, '<'));
        let hedge = match token.first {
            '~' | '≈' | '∼' | '≃' => Some(About),
            '≥' | '⩾' => Some(AtLeast),
            '≤' | '⩽' => Some(AtMost),
            '=' if equals => Some(if scan.is(j - 2, '>') { AtLeast } else { AtMost }),
            // At the start of a line it is a quotation mark of Markdown.
            '>' if j >= 2 && !scan.starts_sentence(j - 1) => Some(MoreThan),
            '<' => Some(LessThan),
            _ => None,
        };
        if let (Some(hedge), Kind::Symbol) = (hedge, token.kind) {
            return (hedge, j - if token.first == '=' { 2 } else { 1 });
        }
    }
    if !ends_hedge(scan, i) {
        return (Hedge::Exact, i);
    }
    // The words right before, in lower case, with single spaces; "approx." and "ca." with their point.
    let mut words: Vec<(String, usize)> = Vec::with_capacity(LONGEST);
    let mut at = i;
    while words.len() < LONGEST {
        let mut k = at;
        match scan.before(k) {
            Some(token) if token.kind == Kind::Space && token.first != '\r' => k -= 1,
            _ => break,
        }
        if words.is_empty() && k > 0 && scan.is(k - 1, '.') {
            k -= 1;
        }
        match k.checked_sub(1) {
            Some(word) if scan.kind(word) == Some(Kind::Word) && scan.str(word).len() <= 20 => {
                words.push((scan.str(word).to_lowercase(), word));
                at = word;
            }
            _ => break,
        }
    }
    let Some((last, _)) = words.first() else { return (Hedge::Exact, i) };
    for (phrase, hedge) in PHRASES {
        let mut parts = phrase.rsplit(' ');
        if parts.next() != Some(last.as_str()) {
            continue;
        }
        let mut length = 1;
        let fits = parts.all(|part| {
            let fits = words.get(length).is_some_and(|(word, _)| word == part);
            length += 1;
            fits
        });
        if fits && belongs(scan.tongue, phrase) {
            return (*hedge, words[length - 1].1);
        }
    }
    (Hedge::Exact, i)
}

/// Whether the word right before token `i` ends any hedge.
fn ends_hedge(scan: &Scan<'_>, i: usize) -> bool {
    let space = i.checked_sub(1).filter(|&at| scan.kind(at) == Some(Kind::Space));
    let word =
        space.and_then(|at| at.checked_sub(1)).map(|at| if scan.is(at, '.') { at.saturating_sub(1) } else { at });
    word.and_then(|at| scan.at(at)).is_some_and(|token| token.entry.ends_hedge)
}

/// Words of other languages that mean something else in English.
fn belongs(tongue: Tongue, phrase: &str) -> bool {
    match phrase {
        "fast" | "rund" | "unter" | "maximal" => tongue == Tongue::German,
        "c" | "some" | "over" | "under" | "about" => tongue == Tongue::English,
        _ => true,
    }
}

/// The hedge that begins at token `i`, after the number and its unit: "+", "or more", "or so"; with the index after it.
pub(super) fn after(scan: &Scan<'_>, i: usize) -> Option<(Hedge, usize)> {
    if plus(scan, i) {
        return Some((AtLeast, i + 1));
    }
    let or = scan.past_space(i);
    let next = scan.past_space(or + 1);
    if or == i || next == or + 1 || !scan.is_any(or, &["or", "ou", "oder", "o"]) {
        return None;
    }
    if scan.is_any(next, &["more", "mais", "mehr", "más", "plus", "above", "older", "over", "greater", "higher"]) {
        return Some((AtLeast, next + 1));
    }
    if scan.is_any(next, &["less", "fewer", "menos", "weniger", "moins", "younger", "under", "lower"]) {
        return Some((AtMost, next + 1));
    }
    scan.is_any(next, &["so"]).then_some((About, next + 1))
}

/// Whether a plus at `i` means "or more": "500+ users", not "500+3".
pub(super) fn plus(scan: &Scan<'_>, i: usize) -> bool {
    scan.is(i, '+') && scan.kind(i + 1) != Some(Kind::Digits)
}
