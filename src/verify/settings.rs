//! How a verifier reads and weighs.

use crate::text::{DateOrder, Language, NumberLocale};

/// Settings of a [`Verifier`](super::Verifier).
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct VerifySettings {
    /// Passages asked of each source for a claim.
    pub passages_per_claim: usize,
    /// How digits are grouped where a number could be read both ways.
    pub number_locale: NumberLocale,
    /// How all-number dates are read.
    pub date_order: DateOrder,
    /// The language of texts that are too short to tell.
    pub language: Language,
    /// The question that the text answers: expands one-word answers.
    pub question: Option<String>,
    /// Windows a claim that an NLI model reads.
    pub nli_windows: usize,
}

impl Default for VerifySettings {
    fn default() -> Self {
        Self {
            passages_per_claim: 16,
            number_locale: NumberLocale::Any,
            date_order: DateOrder::Unknown,
            language: Language::Unknown,
            question: None,
            nli_windows: 6,
        }
    }
}
