//! The languages of summaries.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::error::CavaquinhoError;
use crate::text::Language;

/// In which language summaries are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SummaryLanguage {
    /// English.
    #[default]
    English,
    /// Portuguese.
    Portuguese,
}

impl SummaryLanguage {
    /// The language in which texts are read: Portuguese where that was asked for, else each text's own.
    pub(super) const fn reading(self) -> Language {
        match self {
            Self::English => Language::Unknown,
            Self::Portuguese => Language::Portuguese,
        }
    }
}

impl FromStr for SummaryLanguage {
    type Err = CavaquinhoError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name.to_lowercase().as_str() {
            "english" | "en" => Ok(Self::English),
            "portuguese" | "pt" => Ok(Self::Portuguese),
            _ => Err(CavaquinhoError::UnknownLanguage { name: name.to_owned() }),
        }
    }
}
