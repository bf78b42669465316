//! From a claim and its evidence to a [`Verdict`]: checks, NLI and their fusion.
//!
//! A claim and each sentence of its evidence are read once ([`ReadText`]), aligned ([`Alignment`]) and held against
//! each other by every [`Check`]; one table turns what all sentences say into a label.

mod align;
mod arithmetic;
mod caution;
mod checks;
mod derived;
mod error;
mod finding;
mod fusion;
mod hops;
mod judge;
mod label;
mod lexicon;
mod measures;
mod nli;
mod pair;
mod polarity;
mod reading;
mod settings;
mod verdict;
mod verifier;
mod window;

#[cfg(test)]
mod tests;

pub use align::{Alignment, Link, LinkKind, NameLink, SlotLink};
pub use checks::{Check, CheckError};
pub use error::VerifyError;
pub use finding::{Finding, Stance};
pub use label::Label;
pub use nli::{NliError, NliModel};
pub use pair::Pair;
pub use reading::{Placed, ReadOptions, ReadText, Word, WordKind};
pub use settings::VerifySettings;
pub use verdict::{CheckFailure, Citation, CitationRole, Considered, Proof, Standing, Verdict, Warning};
pub use verifier::{CheckedClaim, ModelsUsed, Timings, Verification, Verifier, VerifierBuilder};
