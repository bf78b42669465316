//! Reading text: pure functions from a string to spans and values in it.
//!
//! Every span is in bytes, half-open and on character boundaries of the string that was given. Nothing here
//! allocates more than a constant times its input, panics, or looks at anything but its arguments.

mod agreement;
mod arithmetic;
mod arithmetic_items;
mod clock;
mod currencies;
mod date_context;
mod date_forms;
mod date_reader;
mod dates;
mod exact;
mod hedges;
mod identifiers;
mod lexicon;
mod mentions;
mod nouns;
mod number_side;
mod number_words;
mod numerals;
mod quantities;
mod quantity_reader;
mod quantity_suffix;
mod ranges;
mod span;
mod spelled;
mod time_sensitive;
mod tokens;
mod units;

pub use arithmetic::{ArithmeticClaim, ArithmeticError, arithmetic};
pub use dates::{DateAgreement, DateBound, DateGrain, DateMention, DateOrder, dates, years_between};
pub use exact::Exact;
pub use mentions::{Mention, MentionKind, NameMatch};
pub use quantities::{
    Agreement, Dimension, Hedge, NumberLocale, Quantity, QuantityKind, Unit, quantities, quantities_and_dates,
};
pub use span::{CharSpan, TextSpan};
pub use time_sensitive::time_sensitive;

#[cfg(test)]
mod date_tests;
#[cfg(test)]
mod quantity_tests;
