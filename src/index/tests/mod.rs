//! What the index promises, tested as a whole.

mod faults;
mod lifecycle;
mod maintenance;
mod model;
mod processes;
mod resume;

use std::sync::Arc;

use super::{Index, IndexOptions, WriterOptions};
use crate::corpus::Document;
use crate::embed::{Embedder, HashedEmbedder};
use crate::retrieve::{Passage, Query, SearchMode, search};

pub(super) fn hashed() -> Arc<dyn Embedder> {
    Arc::new(HashedEmbedder::new())
}

pub(super) fn with_vectors() -> IndexOptions {
    IndexOptions { embedder: Some(hashed().identity().clone()), ..IndexOptions::default() }
}

/// An index in memory that holds `documents`, one commit for all.
pub(super) fn index_of(documents: &[(&str, &str)]) -> Index {
    let index = Index::in_memory(with_vectors()).unwrap();
    add(&index, documents);
    index
}

pub(super) fn add(index: &Index, documents: &[(&str, &str)]) {
    let mut writer = index.writer(Some(hashed()), WriterOptions::default()).unwrap();
    for (id, text) in documents {
        writer.add(Document::inline(id, *text)).unwrap();
    }
    writer.commit().unwrap();
}

pub(super) fn find(index: &Index, text: &str, mode: SearchMode, k: usize) -> Vec<Passage> {
    let snapshot = index.snapshot().unwrap();
    search(&snapshot, &Query { text: text.to_owned(), mode, k }, Some(&*hashed())).unwrap()
}

pub(super) fn assert_sound(index: &Index) {
    let report = index.check(true).unwrap();
    assert!(report.is_sound(), "{:?}", report.faults);
}
