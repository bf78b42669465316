//! The checks: each holds a claim against one sentence of evidence and says what it found.
//!
//! A check contradicts only where the two speak about the same thing in the same slot; what the evidence does not say
//! is [`Stance::Missing`](super::Stance::Missing), never a contradiction.

mod agent;
mod binding;
mod comparison;
pub(super) mod completeness;
mod date;
mod entity;
mod exception;
pub(super) mod frequency;
mod modality;
mod negation;
mod opposite;
mod order;
mod polity;
mod quantifier;
mod quantity;
pub(super) mod quotation;
mod role;
pub(super) mod setting;
pub(super) mod structure;
mod table;
mod turned;
mod variant;
mod weekday;
mod wording;

use super::Finding;
use super::pair::Pair;

/// Why a check could not run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CheckError(pub String);

/// Holds a claim against one sentence of evidence. Callers may add their own.
pub trait Check: Send + Sync {
    /// The name that its findings and failures carry.
    fn name(&self) -> &str;

    /// What it finds; nothing if it has nothing to say.
    ///
    /// # Errors
    /// When it could not run: the verdict says so and is never "supported" because of it.
    fn check(&self, pair: &Pair<'_>) -> Result<Vec<Finding>, CheckError>;
}

/// A check of our own: it cannot fail.
pub(super) type BuiltIn = fn(&Pair<'_>, &mut Vec<Finding>);

/// All checks of our own, in the order in which their findings are shown.
pub(super) const BUILT_IN: [BuiltIn; 21] = [
    quantity::check,
    date::check,
    frequency::check,
    weekday::check,
    entity::check,
    role::check,
    turned::check,
    agent::check,
    binding::check,
    variant::check,
    setting::check,
    order::check,
    negation::check,
    opposite::check,
    comparison::check,
    quantifier::check,
    modality::check,
    wording::check,
    quotation::check,
    table::check,
    exception::check,
];
