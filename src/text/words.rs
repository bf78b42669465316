//! What words mean to a comparison: their stems, and which of them carry content.

use rust_stemmers::{Algorithm, Stemmer};

use super::function_words::is_function_word;
use super::language::Language;
use super::normalise::fold;
use super::tokens::{TokenKind, is_apostrophe, is_hyphen, tokens};

/// The stem of a word as written (in any case, diacritics kept), folded, so that forms of one word compare equal.
/// A language without a stemmer of ours gives the folded word.
pub fn stem(word: &str, language: Language) -> String {
    let algorithm = match language {
        Language::English | Language::Unknown => Algorithm::English,
        Language::Portuguese => Algorithm::Portuguese,
        Language::German => Algorithm::German,
        Language::Spanish => Algorithm::Spanish,
        Language::French => Algorithm::French,
        Language::Italian => Algorithm::Italian,
        Language::Dutch => Algorithm::Dutch,
        _ => return fold(word),
    };
    let lower = word.to_lowercase().replace('\u{2019}', "'");
    fold(&Stemmer::create(algorithm).stem(&lower))
}

/// Whether a word carries no content of its own. Negations and restrictions ("not", "without", "only") do carry some.
pub fn is_stop_word(word: &str, language: Language) -> bool {
    is_function_word(&fold(word), language)
}

/// The stems of the words, numbers and identifiers that carry content, in order. Hyphenated words give their parts.
///
/// ```
/// use evidex::text::{Language, content_words};
/// assert_eq!(content_words("The bridges were not rebuilt.", Language::English), ["bridg", "not", "rebuilt"]);
/// ```
pub fn content_words(text: &str, language: Language) -> Vec<String> {
    let mut words = Vec::new();
    for token in tokens(text) {
        match token.kind {
            TokenKind::Word => {
                if is_function_word(&token.folded, language) {
                    continue;
                }
                let written = token.span.of(text);
                if is_contraction(written, &token.folded) || written.contains('.') {
                    words.push(token.folded);
                } else {
                    words.extend(
                        written
                            .split(is_hyphen)
                            .filter(|part| !part.is_empty() && !is_stop_word(part, language))
                            .map(|part| stem(part, language)),
                    );
                }
            }
            TokenKind::Number | TokenKind::Identifier | TokenKind::Address | TokenKind::Ideograph => {
                words.push(token.folded);
            }
            TokenKind::Punctuation | TokenKind::Symbol => {}
        }
    }
    words
}

/// Whether the folded form is another word than the one written ("n't" for "not").
fn is_contraction(written: &str, folded: &str) -> bool {
    written.contains(is_apostrophe) && !folded.contains('\'')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_join_the_forms_of_a_word() {
        assert_eq!(stem("Bridges", Language::English), stem("bridge", Language::English));
        assert_eq!(stem("populações", Language::Portuguese), stem("população", Language::Portuguese));
        assert_eq!(stem("Häuser", Language::German), stem("Hauses", Language::German));
    }

    #[test]
    fn content_words_keep_negations() {
        assert_eq!(
            content_words("The well-known actor isn't in it", Language::English),
            ["well", "known", "actor", "not"]
        );
    }
}
