//! A workload whose every generation can be computed without a store, so that any state found can be judged.

use std::sync::Arc;

use evidex_index_format::{
    FormatError, Keep, LockHolder, Manifest, Result, SegmentEntry, SegmentWriter, Storage, Store, Tombstones,
    WriterLock,
};

/// What a generation holds, apart from the numbers of its segments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    pub generation: u64,
    pub settings: Vec<u8>,
    pub segments: Vec<SegmentModel>,
}

/// A segment: its contents follow from its seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SegmentModel {
    pub seed: u64,
    pub tombstones: Option<Vec<u8>>,
}

pub const HOLDER: LockHolder = LockHolder { process: 1, since: 0 };

/// A seeded sequence of adds, removals, merges, tombstones and changes of settings.
#[derive(Debug, Clone, Copy)]
pub struct Workload(pub u64);

impl Workload {
    pub fn at(self, generation: u64) -> Model {
        let mut model = Model { generation: 0, settings: b"settings 0".to_vec(), segments: Vec::new() };
        while model.generation < generation {
            self.step(&mut model);
        }
        model
    }

    fn step(self, model: &mut Model) {
        model.generation += 1;
        let random = mix(self.0 ^ mix(model.generation));
        let count = model.segments.len();
        let new = SegmentModel { seed: random, tombstones: None };
        match random % 8 {
            _ if count > 5 => model.segments.truncate(2),
            3 | 4 if count > 0 => {
                let length = if random % 8 == 3 { random % 100 } else { 1100 + random % 3000 };
                model.segments[(random >> 8) as usize % count].tombstones = Some(bytes(random, length as usize));
            }
            5 if count > 1 => {
                model.segments.drain(..2);
                model.segments.insert(0, new);
            }
            6 if count > 0 => drop(model.segments.remove((random >> 8) as usize % count)),
            7 => model.settings = format!("settings {random}").into_bytes(),
            _ => model.segments.push(new),
        }
    }

    /// Creates the index if there is none, and publishes generation after generation until `last`.
    /// `acknowledged` is called with each.
    pub fn run(self, storage: &Arc<dyn Storage>, last: u64, mut acknowledged: impl FnMut(u64)) -> Result<()> {
        let store = match Store::open(Arc::clone(storage)) {
            Ok(store) => store,
            Err(FormatError::NotAnIndex { .. } | FormatError::Corrupt { .. }) => {
                Store::create(Arc::clone(storage), 42, self.at(0).settings)?
            }
            Err(error) => return Err(error),
        };
        acknowledged(store.current().generation.0);
        let lock = store.lock_writer(&HOLDER)?;
        while store.current().generation.0 < last {
            self.advance(&store, &lock)?;
            acknowledged(store.current().generation.0);
            if store.current().generation.0 % 3 == 0 {
                store.collect_garbage(&lock, &Keep::default())?;
            }
        }
        Ok(())
    }

    /// Publishes the generation that follows.
    pub fn advance(self, store: &Store, lock: &WriterLock) -> Result<()> {
        let current = store.current();
        let model = self.at(current.generation.0 + 1);
        let segments = model.segments.iter().map(|segment| self.entry(segment, &current, store, lock));
        let segments = segments.collect::<Result<Vec<_>>>()?;
        store.publish(lock, Manifest { settings: model.settings, segments, ..current.next() })?;
        Ok(())
    }

    fn entry(self, model: &SegmentModel, current: &Manifest, store: &Store, lock: &WriterLock) -> Result<SegmentEntry> {
        let extra = model.seed.to_le_bytes().to_vec();
        let mut entry = match current.segments.iter().find(|entry| entry.extra == extra) {
            Some(known) => known.clone(),
            None => {
                let mut writer = SegmentWriter::create(store.storage(), store.allocate_segment(lock))?;
                for (name, bytes) in contents(model.seed) {
                    writer.begin_section(&name)?;
                    bytes.chunks(3000).try_for_each(|part| writer.write_bytes(part))?;
                }
                let (summary, chunk_count) = (writer.finish()?, model.seed % 1000);
                SegmentEntry { summary, chunk_count, document_count: chunk_count / 2, tombstones: None, extra }
            }
        };
        let (id, generation) = (entry.summary.id, current.generation.next());
        let known = entry.tombstones.as_ref().map(|known| known.read(store.storage(), id)).transpose()?;
        if known.as_deref() != model.tombstones.as_deref() {
            let write = |bytes: &Vec<u8>| Tombstones::write(store.storage(), id, generation, bytes);
            entry.tombstones = model.tombstones.as_ref().map(write).transpose()?;
        }
        Ok(entry)
    }
}

/// The sections of the segment with that seed.
pub fn contents(seed: u64) -> Vec<(String, Vec<u8>)> {
    let random = mix(seed);
    vec![
        ("text".to_owned(), bytes(random, (random % 9000) as usize)),
        ("empty".to_owned(), Vec::new()),
        (format!("{random:x}.idx"), bytes(random ^ 1, 64 + (random >> 20) as usize % 200)),
    ]
}

/// Reads everything that the index holds, verifying it, as a model.
pub fn read(storage: &Arc<dyn Storage>) -> Result<Model> {
    let opened = Store::open(Arc::clone(storage))?.open_segments()?;
    let mut segments = Vec::new();
    for ((entry, reader), dead) in opened.manifest.segments.iter().zip(&opened.readers).zip(&opened.tombstones) {
        let seed = u64::from_le_bytes(entry.extra.as_slice().try_into().unwrap());
        for (name, expected) in contents(seed) {
            assert!(*reader.section(&name)?.bytes()? == expected[..], "section {name} of another segment was read");
        }
        assert_eq!(entry.chunk_count, seed % 1000);
        segments.push(SegmentModel { seed, tombstones: dead.as_ref().map(|dead| dead.to_vec()) });
    }
    Ok(Model { generation: opened.manifest.generation.0, settings: opened.manifest.settings.clone(), segments })
}

/// A storage in memory with the workload's generation `last` in it, and what it holds.
pub fn store_in_memory(workload: Workload, last: u64) -> (evidex_index_format::MemStorage, Model) {
    let storage = evidex_index_format::MemStorage::new();
    let shared: Arc<dyn Storage> = Arc::new(storage.clone());
    workload.run(&shared, last, |_| ()).unwrap();
    (storage, workload.at(last))
}

pub fn bytes(seed: u64, length: usize) -> Vec<u8> {
    (0..length as u64).map(|index| mix(seed ^ (index / 8)).to_le_bytes()[index as usize % 8]).collect()
}

/// SplitMix64.
pub fn mix(seed: u64) -> u64 {
    let mut mixed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
