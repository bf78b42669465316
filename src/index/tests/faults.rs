//! Failing storage, damaged files, folders that are no index.

use std::io;

use evidex_index_format::{CrashImage, MemStorage};
use tempfile::tempdir;

use super::*;
use crate::corpus::DocumentId;

#[test]
fn a_folder_that_is_no_index_is_a_clear_error() {
    let folder = tempdir().unwrap();
    assert_eq!(Index::open(folder.path()).unwrap_err().code(), "not-an-index");
    assert_eq!(Index::open(folder.path().join("absent")).unwrap_err().code(), "not-an-index");
    std::fs::write(folder.path().join("file"), "x").unwrap();
    assert_eq!(Index::open(folder.path().join("file")).unwrap_err().code(), "not-an-index");
    Index::create(folder.path().join("index"), IndexOptions::default()).unwrap();
    let again = Index::create(folder.path().join("index"), IndexOptions::default());
    assert_eq!(again.unwrap_err().code(), "already-an-index");
}

#[test]
fn leftovers_of_others_are_ignored_with_a_warning() {
    // C43
    let folder = tempdir().unwrap();
    let index = Index::create(folder.path(), with_vectors()).unwrap();
    add(&index, &[("a", "Text to find.")]);
    for name in [".tmpXYZ", ".atomicwriteABC", "Thumbs.db", "segment-99999999.seg.tmp"] {
        std::fs::write(folder.path().join(name), "leftover").unwrap();
    }
    std::fs::create_dir(folder.path().join("segment-00000077")).unwrap();
    let index = Index::open(folder.path()).unwrap();
    assert!(!index.warnings().is_empty());
    assert_eq!(find(&index, "text", SearchMode::Hybrid, 1).len(), 1);
    add(&index, &[("b", "More text.")]);
    assert_eq!(index.snapshot().unwrap().document_count(), 2);
    assert!(folder.path().join("Thumbs.db").exists());
    assert_sound(&index);
}

/// The documents of an index after each of three acknowledged generations.
fn contents(index: &Index) -> Vec<(String, String)> {
    let snapshot = index.snapshot().unwrap();
    let mut all: Vec<(String, String)> = snapshot
        .documents()
        .map(|header| {
            let id = header.unwrap().id;
            let text = snapshot.document(&id).unwrap().unwrap().text;
            (id.0, text)
        })
        .collect();
    all.sort();
    all
}

fn work(index: &Index, step: usize) -> Result<(), super::super::IndexError> {
    let mut writer = index.writer(Some(hashed()), WriterOptions::default())?;
    for number in 0..3 {
        writer.add(Document::inline(
            &format!("d{number}"),
            format!("Version {step} of {number}. It has two sentences."),
        ))?;
    }
    writer.add(Document::inline(&format!("only{step}"), "Added once."))?;
    if step > 0 {
        writer.remove(&DocumentId(format!("only{}", step - 1)))?;
    }
    writer.commit().map(|_| ())
}

#[test]
fn wherever_the_storage_fails_an_acknowledged_generation_opens() {
    let reference = Index::in_memory(with_vectors()).unwrap();
    let mut expected = vec![contents(&reference)];
    for step in 0..3 {
        work(&reference, step).unwrap();
        expected.push(contents(&reference));
    }
    let mut stopped = 0;
    for at in 1..500 {
        let storage = Arc::new(MemStorage::new());
        let index = Index::create_in(storage.clone(), with_vectors()).unwrap();
        storage.fail_at(storage.operations() + at, io::ErrorKind::StorageFull, true);
        let acknowledged = (0..3).take_while(|&step| work(&index, step).is_ok()).count();
        if acknowledged == 3 {
            break;
        }
        stopped += 1;
        for image in
            [CrashImage::EverythingWritten, CrashImage::OnlySynced, CrashImage::Torn(at), CrashImage::Torn(at + 1)]
        {
            let reopened = Index::open_in(Arc::new(storage.crash(image))).unwrap();
            let found = contents(&reopened);
            // What was acknowledged is there; the one after may be, whole.
            let whole = found == expected[acknowledged] || found == expected[acknowledged + 1];
            assert!(whole, "stopped at operation {at} after generation {acknowledged}");
            assert_sound(&reopened);
        }
    }
    assert!(stopped > 20, "{stopped} operations were stopped at");
}

#[test]
fn wherever_the_storage_fails_while_segments_are_merged_an_acknowledged_generation_opens() {
    let prepared = |storage: &Arc<MemStorage>| {
        let index = Index::create_in(storage.clone(), with_vectors()).unwrap();
        for number in 0..4 {
            add(&index, &[(&format!("d{number}"), &format!("Item {number} is here. It has two sentences."))]);
        }
        let mut writer = index.maintenance_writer(WriterOptions::default()).unwrap();
        writer.remove(&DocumentId::from("d1")).unwrap();
        writer.commit().unwrap();
        drop(writer);
        index
    };
    let expected = contents(&prepared(&Arc::new(MemStorage::new())));
    assert_eq!(expected.len(), 3);
    let mut stopped = 0;
    for at in 1..500 {
        let storage = Arc::new(MemStorage::new());
        let index = prepared(&storage);
        storage.fail_at(storage.operations() + at, io::ErrorKind::StorageFull, true);
        let compacted = index.maintenance_writer(WriterOptions::default()).and_then(|mut writer| writer.compact());
        if compacted.is_ok() {
            break;
        }
        stopped += 1;
        for image in [CrashImage::EverythingWritten, CrashImage::OnlySynced, CrashImage::Torn(at)] {
            let reopened = Index::open_in(Arc::new(storage.crash(image))).unwrap();
            assert_eq!(contents(&reopened), expected, "stopped at operation {at}");
            assert_sound(&reopened);
        }
    }
    assert!(stopped > 10, "{stopped} operations were stopped at");
}

#[test]
fn random_flips_in_a_larger_index_are_an_error_or_change_nothing() {
    let storage = Arc::new(MemStorage::new());
    let index = Index::create_in(storage.clone(), with_vectors()).unwrap();
    let options = WriterOptions { graph_from: 100, graph_from_total: 0, ..WriterOptions::default() };
    let mut writer = index.writer(Some(hashed()), options).unwrap();
    for number in 0..400 {
        let text = format!("Record {number} concerns region {} and weighs {} kg.", number % 17, number * 31);
        writer.add(Document::inline(&format!("d{number}"), text)).unwrap();
    }
    writer.commit().unwrap();
    drop(writer);
    let summary = index.store().current().segments[0].summary.clone();
    let (name, length) = (summary.file_name(), summary.length as usize);
    let query = |at: usize| Query { text: format!("record {at} region"), mode: SearchMode::Hybrid, k: 5 };
    let answers: Vec<Vec<Passage>> =
        [7, 399].map(|at| search(&index.snapshot().unwrap(), &query(at), Some(&*hashed())).unwrap()).into();
    let (mut state, mut refused) = (0x2545_f491_4f6c_dd1du64, 0);
    for _ in 0..120 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let (at, bit) = ((state >> 20) as usize % length, 1u8 << (state >> 60 & 7));
        storage.damage(&name, |bytes| bytes[at] ^= bit);
        let opened = Index::open_in(storage.clone()).unwrap();
        match opened.snapshot() {
            Err(_) => refused += 1,
            Ok(snapshot) => {
                for (at_query, answer) in [7, 399].into_iter().zip(&answers) {
                    match search(&snapshot, &query(at_query), Some(&*hashed())) {
                        Err(_) => refused += 1,
                        Ok(found) => assert_eq!(found, *answer, "bit {bit} of byte {at}"),
                    }
                }
            }
        }
        let report = opened.check(false).unwrap();
        let fault = report.faults.first().unwrap_or_else(|| panic!("byte {at} is not covered by a checksum"));
        assert_eq!(fault.file.as_deref(), Some(name.as_str()));
        storage.damage(&name, |bytes| bytes[at] ^= bit);
    }
    assert!(refused > 0);
    assert_sound(&Index::open_in(storage).unwrap());
}

#[test]
fn any_flipped_byte_is_an_error_or_changes_nothing() {
    let storage = Arc::new(MemStorage::new());
    let index = Index::create_in(storage.clone(), with_vectors()).unwrap();
    add(&index, &[("a", "The bridge opened in 1931. It is long."), ("b", "把机器推论洗成权威事实是危险的。")]);
    let name = index.store().current().segments[0].summary.file_name();
    let length = index.store().current().segments[0].summary.length as usize;
    let queries = ["bridge 1931", "权威事实"];
    let answers: Vec<Vec<Passage>> = queries.iter().map(|query| find(&index, query, SearchMode::Hybrid, 5)).collect();
    let expected = contents(&index);
    let mut refused = 0;
    for at in (0..length).step_by(7) {
        storage.damage(&name, |bytes| bytes[at] ^= 0x41);
        let opened = Index::open_in(storage.clone()).unwrap();
        match opened.snapshot() {
            Err(_) => refused += 1,
            Ok(snapshot) => {
                for (query, answer) in queries.iter().zip(&answers) {
                    let query = Query { text: (*query).to_owned(), mode: SearchMode::Hybrid, k: 5 };
                    match search(&snapshot, &query, Some(&*hashed())) {
                        Err(_) => refused += 1,
                        Ok(found) => assert_eq!(found, *answer, "byte {at}"),
                    }
                }
                for (id, text) in &expected {
                    if let Ok(document) = snapshot.document(&DocumentId::from(id.as_str())) {
                        assert_eq!(document.map(|document| document.text), Some(text.clone()), "byte {at}");
                    }
                }
            }
        }
        assert!(!opened.check(false).unwrap().is_sound(), "byte {at} is not covered by a checksum");
        storage.damage(&name, |bytes| bytes[at] ^= 0x41);
    }
    assert!(refused > 0);
    assert_sound(&Index::open_in(storage).unwrap());
}

#[test]
fn an_embedder_that_fails_leaves_the_generation_before() {
    struct Failing(Arc<dyn Embedder>);
    impl Embedder for Failing {
        fn identity(&self) -> &crate::embed::EmbedderIdentity {
            self.0.identity()
        }
        fn embed(&self, _texts: &[&str]) -> Result<Vec<Vec<f32>>, crate::embed::EmbedError> {
            Err(crate::embed::EmbedError::Unknown { name: "gone".into() })
        }
    }
    let index = index_of(&[("a", "Kept.")]);
    let mut writer = index.writer(Some(Arc::new(Failing(hashed()))), WriterOptions::default()).unwrap();
    writer.add(Document::inline("a", "Replaced.")).unwrap();
    assert_eq!(writer.commit().unwrap_err().code(), "embedding-failed");
    assert_eq!(writer.commit().unwrap_err().code(), "writer-failed");
    drop(writer);
    assert_eq!(contents(&index), [("a".to_owned(), "Kept.".to_owned())]);
}
