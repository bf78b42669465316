//! From the mean log-probability of a claim's tokens to a label.

use super::error::ChaincheckError;
use super::result::Label;
use crate::judge::logprob_verdict;

/// The label and the confidence: from the threshold on supported with the probability itself, below it unsupported with
/// its complement.
///
/// ```
/// use evidex::compat::chaincheck::{LOGPROB_THRESHOLD, Label, logprob_label};
/// assert_eq!(logprob_label(0.0, LOGPROB_THRESHOLD)?, (Label::Supported, 1.0));
/// assert_eq!(logprob_label(-1.51, LOGPROB_THRESHOLD)?.0, Label::Unsupported);
/// # Ok::<(), evidex::compat::chaincheck::ChaincheckError>(())
/// ```
///
/// # Errors
/// When the log-probability is above 0 or no number.
pub fn logprob_label(mean: f64, threshold: f64) -> Result<(Label, f64), ChaincheckError> {
    if mean.is_nan() || mean > 0.0 {
        return Err(ChaincheckError::OutOfRange { what: "probability".to_owned(), value: mean.exp() });
    }
    Ok(logprob_verdict(mean, threshold))
}
