//! Reading text: pure functions from a string to spans and values in it.
//!
//! Every span is in bytes, half-open and on character boundaries of the string that was given. Nothing here
//! allocates more than a constant times its input, panics, or looks at anything but its arguments.

mod agreement;
mod arithmetic;
mod arithmetic_items;
mod blocks;
mod blocks_delimited;
mod blocks_html;
mod blocks_markdown;
mod citations;
mod clock;
mod currencies;
mod date_context;
mod date_forms;
mod date_reader;
#[cfg(test)]
mod date_tests;
mod dates;
mod display;
mod exact;
mod function_words;
mod hedges;
mod identifiers;
mod language;
mod lexicon;
mod mentions;
mod normalise;
mod nouns;
mod number_side;
mod number_words;
mod numerals;
mod quantities;
mod quantity_reader;
mod quantity_suffix;
#[cfg(test)]
mod quantity_tests;
mod ranges;
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
mod spelled;
mod time_sensitive;
mod tokens;
mod units;
mod value_tokens;
mod words;

pub use arithmetic::{ArithmeticClaim, ArithmeticError, arithmetic};
pub use blocks::{Block, BlockKind, Syntax, blocks};
pub use citations::citations;
pub use dates::{DateAgreement, DateBound, DateGrain, DateMention, DateOrder, dates, years_between};
pub use display::steers_display;
pub use exact::Exact;
pub(crate) use function_words::{is_function_word_anywhere, votes};
pub(crate) use language::language_of_words;
pub use language::{Language, LanguageGuess, language};
pub use mentions::{Mention, MentionKind, NameMatch, mentions, mentions_of_tokens};
pub use normalise::fold;
pub use quantities::{
    Agreement, Dimension, Hedge, NumberLocale, Quantity, QuantityKind, Unit, quantities, quantities_and_dates,
};
pub use reading::Reading;
pub use sentences::sentences;
pub use span::{CharSpan, TextSpan};
pub use time_sensitive::time_sensitive;
pub use tokens::{Token, TokenKind, tokens};
pub use words::{content_words, is_stop_word, stem};
