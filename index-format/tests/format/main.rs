//! The format by behaviour: what is published stays, what is damaged is told, what is foreign is left alone.

mod concurrency;
mod crash;
mod damage;
mod files;
mod golden;
mod kill;
mod measure;
mod store;
mod workload;
