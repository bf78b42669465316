//! Values that a reader would accept as following from two stated numbers: a sum, a remainder, a change, a share.

use super::pair::Pair;
use super::Finding;

/// Looks for a computation behind each of the claim's numbers that the sentence does not state.
pub(super) fn check(_pair: &Pair<'_>, _findings: &mut Vec<Finding>) {}

/// The computations that the findings rest on.
pub(super) fn proofs(_findings: &[Finding]) -> Vec<super::Proof> {
    Vec::new()
}
