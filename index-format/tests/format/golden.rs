//! The golden store of format version 1: every later build must read it, and this build must write it byte for byte.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use evidex_index_format::{FORMAT_VERSION, FsStorage, Storage, Store, check};

use crate::workload::{Workload, read, store_in_memory};

const WORKLOAD: Workload = Workload(1);
const GENERATION: u64 = 10;

fn fixture(version: u32) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/v{version}"))
}

#[test]
fn the_golden_store_of_version_1_opens_and_holds_what_it_held() {
    let storage: Arc<dyn Storage> = Arc::new(FsStorage::open(fixture(1)).unwrap());
    assert_eq!(read(&storage).unwrap(), WORKLOAD.at(GENERATION));
    assert!(check(&*storage).unwrap().is_sound());
    let store = Store::open(storage).unwrap();
    assert_eq!(store.warnings(), [""; 0]);
    assert_eq!(store.current().format_version, 1);
    assert_eq!(store.current().created, 42);
}

#[test]
fn this_build_writes_the_golden_store_of_its_version_byte_for_byte() {
    let (storage, _) = store_in_memory(WORKLOAD, GENERATION);
    let files = storage.list().unwrap();
    assert!(files.iter().any(|entry| entry.name.ends_with(".del")), "the fixture has a tombstone file");
    for entry in files {
        let golden = fs::read(fixture(FORMAT_VERSION).join(&entry.name)).unwrap();
        assert!(*storage.read(&entry.name).unwrap() == golden[..], "{} differs", entry.name);
    }
}

/// `cargo test -p evidex-index-format --test format -- --ignored write_the_golden_store`
#[test]
#[ignore = "writes the fixture; run it by hand, once for each new format version"]
fn write_the_golden_store() {
    let folder = fixture(FORMAT_VERSION);
    fs::create_dir_all(&folder).unwrap();
    let (storage, _) = store_in_memory(WORKLOAD, GENERATION);
    for entry in storage.list().unwrap() {
        let path = folder.join(&entry.name);
        assert!(!path.exists(), "a golden file is never written again");
        fs::write(path, &*storage.read(&entry.name).unwrap()).unwrap();
    }
}
