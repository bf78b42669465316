//! Many texts, one a line: read, verified in parallel, written in the order of the input.
//!
//! In: lines of JSONL. Out: a record for each, in order. Always true: a line is written whole or not at all, only
//! after all lines before it, and what is in memory does not grow with the input.

mod input;
mod record;
mod render;
mod resume;
mod row;
mod run;
mod summary;

pub use input::Input;
pub use render::render;
pub use resume::resume;
pub use run::{Job, run};
pub use summary::Summary;
