//! From files to [`Document`]s: readers for each kind of file, and where each document came from.

mod document;

pub use document::{Document, DocumentId, Markup, MetadataValue, Provenance};
