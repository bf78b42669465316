//! Words, numbers and marks of a text, with their spans and the form in which they are compared.
//!
//! Tokens are in order, do not overlap and cover every character that is neither white space nor invisible.
//! Contractions are split so that a negation always stands alone ("didn't" is "did" and "not"); identifiers
//! ("QX-7741"), addresses, dotted acronyms and hyphenated words stay whole; scripts written without spaces give one
//! token a character.

use serde::{Deserialize, Serialize};

use super::TextSpan;
use super::normalise::{fold, is_invisible};

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum TokenKind {
    /// Letters, perhaps with hyphens or apostrophes inside; also a dotted acronym.
    Word,
    /// Digits with their separators ("1,234.5", "10:30") and short lower-case endings ("20th", "1990s", "5km").
    Number,
    /// Letters and digits mixed ("A17", "COVID-19", "v1.2.3"), and names with dots or underscores ("example.com").
    Identifier,
    /// A web or mail address.
    Address,
    /// One character of a script written without spaces.
    Ideograph,
    /// Punctuation.
    Punctuation,
    /// Anything else: currency, mathematics, emoji.
    Symbol,
}

/// A token of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Token {
    /// Where it stands.
    pub span: TextSpan,
    /// The form that is compared: [`fold`]ed, contractions written out ("n't" is "not"), acronyms without dots.
    pub folded: String,
    /// What it is.
    pub kind: TokenKind,
    /// Whether its first letter is a capital.
    pub capitalised: bool,
}

impl Token {
    /// Whether it is a word, number, identifier or ideograph: something that can bear content.
    pub fn is_wordlike(&self) -> bool {
        !matches!(self.kind, TokenKind::Punctuation | TokenKind::Symbol)
    }
}

/// The tokens of a text.
///
/// ```
/// let folded: Vec<String> = evidex::text::tokens("It isn't QX-7741.").into_iter().map(|t| t.folded).collect();
/// assert_eq!(folded, ["it", "is", "not", "qx-7741", "."]);
/// ```
pub fn tokens(text: &str) -> Vec<Token> {
    let mut scanner = Scanner { text, found: Vec::with_capacity(text.len() / 5 + 1) };
    scanner.scan();
    scanner.found
}

/// What a contracted ending stands for.
const ENDINGS: [(&str, &str); 6] =
    [("'s", "'s"), ("'ll", "will"), ("'re", "are"), ("'ve", "have"), ("'d", "would"), ("'m", "am")];
/// Verbs whose form before "n't" is not the verb itself.
const BEFORE_NOT: [(&str, &str); 4] = [("wo", "will"), ("ca", "can"), ("sha", "shall"), ("ai", "is")];
/// Words that lose their vowel before another, with what they are compared as.
const ELIDED: [(&str, &str); 26] = [
    ("l", "l'"),
    ("d", "d'"),
    ("j", "j'"),
    ("m", "m'"),
    ("n", "ne"),
    ("s", "s'"),
    ("t", "t'"),
    ("c", "c'"),
    ("qu", "que"),
    ("jusqu", "jusque"),
    ("lorsqu", "lorsque"),
    ("puisqu", "puisque"),
    ("quoiqu", "quoique"),
    ("dell", "della"),
    ("nell", "nella"),
    ("all", "alla"),
    ("sull", "sulla"),
    ("dall", "dalla"),
    ("coll", "colla"),
    ("un", "una"),
    ("quest", "questo"),
    ("quell", "quello"),
    ("dov", "dove"),
    ("com", "come"),
    ("cos", "cosa"),
    ("c'", "c'"),
];

pub(super) fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{2bc}' | '\u{ff07}')
}

pub(super) fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}')
}

/// Characters of scripts that put no spaces between words.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{309f}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}' | '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
        && !c.is_numeric()
}

fn is_mark(c: char) -> bool {
    !c.is_ascii() && unicode_normalization::char::is_combining_mark(c)
}

/// Letters, digits and the marks that belong to them.
fn is_word_char(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    c == '_' || !is_unspaced(c) && (c.is_alphanumeric() || is_mark(c) || is_joiner(c))
}

/// Invisible characters that stand inside a word without ending it.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}')
}

/// Bytes that an identifier, acronym or the first part of an address may take.
const LONGEST_JOINED: usize = 128;

struct Scanner<'a> {
    text: &'a str,
    found: Vec<Token>,
}

impl Scanner<'_> {
    fn scan(&mut self) {
        let mut at = 0;
        while let Some(c) = self.text[at..].chars().next() {
            at = if c.is_whitespace() || is_invisible(c) {
                at + c.len_utf8()
            } else if is_unspaced(c) {
                self.unspaced(at, c)
            } else if c.is_alphanumeric() || c == '_' {
                self.word(at)
            } else {
                self.mark(at, c)
            };
        }
    }

    fn push(&mut self, start: usize, end: usize, kind: TokenKind, folded: Option<&str>) {
        let written = &self.text[start..end];
        let folded = folded.map_or_else(|| fold(written), str::to_owned);
        let capitalised = written.chars().next().is_some_and(char::is_uppercase);
        self.found.push(Token { span: TextSpan::new(start, end), folded, kind, capitalised });
    }

    fn next(&self, at: usize) -> Option<char> {
        self.text[at..].chars().next()
    }

    /// The end of the run of characters from `at` that satisfy `accept`.
    fn run(&self, at: usize, accept: impl Fn(char) -> bool) -> usize {
        self.text[at..].find(|c| !accept(c)).map_or(self.text.len(), |length| at + length)
    }

    /// Like [`Self::run`], but `None` for a run of more than [`LONGEST_JOINED`] bytes, so that looking ahead stays cheap.
    fn short_run(&self, at: usize, accept: impl Fn(char) -> bool) -> Option<usize> {
        for (offset, c) in self.text[at..].char_indices() {
            if !accept(c) {
                return Some(at + offset);
            }
            if offset > LONGEST_JOINED {
                return None;
            }
        }
        Some(self.text.len())
    }

    fn unspaced(&mut self, at: usize, c: char) -> usize {
        let end = self.run(at + c.len_utf8(), |c| is_mark(c) || is_joiner(c));
        self.push(at, end, TokenKind::Ideograph, None);
        end
    }

    fn mark(&mut self, at: usize, c: char) -> usize {
        // Marks that combine with a symbol (keycaps, skin tones) stay with it.
        let end =
            self.run(at + c.len_utf8(), |c| is_mark(c) || is_joiner(c) || ('\u{1f3fb}'..='\u{1f3ff}').contains(&c));
        let kind = if is_punctuation(c) { TokenKind::Punctuation } else { TokenKind::Symbol };
        self.push(at, end, kind, None);
        end
    }

    fn word(&mut self, at: usize) -> usize {
        if let Some(end) = self.plain_word(at) {
            return end;
        }
        if let Some(end) = self.address(at) {
            self.push(at, end, TokenKind::Address, None);
            return end;
        }
        let run = self.run(at, is_word_char);
        if let Some(end) = self.dotted_acronym(at, run) {
            let folded: String = fold(&self.text[at..end]).chars().filter(|c| *c != '.').collect();
            self.push(at, end, TokenKind::Word, Some(&folded));
            return end;
        }
        if let Some(end) = self.identifier(at, run) {
            self.push(at, end, TokenKind::Identifier, None);
            return end;
        }
        if self.text[at..run].starts_with(char::is_numeric) {
            return self.number(at, run);
        }
        self.letters(at, run)
    }

    /// The common case: ASCII letters with white space or a comma or the like behind them.
    fn plain_word(&mut self, at: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let length = bytes[at..].iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(bytes.len() - at);
        let end = at + length;
        let ends = bytes
            .get(end)
            .is_none_or(|b| matches!(b, b' ' | b'\n' | b'\t' | b'\r' | b',' | b';' | b'!' | b'?' | b')' | b'"'));
        if length == 0 || !ends || bytes[at..end].eq_ignore_ascii_case(b"cannot") {
            return None;
        }
        let written = &self.text[at..end];
        self.found.push(Token {
            span: TextSpan::new(at, end),
            folded: written.to_ascii_lowercase(),
            kind: TokenKind::Word,
            capitalised: bytes[at].is_ascii_uppercase(),
        });
        Some(end)
    }

    /// A web or mail address from `at`, without punctuation that ends the sentence.
    fn address(&self, at: usize) -> Option<usize> {
        let scheme = self.short_run(at, |c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+' | '%'))?;
        let rest = &self.text[scheme..];
        let is_web =
            rest.starts_with("://") || self.text[at..].get(..4).is_some_and(|w| w.eq_ignore_ascii_case("www."));
        let is_mail = rest.starts_with('@') && rest[1..].starts_with(|c: char| c.is_ascii_alphanumeric());
        if !is_web && !is_mail {
            return None;
        }
        let end = if is_web {
            self.run(at, |c| {
                !c.is_whitespace() && !matches!(c, '<' | '>' | '"' | '|' | '\u{201d}' | '\u{300d}') && !is_unspaced(c)
            })
        } else {
            self.run(scheme + 1, |c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'))
        };
        let written = &self.text[at..end];
        let opened = written.matches('(').count();
        let mut closed = written.matches(')').count();
        let mut kept = written;
        // A bracket closes the address only if the address opened it.
        while let Some(last) = kept.chars().next_back() {
            match last {
                ')' if closed <= opened => break,
                ')' => closed -= 1,
                ']' | '}' | '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '-' | '*' | '_' => {}
                _ => break,
            }
            kept = &kept[..kept.len() - 1];
        }
        let kept_end = at + kept.len();
        // A host has a point: "a@b" is no address.
        (kept_end > scheme && self.text[scheme..kept_end].contains('.') || is_web && kept_end > at).then_some(kept_end)
    }

    /// "U.S.", "e.g.", "p.m.": single letters each followed by a point, or at least two joined by points.
    fn dotted_acronym(&self, at: usize, run: usize) -> Option<usize> {
        let mut letters = 0;
        let mut end = at;
        let mut run = run;
        while run - at <= LONGEST_JOINED {
            let mut part = self.text[end..run].chars();
            if !part.next().is_some_and(char::is_alphabetic) || part.next().is_some() {
                break;
            }
            letters += 1;
            if !self.text[run..].starts_with('.') {
                // "U.S" at the end of a sentence without its last point.
                return (letters >= 2).then_some(run);
            }
            end = run + 1;
            run = self.run(end, is_word_char);
        }
        (letters >= 2 && (end == run || !self.next(end).is_some_and(is_word_char))).then_some(end)
    }

    /// Letters and digits mixed, names with dots: part numbers, versions, file and host names.
    fn identifier(&self, at: usize, run: usize) -> Option<usize> {
        let mut end = run;
        let mut shape = Shape::default();
        shape.add(&self.text[at..run]);
        let mut joined_by_point = false;
        while let Some(joint) = self.next(end).filter(|c| is_hyphen(*c) || matches!(c, '.' | '/' | ':')) {
            let start = end + joint.len_utf8();
            let next = self.run(start, is_word_char);
            if next - at > LONGEST_JOINED {
                break;
            }
            let part = &self.text[start..next];
            let Some(first) = part.chars().next() else { break };
            match joint {
                // A capital after a point may be the next sentence, a lower-case letter after a number its unit.
                '.' if first.is_uppercase() || first.is_lowercase() && !shape.letters => break,
                '.' if first.is_numeric()
                    && !shape.digits
                    && !shape.mixed
                    && self.text[at..end].chars().count() > 4 =>
                {
                    break;
                }
                '.' => joined_by_point = true,
                '/' | ':' if !(shape.identifies() && part.starts_with(|c: char| c.is_numeric())) => break,
                _ => {}
            }
            shape.add(part);
            end = next;
        }
        if run - at > LONGEST_JOINED {
            return None;
        }
        let whole = &self.text[at..end];
        let covid_like = shape.parts == 2 && shape.capitalised_word_then_short_number;
        if shape.identifies() || covid_like || whole.contains('_') && whole.len() > 1 && shape.any() {
            return Some(end);
        }
        // "example.com", "index.html": letters joined by points to a lower-case ending of two letters or more.
        let name_like = joined_by_point
            && shape.letters
            && whole.rsplit('.').next().is_some_and(|last| last.chars().nth(1).is_some())
            && !whole.starts_with(char::is_numeric);
        name_like.then_some(end)
    }

    /// Digits with separators between them and a short lower-case ending.
    fn number(&mut self, at: usize, run: usize) -> usize {
        let mut end = run;
        while self.text[at..end].ends_with(char::is_numeric) {
            let Some(c) =
                self.next(end).filter(|c| matches!(c, ',' | '.' | ':' | '\'' | '\u{2019}' | '\u{66b}' | '\u{66c}'))
            else {
                break;
            };
            let start = end + c.len_utf8();
            if !self.next(start).is_some_and(char::is_numeric) {
                break;
            }
            end = self.run(start, is_word_char);
        }
        // Digits grouped by an apostrophe only: "'s" after a year is a genitive.
        self.push(at, end, TokenKind::Number, None);
        end
    }

    /// A word of letters, with hyphens and apostrophes inside; contractions and elisions are split off.
    fn letters(&mut self, at: usize, run: usize) -> usize {
        if let Some((elided, end)) = self.elided(at, run) {
            self.push(at, end, TokenKind::Word, Some(elided));
            return end;
        }
        let mut end = run;
        while let Some(joint) = self.next(end).filter(|c| is_hyphen(*c) || is_apostrophe(*c) || *c == '\u{b7}') {
            let start = end + joint.len_utf8();
            if !self.next(start).is_some_and(|c| c.is_alphabetic() && !is_unspaced(c)) {
                break;
            }
            end = self.run(start, is_word_char);
            if is_apostrophe(joint) && self.contraction(at, start - joint.len_utf8(), end) {
                return end;
            }
        }
        let written = &self.text[at..end];
        if written.eq_ignore_ascii_case("cannot") {
            self.push(at, at + 3, TokenKind::Word, None);
            self.push(at + 3, end, TokenKind::Word, None);
        } else {
            self.push(at, end, TokenKind::Word, None);
        }
        end
    }

    /// Splits `at..end` before its contracted ending, whose apostrophe stands at `apostrophe`; false if it has none.
    fn contraction(&mut self, at: usize, apostrophe: usize, end: usize) -> bool {
        let ending = fold(&self.text[apostrophe..end]);
        if ending == "'t" && self.text[at..apostrophe].ends_with(['n', 'N']) && apostrophe - at > 1 {
            let verb_end = apostrophe - 1;
            let verb = fold(&self.text[at..verb_end]);
            // "can't" is "can" and "'t".
            let verb = BEFORE_NOT.iter().find(|(short, _)| *short == verb).map_or(verb.as_str(), |(_, whole)| whole);
            self.push(at, verb_end, TokenKind::Word, Some(verb));
            self.push(verb_end, end, TokenKind::Word, Some("not"));
            return true;
        }
        let Some((_, whole)) = ENDINGS.iter().find(|(short, _)| *short == ending) else { return false };
        self.push(at, apostrophe, TokenKind::Word, None);
        self.push(apostrophe, end, TokenKind::Word, Some(whole));
        true
    }

    /// "l'" of "l'eau", "n'" of "n'est". A capital after it belongs to a name ("O'Brien", "L'Oréal") unless the
    /// elided word is lower-case ("d'Ivoire").
    fn elided(&self, at: usize, run: usize) -> Option<(&'static str, usize)> {
        let apostrophe = self.next(run).filter(|c| is_apostrophe(*c))?;
        let end = run + apostrophe.len_utf8();
        let following = self.next(end).filter(|c| c.is_alphabetic())?;
        let written = &self.text[at..run];
        if following.is_uppercase() && written.starts_with(char::is_uppercase) {
            return None;
        }
        // "don't", "I'm" and the like have longer or other first parts; "c'mon" is rare enough.
        let word = fold(written);
        let (_, whole) = ELIDED.iter().find(|(short, _)| *short == word)?;
        let rest_end = self.run(end, is_word_char);
        let rest = &self.text[run..rest_end];
        let is_ending = ENDINGS.iter().any(|(ending, _)| fold(rest) == *ending) || fold(rest) == "'t";
        (!is_ending).then_some((*whole, end))
    }
}

/// What the parts of a run joined by hyphens, points or slashes look like.
#[derive(Default)]
struct Shape {
    parts: usize,
    /// A part of letters only.
    letters: bool,
    /// A part of digits only.
    digits: bool,
    /// A part with digits and capitals.
    mixed: bool,
    /// A part of capitals only.
    capitals: bool,
    /// Digits after letters in one part, as in "v1", "p53".
    letter_then_digit: bool,
    /// A capitalised word, then a number below 1,000: "Covid-19", "Apollo-11".
    capitalised_word_then_short_number: bool,
}

impl Shape {
    fn add(&mut self, part: &str) {
        let has_digit = part.contains(char::is_numeric);
        let has_letter = part.contains(char::is_alphabetic);
        let has_capital = part.contains(char::is_uppercase);
        let has_small = part.contains(char::is_lowercase);
        self.parts += 1;
        if self.parts == 2 && self.letters && part.len() <= 3 && has_digit && !has_letter {
            self.capitalised_word_then_short_number &= true;
        } else if self.parts == 1 {
            self.capitalised_word_then_short_number = part.starts_with(char::is_uppercase) && !has_digit;
        } else {
            self.capitalised_word_then_short_number = false;
        }
        self.letters |= has_letter && !has_digit;
        self.digits |= has_digit && !has_letter;
        self.mixed |= has_digit && has_capital;
        self.capitals |= has_capital && !has_small && !has_digit;
        self.letter_then_digit |= has_digit && part.starts_with(char::is_alphabetic);
    }

    fn any(&self) -> bool {
        self.letters || self.digits || self.mixed || self.letter_then_digit
    }

    fn identifies(&self) -> bool {
        self.mixed || self.letter_then_digit || self.capitals && self.digits
    }
}

fn is_punctuation(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_punctuation() && !matches!(c, '$' | '+' | '<' | '=' | '>' | '^' | '`' | '|' | '~');
    }
    matches!(c, '\u{a1}' | '\u{a7}' | '\u{ab}' | '\u{b6}' | '\u{b7}' | '\u{bb}' | '\u{bf}' | '\u{2010}'..='\u{2027}'
        | '\u{2030}'..='\u{205e}' | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}'
        | '\u{30fb}' | '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff3d}' | '\u{ff5b}'
        | '\u{ff5d}' | '\u{ff5f}'..='\u{ff65}' | '\u{37e}' | '\u{387}' | '\u{55a}'..='\u{55f}' | '\u{589}'
        | '\u{5be}' | '\u{5c0}' | '\u{5c3}' | '\u{60c}' | '\u{61b}' | '\u{61f}' | '\u{66a}' | '\u{6d4}'
        | '\u{964}' | '\u{965}' | '\u{1362}'..='\u{1368}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn folded(text: &str) -> Vec<String> {
        tokens(text).into_iter().map(|token| token.folded).collect()
    }

    fn kinds(text: &str) -> Vec<TokenKind> {
        tokens(text).into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn a_contracted_negation_stands_alone() {
        assert_eq!(
            folded("She didn't, won’t and can't."),
            ["she", "did", "not", ",", "will", "not", "and", "can", "not", "."]
        );
        assert_eq!(folded("It cannot"), ["it", "can", "not"]);
        assert_eq!(folded("Ce n'est pas"), ["ce", "ne", "est", "pas"]);
    }

    #[test]
    fn genitives_and_names_with_apostrophes_keep_their_stem() {
        assert_eq!(
            folded("Norway's O'Brien of Côte d'Ivoire"),
            ["norway", "'s", "o'brien", "of", "cote", "d'", "ivoire"]
        );
        assert_eq!(folded("L'Oréal, l’eau"), ["l'oreal", ",", "l'", "eau"]);
    }

    #[test]
    fn identifiers_and_addresses_stay_whole() {
        for text in ["QX-7741", "CVE-2024-1234", "COVID-19", "Covid-19", "A17", "F-16", "v1.2.3", "p53", "my_name_2"] {
            assert_eq!(kinds(text), [TokenKind::Identifier], "{text}");
        }
        for text in ["https://example.com/a?b=(c)", "www.example.com", "jo.doe@example.com"] {
            assert_eq!(kinds(text), [TokenKind::Address], "{text}");
        }
        assert_eq!(folded("(see https://example.com/a.)"), ["(", "see", "https://example.com/a", ".", ")"]);
        assert_eq!(folded("at example.com."), ["at", "example.com", "."]);
    }

    #[test]
    fn numbers_keep_their_separators_and_leave_ranges_apart() {
        assert_eq!(folded("1,234.5 kg"), ["1,234.5", "kg"]);
        assert_eq!(folded("2019–2020"), ["2019", "-", "2020"]);
        assert_eq!(folded("a 15-year term"), ["a", "15", "-", "year", "term"]);
        assert_eq!(folded("in 1990."), ["in", "1990", "."]);
        assert_eq!(kinds("20th 1990s"), [TokenKind::Number, TokenKind::Number]);
        assert_eq!(folded("mid-1990s"), ["mid", "-", "1990s"]);
    }

    #[test]
    fn dotted_acronyms_lose_their_dots() {
        assert_eq!(folded("U.S. p.m. e.g. J. Smith"), ["us", "pm", "eg", "j", ".", "smith"]);
        assert_eq!(folded("world.Today"), ["world", ".", "today"]);
    }

    #[test]
    fn scripts_without_spaces_give_single_characters() {
        assert_eq!(folded("青石桥建于1958年。"), ["青", "石", "桥", "建", "于", "1958", "年", "."]);
        assert_eq!(kinds("データ"), [TokenKind::Word]);
    }

    #[test]
    fn long_runs_take_linear_time() {
        for unit in [
            "a-", "1-", "1.a", "a.", "l'", "a'", "www.", "a@", ")", "x", "1", "a_", "-", "\u{301}", "\u{200d}",
            "1a-B2/",
        ] {
            let text = unit.repeat(500_000 / unit.len());
            assert!(tokens(&text).len() <= text.len());
        }
    }

    proptest! {
        #[test]
        fn tokens_are_in_order_and_cover_all_that_shows(text in any::<String>()) {
            let mut end = 0;
            let visible = |part: &str| part.chars().any(|c| !c.is_whitespace() && !is_invisible(c));
            for token in tokens(&text) {
                prop_assert!(token.span.start >= end);
                prop_assert!(!token.span.is_empty());
                prop_assert!(token.span.get(&text).is_some());
                prop_assert!(!visible(&text[end..token.span.start]));
                end = token.span.end;
            }
            prop_assert!(!visible(&text[end..]));
        }
    }
}
