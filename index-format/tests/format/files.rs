//! The store in a folder: leftovers, locks, links, read-only places.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use evidex_index_format::{FormatError, FsStorage, LockHolder, Storage, Store, check};

use crate::workload::{HOLDER, Workload, read};

fn open(folder: &Path) -> Arc<dyn Storage> {
    Arc::new(FsStorage::open(folder).unwrap())
}

fn index(folder: &Path, workload: Workload, last: u64) {
    let storage: Arc<dyn Storage> = Arc::new(FsStorage::create(folder).unwrap());
    workload.run(&storage, last, |_| ()).unwrap();
}

#[test]
fn what_was_published_in_a_folder_is_read_back_by_another_handle() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("new/nested/index");
    index(&folder, Workload(31), 20);
    assert_eq!(read(&open(&folder)).unwrap(), Workload(31).at(20));
    assert!(check(&*open(&folder)).unwrap().is_sound());
}

#[test]
fn a_folder_written_by_the_file_system_holds_the_same_bytes_as_one_in_memory() {
    let place = tempfile::tempdir().unwrap();
    index(place.path(), Workload(31), 20);
    let (memory, _) = crate::workload::store_in_memory(Workload(31), 20);
    for entry in memory.list().unwrap() {
        assert!(*memory.read(&entry.name).unwrap() == fs::read(place.path().join(&entry.name)).unwrap()[..]);
    }
}

#[test]
fn leftovers_and_foreign_files_are_warned_of_and_left_alone() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let workload = Workload(32);
    index(folder, workload, 4);
    let foreign = [".tmpXYZ", ".atomicwriteABC", "Thumbs.db", "name\nwith newline"];
    for name in foreign {
        fs::write(folder.join(name), "left over").unwrap();
    }
    fs::create_dir(folder.join("segment-00000077.seg")).unwrap();
    fs::create_dir(folder.join("empty")).unwrap();
    fs::write(folder.join("CURRENT.tmp"), "half").unwrap();
    fs::write(folder.join("manifest-00000005.mft"), "torn").unwrap();
    fs::write(folder.join("segment-00000088.seg"), "").unwrap();
    let store = Store::open(open(folder)).unwrap();
    let warnings = store.warnings().join("; ");
    for name in [".tmpXYZ", ".atomicwriteABC", "Thumbs.db", "name\\nwith newline", "empty", "CURRENT.tmp"] {
        assert!(warnings.contains(name), "{name} in {warnings}");
    }
    workload.run(&open(folder), 9, |_| ()).unwrap();
    assert_eq!(read(&open(folder)).unwrap(), workload.at(9));
    for name in foreign.into_iter().chain(["empty", "segment-00000077.seg"]) {
        assert!(folder.join(name).exists(), "{name}");
    }
    for name in ["CURRENT.tmp", "segment-00000088.seg"] {
        assert!(!folder.join(name).exists(), "{name}");
    }
}

#[test]
fn places_that_hold_no_index_are_told_apart_from_damaged_ones() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    assert!(matches!(FsStorage::open(folder.join("nowhere")), Err(FormatError::NotAnIndex { .. })));
    fs::write(folder.join("file"), "text").unwrap();
    assert!(matches!(FsStorage::open(folder.join("file")), Err(FormatError::NotAnIndex { .. })));
    assert!(matches!(FsStorage::open(folder.join("file/below")), Err(FormatError::NotAnIndex { .. })));
    assert!(matches!(Store::open(open(folder)), Err(FormatError::NotAnIndex { .. })));
    // A store of another program also has a file of this name.
    fs::write(folder.join("CURRENT"), "MANIFEST-000001\n".repeat(8)).unwrap();
    assert!(matches!(Store::open(open(folder)), Err(FormatError::NotAnIndex { .. })));
}

#[test]
fn a_lock_names_its_holder_and_a_stale_lock_file_stops_nobody() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    index(folder, Workload(33), 3);
    fs::write(folder.join("LOCK"), "process 99999\nsince 1\n").unwrap();
    let store = Store::open(open(folder)).unwrap();
    let lock = store.lock_writer(&LockHolder { process: 4242, since: 7 }).unwrap();
    let error = Store::open(open(folder)).unwrap().lock_writer(&HOLDER).unwrap_err();
    assert!(error.to_string().ends_with("is locked by process 4242 since 1970-01-01 00:00:07 UTC"), "{error}");
    assert_eq!(read(&open(folder)).unwrap(), Workload(33).at(3));
    drop(lock);
    assert_eq!(fs::read(folder.join("LOCK")).unwrap(), b"");
    fs::write(folder.join("LOCK"), [0xff; 5000]).unwrap();
    assert!(store.lock_writer(&HOLDER).is_ok());
}

#[test]
fn a_writer_in_the_same_folder_but_with_an_unreadable_record_is_just_another_process() {
    let place = tempfile::tempdir().unwrap();
    index(place.path(), Workload(33), 1);
    let store = Store::open(open(place.path())).unwrap();
    let _lock = store.lock_writer(&HOLDER).unwrap();
    fs::write(place.path().join("LOCK"), [0xfe; 1000]).unwrap();
    let error = Store::open(open(place.path())).unwrap().lock_writer(&HOLDER).unwrap_err();
    assert!(error.to_string().ends_with("is locked by another process"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_can_be_read_and_refuses_a_writer() {
    use std::os::unix::fs::PermissionsExt;

    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("index");
    index(&folder, Workload(34), 6);
    fs::remove_file(folder.join("LOCK")).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    assert_eq!(read(&open(&folder)).unwrap(), Workload(34).at(6));
    assert!(check(&*open(&folder)).unwrap().is_sound());
    assert!(!folder.join("LOCK").exists(), "reading made a file");
    // The super-user may write anywhere, so only others can be refused.
    match Store::open(open(&folder)).unwrap().lock_writer(&HOLDER) {
        Ok(_) => println!("running as the super-user"),
        Err(error) => assert_eq!(error.code(), "io", "{error}"),
    }
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn a_pipe_or_a_dangling_link_in_the_place_of_a_file_is_an_error_and_does_not_wait() {
    let place = tempfile::tempdir().unwrap();
    index(place.path(), Workload(35), 2);
    let segment = Store::open(open(place.path())).unwrap().current().segments[0].summary.file_name();
    let path = place.path().join(segment);
    fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink(place.path().join("nowhere"), &path).unwrap();
    assert!(matches!(read(&open(place.path())), Err(FormatError::Missing { .. })));
    fs::remove_file(&path).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    if made.is_ok_and(|status| status.success()) {
        assert_eq!(read(&open(place.path())).unwrap_err().code(), "io");
    }
}

#[test]
fn names_that_leave_the_folder_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let storage = open(place.path());
    for name in ["../outside", "/etc/passwd", "..", "a/b"] {
        assert!(matches!(storage.create(name), Err(FormatError::InvalidName { .. })), "{name}");
        assert!(matches!(storage.read(name), Err(FormatError::InvalidName { .. })), "{name}");
        assert!(matches!(storage.remove(name), Err(FormatError::InvalidName { .. })), "{name}");
        assert!(matches!(storage.rename("x", name), Err(FormatError::InvalidName { .. })), "{name}");
    }
}

#[test]
fn a_log_of_work_grows_by_appending() {
    let place = tempfile::tempdir().unwrap();
    let storage = open(place.path());
    for part in ["one ", "two"] {
        let mut log = storage.append("work-log").unwrap();
        log.write_all(part.as_bytes()).unwrap();
        log.sync().unwrap();
    }
    assert_eq!(&*storage.read("work-log").unwrap(), b"one two");
    assert_eq!(&*storage.map("work-log").unwrap(), b"one two");
}
