//! From a record (a JSON object, a CSV row) to a [`Document`]: which field is what, and metadata by dotted names.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::document::{Document, DocumentId, Markup, MetadataValue, Provenance};
use super::options::FieldNames;
use super::problem::CorpusError;
use super::wiki::refine_record;

pub(super) const ID_NAMES: &[&str] = &["id", "_id", "doc_id", "document_id", "docid"];
pub(super) const TITLE_NAMES: &[&str] = &["title", "name", "headline"];
pub(super) const TEXT_NAMES: &[&str] = &["text", "content", "body", "contents", "passage"];
pub(super) const URL_NAMES: &[&str] = &["url", "link", "uri", "source_url"];

/// The file that records come from.
#[derive(Debug, Clone)]
pub(super) struct RecordSource {
    /// The path as it is shown.
    pub(super) path: String,
    /// What the ids of records without one start with.
    pub(super) id: String,
    pub(super) fields: FieldNames,
}

impl RecordSource {
    /// The document of a JSON value that stands at `place` ("line 17") and is the file's `number`th.
    pub(super) fn document_of_value(&self, value: Value, place: String, number: u64) -> Result<Document, CorpusError> {
        let mut object = match value {
            Value::Object(object) => object,
            // A line that is a text and nothing else.
            Value::String(text) => Map::from_iter([("text".to_owned(), Value::String(text))]),
            _ => return Err(CorpusError::NotAnObject),
        };
        let names: Vec<String> =
            object.iter().filter(|(_, value)| !value.is_null()).map(|(name, _)| name.clone()).collect();
        let fields = &self.fields;
        let text = take(&mut object, fields.text.as_deref(), TEXT_NAMES);
        let (_, text) = text.ok_or_else(|| missing_text(fields, &names))?;
        let text = match text {
            Value::String(text) => text,
            Value::Array(parts) if parts.iter().all(Value::is_string) => {
                parts.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
            }
            _ => return Err(bad_field(fields.text.as_deref().unwrap_or("text"), "a text or a list of texts")),
        };
        if text.trim().is_empty() {
            return Err(CorpusError::Empty);
        }
        let id =
            take(&mut object, fields.id.as_deref(), ID_NAMES).map(|(name, value)| scalar(&name, value)).transpose()?;
        let title = take(&mut object, fields.title.as_deref(), TITLE_NAMES)
            .map(|(name, value)| scalar(&name, value))
            .transpose()?;
        let url = take(&mut object, fields.url.as_deref(), URL_NAMES)
            .map(|(name, value)| scalar(&name, value))
            .transpose()?;
        let mut metadata = BTreeMap::new();
        flatten(String::new(), Value::Object(object), &mut metadata);
        if let Some(wanted) = &fields.metadata {
            metadata.retain(|name, _| wanted.iter().any(|field| is_field_or_inside(name, field)));
        }
        let mut document = Document {
            id: self.id_or_place(id, number),
            title: title.map(|title| title.trim().to_owned()).filter(|title| !title.is_empty()),
            text,
            markup: Markup::Plain,
            provenance: Provenance {
                source: self.path.clone(),
                place: Some(place),
                url: url.filter(|url| !url.trim().is_empty()),
            },
            metadata,
        };
        refine_record(&mut document);
        Ok(document)
    }

    /// The id given, or, where there is none, one made of the file and the record's number in it.
    pub(super) fn id_or_place(&self, id: Option<String>, number: u64) -> DocumentId {
        match id.map(|id| id.trim().to_owned()).filter(|id| !id.is_empty()) {
            Some(id) => DocumentId(id),
            None => DocumentId(format!("{}#{number}", self.id)),
        }
    }
}

/// The error for a record in which no field is the text.
pub(super) fn missing_text(fields: &FieldNames, found: &[String]) -> CorpusError {
    let mut found = if found.is_empty() { "none".to_owned() } else { found.join(", ") };
    if found.len() > 300 {
        let end = found.floor_char_boundary(300);
        found.truncate(end);
        found.push('…');
    }
    match &fields.text {
        Some(field) => CorpusError::BadField { field: field.clone(), expected: "in every record" },
        None => CorpusError::MissingText { found },
    }
}

fn bad_field(field: &str, expected: &'static str) -> CorpusError {
    CorpusError::BadField { field: field.to_owned(), expected }
}

/// Takes the named field, or the first of the usual ones that holds something.
fn take(object: &mut Map<String, Value>, named: Option<&str>, usual: &[&str]) -> Option<(String, Value)> {
    if let Some(name) = named {
        return take_path(object, name).map(|value| (name.to_owned(), value));
    }
    for name in usual {
        let key = object
            .iter()
            .find(|(key, value)| key.eq_ignore_ascii_case(name) && !value.is_null())
            .map(|(key, _)| key.clone());
        if let Some(key) = key {
            return object.shift_remove(&key).map(|value| (key, value));
        }
    }
    None
}

fn take_path(object: &mut Map<String, Value>, path: &str) -> Option<Value> {
    if let Some(value) = object.shift_remove(path) {
        return Some(value).filter(|value| !value.is_null());
    }
    let (first, rest) = path.split_once('.')?;
    take_path(object.get_mut(first)?.as_object_mut()?, rest)
}

fn scalar(field: &str, value: Value) -> Result<String, CorpusError> {
    match value {
        Value::String(text) => Ok(text),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(bad_field(field, "a text or a number")),
    }
}

fn is_field_or_inside(name: &str, field: &str) -> bool {
    name.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn flatten(name: String, value: Value, into: &mut BTreeMap<String, MetadataValue>) {
    let value = match value {
        Value::Null => return,
        Value::Bool(value) => MetadataValue::Bool(value),
        Value::String(value) => MetadataValue::Text(value),
        Value::Array(values) => MetadataValue::Text(Value::Array(values).to_string()),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(integer), _) => MetadataValue::Integer(integer),
            (None, Some(float)) if float.is_finite() && !number.is_u64() => MetadataValue::Number(float),
            // Beyond what the types hold exactly.
            _ => MetadataValue::Text(number.to_string()),
        },
        Value::Object(object) => {
            for (key, value) in object {
                flatten(if name.is_empty() { key } else { format!("{name}.{key}") }, value, into);
            }
            return;
        }
    };
    into.entry(name).or_insert(value);
}

/// A metadata value of a text cell: a number where that says the same, else the text.
pub(super) fn cell_value(cell: &str) -> MetadataValue {
    if let Ok(integer) = cell.parse::<i64>()
        && integer.to_string() == cell
    {
        return MetadataValue::Integer(integer);
    }
    let digits = cell.strip_prefix('-').unwrap_or(cell);
    let plain = digits.split_once('.').is_some_and(|(whole, part)| {
        let all = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        all(whole) && all(part) && (whole == "0" || !whole.starts_with('0'))
    });
    match (plain, cell.parse::<f64>(), cell) {
        (true, Ok(number), _) if number.is_finite() => MetadataValue::Number(number),
        (_, _, "true" | "TRUE" | "True") => MetadataValue::Bool(true),
        (_, _, "false" | "FALSE" | "False") => MetadataValue::Bool(false),
        _ => MetadataValue::Text(cell.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn source(fields: FieldNames) -> RecordSource {
        RecordSource { path: "data/towns.jsonl".to_owned(), id: "towns.jsonl".to_owned(), fields }
    }

    fn read(value: Value) -> Result<Document, CorpusError> {
        source(FieldNames::default()).document_of_value(value, "line 3".to_owned(), 3)
    }

    #[test]
    fn usual_names_fill_the_document_and_the_rest_is_metadata() {
        let value = json!({"_id": 7, "Title": "Arden", "contents": "A town.", "link": "https://example.org/a",
            "size": {"area": 5.5, "people": 12000}, "tags": ["north", "port"], "big": 18446744073709551615u64, "none": null});
        let document = read(value).unwrap();
        assert_eq!(document.id.0, "7");
        assert_eq!(document.title.as_deref(), Some("Arden"));
        assert_eq!(document.text, "A town.");
        assert_eq!(document.provenance.url.as_deref(), Some("https://example.org/a"));
        assert_eq!(document.provenance.place.as_deref(), Some("line 3"));
        let metadata: Vec<_> = document.metadata.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        assert_eq!(
            metadata,
            [
                ("big", MetadataValue::Text("18446744073709551615".to_owned())),
                ("size.area", MetadataValue::Number(5.5)),
                ("size.people", MetadataValue::Integer(12000)),
                ("tags", MetadataValue::Text("[\"north\",\"port\"]".to_owned())),
            ]
        );
    }

    #[test]
    fn a_record_without_id_is_named_by_its_place() {
        assert_eq!(read(json!({"text": "x"})).unwrap().id.0, "towns.jsonl#3");
        assert_eq!(read(json!("just a line")).unwrap().text, "just a line");
    }

    #[test]
    fn named_fields_reach_into_nested_objects() {
        let fields = FieldNames {
            text: Some("page.words".to_owned()),
            title: Some("page.head".to_owned()),
            metadata: Some(vec!["page".to_owned()]),
            ..FieldNames::default()
        };
        let value = json!({"page": {"words": "A town.", "head": "Arden", "year": 1931}, "other": 1});
        let document = source(fields).document_of_value(value, "line 1".to_owned(), 1).unwrap();
        assert_eq!((document.text.as_str(), document.title.as_deref()), ("A town.", Some("Arden")));
        assert_eq!(document.metadata.keys().collect::<Vec<_>>(), ["page.year"]);
    }

    #[test]
    fn what_cannot_be_used_is_named() {
        assert_eq!(
            read(json!({"title": "x", "note": 1})).unwrap_err().to_string(),
            "has no text field (its fields: title, note)"
        );
        assert_eq!(read(json!({"text": {"a": 1}})).unwrap_err().code(), "corpus_bad_field");
        assert_eq!(read(json!({"text": " "})).unwrap_err().code(), "corpus_empty");
        assert_eq!(read(json!([1])).unwrap_err().code(), "corpus_not_an_object");
        assert_eq!(read(json!({"text": "x", "id": [1]})).unwrap_err().code(), "corpus_bad_field");
    }

    #[test]
    fn a_cell_is_a_number_only_where_that_says_the_same() {
        assert_eq!(cell_value("312"), MetadataValue::Integer(312));
        assert_eq!(cell_value("-0.5"), MetadataValue::Number(-0.5));
        assert_eq!(cell_value("007"), MetadataValue::Text("007".to_owned()));
        assert_eq!(cell_value("12,000"), MetadataValue::Text("12,000".to_owned()));
        assert_eq!(cell_value("NaN"), MetadataValue::Text("NaN".to_owned()));
    }
}
