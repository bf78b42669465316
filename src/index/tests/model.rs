//! The index against a map: whatever is done to both, both hold the same.

use std::collections::BTreeMap;

use evidex_index_format::MemStorage;
use proptest::prelude::*;

use super::*;
use crate::corpus::DocumentId;

#[derive(Debug, Clone)]
enum Step {
    Add(u8, u8),
    Remove(u8),
    Commit,
    Abandon,
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0u8..12, 0u8..4).prop_map(|(id, version)| Step::Add(id, version)),
        2 => (0u8..12).prop_map(Step::Remove),
        2 => Just(Step::Commit),
        1 => Just(Step::Abandon),
        1 => Just(Step::Reopen),
    ]
}

/// A word of letters alone, so that no part of it is a word too and no two have the same stem.
fn name(id: u8) -> String {
    format!("k{}zor", char::from(b'a' + id))
}

fn text(id: u8, version: u8) -> String {
    format!("Document {} has version {version}. {}", name(id), "It has more. ".repeat(usize::from(version)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn the_index_holds_what_a_map_would(steps in proptest::collection::vec(step(), 1..40)) {
        let storage = Arc::new(MemStorage::new());
        let mut index = Index::create_in(storage.clone(), with_vectors()).unwrap();
        // A buffer so small that some commits make several segments.
        let options = || WriterOptions { memory_budget: 0, graph_from: 8, graph_from_total: 0, ..WriterOptions::default() };
        let mut writer = index.writer(Some(hashed()), options()).unwrap();
        let mut published: BTreeMap<String, String> = BTreeMap::new();
        let mut pending = published.clone();
        for step in steps {
            match step {
                Step::Add(id, version) => {
                    let added = writer.add(Document::inline(&format!("d{id}"), text(id, version))).unwrap();
                    let before = pending.insert(format!("d{id}"), text(id, version));
                    let expected = match before {
                        None => crate::index::Added::New,
                        Some(before) if before == text(id, version) => crate::index::Added::Unchanged,
                        Some(_) => crate::index::Added::Replaced,
                    };
                    prop_assert_eq!(added, expected);
                }
                Step::Remove(id) => {
                    let removed = writer.remove(&DocumentId(format!("d{id}"))).unwrap();
                    prop_assert_eq!(removed, pending.remove(&format!("d{id}")).is_some());
                }
                Step::Commit => {
                    writer.commit().unwrap();
                    published = pending.clone();
                }
                Step::Abandon | Step::Reopen => {
                    drop(writer);
                    pending = published.clone();
                    if matches!(step, Step::Reopen) {
                        index = Index::open_in(storage.clone()).unwrap();
                    }
                    writer = index.writer(Some(hashed()), options()).unwrap();
                }
            }
            let snapshot = index.snapshot().unwrap();
            prop_assert_eq!(snapshot.document_count(), published.len() as u64);
        }
        let snapshot = index.snapshot().unwrap();
        let mut found: BTreeMap<String, String> = BTreeMap::new();
        for header in snapshot.documents() {
            let id = header.unwrap().id;
            let text = snapshot.document(&id).unwrap().unwrap().text;
            prop_assert!(found.insert(id.0, text).is_none());
        }
        prop_assert_eq!(&found, &published);
        for (id, text) in &published {
            let passages = find(&index, &name(id[1..].parse().unwrap()), SearchMode::Bm25, 10);
            prop_assert!(!passages.is_empty());
            for passage in passages {
                prop_assert_eq!(&passage.document_id.0, id);
                prop_assert_eq!(passage.span.of(text), passage.text.as_str());
            }
        }
        let report = index.check(true).unwrap();
        prop_assert!(report.is_sound(), "{:?}", report.faults);
    }
}
