//! The measures, each a pure function of plain numbers.
//!
//! Undefined (no rows, one class, a number that is not finite) is `None`, never NaN. Ties are never broken in our favour:
//! equal scores stand together. Weights count how often a row is drawn, for the bootstrap; [`ones`] is one of each.

mod agreement;
mod bootstrap;
mod calibration;
mod confusion;
mod latency;
mod ranking;
mod retrieval;
#[cfg(test)]
mod tests;

pub use agreement::{McNemar, mcnemar};
pub use bootstrap::{Interval, bootstrap};
pub use calibration::{CalibrationBin, brier, equal_mass_bins, equal_width_bins, expected_calibration_error};
pub use confusion::{ConfusionMatrix, Counts};
pub use latency::{mean, percentile};
pub use ranking::{CurvePoint, auroc, curve, ones, precision_at_recall, recall_at_false_alarms};
pub use retrieval::{ndcg, recall_at, reciprocal_rank};
