//! Several processes at one index, and one that is killed.
//!
//! The other process is this test program itself, asked to run one test that does nothing unless it is told a folder.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::tempdir;

use super::*;

const FOLDER: &str = "EVIDEX_TEST_OTHER_PROCESS_FOLDER";
const TASK: &str = "EVIDEX_TEST_OTHER_PROCESS_TASK";

fn other_process(folder: &std::path::Path, task: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "index::tests::processes::the_other_process_does_as_it_is_told", "--nocapture"])
        .env(FOLDER, folder)
        .env(TASK, task)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn the_other_process_does_as_it_is_told() {
    let (Some(folder), Ok(task)) = (std::env::var_os(FOLDER), std::env::var(TASK)) else { return };
    let folder = std::path::Path::new(&folder);
    let index = Index::open(folder).unwrap();
    match task.as_str() {
        "hold" => {
            let mut writer = index.writer(Some(hashed()), WriterOptions::default()).unwrap();
            for number in 0.. {
                writer.add(Document::inline(&format!("held{number}"), "Never published.")).unwrap();
                std::fs::write(folder.join("other-process-is-ready"), "").unwrap();
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        _ => {
            for number in 0..500 {
                let id = format!("d{}", number % 100);
                let document = Document::inline(&id, format!("Upsert {number} of {task}."));
                loop {
                    match index.writer(Some(hashed()), WriterOptions::default()) {
                        Ok(mut writer) => {
                            writer.add(document).unwrap();
                            writer.commit().unwrap();
                            break;
                        }
                        Err(error) if error.code() == "locked" => std::thread::sleep(Duration::from_millis(1)),
                        Err(error) => panic!("{error}"),
                    }
                }
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn after_a_writer_is_killed_the_next_one_starts_at_once() {
    // C45
    let folder = tempdir().unwrap();
    let index = Index::create(folder.path(), with_vectors()).unwrap();
    add(&index, &[("a", "Published before.")]);
    let mut child = other_process(folder.path(), "hold");
    let started = Instant::now();
    while !folder.path().join("other-process-is-ready").exists() {
        assert!(started.elapsed() < Duration::from_secs(60), "the other process did not start");
        std::thread::sleep(Duration::from_millis(5));
    }
    let error = index.writer(Some(hashed()), WriterOptions::default()).unwrap_err();
    assert_eq!(error.code(), "locked");
    assert!(error.to_string().contains(&child.id().to_string()), "{error}");
    assert_eq!(Index::open(folder.path()).unwrap().snapshot().unwrap().document_count(), 1);
    child.kill().unwrap();
    child.wait().unwrap();
    add(&index, &[("b", "Published after.")]);
    assert_eq!(index.snapshot().unwrap().document_count(), 2);
    assert_sound(&index);
}

#[test]
fn two_processes_that_upsert_the_same_ids_leave_no_duplicates() {
    // C46
    let folder = tempdir().unwrap();
    let index = Index::create(folder.path(), with_vectors()).unwrap();
    let mut children = [other_process(folder.path(), "one"), other_process(folder.path(), "two")];
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    let snapshot = index.snapshot().unwrap();
    assert_eq!((snapshot.document_count(), snapshot.chunk_count()), (100, 100));
    assert_sound(&index);
}
