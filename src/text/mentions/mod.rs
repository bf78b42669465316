//! Mentions of named things: people, places, organisations, works, identifiers. By rules, no model.
//!
//! In: a text and its language. Out: its [`Mention`]s in order, not overlapping, each with the form that is compared.
//! A caller with a tagger of its own may build [`Mention`]s from its spans with [`Mention::at`].

mod aliases;
mod brackets;
mod compare;
mod find;
mod mention;
mod run;
mod scene;
mod shape;
mod words;

pub use find::{mentions, mentions_of_tokens};
pub use mention::{Mention, MentionKind, NameMatch};

#[cfg(test)]
mod tests;
