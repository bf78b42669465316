//! The articles of an archive, cluster by cluster.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::archive::{Archive, Target};
use super::cluster::Cluster;
use crate::corpus::decode::decode_owned;
use crate::corpus::document::{Document, DocumentId, Markup, MetadataValue, Provenance};
use crate::corpus::html_text::page_text;
use crate::corpus::problem::{CorpusError, ReadProblem};
use crate::corpus::records::RecordSource;
use crate::corpus::skipped::{SkippedPages, Why};
use crate::corpus::text_sections::without_empty_sections;

/// Places of entries that are read at once.
const BATCH: u32 = 4096;

/// The documents of an archive. Memory: 12 bytes an article, and one article.
pub(in crate::corpus) struct ZimArticles {
    archive: Archive,
    source: RecordSource,
    limit: u64,
    /// Cluster, blob and number of the entry, last first.
    articles: Vec<(u32, u32, u32)>,
    cluster: Option<(u32, Cluster)>,
    facts: Facts,
    pending: Vec<ReadProblem>,
    last: Option<(u32, u32)>,
}

/// What the archive says of itself.
#[derive(Debug, Default)]
struct Facts {
    name: Option<String>,
    language: Option<String>,
    date: Option<String>,
}

impl ZimArticles {
    /// Opens an archive and looks through its directory.
    pub(in crate::corpus) fn open(
        path: &Path,
        source: RecordSource,
        limit: u64,
        skipped: &Arc<SkippedPages>,
    ) -> Result<Self, CorpusError> {
        let archive = Archive::open(path)?;
        let mut articles = Self {
            archive,
            source,
            limit,
            articles: Vec::new(),
            cluster: None,
            facts: Facts::default(),
            pending: Vec::new(),
            last: None,
        };
        articles.look_through(skipped)?;
        Ok(articles)
    }

    fn look_through(&mut self, skipped: &Arc<SkippedPages>) -> Result<(), CorpusError> {
        let is_html: Vec<bool> = self
            .archive
            .kinds
            .iter()
            .map(|kind| kind.starts_with("text/html") || kind.starts_with("application/xhtml"))
            .collect();
        let mut facts: Vec<(String, u32, u32)> = Vec::new();
        let mut first = 0;
        while first < self.archive.entries {
            let count = BATCH.min(self.archive.entries - first);
            for (index, place) in self.archive.places(first, count)?.into_iter().enumerate() {
                let number = first + u32::try_from(index).unwrap_or(u32::MAX);
                let entry = match self.archive.entry(place) {
                    Ok(entry) => entry,
                    Err(cause) => {
                        let place = format!("entry {number}");
                        // The list is read to its end; a file of rubbish is told in a few lines.
                        if self.pending.len() < 20 {
                            self.pending.push(ReadProblem::at(&self.source.path, place, cause));
                        }
                        continue;
                    }
                };
                match (entry.namespace, entry.target) {
                    (b'C' | b'A', Target::Redirect) => skipped.count(Why::Redirect),
                    (b'C' | b'A', Target::Blob { cluster, blob }) => {
                        if is_html.get(usize::from(entry.kind)).copied().unwrap_or(false) {
                            self.articles.push((cluster, blob, number));
                        } else {
                            skipped.count(Why::Model);
                        }
                    }
                    (b'M', Target::Blob { cluster, blob }) => facts.push((entry.path, cluster, blob)),
                    _ => {}
                }
            }
            first += count;
        }
        self.articles.sort_unstable_by(|a, b| b.cmp(a));
        for (name, cluster, blob) in facts {
            let into = match name.as_str() {
                "Name" => &mut self.facts.name,
                "Language" => &mut self.facts.language,
                "Date" => &mut self.facts.date,
                _ => continue,
            };
            let value = Cluster::open(&mut self.archive, cluster).and_then(|mut cluster| cluster.blob(blob, 4096));
            *into = value
                .ok()
                .map(|value| String::from_utf8_lossy(&value).trim().to_owned())
                .filter(|text| !text.is_empty());
        }
        Ok(())
    }

    fn article(&mut self, cluster: u32, blob: u32, number: u32) -> Result<Option<Document>, CorpusError> {
        // Two entries may share one content.
        if self.last == Some((cluster, blob)) {
            return Ok(None);
        }
        if self.cluster.as_ref().is_none_or(|(open, _)| *open != cluster) {
            self.cluster = Some((cluster, Cluster::open(&mut self.archive, cluster)?));
        }
        let Some((_, open)) = &mut self.cluster else { return Ok(None) };
        let bytes = open.blob(blob, self.limit)?;
        self.last = Some((cluster, blob));
        let place = self.archive.places(number, 1)?.first().copied().unwrap_or_default();
        let entry = self.archive.entry(place)?;
        let (html, _) = decode_owned(bytes, None, None);
        let revision = revision_in(&html);
        let page = page_text(&html);
        drop(html);
        let text = without_empty_sections(&page.text);
        if text.trim().is_empty() {
            return Err(CorpusError::Empty);
        }
        let wiki = self.facts.name.as_deref().unwrap_or(&self.source.id);
        let mut metadata = BTreeMap::new();
        let facts = [("wiki", &self.facts.name), ("lang", &self.facts.language), ("archive_date", &self.facts.date)];
        for (name, value) in facts {
            if let Some(value) = value {
                metadata.insert(name.to_owned(), MetadataValue::Text(value.clone()));
            }
        }
        if let Some(revision) = revision {
            metadata.insert("revision_id".to_owned(), MetadataValue::Integer(revision));
        }
        Ok(Some(Document {
            id: DocumentId(format!("{wiki}:{}", entry.path)),
            provenance: Provenance { source: self.source.path.clone(), place: Some(entry.path), url: page.url },
            title: Some(entry.title),
            text,
            markup: Markup::Markdown,
            metadata,
        }))
    }
}

impl Iterator for ZimArticles {
    type Item = Result<Document, ReadProblem>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(problem) = self.pending.pop() {
            return Some(Err(problem));
        }
        loop {
            let (cluster, blob, number) = self.articles.pop()?;
            match self.article(cluster, blob, number) {
                Ok(Some(document)) => return Some(Ok(document)),
                Ok(None) => {}
                Err(cause) => {
                    // What follows in a broken cluster cannot be found any more.
                    let mut lost = 0;
                    if matches!(cause, CorpusError::BrokenArchive { .. } | CorpusError::DecompressionBomb { .. }) {
                        self.cluster = None;
                        while self.articles.pop_if(|(other, ..)| *other == cluster).is_some() {
                            lost += 1;
                        }
                    }
                    let more =
                        if lost > 0 { format!(" and {lost} more articles of its cluster") } else { String::new() };
                    return Some(Err(ReadProblem::at(&self.source.path, format!("entry {number}{more}"), cause)));
                }
            }
        }
    }
}

/// The revision that a page says it was made from, where it names only one.
fn revision_in(html: &str) -> Option<i64> {
    let mut found = None;
    for (at, mark) in html.match_indices("oldid=") {
        let rest = &html[at + mark.len()..];
        let digits = rest.bytes().take(18).take_while(u8::is_ascii_digit).count();
        let Ok(number) = rest[..digits].parse::<i64>() else { continue };
        if found.is_some_and(|known| known != number) {
            return None;
        }
        found = Some(number);
    }
    found
}
