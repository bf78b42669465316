//! One number from a verdict: how much it speaks for "supported".

use crate::verify::calibration::Calibration;
use crate::verify::{Features, Label};

/// How much a verdict speaks for "supported", 0 to 1: what sets are ranked by and thresholds are put on.
///
/// Supported verdicts lie above ½ by their confidence, all others at most at ½, so that ½ gives the label's own decision:
/// contradicted ones the lower the surer they are, those that leave the claim open the higher the more often such claims
/// are supported after all (a contradiction that was missed is no reason to rank a claim up). `None` when nothing was
/// checked.
///
/// ```
/// use evidex::eval::support_score;
/// use evidex::verify::{Features, Label};
/// let told = Features { coverage: 0.9, entailment: Some(0.4), contradiction: Some(0.1), ..Features::default() };
/// let denied = Features { entailment: Some(0.1), contradiction: Some(0.4), ..told.clone() };
/// assert_eq!(support_score(Label::Supported, Some(0.5), &told), Some(0.75));
/// assert_eq!(support_score(Label::Contradicted, Some(0.5), &told), Some(0.25));
/// assert!(support_score(Label::NotEnoughInfo, Some(0.5), &told) > support_score(Label::NotEnoughInfo, Some(0.5), &denied));
/// assert_eq!(support_score(Label::NotChecked, None, &told), None);
/// ```
pub fn support_score(label: Label, confidence: Option<f32>, features: &Features) -> Option<f64> {
    let confidence = f64::from(confidence?).clamp(0.0, 1.0);
    match label {
        Label::NotChecked => None,
        Label::Supported => Some(0.5 + confidence / 2.0),
        Label::Contradicted | Label::Conflicting => Some(0.5 - confidence / 2.0),
        Label::PartiallySupported | Label::NotEnoughInfo => {
            let support = Calibration::built_in().support(label, features).map_or(1.0 - confidence, f64::from);
            Some(support / 2.0)
        }
    }
}
