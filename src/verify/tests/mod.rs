//! Cases by topic, in our own words.

mod binding;
mod complaints;
mod countries;
mod models;
mod mutation;
mod seeds;
mod support;
mod verbatim;
