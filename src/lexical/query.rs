//! A query's words, analysed as passages are.

use std::collections::BTreeSet;

use super::analysis::{TermKind, Terms};
use super::stemming::Stemming;
use crate::text::{is_function_word_anywhere, is_stop_word, language_of_words};

/// A query's distinct words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LexicalQuery {
    /// In the order in which they first stand.
    pub words: Vec<QueryWord>,
}

/// One word of a query, in each form to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryWord {
    /// The folded word.
    pub exact: String,
    /// Its stems, one for each stemmer that the index uses, without repeats.
    pub stems: Vec<String>,
    /// What it looks like.
    pub kind: TermKind,
    /// Whether it carries no content of its own, such as "the" and "was".
    pub is_function_word: bool,
}

impl QueryWord {
    /// Whether it is one character of a script whose passages are read in pairs.
    pub(super) fn is_half_a_pair(&self) -> bool {
        let mut letters = self.exact.chars().filter(|&c| !unicode_normalization::char::is_combining_mark(c));
        self.kind == TermKind::Pair && letters.next().is_some() && letters.next().is_none()
    }
}

impl LexicalQuery {
    /// Analyses `text`. Any text is a query; one without letters or digits has no words.
    ///
    /// `stemmings` are the stemmers of the passages to be searched.
    pub fn of(text: &str, stemmings: &[Stemming]) -> Self {
        let stemmers: Vec<_> = stemmings.iter().filter_map(|stemming| stemming.stemmer()).collect();
        // Only function words ask for the language.
        let mut language_of_text = None;
        let mut seen = BTreeSet::new();
        let mut words = Vec::new();
        for (exact, kind) in Terms::of(text).0 {
            if !seen.insert(exact.clone()) {
                continue;
            }
            let mut stems = BTreeSet::new();
            if kind == TermKind::Word {
                stems.extend(stemmers.iter().map(|stemmer| stemmer.stem(&exact).into_owned()));
            }
            let is_function_word = kind == TermKind::Word
                && is_function_word_anywhere(&exact)
                && is_stop_word(&exact, *language_of_text.get_or_insert_with(|| language_of_words(text)));
            words.push(QueryWord { exact, stems: stems.into_iter().collect(), kind, is_function_word });
        }
        Self { words }
    }

    /// Whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}
