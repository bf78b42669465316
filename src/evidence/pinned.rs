//! What pins a passage: enough to cite it and to find the very same text again.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::corpus::MetadataValue;

/// Where and when a passage of a page that changes stood, as far as its source tells.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pinned {
    /// Number of the page's revision.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub revision: Option<u64>,
    /// Address of that revision.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub permalink: Option<String>,
    /// Heading of the section that the passage stands in; `None` before the first.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub section: Option<String>,
    /// Licence of the text.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub licence: Option<String>,
    /// When the revision was written (RFC 3339).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub dated: Option<String>,
    /// When it was fetched (RFC 3339).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub retrieved: Option<String>,
}

impl Pinned {
    /// What a document's metadata tell: `revision` (or `revision_id`), `permalink`, `licence`, `dated` (or
    /// `timestamp`), `retrieved`.
    /// `None` where they tell neither a revision nor a date.
    pub fn of(metadata: &BTreeMap<String, MetadataValue>) -> Option<Self> {
        let text = |name: &str| match metadata.get(name) {
            Some(MetadataValue::Text(text)) if !text.is_empty() => Some(text.clone()),
            _ => None,
        };
        let revision = match metadata.get("revision").or_else(|| metadata.get("revision_id")) {
            Some(MetadataValue::Integer(number)) => u64::try_from(*number).ok(),
            Some(MetadataValue::Text(text)) => text.parse().ok(),
            _ => None,
        };
        let pinned = Self {
            revision,
            permalink: text("permalink"),
            section: None,
            licence: text("licence"),
            dated: text("dated").or_else(|| text("timestamp")),
            retrieved: text("retrieved"),
        };
        (pinned.revision.is_some() || pinned.dated.is_some()).then_some(pinned)
    }

    /// The same as metadata of a document; the section is a passage's own and is left out.
    pub fn metadata(&self) -> BTreeMap<String, MetadataValue> {
        let mut metadata = BTreeMap::new();
        if let Some(revision) = self.revision.and_then(|revision| i64::try_from(revision).ok()) {
            metadata.insert("revision".to_owned(), MetadataValue::Integer(revision));
        }
        let texts = [
            ("permalink", &self.permalink),
            ("licence", &self.licence),
            ("dated", &self.dated),
            ("retrieved", &self.retrieved),
        ];
        for (name, value) in texts {
            if let Some(value) = value {
                metadata.insert(name.to_owned(), MetadataValue::Text(value.clone()));
            }
        }
        metadata
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_pins_a_passage_survives_as_metadata() {
        let pinned = Pinned {
            revision: Some(42),
            permalink: Some("https://example.org/?oldid=42".to_owned()),
            section: None,
            licence: Some("CC BY-SA 4.0".to_owned()),
            dated: Some("2026-01-02T03:04:05Z".to_owned()),
            retrieved: None,
        };
        assert_eq!(Pinned::of(&pinned.metadata()), Some(pinned));
        assert_eq!(Pinned::of(&BTreeMap::new()), None);
    }
}
