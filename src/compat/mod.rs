//! The interfaces of two earlier checkers, as thin layers over this engine: for code that moves over from them.
//!
//! In: what their callers passed. Out: results with their field names and status words. Neither layer judges anything
//! itself: claims, evidence and verdicts come from the rooms above, and only the words for them are translated.

pub mod cavaquinho;
pub mod halgorithem;
