//! What a fuzzer asks of the format: any bytes in the place of a manifest or a segment, with right checksums around
//! them, give a typed error or a store that can be read.

use std::sync::Arc;

use evidex_index_format::{
    FormatError, LockHolder, MemStorage, SegmentEntry, SegmentReader, SegmentWriter, Store, Tombstones, check,
    checksum, inspect,
};

/// A name and what is asked under it.
pub type Body = (&'static str, fn(&[u8]));

/// Each body by its name.
pub const BODIES: &[Body] = &[("manifest", manifest), ("segment", segment), ("files", files)];

/// A small store with two segments, one of them with tombstones.
fn store() -> (MemStorage, SegmentEntry, String) {
    let storage = MemStorage::new();
    let store = Store::create(Arc::new(storage.clone()), 42, b"settings".to_vec()).unwrap();
    let lock = store.lock_writer(&LockHolder { process: 1, since: 0 }).unwrap();
    let mut next = store.current().next();
    for round in 0..2u8 {
        let id = store.allocate_segment(&lock);
        let mut writer = SegmentWriter::create(store.storage(), id).unwrap();
        writer.write_section("text", &[round; 300]).unwrap();
        writer.write_section("empty", &[]).unwrap();
        let summary = writer.finish().unwrap();
        let tombstones =
            (round == 0).then(|| Tombstones::write(store.storage(), id, next.generation, &[1, 2, 3]).unwrap());
        next.segments.push(SegmentEntry { summary, chunk_count: 3, document_count: 2, tombstones, extra: vec![round] });
    }
    let entry = next.segments[0].clone();
    let published = store.publish(&lock, next).unwrap();
    (storage, entry, published.file_name())
}

fn put_checksum(bytes: &mut [u8], start: usize, end: usize, at: usize) {
    let sum = checksum(&bytes[start..end]);
    bytes[at..at + 4].copy_from_slice(&sum.to_le_bytes());
}

fn read_everything(storage: &MemStorage) -> Result<(), FormatError> {
    let opened = Store::open(Arc::new(storage.clone()))?.open_segments()?;
    for reader in &opened.readers {
        for section in reader.sections() {
            let section = reader.section(&section.name)?;
            section.bytes()?;
            section.as_u32(0..section.len() / 4)?;
        }
        reader.verify_all()?;
    }
    Ok(())
}

fn judge(storage: &MemStorage) {
    if let Err(error) = read_everything(storage) {
        assert!(
            error.is_damage() || matches!(error.code(), "misaligned" | "unsupported_version" | "unknown_feature"),
            "{error}"
        );
    }
    let _ = inspect(storage);
    let _ = check(storage);
}

/// `data` as a manifest's body.
pub fn manifest(data: &[u8]) {
    let (storage, _, name) = store();
    let mut forged = Vec::new();
    storage.damage(&name, |bytes| {
        bytes.truncate(64);
        bytes.extend_from_slice(data);
        let (end, length) = (bytes.len(), data.len() as u64);
        bytes[40..48].copy_from_slice(&length.to_le_bytes());
        put_checksum(bytes, 64, end, 48);
        put_checksum(bytes, 0, 60, 60);
        forged.clone_from(bytes);
    });
    storage.damage("CURRENT", |bytes| {
        bytes[48..52].copy_from_slice(&checksum(&forged).to_le_bytes());
        put_checksum(bytes, 0, 60, 60);
    });
    judge(&storage);
}

/// `data` as a segment's directory, of the length that it had.
pub fn segment(data: &[u8]) {
    let (storage, entry, _) = store();
    storage.damage(&entry.summary.file_name(), |bytes| {
        let footer = bytes.len() - 64;
        let Ok(at) = <[u8; 8]>::try_from(&bytes[footer + 24..footer + 32]) else { return };
        let at = u64::from_le_bytes(at) as usize;
        // The first byte says where the rest goes.
        let (start, data) = data.split_first().map_or((0, data), |(first, rest)| (usize::from(*first), rest));
        for (offset, byte) in data.iter().enumerate() {
            if let Some(into) = bytes.get_mut(at + start + offset).filter(|_| at + start + offset < footer) {
                *into = *byte;
            }
        }
        put_checksum(bytes, at, footer, footer + 40);
        let end = bytes.len();
        put_checksum(bytes, footer, end - 4, end - 4);
    });
    if let Ok(reader) = SegmentReader::open(&storage, &entry.summary) {
        let _ = reader.verify_all();
    }
    judge(&storage);
}

/// `data` in the place of any file, checksums and all.
pub fn files(data: &[u8]) {
    let (storage, entry, name) = store();
    let Some((first, rest)) = data.split_first() else { return };
    let names = ["CURRENT".to_owned(), name, entry.summary.file_name()];
    let kept = [0, 8, 64][usize::from(first >> 4) % 3];
    storage.damage(&names[usize::from(*first) % 3], |bytes| {
        bytes.truncate(kept);
        bytes.extend_from_slice(rest);
    });
    judge(&storage);
}
