//! From a [`Document`](crate::corpus::Document) to [`Chunk`]s: sentence or word windows with byte offsets into it.
//!
//! Always true: a chunk's text is the document's text at its span; every byte that is not white space is in some
//! chunk; no chunk is estimated to need more than [`MAX_WINDOW_PIECES`] word pieces, so that an embedding model that
//! reads 256 tokens cuts nothing off; chunks stand in reading order. Time is linear in the document's length.

mod policy;
#[cfg(test)]
mod shared_tests;
mod units;
mod window;
mod words;

pub use policy::{ChunkError, ChunkPolicy};
pub use window::{Chunk, chunk_spans, chunks};
pub use words::{MAX_WINDOW_PIECES, estimated_pieces};
