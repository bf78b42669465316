//! From a claim and its evidence to a [`Verdict`]: checks, NLI and their fusion.
//!
//! A claim and each sentence of its evidence are read once ([`ReadText`]), aligned ([`Alignment`]) and held against
//! each other by every [`Check`]; one table turns what all sentences say into a label.

mod align;
mod arithmetic;
mod ask;
pub mod calibration;
mod caution;
mod checks;
#[cfg(feature = "onnx")]
mod cross_encoder;
mod days;
mod derived;
mod error;
mod factuality;
mod features;
mod finding;
pub(crate) mod fitted;
mod fusion;
mod hops;
mod judge;
mod judged;
mod label;
mod lexicon;
mod measures;
mod model_rule;
mod nli;
mod offset;
mod pair;
mod parting;
mod polarity;
mod reading;
mod risk;
pub mod rule;
mod settings;
mod several;
mod slots;
mod verdict;
mod verifier;
mod window;
mod work;

#[cfg(test)]
mod tests;

pub(crate) use caution::gives_orders;

pub use align::{Alignment, Link, LinkKind, NameLink};
pub use checks::{Check, CheckError};
#[cfg(feature = "onnx")]
pub use cross_encoder::CrossEncoder;
pub use error::VerifyError;
pub use features::Features;
pub use finding::{Finding, Stance};
pub use judged::Judged;
pub use label::Label;
pub use nli::{NliError, NliModel};
pub use pair::Pair;
pub use reading::{Placed, ReadOptions, ReadText, Word, WordKind};
pub use risk::{RiskBounds, RiskLevel};
pub use settings::VerifySettings;
pub use slots::SlotLink;
pub use verdict::{CheckFailure, Citation, CitationRole, Considered, Proof, Standing, Verdict, Warning};
pub use verifier::{CheckedClaim, ModelsUsed, Timings, Verification, Verifier, VerifierBuilder};
