//! Cases by topic, in our own words.

mod mutation;
mod support;
mod verbatim;
