//! Checking an index: every checksum, and deeper, whether its parts agree.

use std::collections::BTreeMap;

use evidex_index_format::{Generation, Storage};
use serde::Serialize;

use super::IndexError;
use super::handle::Index;
use super::hash::{content_hash, encode_header, passage_form, quick_hash};
use super::segment::Segment;
use super::snapshot::Snapshot;
use crate::lexical::{PostedField, PostedTerms, Stemming};

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The file, where it lies in one.
    pub file: Option<String>,
    /// The section of the file.
    pub section: Option<String>,
    /// The byte in the file.
    pub offset: Option<u64>,
    /// What is wrong.
    pub message: String,
}

/// What a check found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CheckReport {
    /// The generation that was checked, if one could be read.
    pub generation: Option<Generation>,
    /// Files that were read.
    pub files: u64,
    /// Bytes that were verified.
    pub bytes: u64,
    /// Documents whose parts were compared; 0 unless the check was deep.
    pub documents: u64,
    /// Chunks whose parts were compared; 0 unless the check was deep.
    pub chunks: u64,
    /// What is wrong; empty for a sound index.
    pub faults: Vec<Fault>,
    /// What is odd and harmless.
    pub warnings: Vec<String>,
}

impl CheckReport {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }

    fn fault(&mut self, error: &IndexError) {
        self.faults.push(Fault { file: None, section: None, offset: None, message: error.to_string() });
    }
}

/// Checks the files in `storage`; for a deep check `open` opens what they hold.
pub(super) fn check_storage(
    storage: &dyn Storage,
    deep: bool,
    open: impl FnOnce() -> Result<Index, IndexError>,
) -> Result<CheckReport, IndexError> {
    let found = evidex_index_format::check(storage)?;
    let mut report = CheckReport {
        generation: found.generation,
        files: found.files,
        bytes: found.bytes,
        warnings: found.warnings,
        ..CheckReport::default()
    };
    report.faults = found
        .damage
        .into_iter()
        .map(|damage| Fault {
            file: Some(damage.file),
            section: damage.section,
            offset: Some(damage.offset),
            message: damage.message,
        })
        .collect();
    if deep {
        match open().and_then(|index| index.snapshot()) {
            Ok(snapshot) => check_snapshot(&snapshot, &mut report),
            Err(error) => report.fault(&error),
        }
    }
    Ok(report)
}

fn check_snapshot(snapshot: &Snapshot, report: &mut CheckReport) {
    let mut ids: BTreeMap<String, u64> = BTreeMap::new();
    for segment in snapshot.segments() {
        let number = segment.segment().id().0;
        let removed = segment.removed_documents();
        let checked = check_segment(segment.segment(), &mut |document, id| {
            let twice = !removed.contains(document) && ids.insert(id.to_owned(), number).is_some();
            if twice { Err(segment.segment().damaged(format!("document `{id}` is there twice"))) } else { Ok(()) }
        });
        match checked {
            Ok(()) => {
                report.documents += u64::from(segment.segment().document_count());
                report.chunks += u64::from(segment.segment().chunk_count());
            }
            Err(error) => report.fault(&error),
        }
    }
}

/// Terms, each with the chunks that it is posted for, in order.
type TermChunks = BTreeMap<String, Vec<u32>>;

fn note(terms: &mut TermChunks, of_chunk: Vec<String>, chunk: u32) {
    for term in of_chunk {
        let chunks = terms.entry(term).or_default();
        if chunks.last() != Some(&chunk) {
            chunks.push(chunk);
        }
    }
}

fn check_segment(
    segment: &Segment,
    seen: &mut dyn FnMut(u32, &str) -> Result<(), IndexError>,
) -> Result<(), IndexError> {
    let mut exact: TermChunks = BTreeMap::new();
    let mut stems: TermChunks = BTreeMap::new();
    let mut titles: TermChunks = BTreeMap::new();
    let mut next_chunk = 0;
    for document in 0..segment.document_count() {
        let row = segment.document_row(document)?;
        let header = segment.header(&row)?;
        let text = segment.text(&row)?;
        seen(document, &header.id.0)?;
        let title = header.title.as_deref().unwrap_or("");
        let wrong = |what: &str| segment.damaged(format!("{what} (document `{}`)", header.id));
        if row.stemming != Stemming::of_document(&text) {
            return Err(wrong("the language that it was read in is not its own"));
        }
        if content_hash(&encode_header(&header)?, &text) != row.content_hash {
            return Err(wrong("the text is not what was added"));
        }
        if !segment.knows(&header.id, document)? {
            return Err(wrong("its id does not lead to it"));
        }
        if row.first_chunk != next_chunk {
            return Err(wrong("its chunks do not follow those of the document before"));
        }
        let (mut counted_to, mut before) = (0, 0u64);
        for position in 0..row.chunk_count {
            let chunk = segment.chunk_row(next_chunk)?;
            let Some(passage) = chunk.span().and_then(|span| span.get(&text)) else {
                return Err(wrong("a chunk lies outside its text"));
            };
            let start = chunk.start as usize;
            if start < counted_to {
                return Err(wrong("its chunks are out of order"));
            }
            before += text[counted_to..start].chars().count() as u64;
            counted_to = start;
            let expected = (document, position, before, quick_hash(passage_form(passage).as_bytes()));
            if (chunk.document, chunk.position, chunk.chars_before, chunk.passage_hash) != expected {
                return Err(wrong("a chunk's row does not fit its text"));
            }
            let posted = PostedTerms::of(passage, title, row.stemming);
            note(&mut exact, posted.exact, next_chunk);
            note(&mut stems, posted.stems, next_chunk);
            note(&mut titles, posted.title, next_chunk);
            next_chunk += 1;
        }
    }
    if next_chunk != segment.chunk_count() {
        return Err(segment.damaged("some chunks belong to no document"));
    }
    for (field, terms) in [(PostedField::Exact, &exact), (PostedField::Stems, &stems), (PostedField::Title, &titles)] {
        for (term, chunks) in terms {
            if segment.postings().chunks_with(field, term)? != *chunks {
                return Err(segment.damaged(format!("the postings of `{term}` do not fit the texts")));
            }
        }
        if segment.postings().term_count(field)? != terms.len() {
            return Err(segment.damaged("its postings hold words that no text holds"));
        }
    }
    if let Some(vectors) = segment.vectors() {
        vectors.check()?;
    }
    Ok(())
}
