//! Mentions of named things: people, places, organisations, works, identifiers. By rules, no model.

use serde::{Deserialize, Serialize};

use super::TextSpan;

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
    /// Lower-case, diacritics folded, punctuation dropped: what is compared.
    pub key: String,
    /// What it names.
    pub kind: MentionKind,
    /// A word that tells it from others of that name: "chemist" of "Alan Brook (chemist)", "the cyclist Alan Brook".
    pub qualifier: Option<String>,
    /// Whether the capital may owe only to the start of a sentence.
    pub sentence_initial: bool,
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
