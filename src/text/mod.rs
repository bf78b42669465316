//! Reading text: pure functions from a string to spans and values in it.
//!
//! Every span is in bytes, half-open and on character boundaries of the string that was given. Nothing here
//! allocates more than a constant times its input, panics, or looks at anything but its arguments.

mod dates;
mod mentions;
mod quantities;
mod span;

pub use dates::{DateAgreement, DateGrain, DateMention, DateOrder};
pub use mentions::{Mention, MentionKind, NameMatch};
pub use quantities::{Agreement, Dimension, Hedge, NumberLocale, Quantity, QuantityKind, Unit};
pub use span::{CharSpan, TextSpan};
