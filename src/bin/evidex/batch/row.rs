//! From a line of JSON to a text and the evidence that it brings along.

use evidex::corpus::Document;
use serde_json::{Map, Value};

use super::record::RowError;

/// A text to check.
#[derive(Debug, PartialEq)]
pub struct Row {
    /// The text.
    pub response: String,
    /// The question that it answers.
    pub prompt: Option<String>,
    /// Evidence of its own.
    pub documents: Vec<Document>,
}

/// Reads a line. The id is told also where the rest cannot be read.
pub fn parse(text: &str) -> (Option<Value>, Result<Row, RowError>) {
    let mut object = match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(object)) => object,
        Ok(_) => return (None, Err(RowError::new("row_not_an_object", "expected a JSON object with a `response`"))),
        Err(error) => {
            let message = error.to_string();
            let what = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what);
            let message = format!("broken JSON at column {}: {what}", error.column());
            return (None, Err(RowError::new("row_broken_json", message)));
        }
    };
    match object.remove("id") {
        None | Some(Value::Null) => (None, row(&mut object)),
        Some(id @ Value::String(_)) => (Some(id), row(&mut object)),
        // Others would come out as another number than went in.
        Some(Value::Number(id)) if id.is_u64() || id.is_i64() => (Some(id.into()), row(&mut object)),
        Some(_) => (None, Err(bad_field("id", "a text or a whole number of at most 64 bits"))),
    }
}

fn row(object: &mut Map<String, Value>) -> Result<Row, RowError> {
    let response = match object.remove("response") {
        Some(Value::String(text)) => text,
        None | Some(Value::Null) => {
            return Err(RowError::new("row_without_response", "the line has no field `response`, the text to check"));
        }
        Some(_) => return Err(bad_field("response", "a text")),
    };
    let prompt = match object.remove("prompt") {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text).filter(|text| !text.trim().is_empty()),
        Some(_) => return Err(bad_field("prompt", "a text")),
    };
    let mut documents = contexts(object.remove("context"))?;
    documents.extend(given_documents(object.remove("documents"))?);
    Ok(Row { response, prompt, documents })
}

/// One text, or several.
fn contexts(value: Option<Value>) -> Result<Vec<Document>, RowError> {
    let texts = match value {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::String(text)) => return Ok(document("context".to_owned(), text).into_iter().collect()),
        Some(Value::Array(texts)) => texts,
        Some(_) => return Err(bad_field("context", "a text or a list of texts")),
    };
    let mut documents = Vec::new();
    for (at, text) in texts.into_iter().enumerate() {
        let Value::String(text) = text else { return Err(bad_field("context", "a text or a list of texts")) };
        documents.extend(document(format!("context-{}", at + 1), text));
    }
    Ok(documents)
}

fn given_documents(value: Option<Value>) -> Result<Vec<Document>, RowError> {
    let items = match value {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(items)) => items,
        Some(_) => return Err(bad_field("documents", "a list")),
    };
    let mut documents = Vec::new();
    for (at, item) in items.into_iter().enumerate() {
        let number = at + 1;
        let mut object = match item {
            Value::Object(object) => object,
            Value::String(text) => {
                documents.extend(document(format!("document-{number}"), text));
                continue;
            }
            _ => return Err(bad_field("documents", "a list of objects with `id` and `content`")),
        };
        let mut take = |name: &str| match object.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(Value::Number(number)) if name == "id" => Ok(Some(number.to_string())),
            Some(_) => Err(bad_field(&format!("{name}` of `documents[{at}]"), "a text")),
        };
        let id = take("id")?.filter(|id| !id.trim().is_empty()).unwrap_or_else(|| format!("document-{number}"));
        let (title, url) = (take("title")?, take("url")?);
        let content = match take("content")? {
            Some(content) => content,
            None => take("text")?.ok_or_else(|| {
                RowError::new("row_bad_field", format!("`documents[{at}]` has no `content`, the document's text"))
            })?,
        };
        documents.extend(document(id, content).map(|mut document| {
            document.title = title.filter(|title| !title.trim().is_empty());
            document.provenance.url = url.filter(|url| !url.trim().is_empty());
            document
        }));
    }
    Ok(documents)
}

/// A document, if it holds any text.
fn document(id: String, text: String) -> Option<Document> {
    (!text.trim().is_empty()).then(|| Document::inline(&id, text))
}

fn bad_field(field: &str, expected: &str) -> RowError {
    RowError::new("row_bad_field", format!("field `{field}` must be {expected}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> String {
        parse(text).1.unwrap_err().code
    }

    #[test]
    fn a_row_brings_its_documents_with_ids_and_addresses() {
        let (id, row) = parse(
            r#"{"id": 7, "response": "a", "prompt": " ", "context": ["one", "", "two"], "documents":
               [{"id": "d", "content": "three", "url": "https://example.org/3"}, {"id": 4, "text": "four"}, "five"], "gold": true}"#,
        );
        let row = row.unwrap();
        assert_eq!(id, Some(7.into()));
        assert_eq!(row.prompt, None);
        let ids: Vec<&str> = row.documents.iter().map(|document| document.id.0.as_str()).collect();
        assert_eq!(ids, ["context-1", "context-3", "d", "4", "document-3"]);
        assert_eq!(row.documents[2].provenance.url.as_deref(), Some("https://example.org/3"));
    }

    #[test]
    fn what_is_the_matter_with_a_line_is_said() {
        assert_eq!(code("{\"response\": "), "row_broken_json");
        assert_eq!(code("[1]"), "row_not_an_object");
        assert_eq!(code("{}"), "row_without_response");
        for bad in [
            r#"{"response": 1}"#,
            r#"{"response": "a", "id": []}"#,
            r#"{"response": "a", "id": 123456789012345678901234567890}"#,
            r#"{"response": "a", "context": {}}"#,
            r#"{"response": "a", "documents": "x"}"#,
            r#"{"response": "a", "documents": [{"id": "x"}]}"#,
            r#"{"response": "a", "documents": [{"content": 5}]}"#,
        ] {
            assert_eq!(code(bad), "row_bad_field", "{bad}");
        }
        let (id, row) = parse(r#"{"id": "x", "response": null}"#);
        assert_eq!((id, row.unwrap_err().code.as_str()), (Some("x".into()), "row_without_response"));
    }
}
