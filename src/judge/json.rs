//! JSON out of whatever a model wrote around it: fences, prose, a list that broke off. What is whole is kept, what is
//! not is left out; the time is linear in the reply's length.

use serde_json::Value;

/// Deepest nesting that is looked into: a list of objects in an object.
const DEEPEST: usize = 4;

/// Every outermost whole JSON object or list in `text`, in order. Where an outer one is broken, those inside it count.
pub(super) fn values(text: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let pairs = pairs(text);
    let mut end = 0;
    for (start, close) in pairs {
        if start < end {
            continue;
        }
        if let Ok(value) = serde_json::from_str::<Value>(&text[start..close]) {
            end = close;
            found.push(value);
        }
    }
    found
}

/// Every object in `text` that holds no further objects: the items of a list, however it is wrapped.
pub(super) fn objects(text: &str) -> Vec<Value> {
    let mut found = Vec::new();
    for value in values(text) {
        flatten(value, 0, &mut found);
    }
    found
}

fn flatten(value: Value, depth: usize, found: &mut Vec<Value>) {
    match value {
        Value::Array(items) if depth < DEEPEST => {
            items.into_iter().for_each(|item| flatten(item, depth + 1, found));
        }
        Value::Object(fields) => {
            let nested = |value: &Value| match value {
                Value::Object(_) => true,
                Value::Array(items) => items.iter().any(Value::is_object),
                _ => false,
            };
            if depth < DEEPEST && fields.values().any(nested) {
                fields.into_iter().map(|(_, value)| value).for_each(|value| flatten(value, depth + 1, found));
            } else {
                found.push(Value::Object(fields));
            }
        }
        _ => {}
    }
}

/// The list of texts in `text`; of one that broke off, the texts that are whole. `None` if there is no list of texts.
pub(super) fn texts(text: &str) -> Option<Vec<String>> {
    let list = values(text).into_iter().find_map(|value| match value {
        Value::Array(items) => Some(items),
        Value::Object(fields) => fields.into_iter().find_map(|(_, value)| match value {
            Value::Array(items) => Some(items),
            _ => None,
        }),
        _ => None,
    });
    if let Some(items) = list {
        return items
            .into_iter()
            .map(|item| match item {
                Value::String(text) => Some(text),
                // Some models wrap each text: {"claim": "…"}.
                Value::Object(fields) if fields.len() == 1 => {
                    fields.into_iter().next().and_then(|(_, value)| value.as_str().map(str::to_owned))
                }
                _ => None,
            })
            .collect();
    }
    broken_list(text)
}

/// The whole texts of a list that has no end.
fn broken_list(text: &str) -> Option<Vec<String>> {
    let mut rest = text[text.find('[')? + 1..].trim_start();
    let mut found = Vec::new();
    while rest.starts_with('"') {
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<String>();
        match stream.next() {
            Some(Ok(item)) => found.push(item),
            _ => break,
        }
        rest = rest[stream.byte_offset()..].trim_start();
        match rest.strip_prefix(',') {
            Some(after) => rest = after.trim_start(),
            None => break,
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Start and end of every balanced `{…}` and `[…]` that is nested no deeper than is looked into, ordered by start.
fn pairs(text: &str) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let mut open: Vec<(usize, u8)> = Vec::new();
    let mut quoted = false;
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        if quoted {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => quoted = false,
                // A string of JSON holds no raw line break: the quote was a quotation mark of prose.
                b'\n' => quoted = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' if !open.is_empty() => quoted = true,
            b'{' | b'[' => open.push((at, byte)),
            b'}' | b']' => {
                let opener = if byte == b'}' { b'{' } else { b'[' };
                // What was opened inside and never closed is broken.
                while let Some((start, opened)) = open.pop() {
                    if opened == opener {
                        if open.len() <= DEEPEST + 2 {
                            pairs.push((start, at + 1));
                        }
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    pairs.sort_unstable_by_key(|(start, end)| (*start, std::cmp::Reverse(*end)));
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn json_is_found_in_fences_and_prose() {
        let item = json!({"id": 1, "label": "supported"});
        for text in [
            r#"{"id": 1, "label": "supported"}"#,
            "```json\n[{\"id\": 1, \"label\": \"supported\"}]\n```",
            r#"Sure! Here is "the" verdict: {"verdicts": [{"id": 1, "label": "supported"}]} I hope {this} helps."#,
        ] {
            assert_eq!(objects(text), std::slice::from_ref(&item), "{text}");
        }
    }

    #[test]
    fn a_list_that_broke_off_keeps_what_is_whole() {
        let text = r#"{"verdicts": [{"id": 1, "q": "a [b"}, {"id": 2, "q": "c}"}, {"id": 3, "q": "d"#;
        let ids: Vec<u64> = objects(text).iter().map(|value| value["id"].as_u64().unwrap()).collect();
        assert_eq!(ids, [1, 2]);
        assert_eq!(texts(r#"["a b", "c \"d\"", "e f"#).unwrap(), ["a b", "c \"d\""]);
    }

    #[test]
    fn what_is_no_json_value_spoils_only_its_own_object() {
        let text = r#"[{"id": 1, "confidence": NaN}, {"id": 2, "confidence": 0.5}]"#;
        assert_eq!(objects(text), [json!({"id": 2, "confidence": 0.5})]);
    }

    #[test]
    fn lists_of_texts_are_read_plain_and_wrapped() {
        assert_eq!(texts("```json\n[\"a\", \"b\"]\n```").unwrap(), ["a", "b"]);
        assert_eq!(texts(r#"{"claims": ["a"]}"#).unwrap(), ["a"]);
        assert_eq!(texts(r#"[{"claim": "a"}]"#).unwrap(), ["a"]);
        assert_eq!(texts("[]").unwrap(), Vec::<String>::new());
        assert_eq!(texts(r#"{"claim": "a"}"#), None);
        assert_eq!(texts("No list."), None);
    }

    #[test]
    fn megabytes_of_brackets_take_no_long_time() {
        assert!(values(&"[{".repeat(1 << 20)).is_empty());
        assert!(values(&"[]{".repeat(1 << 20)).len() < 10);
        assert_eq!(values(&"[] ".repeat(1 << 16)).len(), 1 << 16);
    }
}
