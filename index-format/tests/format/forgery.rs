//! Damage under right checksums, so that decoders see what no writer makes: seeded, and as long as one likes
//! (`EVIDEX_FUZZ_ROUNDS`).

use std::sync::Arc;

use evidex_index_format::{FormatError, MemStorage, SegmentReader, Storage, Store, check, checksum, inspect};

use crate::workload::{Workload, mix, store_in_memory};

/// A repeatable source of choices.
struct Choices(u64);

impl Choices {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = mix(self.0);
        (self.0 % bound.max(1) as u64) as usize
    }

    /// Changes one to three places in `range`: a byte, or eight bytes to a number that decoders find hard.
    fn change(&mut self, bytes: &mut [u8], start: usize, end: usize) {
        for _ in 0..=self.below(3) {
            let at = start + self.below(end - start);
            let hard = [0, 1, 63, 64, 1 << 31, 1 << 32, 1 << 63, u64::MAX, u64::MAX - 63, bytes.len() as u64];
            if self.below(2) == 0 || at + 8 > end {
                bytes[at] = self.below(256) as u8;
            } else {
                let number = hard[self.below(hard.len())];
                bytes[at..at + 8].copy_from_slice(&number.to_le_bytes());
            }
        }
    }
}

fn put_checksum(bytes: &mut [u8], start: usize, end: usize, at: usize) {
    let sum = checksum(&bytes[start..end]);
    bytes[at..at + 4].copy_from_slice(&sum.to_le_bytes());
}

/// Changes a manifest's body, and makes its checksums and those in `CURRENT` right.
fn forge_manifest(storage: &MemStorage, name: &str, choices: &mut Choices) {
    let mut forged = Vec::new();
    storage.damage(name, |bytes| {
        let end = bytes.len();
        choices.change(bytes, 64, end);
        let length = (end - 64) as u64;
        bytes[40..48].copy_from_slice(&length.to_le_bytes());
        put_checksum(bytes, 64, end, 48);
        put_checksum(bytes, 0, 60, 60);
        forged.clone_from(bytes);
    });
    storage.damage("CURRENT", |bytes| {
        bytes[48..52].copy_from_slice(&checksum(&forged).to_le_bytes());
        put_checksum(bytes, 0, 60, 60);
    });
}

/// Changes a segment's directory or footer, and makes its checksums right.
fn forge_segment(storage: &MemStorage, name: &str, choices: &mut Choices) {
    storage.damage(name, |bytes| {
        let footer = bytes.len() - 64;
        let at = bytes[footer + 24..footer + 32].try_into().map(u64::from_le_bytes).unwrap() as usize;
        if choices.below(4) > 0 {
            choices.change(bytes, at, footer);
            put_checksum(bytes, at, footer, footer + 40);
        } else {
            choices.change(bytes, footer + 8, footer + 60);
        }
        let end = bytes.len();
        put_checksum(bytes, footer, end - 4, end - 4);
    });
}

/// Reads all that can be read.
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

#[test]
fn damage_under_right_checksums_gives_a_typed_error_or_a_readable_store() {
    let rounds = std::env::var("EVIDEX_FUZZ_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(3000);
    let (mut read, mut refused) = (0, 0);
    let (original, _) = store_in_memory(Workload(71), 12);
    let manifest = Store::open(Arc::new(original.clone())).unwrap().current();
    for round in 0..rounds {
        let storage = original.crash(evidex_index_format::CrashImage::OnlySynced);
        let mut choices = Choices(round);
        if choices.below(2) == 0 {
            forge_manifest(&storage, &manifest.file_name(), &mut choices);
        } else {
            let entry = &manifest.segments[choices.below(manifest.segments.len())];
            forge_segment(&storage, &entry.summary.file_name(), &mut choices);
            // As it would be found by someone who trusts the segment alone.
            if let Ok(reader) = SegmentReader::open(&storage, &entry.summary) {
                let _ = reader.verify_all();
            }
        }
        match read_everything(&storage) {
            Ok(()) => read += 1,
            Err(error) => {
                assert!(error.is_damage() || error.code() == "misaligned", "round {round}: {error}");
                refused += 1;
            }
        }
        let _ = inspect(&storage);
        let _ = check(&storage);
    }
    println!("{read} read, {refused} refused");
    assert!(refused > rounds / 4 && read > 0, "{read} read, {refused} refused");
}

#[test]
fn any_bytes_in_the_place_of_any_file_give_a_typed_error_or_the_identical_answer() {
    let (original, expected) = store_in_memory(Workload(71), 12);
    for round in 0..600 {
        let storage = original.crash(evidex_index_format::CrashImage::OnlySynced);
        let mut choices = Choices(round);
        let files = storage.list().unwrap();
        let name = &files[choices.below(files.len())].name;
        storage.damage(name, |bytes| {
            // Often with the right first bytes, so that more than the magic is looked at.
            let kept = [0, 8, 64][choices.below(3)];
            let length = [0, 7, 63, 64, 65, 200, 5000][choices.below(7)];
            bytes.truncate(kept);
            while bytes.len() < length {
                bytes.push(choices.below(256) as u8);
            }
        });
        let shared: Arc<dyn Storage> = Arc::new(storage);
        match crate::workload::read(&shared) {
            Ok(model) => assert_eq!(model, expected, "{name}"),
            Err(error) => assert!(error.is_damage(), "{name}: {error}"),
        }
    }
}
