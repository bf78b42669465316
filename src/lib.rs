//! evidex answers one question: *is this text supported by these sources?*
//!
//! The rooms below stand in the order in which data passes through them; each may use only the
//! rooms above it (`tests/architecture.rs` holds them to it).
//!
//! ```text
//! file -> Document -> Chunk -> {Embedding, Postings} -> Segment -> Manifest(generation) -> Snapshot
//! text -> Claim -> Query -> Hit -> Passage -> Evidence -> Finding -> Verdict -> Report
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod text;

pub mod corpus;

pub mod chunk;

pub mod onnx;

pub mod embed;

pub mod lexical;

pub mod vector;

pub mod index;

pub mod retrieve;

pub mod claim;

pub mod evidence;

pub mod verify;

pub mod judge;

pub mod report;

pub mod eval;

pub mod compat;

mod error;
mod progress;

/// The README's examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use error::{Error, ErrorCode};
pub use progress::{Cancellation, Progress};
