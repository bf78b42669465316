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

    /// All of them; the place of each is its code.
    const ALL: [Self; 19] = [
        Self::None,
        Self::Arabic,
        Self::Danish,
        Self::Dutch,
        Self::English,
        Self::Finnish,
        Self::French,
        Self::German,
        Self::Greek,
        Self::Hungarian,
        Self::Italian,
        Self::Norwegian,
        Self::Portuguese,
        Self::Romanian,
        Self::Russian,
        Self::Spanish,
        Self::Swedish,
        Self::Tamil,
        Self::Turkish,
    ];

    /// A number for it that never changes.
    pub fn code(self) -> u32 {
        self as u32
    }

    /// The stemmer with this number.
    pub fn from_code(code: u32) -> Option<Self> {
        Self::ALL.get(code as usize).copied()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_lead_back_to_their_stemmers() {
        for (code, stemming) in (0..).zip(Stemming::ALL) {
            assert_eq!((stemming.code(), Stemming::from_code(code)), (code, Some(stemming)));
        }
        assert_eq!(Stemming::from_code(19), None);
    }

    #[test]
    fn a_documents_language_decides() {
        assert_eq!(
            Stemming::of_document(
                "Die Brücke wurde im Jahr 1931 nach langer Bauzeit eröffnet und ist bis heute in Betrieb."
            ),
            Stemming::German
        );
        assert_eq!(Stemming::of_document("31 m"), Stemming::English);
        assert_eq!(Stemming::of_document("今日はいい天気です"), Stemming::None);
    }
}
