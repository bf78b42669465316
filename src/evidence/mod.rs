//! Where evidence comes from: the [`EvidenceSource`] seam, with a local index and inline context behind it.

mod inline;
mod local;
mod passages;
mod source;

pub use inline::InlineContext;
pub use local::LocalIndex;
pub use source::{Evidence, EvidenceError, EvidenceSource, PassageScores};
