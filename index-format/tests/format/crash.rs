//! Stops the workload at every operation and looks at what a crash there leaves.

use std::io::ErrorKind;
use std::sync::Arc;

use evidex_index_format::{CrashImage, FormatError, MemStorage, Storage, check};

use crate::workload::{Workload, read};

const LAST: u64 = 14;

fn shared(storage: &MemStorage) -> Arc<dyn Storage> {
    Arc::new(storage.clone())
}

fn operations(workload: Workload) -> u64 {
    let storage = MemStorage::new();
    workload.run(&shared(&storage), LAST, |_| ()).unwrap();
    storage.operations()
}

/// Runs until the injected failure; gives the last acknowledged generation, if any.
fn run_until_failure(workload: Workload, storage: &MemStorage) -> (Option<u64>, Result<(), FormatError>) {
    let mut acknowledged = None;
    let result = workload.run(&shared(storage), LAST, |generation| acknowledged = Some(generation));
    (acknowledged, result)
}

/// The state must be the last acknowledged generation, or the one whose publish was under way.
fn assert_sound(workload: Workload, found: &MemStorage, acknowledged: Option<u64>, when: &str) {
    match read(&shared(found)) {
        Ok(model) => {
            let next = acknowledged.map_or(0, |last| last + 1);
            assert!(
                Some(model.generation) == acknowledged || model.generation == next,
                "{when}: generation {} where {acknowledged:?} was acknowledged",
                model.generation
            );
            assert_eq!(model, workload.at(model.generation), "{when}");
            let report = check(found).unwrap();
            assert!(report.is_sound(), "{when}: {report:?}");
        }
        Err(error) => {
            assert_eq!(acknowledged, None, "{when}: {error}");
            assert!(matches!(error, FormatError::NotAnIndex { .. } | FormatError::Corrupt { .. }), "{when}: {error}");
        }
    }
}

fn images() -> impl Iterator<Item = CrashImage> {
    let torn = (0..6).map(CrashImage::Torn);
    [CrashImage::EverythingWritten, CrashImage::OnlySynced].into_iter().chain(torn)
}

#[test]
fn after_a_crash_at_any_operation_an_acknowledged_generation_opens_and_work_goes_on() {
    let mut stops = 0;
    for workload in [Workload(1), Workload(2), Workload(3)] {
        for at in 0..operations(workload) {
            let storage = MemStorage::new();
            storage.fail_at(at, ErrorKind::Other, true);
            let (acknowledged, result) = run_until_failure(workload, &storage);
            assert!(result.is_err() || acknowledged == Some(LAST), "the failure at {at} went unnoticed");
            for image in images() {
                let when = format!("{workload:?} stopped at operation {at}, {image:?}");
                let found = storage.crash(image);
                assert_sound(workload, &found, acknowledged, &when);
                workload.run(&shared(&found), LAST, |_| ()).unwrap_or_else(|error| panic!("{when}: {error}"));
                assert_eq!(read(&shared(&found)).unwrap(), workload.at(LAST), "{when}");
                stops += 1;
            }
        }
    }
    println!("{stops} crashes");
    assert!(stops > 3000, "{stops}");
}

#[test]
fn a_crash_after_the_crash_loses_nothing_either() {
    let workload = Workload(4);
    for at in (0..operations(workload)).step_by(3) {
        let storage = MemStorage::new();
        storage.fail_at(at, ErrorKind::Other, true);
        let (acknowledged, _) = run_until_failure(workload, &storage);
        let found = storage.crash(CrashImage::Torn(at));
        for again in (0..40).step_by(7) {
            let second = found.crash(CrashImage::EverythingWritten);
            second.fail_at(again, ErrorKind::Other, true);
            let (later, _) = run_until_failure(workload, &second);
            let when = format!("stopped at operation {at} and {again} operations after recovery");
            assert_sound(workload, &second.crash(CrashImage::Torn(again)), later.or(acknowledged), &when);
        }
    }
}

#[test]
fn an_operation_that_fails_once_is_reported_and_costs_nothing_that_was_acknowledged() {
    let workload = Workload(5);
    for kind in [ErrorKind::StorageFull, ErrorKind::PermissionDenied] {
        for at in 0..operations(workload) {
            let storage = MemStorage::new();
            storage.fail_at(at, kind, false);
            let (acknowledged, result) = run_until_failure(workload, &storage);
            let when = format!("operation {at} failed with {kind}");
            for image in images() {
                assert_sound(workload, &storage.crash(image), acknowledged, &when);
            }
            if let Err(error) = result {
                assert!(matches!(error, FormatError::Io { .. }), "{when}: {error}");
                if !storage.is_poisoned() {
                    // Nothing is in doubt, so the same storage can be written to again.
                    workload.run(&shared(&storage), LAST, |_| ()).unwrap_or_else(|error| panic!("{when}: {error}"));
                    assert_eq!(read(&shared(&storage)).unwrap(), workload.at(LAST), "{when}");
                }
            }
        }
    }
}

#[test]
fn after_a_failed_sync_the_storage_refuses_to_write() {
    let workload = Workload(6);
    let mut poisoned = 0;
    for at in 0..operations(workload) {
        let storage = MemStorage::new();
        storage.fail_at(at, ErrorKind::Other, false);
        let (_, result) = run_until_failure(workload, &storage);
        let Err(FormatError::Io { operation: "sync", .. }) = result else { continue };
        assert!(storage.is_poisoned());
        let again = workload.run(&shared(&storage), LAST, |_| ());
        assert!(matches!(again, Err(FormatError::Poisoned { .. })), "{again:?}");
        poisoned += 1;
    }
    assert!(poisoned > 20, "{poisoned}");
}
