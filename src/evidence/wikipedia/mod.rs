//! Wikipedia, or any other wiki that runs MediaWiki, as a source of evidence.
//!
//! In: an answer's claims. Out: passages of pages at a pinned revision, each with a permalink, found by a polite client of
//! the MediaWiki Action API and kept in a cache on disk. Always true: one preparation serves all claims of an answer; what
//! could not be asked is a gap in the report, never a "no"; what the cache holds answers without a request.

mod api;
mod cache;
mod client;
mod disambiguation;
mod fetch;
mod lookup;
mod options;
mod pace;
mod page;
mod plan;
mod prepare;
mod reply;
mod site;
mod source;

pub use cache::{CacheStat, WikiCache};
pub use options::{PageText, WikiOptions, is_edition};
pub use source::WikipediaSource;
