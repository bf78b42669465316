//! Words, and how many word pieces a tokenizer is likely to make of them.
//!
//! Windows must fit an embedding model that reads 256 tokens, two of them marks. The tokenizer itself belongs to
//! another room, so its count is estimated here: a word costs one piece for each five letters, digits one for each two,
//! marks and characters of scripts without spaces one each. Against all-MiniLM's own count this is about a fifth too
//! high in English and a fifth too low in German, and 22 % too low at worst (a list of Icelandic names), over 195,000
//! windows; so a window is filled to 200 only.

use std::collections::VecDeque;

use unicode_normalization::char::is_combining_mark;

use crate::text::TextSpan;

/// Estimated word pieces that a window may hold.
pub const MAX_WINDOW_PIECES: u32 = 200;

/// How a sentence that is too long for a window is cut.
pub(super) const LONG_SENTENCE: Room =
    Room { words: usize::MAX, pieces: 170, shared_words: usize::MAX, shared_pieces: 30 };

/// What a window of words may hold and share with the one before.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    pub(super) words: usize,
    /// Estimated word pieces; a single word may never need more.
    pub(super) pieces: u32,
    pub(super) shared_words: usize,
    pub(super) shared_pieces: u32,
}

/// Characters after which a run without any white space is cut.
const LONGEST_WORD: usize = 40;

/// A word, or a part of a very long one, or a character of a script without spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word {
    /// Bytes of the text that was given.
    pub(super) span: TextSpan,
    /// Estimated word pieces, at least 1.
    pub(super) pieces: u32,
}

/// Estimated number of word pieces in `text`, without the marks at its ends.
///
/// ```
/// assert_eq!(evidex::chunk::estimated_pieces("The bridge is 312 m long."), 9);
/// ```
pub fn estimated_pieces(text: &str) -> u32 {
    words(text).fold(0, |sum, word| sum.saturating_add(word.pieces))
}

/// The words of `text`, in order. Every character that is not white space is in exactly one.
pub(super) fn words(text: &str) -> Words<'_> {
    Words { text, at: 0 }
}

/// See [`words`].
pub(super) struct Words<'a> {
    text: &'a str,
    at: usize,
}

impl Iterator for Words<'_> {
    type Item = Word;

    fn next(&mut self) -> Option<Word> {
        let rest = &self.text[self.at..];
        let skipped = rest.len() - rest.trim_start().len();
        let start = self.at + skipped;
        let mut pieces = PieceCount::default();
        let mut end = start;
        for (count, character) in self.text[start..].chars().enumerate() {
            let attached = is_combining_mark(character) || is_joiner(character);
            if character.is_whitespace()
                || count > 0 && !attached && (count >= LONGEST_WORD || is_unspaced(character))
                || count >= 2 * LONGEST_WORD
            {
                break;
            }
            pieces.add(character);
            end += character.len_utf8();
            if is_unspaced(character) {
                // Its marks stay with it.
                end += self.text[end..]
                    .chars()
                    .take(LONGEST_WORD)
                    .take_while(|next| is_combining_mark(*next) || is_joiner(*next))
                    .map(char::len_utf8)
                    .sum::<usize>();
                break;
            }
        }
        self.at = end;
        (end > start).then(|| Word { span: TextSpan::new(start, end), pieces: pieces.total().max(1) })
    }
}

/// Windows over the words of `text` that fill `room`, each with its estimated word pieces.
pub(super) fn word_windows(text: &str, room: Room) -> Vec<(TextSpan, u32)> {
    let mut windows = Vec::new();
    let mut open: VecDeque<Word> = VecDeque::new();
    let mut pieces = 0;
    for word in words(text) {
        if open.len() >= room.words || pieces + word.pieces > room.pieces {
            windows.extend(cover(&open).map(|span| (span, pieces)));
            while open.len() > room.shared_words || pieces > room.shared_pieces || pieces + word.pieces > room.pieces {
                let Some(dropped) = open.pop_front() else { break };
                pieces -= dropped.pieces;
            }
        }
        pieces += word.pieces;
        open.push_back(word);
    }
    windows.extend(cover(&open).map(|span| (span, pieces)));
    windows
}

fn cover(words: &VecDeque<Word>) -> Option<TextSpan> {
    Some(TextSpan::new(words.front()?.span.start, words.back()?.span.end))
}

/// Counts pieces over the letters, digits and marks of one word.
#[derive(Default)]
struct PieceCount {
    total: u32,
    run: u32,
    kind: Kind,
}

/// What a run of characters is made of.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Latin letters.
    #[default]
    Letters,
    /// Digits.
    Digits,
    /// Letters of other alphabets, which English vocabularies spell out.
    OtherLetters,
    /// Each character for itself.
    Marks,
}

impl PieceCount {
    fn add(&mut self, character: char) {
        let kind = if character.is_ascii_alphabetic() || ('\u{c0}'..'\u{250}').contains(&character) {
            Kind::Letters
        } else if character.is_ascii_digit() {
            Kind::Digits
        } else if character.is_alphabetic() && !is_unspaced(character) {
            Kind::OtherLetters
        } else {
            Kind::Marks
        };
        if kind != self.kind {
            self.close();
            self.kind = kind;
        }
        self.run += 1;
    }

    fn close(&mut self) {
        self.total += match self.kind {
            Kind::Letters => self.run.div_ceil(5),
            Kind::Digits => self.run.div_ceil(2),
            Kind::OtherLetters | Kind::Marks => self.run,
        };
        self.run = 0;
    }

    fn total(mut self) -> u32 {
        self.close();
        self.total
    }
}

/// Zero-width joiners and variation selectors: never cut before one.
const fn is_joiner(character: char) -> bool {
    matches!(character, '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}')
}

/// Whether the script of `character` is written without spaces between words (Han, kana, Thai, Lao, Khmer, Burmese).
pub(super) const fn is_unspaced(character: char) -> bool {
    matches!(character,
        '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{2e80}'..='\u{2fdf}' | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9d}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        words(text).map(|word| word.span.of(text)).collect()
    }

    #[test]
    fn words_are_split_at_white_space_and_at_each_han_character() {
        assert_eq!(texts(" Arden  has\n12,000 people. "), ["Arden", "has", "12,000", "people."]);
        assert_eq!(texts("塔高120米"), ["塔", "高", "120", "米"]);
    }

    #[test]
    fn a_run_without_white_space_is_cut_after_forty_characters() {
        let text = "x".repeat(100);
        assert_eq!(words(&text).map(|word| word.span.len()).collect::<Vec<_>>(), [40, 40, 20]);
    }

    #[test]
    fn pieces_are_counted_for_letters_digits_and_marks() {
        assert_eq!(estimated_pieces(""), 0);
        assert_eq!(estimated_pieces("population"), 2);
        assert_eq!(estimated_pieces("1234"), 2);
        assert_eq!(estimated_pieces("塔高120米。"), 6);
    }

    #[test]
    fn thousands_of_marks_on_one_letter_are_cut_all_the_same() {
        let text = format!("a{}", "\u{301}".repeat(5000));
        let spans: Vec<_> = words(&text).map(|word| word.span).collect();
        assert!(spans.len() > 1);
        assert_eq!(spans.iter().map(|span| span.len()).sum::<usize>(), text.len());
    }
}
