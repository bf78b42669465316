//! `evidex batch`: every line gets its line, whatever happens.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant, SystemTime};

use serde_json::{Value, json};

use crate::command::{Ran, Workplace, labels};

const ROWS: usize = 500;

/// A text that is right in one of three rows, wrong in another and unsupported in the third.
fn row(number: usize) -> Value {
    let said = match number % 3 {
        0 => format!("Bridge {number} is {} m long.", 100 + number),
        1 => format!("Bridge {number} is {} m long.", 700 + number),
        _ => format!("Bridge {number} was painted by Olga Brandt."),
    };
    let filler: String = (0..20).map(|lot| format!("Lot {lot} of year {number} was sold in May. ")).collect();
    json!({"id": format!("row-{number}"), "response": said, "context": format!("{filler}Bridge {number} is {} m long.", 100 + number)})
}

fn lines(rows: impl IntoIterator<Item = Value>) -> String {
    rows.into_iter().map(|row| format!("{row}\n")).collect()
}

/// The rows of an output without what differs from run to run.
fn output(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'));
    text.lines()
        .map(|line| {
            let mut row: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
            if let Some(report) = row.get_mut("report") {
                report.as_object_mut().unwrap().remove("timings");
            }
            row
        })
        .collect()
}

#[test]
fn five_hundred_rows_killed_at_random_points_and_resumed_are_all_there_once() {
    let place = Workplace::new();
    place.write("in.jsonl", lines((0..ROWS).map(row)));
    let whole = place.run(&["batch", "--input", "in.jsonl", "--output", "whole.jsonl"]);
    assert_eq!(whole.code, 1, "{}", whole.stderr);
    let whole = output(&place.path("whole.jsonl"));

    let mut seed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().subsec_nanos();
    let out = place.path("out.jsonl");
    let size = || std::fs::metadata(&out).map_or(0, |metadata| metadata.len());
    let mut kills = 0;
    for part in [5, 3, 2] {
        // Somewhere in the first fifth, third, half of what is missing.
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let missing = 400 * ROWS as u64 - size().min(400 * ROWS as u64);
        let until = size() + u64::from(seed >> 8) % (missing / part).max(1);
        let mut child = place
            .command(&["batch", "--input", "in.jsonl", "--output", "out.jsonl", "--resume", "--threads", "2"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let begun = Instant::now();
        while size() <= until && child.try_wait().unwrap().is_none() && begun.elapsed() < Duration::from_secs(120) {
            std::thread::sleep(Duration::from_millis(1));
        }
        kills += usize::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(kills > 0, "every run ended before it was killed (seed {seed})");
    // A line that the kill cut in its middle.
    let text = std::fs::read(&out).unwrap();
    if text.len() > 40 {
        std::fs::write(&out, &text[..text.len() - 17]).unwrap();
    }
    let resumed = place.run(&["batch", "--input", "in.jsonl", "--output", "out.jsonl", "--resume"]);
    assert_eq!(resumed.code, 1, "{}", resumed.stderr);
    let rows = output(&out);
    let numbers: Vec<u64> = rows.iter().map(|row| row["line"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=ROWS as u64).collect::<Vec<_>>(), "seed {seed}");
    assert_eq!(rows, whole, "seed {seed}");
    assert!(resumed.stdout.contains("500 rows, "), "{}", resumed.stdout);
}

#[test]
fn a_resumed_run_that_was_finished_changes_nothing_and_counts_all() {
    let place = Workplace::new();
    place.write("in.jsonl", lines((0..6).map(row)));
    place.run(&["batch", "-i", "in.jsonl", "-o", "out.jsonl"]);
    let before = std::fs::read(place.path("out.jsonl")).unwrap();
    let ran = place.run(&["batch", "-i", "in.jsonl", "-o", "out.jsonl", "--resume", "--format", "json"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert_eq!(std::fs::read(place.path("out.jsonl")).unwrap(), before);
    let summary = ran.json();
    assert_eq!((&summary["rows"]["total"], &summary["rows"]["resumed"]), (&6.into(), &6.into()));
    assert_eq!(summary["findings"]["failing"], 4);
}

#[test]
fn an_output_of_other_hands_or_of_another_input_is_left_alone() {
    let place = Workplace::new();
    place.write("in.jsonl", lines((0..4).map(row)));
    let batch = ["batch", "--input", "in.jsonl", "--output", "out.jsonl"];
    let resume = [&batch[..], &["--resume"]].concat();
    for other in ["my notes", "my notes\n", "{\"text\": \"x\"}\n", "\u{1}\n{\"line\":1,"] {
        place.write("out.jsonl", other);
        place.run(&batch).failed_saying(&["output_exists", "--resume"]);
        place.run(&resume).failed_saying(&["output_not_ours", "out.jsonl, line 1"]);
        assert_eq!(std::fs::read_to_string(place.path("out.jsonl")).unwrap(), other);
    }
    assert_eq!(place.run(&[&batch[..], &["--overwrite"]].concat()).code, 1);
    let done = std::fs::read(place.path("out.jsonl")).unwrap();
    place.write("in.jsonl", lines([row(0), row(7), row(2), row(3)]));
    place.run(&resume).failed_saying(&["input_changed", "line 2 of the input"]);
    place.write("in.jsonl", lines([row(0)]));
    place.run(&resume).failed_saying(&["input_changed"]);
    assert_eq!(std::fs::read(place.path("out.jsonl")).unwrap(), done);
    place
        .run(&["batch", "--input", "in.jsonl", "--output", "./in.jsonl", "--resume"])
        .failed_saying(&["usage", "both"]);
    place.run(&["batch", "--input", "in.jsonl", "--output", "out.jsonl.gz"]).failed_saying(&["usage", "compressed"]);
}

const BAD: &str = concat!(
    "{\"response\": \"Bridge 3 is 103 m long.\", \"context\": \"Bridge 3 is 103 m long.\", \"id\": 1}\n",
    "{\"response\": \"broken\n",
    "\n",
    "[1, 2]\n",
    "{\"response\": 5, \"id\": \"five\"}\n",
    "{\"response\": \"Bridge 3 is 103 m long.\"}\n",
    "{\"response\": \"Hello!\", \"context\": \"Bridge 3 is 103 m long.\"}\n",
    "{\"response\": \"Bridge 3 is 903 m long.\", \"context\": \"Bridge 3 is 103 m long.\", \"id\": 2}"
);

#[test]
fn a_bad_line_is_a_line_with_an_error_and_the_others_are_checked() {
    let place = Workplace::new();
    place.write("in.jsonl", BAD);
    let ran = place.run(&["batch", "--input", "in.jsonl", "--output", "out.jsonl"]);
    ran.failed_saying(&["rows_not_checked", "4 of 7 rows"]);
    assert!(ran.stdout.contains("7 rows: 2 checked, 1 with nothing to check, 4 with an error"), "{}", ran.stdout);
    let rows = output(&place.path("out.jsonl"));
    let errors: Vec<&str> = rows.iter().map(|row| row["error"]["code"].as_str().unwrap_or("")).collect();
    assert_eq!(errors, ["", "row_broken_json", "row_not_an_object", "row_bad_field", "no_evidence", "", ""]);
    let numbers: Vec<u64> = rows.iter().map(|row| row["line"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 2, 4, 5, 6, 7, 8]);
    assert_eq!((&rows[3]["id"], &rows[6]["id"]), (&"five".into(), &2.into()));
    assert_eq!(labels(&rows[6]["report"]), ["contradicted"]);
}

#[test]
fn fail_fast_stops_before_the_bad_line_and_the_mended_run_goes_on() {
    let place = Workplace::new();
    place.write("in.jsonl", BAD);
    let batch = ["batch", "--input", "in.jsonl", "--output", "out.jsonl", "--fail-fast"];
    place.run(&batch).failed_saying(&["row_broken_json", "line 2", "--resume"]);
    assert_eq!(output(&place.path("out.jsonl")).len(), 1);
    place.write("in.jsonl", BAD.lines().take(1).map(|line| format!("{line}\n{line}\n")).collect::<String>());
    assert_eq!(place.run(&[&batch[..], &["--resume"]].concat()).code, 0);
    assert_eq!(output(&place.path("out.jsonl")).len(), 2);
}

#[test]
fn documents_are_named_claim_by_claim() {
    let place = Workplace::new();
    let row = json!({"response": "The gate opened in 1887. The tower is 300 m high.", "documents": [
        {"id": "one", "content": "The tower is 300 m high.", "title": "Towers"},
        {"id": "two", "content": "The gate opened in 1889.", "url": "https://example.org/two"}]});
    let ran = place.run_with_input(&["batch", "--input", "-", "--output", "-"], format!("{row}\n").as_bytes());
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let line: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(labels(&line["report"]), ["contradicted", "supported"]);
    let evidence = |claim: usize| &line["report"]["claims"][claim]["evidence"][0];
    assert_eq!((&evidence(0)["document_id"], &evidence(0)["url"]), (&"two".into(), &"https://example.org/two".into()));
    assert_eq!((&evidence(1)["document_id"], &evidence(1)["title"]), (&"one".into(), &"Towers".into()));
    assert!(ran.stderr.contains("1 row"), "{}", ran.stderr);
}

#[test]
fn a_prompt_makes_a_one_word_answer_a_claim() {
    let place = Workplace::new();
    let row = json!({"response": "1887", "prompt": "When did the gate open?", "context": "The gate opened in 1889."});
    let ran = place.run_with_input(&["batch", "--input", "-"], row.to_string().as_bytes());
    let line: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(labels(&line["report"]), ["contradicted"]);
}

#[test]
fn evidence_may_come_from_an_index_for_all_rows() {
    let place = Workplace::new();
    place.write("docs/gate.txt", "The gate opened in 1889.");
    place.well(&["index", "docs", "--into", "idx", "--embedder", "hashed"]);
    place.write(
        "in.jsonl",
        lines([json!({"response": "The gate opened in 1889."}), json!({"response": "The gate opened in 1887."})]),
    );
    let ran = place.run(&["batch", "--index", "idx", "--input", "in.jsonl", "--output", "out.jsonl"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let rows = output(&place.path("out.jsonl"));
    assert_eq!(labels(&rows[0]["report"]), ["supported"]);
    assert_eq!(labels(&rows[1]["report"]), ["contradicted"]);
    assert_eq!(rows[1]["report"]["claims"][0]["evidence"][0]["document_id"], "gate.txt");
}

#[test]
fn compressed_input_is_read_and_a_cut_off_one_is_told_after_its_rows() {
    let place = Workplace::new();
    let text = lines((0..300).map(row));
    let mut gzip =
        std::process::Command::new("gzip").arg("-c").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = gzip.stdin.take().unwrap();
    let feeding = std::thread::spawn(move || input.write_all(text.as_bytes()).unwrap());
    let packed = gzip.wait_with_output().unwrap().stdout;
    feeding.join().unwrap();
    place.write("in.jsonl.gz", &packed);
    let ran = place.run(&["batch", "--input", "in.jsonl.gz", "--output", "out.jsonl"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert_eq!(output(&place.path("out.jsonl")).len(), 300);
    place.write("in.jsonl.gz", &packed[..packed.len() / 2]);
    let ran = place.run(&["batch", "--input", "in.jsonl.gz", "--output", "cut.jsonl"]);
    ran.failed_saying(&["corpus_io", "in.jsonl.gz"]);
    let rows = output(&place.path("cut.jsonl"));
    assert!(!rows.is_empty() && rows.len() < 300, "{}", rows.len());
}

#[test]
fn a_reader_that_goes_away_ends_the_run_without_noise() {
    let place = Workplace::new();
    place.write("in.jsonl", lines((0..ROWS).map(row)));
    let mut child =
        place.command(&["batch", "--input", "in.jsonl"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert!(ran.code < 2 && !ran.stderr.contains("error") && !ran.stderr.contains("panicked"), "{}", ran.stderr);
}

#[test]
fn the_order_of_the_output_is_that_of_the_input_however_long_each_row_takes() {
    let place = Workplace::new();
    let long: String = (0..400).map(|n| format!("Bridge {n} is {} m long. ", n + 100)).collect();
    let rows = (0..40).map(|n| if n % 10 == 0 { json!({"response": long, "context": long}) } else { row(n) });
    place.write("in.jsonl", lines(rows));
    place.run(&["batch", "--input", "in.jsonl", "--output", "out.jsonl", "--threads", "8"]);
    let numbers: Vec<u64> = output(&place.path("out.jsonl")).iter().map(|row| row["line"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=40).collect::<Vec<_>>());
}
