//! From a claim and its evidence to a [`Verdict`]: checks, NLI and their fusion.

mod finding;
mod label;
mod verdict;

pub use finding::{Finding, Stance};
pub use label::Label;
pub use verdict::{CheckFailure, Citation, CitationRole, Considered, Proof, Verdict, Warning};
