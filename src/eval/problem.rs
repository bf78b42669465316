//! What is the matter with a row of an evaluation set.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The kinds of problems with rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowProblemKind {
    /// The line is no JSON object.
    NotAnObject,
    /// A field that must be there is not, or is of another type.
    MissingField,
    /// The label is none that is known.
    UnknownLabel,
    /// The label is known and outside the task (`partial`, `ambiguous`, `conflicting`, …): left out by rule.
    LeftOut,
    /// Another row has the same id.
    DuplicateId,
    /// The row's label belongs to another schema than the set's.
    MixedSchema,
    /// The row has no context and no index was given.
    EmptyContext,
}

impl RowProblemKind {
    /// Its name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotAnObject => "not_an_object",
            Self::MissingField => "missing_field",
            Self::UnknownLabel => "unknown_label",
            Self::LeftOut => "left_out",
            Self::DuplicateId => "duplicate_id",
            Self::MixedSchema => "mixed_schema",
            Self::EmptyContext => "empty_context",
        }
    }

    /// Whether the row is wrong, so that `--strict` stops there. A label left out by rule is no fault of the file.
    pub const fn is_fault(self) -> bool {
        !matches!(self, Self::LeftOut)
    }
}

/// A row that was left out, or kept with a doubt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowProblem {
    /// Line of the file, from 1.
    pub line: usize,
    /// What kind of problem.
    pub kind: RowProblemKind,
    /// For people.
    pub message: String,
}

impl RowProblem {
    pub(super) fn new(line: usize, kind: RowProblemKind, message: impl Into<String>) -> Self {
        Self { line, kind, message: message.into() }
    }
}

impl fmt::Display for RowProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}
