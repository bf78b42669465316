//! From a text to the word pieces of an uncased BERT vocabulary: what the static embedder looks up.
//!
//! In: any text. Out: the ids that the tokenizer of all-MiniLM gives, in order and without special ones. The tests hold the two
//! against each other, for characters of Unicode 8: that library knows no marks and punctuation of later versions. A text is
//! cleaned of control characters, its marks and its case are folded, words are split at spaces and punctuation, and of each
//! word the longest piece that the vocabulary knows is taken, again and again (WordPiece, Wu et al., 2016). A word with a
//! part that is in no piece is one unknown token.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;
use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// What marks a piece that goes on with a word.
const CONTINUATION: &str = "##";

static NONSPACING: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^\p{Mn}$").expect("a pattern"));
static PUNCTUATION: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^\p{P}$").expect("a pattern"));
static INVISIBLE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^[\p{Cc}\p{Cf}\p{Co}]$").expect("a pattern"));

/// A vocabulary of word pieces.
#[derive(Debug, Clone)]
pub(super) struct WordPieces {
    /// Pieces that begin a word.
    first: HashMap<String, u32>,
    /// Pieces that go on with one, without their mark.
    next: HashMap<String, u32>,
    unknown: u32,
    /// Bytes of the longest piece.
    longest: usize,
    /// Words of more characters are unknown.
    word_limit: usize,
}

#[derive(Deserialize)]
struct TokenizerFile {
    normalizer: Normalizer,
    model: Model,
}

#[derive(Deserialize)]
struct Normalizer {
    #[serde(rename = "type")]
    kind: String,
    lowercase: bool,
}

#[derive(Deserialize)]
struct Model {
    #[serde(rename = "type")]
    kind: String,
    unk_token: String,
    continuing_subword_prefix: String,
    max_input_chars_per_word: usize,
    vocab: HashMap<String, u32>,
}

impl WordPieces {
    /// Reads the vocabulary of a `tokenizer.json`.
    ///
    /// # Errors
    /// What is wrong with it, or asks for what is not built.
    pub(super) fn read(json: &[u8]) -> Result<Self, String> {
        let file: TokenizerFile = serde_json::from_slice(json).map_err(|error| error.to_string())?;
        let model = file.model;
        if model.kind != "WordPiece" || model.continuing_subword_prefix != CONTINUATION {
            return Err("it is no vocabulary of word pieces".to_owned());
        }
        if file.normalizer.kind != "BertNormalizer" || !file.normalizer.lowercase {
            return Err("it does not fold texts as an uncased BERT does".to_owned());
        }
        let unknown = *model.vocab.get(&model.unk_token).ok_or("it has no token for unknown words")?;
        let longest = model.vocab.keys().map(String::len).max().unwrap_or(0);
        let (next, first): (Vec<_>, Vec<_>) =
            model.vocab.into_iter().partition(|(piece, _)| piece.starts_with(CONTINUATION));
        let next = next.into_iter().map(|(piece, id)| (piece[CONTINUATION.len()..].to_owned(), id)).collect();
        let word_limit = model.max_input_chars_per_word;
        Ok(Self { first: first.into_iter().collect(), next, unknown, longest, word_limit })
    }

    /// The largest id.
    pub(super) fn last_id(&self) -> u32 {
        self.first.values().chain(self.next.values()).copied().max().unwrap_or(0)
    }

    /// The ids of the text's pieces.
    pub(super) fn ids(&self, text: &str) -> Vec<u32> {
        let mut ids = Vec::with_capacity(text.len() / 4);
        let mut word = Word::default();
        for c in text.chars() {
            if c.is_ascii() {
                match c {
                    ' ' | '\t' | '\n' | '\r' => self.end(&mut word, &mut ids),
                    c if c.is_ascii_control() => {}
                    c if c.is_ascii_punctuation() => self.alone(c, &mut word, &mut ids),
                    c => word.push(c.to_ascii_lowercase(), self.word_limit),
                }
            } else {
                self.beyond_ascii(c, &mut word, &mut ids);
            }
        }
        self.end(&mut word, &mut ids);
        ids
    }

    fn beyond_ascii(&self, c: char, word: &mut Word, ids: &mut Vec<u32>) {
        if c == char::REPLACEMENT_CHARACTER || is(&INVISIBLE, c) {
            return;
        }
        if c.is_whitespace() {
            return self.end(word, ids);
        }
        let ideograph = is_ideograph(c);
        if ideograph {
            self.end(word, ids);
        }
        decompose_canonical(c, |part| {
            if is_combining_mark(part) && is(&NONSPACING, part) {
                return;
            }
            for part in part.to_lowercase() {
                if part.is_ascii_punctuation() || is(&PUNCTUATION, part) {
                    self.alone(part, word, ids);
                } else {
                    word.push(part, self.word_limit);
                }
            }
        });
        if ideograph {
            self.end(word, ids);
        }
    }

    /// Ends the word, and takes `c` as one of its own.
    fn alone(&self, c: char, word: &mut Word, ids: &mut Vec<u32>) {
        self.end(word, ids);
        word.push(c, self.word_limit);
        self.end(word, ids);
    }

    fn end(&self, word: &mut Word, ids: &mut Vec<u32>) {
        if word.characters > self.word_limit {
            ids.push(self.unknown);
        } else if word.characters > 0 {
            self.split(&word.text, ids);
        }
        word.text.clear();
        word.characters = 0;
    }

    /// The longest piece of what is left, until nothing is.
    fn split(&self, word: &str, ids: &mut Vec<u32>) {
        let (before, mut rest, mut pieces) = (ids.len(), word, &self.first);
        while !rest.is_empty() {
            let lengths = (1..=rest.len().min(self.longest)).rev().filter(|&length| rest.is_char_boundary(length));
            let found = lengths.filter_map(|length| pieces.get(&rest[..length]).map(|&id| (id, length))).next();
            let Some((id, length)) = found else {
                ids.truncate(before);
                ids.push(self.unknown);
                return;
            };
            ids.push(id);
            (rest, pieces) = (&rest[length..], &self.next);
        }
    }
}

/// A word that is being read.
#[derive(Default)]
struct Word {
    text: String,
    characters: usize,
}

impl Word {
    /// Takes a character; of a word that is too long no more than its length is kept.
    fn push(&mut self, c: char, limit: usize) {
        self.characters += 1;
        if self.characters <= limit {
            self.text.push(c);
        }
    }
}

/// Whether the pattern, of one class of characters that are no letters, holds `c`.
fn is(pattern: &Regex, c: char) -> bool {
    // Most characters are letters, which costs less to see; some marks count as letters too.
    if c.is_alphanumeric() && !is_combining_mark(c) {
        return false;
    }
    pattern.is_match(c.encode_utf8(&mut [0; 4]))
}

/// Whether BERT takes the character as a word of its own: the ideographs that Chinese, Japanese and Korean share.
fn is_ideograph(c: char) -> bool {
    matches!(u32::from(c),
        0x4E00..=0x9FFF | 0x3400..=0x4DBF | 0x2_0000..=0x2_A6DF | 0x2_A700..=0x2_B73F | 0x2_B740..=0x2_B81F
        | 0x2_B920..=0x2_CEAF | 0xF900..=0xFAFF | 0x2_F800..=0x2_FA1F)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/models/evidex-static-1/tokenizer.json");

    #[test]
    fn the_longest_piece_is_taken_and_a_word_with_an_unknown_part_is_unknown() {
        let vocabulary = r###"{"normalizer":{"type":"BertNormalizer","lowercase":true},"model":{"type":"WordPiece",
            "unk_token":"?","continuing_subword_prefix":"##","max_input_chars_per_word":12,
            "vocab":{"?":0,"tun":1,"tunnel":2,"##nel":3,"##s":4,".":5,"c":6,"##afe":7,"##n":8}}}"###;
        let pieces = WordPieces::read(vocabulary.as_bytes()).expect("reads");
        assert_eq!(pieces.ids("Tunnels. tunnelx TUN"), [2, 4, 5, 0, 1]);
        assert_eq!(pieces.ids("Café\u{301} tun\u{200b}nel"), [6, 7, 2]);
        assert_eq!(pieces.ids("tunnnnnnnnnn tunnnnnnnnnnn"), [1, 8, 8, 8, 8, 8, 8, 8, 8, 8, 0]);
        assert_eq!((pieces.ids(" \n\t"), pieces.last_id()), (Vec::new(), 8));
    }

    #[test]
    fn a_file_of_another_kind_is_refused_with_the_reason() {
        assert!(WordPieces::read(b"{}").is_err());
        let cased =
            std::fs::read_to_string(FILE).expect("reads").replace(r#""lowercase": true"#, r#""lowercase": false"#);
        let cased = cased.replace(r#""lowercase":true"#, r#""lowercase":false"#);
        assert!(WordPieces::read(cased.as_bytes()).is_err_and(|reason| reason.contains("uncased")));
    }

    #[cfg(feature = "onnx")]
    mod as_the_tokenizers_library {
        use proptest::prelude::*;

        use super::*;
        use crate::onnx::TextTokenizer;

        fn pieces() -> WordPieces {
            WordPieces::read(&std::fs::read(FILE).expect("is part of the repository")).expect("reads")
        }

        fn theirs() -> TextTokenizer {
            TextTokenizer::load(std::path::Path::new(FILE)).expect("loads")
        }

        #[test]
        fn texts_of_many_scripts_have_the_same_pieces() {
            let (ours, theirs) = (pieces(), theirs());
            let texts = [
                "The Ilva bridge is 1,340.5 m long; it (re)opened on 3 May 1931!",
                "Não há ação sem coração — «disse-lhe»… Straße, ŁÓDŹ, naïve café\u{301}, İstanbul",
                "Привет, мир! Ёлка й. Ελληνικά; \u{37e} ᾧδε. עברית שָׁלוֹם العربيّة",
                "東京は日本の首都です。한국어 문장. ภาษาไทย हिन्दी में लिखा",
                "[SEP] [CLS] ##ing <b>x</b> a_b $5 ^~`|=+ 10^6 H₂O x² ½ ™ © № 😀👍🏽 \u{fe0f}",
                "\u{0}nul \u{fffd}bad \u{b}vt \u{c}ff \u{85}nel \u{a0}nbsp \u{ad}shy \u{200b}zw \u{2028}ls \u{feff}bom \u{e000}private",
                "supercalifragilisticexpialidocious pneumonoultramicroscopicsilicovolcanoconiosis",
                "豈\u{f900} \u{2f800} Å \u{212b} ﬁ ǆ",
            ];
            for text in texts {
                assert_eq!(ours.ids(text), theirs.tokens(text).expect("reads").get_ids(), "{text}");
            }
            let long = format!("{} {}", "x".repeat(100), "x".repeat(101));
            assert_eq!(ours.ids(&long), theirs.tokens(&long).expect("reads").get_ids());
        }

        proptest! {
            #[test]
            fn any_text_has_the_same_pieces(
                text in "[\\x00-\u{24f}\u{300}-\u{330}\u{370}-\u{52f}\u{5d0}-\u{5ea}\u{620}-\u{64f}\u{2010}-\u{2030}\u{4e00}-\u{4e20}\u{ac00}-\u{ac20} a-z]{0,80}"
            ) {
                thread_local!(static BOTH: (WordPieces, TextTokenizer) = (pieces(), theirs()));
                BOTH.with(|(ours, theirs)| {
                    let expected = theirs.tokens(&text).expect("reads").get_ids().to_vec();
                    prop_assert_eq!(ours.ids(&text), expected);
                    Ok(())
                })?;
            }
        }
    }
}
