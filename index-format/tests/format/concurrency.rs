//! Readers and a writer at the same time, in a folder, and a full disk.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use evidex_index_format::{FormatError, FsStorage, Storage, Store, check};

use crate::workload::{HOLDER, Workload, read};

#[test]
fn readers_always_see_a_whole_generation_while_a_writer_publishes_and_collects() {
    let place = tempfile::tempdir().unwrap();
    let storage: Arc<dyn Storage> = Arc::new(FsStorage::create(place.path()).unwrap());
    let workload = Workload(51);
    workload.run(&storage, 1, |_| ()).unwrap();
    let done = AtomicBool::new(false);
    let reads: u64 = std::thread::scope(|scope| {
        let readers: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    let (mut reads, mut newest) = (0, 0);
                    while !done.load(Ordering::Relaxed) {
                        let own: Arc<dyn Storage> = Arc::new(FsStorage::open(place.path()).unwrap());
                        let model = read(&own).unwrap();
                        assert!(model.generation >= newest, "time went backwards");
                        newest = model.generation;
                        assert_eq!(model, workload.at(newest));
                        reads += 1;
                    }
                    reads
                })
            })
            .collect();
        workload.run(&storage, 150, |_| ()).unwrap();
        done.store(true, Ordering::Relaxed);
        readers.into_iter().map(|reader| reader.join().unwrap()).sum()
    });
    assert!(reads > 10, "{reads}");
    assert_eq!(read(&storage).unwrap(), workload.at(150));
}

#[test]
fn of_many_writers_one_at_a_time_publishes_and_none_loses_an_update() {
    let place = tempfile::tempdir().unwrap();
    let workload = Workload(52);
    workload.run(&(Arc::new(FsStorage::create(place.path()).unwrap()) as Arc<dyn Storage>), 0, |_| ()).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let store = Store::open(Arc::new(FsStorage::open(place.path()).unwrap())).unwrap();
                let mut published = 0;
                while published < 20 {
                    match store.lock_writer(&HOLDER) {
                        Ok(lock) => {
                            workload.advance(&store, &lock).unwrap();
                            published += 1;
                        }
                        Err(FormatError::Locked { .. }) => std::thread::yield_now(),
                        Err(error) => panic!("{error}"),
                    }
                }
            });
        }
    });
    let storage: Arc<dyn Storage> = Arc::new(FsStorage::open(place.path()).unwrap());
    assert_eq!(read(&storage).unwrap(), workload.at(60));
}

/// Needs a small file system, for example
/// `mount -t tmpfs -o size=256k tmpfs DIR` and `EVIDEX_SMALL_FOLDER=DIR cargo test … -- --ignored full_disk`.
#[test]
#[ignore = "needs a folder on a small file system, named by EVIDEX_SMALL_FOLDER"]
fn a_full_disk_is_reported_and_costs_nothing_that_was_acknowledged() {
    let folder = std::env::var("EVIDEX_SMALL_FOLDER").expect("EVIDEX_SMALL_FOLDER names a folder");
    let mut full = 0;
    for seed in 0..20 {
        let place = tempfile::tempdir_in(&folder).unwrap();
        let ballast = std::fs::File::create(place.path().join("work-ballast")).unwrap();
        let storage: Arc<dyn Storage> = Arc::new(FsStorage::create(place.path()).unwrap());
        let (workload, mut acknowledged) = (Workload(60 + seed), 0);
        workload.run(&storage, 3, |generation| acknowledged = generation).unwrap();
        // What is left of the disk is taken up, so that each seed runs out of space elsewhere.
        let mut taken = 0_u64;
        while taken < 400_000 && std::io::Write::write_all(&mut &ballast, &[1; 1024]).is_ok() {
            taken += 1024;
        }
        ballast.set_len(taken.saturating_sub(seed * 3000)).unwrap();
        match workload.run(&storage, 60, |generation| acknowledged = generation) {
            Ok(()) => {}
            Err(error) => {
                assert_eq!(error.code(), "no-space", "{error}");
                full += 1;
            }
        }
        let reopened: Arc<dyn Storage> = Arc::new(FsStorage::open(place.path()).unwrap());
        let model = read(&reopened).unwrap();
        assert_eq!(model, workload.at(acknowledged));
        assert!(check(&*reopened).unwrap().is_sound());
        ballast.set_len(0).unwrap();
        workload.run(&reopened, acknowledged + 2, |_| ()).unwrap();
        assert_eq!(read(&reopened).unwrap(), workload.at(acknowledged + 2));
    }
    println!("{full} of 20 runs filled the disk");
    assert!(full > 10, "{full}");
}
