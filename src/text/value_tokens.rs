//! One linear scan of a text into words, digit runs, spaces and symbols: what dates, quantities and sums are read from.
//!
//! Tokens tile the text: each begins where the one before ends, on character boundaries. Runs that are addresses
//! (URLs, e-mail) are marked [`Kind::Opaque`] as a whole, so that nobody reads numbers in them.

use super::lexicon::{self, Entry, NumberWord, TONGUES, Tongue};

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters; a single character in scripts written without spaces.
    Word,
    /// Decimal digits of one script or several.
    Digits,
    /// White space.
    Space,
    /// Any other single character.
    Symbol,
    /// Part of an address.
    Opaque,
}

/// A piece of the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
    /// Its first character; for spaces `'\n'` when they hold one line break, `'\r'` when they hold several.
    pub first: char,
    /// What the lexicon says, for words.
    pub entry: Entry,
}

/// A text with its tokens.
#[derive(Debug)]
pub(super) struct Scan<'a> {
    pub text: &'a str,
    pub tokens: Vec<Token>,
    /// The language that most of its common words belong to; English if none tells.
    pub tongue: Tongue,
}

/// The digit's value, in the scripts whose digits are read.
pub(super) const fn digit_value(c: char) -> Option<u8> {
    let code = c as u32;
    let zero = match code {
        0x30..=0x39 => 0x30,
        0x660..=0x669 => 0x660,
        0x6F0..=0x6F9 => 0x6F0,
        0x966..=0x96F => 0x966,
        0xFF10..=0xFF19 => 0xFF10,
        _ => return None,
    };
    #[expect(clippy::cast_possible_truncation, reason = "the difference is 0 to 9")]
    Some((code - zero) as u8)
}

/// Whether the character is of a script that is written without spaces between words.
pub(super) const fn is_unspaced(c: char) -> bool {
    matches!(c as u32, 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x2FFFF)
}

fn kind_of(c: char) -> Kind {
    if c.is_ascii() {
        return match c {
            'a'..='z' | 'A'..='Z' => Kind::Word,
            '0'..='9' => Kind::Digits,
            ' ' | '\t' | '\n' | '\r' | '\x0b' | '\x0c' => Kind::Space,
            _ => Kind::Symbol,
        };
    }
    if digit_value(c).is_some() {
        Kind::Digits
    } else if matches!(c, 'ª' | 'º') {
        Kind::Symbol
    } else if c.is_alphabetic() || matches!(c as u32, 0x300..=0x36F) {
        Kind::Word
    } else if c.is_whitespace() || c == '\u{feff}' {
        Kind::Space
    } else {
        Kind::Symbol
    }
}

/// Endings of host names that mark a run as an address even without a scheme.
const DOMAIN_ENDINGS: [&str; 12] = ["com", "org", "net", "io", "gov", "edu", "dev", "info", "uk", "de", "br", "pt"];

/// Cuts `text` into tokens.
pub(super) fn scan(text: &str) -> Scan<'_> {
    let mut tokens: Vec<Token> = Vec::with_capacity(text.len() / 3 + 4);
    let mut common = [0_u32; 5];
    let mut characters = text.char_indices().peekable();
    let mut run_start = 0;
    while let Some((start, first)) = characters.next() {
        let kind = kind_of(first);
        let single = kind == Kind::Symbol || is_unspaced(first);
        let mut end = start + first.len_utf8();
        let mut line_breaks = u8::from(first == '\n');
        if !single {
            while let Some(&(at, c)) = characters.peek() {
                if kind_of(c) != kind || is_unspaced(c) {
                    break;
                }
                end = at + c.len_utf8();
                if c == '\n' {
                    line_breaks = line_breaks.saturating_add(1);
                }
                characters.next();
            }
        }
        let entry = if kind == Kind::Word { lexicon::look_up(&text[start..end]) } else { Entry::NOTHING };
        if entry.common_in != 0 {
            for (bit, count) in common.iter_mut().enumerate() {
                *count += u32::from(entry.common_in >> bit & 1);
            }
        }
        let first = match (kind, line_breaks) {
            (Kind::Space, 0) => ' ',
            (Kind::Space, 1) => '\n',
            (Kind::Space, _) => '\r',
            _ => first,
        };
        if kind == Kind::Space {
            mark_address(text, &mut tokens[run_start..]);
            run_start = tokens.len() + 1;
        }
        tokens.push(Token { kind, start, end, first, entry });
    }
    if run_start < tokens.len() {
        mark_address(text, &mut tokens[run_start..]);
    }
    let best = (0..5).max_by_key(|&bit| (common[bit], 5 - bit)).unwrap_or(0);
    Scan { text, tokens, tongue: TONGUES[best] }
}

/// Marks a run without spaces as opaque if it is an address.
fn mark_address(text: &str, run: &mut [Token]) {
    if run.len() < 3 {
        return;
    }
    let is_address = run.windows(3).any(|three| match three[1].first {
        '@' => three[0].kind != Kind::Symbol && three[2].kind != Kind::Symbol,
        ':' => three[2].first == '/' && three[0].kind == Kind::Word,
        '.' => {
            three[0].kind == Kind::Word && three[2].kind == Kind::Word && {
                let (before, after) = (&text[three[0].start..three[0].end], &text[three[2].start..three[2].end]);
                before == "www" || DOMAIN_ENDINGS.contains(&after)
            }
        }
        _ => false,
    });
    if is_address {
        for token in run {
            token.kind = Kind::Opaque;
        }
    }
}

impl<'a> Scan<'a> {
    /// The token at `i`.
    pub(super) fn at(&self, i: usize) -> Option<&Token> {
        self.tokens.get(i)
    }

    /// The token before `i`.
    pub(super) fn before(&self, i: usize) -> Option<&Token> {
        i.checked_sub(1).and_then(|i| self.tokens.get(i))
    }

    /// The kind of the token at `i`.
    pub(super) fn kind(&self, i: usize) -> Option<Kind> {
        self.at(i).map(|token| token.kind)
    }

    /// The text of the token at `i`, empty past the end.
    pub(super) fn str(&self, i: usize) -> &'a str {
        self.at(i).map_or("", |token| &self.text[token.start..token.end])
    }

    /// Whether the token at `i` is the symbol `c`.
    pub(super) fn is(&self, i: usize, c: char) -> bool {
        self.at(i).is_some_and(|token| token.kind == Kind::Symbol && token.first == c)
    }

    /// Whether the token at `i` is a word equal to `word` (ASCII lower-case), whatever its case.
    pub(super) fn is_word(&self, i: usize, word: &str) -> bool {
        self.kind(i) == Some(Kind::Word) && self.str(i).eq_ignore_ascii_case(word)
    }

    /// Whether the token at `i` is one of these words, whatever its case.
    pub(super) fn is_any(&self, i: usize, words: &[&str]) -> bool {
        self.kind(i) == Some(Kind::Word) && {
            let word = self.str(i);
            words.iter().any(|other| word.eq_ignore_ascii_case(other)) || {
                !word.is_ascii() && {
                    let lower = word.to_lowercase();
                    words.contains(&lower.as_str())
                }
            }
        }
    }

    /// The index after a space at `i` that does not end a line, or ends it before a word in lower case.
    pub(super) fn past_space(&self, i: usize) -> usize {
        match self.at(i) {
            Some(token) if token.kind == Kind::Space => match token.first {
                ' ' => i + 1,
                '\n' if self.at(i + 1).is_some_and(|next| next.first.is_lowercase()) => i + 1,
                _ => i,
            },
            _ => i,
        }
    }

    /// The index of the word before `i`, over one space within a line.
    pub(super) fn word_before(&self, i: usize) -> Option<usize> {
        let mut j = i.checked_sub(1)?;
        if self.kind(j) == Some(Kind::Space) {
            if self.tokens[j].first == '\r' {
                return None;
            }
            j = j.checked_sub(1)?;
        }
        (self.kind(j) == Some(Kind::Word)).then_some(j)
    }

    /// Whether the word at `i` starts with a capital.
    pub(super) fn is_capital(&self, i: usize) -> bool {
        self.at(i).is_some_and(|token| token.kind == Kind::Word && token.first.is_uppercase())
    }

    /// Whether a sentence, line or cell starts at `i`, as far as the token before tells.
    pub(super) fn starts_sentence(&self, i: usize) -> bool {
        let mut j = i;
        while let Some(token) = self.before(j) {
            match token.kind {
                Kind::Space if token.first == ' ' => j -= 1,
                Kind::Space => return true,
                Kind::Symbol if matches!(token.first, '"' | '“' | '\'' | '‘' | '(' | '*' | '_' | '#' | '>' | '«') =>
                {
                    j -= 1;
                }
                Kind::Symbol => {
                    return matches!(token.first, '.' | '!' | '?' | ':' | ';' | '|' | '•' | '-' | '–' | '。' | '…');
                }
                _ => return false,
            }
        }
        true
    }

    /// What the word at `i` does in a number, in this text's language.
    pub(super) fn number_word(&self, i: usize) -> NumberWord {
        match self.at(i) {
            Some(token) if token.kind == Kind::Word => match token.entry.only {
                Some(tongue) if tongue != self.tongue => NumberWord::No,
                _ => token.entry.number,
            },
            _ => NumberWord::No,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_tile_the_text() {
        let text = "Né à 16\u{a0}181 km², 全长420米 — x@y.de, https://a.b/2024?x=5 ok";
        let scan = scan(text);
        let mut end = 0;
        for token in &scan.tokens {
            assert_eq!(token.start, end);
            end = token.end;
        }
        assert_eq!(end, text.len());
    }

    #[test]
    fn addresses_are_opaque_as_a_whole() {
        let scan = scan("See https://example.org/2024/05 and 12 more");
        let opaque: String =
            scan.tokens.iter().filter(|token| token.kind == Kind::Opaque).map(|t| &scan.text[t.start..t.end]).collect();
        assert_eq!(opaque, "https://example.org/2024/05");
    }

    #[test]
    fn the_language_is_told_by_common_words() {
        assert_eq!(scan("Das Museum wurde 1987 eröffnet und ist").tongue, Tongue::German);
        assert_eq!(scan("A ponte tem 1.234,5 metros.").tongue, Tongue::Portuguese);
        assert_eq!(scan("12").tongue, Tongue::English);
    }
}
