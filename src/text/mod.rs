//! Reading text: pure functions from a string to spans and values in it.
//!
//! Every span is in bytes, half-open and on character boundaries of the string that was given. Nothing here
//! allocates more than a constant times its input, panics, or looks at anything but its arguments.

mod blocks;
mod blocks_html;
mod blocks_markdown;
mod dates;
mod function_words;
mod language;
mod mentions;
mod normalise;
mod quantities;
mod reading;
mod sentences;
mod sentences_abbreviations;
#[cfg(test)]
mod sentences_behaviour_tests;
mod sentences_end;
mod sentences_headings;
mod sentences_lines;
mod sentences_lists;
mod sentences_marks;
#[cfg(test)]
mod sentences_tests;
mod span;
mod tokens;
mod words;

pub use blocks::{Block, BlockKind, Syntax, blocks};
pub use dates::{DateAgreement, DateGrain, DateMention, DateOrder};
pub use language::{Language, LanguageGuess, language};
pub use mentions::{Mention, MentionKind, NameMatch, mentions, mentions_of_tokens};
pub use normalise::fold;
pub use quantities::{Agreement, Dimension, Hedge, NumberLocale, Quantity, QuantityKind, Unit};
pub use reading::Reading;
pub use sentences::sentences;
pub use span::{CharSpan, TextSpan};
pub use tokens::{Token, TokenKind, tokens};
pub use words::{content_words, is_stop_word, stem};
