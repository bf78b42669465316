//! One number from a verdict: how much it speaks for "supported".

use crate::verify::Label;

/// How much a verdict speaks for "supported", 0 to 1: what sets are ranked by and thresholds are put on.
///
/// Supported verdicts lie above ½ by their confidence, all others below it by theirs, so that ½ gives the label's own
/// decision. Partial support is worth just ½, which is not above it. `None` when nothing was checked.
///
/// ```
/// use evidex::{eval::support_score, verify::Label};
/// assert_eq!(support_score(Label::Supported, Some(0.5)), Some(0.75));
/// assert_eq!(support_score(Label::Contradicted, Some(0.5)), Some(0.25));
/// assert_eq!(support_score(Label::NotChecked, None), None);
/// ```
pub fn support_score(label: Label, confidence: Option<f32>) -> Option<f64> {
    let confidence = f64::from(confidence?).clamp(0.0, 1.0);
    match label {
        Label::NotChecked => None,
        Label::Supported => Some(0.5 + confidence / 2.0),
        Label::PartiallySupported => Some(0.5),
        Label::Contradicted | Label::Conflicting | Label::NotEnoughInfo => Some(0.5 - confidence / 2.0),
    }
}
