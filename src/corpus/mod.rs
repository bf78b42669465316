//! From files to [`Document`]s: readers for each kind of file, and where each document came from.
//!
//! Text, Markdown, HTML, JSONL, JSON, CSV, TSV, MediaWiki dumps and WikiExtractor's files, each also inside gzip, bzip2 or
//! zstd, and ZIM archives. Documents are streamed: memory depends on the largest document, not on the files. Always true: what is not read is told as a [`ReadProblem`] or counted in
//! the [`ReadSummary`]; a text is the file's own, decoded (for HTML what a reader would see, as Markdown lines).

mod decode;
mod delimited;
mod document;
mod find;
mod html;
mod html_text;
mod html_tokens;
mod json;
mod jsonl;
mod lines;
mod open;
mod options;
mod plain;
mod problem;
mod reader;
mod records;
#[cfg(test)]
mod shipped_tests;
mod skipped;
#[cfg(test)]
mod tests;
mod text_sections;
mod wiki;
mod zim;

pub use decode::{DecodeNote, decode};
pub use document::{Document, DocumentId, Markup, MetadataValue, Provenance};
pub use find::{SkippedFiles, source_name};
pub use html::html_text;
pub use lines::{Line, Lines, read_lines};
pub use options::{FieldNames, FileKind, ReadOptions};
pub use problem::{CorpusError, ReadProblem, Severity};
pub use reader::{Documents, ReadFile, ReadSummary, read_document, read_paths, read_text};
pub use skipped::PassedOver;
