//! Whole ways through the room, against a server of our own that answers as told, faults included.

mod anthropic;
pub(super) mod double;
mod faults;
mod methods;
mod runs;
mod support;
