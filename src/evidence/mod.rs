//! Where evidence comes from: the [`EvidenceSource`] seam, with a local index, inline context and
//! named web pages behind it.

mod inline;
mod local;
mod passages;
mod source;
#[cfg(feature = "fetch")]
mod web;

pub use crate::retrieve::PassageScores;
pub use inline::InlineContext;
pub use local::LocalIndex;
pub use source::{Evidence, EvidenceError, EvidenceSource};
#[cfg(feature = "fetch")]
pub use web::{WebOptions, fetch_page};
