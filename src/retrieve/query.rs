//! What to look for, and how.

use serde::{Deserialize, Serialize};

/// Which legs of a search run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SearchMode {
    /// Words and meaning, fused. In an index without vectors, words alone.
    #[default]
    Hybrid,
    /// Words.
    Bm25,
    /// Meaning.
    Dense,
}

/// What to look for. The text is never parsed: any text is a query, and no character in it has a meaning of its own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    /// A question, a claim, some words.
    pub text: String,
    /// Which legs run.
    pub mode: SearchMode,
    /// The most passages to return.
    pub k: usize,
}
