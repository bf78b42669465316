//! The index on disk: from documents to published generations, and from a generation to a [`Snapshot`] to search.
//!
//! In: [`Document`](crate::corpus::Document)s. Out: immutable segments that hold each document's text, its chunks,
//! their postings and vectors; a manifest that names the segments of one generation.
//!
//! Always true: a commit publishes everything or nothing; adding a document again replaces it; a snapshot never
//! changes; memory while writing does not grow with the corpus.

mod blocks;
mod build;
mod check;
mod embedding;
mod error;
mod filter;
mod handle;
mod hash;
mod maintain;
mod merge;
mod options;
mod resume;
mod roots;
mod rows;
mod segment;
mod snapshot;
mod stored;
mod sync;
mod threads;
mod view;
mod writer;

pub use check::{CheckReport, Fault};
pub use error::IndexError;
pub use evidex_index_format::{Generation, InspectedSection, InspectedSegment, Inspection};
pub use filter::{Filter, FilterError};
pub use handle::{Backup, Index, check_folder, inspect_folder};
pub use maintain::Maintained;
pub use options::{IndexOptions, WriterOptions};
pub use segment::Segment;
pub use snapshot::{ChunkOrdinal, DocumentHeader, IndexStat, PassageText, SectionBytes, Snapshot, SnapshotSegment};
pub use sync::Unseen;
pub use writer::{Added, CommitSummary, IndexWriter};

#[cfg(test)]
mod tests;
