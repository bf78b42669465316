//! The interfaces of three earlier checkers, as thin layers over this engine: for code that moves over from them.
//!
//! In: what their callers passed. Out: results with their field names and status words. No layer judges anything
//! itself: claims, evidence and verdicts come from the rooms above, and only the words for them are translated.

pub mod cavaquinho;
pub mod chaincheck;
pub mod halgorithem;
