//! Reports for continuous integration: which findings fail a run, and their renderers for CI systems.
//!
//! In: reports, one answer at a time, and a [`Gate`] of labels and known findings. Out: JUnit, SARIF 2.1.0 or GitHub
//! annotations, written as the answers come, in memory that does not grow with their number.

mod entry;
mod gate;
mod github;
mod junit;
mod position;
mod sarif;
#[cfg(test)]
mod tests;

pub use entry::{AnswerPlace, CiRenderer, Entry, Outcome};
pub use gate::{Baseline, BaselineError, Gate, Standing, row_name};
pub use github::Github;
pub use junit::Junit;
pub use position::{LineColumn, LineIndex};
pub use sarif::Sarif;
