//! A document's header as it is stored: all of a document but its text.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::filter::{Field, FieldValue};
use crate::corpus::{Document, DocumentId, Markup, MetadataValue, Provenance};

/// All of a document but its text. A field's type is written with its value, as the encoding does not describe itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredHeader {
    pub id: DocumentId,
    pub title: Option<String>,
    pub markup: Markup,
    pub provenance: Provenance,
    metadata: Vec<(String, StoredValue)>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum StoredValue {
    Bool(bool),
    Integer(i64),
    Number(f64),
    Text(String),
}

impl StoredHeader {
    pub(super) fn of(document: &Document) -> Self {
        let stored = |value: &MetadataValue| match value {
            MetadataValue::Bool(value) => StoredValue::Bool(*value),
            MetadataValue::Integer(value) => StoredValue::Integer(*value),
            MetadataValue::Number(value) => StoredValue::Number(*value),
            MetadataValue::Text(value) => StoredValue::Text(value.clone()),
        };
        Self {
            id: document.id.clone(),
            title: document.title.clone(),
            markup: document.markup,
            provenance: document.provenance.clone(),
            metadata: document.metadata.iter().map(|(name, value)| (name.clone(), stored(value))).collect(),
        }
    }

    pub(super) fn metadata(&self) -> BTreeMap<String, MetadataValue> {
        let value = |stored: &StoredValue| match stored {
            StoredValue::Bool(value) => MetadataValue::Bool(*value),
            StoredValue::Integer(value) => MetadataValue::Integer(*value),
            StoredValue::Number(value) => MetadataValue::Number(*value),
            StoredValue::Text(value) => MetadataValue::Text(value.clone()),
        };
        self.metadata.iter().map(|(name, stored)| (name.clone(), value(stored))).collect()
    }

    /// What a filter compares.
    pub(super) fn field(&self, field: &Field) -> Option<FieldValue<'_>> {
        match field {
            Field::Id => Some(FieldValue::Text(&self.id.0)),
            Field::Title => self.title.as_deref().map(FieldValue::Text),
            Field::Source => Some(FieldValue::Text(&self.provenance.source)),
            Field::Place => self.provenance.place.as_deref().map(FieldValue::Text),
            Field::Url => self.provenance.url.as_deref().map(FieldValue::Text),
            Field::Metadata(name) => {
                let (_, stored) = self.metadata.iter().find(|(other, _)| other == name)?;
                Some(match stored {
                    StoredValue::Bool(value) => FieldValue::Bool(*value),
                    StoredValue::Integer(value) => FieldValue::Integer(*value),
                    StoredValue::Number(value) => FieldValue::Number(*value),
                    StoredValue::Text(value) => FieldValue::Text(value),
                })
            }
        }
    }

    pub(super) fn into_document(self, text: String) -> Document {
        let metadata = self.metadata();
        Document { id: self.id, title: self.title, text, markup: self.markup, provenance: self.provenance, metadata }
    }
}
