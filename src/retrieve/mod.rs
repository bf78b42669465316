//! From a query to passages: a BM25 leg, a dense leg, and their fusion.
//!
//! In: a [`Snapshot`](crate::index::Snapshot) and a [`Query`]. Out: verbatim [`Passage`]s, best first, each with its
//! place in its document and the scores of both legs.
//!
//! Always true: passages that are identical but for case and spacing come once, with all their sources; equal scores
//! are ordered by document id and position, so the same index gives the same answer however it was written.

mod error;
mod fusion;
mod leg;
mod passage;
mod query;
mod search;

pub use error::RetrieveError;
pub use passage::{Duplicate, Passage, PassageScores};
pub use query::{Query, SearchMode};
pub use search::search;

#[cfg(test)]
mod tests;
