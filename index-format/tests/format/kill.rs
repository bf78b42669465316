//! Kills a writing process again and again; what it had acknowledged must be there.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use evidex_index_format::{FormatError, FsStorage, Storage, Store, check};

use crate::workload::{HOLDER, Workload, mix, read};

const WORKLOAD: Workload = Workload(41);

/// The folder in which the child works; set by the parent.
const FOLDER: &str = "EVIDEX_KILL_FOLDER";

/// How many kills; the nightly test sets 1000.
const KILLS: &str = "EVIDEX_KILLS";

#[test]
#[ignore = "started by the tests below, in a process of its own"]
fn child_that_publishes_until_it_is_killed() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let storage: Arc<dyn Storage> = Arc::new(FsStorage::create(folder).unwrap());
    // The parent may have gone: ten thousand generations are far beyond what it waits for.
    let last = Store::open(Arc::clone(&storage)).map_or(0, |store| store.current().generation.0) + 10_000;
    WORKLOAD
        .run(&storage, last, |generation| {
            let mut output = std::io::stdout().lock();
            writeln!(output, "acknowledged {generation}").and_then(|()| output.flush()).unwrap();
        })
        .unwrap();
}

fn start_child(folder: &std::path::Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill::child_that_publishes_until_it_is_killed", "--ignored", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn acknowledged(line: &str) -> Option<u64> {
    line.split_once("acknowledged ")?.1.trim().parse().ok()
}

#[test]
fn whatever_a_killed_writer_acknowledged_is_there() {
    let kills = std::env::var(KILLS).ok().and_then(|text| text.parse().ok()).unwrap_or(50);
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("index");
    let mut last = None;
    for round in 0..kills {
        let mut child = start_child(&folder);
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while acknowledged(&line).is_none() {
            line.clear();
            assert_ne!(output.read_line(&mut line).unwrap(), 0, "the child ended before it wrote");
        }
        last = acknowledged(&line).or(last);
        let until = Instant::now() + Duration::from_micros(mix(round) % 50_000);
        while Instant::now() < until {
            std::thread::sleep(Duration::from_micros(200));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let mut rest = String::new();
        output.read_to_string(&mut rest).unwrap();
        last = rest.lines().rev().find_map(acknowledged).or(last);

        let storage: Arc<dyn Storage> = Arc::new(FsStorage::open(&folder).unwrap());
        let model = read(&storage).unwrap();
        let last = last.unwrap();
        assert!(model.generation == last || model.generation == last + 1, "{} after {last}", model.generation);
        assert_eq!(model, WORKLOAD.at(model.generation));
        assert!(check(&*storage).unwrap().is_sound());
    }
    println!("{kills} kills, {last:?} generations");
}

#[test]
fn a_live_writer_in_another_process_is_named_and_its_death_frees_the_lock() {
    let place = tempfile::tempdir().unwrap();
    let mut child = start_child(place.path());
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    // The second acknowledgement comes with the lock held.
    for _ in 0..2 {
        line.clear();
        while acknowledged(&line).is_none() {
            line.clear();
            assert_ne!(output.read_line(&mut line).unwrap(), 0, "the child ended before it wrote");
        }
    }
    let storage: Arc<dyn Storage> = Arc::new(FsStorage::open(place.path()).unwrap());
    let store = Store::open(Arc::clone(&storage)).unwrap();
    match store.lock_writer(&HOLDER) {
        Err(FormatError::Locked { holder: Some(holder), .. }) => assert_ne!(holder.process, std::process::id()),
        other => panic!("{other:?}"),
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(store.lock_writer(&HOLDER).is_ok());
}
