//! The checks: each holds a claim against one sentence of evidence and says what it found.
//!
//! A check contradicts only where the two speak about the same thing in the same slot; what the evidence does not say
//! is [`Stance::Missing`](super::Stance::Missing), never a contradiction.

mod comparison;
mod date;
mod entity;
mod modality;
mod negation;
mod opposite;
mod order;
mod quantifier;
mod quantity;
mod quotation;
mod role;

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

/// A check of our own: cannot fail.
pub(super) struct BuiltIn {
    pub name: &'static str,
    pub run: fn(&Pair<'_>, &mut Vec<Finding>),
}

/// All checks of our own, in the order in which their findings are shown.
pub(super) const BUILT_IN: [BuiltIn; 11] = [
    BuiltIn { name: quantity::NAME, run: quantity::check },
    BuiltIn { name: date::NAME, run: date::check },
    BuiltIn { name: entity::NAME, run: entity::check },
    BuiltIn { name: role::NAME, run: role::check },
    BuiltIn { name: order::NAME, run: order::check },
    BuiltIn { name: negation::NAME, run: negation::check },
    BuiltIn { name: opposite::NAME, run: opposite::check },
    BuiltIn { name: comparison::NAME, run: comparison::check },
    BuiltIn { name: quantifier::NAME, run: quantifier::check },
    BuiltIn { name: modality::NAME, run: modality::check },
    BuiltIn { name: quotation::NAME, run: quotation::check },
];
