//! Cases by topic, in our own words.

mod support;
mod verbatim;
