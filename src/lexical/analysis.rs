//! From text to terms: the one analysis that passages and queries share.
//!
//! In: any text. Out: terms in reading order. Text is folded (lower case, no diacritics), then read as
//!
//! - words: runs of letters, marks and digits;
//! - compounds: words joined by `-`, `_`, `.`, `/`, `:`, `@`, `&`, `+` or `#` without a space. Their parts are terms,
//!   and the whole is one where it holds a digit, `@`, `_`, `.`, `/` or `:` ("QX-7741" gives `qx7741`, `qx`, `7741`);
//! - numbers with grouping commas, as one term without the commas ("1,234,567" gives `1234567`);
//! - runs of scripts written without spaces (Han, Kana, Thai …), as overlapping pairs of characters.
//!
//! There are no stop words: BM25 gives common words next to no weight. No term is longer than [`MAX_TERM_BYTES`].

use unicode_normalization::char::is_combining_mark;

use crate::text::fold;

/// Grows whenever the same text may give other terms; an index records the one that it was written with.
pub const ANALYZER_VERSION: u32 = 2;

/// Longer terms are cut here, in passages and queries alike.
const MAX_TERM_BYTES: usize = 200;

/// What a term looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TermKind {
    /// Letters.
    Word,
    /// Digits, with points, commas or dashes between them.
    Number,
    /// A name made of letters and digits, such as `qx7741`, or with an underscore.
    Identifier,
    /// One part of a compound that is a term as a whole too.
    Part,
    /// One or two characters of a script written without spaces.
    Pair,
}

/// Calls `term` with each term of `text`.
pub(super) fn for_each_term(text: &str, mut term: impl FnMut(&str, TermKind)) {
    let folded = fold(text);
    let mut scanner = Scanner { text: &folded, at: 0, parts: Vec::new(), whole: String::new() };
    while scanner.next(&mut term) {}
}

/// The terms of a text with their kinds, in reading order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Terms(pub Vec<(String, TermKind)>);

impl Terms {
    /// Analyses `text`.
    ///
    /// ```
    /// use evidex::lexical::{TermKind, Terms};
    ///
    /// let terms = Terms::of("Møde: QX-7741");
    /// let texts: Vec<&str> = terms.0.iter().map(|(text, _)| text.as_str()).collect();
    /// assert_eq!(texts, ["mode", "qx", "7741", "qx7741"]);
    /// assert_eq!(terms.0[3].1, TermKind::Identifier);
    /// ```
    pub fn of(text: &str) -> Self {
        let mut terms = Vec::new();
        for_each_term(text, |term, kind| terms.push((term.to_owned(), kind)));
        Self(terms)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Digit,
    Unspaced,
    Other,
}

fn class(c: char) -> Class {
    if c.is_ascii() {
        return match c {
            'a'..='z' | 'A'..='Z' => Class::Letter,
            '0'..='9' => Class::Digit,
            _ => Class::Other,
        };
    }
    if is_unspaced(c) {
        Class::Unspaced
    } else if c.is_numeric() {
        Class::Digit
    } else if c.is_alphabetic() || is_combining_mark(c) {
        Class::Letter
    } else {
        Class::Other
    }
}

/// The first character of a script written without spaces.
pub(super) const FIRST_UNSPACED: char = '\u{0e01}';

/// Whether the character belongs to a script written without spaces between words.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c),
        0x0e01..=0x0edf        // Thai, Lao
        | 0x1000..=0x109f      // Myanmar
        | 0x1780..=0x17ff      // Khmer
        | 0x3005..=0x3007      // ideographic marks
        | 0x3041..=0x30ff      // Kana
        | 0x3105..=0x312f      // Bopomofo
        | 0x31f0..=0x31ff      // Kana extensions
        | 0x3400..=0x4dbf      // Han
        | 0x4e00..=0x9fff
        | 0xf900..=0xfaff
        | 0x20000..=0x3ffff)
        && c != '\u{30fb}'
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    parts: Vec<(usize, usize)>,
    whole: String,
}

impl Scanner<'_> {
    /// Reads the next compound or run; false at the end.
    fn next(&mut self, term: &mut impl FnMut(&str, TermKind)) -> bool {
        while let Some(c) = self.text[self.at..].chars().next() {
            match class(c) {
                Class::Other => self.at += c.len_utf8(),
                Class::Unspaced => {
                    self.unspaced_run(term);
                    return true;
                }
                Class::Letter | Class::Digit => {
                    self.compound(term);
                    return true;
                }
            }
        }
        false
    }

    /// Overlapping pairs of characters; a run of one character is a term by itself.
    fn unspaced_run(&mut self, term: &mut impl FnMut(&str, TermKind)) {
        let mut before: Option<usize> = None;
        let mut paired = false;
        let start = self.at;
        while let Some(c) = self.text[self.at..].chars().next() {
            // Marks stay with the character that they modify.
            if class(c) != Class::Unspaced && !(self.at > start && !c.is_ascii() && is_combining_mark(c)) {
                break;
            }
            let end = self.at + c.len_utf8();
            if let Some(from) = before {
                term(&self.text[from..end], TermKind::Pair);
                paired = true;
            }
            before = Some(self.at);
            self.at = end;
        }
        if !paired {
            term(&self.text[start..self.at], TermKind::Pair);
        }
    }

    /// Words and what joins them.
    fn compound(&mut self, term: &mut impl FnMut(&str, TermKind)) {
        self.parts.clear();
        let start = self.at;
        let mut has_letter = false;
        let mut has_digit = false;
        // Which joiners were seen: any, one that makes the whole a term, a grouping comma, an apostrophe.
        let (mut telling, mut underscore, mut commas, mut others) = (false, false, false, 0usize);
        loop {
            let part_start = self.at;
            for c in self.text[self.at..].chars() {
                match class(c) {
                    Class::Letter => has_letter = true,
                    Class::Digit => has_digit = true,
                    Class::Unspaced | Class::Other => break,
                }
                self.at += c.len_utf8();
            }
            self.parts.push((part_start, self.at));
            let mut rest = self.text[self.at..].chars();
            let Some(joiner) = rest.next() else { break };
            let Some(next) = rest.next() else { break };
            if !matches!(class(next), Class::Letter | Class::Digit) {
                break;
            }
            let after_digit = self.text[..self.at].ends_with(|c: char| c.is_ascii_digit());
            match joiner {
                ',' if after_digit && next.is_ascii_digit() && !has_letter => commas = true,
                '_' => (telling, underscore, others) = (true, true, others + 1),
                '.' | '/' | ':' | '@' => (telling, others) = (true, others + 1),
                '-' | '&' | '+' | '#' => others += 1,
                '\'' => {
                    // "France's", "don't": what follows is an ending, not a word.
                    let ending: usize = rest.take_while(|&c| class(c) == Class::Letter).count();
                    if next.is_ascii_alphabetic() && ending == 0 {
                        self.at += joiner.len_utf8() + next.len_utf8();
                        break;
                    }
                    break;
                }
                _ => break,
            }
            self.at += joiner.len_utf8();
        }
        self.emit(start, Shape { has_letter, has_digit, telling, underscore, commas, others }, term);
    }

    fn emit(&mut self, start: usize, shape: Shape, term: &mut impl FnMut(&str, TermKind)) {
        let Some(&(_, end)) = self.parts.last() else { return };
        let raw = &self.text[start..end];
        if shape.commas && shape.others == 0 {
            self.whole.clear();
            self.whole.extend(raw.chars().filter(|&c| c != ','));
            term(cut(&self.whole), TermKind::Number);
            return;
        }
        let single = self.parts.len() == 1;
        let whole_kind = shape.kind(raw);
        for &(from, to) in &self.parts {
            let part = &self.text[from..to];
            let mixed = single && whole_kind == TermKind::Identifier;
            if !single || mixed {
                // "qx7741" is also `qx` and `7741`.
                split_at_digits(part, |piece| {
                    term(cut(piece), if single { TermKind::Part } else { part_kind(shape, piece) })
                });
            } else {
                term(cut(part), whole_kind);
            }
        }
        if single && whole_kind == TermKind::Identifier {
            term(cut(raw), TermKind::Identifier);
        } else if !single && (shape.has_digit || shape.telling) {
            self.whole.clear();
            // With letters and digits, `-` and `_` are a matter of spelling; between digits alone they carry meaning.
            let drop_dashes = shape.has_letter && shape.has_digit;
            self.whole.extend(raw.chars().filter(|&c| c != ',' && !(drop_dashes && matches!(c, '-' | '_'))));
            term(cut(&self.whole), whole_kind);
        }
    }
}

#[derive(Clone, Copy)]
struct Shape {
    has_letter: bool,
    has_digit: bool,
    telling: bool,
    underscore: bool,
    commas: bool,
    others: usize,
}

impl Shape {
    fn kind(self, raw: &str) -> TermKind {
        match (self.has_letter, self.has_digit) {
            (true, true) => {
                // "qx-7741" and "12-ab-34", but not "16th", "5km" or "20-year".
                let letter_first = raw.starts_with(|c: char| class(c) == Class::Letter);
                if letter_first || self.underscore || self.others >= 2 { TermKind::Identifier } else { TermKind::Word }
            }
            (false, _) => TermKind::Number,
            (true, false) if self.underscore => TermKind::Identifier,
            (true, false) => TermKind::Word,
        }
    }
}

/// A part of a compound is a plain word where the whole is no term.
fn part_kind(shape: Shape, piece: &str) -> TermKind {
    if shape.has_digit || shape.telling {
        TermKind::Part
    } else if piece.starts_with(|c: char| class(c) == Class::Digit) {
        TermKind::Number
    } else {
        TermKind::Word
    }
}

fn split_at_digits(part: &str, mut piece: impl FnMut(&str)) {
    let mut start = 0;
    let mut before: Option<Class> = None;
    for (at, c) in part.char_indices() {
        let now = class(c);
        if before.is_some_and(|before| before != now) {
            piece(&part[start..at]);
            start = at;
        }
        before = Some(now);
    }
    if start < part.len() {
        piece(&part[start..]);
    }
}

fn cut(term: &str) -> &str {
    if term.len() <= MAX_TERM_BYTES {
        return term;
    }
    let mut end = MAX_TERM_BYTES;
    while !term.is_char_boundary(end) {
        end -= 1;
    }
    &term[..end]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn terms(text: &str) -> Vec<String> {
        Terms::of(text).0.into_iter().map(|(term, _)| term).collect()
    }

    #[test]
    fn an_identifier_is_kept_whole_and_in_parts_in_every_spelling() {
        for text in ["QX-7741", "QX_7741", "qx7741"] {
            assert_eq!(terms(text), ["qx", "7741", "qx7741"], "{text}");
        }
        assert_eq!(Terms::of("QX-7741?").0[2], ("qx7741".to_owned(), TermKind::Identifier));
    }

    #[test]
    fn numbers_keep_their_value() {
        assert_eq!(terms("1,234,567 people, 3.14 or 7, 8"), ["1234567", "people", "3", "14", "3.14", "or", "7", "8"]);
    }

    #[test]
    fn a_year_is_no_identifier() {
        assert_eq!(Terms::of("2024").0[0].1, TermKind::Number);
        assert_eq!(Terms::of("16th").0[0].1, TermKind::Word);
    }

    #[test]
    fn unspaced_scripts_become_pairs() {
        assert_eq!(terms("权威事实"), ["权威", "威事", "事实"]);
        assert_eq!(terms("天"), ["天"]);
        assert_eq!(terms("2024年 Tokyo東京"), ["2024", "年", "tokyo", "東京"]);
    }

    #[test]
    fn possessive_endings_are_dropped_and_hyphens_split() {
        assert_eq!(terms("France's well-known café"), ["france", "well", "known", "cafe"]);
    }

    #[test]
    fn addresses_are_whole_and_in_parts() {
        assert_eq!(terms("ada@example.org"), ["ada", "example", "org", "ada@example.org"]);
    }

    #[test]
    fn a_very_long_run_is_cut_not_dropped() {
        assert_eq!(terms(&"x".repeat(10_000)), ["x".repeat(MAX_TERM_BYTES)]);
    }

    proptest! {
        #[test]
        fn any_text_gives_short_terms_without_the_separator(text in any::<String>()) {
            for (term, _) in Terms::of(&text).0 {
                prop_assert!(!term.is_empty() && term.len() <= MAX_TERM_BYTES);
                prop_assert!(!term.contains(super::super::schema::SEPARATOR));
            }
        }
    }
}
