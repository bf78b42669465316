//! Cases by topic, in our own words.
