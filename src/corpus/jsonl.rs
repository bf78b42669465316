//! JSONL: one JSON object a line. A broken line is told and the next one is read.

use std::io::{self, BufRead};

use super::decode::RecordDecoder;
use super::document::Document;
use super::open::Records;
use super::problem::{CorpusError, ReadProblem};
use super::records::RecordSource;

/// The documents of a JSONL stream; memory is bounded by the longest line allowed.
pub(super) struct JsonLines {
    records: Records,
    source: RecordSource,
    limit: u64,
    line: Vec<u8>,
    number: u64,
    decoder: RecordDecoder,
    /// A document that comes after a warning about it.
    pending: Option<Document>,
    finished: bool,
}

/// What a line was.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum LineRead {
    /// The stream's end.
    End,
    /// A line, without its end.
    Line,
    /// A line longer than the limit; it was passed over.
    TooLong,
}

/// Reads a line into `line`, never holding more than `limit` bytes.
pub(super) fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>, limit: u64) -> io::Result<LineRead> {
    line.clear();
    let mut length = 0u64;
    loop {
        let buffer = match reader.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if buffer.is_empty() {
            break;
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        length += part.len() as u64;
        if length <= limit {
            line.extend_from_slice(part);
        } else {
            // Nothing of it is kept.
            *line = Vec::new();
        }
        let used = part.len() + usize::from(end.is_some());
        reader.consume(used);
        if end.is_some() {
            return Ok(if length > limit { LineRead::TooLong } else { LineRead::Line });
        }
    }
    Ok(match length {
        0 => LineRead::End,
        _ if length > limit => LineRead::TooLong,
        _ => LineRead::Line,
    })
}

impl JsonLines {
    pub(super) fn new(records: Records, source: RecordSource, limit: u64) -> Self {
        Self {
            records,
            source,
            limit,
            line: Vec::new(),
            number: 0,
            decoder: RecordDecoder::default(),
            pending: None,
            finished: false,
        }
    }

    fn problem(&self, cause: CorpusError) -> ReadProblem {
        ReadProblem::at(&self.source.path, format!("line {}", self.number), cause)
    }
}

impl Iterator for JsonLines {
    type Item = Result<Document, ReadProblem>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(document) = self.pending.take() {
            return Some(Ok(document));
        }
        while !self.finished {
            self.number += 1;
            match read_line(&mut self.records.reader, &mut self.line, self.limit) {
                Err(error) => {
                    self.finished = true;
                    return Some(Err(self.problem(CorpusError::from_io(error))));
                }
                Ok(LineRead::End) => {
                    self.finished = true;
                    if let Some(cause) = self.records.damage() {
                        return Some(Err(ReadProblem::new(&self.source.path, cause)));
                    }
                }
                Ok(LineRead::TooLong) => return Some(Err(self.problem(CorpusError::TooLarge { limit: self.limit }))),
                Ok(LineRead::Line) => {
                    if self.line.trim_ascii().is_empty() {
                        continue;
                    }
                    let ahead =
                        if self.line.is_ascii() { &[] } else { self.records.reader.fill_buf().unwrap_or_default() };
                    let (text, warning) = self.decoder.decode(self.line.trim_ascii(), ahead);
                    // The longest line does not stay in memory.
                    if self.line.capacity() > 1 << 20 {
                        self.line = Vec::new();
                    }
                    let place = format!("line {}", self.number);
                    let document = serde_json::from_str(&text)
                        .map_err(|error| CorpusError::from_json(&error))
                        .and_then(|value| self.source.document_of_value(value, place, self.number));
                    return Some(match (document, warning) {
                        (Ok(document), Some(warning)) => {
                            self.pending = Some(document);
                            Err(self.problem(warning))
                        }
                        (Ok(document), None) => Ok(document),
                        (Err(cause), _) => Err(self.problem(cause)),
                    });
                }
            }
        }
        None
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
