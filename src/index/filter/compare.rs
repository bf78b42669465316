//! A field's value against the value of a filter.

use std::cmp::Ordering;
use std::fmt;

use crate::text::fold;

/// A field's value, borrowed from wherever it stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::index) enum FieldValue<'a> {
    Bool(bool),
    Integer(i64),
    Number(f64),
    Text(&'a str),
}

/// The value that a filter names; what else it could be read as is worked out once.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Literal {
    /// `*`: anything, so long as it is there.
    Anything,
    Value {
        text: String,
        folded: String,
        number: Option<Number>,
    },
}

/// A number, whole as long as it can be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Number {
    Whole(i64),
    Real(f64),
}

impl Number {
    fn read(text: &str) -> Option<Self> {
        if let Ok(whole) = text.parse() {
            return Some(Self::Whole(whole));
        }
        // `parse` also takes "inf", "nan" and the like, which are words here.
        let is_number = text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'));
        text.parse::<f64>().ok().filter(|real| is_number && real.is_finite()).map(Self::Real)
    }

    fn compare(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Whole(a), Self::Whole(b)) => Some(a.cmp(&b)),
            (a, b) => a.real().partial_cmp(&b.real()),
        }
    }

    fn real(self) -> f64 {
        match self {
            Self::Whole(whole) => whole as f64,
            Self::Real(real) => real,
        }
    }
}

impl Literal {
    pub(super) fn text(text: &str) -> Self {
        Self::Value { text: text.to_owned(), folded: fold(text), number: Number::read(text) }
    }

    /// Texts are equal letter by letter, numbers by value; `true` and `false` in any case.
    pub(super) fn equals(&self, found: Option<&FieldValue<'_>>) -> bool {
        let (Some(found), Self::Value { text, number, .. }) = (found, self) else { return found.is_some() };
        match found {
            FieldValue::Bool(value) => text.eq_ignore_ascii_case(if *value { "true" } else { "false" }),
            FieldValue::Text(value) => *value == text,
            FieldValue::Integer(_) | FieldValue::Number(_) => {
                let order = number_of(found).zip(*number).and_then(|(found, own)| found.compare(own));
                order == Some(Ordering::Equal)
            }
        }
    }

    /// How the field's value compares with this one: two numbers by value (also where the field is a text that is a
    /// number), two texts that are none by their characters; `None` for anything else.
    pub(super) fn order(&self, found: Option<&FieldValue<'_>>) -> Option<Ordering> {
        let (Some(found), Self::Value { text, number, .. }) = (found, self) else { return None };
        match (number_of(found), number, found) {
            (Some(found), Some(own), _) => found.compare(*own),
            (None, None, FieldValue::Text(value)) => Some((*value).cmp(text.as_str())),
            _ => None,
        }
    }

    /// Whether the field's value, written out, holds this one; case and diacritics do not matter.
    pub(super) fn is_in(&self, found: Option<&FieldValue<'_>>) -> bool {
        let (Some(found), Self::Value { folded, .. }) = (found, self) else { return found.is_some() };
        match found {
            FieldValue::Bool(value) => value.to_string().contains(folded),
            FieldValue::Integer(value) => value.to_string().contains(folded),
            FieldValue::Number(value) => value.to_string().contains(folded),
            FieldValue::Text(value) => fold(value).contains(folded.as_str()),
        }
    }
}

fn number_of(value: &FieldValue<'_>) -> Option<Number> {
    match value {
        FieldValue::Bool(_) => None,
        FieldValue::Integer(whole) => Some(Number::Whole(*whole)),
        FieldValue::Number(real) => Some(Number::Real(*real)),
        FieldValue::Text(text) => Number::read(text),
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Anything => f.write_str("*"),
            Self::Value { text, .. } => f.write_str(&super::parse::quoted(text)),
        }
    }
}
