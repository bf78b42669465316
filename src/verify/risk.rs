//! How much a risk is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How risky the text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RiskLevel {
    /// Below 0.3.
    Low,
    /// From 0.3 to below 0.7.
    Medium,
    /// From 0.7.
    High,
}

impl RiskLevel {
    /// The level of a risk value by the default bounds.
    pub fn of(value: f64) -> Self {
        RiskBounds::default().level(value)
    }

    /// The name used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// Where the levels begin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RiskBounds {
    /// Risk from here on is medium; below it is low.
    pub medium_from: f64,
    /// Risk from here on is high.
    pub high_from: f64,
}

impl Default for RiskBounds {
    fn default() -> Self {
        Self { medium_from: 0.3, high_from: 0.7 }
    }
}

impl RiskBounds {
    /// The level of a risk value.
    ///
    /// ```
    /// use evidex::verify::{RiskBounds, RiskLevel};
    /// let bounds = RiskBounds::default();
    /// assert_eq!([0.29, 0.3, 0.5, 0.7].map(|risk| bounds.level(risk)),
    ///     [RiskLevel::Low, RiskLevel::Medium, RiskLevel::Medium, RiskLevel::High]);
    /// ```
    pub fn level(&self, value: f64) -> RiskLevel {
        if value < self.medium_from {
            RiskLevel::Low
        } else if value < self.high_from {
            RiskLevel::Medium
        } else {
            RiskLevel::High
        }
    }
}
