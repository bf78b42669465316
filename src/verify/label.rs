//! What a verdict can say.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The verdict on a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Label {
    /// A stored passage, or a shown computation, says so.
    Supported,
    /// One part is supported, another is not.
    PartiallySupported,
    /// A stored passage says otherwise.
    Contradicted,
    /// Passages disagree with each other about it.
    Conflicting,
    /// The sources do not settle it.
    NotEnoughInfo,
    /// It was not checked; the reason says why.
    NotChecked,
}

impl Label {
    /// Every label, in the order of the report's counts.
    pub const ALL: [Self; 6] = [
        Self::Supported,
        Self::PartiallySupported,
        Self::Contradicted,
        Self::Conflicting,
        Self::NotEnoughInfo,
        Self::NotChecked,
    ];

    /// The name used in JSON and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::PartiallySupported => "partially_supported",
            Self::Contradicted => "contradicted",
            Self::Conflicting => "conflicting",
            Self::NotEnoughInfo => "not_enough_info",
            Self::NotChecked => "not_checked",
        }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
