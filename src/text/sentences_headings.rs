//! Headings that lost their line break: "Recurso negado A corretora foi multada."
//!
//! In Romance languages a capitalised article or pronoun in front of a lower-case word begins a sentence, as titles have
//! only their first word in capitals. In English, where they have all, and in German, where nouns have, it tells nothing.

use super::function_words::{is_function_word, is_function_word_anywhere, votes};
use super::language::Language;
use super::normalise::fold;

/// Bytes that a heading may take.
const LONGEST_HEADING: usize = 160;
/// Bytes that are read to tell the language.
const SAMPLE: usize = 2_000;

/// Finds where a heading ends and running text begins.
#[derive(Default)]
pub(super) struct Headings {
    /// The language of the text, once it was needed; `None` for those in which capitals tell nothing.
    language: Option<Option<Language>>,
}

impl Headings {
    /// Whether a quotation in guillemets whose text begins at `from` is a sentence of its own after a colon, as
    /// Portuguese newspapers set it.
    pub(super) fn speech_begins(&mut self, text: &str, from: usize) -> bool {
        text[from..].starts_with(char::is_uppercase)
            && *self.language.get_or_insert_with(|| romance(text)) == Some(Language::Portuguese)
    }

    /// Whether a heading stands at `start..at` and the capital at `at` begins running text.
    pub(super) fn glued_before(&mut self, text: &str, start: usize, at: usize) -> bool {
        let before = &text[start..at];
        if before.len() > LONGEST_HEADING || !before.ends_with(' ') {
            return false;
        }
        let heading = before.trim_end();
        if !heading.contains(|c: char| c.is_alphabetic())
            || !heading.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '\u{bb}' | ')'))
        {
            return false;
        }
        if is_in_capitals(heading) {
            return text[at..].chars().nth(1).is_some_and(char::is_lowercase) || text[at..].chars().nth(1) == Some(' ');
        }
        let rest = &text[at..];
        let length = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        if length > 12 || !rest[length..].starts_with(' ') {
            return false;
        }
        let (word, following) = (&rest[..length], &rest[length + 1..]);
        if !word.chars().skip(1).all(char::is_lowercase) {
            return false;
        }
        let article_before_name = following.starts_with(char::is_uppercase) && matches!(word, "O" | "A" | "Os" | "As");
        if !following.starts_with(char::is_lowercase) && !article_before_name {
            return false;
        }
        let word = fold(word);
        if !is_function_word_anywhere(&word) {
            return false;
        }
        let Some(language) = *self.language.get_or_insert_with(|| romance(text)) else { return false };
        let last = heading.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
        let next = following.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
        // "Vitamina A é": a letter as a name; "de O Estado": an article that belongs to a name.
        let letter_as_name = word.len() == 1
            && !article_before_name
            && (is_function_word(&fold(next), language)
                || matches!(
                    fold(last).as_str(),
                    "vitamina"
                        | "hepatite"
                        | "tipo"
                        | "grupo"
                        | "classe"
                        | "serie"
                        | "plano"
                        | "letra"
                        | "clase"
                        | "plan"
                ));
        // "O Santos volta" after a heading, but not "a revista A Bola": the heading is long and no kind of publication.
        if article_before_name
            && (language != Language::Portuguese
                || heading.split(' ').count() < 4
                || heading.contains(',')
                || matches!(
                    fold(last).as_str(),
                    "jornal"
                        | "diario"
                        | "revista"
                        | "semanario"
                        | "livro"
                        | "filme"
                        | "romance"
                        | "peca"
                        | "disco"
                        | "album"
                        | "programa"
                        | "novela"
                        | "serie"
                        | "obra"
                        | "quadro"
                        | "conto"
                        | "poema"
                ))
        {
            return false;
        }
        is_function_word(&word, language)
            && !letter_as_name
            && !(last.starts_with(char::is_lowercase) && is_function_word(&fold(last), language))
    }
}

/// "Name: Ann Lee Born: 1950": a field after a field, for a capital at `at` in a sentence that began at `start`.
pub(super) fn field_begins(text: &str, start: usize, at: usize) -> bool {
    let before = &text[start..at];
    if before.len() > LONGEST_HEADING {
        return false;
    }
    let rest = &text[at..];
    let length = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    // French sets a space before the colon.
    let is_field = rest[length..].starts_with(": ") || rest[length..].starts_with(" : ");
    if !is_field || !before.trim_end().ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | '>' | '%')) {
        return false;
    }
    let Some(colon) = before.find(": ") else { return false };
    before[..colon].split(' ').count() <= 3 && before.starts_with(char::is_uppercase)
}

/// A heading in capitals: two words or more, at least ten letters, one word longer than most acronyms.
fn is_in_capitals(heading: &str) -> bool {
    heading.starts_with(char::is_uppercase)
        && !heading.contains(char::is_lowercase)
        && heading.chars().filter(|c| c.is_alphabetic()).count() >= 10
        && heading.split(' ').filter(|word| word.chars().count() >= 2).count() >= 2
        && heading.split(' ').any(|word| word.chars().count() >= 5)
}

/// The language of a text if it is Portuguese, Spanish, French or Italian.
fn romance(text: &str) -> Option<Language> {
    let mut end = SAMPLE.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let votes = votes(&fold(&text[..end]));
    let known =
        matches!(votes.language, Language::Portuguese | Language::Spanish | Language::French | Language::Italian);
    (known && votes.lead >= 1.5).then_some(votes.language)
}
