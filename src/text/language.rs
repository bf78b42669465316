//! Which language a text is written in, and what we know of each language: its stemmer and its function words.
//!
//! Guessing is cautious: names and short statements give [`Language::Unknown`], never a wrong foreign language.
//! Scripts decide where they can; between languages in Latin script, function words vote together with trigrams.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use whatlang::Lang;

use super::function_words::votes;
use super::normalise::fold;

/// A language.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema)]
#[schemars(with = "String")]
#[non_exhaustive]
pub enum Language {
    /// English.
    English,
    /// Portuguese.
    Portuguese,
    /// German.
    German,
    /// Spanish.
    Spanish,
    /// French.
    French,
    /// Italian.
    Italian,
    /// Dutch.
    Dutch,
    /// Chinese, simplified or traditional.
    Chinese,
    /// Japanese.
    Japanese,
    /// A language that the rules of this room do not know, by its ISO 639-3 code.
    Other(&'static str),
    /// Too short or too mixed to tell.
    #[default]
    Unknown,
}

impl Language {
    /// Its code: ISO 639-1 where the rules know the language ("en"), ISO 639-3 for others ("pol"), "und" if unknown.
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Portuguese => "pt",
            Self::German => "de",
            Self::Spanish => "es",
            Self::French => "fr",
            Self::Italian => "it",
            Self::Dutch => "nl",
            Self::Chinese => "zh",
            Self::Japanese => "ja",
            Self::Other(code) => code,
            Self::Unknown => "und",
        }
    }

    /// The language of a code or an English name, region and case ignored ("en", "pt-BR", "deu", "French");
    /// [`Language::Unknown`] if there is none.
    pub fn from_code(code: &str) -> Self {
        let code = code.trim().split(['-', '_']).next().unwrap_or("").to_ascii_lowercase();
        match code.as_str() {
            "en" | "eng" | "english" => Self::English,
            "pt" | "por" | "portuguese" => Self::Portuguese,
            "de" | "deu" | "ger" | "german" => Self::German,
            "es" | "spa" | "spanish" => Self::Spanish,
            "fr" | "fra" | "fre" | "french" => Self::French,
            "it" | "ita" | "italian" => Self::Italian,
            "nl" | "nld" | "dut" | "dutch" => Self::Dutch,
            "zh" | "zho" | "chi" | "cmn" | "chinese" => Self::Chinese,
            "ja" | "jpn" | "japanese" => Self::Japanese,
            other => Lang::from_code(other).map_or(Self::Unknown, |lang| Self::Other(lang.code())),
        }
    }

    /// Whether words are written without spaces between them.
    pub fn is_unspaced(self) -> bool {
        matches!(self, Self::Chinese | Self::Japanese | Self::Other("tha" | "khm" | "mya"))
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

// By hand, as a derived `Deserialize` would borrow the code of `Other` for ever.
impl Serialize for Language {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

impl<'de> Deserialize<'de> for Language {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::from_code(&String::deserialize(deserializer)?))
    }
}

/// What [`language`] makes of a text.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LanguageGuess {
    /// The language, [`Language::Unknown`] if it cannot be told.
    pub language: Language,
    /// 0 to 1.
    pub confidence: f32,
    /// Whether a caller may act on it, for instance refuse to check the text.
    pub reliable: bool,
}

impl LanguageGuess {
    const UNKNOWN: Self = Self { language: Language::Unknown, confidence: 0.0, reliable: false };

    fn sure(language: Language) -> Self {
        Self { language, confidence: 1.0, reliable: true }
    }

    /// This guess where a language was told, else the caller's `hint` (not reliable).
    pub fn or_hint(self, hint: Language) -> Self {
        if self.language == Language::Unknown { Self { language: hint, ..self } } else { self }
    }
}

/// Letters looked at: enough for a sure guess, and keeps the cost of a long text bounded.
const SAMPLE_BYTES: usize = 2_000;
/// Letters below which a text in Latin script is never called a language outside our list. Chosen on single sentences
/// of the factbook, see the tests.
const MIN_LETTERS_FOREIGN: usize = 40;
/// The same for a text without any letter beyond A to Z.
const MIN_LETTERS_UNMARKED: usize = 150;
/// How far function words must lead at least.
const LEAD: f32 = 0.5;
/// Letters above which trigrams alone may tell a language of our list.
const MIN_LETTERS_TRIGRAMS: usize = 60;

/// Guesses the language of a text.
///
/// ```
/// use evidex::text::{Language, language};
/// assert_eq!(language("Die Brücke ist seit 1958 in Betrieb.").language, Language::German);
/// assert_eq!(language("Kemeny, Kurtz").language, Language::Unknown);
/// ```
pub fn language(text: &str) -> LanguageGuess {
    let sample = head(text, SAMPLE_BYTES);
    let mut counts = ScriptCounts::default();
    for c in sample.chars() {
        counts.add(c);
    }
    let cjk = counts.han + counts.kana;
    if cjk + counts.hangul > counts.latin + counts.other && cjk + counts.hangul > 0 {
        return counts.east_asian();
    }
    if counts.latin >= counts.other { latin(sample, counts.latin) } else { other_script(sample, counts.other) }
}

/// The language that function words alone tell, which costs next to nothing: for a query, of which only its function words
/// are asked for.
pub(crate) fn language_of_words(text: &str) -> Language {
    let votes = votes(&fold(head(text, SAMPLE_BYTES)));
    let enough = votes.distinct >= 2 || votes.language == Language::English;
    if enough && votes.lead >= LEAD { votes.language } else { Language::Unknown }
}

fn head(text: &str, limit: usize) -> &str {
    let mut end = limit.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[derive(Default)]
struct ScriptCounts {
    latin: usize,
    han: usize,
    kana: usize,
    hangul: usize,
    other: usize,
}

impl ScriptCounts {
    fn add(&mut self, c: char) {
        match c {
            'a'..='z' | 'A'..='Z' => self.latin += 1,
            '\0'..='\u{7f}' => {}
            '\u{3040}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' => self.kana += 1,
            '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' => {
                self.han += 1;
            }
            '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7a3}' => self.hangul += 1,
            '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' if c.is_alphabetic() => self.latin += 1,
            _ if c.is_alphabetic() => self.other += 1,
            _ => {}
        }
    }

    fn east_asian(&self) -> LanguageGuess {
        if self.hangul > self.han + self.kana {
            LanguageGuess { reliable: self.hangul >= 4, ..LanguageGuess::sure(Language::Other("kor")) }
        } else if self.kana * 10 >= self.han {
            LanguageGuess { reliable: self.kana >= 2, ..LanguageGuess::sure(Language::Japanese) }
        } else {
            // A few ideographs without kana may still be a Japanese name or title.
            LanguageGuess { reliable: self.han >= 8, ..LanguageGuess::sure(Language::Chinese) }
        }
    }
}

fn other_script(sample: &str, letters: usize) -> LanguageGuess {
    let Some(info) = whatlang::detect(sample) else { return LanguageGuess::UNKNOWN };
    let language = from_whatlang(info.lang());
    LanguageGuess { language, confidence: info.confidence() as f32, reliable: letters >= 8 }
}

fn latin(sample: &str, letters: usize) -> LanguageGuess {
    let votes = votes(&fold(sample));
    let trigrams = if letters >= MIN_LETTERS_FOREIGN { whatlang::detect(sample) } else { None };
    let by_trigrams = trigrams.as_ref().map_or(Language::Unknown, |info| from_whatlang(info.lang()));
    let agree = by_trigrams == votes.language;
    // Function words decide when they lead clearly, or with the trigrams' consent. A single one may be a name, so only
    // English, which a caller assumes anyway, may rest on it.
    let enough = votes.distinct >= 2 || votes.language == Language::English;
    if votes.language != Language::Unknown
        && enough
        && (votes.lead >= 1.5 || votes.lead >= LEAD && (agree || letters < MIN_LETTERS_FOREIGN && votes.lead >= 0.9))
    {
        let confidence = (votes.lead / (votes.lead + 1.0)).max(if agree { 0.9 } else { 0.0 });
        return LanguageGuess { language: votes.language, confidence, reliable: votes.lead >= 1.5 || agree };
    }
    let Some(info) = trigrams.filter(whatlang::Info::is_reliable) else { return LanguageGuess::UNKNOWN };
    let share = votes.best / votes.words.max(1) as f32;
    let known = !matches!(by_trigrams, Language::Other(_));
    let trusted = if known {
        letters >= MIN_LETTERS_TRIGRAMS && votes.words >= 8 && agree
    } else {
        // A running text in one of our languages has a function word at every third or fourth place, an enumeration has
        // not; but most other languages in Latin script have letters of their own.
        let marked = sample.chars().filter(|c| !c.is_ascii() && c.is_alphabetic()).count() >= 2;
        let commas = sample.matches([',', ';', ':', '/']).count();
        votes.words >= 6 && share < 0.15 && (marked || letters >= MIN_LETTERS_UNMARKED && commas * 8 < votes.words)
    };
    if !trusted {
        return LanguageGuess::UNKNOWN;
    }
    LanguageGuess { language: by_trigrams, confidence: info.confidence() as f32, reliable: true }
}

fn from_whatlang(lang: Lang) -> Language {
    match lang {
        Lang::Eng => Language::English,
        Lang::Por => Language::Portuguese,
        Lang::Deu => Language::German,
        Lang::Spa => Language::Spanish,
        Lang::Fra => Language::French,
        Lang::Ita => Language::Italian,
        Lang::Nld => Language::Dutch,
        Lang::Cmn => Language::Chinese,
        Lang::Jpn => Language::Japanese,
        other => Language::Other(other.code()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn running_text_is_recognised() {
        for (text, expected) in [
            ("The bridge was opened in 1958 and is 240 metres long.", Language::English),
            ("A ponte foi inaugurada em 1958 e tem 240 metros de comprimento.", Language::Portuguese),
            ("Die Brücke wurde 1958 eröffnet und ist 240 Meter lang.", Language::German),
            ("El puente fue inaugurado en 1958 y tiene 240 metros de largo.", Language::Spanish),
            ("Le pont a été inauguré en 1958 et mesure 240 mètres de long.", Language::French),
            ("Il ponte è stato inaugurato nel 1958 ed è lungo 240 metri.", Language::Italian),
            ("De brug werd in 1958 geopend en is 240 meter lang.", Language::Dutch),
            ("青石桥建于1958年。全长240米。", Language::Chinese),
            ("この橋は1958年に開通しました。", Language::Japanese),
            ("이 다리는 1958년에 개통되었습니다.", Language::Other("kor")),
            ("Мост был открыт в 1958 году и имеет длину 240 метров.", Language::Other("rus")),
            (
                "Most został otwarty w 1958 roku i ma długość 240 metrów. Jest najdłuższym mostem w kraju.",
                Language::Other("pol"),
            ),
        ] {
            let guess = language(text);
            assert_eq!(guess.language, expected, "{text}");
            assert!(guess.reliable, "{text}");
        }
    }

    #[test]
    fn short_statements_with_names_are_never_called_foreign() {
        for text in [
            "BASIC was created by NASA.",
            "Kemeny, Kurtz",
            "Delhi",
            "Norsel Ltd. acquired Brightmoor Holdings.",
            "Giovanni Battista Tiepolo painted ceilings.",
            "Arden has 9,500 residents.",
            "Vance joined Norsel Instruments, Gdańsk, 2019",
            "",
            "12 345",
            "🚀🚀",
        ] {
            assert!(
                matches!(language(text).language, Language::English | Language::Unknown),
                "{text}: {:?}",
                language(text)
            );
        }
    }

    #[test]
    fn a_hint_fills_in_only_what_is_not_known() {
        assert_eq!(language("Delhi").or_hint(Language::Portuguese).language, Language::Portuguese);
        assert_eq!(language("Die Brücke wurde 1958 eröffnet.").or_hint(Language::English).language, Language::German);
    }

    #[test]
    fn codes_and_languages_correspond() {
        for language in
            [Language::English, Language::Dutch, Language::Japanese, Language::Other("pol"), Language::Unknown]
        {
            assert_eq!(Language::from_code(language.code()), language);
        }
        assert_eq!(Language::from_code("pt-BR"), Language::Portuguese);
    }
}
