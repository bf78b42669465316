//! Counts over results.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::result::{ClaimResult, Comparison, Status};

/// Counts over the results of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// How many claims have a result.
    pub total_claims: usize,
    /// `SUPPORTED`.
    pub supported: usize,
    /// `WEAK_SUPPORT`.
    pub weak_support: usize,
    /// All others.
    pub issues: usize,
    /// How many results have each status that occurs.
    pub status_counts: BTreeMap<Status, usize>,
    /// (supported + half of the weak) of all, in percent; `None` without claims.
    pub confidence: Option<f64>,
    /// Whether there are claims, and none is an issue.
    pub reliable: bool,
}

impl Summary {
    /// The counts over `results`.
    pub fn of(results: &[ClaimResult]) -> Self {
        let mut status_counts = BTreeMap::new();
        for result in results {
            *status_counts.entry(result.status).or_insert(0) += 1;
        }
        let count = |status| status_counts.get(&status).copied().unwrap_or(0);
        let (supported, weak_support) = (count(Status::Supported), count(Status::WeakSupport));
        let total_claims = results.len();
        let issues = total_claims - supported - weak_support;
        let share = (supported as f64 + 0.5 * weak_support as f64) / total_claims as f64;
        Self {
            total_claims,
            supported,
            weak_support,
            issues,
            confidence: (total_claims > 0).then(|| (share * 1000.0).round() / 10.0),
            reliable: total_claims > 0 && issues == 0,
            status_counts,
        }
    }

    fn count(&self, status: Status) -> usize {
        self.status_counts.get(&status).copied().unwrap_or(0)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.total_claims == 0 {
            return f.write_str("No verifiable claims found.");
        }
        write!(
            f,
            "{}/{} supported, {} weak, {} contradictions, {} hallucinations",
            self.supported,
            self.total_claims,
            self.weak_support,
            self.count(Status::Contradiction),
            self.count(Status::Hallucination),
        )?;
        for (status, name) in [
            (Status::UnverifiableDenial, "unverifiable denials"),
            (Status::Error, "errors"),
            (Status::Unknown, "unknown"),
        ] {
            if self.count(status) > 0 {
                write!(f, ", {} {name}", self.count(status))?;
            }
        }
        Ok(())
    }
}

impl Comparison {
    /// Counts over the results.
    pub fn summary(&self) -> Summary {
        Summary::of(&self.results)
    }
}
