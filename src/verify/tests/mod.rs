//! Cases by topic, in our own words.

mod belonging;
mod binding;
mod complaints;
mod corpora;
mod countries;
mod deeds;
mod exceptions;
mod exchange;
mod factuality;
mod lists;
mod models;
mod mutation;
mod names;
mod parts;
mod phrasing;
mod rewrites;
mod seeds;
mod several;
mod structure;
mod support;
mod verbatim;
mod work;
