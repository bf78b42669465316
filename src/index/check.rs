//! Checking an index: every checksum, and deeper, whether its parts agree.

use std::collections::BTreeMap;

use evidex_index_format::Generation;
use serde::Serialize;

use super::IndexError;
use super::handle::Index;
use super::hash::{content_hash, encode_header, passage_form, quick_hash};
use super::segment::Segment;
use super::snapshot::Snapshot;
use crate::lexical::Terms;

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

pub(super) fn check(index: &Index, deep: bool) -> Result<CheckReport, IndexError> {
    let found = evidex_index_format::check(index.store().storage())?;
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
        match index.snapshot() {
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

fn check_segment(
    segment: &Segment,
    seen: &mut dyn FnMut(u32, &str) -> Result<(), IndexError>,
) -> Result<(), IndexError> {
    let mut terms: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    let mut next_chunk = 0;
    for document in 0..segment.document_count() {
        let row = segment.document_row(document)?;
        let header = segment.header(&row)?;
        let text = segment.text(&row)?;
        seen(document, &header.id.0)?;
        let wrong = |what: &str| segment.damaged(format!("{what} (document `{}`)", header.id));
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
            for (term, _) in Terms::of(passage).0 {
                let chunks = terms.entry(term).or_default();
                if chunks.last() != Some(&next_chunk) {
                    chunks.push(next_chunk);
                }
            }
            next_chunk += 1;
        }
    }
    if next_chunk != segment.chunk_count() {
        return Err(segment.damaged("some chunks belong to no document"));
    }
    for (term, chunks) in &terms {
        if segment.postings().chunks_with(term)? != *chunks {
            return Err(segment.damaged(format!("the postings of `{term}` do not fit the texts")));
        }
    }
    if let Some(vectors) = segment.vectors() {
        vectors.check()?;
    }
    Ok(())
}
