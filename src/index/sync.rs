//! Keeping an index in step with the folders that it was made from.

use std::path::Path;

use rayon::prelude::*;

use super::IndexError;
use super::roots::{is_made_from_path, root_name, way};
use super::stored::StoredHeader;
use super::writer::{IndexWriter, Place};
use crate::corpus::DocumentId;

/// A document that was not added again since the last commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unseen {
    /// Its id.
    pub id: DocumentId,
    /// The file, address or name of its source.
    pub source: String,
}

impl IndexWriter {
    /// Says that documents will come from files under `folder`, named so. It lets [`add`](Self::add) refuse a document
    /// whose id, made from its path, belongs to a file of another folder.
    ///
    /// `moved` says that what was indexed under the same name came from the same folder, wherever that was.
    /// In an index in memory this does nothing.
    ///
    /// # Errors
    /// [`IndexError::OtherRoot`] when the index holds documents of another folder that was named alike;
    /// [`IndexError::Source`] when the folder cannot be found.
    pub fn reading_from(&mut self, folder: &Path, moved: bool) -> Result<(), IndexError> {
        self.ready()?;
        self.moved |= moved;
        let Some(own) = self.index.folder().map(Path::to_owned) else { return Ok(()) };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let found = |source| IndexError::Source { path: folder.display().to_string(), source };
        let place = way(&own, folder).map_err(found)?;
        let root = if folder == Path::new(".") { String::new() } else { root_name(folder) };
        for root in [root, root_name(folder)] {
            let Some(before) = self.roots.get(&root).map(str::to_owned) else {
                self.roots.set(root, place.clone());
                continue;
            };
            if before == place {
                continue;
            }
            if !moved && self.holds_source_under(&root)? {
                return Err(IndexError::OtherRoot { root, before, now: place });
            }
            self.roots.set(root, place.clone());
            self.dirty |= moved;
        }
        Ok(())
    }

    fn holds_source_under(&self, root: &str) -> Result<bool, IndexError> {
        for header in self.index.snapshot()?.documents() {
            let source = header?.source;
            if source.starts_with(root) && !(root.is_empty() && (Path::new(&source).has_root() || source == "-")) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Refuses to let a file of one folder replace a file of another one that has the same path in it.
    pub(super) fn check_source(&self, id: &DocumentId, source: &str, place: &Place) -> Result<(), IndexError> {
        if self.moved || !is_made_from_path(&id.0, source) {
            return Ok(());
        }
        let Some(location) = self.roots.location(source) else { return Ok(()) };
        let before = self.source_at(place)?;
        let other = self.roots.location(&before).is_some_and(|other| other != location);
        if other && is_made_from_path(&id.0, &before) {
            let id = super::build::short(&id.0);
            return Err(IndexError::IdOfOtherSource { id, before, found: source.to_owned() });
        }
        Ok(())
    }

    fn source_at(&self, place: &Place) -> Result<String, IndexError> {
        match place {
            Place::Stored(segment, number) => {
                let segment = &self.segments[*segment].segment;
                Ok(segment.header(&segment.document_row(*number)?)?.provenance.source)
            }
            Place::Buffered(at) => self.buffer.source(*at),
        }
    }

    /// The published documents that were neither added again (changed or not) nor removed since the last commit,
    /// and whose sources `covered` means. It is asked with the source and, where that is known, with its path from the
    /// index's folder.
    ///
    /// # Errors
    /// Damage.
    pub fn unseen(&self, covered: &(dyn Fn(&str, Option<&str>) -> bool + Sync)) -> Result<Vec<Unseen>, IndexError> {
        let mut unseen = Vec::new();
        for working in self.segments.iter().filter(|working| !working.own) {
            let segment = &working.segment;
            let of_segment: Vec<Option<Unseen>> = (0..segment.document_count())
                .into_par_iter()
                .map(|number| {
                    if working.confirmed.contains(number) || working.removed_documents.contains(number) {
                        return Ok(None);
                    }
                    let header: StoredHeader = segment.header(&segment.document_row(number)?)?;
                    let source = header.provenance.source;
                    let location = self.roots.location(&source);
                    Ok(covered(&source, location.as_deref()).then_some(Unseen { id: header.id, source }))
                })
                .collect::<Result<_, IndexError>>()?;
            unseen.extend(of_segment.into_iter().flatten());
        }
        Ok(unseen)
    }

    /// Where a source lies, as a path from the index's folder; `None` where that is not known.
    pub fn location_of(&self, source: &str) -> Option<String> {
        self.roots.location(source)
    }
}
