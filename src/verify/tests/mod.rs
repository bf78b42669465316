//! Cases by topic, in our own words.

mod complaints;
mod mutation;
mod support;
mod verbatim;
