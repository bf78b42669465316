//! Work on an index that changes nothing of what it holds: fewer segments, no tombstones, this version's analysis.

use serde::Serialize;

use super::IndexError;
use super::merge;
use super::writer::IndexWriter;
use evidex_index_format::Generation;

/// What compacting or upgrading did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Maintained {
    /// The generation that is current now; the same as before where there was nothing to do.
    pub generation: Generation,
    /// Whether a generation was published.
    pub changed: bool,
    /// Segments before.
    pub segments_before: u64,
    /// Segments now.
    pub segments: u64,
    /// Removed documents that are gone from the files now.
    pub dropped_documents: u64,
    /// Bytes of the segments' files before.
    pub bytes_before: u64,
    /// Bytes of the segments' files now.
    pub bytes: u64,
}

impl IndexWriter {
    /// Merges segments into as few as the memory budget allows and leaves out what was removed, in one generation. Vectors
    /// are taken over. What was added before and not committed is published with it.
    ///
    /// # Errors
    /// As [`commit`](Self::commit).
    pub fn compact(&mut self) -> Result<Maintained, IndexError> {
        self.maintain(|writer| {
            let largest = merge::largest(writer.budget(), writer.index.options());
            let candidates: Vec<merge::Candidate> = writer
                .segments
                .iter()
                .map(|working| merge::Candidate {
                    chunks: u64::from(working.segment.chunk_count()),
                    removed: working.removed_chunks,
                })
                .collect();
            // From the back, so that places before stay what they are.
            for chosen in merge::choose_all(&candidates, largest).into_iter().rev() {
                let has_removed = |&at: &usize| !writer.segments[at].removed_documents.is_empty();
                if chosen.len() > 1 || chosen.iter().any(has_removed) {
                    writer.merge_segments(&chosen)?;
                    writer.dirty = true;
                }
            }
            Ok(())
        })
    }

    /// Writes every segment anew as this version does: words are read again by its analyzer, vectors are taken over. The old
    /// generation stays until the new one is published. Nothing to do for an index of this version.
    ///
    /// # Errors
    /// As [`commit`](Self::commit).
    pub fn upgrade(&mut self) -> Result<Maintained, IndexError> {
        let current = self.index.analyzer_version() == crate::lexical::ANALYZER_VERSION;
        self.maintain(|writer| {
            if current {
                return Ok(());
            }
            writer.dirty = true;
            (0..writer.segments.len()).try_for_each(|at| writer.merge_segments(&[at]))
        })
    }

    fn maintain(&mut self, work: impl FnOnce(&mut Self) -> Result<(), IndexError>) -> Result<Maintained, IndexError> {
        self.ready()?;
        self.flush()?;
        let figures = |writer: &Self| {
            let bytes: u64 = writer.segments.iter().map(|working| working.summary.length).sum();
            let removed: u64 = writer.segments.iter().map(|working| working.removed_documents.len()).sum();
            (writer.segments.len() as u64, bytes, removed)
        };
        let (segments_before, bytes_before, removed_before) = figures(self);
        self.drop_empty_segments();
        self.dirty |= (self.segments.len() as u64) < segments_before;
        let worked = work(self);
        self.failed |= worked.is_err();
        worked?;
        let changed = self.dirty;
        let generation = self.commit()?.generation;
        let (segments, bytes, removed) = figures(self);
        let dropped_documents = removed_before - removed;
        Ok(Maintained { generation, changed, segments_before, segments, dropped_documents, bytes_before, bytes })
    }
}
