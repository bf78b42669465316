//! JSON files: an array of objects, one object, or objects one after the other.
//!
//! The elements are found by their brackets and read one at a time, so that a large array is never held as a whole.

use std::io::{self, BufRead};

use serde_json::Value;

use super::decode::RecordDecoder;
use super::document::Document;
use super::open::Records;
use super::problem::{CorpusError, ReadProblem};
use super::records::RecordSource;

/// The documents of a JSON stream.
pub(super) struct JsonItems {
    elements: Elements,
    source: RecordSource,
    limit: u64,
    number: u64,
    decoder: RecordDecoder,
    /// Documents that come after a warning, or out of a list inside an object, last first.
    pending: Vec<Result<Document, ReadProblem>>,
    finished: bool,
}

impl JsonItems {
    pub(super) fn new(records: Records, source: RecordSource, limit: u64) -> Self {
        Self {
            elements: Elements { records, element: Vec::new(), in_array: false },
            source,
            limit,
            number: 0,
            decoder: RecordDecoder::default(),
            pending: Vec::new(),
            finished: false,
        }
    }

    fn problem(&self, cause: CorpusError) -> ReadProblem {
        ReadProblem::at(&self.source.path, format!("item {}", self.number), cause)
    }

    fn document(&mut self, value: Value) -> Result<Document, ReadProblem> {
        self.source
            .document_of_value(value, format!("item {}", self.number), self.number)
            .map_err(|cause| self.problem(cause))
    }

    /// Puts what `value` holds in line: itself, or, where it is a wrapper around one list of objects, those.
    fn queue(&mut self, value: Value) {
        let mut found = match wrapped_list(value) {
            Ok(list) => {
                let first = self.number;
                let documents = list.into_iter().enumerate().map(|(index, item)| {
                    self.number = first + index as u64;
                    self.document(item)
                });
                documents.collect()
            }
            Err(value) => vec![self.document(value)],
        };
        found.reverse();
        self.pending.splice(0..0, found);
    }
}

impl Iterator for JsonItems {
    type Item = Result<Document, ReadProblem>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(item) = self.pending.pop() {
            return Some(item);
        }
        if self.finished {
            return None;
        }
        self.number += 1;
        let was_in_array = self.elements.in_array;
        let found = match self.elements.advance(self.limit) {
            Ok(found) => found,
            Err(error) => {
                self.finished = true;
                return Some(Err(self.problem(CorpusError::from_io(error))));
            }
        };
        match found {
            Found::End => {
                self.finished = true;
                self.elements.records.damage().map(|cause| Err(ReadProblem::new(&self.source.path, cause)))
            }
            Found::TooLong => Some(Err(self.problem(CorpusError::TooLarge { limit: self.limit }))),
            Found::Unfinished => {
                self.finished = true;
                Some(Err(self.problem(CorpusError::UnfinishedJson)))
            }
            Found::Element => {
                let (text, warning) = self.decoder.decode(&self.elements.element, &[]);
                if let Some(warning) = warning {
                    self.pending.push(Err(self.problem(warning)));
                }
                match serde_json::from_str(&text) {
                    Ok(value) => {
                        drop(text);
                        self.queue(value);
                    }
                    Err(error) => {
                        // Between values that stand one after the other nothing says where the next begins.
                        self.finished = !was_in_array && !self.elements.in_array;
                        self.pending.insert(0, Err(self.problem(CorpusError::from_json(&error))));
                    }
                }
                self.pending.pop()
            }
        }
    }
}

/// The list of `{"documents": [{…}, …]}`: an object without text whose only list holds objects.
fn wrapped_list(value: Value) -> Result<Vec<Value>, Value> {
    let is_list =
        |value: &Value| value.as_array().is_some_and(|list| !list.is_empty() && list.iter().all(Value::is_object));
    let Value::Object(mut object) = value else { return Err(value) };
    let has_text =
        object.keys().any(|key| super::records::TEXT_NAMES.iter().any(|name| key.eq_ignore_ascii_case(name)));
    let mut lists = object.iter().filter(|(_, value)| is_list(value)).map(|(key, _)| key.clone());
    match (lists.next(), lists.next()) {
        (Some(key), None) if !has_text => {
            drop(lists);
            match object.shift_remove(&key) {
                Some(Value::Array(list)) => Ok(list),
                _ => Err(Value::Object(object)),
            }
        }
        _ => {
            drop(lists);
            Err(Value::Object(object))
        }
    }
}

/// What the scanner came to.
#[derive(Debug, PartialEq, Eq)]
enum Found {
    End,
    /// [`Elements::element`] holds it.
    Element,
    /// It was passed over.
    TooLong,
    /// The stream ended in it.
    Unfinished,
}

/// Finds the elements of a top-level array, or values one after the other.
struct Elements {
    records: Records,
    element: Vec<u8>,
    in_array: bool,
}

/// Where in a value the scanner stands.
struct Scan {
    depth: usize,
    in_string: bool,
    escaped: bool,
    bare: bool,
}

impl Scan {
    const fn new(first: u8) -> Self {
        Self {
            depth: matches!(first, b'{' | b'[') as usize,
            in_string: first == b'"',
            escaped: false,
            bare: !matches!(first, b'{' | b'[' | b'"'),
        }
    }

    /// Whether `byte` is the value's last; `None` when the value ended before it.
    const fn step(&mut self, byte: u8) -> Option<bool> {
        if self.bare {
            return if byte.is_ascii_whitespace() || matches!(byte, b',' | b']' | b'}') { None } else { Some(false) };
        }
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
        } else {
            match byte {
                b'"' => self.in_string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        Some(!self.in_string && self.depth == 0)
    }
}

impl Elements {
    fn advance(&mut self, limit: u64) -> io::Result<Found> {
        self.element = Vec::new();
        let mut length = 0u64;
        let mut scan: Option<Scan> = None;
        loop {
            let buffer = match self.records.reader.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if buffer.is_empty() {
                return Ok(match scan {
                    Some(scan) if scan.bare => Self::ended(length, limit),
                    Some(_) => Found::Unfinished,
                    None if self.in_array => Found::Unfinished,
                    None => Found::End,
                });
            }
            let mut used = 0;
            let mut from = 0;
            let mut done = false;
            for byte in buffer {
                match &mut scan {
                    None => {
                        used += 1;
                        from = used - 1;
                        match byte {
                            byte if byte.is_ascii_whitespace() => {}
                            b',' | b']' if self.in_array => self.in_array = *byte == b',',
                            b'[' if !self.in_array => self.in_array = true,
                            first => scan = Some(Scan::new(*first)),
                        }
                    }
                    Some(scan) => match scan.step(*byte) {
                        None => {
                            done = true;
                            break;
                        }
                        Some(last) => {
                            used += 1;
                            done = last;
                            if last {
                                break;
                            }
                        }
                    },
                }
            }
            if scan.is_some() {
                let part = &buffer[from..used];
                length += part.len() as u64;
                if length <= limit {
                    self.element.extend_from_slice(part);
                } else {
                    self.element = Vec::new();
                }
            }
            self.records.reader.consume(used);
            if done {
                return Ok(Self::ended(length, limit));
            }
        }
    }

    const fn ended(length: u64, limit: u64) -> Found {
        if length > limit { Found::TooLong } else { Found::Element }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::options::FieldNames;

    fn outcomes(text: &str, limit: u64) -> Vec<String> {
        // A tiny buffer, so that elements lie across its ends.
        let reader = io::BufReader::with_capacity(5, io::Cursor::new(text.as_bytes().to_vec()));
        let source = RecordSource { path: "a.json".to_owned(), id: "a.json".to_owned(), fields: FieldNames::default() };
        JsonItems::new(reader.into(), source, limit)
            .map(|item| {
                item.map_or_else(
                    |problem| format!("{} {}", problem.place.unwrap_or_default(), problem.cause.code()),
                    |document| format!("{}: {}", document.id, document.text),
                )
            })
            .collect()
    }

    #[test]
    fn arrays_single_objects_and_sequences_are_read_alike() {
        let two = ["a: x", "b: y"];
        assert_eq!(outcomes(r#"[ {"id":"a","text":"x"}, {"id":"b","text":"y"} ]"#, 100), two);
        assert_eq!(outcomes("{\"id\":\"a\",\"text\":\"x\"}\n{\"id\":\"b\",\n\"text\":\"y\"}\n", 100), two);
        assert_eq!(outcomes(r#"{"docs":[{"id":"a","text":"x"},{"id":"b","text":"y"}],"count":2}"#, 100), two);
        assert_eq!(outcomes(r#"{"text":"x ] } \" ["}"#, 100), ["a.json#1: x ] } \" ["]);
        assert_eq!(outcomes("[]", 100), [""; 0]);
    }

    #[test]
    fn a_bad_element_of_an_array_does_not_stop_the_others() {
        let text = r#"[{"id":"a","text":"x"},{"id":"b" "text":"y"},7,{"id":"c","text":"z"}]"#;
        assert_eq!(outcomes(text, 100), ["a: x", "item 2 corpus_broken_json", "item 3 corpus_not_an_object", "c: z"]);
    }

    #[test]
    fn a_file_cut_off_inside_a_value_says_so_after_the_values_before() {
        assert_eq!(outcomes(r#"[{"id":"a","text":"x"},{"id":"b","te"#, 100), ["a: x", "item 2 corpus_unfinished_json"]);
        assert_eq!(outcomes(r#"[{"id":"a","text":"x"}"#, 100), ["a: x", "item 2 corpus_unfinished_json"]);
    }

    #[test]
    fn an_element_over_the_limit_is_passed_over() {
        let text = format!("[{{\"text\":\"{}\"}},{{\"id\":\"b\",\"text\":\"y\"}}]", "x".repeat(200));
        assert_eq!(outcomes(&text, 100), ["item 1 corpus_too_large", "b: y"]);
    }

    #[test]
    fn a_file_that_is_no_json_is_told_once() {
        assert_eq!(outcomes("these are just words", 100), ["item 1 corpus_broken_json"]);
    }
}
