//! Halgorithem's interface over this engine: `compare_to_docs`, `compare_to_files` and what belongs to them.
//!
//! Field names, status words, thresholds (0.30 and 0.65) and the numbering from 1 are those that its callers know.
//! Where it was wrong, this is right instead:
//!
//! - A neighbour's number in the same chunk is no contradiction: values are compared slot by slot, so a sentence copied
//!   from the source is `SUPPORTED`.
//! - Years, day numbers, numbers far apart, grouped digits ("1,200"), units and negations are compared; an invented name
//!   or place keeps a claim from `SUPPORTED`, however near the wording.
//! - Percentages, ranges and dates are no arithmetic, and words around an expression do no harm. Nothing is executed.
//! - Nothing is dropped in silence: short facts are checked, and what is not worth checking (greetings, questions, …) is
//!   listed in [`Comparison::skipped`] with the reason. A claim that could not be checked is `UNKNOWN`.
//! - An overlap that would never end is refused, as are missing, empty and non-UTF-8 files.
//! - A text of which nothing was checked is not called reliable.
//!
//! Not taken over: marks for the reputation of well-known domains, which say nothing about the sentence at hand.

mod chunks;
mod comparer;
mod documents;
mod error;
mod filter;
mod report;
mod result;
mod status;
mod summary;
mod terms;
#[cfg(test)]
mod tests;

pub use chunks::TruthChunk;
pub use comparer::{Halgorithem, SUPPORTED_FROM, WEAK_SUPPORT_FROM};
pub use documents::{TruthDocument, TruthDocuments, load_file, load_files};
pub use error::HalgorithemError;
pub use filter::{classify_claim_type, is_meaningful_claim, split_sentences};
pub use report::{print_report, report};
pub use result::{ClaimResult, ClaimType, Comparison, Diagnostics, ResultEvidence, SkippedClaim, Status};
pub use summary::Summary;
