//! Cases by topic, in our own words.

mod complaints;
mod debug;
mod mutation;
mod support;
mod verbatim;
