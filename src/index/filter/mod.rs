//! Choosing documents by what is known of them: `lang=en AND (year>=2020 OR source:reports)`.
//!
//! In: a filter's text. Out: a [`Filter`], or a [`FilterError`] with the column where it cannot be read; of a document,
//! whether it matches. Always true: a filter sees a document's header (id, title, source, place, address, metadata
//! fields), never its text; a comparison with a field that the document does not have is false, and `!=` and `NOT` are
//! its negation.

mod compare;
mod parse;
#[cfg(test)]
mod tests;
mod tree;

pub use parse::FilterError;
pub use tree::Filter;

pub(super) use compare::FieldValue;
pub(super) use tree::Field;
