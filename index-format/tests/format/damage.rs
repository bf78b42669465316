//! Damages stores in every way that we know of: a typed error that names the place, or the identical answer.

use std::sync::Arc;

use evidex_index_format::{
    BLOCK_LENGTH, FormatError, Keep, MemStorage, Problem, SegmentEntry, SegmentReader, SegmentSummary, SegmentWriter,
    Storage, Store, check, checksum, inspect,
};

use crate::workload::{HOLDER, Workload, bytes, mix, read, store_in_memory};

fn shared(storage: &MemStorage) -> Arc<dyn Storage> {
    Arc::new(storage.clone())
}

/// A segment with one section, in a storage of its own.
fn one_segment(length: usize) -> (MemStorage, SegmentSummary, Vec<u8>) {
    let storage = MemStorage::new();
    let contents = bytes(9, length);
    let mut writer = SegmentWriter::create(&storage, evidex_index_format::SegmentId(3)).unwrap();
    writer.write_section("vectors", &contents).unwrap();
    (storage.clone(), writer.finish().unwrap(), contents)
}

#[test]
fn every_flipped_byte_gives_a_typed_error_or_the_identical_answer() {
    let workload = Workload(11);
    let (storage, expected) = store_in_memory(workload, 10);
    let mut flipped = 0;
    for entry in storage.list().unwrap() {
        for at in 0..entry.length as usize {
            for mask in [1_u8 << (at % 8), 0xff] {
                assert!(storage.damage(&entry.name, |bytes| bytes[at] ^= mask));
                let place = format!("byte {at} of {}", entry.name);
                match read(&shared(&storage)) {
                    Ok(model) => assert_eq!(model, expected, "{place}"),
                    Err(FormatError::Corrupt { file, offset, .. }) => {
                        assert_eq!(file, entry.name);
                        assert!(offset <= entry.length, "{place}");
                    }
                    Err(error) => panic!("{place}: {error}"),
                }
                if mask == 0xff && inspect(&storage).unwrap().unreferenced.iter().all(|name| *name != entry.name) {
                    assert!(!check(&storage).unwrap().is_sound(), "a check passed over {place}");
                }
                storage.damage(&entry.name, |bytes| bytes[at] ^= mask);
                flipped += 1;
            }
        }
    }
    println!("{flipped} flips");
    assert_eq!(read(&shared(&storage)).unwrap(), expected);
    assert!(flipped > 20_000, "{flipped}");
}

#[test]
fn every_truncation_and_extension_gives_a_typed_error_or_the_identical_answer() {
    let (storage, expected) = store_in_memory(Workload(11), 10);
    for entry in storage.list().unwrap() {
        let length = entry.length as usize;
        let original = storage.read(&entry.name).unwrap();
        for cut in [0, 1, 63, 64, 65, length / 2, length - 1, length + 1, length + 64, length + 5000] {
            storage.damage(&entry.name, |bytes| bytes.resize(cut, 0));
            match read(&shared(&storage)) {
                Ok(model) => assert_eq!(model, expected, "{} cut to {cut}", entry.name),
                Err(error) => assert!(error.is_damage(), "{} cut to {cut}: {error}", entry.name),
            }
            storage.damage(&entry.name, |bytes| *bytes = original.to_vec());
        }
    }
    assert_eq!(read(&shared(&storage)).unwrap(), expected);
}

#[test]
fn a_removed_file_gives_a_typed_error_or_the_identical_answer() {
    let workload = Workload(11);
    for name in store_in_memory(workload, 10).0.list().unwrap().into_iter().map(|entry| entry.name) {
        let (storage, expected) = store_in_memory(workload, 10);
        storage.remove(&name).unwrap();
        match read(&shared(&storage)) {
            Ok(model) => assert_eq!(model, expected, "without {name}"),
            Err(FormatError::Missing { file }) => assert_eq!(file, name),
            Err(error) => panic!("without {name}: {error}"),
        }
    }
}

#[test]
fn random_damage_in_a_larger_segment_is_found_where_it_is() {
    let (storage, summary, contents) = one_segment(3_000_000);
    for round in 0..300 {
        let at = mix(round) as usize % contents.len();
        storage.damage(&summary.file_name(), |bytes| bytes[64 + at] ^= 1 << (round % 8));
        let reader = SegmentReader::open(&storage, &summary).unwrap();
        let error = reader.section("vectors").unwrap().range(at..at + 1).unwrap_err();
        let block = at / BLOCK_LENGTH * BLOCK_LENGTH;
        let FormatError::Corrupt { file, section, offset, problem: Problem::ChecksumMismatch { .. } } = error else {
            panic!("{error}")
        };
        assert_eq!(
            (file.as_str(), section.as_deref(), offset),
            ("segment-00000003.seg", Some("vectors"), 64 + block as u64)
        );
        storage.damage(&summary.file_name(), |bytes| bytes[64 + at] ^= 1 << (round % 8));
    }
}

#[test]
fn only_the_touched_blocks_are_verified_and_the_whole_check_finds_the_rest() {
    let (storage, summary, contents) = one_segment(10 * BLOCK_LENGTH + 5);
    storage.damage(&summary.file_name(), |bytes| bytes[64 + 5 * BLOCK_LENGTH] ^= 1);
    storage.damage(&summary.file_name(), |bytes| bytes[64 + 10 * BLOCK_LENGTH + 4] ^= 1);
    let reader = SegmentReader::open(&storage, &summary).unwrap();
    let section = reader.section("vectors").unwrap();
    assert_eq!(&*section.range(0..5 * BLOCK_LENGTH).unwrap(), &contents[..5 * BLOCK_LENGTH]);
    assert_eq!(
        section.slice(6 * BLOCK_LENGTH..7 * BLOCK_LENGTH).unwrap(),
        &contents[6 * BLOCK_LENGTH..7 * BLOCK_LENGTH]
    );
    assert!(section.slice(5 * BLOCK_LENGTH - 1..5 * BLOCK_LENGTH + 1).is_err());
    assert!(section.bytes().is_err());
    let offsets: Vec<u64> = reader
        .damage()
        .filter_map(|error| match error {
            FormatError::Corrupt { offset, .. } => Some(offset),
            _ => None,
        })
        .collect();
    assert_eq!(offsets, [64 + 5 * 4096, 64 + 10 * 4096]);
    assert_eq!(reader.verify_all().unwrap_err().to_string().split_once(" (").unwrap().0, "checksum mismatch");
}

#[test]
fn swapped_segments_are_told_apart() {
    let (storage, _) = store_in_memory(Workload(11), 10);
    let names: Vec<String> = inspect(&storage).unwrap().segments.into_iter().map(|segment| segment.file).collect();
    let contents: Vec<Vec<u8>> = names.iter().map(|name| storage.read(name).unwrap().to_vec()).collect();
    assert!(names.len() >= 2);
    storage.damage(&names[0], |bytes| *bytes = contents[1].clone());
    storage.damage(&names[1], |bytes| *bytes = contents[0].clone());
    let error = read(&shared(&storage)).unwrap_err();
    assert!(matches!(&error, FormatError::Corrupt { problem: Problem::WrongIdentity { .. }, .. }), "{error}");
}

#[test]
fn a_segment_of_another_index_with_the_same_number_is_told_apart() {
    let (storage, summary, _) = one_segment(5000);
    let (_, other, _) = one_segment(5001);
    let error = SegmentReader::open(&storage, &other).unwrap_err();
    assert!(error.is_damage(), "{error}");
    let mut same_length = summary.clone();
    same_length.checksum ^= 1;
    assert!(SegmentReader::open(&storage, &same_length).unwrap_err().is_damage());
    let mut renamed = summary;
    renamed.sections[0].name = "text".to_owned();
    assert!(SegmentReader::open(&storage, &renamed).unwrap_err().is_damage());
}

/// Sets fields of a header and makes its checksum right again, as another build would have.
fn rewrite_header(bytes: &mut [u8], change: impl FnOnce(&mut [u8])) {
    change(bytes);
    let sum = checksum(&bytes[..60]);
    bytes[60..64].copy_from_slice(&sum.to_le_bytes());
}

#[test]
fn a_newer_store_is_refused_by_readers_and_writers_and_not_touched() {
    let (storage, _) = store_in_memory(Workload(11), 10);
    let store = Store::open(shared(&storage)).unwrap();
    storage.damage("CURRENT", |bytes| rewrite_header(bytes, |header| header[8] = 2));
    let before: Vec<_> =
        storage.list().unwrap().into_iter().map(|entry| storage.read(&entry.name).unwrap().to_vec()).collect();
    let error = Store::open(shared(&storage)).unwrap_err();
    assert_eq!(error.to_string(), "`CURRENT` has format version 2, this build reads 1 to 1");
    assert_eq!(error.code(), "unsupported-version");
    assert!(matches!(store.lock_writer(&HOLDER), Err(FormatError::UnsupportedVersion { .. })));
    assert!(matches!(Store::create(shared(&storage), 0, vec![]), Err(FormatError::AlreadyAnIndex { .. })));
    let after: Vec<_> =
        storage.list().unwrap().into_iter().map(|entry| storage.read(&entry.name).unwrap().to_vec()).collect();
    assert!(before == after);
}

#[test]
fn a_newer_manifest_is_never_passed_over_for_an_older_one() {
    let storage = MemStorage::new();
    let workload = Workload(12);
    workload.run(&shared(&storage), 2, |_| ()).unwrap();
    storage.damage("manifest-00000002.mft", |bytes| rewrite_header(bytes, |header| header[8] = 7));
    storage.remove("CURRENT").unwrap();
    assert!(matches!(Store::open(shared(&storage)), Err(FormatError::UnsupportedVersion { found: 7, .. })));
    assert!(matches!(Store::open_salvaged(shared(&storage)), Err(FormatError::UnsupportedVersion { found: 7, .. })));
}

#[test]
fn a_segment_of_a_newer_build_is_refused_by_its_version_and_by_its_features() {
    let (storage, summary, _) = one_segment(100);
    storage.damage(&summary.file_name(), |bytes| rewrite_header(bytes, |header| header[8] = 2));
    assert!(matches!(SegmentReader::open(&storage, &summary), Err(FormatError::UnsupportedVersion { found: 2, .. })));
    storage.damage(&summary.file_name(), |bytes| rewrite_header(bytes, |header| (header[8], header[16]) = (1, 4)));
    let error = SegmentReader::open(&storage, &summary).unwrap_err();
    assert!(matches!(&error, FormatError::UnknownFeature { feature, .. } if feature == "bit 2"), "{error}");
}

#[test]
fn counts_and_lengths_of_2_to_the_63_are_refused_without_allocating() {
    let (storage, summary, _) = one_segment(100);
    let file = summary.file_name();
    let original = storage.read(&file).unwrap().to_vec();
    let footer = original.len() - 64;
    let directory = u64::from_le_bytes(original[footer + 24..footer + 32].try_into().unwrap()) as usize;
    // The directory's count, the name's length, the section's offset and length, the table's offset.
    for field in [0, 8, 23, 31, 39] {
        for value in [1_u64 << 63, u64::MAX, u64::MAX - 63, 1 << 32] {
            storage.damage(&file, |bytes| {
                bytes.copy_from_slice(&original);
                bytes[directory + field..directory + field + 8].copy_from_slice(&value.to_le_bytes());
                let sum = checksum(&bytes[directory..footer]);
                bytes[footer + 40..footer + 44].copy_from_slice(&sum.to_le_bytes());
                let sum = checksum(&bytes[footer..footer + 60]);
                bytes[footer + 60..].copy_from_slice(&sum.to_le_bytes());
            });
            let error = SegmentReader::open(&storage, &summary).unwrap_err();
            assert!(error.is_damage(), "field {field}, value {value}: {error}");
        }
    }
    for field in [16, 24, 32] {
        storage.damage(&file, |bytes| {
            bytes.copy_from_slice(&original);
            bytes[footer + field..footer + field + 8].copy_from_slice(&(1_u64 << 63).to_le_bytes());
            let sum = checksum(&bytes[footer..footer + 60]);
            bytes[footer + 60..].copy_from_slice(&sum.to_le_bytes());
        });
        assert!(SegmentReader::open(&storage, &summary).unwrap_err().is_damage(), "footer field {field}");
    }
}

#[test]
fn a_damaged_current_is_recovered_from_and_reported() {
    let (storage, expected) = store_in_memory(Workload(11), 10);
    storage.damage("CURRENT", |bytes| bytes[40] ^= 1);
    let store = Store::open(shared(&storage)).unwrap();
    assert!(store.warnings()[0].starts_with("checksum mismatch"), "{:?}", store.warnings());
    assert_eq!(store.warnings()[1], "recovered generation 10 from `manifest-00000010.mft`");
    assert_eq!(read(&shared(&storage)).unwrap(), expected);
    // Publishing again mends it.
    let lock = store.lock_writer(&HOLDER).unwrap();
    Workload(11).advance(&store, &lock).unwrap();
    assert!(Store::open(shared(&storage)).unwrap().warnings().is_empty());
}

#[test]
fn a_damaged_manifest_is_an_error_and_an_older_generation_opens_only_on_request() {
    let storage = MemStorage::new();
    let workload = Workload(13);
    workload.run(&shared(&storage), 2, |_| ()).unwrap();
    storage.damage("manifest-00000002.mft", |bytes| bytes[70] ^= 1);
    assert!(Store::open(shared(&storage)).unwrap_err().is_damage());
    let store = Store::open_salvaged(shared(&storage)).unwrap();
    assert_eq!(store.current().generation.0, 1);
    assert!(store.warnings()[0].contains("manifest-00000002.mft"), "{:?}", store.warnings());
    let lock = store.lock_writer(&HOLDER).unwrap();
    workload.advance(&store, &lock).unwrap();
    store.collect_garbage(&lock, &Keep::default()).unwrap();
    assert_eq!(read(&shared(&storage)).unwrap(), workload.at(2));
}

#[test]
fn a_manifest_that_names_a_missing_or_other_file_is_not_published() {
    let (storage, expected) = store_in_memory(Workload(11), 10);
    let store = Store::open(shared(&storage)).unwrap();
    let lock = store.lock_writer(&HOLDER).unwrap();
    let (_, mut summary, _) = one_segment(100);
    summary.id = store.allocate_segment(&lock);
    let entry = SegmentEntry { summary, chunk_count: 1, document_count: 1, tombstones: None, extra: vec![] };
    let mut manifest = store.current().next();
    manifest.segments.push(entry);
    assert!(matches!(store.publish(&lock, manifest.clone()), Err(FormatError::Missing { .. })));
    manifest.segments.push(manifest.segments[0].clone());
    assert!(matches!(store.publish(&lock, manifest), Err(FormatError::InvalidManifest { .. })));
    assert_eq!(read(&shared(&storage)).unwrap(), expected);
}
