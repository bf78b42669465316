//! MediaWiki XML dumps (`*-pages-articles.xml`): a stream of pages, read one revision at a time.
//!
//! The stream is cut at its tags, which no text can hold unescaped; each piece is then parsed as XML. So a page that is
//! broken, too large or cut off is told by its place and the next one is read, nothing but the five predefined entities
//! and numbers is ever expanded, and memory is bounded by the largest revision. Of several revisions of a page the latest is taken.

use std::io::{self, BufRead};
use std::sync::Arc;

use super::dump_page::{Head, Revision, head, revision, site};
use super::site::Site;
use super::wikitext::page_of_wikitext;
use crate::corpus::document::{Document, DocumentId, Markup, MetadataValue, Provenance};
use crate::corpus::open::Records;
use crate::corpus::problem::{CorpusError, ReadProblem};
use crate::corpus::records::RecordSource;
use crate::corpus::skipped::{SkippedPages, Why};

/// The documents of a dump.
pub(in crate::corpus) struct Dump {
    records: Records,
    source: RecordSource,
    limit: u64,
    namespaces: Vec<i64>,
    skipped: Arc<SkippedPages>,
    site: Site,
    /// What was read since the last piece was taken.
    piece: Vec<u8>,
    state: State,
    /// Pages begun.
    number: u64,
    /// Bytes read.
    offset: u64,
    pending: Vec<Result<Document, ReadProblem>>,
    seen_pages: bool,
}

/// Where in the dump reading stands.
enum State {
    /// Between pages.
    Outside,
    /// In `<siteinfo>`.
    Site,
    /// In a page, before its first revision.
    Head {
        begun: u64,
    },
    /// In a page whose head is read; the latest revision so far.
    Page {
        begun: u64,
        page: Box<Page>,
    },
    Finished,
}

struct Page {
    /// `None` where it is passed over.
    head: Option<Head>,
    latest: Option<Revision>,
    in_revision: bool,
    /// Whether a revision could not be read, which was told.
    broken: bool,
}

/// What reading up to a tag's end came to.
enum Piece {
    End,
    Tag,
    TooLong,
}

impl Dump {
    pub(in crate::corpus) fn new(
        records: Records,
        source: RecordSource,
        limit: u64,
        namespaces: Vec<i64>,
        skipped: Arc<SkippedPages>,
    ) -> Self {
        Self {
            records,
            source,
            limit,
            namespaces,
            skipped,
            site: Site::default(),
            piece: Vec::new(),
            state: State::Outside,
            number: 0,
            offset: 0,
            pending: Vec::new(),
            seen_pages: false,
        }
    }

    fn place(&self) -> String {
        let begun = match &self.state {
            State::Head { begun } | State::Page { begun, .. } => *begun,
            _ => self.offset,
        };
        let title = match &self.state {
            State::Page { page, .. } => page.head.as_ref().map(|head| format!(" (\"{}\")", head.title)),
            _ => None,
        };
        if self.number == 0 {
            return format!("byte {}", self.offset);
        }
        format!("page {}{} at byte {begun}", self.number, title.unwrap_or_default())
    }

    fn problem(&mut self, cause: CorpusError) {
        let problem = ReadProblem::at(&self.source.path, self.place(), cause);
        self.pending.push(Err(problem));
    }

    /// Reads up to and with the next `>` onto what was read before.
    fn read_tag(&mut self) -> io::Result<Piece> {
        let mut too_long = false;
        loop {
            let buffer = match self.records.reader.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if buffer.is_empty() {
                return Ok(Piece::End);
            }
            let end = memchr::memchr(b'>', buffer).map(|at| at + 1);
            let part = &buffer[..end.unwrap_or(buffer.len())];
            let used = part.len();
            if too_long || (self.piece.len() + used) as u64 > self.limit {
                // Only its end is kept, to see which tag it is.
                too_long = true;
                let kept = self.piece.len().saturating_sub(64);
                self.piece.drain(..kept);
                self.piece.extend_from_slice(&part[used.saturating_sub(64)..]);
            } else {
                self.piece.extend_from_slice(part);
            }
            self.records.reader.consume(used);
            self.offset += used as u64;
            if end.is_some() {
                return Ok(if too_long { Piece::TooLong } else { Piece::Tag });
            }
        }
    }

    /// The piece as text. Dumps are UTF-8 by their specification; what is not is told and replaced.
    fn decoded(&mut self) -> String {
        match String::from_utf8(std::mem::take(&mut self.piece)) {
            Ok(text) => text,
            Err(error) => {
                let bytes = error.into_bytes();
                let count = bytes.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count() as u64;
                self.problem(CorpusError::EncodingDamaged { encoding: "UTF-8", count });
                String::from_utf8_lossy(&bytes).into_owned()
            }
        }
    }

    /// Reads on until something is pending or the end is reached.
    fn advance(&mut self) {
        let read = match self.read_tag() {
            Ok(read) => read,
            Err(error) => {
                self.problem(CorpusError::from_io(error));
                self.state = State::Finished;
                return;
            }
        };
        if matches!(read, Piece::End) {
            self.end();
            return;
        }
        let name = tag_name(&self.piece);
        match (&self.state, name) {
            (State::Outside, _) | (State::Site, _) if matches!(read, Piece::TooLong) => {
                self.piece.clear();
                self.state = State::Outside;
            }
            (State::Outside | State::Site, Tag::Page) => self.begin_page(),
            (State::Outside, Tag::SiteInfo) => {
                self.piece.clear();
                self.state = State::Site;
            }
            (State::Outside, Tag::Root) => {
                let text = self.decoded();
                if let Some(language) = attribute_value(&text, "xml:lang") {
                    self.site.language = Some(language);
                }
            }
            (State::Outside, Tag::RootEnd) => {
                self.piece.clear();
                self.finish();
            }
            (State::Outside, _) => self.piece.clear(),
            (State::Site, Tag::SiteInfoEnd) => {
                let text = self.decoded();
                let language = self.site.language.take();
                match site(&text) {
                    Ok(site) => self.site = Site { language, ..site },
                    Err(message) => self.problem(CorpusError::BrokenXml { message }),
                }
                self.state = State::Outside;
            }
            (State::Site, _) => {}
            // The page before never ended.
            (State::Head { .. } | State::Page { .. }, Tag::Page) => {
                self.problem(CorpusError::BrokenXml {
                    message: "the page does not end before the next one".to_owned(),
                });
                self.begin_page();
            }
            (State::Head { .. } | State::Page { .. }, _) if matches!(read, Piece::TooLong) => self.too_long(name),
            (State::Head { .. }, Tag::Revision | Tag::PageEnd) => self.end_head(name),
            (State::Head { .. }, _) => {}
            (State::Page { .. }, _) => self.in_page(name),
            (State::Finished, _) => {}
        }
    }

    fn begin_page(&mut self) {
        self.piece.clear();
        self.number += 1;
        self.seen_pages = true;
        self.state = State::Head { begun: self.offset - "<page>".len() as u64 };
    }

    /// A page, or one of its revisions, is larger than it may be: all of the page is passed over.
    fn too_long(&mut self, name: Tag) {
        self.problem(CorpusError::TooLarge { limit: self.limit });
        self.piece.clear();
        let begun = match self.state {
            State::Head { begun } | State::Page { begun, .. } => begun,
            _ => self.offset,
        };
        self.state = match name {
            Tag::PageEnd => State::Outside,
            _ => State::Page {
                begun,
                page: Box::new(Page { head: None, latest: None, in_revision: true, broken: false }),
            },
        };
    }

    fn end_head(&mut self, name: Tag) {
        let State::Head { begun } = self.state else { return };
        let text = self.decoded();
        let end = text.rfind('<').unwrap_or(text.len());
        let found = match head(&text[..end]) {
            Ok(found) => {
                let why = if !self.namespaces.contains(&found.namespace) {
                    Some(Why::Namespace)
                } else if found.redirect {
                    Some(Why::Redirect)
                } else {
                    None
                };
                match why {
                    Some(why) => {
                        self.skipped.count(why);
                        None
                    }
                    None => Some(found),
                }
            }
            Err(message) => {
                self.problem(CorpusError::BrokenXml { message });
                None
            }
        };
        self.state = match name {
            Tag::PageEnd => State::Outside,
            _ => State::Page {
                begun,
                page: Box::new(Page { head: found, latest: None, in_revision: true, broken: false }),
            },
        };
    }

    fn in_page(&mut self, name: Tag) {
        let State::Page { page, .. } = &mut self.state else { return };
        match name {
            Tag::PageEnd => {
                self.piece.clear();
                self.end_page();
            }
            Tag::Revision => {
                page.in_revision = true;
                self.piece.clear();
            }
            Tag::RevisionEnd => {
                page.in_revision = false;
                if page.head.is_none() {
                    self.piece.clear();
                    return;
                }
                let text = self.decoded();
                let end = text.rfind('<').unwrap_or(text.len());
                match revision(&text[..end]) {
                    Ok(found) => {
                        if let State::Page { page, .. } = &mut self.state
                            && page.latest.as_ref().is_none_or(|known| known.is_before(&found))
                        {
                            page.latest = Some(found);
                        }
                    }
                    Err(message) => {
                        self.problem(CorpusError::BrokenXml { message });
                        if let State::Page { page, .. } = &mut self.state {
                            page.broken = true;
                        }
                    }
                }
            }
            // Of a page that is passed over, nothing is kept.
            _ if page.head.is_none() || !page.in_revision => self.piece.clear(),
            _ => {}
        }
    }

    fn end_page(&mut self) {
        let place = self.place();
        let State::Page { page, .. } = std::mem::replace(&mut self.state, State::Outside) else { return };
        let Page { head: Some(head), latest, broken, .. } = *page else { return };
        let Some(latest) = latest else {
            if !broken {
                self.pending.push(Err(ReadProblem::at(&self.source.path, place, CorpusError::Empty)));
            }
            return;
        };
        if !latest.is_wikitext {
            self.skipped.count(Why::Model);
            return;
        }
        let Some(wikitext) = latest.text.as_deref() else {
            self.skipped.count(Why::Deleted);
            return;
        };
        // Older dumps do not mark redirects.
        if is_redirect(wikitext) {
            self.skipped.count(Why::Redirect);
            return;
        }
        let text = page_of_wikitext(wikitext, &head.title, &self.site);
        if text.trim().is_empty() {
            self.pending.push(Err(ReadProblem::at(&self.source.path, place, CorpusError::Empty)));
            return;
        }
        let document = self.document(head, &latest, text);
        self.pending.push(Ok(document));
    }

    fn document(&self, head: Head, revision: &Revision, text: String) -> Document {
        let wiki = self.site.name.as_deref().unwrap_or(&self.source.id);
        let id = match head.id {
            Some(id) => format!("{wiki}:{id}"),
            None => format!("{wiki}:{}", head.title),
        };
        let number = |value: u64| match i64::try_from(value) {
            Ok(value) => MetadataValue::Integer(value),
            Err(_) => MetadataValue::Text(value.to_string()),
        };
        let mut metadata = std::collections::BTreeMap::new();
        let mut put = |name: &str, value: Option<MetadataValue>| {
            if let Some(value) = value {
                metadata.insert(name.to_owned(), value);
            }
        };
        put("wiki", self.site.name.clone().map(MetadataValue::Text));
        put("lang", self.site.language.clone().map(MetadataValue::Text));
        put("page_id", head.id.map(number));
        put("revision_id", revision.id.map(number));
        put("timestamp", revision.timestamp.clone().map(MetadataValue::Text));
        put("namespace", (head.namespace != 0).then_some(MetadataValue::Integer(head.namespace)));
        if let Some(wanted) = &self.source.fields.metadata {
            metadata.retain(|name, _| wanted.contains(name));
        }
        Document {
            id: DocumentId(id),
            provenance: Provenance {
                source: self.source.path.clone(),
                // Where it stays the same from dump to dump: an unchanged page is then an unchanged document.
                place: head.id.map(|id| format!("page {id}")),
                url: self.site.permalink(&head.title, revision.id),
            },
            title: Some(head.title),
            text,
            markup: Markup::Markdown,
            metadata,
        }
    }

    /// The file ended without `</mediawiki>`.
    fn end(&mut self) {
        if self.seen_pages || !matches!(self.state, State::Outside) {
            self.problem(CorpusError::UnfinishedDump);
        } else {
            let path = self.source.path.clone();
            self.pending.push(Err(ReadProblem::new(path, CorpusError::NoDump)));
        }
        self.finish();
    }

    fn finish(&mut self) {
        self.state = State::Finished;
        if let Some(cause) = self.records.damage() {
            self.pending.push(Err(ReadProblem::new(&self.source.path, cause)));
        }
    }
}

impl Iterator for Dump {
    type Item = Result<Document, ReadProblem>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.pending.is_empty() && !matches!(self.state, State::Finished) {
            self.advance();
        }
        if self.pending.is_empty() { None } else { Some(self.pending.remove(0)) }
    }
}

/// The tags that matter here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tag {
    Root,
    RootEnd,
    SiteInfo,
    SiteInfoEnd,
    Page,
    PageEnd,
    Revision,
    RevisionEnd,
    Other,
}

/// The tag that a piece ends with.
fn tag_name(piece: &[u8]) -> Tag {
    let Some(start) = memchr::memrchr(b'<', piece) else { return Tag::Other };
    let tag = &piece[start + 1..piece.len().saturating_sub(1).max(start + 1)];
    let end = tag.iter().position(u8::is_ascii_whitespace).unwrap_or(tag.len());
    match &tag[..end] {
        b"mediawiki" => Tag::Root,
        b"/mediawiki" => Tag::RootEnd,
        b"siteinfo" => Tag::SiteInfo,
        b"/siteinfo" => Tag::SiteInfoEnd,
        b"page" => Tag::Page,
        b"/page" => Tag::PageEnd,
        b"revision" => Tag::Revision,
        b"/revision" => Tag::RevisionEnd,
        _ => Tag::Other,
    }
}

/// The value of an attribute in the text of a tag.
fn attribute_value(tag: &str, name: &str) -> Option<String> {
    let rest = &tag[tag.find(&format!("{name}="))? + name.len() + 1..];
    let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let (value, _) = rest[1..].split_once(quote)?;
    Some(value.to_owned()).filter(|value| !value.is_empty() && value.len() < 40)
}

/// "#REDIRECT [[Page]]", in any language: a line that starts with `#`, a word and a link.
fn is_redirect(wikitext: &str) -> bool {
    let Some(rest) = wikitext.trim_start().strip_prefix('#') else { return false };
    let word =
        rest.trim_start().chars().take_while(|character| character.is_alphabetic()).map(char::len_utf8).sum::<usize>();
    let rest = rest.trim_start();
    let known = [
        "redirect",
        "weiterleitung",
        "redirection",
        "redirección",
        "redirecionamento",
        "rinvia",
        "doorverwijzing",
        "patrz",
        "перенаправление",
        "転送",
        "重定向",
    ];
    let is_word = known.contains(&rest[..word].to_lowercase().as_str());
    is_word && rest[word..].trim_start().trim_start_matches(':').trim_start().starts_with("[[")
}
