//! Words: from a passage's text to postings, and from a query's words to BM25 scores.
//!
//! In: chunks' texts with their documents' titles. Out: a handful of opaque files for a segment, and from those
//! files the best chunks for a query. The only room that imports tantivy.
//!
//! Always true: chunks keep the order in which they were added (their number is tantivy's document number); scores
//! use the statistics of all segments searched together, so they do not depend on how documents were batched; a
//! query is made of analysed words and never parsed, so no text is an error.

mod analysis;
mod bm25;
mod directory;
mod error;
mod query;
mod reader;
mod schema;
mod search;
mod stemming;
mod union;
mod writer;

pub use analysis::{ANALYZER_VERSION, TermKind, Terms};
pub use error::LexicalError;
pub use query::{LexicalQuery, QueryWord};
pub use reader::{PostedField, PostingsFile, PostingsReader};
pub use search::{LexicalHit, search};
pub use stemming::Stemming;
pub use writer::{PostedTerms, PostingsWriter, TitleTerms};
