//! Which findings fail a run: those of certain labels, less those that an earlier report already had.

use std::collections::HashMap;
use std::io::BufRead;

use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::report::summary::is_shortfall;
use crate::report::{ClaimReport, Report};
use crate::verify::Label;

/// How a claim stands in a run that may fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Its label fails the run.
    Fails,
    /// Its label would fail the run, but the baseline has it already.
    Known,
    /// Its label is no good one, but does not fail the run.
    Warns,
    /// It should have been checked and could not be.
    Unchecked,
    /// There is nothing to say about it, or nothing was to be checked in it.
    Passes,
}

/// Which findings fail a run.
///
/// ```
/// use evidex::report::ci::Gate;
/// use evidex::verify::Label;
/// let gate = Gate::new([Label::Contradicted]);
/// assert!(!gate.has_baseline());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Gate {
    fail_on: Vec<Label>,
    baseline: Option<Baseline>,
}

impl Gate {
    /// Claims of these labels fail.
    pub fn new(fail_on: impl IntoIterator<Item = Label>) -> Self {
        Self { fail_on: fail_on.into_iter().collect(), baseline: None }
    }

    /// Findings of `baseline` do not fail again.
    #[must_use]
    pub fn with_baseline(mut self, baseline: Baseline) -> Self {
        self.baseline = Some(baseline);
        self
    }

    /// Whether known findings are told from new ones.
    pub fn has_baseline(&self) -> bool {
        self.baseline.is_some()
    }

    /// How each claim of `report` stands. `row` names the answer among others, where it has a name of its own. A
    /// finding of the baseline counts once: the same finding a second time is a new one.
    pub fn stand(&mut self, row: Option<&str>, report: &Report) -> Vec<Standing> {
        report.claims.iter().map(|claim| self.standing(row, claim)).collect()
    }

    fn standing(&mut self, row: Option<&str>, claim: &ClaimReport) -> Standing {
        if self.fail_on.contains(&claim.label) {
            let known = self.baseline.as_mut().is_some_and(|baseline| baseline.take(row, claim));
            return if known { Standing::Known } else { Standing::Fails };
        }
        match claim.label {
            Label::Supported => Standing::Passes,
            Label::NotChecked if claim.not_checked.is_some_and(is_shortfall) => Standing::Unchecked,
            Label::NotChecked => Standing::Passes,
            _ => Standing::Warns,
        }
    }
}

/// The findings of an earlier run, by fingerprint.
#[derive(Debug, Clone, Default)]
pub struct Baseline(HashMap<String, u32>);

/// Why a baseline cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BaselineError {
    /// Reading failed.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// It is no report.
    #[error("value {number} is no report of evidex: {reason}")]
    NotAReport {
        /// Which JSON value of the file, from 1.
        number: usize,
        /// What the parser found.
        reason: String,
    },
    /// It holds nothing.
    #[error("holds no report")]
    Empty,
}

/// A report by itself, or a row of a batch: what is needed of it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Stored {
    Row { id: Option<serde_json::Value>, report: Box<Report> },
    FailedRow { line: u64, error: serde_json::Value },
    Alone(Box<Report>),
}

impl Baseline {
    /// Reads a report in JSON or the rows of a batch in JSONL. Rows with an error have no findings.
    ///
    /// # Errors
    /// When it cannot be read or holds something that is neither.
    pub fn read(reader: impl BufRead) -> Result<Self, BaselineError> {
        let mut baseline = Self::default();
        let mut number = 0;
        for value in serde_json::Deserializer::from_reader(reader).into_iter::<serde_json::Value>() {
            number += 1;
            let value = value.map_err(|error| match error.classify() {
                serde_json::error::Category::Io => BaselineError::Io(error.into()),
                _ => BaselineError::NotAReport { number, reason: error.to_string() },
            })?;
            match Stored::deserialize(value) {
                Ok(Stored::Row { id, report }) => baseline.add(row_name(id.as_ref()).as_deref(), &report),
                Ok(Stored::Alone(report)) => baseline.add(None, &report),
                Ok(Stored::FailedRow { line, error }) => tracing::debug!(line, %error, "no findings in this row"),
                Err(_) => {
                    let reason = "it has neither `claims` nor a `report`".to_owned();
                    return Err(BaselineError::NotAReport { number, reason });
                }
            }
        }
        if number == 0 { Err(BaselineError::Empty) } else { Ok(baseline) }
    }

    /// Adds the findings of a report.
    pub fn add(&mut self, row: Option<&str>, report: &Report) {
        for claim in report.claims.iter().filter(|claim| claim.label != Label::Supported) {
            *self.0.entry(fingerprint(row, claim)).or_default() += 1;
        }
    }

    /// Takes one finding out; whether it was there.
    fn take(&mut self, row: Option<&str>, claim: &ClaimReport) -> bool {
        match self.0.get_mut(&fingerprint(row, claim)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }
}

/// How a row is called by the id that it was given; `None` where it has none.
pub fn row_name(id: Option<&serde_json::Value>) -> Option<String> {
    match id? {
        serde_json::Value::Null => None,
        serde_json::Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// What stays the same about a finding when lines move: its row's name, its label and the words of its claim.
pub(super) fn fingerprint(row: Option<&str>, claim: &ClaimReport) -> String {
    let words = claim.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut hasher = Sha256::new();
    for part in [row.unwrap_or_default(), claim.label.as_str(), &words] {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
