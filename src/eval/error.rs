//! What can go wrong in an evaluation as a whole. What is the matter with one row is a [`RowProblem`] instead.

use super::RowProblem;
use crate::corpus::ReadProblem;
use crate::embed::EmbedError;
use crate::verify::VerifyError;

/// An error of an evaluation.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvalError {
    /// The file could not be read.
    #[error(transparent)]
    Read(#[from] ReadProblem),
    /// A row is wrong and the caller asked to stop there.
    #[error("{path}, {problem}")]
    Strict {
        /// The file.
        path: String,
        /// The row.
        problem: RowProblem,
    },
    /// No row is usable.
    #[error("{path} holds no row that can be evaluated{}", because(.first))]
    NoRows {
        /// The file.
        path: String,
        /// The first problem met.
        first: Option<RowProblem>,
    },
    /// All contexts are empty and there is no index to take evidence from.
    #[error("every context in {path} is empty, so there is nothing to check its claims against")]
    NoContexts {
        /// The file.
        path: String,
    },
    /// The predictions could not be written or read back.
    #[error("cannot {doing} {path}: {source}")]
    Io {
        /// "write", "read".
        doing: &'static str,
        /// The file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// A file of results is none.
    #[error("{path} is no result of `evidex eval`: {reason}")]
    NotAResult {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
    /// A file of fitted numbers is none.
    #[error("{path} is no file of `evidex eval fit`: {reason}")]
    NotFitted {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
    /// A file that is to hold predictions holds something else.
    #[error("{path} is there and holds no predictions")]
    WouldOverwrite {
        /// The file.
        path: String,
    },
    /// The verifier could not be set up.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// An embedder failed in a baseline.
    #[error(transparent)]
    Embed(#[from] EmbedError),
    /// The caller asked to stop.
    #[error("cancelled")]
    Cancelled,
}

fn because(problem: &Option<RowProblem>) -> String {
    problem.as_ref().map_or_else(String::new, |problem| format!(" ({problem})"))
}
