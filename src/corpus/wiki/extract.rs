//! What WikiExtractor writes: `<doc id="…" url="…" title="…">` with the page's text, one after the other; and its JSONL,
//! which the JSONL reader reads and [`refine_record`] names as a page of its wiki.

use std::io::BufRead;

use super::site::Site;
use crate::corpus::decode::RecordDecoder;
use crate::corpus::document::{Document, DocumentId, Markup, MetadataValue, Provenance};
use crate::corpus::html_tokens::attribute;
use crate::corpus::lines::{LineRead, read_line};
use crate::corpus::open::Records;
use crate::corpus::problem::{CorpusError, ReadProblem};
use crate::corpus::records::RecordSource;

/// Whether a file starts as the `<doc>` form does.
pub(in crate::corpus) fn is_extracted(start: &str) -> bool {
    let Some(tag) = start.strip_prefix("<doc ").and_then(|rest| rest.lines().next()) else { return false };
    tag.trim_end().ends_with('>') && tag.contains("id=") && tag.contains("title=")
}

/// The documents of a file in the `<doc>` form.
pub(in crate::corpus) struct Extracted {
    records: Records,
    source: RecordSource,
    limit: u64,
    line: Vec<u8>,
    number: u64,
    decoder: RecordDecoder,
    open: Option<Open>,
    pending: Vec<Result<Document, ReadProblem>>,
    finished: bool,
}

/// A page that is being read.
struct Open {
    line: u64,
    attributes: String,
    text: String,
    too_large: bool,
}

impl Extracted {
    pub(in crate::corpus) fn new(records: Records, source: RecordSource, limit: u64) -> Self {
        Self {
            records,
            source,
            limit,
            line: Vec::new(),
            number: 0,
            decoder: RecordDecoder::default(),
            open: None,
            pending: Vec::new(),
            finished: false,
        }
    }

    fn problem(&mut self, line: u64, cause: CorpusError) {
        self.pending.push(Err(ReadProblem::at(&self.source.path, format!("line {line}"), cause)));
    }

    fn advance(&mut self) {
        self.number += 1;
        match read_line(&mut self.records.reader, &mut self.line, self.limit) {
            Err(error) => {
                self.finished = true;
                self.problem(self.number, CorpusError::from_io(error));
            }
            Ok(LineRead::End) => {
                self.finished = true;
                if let Some(open) = self.open.take() {
                    self.problem(open.line, CorpusError::UnfinishedDump);
                }
                if let Some(cause) = self.records.damage() {
                    self.pending.push(Err(ReadProblem::new(&self.source.path, cause)));
                }
            }
            Ok(LineRead::TooLong) => match &mut self.open {
                Some(open) => open.too_large = true,
                None => self.problem(self.number, CorpusError::TooLarge { limit: self.limit }),
            },
            Ok(LineRead::Line) => self.take_line(),
        }
    }

    fn take_line(&mut self) {
        let ahead = if self.line.is_ascii() { &[] } else { self.records.reader.fill_buf().unwrap_or_default() };
        let (line, warning) = self.decoder.decode(self.line.trim_ascii_end(), ahead);
        if self.line.capacity() > 1 << 20 {
            self.line = Vec::new();
        }
        if let Some(warning) = warning {
            self.problem(self.number, warning);
        }
        if let Some(attributes) = line.strip_prefix("<doc ").and_then(|rest| rest.strip_suffix('>')) {
            if let Some(open) = self.open.take() {
                self.problem(
                    open.line,
                    CorpusError::BrokenXml { message: "the page does not end before the next one".to_owned() },
                );
            }
            let attributes = attributes.to_owned();
            self.open = Some(Open { line: self.number, attributes, text: String::new(), too_large: false });
        } else if line == "</doc>" {
            match self.open.take() {
                Some(open) => self.end_page(open),
                None => self.problem(
                    self.number,
                    CorpusError::BrokenXml { message: "a page ends that did not begin".to_owned() },
                ),
            }
        } else if let Some(open) = &mut self.open {
            if (open.text.len() + line.len()) as u64 >= self.limit {
                open.too_large = true;
            } else if !open.too_large {
                open.text.push_str(&line);
                open.text.push('\n');
            }
        } else if !line.trim().is_empty() {
            self.problem(self.number, CorpusError::BrokenXml { message: "text outside of a page".to_owned() });
        }
    }

    fn end_page(&mut self, open: Open) {
        if open.too_large {
            return self.problem(open.line, CorpusError::TooLarge { limit: self.limit });
        }
        let value = |name| {
            attribute(&open.attributes, name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
        };
        let title = value("title");
        // The title stands above the text once more.
        let text = open.text.trim();
        let text = match &title {
            Some(title) => {
                text.strip_prefix(title.as_str()).filter(|rest| rest.starts_with('\n')).map_or(text, str::trim)
            }
            None => text,
        };
        if text.is_empty() {
            return self.problem(open.line, CorpusError::Empty);
        }
        let mut document = Document {
            id: self.source.id_or_place(value("id"), open.line),
            title,
            text: htmlize::unescape(text).into_owned(),
            markup: Markup::Plain,
            provenance: Provenance {
                source: self.source.path.clone(),
                // The same wherever in the files it stands, so that an unchanged page is an unchanged document.
                place: Some(value("id").map_or_else(|| format!("line {}", open.line), |id| format!("page {id}"))),
                url: value("url"),
            },
            metadata: std::collections::BTreeMap::new(),
        };
        if let Some(revision) = value("revid").and_then(|revision| revision.parse().ok()) {
            document.metadata.insert("revision_id".to_owned(), MetadataValue::Integer(revision));
        }
        refine_record(&mut document);
        self.pending.push(Ok(document));
    }
}

impl Iterator for Extracted {
    type Item = Result<Document, ReadProblem>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.pending.is_empty() && !self.finished {
            self.advance();
        }
        if self.pending.is_empty() { None } else { Some(self.pending.remove(0)) }
    }
}

/// Names a record of WikiExtractor's (an address that ends in `curid=` and a number) as a page of its wiki: the page and
/// language become metadata, an id that is only that number gets the wiki's name before it ("enwiki:12"), and the address
/// becomes that of the revision, where it is known.
pub(in crate::corpus) fn refine_record(document: &mut Document) {
    let Some(url) = &document.provenance.url else { return };
    let Some((pages, page)) = url.split_once("?curid=") else { return };
    let Ok(page_id) = page.parse::<i64>() else { return };
    let Some(host) = pages.split_once("://").and_then(|(_, rest)| rest.split('/').next()) else { return };
    let language = host.strip_suffix(".wikipedia.org").filter(|language| !language.contains('.'));
    let wiki = language.map_or_else(|| host.to_owned(), |language| format!("{}wiki", language.replace('-', "_")));
    if document.id.0 == page {
        document.id = DocumentId(format!("{wiki}:{page}"));
    }
    let revision = document.metadata.remove("revid").and_then(|revision| match revision {
        MetadataValue::Integer(number) => Some(number),
        MetadataValue::Text(text) => text.trim().parse().ok(),
        _ => None,
    });
    if let Some(revision) = revision {
        document.metadata.insert("revision_id".to_owned(), MetadataValue::Integer(revision));
    }
    let text = |value: &str| MetadataValue::Text(value.to_owned());
    document.metadata.entry("page_id".to_owned()).or_insert(MetadataValue::Integer(page_id));
    document.metadata.entry("wiki".to_owned()).or_insert_with(|| text(&wiki));
    if let Some(language) = language {
        document.metadata.entry("lang".to_owned()).or_insert_with(|| text(language));
    }
    if let (Some(MetadataValue::Integer(revision)), Some(title)) =
        (document.metadata.get("revision_id"), &document.title)
    {
        let mut site = Site::default();
        site.set_base(&format!("{}/", pages.trim_end_matches('/')));
        document.provenance.url = site.permalink(title, u64::try_from(*revision).ok());
    }
}
