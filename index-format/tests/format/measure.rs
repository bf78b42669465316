//! Figures, not judgements: `cargo test --release -p evidex-index-format --test format -- --ignored --nocapture measure`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use evidex_index_format::{FsStorage, SegmentEntry, SegmentWriter, Storage, Store};

use crate::workload::{HOLDER, mix};

/// A clock that stands still while other processes have the core, where the system has one (Linux).
struct Clock(Duration);

impl Clock {
    fn start() -> Self {
        Self(Self::now())
    }

    fn elapsed(&self) -> Duration {
        Self::now().saturating_sub(self.0)
    }

    fn now() -> Duration {
        let used = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
        let used = used.and_then(|text| text.split(' ').next()?.parse().ok());
        used.map_or_else(|| ORIGIN.with(Instant::elapsed), Duration::from_nanos)
    }
}

thread_local! {
    static ORIGIN: Instant = Instant::now();
}

#[test]
#[ignore = "prints figures; run it in release"]
fn measure_writing_opening_and_reading() {
    const DIMENSIONS: usize = 384;
    const VECTORS: usize = 300_000;
    let place = tempfile::tempdir().unwrap();
    let storage: Arc<dyn Storage> = Arc::new(FsStorage::create(place.path()).unwrap());
    let store = Store::create(Arc::clone(&storage), 0, vec![]).unwrap();
    let lock = store.lock_writer(&HOLDER).unwrap();
    let megabytes = (DIMENSIONS * VECTORS * 4) as f64 / 1e6;

    let start = Instant::now();
    let mut writer = SegmentWriter::create(&*storage, store.allocate_segment(&lock)).unwrap();
    writer.begin_section("vectors").unwrap();
    let vector: Vec<f32> = (0..DIMENSIONS).map(|index| index as f32).collect();
    (0..VECTORS).try_for_each(|_| writer.write_f32s(&vector)).unwrap();
    let summary = writer.finish().unwrap();
    let chunk_count = VECTORS as u64;
    let mut manifest = store.current().next();
    manifest.segments.push(SegmentEntry { summary, chunk_count, document_count: 1, tombstones: None, extra: vec![] });
    store.publish(&lock, manifest).unwrap();
    println!("write and publish: {:.0} MB/s (wall, with syncs)", megabytes / start.elapsed().as_secs_f64());

    let start = Instant::now();
    let reader = Store::open(Arc::clone(&storage)).unwrap().open_segments().unwrap().readers.remove(0);
    let section = reader.section("vectors").unwrap();
    println!("open {megabytes:.0} MB and its block table: {:.3} ms (wall)", start.elapsed().as_secs_f64() * 1e3);

    let sum = |ordinal: usize| {
        let vector = section.as_f32(ordinal * DIMENSIONS..(ordinal + 1) * DIMENSIONS).unwrap();
        vector[0] + vector[DIMENSIONS - 1]
    };
    let start = Clock::start();
    let found: f32 = (0..10_000).map(|index| sum(mix(index) as usize % VECTORS)).sum();
    println!("10,000 random vectors, first touch: {:.0} ns each", start.elapsed().as_nanos() as f64 / 1e4);
    let start = Clock::start();
    section.as_f32(0..VECTORS * DIMENSIONS).unwrap();
    println!("verify all the rest: {:.0} MB/s", megabytes / start.elapsed().as_secs_f64());
    let again: f32 = (0..10_000).map(|index| sum(mix(index) as usize % VECTORS)).sum();
    assert!(found == again && found == 10_000.0 * 383.0);
    let start = Clock::start();
    let total: f32 = (0..1_000_000).map(|index| sum(index % 1000)).sum();
    println!("verified access: {:.1} ns each ({total})", start.elapsed().as_nanos() as f64 / 1e6);

    let start = Clock::start();
    assert!(evidex_index_format::check(&*storage).unwrap().is_sound());
    println!("check: {:.0} MB/s", megabytes / start.elapsed().as_secs_f64());
}
