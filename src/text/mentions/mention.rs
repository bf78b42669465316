//! What a mention is, and the form under which it is compared.

use serde::{Deserialize, Serialize};

use super::aliases;
use super::shape::key_of_tokens;
use crate::text::TextSpan;
use crate::text::tokens;

/// What kind of thing a mention names, as far as the rules can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MentionKind {
    /// A person.
    Person,
    /// A place.
    Place,
    /// A company, institution, team or agency.
    Organisation,
    /// A title in quotes or italics.
    Work,
    /// A part number, model, standard or record: "A17", "CVE-2024-1234".
    Identifier,
    /// A name of unknown kind.
    Name,
}

/// A name as it stands in a text, with the forms under which it may be met elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mention {
    /// Where it stands, without titles ("Dr.") and leading articles.
    pub span: TextSpan,
    /// As written.
    pub text: String,
    /// Lower-case, diacritics folded, punctuation and legal form ("Ltd") dropped, Roman and regnal numbers in digits:
    /// what is compared.
    pub key: String,
    /// What it names.
    pub kind: MentionKind,
    /// A word that tells it from others of that name: "chemist" of "Alan Brook (chemist)", "the cyclist Alan Brook".
    pub qualifier: Option<String>,
    /// Whether the qualifier stands in brackets after the name, the way to tell bearers of one name apart.
    pub qualifier_in_brackets: bool,
    /// Whether the capital may owe only to the start of a sentence.
    pub sentence_initial: bool,
    /// Whether it is written in capitals throughout, as an acronym is.
    pub all_capitals: bool,
    /// Whether it is an adjective or a people's name made from a place ("German").
    pub demonym: bool,
    /// Keys that the same text gives as other names of it: "fis" for "Islamic Salvation Front (FIS)".
    pub also: Vec<String>,
    /// Its line in the table of known aliases.
    pub alias: Option<u16>,
}

impl Mention {
    /// The mention at `span` of `text`, of a kind told by the caller: for taggers other than ours.
    pub fn at(text: &str, span: TextSpan, kind: MentionKind) -> Self {
        let written = span.of(text);
        let tokens = tokens(written);
        let key = key_of_tokens(written, &tokens, kind == MentionKind::Identifier);
        Self::with_key(span, written, key, kind)
    }

    /// A mention that is a whole text: `Mention::named("Alan Brook")`.
    pub fn named(name: &str) -> Self {
        Self::at(name, TextSpan::whole(name), MentionKind::Name)
    }

    pub(super) fn with_key(span: TextSpan, written: &str, key: String, kind: MentionKind) -> Self {
        let all_capitals = {
            let mut letters = written.chars().filter(|c| c.is_alphabetic()).peekable();
            letters.peek().is_some() && letters.all(char::is_uppercase)
        };
        let lower_case_word = key.len() <= 3 && !all_capitals;
        // "us" and "who" are words: such short names are known only in capitals.
        let alias = if lower_case_word || kind == MentionKind::Identifier { None } else { aliases::group(&key) };
        let demonym = alias.is_some() && aliases::is_demonym(&key);
        Self {
            span,
            text: written.to_owned(),
            key,
            kind,
            qualifier: None,
            qualifier_in_brackets: false,
            sentence_initial: false,
            all_capitals,
            demonym,
            also: Vec::new(),
            alias,
        }
    }
}

/// How two names stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum NameMatch {
    /// Same name: equal keys, a known alias, an acronym of the other, or surname/initials of a full name.
    Same,
    /// Same name, but their qualifiers tell two bearers apart.
    OtherBearer,
    /// Different names.
    Different,
}
