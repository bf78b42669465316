//! What can go wrong in taking over values from elsewhere.

/// An error of this interface.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ChaincheckError {
    /// A confidence or a score that is no number from 0 to 1.
    #[error("{what} must be from 0 to 1 (it is {value})")]
    OutOfRange {
        /// Which value: "confidence", "raw_score", "weight of `judge`".
        what: String,
        /// The value as given.
        value: f64,
    },
    /// Bounds that are the wrong way round.
    #[error("the lower bound {low} is above the upper bound {high}")]
    Bounds {
        /// The lower bound.
        low: f64,
        /// The upper bound.
        high: f64,
    },
    /// A method that does not exist.
    #[error("unknown method `{name}`: use nli, judge, qa, consistency or logprobs")]
    UnknownMethod {
        /// As given.
        name: String,
    },
    /// Vectors that cannot be compared.
    #[error("vectors of {left} and {right} dimensions cannot be compared")]
    Dimensions {
        /// Of one.
        left: usize,
        /// Of the other.
        right: usize,
    },
}

/// A share, or why it is none.
pub(super) fn share(what: &str, value: f64) -> Result<f64, ChaincheckError> {
    if (0.0..=1.0).contains(&value) {
        Ok(value)
    } else {
        Err(ChaincheckError::OutOfRange { what: what.to_owned(), value })
    }
}
