//! The store in use: snapshots, locks, garbage, copies.

use std::sync::Arc;

use evidex_index_format::{
    CrashImage, FormatError, Generation, Keep, MemStorage, SegmentId, SegmentWriter, Storage, Store, check, inspect,
};

use crate::workload::{HOLDER, Workload, contents, read, store_in_memory};

fn shared(storage: &MemStorage) -> Arc<dyn Storage> {
    Arc::new(storage.clone())
}

#[test]
fn what_is_open_may_be_shared_by_threads() {
    fn shared_by_threads<T: Send + Sync + 'static>() {}
    shared_by_threads::<Store>();
    shared_by_threads::<evidex_index_format::OpenSegments>();
    shared_by_threads::<evidex_index_format::Section>();
    shared_by_threads::<evidex_index_format::Bytes>();
    shared_by_threads::<evidex_index_format::WriterLock>();
    shared_by_threads::<FormatError>();
}

#[test]
fn numbers_are_read_in_place_as_they_were_written() {
    let storage = MemStorage::new();
    let mut writer = SegmentWriter::create(&storage, SegmentId(0)).unwrap();
    let floats: Vec<f32> = (0..2000).map(|index| index as f32 / 7.0 - 100.0).collect();
    writer.write_section("odd", &[1, 2, 3]).unwrap();
    writer.begin_section("floats").unwrap();
    floats.chunks(77).try_for_each(|part| writer.write_f32s(part)).unwrap();
    writer.begin_section("wide").unwrap();
    writer.write_u64s(&[u64::MAX, 7]).unwrap();
    writer.begin_section("narrow").unwrap();
    writer.write_i8s(&[-128, 0, 127]).unwrap();
    writer.begin_section("ordinals").unwrap();
    writer.write_u32s(&[1, u32::MAX]).unwrap();
    let summary = writer.finish().unwrap();
    let reader = evidex_index_format::SegmentReader::open(&storage, &summary).unwrap();
    assert_eq!(reader.section("floats").unwrap().as_f32(0..2000).unwrap(), floats);
    assert_eq!(reader.section("floats").unwrap().as_f32(1999..2000).unwrap(), &floats[1999..]);
    assert_eq!(reader.section("wide").unwrap().as_u64(1..2).unwrap(), [7]);
    assert_eq!(reader.section("narrow").unwrap().as_i8(0..3).unwrap(), [-128, 0, 127]);
    assert_eq!(reader.section("ordinals").unwrap().as_u32(0..2).unwrap(), [1, u32::MAX]);
    assert_eq!(reader.section("floats").unwrap().as_f32(0..1).unwrap().as_ptr() as usize % 64, 0);
    let error = reader.section("floats").unwrap().as_f32(1999..2001).unwrap_err();
    assert_eq!(error.code(), "out-of-range");
    assert_eq!(reader.section("floats").unwrap().as_f32(0..usize::MAX).unwrap_err().code(), "out-of-range");
    assert_eq!(reader.section("missing").unwrap_err().code(), "no-such-section");
}

#[test]
fn a_section_name_is_used_once_and_can_be_shown() {
    let storage = MemStorage::new();
    let mut writer = SegmentWriter::create(&storage, SegmentId(0)).unwrap();
    assert!(writer.write_bytes(b"no section is open").is_err());
    writer.begin_section("0f3a.term").unwrap();
    assert_eq!(writer.begin_section("0f3a.term").unwrap_err().code(), "invalid-name");
    assert_eq!(writer.begin_section("two\nlines").unwrap_err().code(), "invalid-name");
    assert_eq!(writer.begin_section("").unwrap_err().code(), "invalid-name");
}

#[test]
fn a_segment_is_never_written_over_another() {
    let storage = MemStorage::new();
    SegmentWriter::create(&storage, SegmentId(0)).unwrap().finish().unwrap();
    assert!(SegmentWriter::create(&storage, SegmentId(0)).is_err());
}

#[test]
fn a_snapshot_stays_readable_while_later_generations_are_published_and_collected() {
    let workload = Workload(21);
    let (storage, _) = store_in_memory(workload, 9);
    let store = Store::open(shared(&storage)).unwrap();
    let old = store.open_segments().unwrap();
    workload.run(&shared(&storage), 40, |_| ()).unwrap();
    for (entry, reader) in old.manifest.segments.iter().zip(&old.readers) {
        let seed = u64::from_le_bytes(entry.extra.as_slice().try_into().unwrap());
        for (name, expected) in contents(seed) {
            assert!(*reader.section(&name).unwrap().bytes().unwrap() == expected[..]);
        }
    }
    assert_eq!(store.current().generation, Generation(9));
    assert!(store.refresh().unwrap());
    assert!(!store.refresh().unwrap());
    assert_eq!(store.current().generation, Generation(40));
    assert_eq!(read(&shared(&storage)).unwrap(), workload.at(40));
}

#[test]
fn a_reader_that_comes_too_late_for_its_files_follows_the_writer() {
    let workload = Workload(21);
    let (storage, _) = store_in_memory(workload, 9);
    let late = Store::open(shared(&storage)).unwrap();
    workload.run(&shared(&storage), 40, |_| ()).unwrap();
    assert_eq!(late.current().generation, Generation(9));
    let opened = late.open_segments().unwrap();
    assert_eq!(opened.manifest.generation, Generation(40));
}

#[test]
fn reopening_takes_over_unchanged_segments() {
    let workload = Workload(21);
    let (storage, _) = store_in_memory(workload, 9);
    let store = Store::open(shared(&storage)).unwrap();
    let first = store.open_segments().unwrap();
    // Opening the same segments again would fail now.
    for segment in &first.manifest.segments {
        storage.damage(&segment.summary.file_name(), |bytes| bytes.truncate(10));
    }
    assert!(store.open_segments().is_err());
    let second = store.open_segments_after(Some(&first)).unwrap();
    assert_eq!(second.readers.len(), first.readers.len());
}

#[test]
fn a_second_writer_is_told_who_writes_and_readers_are_not_disturbed() {
    let (storage, expected) = store_in_memory(Workload(22), 5);
    let store = Store::open(shared(&storage)).unwrap();
    let lock = store.lock_writer(&HOLDER).unwrap();
    let error = Store::open(shared(&storage)).unwrap().lock_writer(&HOLDER).unwrap_err();
    assert!(error.to_string().contains("locked by process 1"), "{error}");
    assert_eq!(read(&shared(&storage)).unwrap(), expected);
    drop(lock);
    assert!(store.lock_writer(&HOLDER).is_ok());
}

#[test]
fn a_writer_that_waited_for_the_lock_starts_from_what_was_published_meanwhile() {
    let workload = Workload(23);
    let (storage, _) = store_in_memory(workload, 5);
    let store = Store::open(shared(&storage)).unwrap();
    let stale = store.current().next();
    workload.run(&shared(&storage), 6, |_| ()).unwrap();
    let lock = store.lock_writer(&HOLDER).unwrap();
    assert_eq!(store.current().generation, Generation(6));
    assert_eq!(store.publish(&lock, stale).unwrap_err().code(), "generation-conflict");
    workload.advance(&store, &lock).unwrap();
    assert_eq!(read(&shared(&storage)).unwrap(), workload.at(7));
}

#[test]
fn a_lock_of_another_store_does_not_let_publish() {
    let (one, _) = store_in_memory(Workload(24), 1);
    let (two, _) = store_in_memory(Workload(24), 1);
    let (one, two) = (Store::open(shared(&one)).unwrap(), Store::open(shared(&two)).unwrap());
    let lock = two.lock_writer(&HOLDER).unwrap();
    assert_eq!(one.publish(&lock, one.current().next()).unwrap_err().code(), "foreign-lock");
    assert_eq!(one.collect_garbage(&lock, &Keep::default()).unwrap_err().code(), "foreign-lock");
}

#[test]
fn garbage_is_collected_and_nothing_that_is_kept_or_foreign() {
    let workload = Workload(25);
    let storage = MemStorage::new();
    workload.run(&shared(&storage), 2, |_| ()).unwrap();
    let store = Store::open(shared(&storage)).unwrap();
    let lock = store.lock_writer(&HOLDER).unwrap();
    for name in ["Thumbs.db", "work-embeddings.log", "segment-7.seg"] {
        storage.create(name).unwrap();
    }
    let unfinished = store.allocate_segment(&lock);
    let _writer = SegmentWriter::create(&storage, unfinished).unwrap();
    let kept = store.manifest(Generation(1)).unwrap();
    let keep = Keep { generations: vec![Generation(1), Generation(999)], segments: vec![unfinished] };
    let collected = store.collect_garbage(&lock, &keep).unwrap();
    assert_eq!(collected.removed, ["manifest-00000000.mft"]);
    assert_eq!(store.manifest(Generation(1)).unwrap(), kept);
    for name in ["Thumbs.db", "work-embeddings.log", "segment-7.seg"] {
        assert!(storage.exists(name).unwrap(), "{name}");
    }
    let collected = store.collect_garbage(&lock, &Keep::default()).unwrap();
    assert!(collected.removed.contains(&format!("segment-{unfinished:0>8}.seg")), "{collected:?}");
    assert_eq!(store.generations().unwrap(), [Generation(2)]);
    assert_eq!(read(&shared(&storage)).unwrap(), workload.at(2));
}

#[test]
fn numbers_of_segments_are_not_used_twice() {
    let workload = Workload(26);
    let storage = MemStorage::new();
    let mut seen = std::collections::BTreeMap::new();
    for last in 1..30 {
        workload.run(&shared(&storage), last, |_| ()).unwrap();
        for entry in &Store::open(shared(&storage)).unwrap().current().segments {
            let known = seen.entry(entry.summary.id).or_insert_with(|| entry.extra.clone());
            assert_eq!(*known, entry.extra);
        }
    }
    assert!(seen.len() > 5);
}

#[test]
fn a_copy_is_an_index_of_its_own_with_the_same_contents() {
    let workload = Workload(27);
    let (storage, expected) = store_in_memory(workload, 17);
    let store = Store::open(shared(&storage)).unwrap();
    let target = MemStorage::new();
    store.copy_to(&shared(&target), &HOLDER).unwrap();
    assert_eq!(read(&shared(&target)).unwrap(), expected);
    assert!(check(&target).unwrap().is_sound());
    assert_eq!(read(&shared(&target.crash(CrashImage::OnlySynced))).unwrap(), expected);
    workload.run(&shared(&target), 20, |_| ()).unwrap();
    assert_eq!(read(&shared(&target)).unwrap(), workload.at(20));
    assert_eq!(read(&shared(&storage)).unwrap(), expected);
    assert_eq!(store.copy_to(&shared(&target), &HOLDER).unwrap_err().code(), "already-an-index");
}

#[test]
fn an_interrupted_copy_is_no_index() {
    let (storage, expected) = store_in_memory(Workload(27), 17);
    let store = Store::open(shared(&storage)).unwrap();
    let mut at = 0;
    loop {
        let target = MemStorage::new();
        target.fail_at(at, std::io::ErrorKind::StorageFull, true);
        if store.copy_to(&shared(&target), &HOLDER).is_ok() {
            break;
        }
        for image in [CrashImage::OnlySynced, CrashImage::EverythingWritten, CrashImage::Torn(at)] {
            match read(&shared(&target.crash(image))) {
                Ok(model) => assert_eq!(model, expected),
                Err(error) => assert!(
                    matches!(
                        error,
                        FormatError::NotAnIndex { .. } | FormatError::Corrupt { .. } | FormatError::Missing { .. }
                    ),
                    "{error}"
                ),
            }
        }
        at += 1;
    }
    assert!(at > 10);
}

#[test]
fn inspection_shows_the_structure() {
    let (storage, expected) = store_in_memory(Workload(28), 12);
    let inspection = inspect(&storage).unwrap();
    assert_eq!(inspection.generation, Some(Generation(12)));
    assert_eq!(inspection.segments.len(), expected.segments.len());
    assert!(inspection.segments.iter().all(|segment| segment.error.is_none() && segment.sections.len() == 3));
    assert!(
        inspection
            .segments
            .iter()
            .flat_map(|segment| &segment.sections)
            .all(|section| section.offset.unwrap() % 64 == 0)
    );
    assert_eq!(inspection.warnings, [""; 0]);
    assert_eq!(inspect(&MemStorage::new()).unwrap_err().code(), "not-an-index");
    assert_eq!(check(&MemStorage::new()).unwrap_err().code(), "not-an-index");
}

#[test]
fn a_store_is_not_created_over_what_may_be_left_of_another() {
    let (storage, _) = store_in_memory(Workload(28), 12);
    assert_eq!(Store::create(shared(&storage), 0, vec![]).unwrap_err().code(), "already-an-index");
    storage.remove("CURRENT").unwrap();
    for manifest in storage.list().unwrap().iter().filter(|entry| entry.name.starts_with("manifest-")) {
        storage.remove(&manifest.name).unwrap();
    }
    assert_eq!(Store::create(shared(&storage), 0, vec![]).unwrap_err().code(), "already-an-index");
}
