//! From a text to [`Claim`]s: sentences split into check-worthy, self-contained statements.
//!
//! In: an answer as it was written, Markdown and all, and perhaps the question that it answers. Out: its claims in order,
//! each knowing where in the answer it stands. Nothing is dropped: what is not to be checked is a claim with the reason
//! why, and every character that is not white space belongs to some claim's sentence.

mod arithmetic;
mod carry;
mod clause;
mod extract;
mod phrases;
mod pronouns;
mod question;
mod split;
mod types;
mod units;
pub(crate) mod verbs;
mod wording;
mod worth;

pub use extract::{ClaimOptions, extract};
pub use types::{Claim, ClaimKind, Piece, Unchecked};

#[cfg(test)]
mod tests;
