//! Compacting, upgrading, views, backups.

use evidex_index_format::{FsStorage, Storage};
use tempfile::tempdir;

use super::*;
use crate::corpus::DocumentId;
use crate::index::IndexError;

fn several(count: usize) -> Vec<(String, String)> {
    (0..count).map(|number| (format!("d{number}"), format!("Item {number} weighs {} kg.", number + 5_000))).collect()
}

fn add_all(index: &Index, documents: &[(String, String)]) {
    for (id, text) in documents {
        add(index, &[(id, text)]);
    }
}

#[test]
fn compacting_leaves_one_segment_without_what_was_removed_and_the_same_answers() {
    let index = Index::in_memory(with_vectors()).unwrap();
    add_all(&index, &several(6));
    let mut writer = index.maintenance_writer(WriterOptions::default()).unwrap();
    writer.remove(&DocumentId::from("d3")).unwrap();
    writer.commit().unwrap();
    let before: Vec<_> = ["item 4", "weighs"].map(|text| find(&index, text, SearchMode::Dense, 10)).into();
    let done = writer.compact().unwrap();
    assert_eq!((done.segments_before, done.segments), (5, 1));
    assert!(done.changed);
    let after: Vec<_> = ["item 4", "weighs"].map(|text| find(&index, text, SearchMode::Dense, 10)).into();
    let ids = |found: &[Vec<Passage>]| -> Vec<String> {
        found.iter().flatten().map(|passage| passage.document_id.0.clone()).collect()
    };
    assert_eq!(ids(&before), ids(&after));
    assert!(!writer.compact().unwrap().changed);
    drop(writer);
    assert_sound(&index);
}

#[test]
fn a_maintenance_writer_adds_nothing_to_an_index_with_vectors() {
    let index = index_of(&[("a", "Kept.")]);
    let mut writer = index.maintenance_writer(WriterOptions::default()).unwrap();
    assert!(matches!(writer.add(Document::inline("b", "Text.")), Err(IndexError::EmbedderNeeded { .. })));
    assert!(writer.remove(&DocumentId::from("a")).unwrap());
    writer.commit().unwrap();
    assert_eq!(index.snapshot().unwrap().document_count(), 0);
}

#[test]
fn an_index_of_an_older_analyzer_is_upgraded_and_one_of_a_newer_is_refused() {
    let folder = tempdir().unwrap();
    let index = Index::create(folder.path(), with_vectors()).unwrap();
    add_all(&index, &several(3));
    let rewrite = |version: u32| {
        // The settings of the manifest start with the analyzer's version.
        let store = evidex_index_format::Store::open(Arc::new(FsStorage::open(folder.path()).unwrap())).unwrap();
        let lock = store.lock_writer(&evidex_index_format::LockHolder::this_process(0)).unwrap();
        let mut manifest = store.current().next();
        manifest.settings[0] = version as u8;
        store.publish(&lock, manifest).unwrap();
    };
    let current = crate::lexical::ANALYZER_VERSION;
    rewrite(current + 1);
    assert!(matches!(Index::open_older(folder.path()), Err(IndexError::OtherAnalyzer { .. })));
    rewrite(current - 1);
    let error = Index::open(folder.path()).unwrap_err();
    assert!(crate::Error::from(error).hint().unwrap().contains("evidex upgrade"));
    let older = Index::open_older(folder.path()).unwrap();
    let done = older.maintenance_writer(WriterOptions::default()).unwrap().upgrade().unwrap();
    assert!(done.changed);
    let index = Index::open(folder.path()).unwrap();
    assert_eq!(find(&index, "item 2 weighs", SearchMode::Hybrid, 1)[0].document_id.0, "d2");
    assert_sound(&index);
    assert!(!index.maintenance_writer(WriterOptions::default()).unwrap().upgrade().unwrap().changed);
}

#[test]
fn a_backup_taken_while_a_writer_works_is_a_generation_as_a_whole() {
    let folder = tempdir().unwrap();
    let index = Index::create(folder.path().join("index"), with_vectors()).unwrap();
    add_all(&index, &several(2));
    let writing = {
        let index = index.clone();
        std::thread::spawn(move || {
            for round in 0..30 {
                let mut writer = index.writer(Some(hashed()), WriterOptions::default()).unwrap();
                for number in 0..3 {
                    writer.add(Document::inline(&format!("r{number}"), format!("Round {round} of {number}."))).unwrap();
                }
                writer.commit().unwrap();
            }
        })
    };
    for copy in 0..8 {
        let to = folder.path().join(format!("copy-{copy}"));
        let backup = Index::open(folder.path().join("index")).unwrap().back_up(&to).unwrap();
        let copied = Index::open(&to).unwrap();
        assert_sound(&copied);
        let snapshot = copied.snapshot().unwrap();
        assert_eq!(snapshot.generation(), backup.generation);
        // All three documents of a round, or none: never a part of a generation.
        let rounds: Vec<String> = (0..3)
            .filter_map(|number| snapshot.document(&DocumentId(format!("r{number}"))).unwrap())
            .map(|document| document.text.split(' ').nth(1).unwrap().to_owned())
            .collect();
        assert!(rounds.is_empty() || rounds.len() == 3 && rounds.iter().all(|round| *round == rounds[0]), "{rounds:?}");
    }
    writing.join().unwrap();
    assert!(matches!(index.back_up(folder.path()), Err(IndexError::FolderInUse { .. })));
}

#[test]
fn a_file_left_by_a_writer_is_no_obstacle_to_reading_and_no_fault() {
    let folder = tempdir().unwrap();
    let index = Index::create(folder.path(), with_vectors()).unwrap();
    add_all(&index, &several(1));
    std::fs::write(folder.path().join("work-embeddings-00.log"), "torn").unwrap();
    let index = Index::open(folder.path()).unwrap();
    assert_sound(&index);
    add_all(&index, &several(2));
    assert!(FsStorage::open(folder.path()).unwrap().exists("work-embeddings-00.log").unwrap());
}

#[test]
fn removed_documents_stay_removed_in_every_view() {
    let index = index_of(&[("a", "The bridge is long."), ("b", "The bridge is short."), ("c", "The tower is high.")]);
    let mut writer = index.maintenance_writer(WriterOptions::default()).unwrap();
    writer.remove(&DocumentId::from("a")).unwrap();
    writer.commit().unwrap();
    drop(writer);
    let snapshot = index.snapshot().unwrap();
    let other = index_of(&[("d", "The bridge is new.")]).snapshot().unwrap();
    let together = crate::index::Snapshot::together(&[snapshot.clone(), other]).unwrap().unwrap();
    assert_eq!(together.document_count(), 3);
    let view = together.filtered(&"id=a OR id=b OR id=d".parse().unwrap()).unwrap();
    assert_eq!((view.document_count(), view.chunk_count()), (2, 2));
    let query = Query { text: "bridge".into(), mode: SearchMode::Hybrid, k: 10 };
    let found = search(&view, &query, Some(&*hashed())).unwrap();
    let mut ids: Vec<&str> = found.iter().map(|passage| passage.document_id.0.as_str()).collect();
    ids.sort_unstable();
    assert_eq!(ids, ["b", "d"]);
    assert_eq!(search(&view.words_only(), &query, None).unwrap().len(), 2);
    assert!(view.document(&DocumentId::from("c")).unwrap().is_none());
}
