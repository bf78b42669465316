//! The format by behaviour: what is published stays, what is damaged is told, what is foreign is left alone.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop where something unexpected happens")]

mod concurrency;
mod crash;
mod damage;
mod files;
mod forgery;
mod fuzz;
mod golden;
mod kill;
mod measure;
mod store;
mod workload;
