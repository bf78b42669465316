//! From paths to documents: one stream over all files, with what went wrong in between and the counts at the end.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::decode::{DecodeNote, decode_owned};
use super::delimited::{Rows, separator};
use super::document::{Document, DocumentId, Markup, Provenance};
use super::find::{Finder, FoundFile, SkippedFiles, shown};
use super::html::{declared_encoding, read_page};
use super::json::JsonItems;
use super::jsonl::JsonLines;
use super::open::{Opened, open_file, open_stdin};
use super::options::{FileKind, ReadOptions};
use super::plain::head;
use super::problem::{CorpusError, ReadProblem, Severity};
use super::records::RecordSource;
use super::skipped::{PassedOver, SkippedPages};
use super::wiki::{Dump, Extracted, is_extracted};
use super::zim::ZimArticles;

type Items = Box<dyn Iterator<Item = Result<Document, ReadProblem>> + Send>;

/// What a run of reading came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadSummary {
    /// Documents handed out.
    pub documents: u64,
    /// Files (and standard input) that were opened and read.
    pub files: u64,
    /// Documents left out because one with the same id and the same content came before.
    pub repeated: u64,
    /// Files passed over by rule.
    pub skipped: SkippedFiles,
    /// Pages of wikis passed over by rule.
    pub passed_over: PassedOver,
    /// Problems that only deserve a word.
    pub warnings: u64,
    /// Problems for which something was not read.
    pub errors: u64,
    /// All problems, counted by their code.
    pub problems: BTreeMap<&'static str, u64>,
}

/// The documents under some paths, read one at a time.
///
/// Each item is a document or a [`ReadProblem`]; after a problem the next item goes on with what can still be read, unless
/// [`ReadOptions::strict`] ends the run there. A warning about a document comes before the document.
///
/// Only one document is held at a time, besides 16 bytes for each id already given out and the path of each file.
pub struct Documents {
    finder: Finder,
    options: ReadOptions,
    current: Option<Items>,
    /// Hash of id -> hash of content.
    ids: HashMap<u64, u64>,
    summary: ReadSummary,
    skipped_pages: Arc<SkippedPages>,
    stopped: bool,
}

/// Reads all documents under `paths`: files, folders (with all in them, in sorted order) and `-` for standard input.
///
/// Ids: a record's own; else, for a file in a folder, its path inside the folder with `/`; for a file named directly, its
/// path as given (its name alone where that is absolute); for a record without id, that and its number: `towns.csv#3`.
///
/// ```
/// use evidex::corpus::{ReadOptions, read_paths};
///
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("cape.md"), "# The cape\n\nThe light is 31 m high.")?;
/// std::fs::write(folder.path().join("towns.jsonl"), "{\"id\": \"arden\", \"text\": \"Arden has 12,000 people.\"}\nbroken\n")?;
///
/// let mut reading = read_paths(&[folder.path().to_path_buf()], &ReadOptions::default());
/// let (documents, problems): (Vec<_>, Vec<_>) = reading.by_ref().partition(Result::is_ok);
/// let ids: Vec<String> = documents.into_iter().flatten().map(|document| document.id.0).collect();
/// assert_eq!(ids, ["cape.md", "arden"]);
/// assert_eq!(problems[0].as_ref().unwrap_err().place.as_deref(), Some("line 2"));
/// assert_eq!(reading.summary().errors, 1);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn read_paths(paths: &[PathBuf], options: &ReadOptions) -> Documents {
    Documents {
        finder: Finder::new(paths.to_vec(), options.clone()),
        options: options.clone(),
        current: None,
        ids: HashMap::new(),
        summary: ReadSummary::default(),
        skipped_pages: Arc::default(),
        stopped: false,
    }
}

impl Documents {
    /// The counts so far; those of the whole run once the iterator has ended.
    pub fn summary(&self) -> ReadSummary {
        let passed_over = self.skipped_pages.passed_over();
        ReadSummary { skipped: self.finder.skipped().clone(), passed_over, ..self.summary.clone() }
    }

    /// Whether the document is new; a second one with its id is told or counted.
    fn first_of_its_id(&mut self, document: &Document) -> Result<bool, ReadProblem> {
        let id = hash(&document.id);
        let content =
            hash(&(&document.title, &document.text, &document.provenance.url, format!("{:?}", document.metadata)));
        match self.ids.get(&id) {
            None => {
                self.ids.insert(id, content);
                Ok(true)
            }
            Some(known) if *known == content => {
                self.summary.repeated += 1;
                Ok(false)
            }
            Some(_) => Err(ReadProblem {
                path: document.provenance.source.clone(),
                place: document.provenance.place.clone(),
                cause: CorpusError::DuplicateId { id: document.id.0.clone() },
            }),
        }
    }

    fn advance(&mut self) -> Option<Result<Document, ReadProblem>> {
        loop {
            if let Some(current) = &mut self.current {
                match current.next() {
                    None => self.current = None,
                    Some(Err(problem)) => return Some(Err(problem)),
                    Some(Ok(document)) => match self.first_of_its_id(&document) {
                        Ok(true) => return Some(Ok(document)),
                        Ok(false) => {}
                        Err(problem) => return Some(Err(problem)),
                    },
                }
                continue;
            }
            match self.finder.next()? {
                Err(problem) => return Some(Err(problem)),
                Ok(file) => match items(&file, &self.options, &self.skipped_pages) {
                    Ok(items) => {
                        self.summary.files += 1;
                        self.current = Some(items);
                    }
                    // Any XML may lie in a folder; only dumps are meant.
                    Err(problem) if !file.named && matches!(problem.cause, CorpusError::NoDump) => {
                        self.finder.skip_unknown("xml");
                    }
                    Err(problem) => return Some(Err(problem)),
                },
            }
        }
    }
}

impl Iterator for Documents {
    type Item = Result<Document, ReadProblem>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.stopped {
            return None;
        }
        let item = self.advance()?;
        match &item {
            Ok(_) => self.summary.documents += 1,
            Err(problem) => {
                *self.summary.problems.entry(problem.code()).or_default() += 1;
                match problem.severity() {
                    Severity::Warning => self.summary.warnings += 1,
                    Severity::Error => {
                        self.summary.errors += 1;
                        self.stopped = self.options.strict;
                    }
                }
            }
        }
        Some(item)
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The documents of one file, and what deserves a word about them.
#[derive(Debug)]
pub struct ReadFile {
    /// At least one.
    pub documents: Vec<Document>,
    /// Warnings, and errors in single records.
    pub problems: Vec<ReadProblem>,
}

/// Reads one file given as evidence (`-` for standard input): one document, or several where it is JSONL, JSON or CSV.
///
/// # Errors
/// The first [`ReadProblem`] when not one document could be read; a folder is [`CorpusError::IsDirectory`], a file
/// without text [`CorpusError::Empty`].
pub fn read_document(path: &Path, options: &ReadOptions) -> Result<ReadFile, ReadProblem> {
    refuse_folder(path)?;
    let mut read = ReadFile { documents: Vec::new(), problems: Vec::new() };
    for item in read_paths(&[path.to_path_buf()], options) {
        match item {
            Ok(document) => read.documents.push(document),
            Err(problem) => read.problems.push(problem),
        }
    }
    if read.documents.is_empty() {
        let worst = read.problems.iter().position(|problem| problem.severity() == Severity::Error).unwrap_or(0);
        if worst < read.problems.len() {
            return Err(read.problems.swap_remove(worst));
        }
        return Err(ReadProblem::new(shown(path), CorpusError::Empty));
    }
    Ok(read)
}

/// Reads a file's text as it stands (`-` for standard input), whatever its kind: an answer to be checked.
///
/// # Errors
/// A [`ReadProblem`] when the file cannot be read, is no text, is too large, or is a folder. An empty file is an empty text.
pub fn read_text(path: &Path, options: &ReadOptions) -> Result<(String, DecodeNote), ReadProblem> {
    let problem = |cause| ReadProblem::new(shown(path), cause);
    let opened = if path.as_os_str() == "-" { open_stdin() } else { open_file(path) };
    let bytes = opened.and_then(|opened| opened.read_whole(options.max_document_bytes)).map_err(problem)?;
    let named = options.named_encoding().map_err(problem)?;
    Ok(decode_owned(bytes, named, None))
}

fn refuse_folder(path: &Path) -> Result<(), ReadProblem> {
    if path.is_dir() { Err(ReadProblem::new(shown(path), CorpusError::IsDirectory)) } else { Ok(()) }
}

/// The items of one file.
fn items(file: &FoundFile, options: &ReadOptions, skipped: &Arc<SkippedPages>) -> Result<Items, ReadProblem> {
    let problem = |cause| ReadProblem::new(&file.shown, cause);
    if file.kind == Some(FileKind::Zim) {
        let Some(path) = &file.path else {
            return Err(problem(CorpusError::Binary { what: "a ZIM archive; name its file instead" }));
        };
        let source = RecordSource { path: file.shown.clone(), id: file.id.clone(), fields: options.fields.clone() };
        let articles = ZimArticles::open(path, source, options.max_document_bytes, skipped).map_err(problem)?;
        return Ok(Box::new(articles));
    }
    let named = options.named_encoding().map_err(problem)?;
    let opened = match &file.path {
        Some(path) => open_file(path),
        None => open_stdin(),
    };
    let opened = opened.map_err(problem)?;
    if opened.start.is_empty() {
        return Err(problem(CorpusError::Empty));
    }
    let kind = match file.kind {
        None | Some(FileKind::WikiExtract) => kind_of_start(&opened.start),
        Some(kind) => kind,
    };
    if kind == FileKind::WikiDump && !holds_dump(&opened.start) {
        return Err(problem(CorpusError::NoDump));
    }
    let source = RecordSource { path: file.shown.clone(), id: file.id.clone(), fields: options.fields.clone() };
    let limit = options.max_document_bytes;
    Ok(match kind {
        FileKind::Text | FileKind::Markdown | FileKind::Html => return whole(file, kind, opened, options),
        FileKind::WikiDump => {
            let records = opened.into_records(named).map_err(problem)?;
            Box::new(Dump::new(records, source, limit, options.namespaces.clone(), Arc::clone(skipped)))
        }
        FileKind::WikiExtract => {
            let records = opened.into_records(named).map_err(problem)?;
            Box::new(Extracted::new(records, source, limit))
        }
        FileKind::Zim => return Err(problem(CorpusError::Binary { what: "a ZIM archive" })),
        FileKind::JsonLines => {
            let records = opened.into_records(named).map_err(problem)?;
            Box::new(JsonLines::new(records, source, limit))
        }
        FileKind::Json => {
            let records = opened.into_records(named).map_err(problem)?;
            Box::new(JsonItems::new(records, source, limit))
        }
        FileKind::Csv | FileKind::Tsv => {
            let separator = if kind == FileKind::Tsv { b'\t' } else { separator(&opened.start) };
            let records = opened.into_records(named).map_err(problem)?;
            Box::new(Rows::new(records, separator, source, limit))
        }
    })
}

/// The one document of a text, Markdown or HTML file, after the warnings about it.
fn whole(file: &FoundFile, kind: FileKind, opened: Opened, options: &ReadOptions) -> Result<Items, ReadProblem> {
    let problem = |cause| ReadProblem::new(&file.shown, cause);
    let bytes = opened.read_whole(options.max_document_bytes).map_err(problem)?;
    let named = options.named_encoding().map_err(problem)?;
    let declared = if kind == FileKind::Html { declared_encoding(&bytes) } else { None };
    let (text, note) = decode_owned(bytes, named, declared);
    let mut items: Vec<Result<Document, ReadProblem>> =
        note.warnings().into_iter().map(|cause| Err(problem(cause))).collect();
    let (title, text, url, markup) = if kind == FileKind::Html {
        let page = read_page(&text);
        if page.main_text_not_sought {
            items.push(Err(problem(CorpusError::MainTextNotSought)));
        }
        (page.title, page.text, page.url, Markup::Markdown)
    } else {
        let markup = if kind == FileKind::Markdown { Markup::Markdown } else { Markup::Plain };
        let head = head(&text, markup);
        (head.title, text, head.url, markup)
    };
    if text.trim().is_empty() {
        items.push(Err(problem(CorpusError::Empty)));
    } else {
        items.push(Ok(Document {
            id: DocumentId(file.id.clone()),
            title,
            text,
            markup,
            provenance: Provenance { source: file.shown.clone(), place: None, url },
            metadata: BTreeMap::new(),
        }));
    }
    Ok(Box::new(items.into_iter()))
}

/// What an input without a telling name looks like.
fn kind_of_start(start: &[u8]) -> FileKind {
    let text = String::from_utf8_lossy(start);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let lower: String = text.chars().take(15).collect::<String>().to_ascii_lowercase();
    if lower.starts_with("<!doctype html") || lower.starts_with("<html") {
        return FileKind::Html;
    }
    if is_extracted(text) {
        return FileKind::WikiExtract;
    }
    if lower.starts_with("<mediawiki") || (lower.starts_with("<?xml") && holds_dump(start)) {
        return FileKind::WikiDump;
    }
    if let Some(inside) = text.strip_prefix('{') {
        let first_line = text.lines().next().unwrap_or_default();
        if serde_json::from_str::<serde_json::Value>(first_line).is_ok() || !text.contains('\n') {
            return FileKind::JsonLines;
        }
        let pretty = inside.trim_start().starts_with(['"', '}']);
        return if pretty { FileKind::Json } else { FileKind::Text };
    }
    let array = text.strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with('{'));
    if array { FileKind::Json } else { FileKind::Text }
}

/// Whether a file starts as a MediaWiki dump does.
fn holds_dump(start: &[u8]) -> bool {
    // In UTF-16 every second byte is zero.
    let narrow: Vec<u8> = start.iter().copied().filter(|byte| *byte != 0).collect();
    memchr::memmem::find(&narrow, b"<mediawiki").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_of_standard_input_is_seen_from_its_start() {
        assert_eq!(kind_of_start(b"{\"text\": \"a\"}\n{\"text\": \"b\"}\n"), FileKind::JsonLines);
        assert_eq!(kind_of_start(b"{\n  \"text\": \"a\"\n}\n"), FileKind::Json);
        assert_eq!(kind_of_start(b"[\n {\"text\": \"a\"}]"), FileKind::Json);
        assert_eq!(kind_of_start(b"\xef\xbb\xbf<!DOCTYPE HTML>"), FileKind::Html);
        assert_eq!(kind_of_start(b"<mediawiki xmlns=\"x\" xml:lang=\"en\">\n<page>"), FileKind::WikiDump);
        assert_eq!(kind_of_start(b"<?xml version=\"1.0\"?>\n<mediawiki>"), FileKind::WikiDump);
        assert_eq!(kind_of_start(b"<doc id=\"12\" url=\"u\" title=\"Arden\">\nArden"), FileKind::WikiExtract);
        assert_eq!(kind_of_start(b"{braces} in a text\nand more"), FileKind::Text);
        assert_eq!(kind_of_start(b"The tower is 31 m high."), FileKind::Text);
    }
}
