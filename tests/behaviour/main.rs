//! What evidex does, as its users meet it: one binary, a module for each behaviour.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops there")]

mod bad_input;
mod command;
mod demo;
mod factbook;
mod golden;
mod lifecycle;
mod readme;
mod url;
mod verify;
