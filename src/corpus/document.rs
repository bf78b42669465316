//! A document: a text with an id that stays the same, and where it came from.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A document's stable name: adding another document with the same id replaces it.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct DocumentId(pub String);

impl fmt::Display for DocumentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for DocumentId {
    fn from(id: &str) -> Self {
        Self(id.to_owned())
    }
}

/// How the document's text is to be read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Markup {
    /// As it stands.
    #[default]
    Plain,
    /// Markdown: marks are skipped in reading, offsets stay those of the raw text.
    Markdown,
}

/// A value of a metadata field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum MetadataValue {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// Any other number; always finite.
    Number(f64),
    /// A text.
    Text(String),
}

/// Where a document came from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The file path as given, `-` for standard input, or a name given by the caller.
    pub source: String,
    /// The place in the source, where it holds several documents: "line 17", "row 3".
    pub place: Option<String>,
    /// The address that the document itself names.
    pub url: Option<String>,
}

/// A text to find evidence in. Offsets in evidence are bytes into [`Document::text`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// Stable id.
    pub id: DocumentId,
    /// Title, where there is one.
    pub title: Option<String>,
    /// The text. For HTML it is the extracted text, for all others the decoded file as it stands.
    pub text: String,
    /// How to read it.
    pub markup: Markup,
    /// Where it came from.
    pub provenance: Provenance,
    /// Further fields, in name order.
    pub metadata: BTreeMap<String, MetadataValue>,
}

impl Document {
    /// A plain document given directly by a caller, its id also naming its source.
    pub fn inline(id: &str, text: impl Into<String>) -> Self {
        Self {
            id: DocumentId::from(id),
            title: None,
            text: text.into(),
            markup: Markup::Plain,
            provenance: Provenance { source: id.to_owned(), ..Provenance::default() },
            metadata: BTreeMap::new(),
        }
    }
}
