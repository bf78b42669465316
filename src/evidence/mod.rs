//! Where evidence comes from: the [`EvidenceSource`] seam, with a local index, inline context and
//! named web pages and Wikipedia behind it.

#[cfg(feature = "fetch")]
mod chain;
mod inline;
mod joined;
mod local;
mod passages;
mod pinned;
mod quality;
#[cfg(feature = "fetch")]
mod robots;
mod source;
#[cfg(feature = "fetch")]
mod web;
mod whole;
#[cfg(feature = "fetch")]
mod wikipedia;

pub use crate::retrieve::PassageScores;
pub use inline::InlineContext;
pub(crate) use joined::join_parts;
pub use local::LocalIndex;
pub use pinned::Pinned;
pub use quality::source_quality;
pub use source::{Caveat, Evidence, EvidenceError, EvidenceSource, Remarks};
#[cfg(feature = "fetch")]
pub use web::{WebOptions, fetch_page, fetch_pages};
#[cfg(feature = "fetch")]
pub use wikipedia::{CacheStat, PageText, WikiCache, WikiOptions, WikipediaSource, is_edition};
