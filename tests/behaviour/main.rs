//! What evidex does, as its users meet it: one binary, a module for each behaviour.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops there")]

mod bad_input;
mod batch;
mod ci;
mod command;
mod demo;
#[path = "../../src/judge/tests/double.rs"]
mod double;
mod eval;
mod eval_page;
mod factbook;
mod fuzz;
mod golden;
mod hub;
mod judge;
mod judge_real;
mod lifecycle;
mod nli;
mod offline_wikipedia;
mod readme;
mod url;
mod verify;
mod wikipedia;
