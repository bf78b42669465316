//! What evidex does, as its users meet it: one binary, a module for each behaviour.

mod bad_input;
mod command;
mod demo;
mod factbook;
mod readme;
mod verify;
