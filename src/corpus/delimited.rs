//! CSV and TSV: a header, then a document a row.
//!
//! Where a column holds the text (by name), the row's text is that cell. Where none does, the row is a set of facts, and
//! its text is all its columns in order: "name: Arden; population: 12,000". Rows are numbered as a spreadsheet shows
//! them: the header is row 1.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::decode::RecordDecoder;
use super::document::{Document, Markup, Provenance};
use super::open::Records;
use super::options::FieldNames;
use super::problem::{CorpusError, ReadProblem};
use super::records::{ID_NAMES, RecordSource, TEXT_NAMES, TITLE_NAMES, URL_NAMES, cell_value};

/// The documents of a CSV stream.
pub(super) struct Rows {
    reader: csv::Reader<Limited>,
    source: RecordSource,
    allowance: Arc<AtomicU64>,
    limit: u64,
    columns: Option<Columns>,
    record: csv::ByteRecord,
    number: u64,
    decoder: RecordDecoder,
    pending: Vec<Result<Document, ReadProblem>>,
    finished: bool,
}

/// Which column is what.
struct Columns {
    names: Vec<String>,
    id: Option<usize>,
    title: Option<usize>,
    text: Option<usize>,
    url: Option<usize>,
}

/// The separator that a header line uses most, quotes aside.
pub(super) fn separator(start: &[u8]) -> u8 {
    let mut counts = [(b',', 0u32), (b';', 0), (b'\t', 0), (b'|', 0)];
    let mut quoted = false;
    for byte in start {
        match byte {
            b'\n' if !quoted => break,
            b'"' => quoted = !quoted,
            byte if !quoted => {
                for (_, count) in counts.iter_mut().filter(|(separator, _)| separator == byte) {
                    *count += 1;
                }
            }
            _ => {}
        }
    }
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
    counts.iter().find(|(_, count)| *count == most && most > 0).map_or(b',', |(separator, _)| *separator)
}

impl Rows {
    pub(super) fn new(records: Records, separator: u8, source: RecordSource, limit: u64) -> Self {
        let allowance = Arc::new(AtomicU64::new(limit));
        let limited = Limited { records, limit, allowance: Arc::clone(&allowance) };
        let reader =
            csv::ReaderBuilder::new().delimiter(separator).has_headers(false).flexible(true).from_reader(limited);
        Self {
            reader,
            source,
            allowance,
            limit,
            columns: None,
            record: csv::ByteRecord::new(),
            number: 0,
            decoder: RecordDecoder::default(),
            pending: Vec::new(),
            finished: false,
        }
    }

    fn problem(&self, cause: CorpusError) -> ReadProblem {
        ReadProblem::at(&self.source.path, format!("row {}", self.number), cause)
    }

    /// The next row, decoded; warnings go to `pending`. `None` at the end.
    fn row(&mut self) -> Result<Option<Vec<String>>, ReadProblem> {
        self.number += 1;
        self.allowance.store(self.limit, Ordering::Relaxed);
        match self.reader.read_byte_record(&mut self.record) {
            Ok(false) => return Ok(None),
            Ok(true) => {}
            Err(error) => {
                self.finished = true;
                if !error.is_io_error() {
                    return Err(self.problem(CorpusError::BrokenCsv(error)));
                }
                let cause = match error.into_kind() {
                    csv::ErrorKind::Io(error) => CorpusError::from_io(error),
                    _ => CorpusError::Io(io::Error::other("unknown")),
                };
                return Err(self.problem(cause));
            }
        }
        let mut cells = Vec::with_capacity(self.record.len());
        for index in 0..self.record.len() {
            let cell = self.record.get(index).unwrap_or_default();
            let (cell, warning) = self.decoder.decode(cell, self.record.as_slice());
            if let Some(warning) = warning {
                self.pending.push(Err(self.problem(warning)));
            }
            cells.push(cell);
        }
        if self.record.as_slice().len() > 1 << 20 {
            self.record = csv::ByteRecord::new();
        }
        Ok(Some(cells))
    }

    fn document(&mut self, columns: &Columns, cells: &[String]) -> Result<Document, CorpusError> {
        let cell = |column: Option<usize>| {
            column.and_then(|at| cells.get(at)).map(|cell| cell.trim()).filter(|cell| !cell.is_empty())
        };
        let named = |at: usize| columns.names.get(at).cloned().unwrap_or_else(|| format!("column {}", at + 1));
        let text = match columns.text {
            Some(column) => cells.get(column).cloned().unwrap_or_default(),
            None => {
                let facts = cells.iter().enumerate().filter(|(at, cell)| {
                    !cell.trim().is_empty() && Some(*at) != columns.id && Some(*at) != columns.url
                });
                facts.map(|(at, cell)| format!("{}: {}", named(at), cell.trim())).collect::<Vec<_>>().join("; ")
            }
        };
        if text.trim().is_empty() {
            return Err(CorpusError::Empty);
        }
        let special = [columns.id, columns.title, columns.text, columns.url];
        let wanted = |name: &str| {
            self.source.fields.metadata.as_ref().is_none_or(|fields| fields.iter().any(|field| field == name))
        };
        let metadata = cells
            .iter()
            .enumerate()
            .filter(|(at, cell)| !cell.trim().is_empty() && !special.contains(&Some(*at)))
            .map(|(at, cell)| (named(at), cell_value(cell.trim())))
            .filter(|(name, _)| wanted(name))
            .collect();
        Ok(Document {
            id: self.source.id_or_place(cell(columns.id).map(str::to_owned), self.number),
            title: cell(columns.title).map(str::to_owned),
            text,
            markup: Markup::Plain,
            provenance: Provenance {
                source: self.source.path.clone(),
                place: Some(format!("row {}", self.number)),
                url: cell(columns.url).map(str::to_owned),
            },
            metadata,
        })
    }

    /// Reads on until something is pending or the end is reached.
    fn advance(&mut self) -> Result<(), ReadProblem> {
        let Some(cells) = self.row()? else {
            self.finished = true;
            if let Some(cause) = self.reader.get_ref().records.damage() {
                self.pending.push(Err(ReadProblem::new(&self.source.path, cause)));
            } else if self.columns.is_some() && self.number == 2 {
                // A header with no row under it.
                self.pending.push(Err(ReadProblem::new(&self.source.path, CorpusError::Empty)));
            }
            return Ok(());
        };
        let Some(columns) = self.columns.take() else {
            match Columns::of_header(cells, &self.source.fields) {
                Ok(columns) => self.columns = Some(columns),
                Err(cause) => {
                    self.finished = true;
                    return Err(self.problem(cause));
                }
            }
            return Ok(());
        };
        let (expected, found) = (columns.names.len() as u64, cells.len() as u64);
        if cells.iter().any(|cell| !cell.trim().is_empty()) {
            if expected != found {
                self.pending.push(Err(self.problem(CorpusError::RaggedRow { expected, found })));
            }
            let document = self.document(&columns, &cells).map_err(|cause| self.problem(cause));
            self.pending.push(document);
        }
        self.columns = Some(columns);
        Ok(())
    }
}

impl Iterator for Rows {
    type Item = Result<Document, ReadProblem>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.pending.is_empty() && !self.finished {
            if let Err(problem) = self.advance() {
                self.pending.push(Err(problem));
            }
        }
        if self.pending.is_empty() { None } else { Some(self.pending.remove(0)) }
    }
}

impl Columns {
    fn of_header(cells: Vec<String>, fields: &FieldNames) -> Result<Self, CorpusError> {
        let names: Vec<String> = cells
            .iter()
            .enumerate()
            .map(
                |(at, name)| if name.trim().is_empty() { format!("column {}", at + 1) } else { name.trim().to_owned() },
            )
            .collect();
        for (at, name) in names.iter().enumerate() {
            if names[..at].contains(name) {
                return Err(CorpusError::BadHeader { what: format!("`{name}` twice") });
            }
        }
        let find = |named: &Option<String>, usual: &[&str]| match named {
            Some(name) => match column_named(&names, name) {
                Some(column) => Ok(Some(column)),
                None => Err(CorpusError::BadHeader {
                    what: format!("no column `{name}` (its columns: {})", names.join(", ")),
                }),
            },
            None => Ok(usual.iter().find_map(|name| names.iter().position(|column| column.eq_ignore_ascii_case(name)))),
        };
        let (id, title) = (find(&fields.id, ID_NAMES)?, find(&fields.title, TITLE_NAMES)?);
        let (text, url) = (find(&fields.text, TEXT_NAMES)?, find(&fields.url, URL_NAMES)?);
        Ok(Self { names, id, title, text, url })
    }
}

/// The column of that name, or, where the name is a number, the column of that number, from 1.
fn column_named(names: &[String], name: &str) -> Option<usize> {
    let named = names.iter().position(|column| column == name);
    let named = named.or_else(|| names.iter().position(|column| column.eq_ignore_ascii_case(name)));
    named.or_else(|| name.parse::<usize>().ok()?.checked_sub(1).filter(|at| *at < names.len()))
}

/// Ends the stream with an error when one row takes more bytes than it may.
struct Limited {
    records: Records,
    limit: u64,
    allowance: Arc<AtomicU64>,
}

impl Read for Limited {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let allowance = self.allowance.load(Ordering::Relaxed);
        if allowance == 0 {
            return Err(io::Error::other(CorpusError::TooLarge { limit: self.limit }));
        }
        let room = usize::try_from(allowance).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.records.reader.read(&mut buffer[..room])?;
        self.allowance.fetch_sub(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::document::MetadataValue;

    fn read_with(bytes: &[u8], fields: FieldNames, limit: u64) -> Vec<Result<Document, ReadProblem>> {
        let source = RecordSource { path: "a.csv".to_owned(), id: "a.csv".to_owned(), fields };
        Rows::new(io::Cursor::new(bytes.to_vec()).into(), separator(bytes), source, limit).collect()
    }

    fn read(text: &str) -> Vec<Result<Document, ReadProblem>> {
        read_with(text.as_bytes(), FieldNames::default(), 1000)
    }

    #[test]
    fn a_text_column_is_the_text_and_the_others_are_metadata() {
        let rows = read("id,title,text,year\n7,Arden,\"A town, on\nthe coast.\",1931\n");
        let document = rows[0].as_ref().unwrap();
        assert_eq!((document.id.0.as_str(), document.title.as_deref()), ("7", Some("Arden")));
        assert_eq!(document.text, "A town, on\nthe coast.");
        assert_eq!(document.metadata["year"], MetadataValue::Integer(1931));
        assert_eq!(document.provenance.place.as_deref(), Some("row 2"));
    }

    #[test]
    fn without_a_text_column_a_row_reads_as_its_facts() {
        let rows = read("name;population;mayor\nArden;12.000;Ida Roe\nBrill;9.500;\n");
        let texts: Vec<_> = rows.iter().map(|row| row.as_ref().unwrap().text.as_str()).collect();
        assert_eq!(texts, ["name: Arden; population: 12.000; mayor: Ida Roe", "name: Brill; population: 9.500"]);
        assert_eq!(rows[1].as_ref().unwrap().id.0, "a.csv#3");
    }

    #[test]
    fn ragged_rows_are_told_by_row_and_nothing_of_them_is_lost() {
        let rows = read("name,population\nArden,12000,north\nBrill\n\nCoster,7\n");
        let warnings: Vec<_> = rows.iter().filter_map(|row| row.as_ref().err()).map(ToString::to_string).collect();
        assert_eq!(
            warnings,
            ["a.csv, row 2: has 3 fields, the header has 2", "a.csv, row 3: has 1 fields, the header has 2"]
        );
        let texts: Vec<_> =
            rows.iter().filter_map(|row| row.as_ref().ok()).map(|document| document.text.as_str()).collect();
        assert_eq!(
            texts,
            ["name: Arden; population: 12000; column 3: north", "name: Brill", "name: Coster; population: 7"]
        );
    }

    #[test]
    fn a_header_with_no_row_under_it_is_told() {
        let rows = read("name,population\n");
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].as_ref().unwrap_err().to_string(), "a.csv: holds no text");
    }

    #[test]
    fn a_named_column_that_is_not_there_is_an_error_that_lists_those_that_are() {
        let fields = FieldNames { text: Some("story".to_owned()), ..FieldNames::default() };
        let rows = read_with(b"name,tale\nArden,long\n", fields.clone(), 1000);
        assert_eq!(
            rows[0].as_ref().unwrap_err().to_string(),
            "a.csv, row 1: the header row names no column `story` (its columns: name, tale)"
        );
        let fields = FieldNames { text: Some("2".to_owned()), ..fields };
        assert_eq!(read_with(b"name,tale\nArden,long\n", fields, 1000)[0].as_ref().unwrap().text, "long");
    }

    #[test]
    fn a_quote_that_never_closes_ends_the_file_at_the_limit() {
        let text = format!("name,tale\nArden,\"{}", "x\n".repeat(200_000));
        let rows = read_with(text.as_bytes(), FieldNames::default(), 100_000);
        assert_eq!(rows.last().unwrap().as_ref().unwrap_err().code(), "corpus_too_large");
        assert_eq!(rows.len(), 1);
    }

    #[test]
    fn the_separator_is_the_one_that_the_header_uses() {
        assert_eq!(separator(b"a;b;c\n1,2;3"), b';');
        assert_eq!(separator(b"\"a;b\",c\n"), b',');
        assert_eq!(separator(b"a\tb"), b'\t');
        assert_eq!(separator(b"one"), b',');
    }
}
