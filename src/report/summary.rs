//! Counts and means over the verdicts: the only figures that the report adds.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::claim::Unchecked;
use crate::verify::{Label, RiskLevel};

/// Whether anything was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// At least one claim was checked.
    Checked,
    /// The text holds nothing to check: it is empty, or all greetings, questions, opinions and the like.
    NoClaims,
    /// There were claims, and none of them could be checked.
    NothingChecked,
}

/// How many claims got each label.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Counts {
    /// Supported.
    pub supported: usize,
    /// Partially supported.
    pub partially_supported: usize,
    /// Contradicted.
    pub contradicted: usize,
    /// Conflicting.
    pub conflicting: usize,
    /// Not enough information.
    pub not_enough_info: usize,
    /// Not checked.
    pub not_checked: usize,
}

impl Counts {
    /// How many claims got `label`.
    pub const fn of(&self, label: Label) -> usize {
        match label {
            Label::Supported => self.supported,
            Label::PartiallySupported => self.partially_supported,
            Label::Contradicted => self.contradicted,
            Label::Conflicting => self.conflicting,
            Label::NotEnoughInfo => self.not_enough_info,
            Label::NotChecked => self.not_checked,
        }
    }

    /// Counts one more claim of `label`.
    pub const fn add(&mut self, label: Label) {
        match label {
            Label::Supported => self.supported += 1,
            Label::PartiallySupported => self.partially_supported += 1,
            Label::Contradicted => self.contradicted += 1,
            Label::Conflicting => self.conflicting += 1,
            Label::NotEnoughInfo => self.not_enough_info += 1,
            Label::NotChecked => self.not_checked += 1,
        }
    }

    /// How many claims were checked.
    pub const fn checked(&self) -> usize {
        self.supported + self.partially_supported + self.contradicted + self.conflicting + self.not_enough_info
    }

    /// The mean over the checked claims of 1 for supported, 0.5 for partially supported, 0 for any other label;
    /// `None` when nothing was checked.
    pub fn score(&self) -> Option<f64> {
        let checked = self.checked();
        (checked > 0).then(|| (self.supported as f64 + 0.5 * self.partially_supported as f64) / checked as f64)
    }
}

/// The complement of the score.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Risk {
    /// 1 − score; `null` when nothing was checked.
    pub value: Option<f64>,
    /// low < 0.3 ≤ medium < 0.7 ≤ high; `null` when nothing was checked.
    pub level: Option<RiskLevel>,
    /// Whether any claim is contradicted or conflicting: a mean hides one lie among ten truths.
    pub any_contradiction: bool,
}

impl Risk {
    /// The risk that these counts stand for.
    pub fn of(counts: &Counts) -> Self {
        let checked = counts.checked() as f64;
        // From the counts, not as 1 − score: 1 − 0.7 is not 0.3 in binary, and the levels begin exactly there.
        let unsupported = checked - counts.supported as f64 - 0.5 * counts.partially_supported as f64;
        let value = (checked > 0.0).then(|| unsupported / checked);
        Self { value, level: value.map(RiskLevel::of), any_contradiction: counts.contradicted + counts.conflicting > 0 }
    }
}

/// How much was checked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Coverage {
    /// Statements found in the text, worth checking or not.
    pub claims_found: usize,
    /// Those that were checked.
    pub checked: usize,
    /// Those that were not.
    pub not_checked: usize,
    /// How many were not checked for each reason.
    pub not_checked_reasons: BTreeMap<String, usize>,
    /// Checks that failed on claims that were checked all the same.
    pub failed_checks: usize,
}

/// Whether a claim that was not checked for this reason is one that should have been.
pub fn is_shortfall(reason: Unchecked) -> bool {
    matches!(
        reason,
        Unchecked::UnsupportedLanguage
            | Unchecked::EvidenceUnavailable
            | Unchecked::TooLong
            | Unchecked::CheckFailed
            | Unchecked::Stopped
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(supported: usize, partially_supported: usize, contradicted: usize) -> Counts {
        Counts { supported, partially_supported, contradicted, ..Counts::default() }
    }

    #[test]
    fn nothing_checked_has_no_score_and_no_risk() {
        let none = Counts { not_checked: 3, ..Counts::default() };
        assert_eq!(none.score(), None);
        assert_eq!(Risk::of(&none), Risk { value: None, level: None, any_contradiction: false });
    }

    #[test]
    fn risk_levels_begin_at_their_bounds() {
        assert_eq!(Risk::of(&counts(7, 0, 3)).level, Some(RiskLevel::Medium));
        assert_eq!(Risk::of(&counts(3, 0, 7)).level, Some(RiskLevel::High));
        assert_eq!(Risk::of(&counts(71, 0, 29)).level, Some(RiskLevel::Low));
    }

    #[test]
    fn one_lie_among_ten_truths_is_low_risk_but_is_said() {
        let risk = Risk::of(&counts(10, 0, 1));
        assert_eq!(risk.level, Some(RiskLevel::Low));
        assert!(risk.any_contradiction);
    }

    #[test]
    fn a_partial_support_counts_half() {
        assert_eq!(counts(1, 1, 0).score(), Some(0.75));
    }
}
