//! Which stemmer a text takes.

use rust_stemmers::{Algorithm, Stemmer};
use serde::{Deserialize, Serialize};

/// A language's stemmer (Snowball), or none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Stemming {
    /// No stemmer for the language, or the language is not known.
    #[default]
    None,
    /// Arabic.
    Arabic,
    /// Danish.
    Danish,
    /// Dutch.
    Dutch,
    /// English.
    English,
    /// Finnish.
    Finnish,
    /// French.
    French,
    /// German.
    German,
    /// Greek.
    Greek,
    /// Hungarian.
    Hungarian,
    /// Italian.
    Italian,
    /// Norwegian.
    Norwegian,
    /// Portuguese.
    Portuguese,
    /// Romanian.
    Romanian,
    /// Russian.
    Russian,
    /// Spanish.
    Spanish,
    /// Swedish.
    Swedish,
    /// Tamil.
    Tamil,
    /// Turkish.
    Turkish,
}

/// As much of a document as its language is guessed from, in bytes.
const SAMPLE_BYTES: usize = 2048;

impl Stemming {
    /// The stemmer for a document, by the language of its beginning; English where the guess is not reliable and
    /// the text is in Latin letters.
    pub fn of_document(text: &str) -> Self {
        let mut end = text.len().min(SAMPLE_BYTES);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let Some(info) = whatlang::detect(&text[..end]) else { return Self::None };
        if info.is_reliable() {
            Self::of_language(info.lang())
        } else if info.script() == whatlang::Script::Latin {
            Self::English
        } else {
            Self::of_language(info.lang())
        }
    }

    fn of_language(language: whatlang::Lang) -> Self {
        use whatlang::Lang;
        match language {
            Lang::Ara => Self::Arabic,
            Lang::Dan => Self::Danish,
            Lang::Nld => Self::Dutch,
            Lang::Eng => Self::English,
            Lang::Fin => Self::Finnish,
            Lang::Fra => Self::French,
            Lang::Deu => Self::German,
            Lang::Ell => Self::Greek,
            Lang::Hun => Self::Hungarian,
            Lang::Ita => Self::Italian,
            Lang::Nob => Self::Norwegian,
            Lang::Por => Self::Portuguese,
            Lang::Ron => Self::Romanian,
            Lang::Rus => Self::Russian,
            Lang::Spa => Self::Spanish,
            Lang::Swe => Self::Swedish,
            Lang::Tam => Self::Tamil,
            Lang::Tur => Self::Turkish,
            _ => Self::None,
        }
    }

    /// The stemmer itself.
    pub(super) fn stemmer(self) -> Option<Stemmer> {
        Some(Stemmer::create(match self {
            Self::None => return None,
            Self::Arabic => Algorithm::Arabic,
            Self::Danish => Algorithm::Danish,
            Self::Dutch => Algorithm::Dutch,
            Self::English => Algorithm::English,
            Self::Finnish => Algorithm::Finnish,
            Self::French => Algorithm::French,
            Self::German => Algorithm::German,
            Self::Greek => Algorithm::Greek,
            Self::Hungarian => Algorithm::Hungarian,
            Self::Italian => Algorithm::Italian,
            Self::Norwegian => Algorithm::Norwegian,
            Self::Portuguese => Algorithm::Portuguese,
            Self::Romanian => Algorithm::Romanian,
            Self::Russian => Algorithm::Russian,
            Self::Spanish => Algorithm::Spanish,
            Self::Swedish => Algorithm::Swedish,
            Self::Tamil => Algorithm::Tamil,
            Self::Turkish => Algorithm::Turkish,
        }))
    }
}
