//! What evidex does, as its users meet it: one binary, a module for each behaviour.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops there")]

mod bad_input;
mod batch;
mod ci;
mod command;
mod demo;
mod eval;
mod eval_page;
mod factbook;
mod fuzz;
mod offline_wikipedia;
mod lifecycle;
#[path = "../../src/judge/tests/double.rs"]
mod double;
mod judge;
mod judge_real;
mod nli;
mod readme;
mod url;
mod verify;
mod wikipedia;
