//! What a row of an evaluation set can be labelled with, and how a verdict answers to it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::verify::Label;

/// A label of an evaluation set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// The context says so.
    Supported,
    /// The context says otherwise.
    Contradicted,
    /// The context does not settle it.
    Neutral,
    /// The context does not say so, or says otherwise: the other class of a two-class set.
    Unsupported,
}

impl Class {
    /// Every class.
    pub const ALL: [Self; 4] = [Self::Supported, Self::Contradicted, Self::Neutral, Self::Unsupported];

    /// The name used in files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Contradicted => "contradicted",
            Self::Neutral => "neutral",
            Self::Unsupported => "unsupported",
        }
    }

    /// The class of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.as_str() == name)
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How finely a set tells claims apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Schema {
    /// Supported or unsupported.
    Binary,
    /// Supported, contradicted or neutral.
    ThreeClass,
}

impl Schema {
    /// The class that a verdict of this label stands for; `None` when nothing was checked.
    ///
    /// Conflicting counts as contradicted, partially supported as neutral; in a binary set everything but supported is
    /// unsupported.
    pub const fn of_label(self, label: Label) -> Option<Class> {
        match (label, self) {
            (Label::NotChecked, _) => None,
            (Label::Supported, _) => Some(Class::Supported),
            (_, Self::Binary) => Some(Class::Unsupported),
            (Label::Contradicted | Label::Conflicting, Self::ThreeClass) => Some(Class::Contradicted),
            (Label::PartiallySupported | Label::NotEnoughInfo, Self::ThreeClass) => Some(Class::Neutral),
        }
    }

    /// The same for a row's own class.
    pub const fn of_class(self, class: Class) -> Class {
        match (class, self) {
            (Class::Supported, _) => Class::Supported,
            (_, Self::Binary) => Class::Unsupported,
            (Class::Unsupported, Self::ThreeClass) => Class::Neutral,
            (class, Self::ThreeClass) => class,
        }
    }
}
