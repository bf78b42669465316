//! Several processes at one index, and one that is killed, again and again.
//!
//! The other process is this test program itself, asked to run one test that does nothing unless it is told a folder.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::tempdir;

use super::*;
use crate::corpus::DocumentId;

const FOLDER: &str = "EVIDEX_TEST_OTHER_PROCESS_FOLDER";
const TASK: &str = "EVIDEX_TEST_OTHER_PROCESS_TASK";

fn other_process(folder: &std::path::Path, task: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "index::tests::processes::the_other_process_does_as_it_is_told", "--nocapture"])
        .env(FOLDER, folder)
        .env(TASK, task)
        .stdout(Stdio::piped())
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
        "publish" => loop {
            let generation = publish(&index);
            let mut output = std::io::stdout().lock();
            writeln!(output, "acknowledged {generation}").and_then(|()| output.flush()).unwrap();
        },
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

/// Ids that come and go.
const IDS: u64 = 20;

/// What generation `step` adds or replaces, and what it removes.
fn change(step: u64) -> ((String, String), String) {
    let added = (format!("d{}", step % IDS), format!("Version {step} is here. It has two sentences."));
    (added, format!("d{}", step * 7 % IDS))
}

/// Publishes the next generation; gives its number.
fn publish(index: &Index) -> u64 {
    let step = index.snapshot().unwrap().generation().0 + 1;
    let ((id, text), removed) = change(step);
    let mut writer = index.writer(Some(hashed()), WriterOptions::default()).unwrap();
    writer.add(Document::inline(&id, text)).unwrap();
    if removed != id {
        writer.remove(&DocumentId(removed)).unwrap();
    }
    writer.commit().unwrap().generation.0
}

/// What a generation holds.
fn documents_of(generation: u64) -> BTreeMap<String, String> {
    let mut documents = BTreeMap::new();
    for ((id, text), removed) in (1..=generation).map(change) {
        if removed != id {
            documents.remove(&removed);
        }
        documents.insert(id, text);
    }
    documents
}

/// How often the writer is killed; the nightly run sets 1000.
const KILLS: &str = "EVIDEX_KILLS";

#[cfg(unix)]
#[test]
fn whatever_a_killed_writer_committed_is_there_and_a_deep_check_finds_nothing() {
    let kills = std::env::var(KILLS).ok().and_then(|text| text.parse().ok()).unwrap_or(8);
    let folder = tempdir().unwrap();
    Index::create(folder.path(), with_vectors()).unwrap();
    let mut last = 0;
    for round in 0..kills {
        let mut child = other_process(folder.path(), "publish");
        let acknowledged = |line: &str| line.split_once("acknowledged ")?.1.trim().parse::<u64>().ok();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while acknowledged(&line).is_none() {
            line.clear();
            assert_ne!(output.read_line(&mut line).unwrap(), 0, "the other process ended before it wrote");
        }
        last = acknowledged(&line).unwrap_or(last);
        // Anywhere in the following commits.
        std::thread::sleep(Duration::from_micros(round * 7_919 % 40_000));
        child.kill().unwrap();
        child.wait().unwrap();
        line.clear();
        output.read_to_string(&mut line).unwrap();
        last = line.lines().rev().find_map(acknowledged).unwrap_or(last);

        let index = Index::open(folder.path()).unwrap();
        let snapshot = index.snapshot().unwrap();
        let generation = snapshot.generation().0;
        assert!(generation >= last, "generation {generation} after {last}");
        let found: BTreeMap<String, String> = snapshot
            .documents()
            .map(|header| header.unwrap().id)
            .map(|id| (id.0.clone(), snapshot.document(&id).unwrap().unwrap().text))
            .collect();
        assert_eq!(found, documents_of(generation), "generation {generation}");
        assert_sound(&index);
        last = generation;
    }
    println!("{kills} kills, {last} generations");
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
