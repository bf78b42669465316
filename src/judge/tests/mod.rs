//! Whole ways through the room, against a server of our own that answers as told, faults included.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops there")]

mod anthropic;
pub(super) mod double;
mod faults;
mod methods;
mod runs;
mod support;
