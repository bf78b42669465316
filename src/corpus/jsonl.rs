//! JSONL: one JSON object a line. A broken line is told and the next one is read.

use super::document::Document;
use super::lines::{Line, Lines};
use super::open::Records;
use super::problem::{CorpusError, ReadProblem};
use super::records::RecordSource;

/// The documents of a JSONL stream; memory is bounded by the longest line allowed.
pub(super) struct JsonLines {
    lines: Lines,
    source: RecordSource,
    /// A document that comes after a warning about it.
    pending: Option<Document>,
}

impl JsonLines {
    pub(super) fn new(records: Records, source: RecordSource, limit: u64) -> Self {
        Self { lines: Lines::new(records, source.path.clone(), limit), source, pending: None }
    }
}

impl Iterator for JsonLines {
    type Item = Result<Document, ReadProblem>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(document) = self.pending.take() {
            return Some(Ok(document));
        }
        let Line { number, text, warning } = match self.lines.next()? {
            Ok(line) => line,
            Err(problem) => return Some(Err(problem)),
        };
        let place = format!("line {number}");
        let problem = |cause| ReadProblem::at(&self.source.path, &place, cause);
        let document = serde_json::from_str(&text)
            .map_err(|error| CorpusError::from_json(&error))
            .and_then(|value| self.source.document_of_value(value, place.clone(), number));
        Some(match (document, warning) {
            (Ok(document), Some(warning)) => {
                self.pending = Some(document);
                Err(problem(warning))
            }
            (Ok(document), None) => Ok(document),
            (Err(cause), _) => Err(problem(cause)),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::corpus::options::FieldNames;

    fn read(bytes: &[u8], limit: u64) -> Vec<Result<Document, ReadProblem>> {
        let source =
            RecordSource { path: "a.jsonl".to_owned(), id: "a.jsonl".to_owned(), fields: FieldNames::default() };
        JsonLines::new(Cursor::new(bytes.to_vec()).into(), source, limit).collect()
    }

    fn outcomes(bytes: &[u8], limit: u64) -> Vec<String> {
        read(bytes, limit)
            .into_iter()
            .map(|item| {
                item.map_or_else(
                    |problem| format!("{} {}", problem.place.unwrap_or_default(), problem.cause.code()),
                    |d| d.id.0,
                )
            })
            .collect()
    }

    #[test]
    fn a_broken_line_is_named_and_the_others_are_read() {
        let bytes = b"{\"id\":\"a\",\"text\":\"one\"}\r\n\n{\"id\":\"b\",\"text\":\n{\"id\":\"c\",\"text\":\"three\"}";
        assert_eq!(outcomes(bytes, 1000), ["a", "line 3 corpus_broken_json", "c"]);
        let problem = read(bytes, 1000).remove(1).unwrap_err();
        assert!(problem.to_string().starts_with("a.jsonl, line 3: broken JSON at column "), "{problem}");
        assert!(problem.hint().is_some());
    }

    #[test]
    fn a_line_over_the_limit_is_passed_over_without_being_held() {
        let mut bytes = format!("{{\"id\":\"long\",\"text\":\"{}\"}}\n", "x".repeat(500)).into_bytes();
        bytes.extend(b"{\"id\":\"b\",\"text\":\"two\"}\n");
        assert_eq!(outcomes(&bytes, 100), ["line 1 corpus_too_large", "b"]);
    }

    #[test]
    fn lines_in_latin_1_are_read_with_one_warning_for_the_file() {
        let bytes = b"{\"id\":\"a\",\"text\":\"El caf\xe9 abri\xf3 en 1931 seg\xfan el se\xf1or.\"}\n{\"id\":\"b\",\"text\":\"Espa\xf1a\"}\n";
        let found = read(bytes, 1000);
        assert_eq!(found[0].as_ref().unwrap_err().code(), "corpus_encoding_guessed");
        assert_eq!(found[1].as_ref().unwrap().text, "El café abrió en 1931 según el señor.");
        assert_eq!(found[2].as_ref().unwrap().text, "España");
        assert_eq!(found.len(), 3);
    }

    #[test]
    fn deeply_nested_json_is_an_error_and_not_a_crash() {
        let bytes = format!("{{\"text\":\"x\",\"deep\":{}}}\n", "[".repeat(100_000));
        assert_eq!(outcomes(bytes.as_bytes(), 1 << 20), ["line 1 corpus_broken_json"]);
    }
}
