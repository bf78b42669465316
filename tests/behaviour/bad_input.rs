//! Bad input: each a clear error or a counted warning, nothing lost, and the previous generation still opens.

use crate::command::{Workplace, labels};

fn index_of_one(place: &Workplace) {
    place.write("docs/a.txt", "The Ilva river is 88 km long.");
    place.well(&["index", "docs", "--into", "idx", "--embedder", "hashed"]);
}

fn finds(place: &Workplace, query: &str, document: &str) -> bool {
    let ran = place.well(&["search", "--index", "idx", query, "--mode", "bm25", "--format", "json"]);
    ran.json()["passages"].as_array().unwrap().iter().any(|passage| passage["document_id"] == document)
}

#[test]
fn a_missing_file_is_named() {
    let place = Workplace::new();
    place.run(&["verify", "--context", "nowhere.txt", "--text", "A fact."]).failed_saying(&["nowhere.txt"]);
    place.write("context.txt", "A fact.");
    place.run(&["verify", "--context", "context.txt", "nowhere.txt"]).failed_saying(&["nowhere.txt"]);
    place.run(&["index", "nowhere", "--into", "idx", "--embedder", "hashed", "--strict"]).failed_saying(&["nowhere"]);
}

#[test]
fn a_folder_where_a_file_was_meant_is_an_error_with_a_next_step() {
    let place = Workplace::new();
    place.write("docs/a.txt", "A fact.");
    place.run(&["verify", "--context", "docs", "--text", "A fact."]).failed_saying(&["docs", "hint"]);
    place.run(&["verify", "--context", "docs/a.txt", "docs"]).failed_saying(&["docs"]);
}

#[test]
fn verify_without_evidence_says_what_to_give() {
    Workplace::new().run(&["verify", "--text", "A fact."]).failed_saying(&["--index", "--context"]);
}

#[test]
fn an_empty_file_among_others_is_warned_of_and_the_others_are_read() {
    let place = Workplace::new();
    place.write("docs/empty.txt", "");
    place.write("docs/full.txt", "The Ilva river is 88 km long.");
    let ran = place.well(&["index", "docs", "--into", "idx", "--embedder", "hashed"]);
    assert!(ran.stderr.contains("empty.txt"), "{}", ran.stderr);
    assert!(finds(&place, "Ilva", "full.txt"));
}

#[test]
fn an_empty_context_is_an_error() {
    let place = Workplace::new();
    place.write("empty.txt", "");
    let ran = place.run(&["verify", "--context", "empty.txt", "--text", "A fact."]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("error"));
}

#[test]
fn text_that_is_not_utf_8_is_decoded_with_a_warning() {
    let place = Workplace::new();
    place.write(
        "docs/latin.txt",
        b"S\xe3o Bruno lies on the river. The caf\xe9 opened in 1931 in the old town square." as &[u8],
    );
    let ran = place.well(&["index", "docs", "--into", "idx", "--embedder", "hashed"]);
    assert!(ran.stderr.contains("latin.txt"), "{}", ran.stderr);
    assert!(finds(&place, "São Bruno café", "latin.txt"));
}

#[test]
fn a_byte_order_mark_is_not_part_of_the_text() {
    let place = Workplace::new();
    place.write("bom.txt", "\u{feff}The Ilva river is 88 km long.");
    let ran =
        place.run(&["verify", "--context", "bom.txt", "--text", "The Ilva river is 88 km long.", "--format", "json"]);
    let report = ran.json();
    assert_eq!(labels(&report), ["supported"]);
    assert!(report["claims"][0]["evidence"][0]["quote"].as_str().unwrap().starts_with("The Ilva"));
}

#[test]
fn a_broken_line_of_jsonl_is_named_and_the_others_go_on() {
    let place = Workplace::new();
    place.write(
        "docs.jsonl",
        "{\"id\":\"a\",\"text\":\"Alpha is 1.\"}\n{broken\n{\"id\":\"c\",\"text\":\"Gamma is 3.\"}\n",
    );
    let ran = place.well(&["index", "docs.jsonl", "--into", "idx", "--embedder", "hashed", "--format", "json"]);
    assert!(ran.stderr.contains("docs.jsonl") && ran.stderr.contains('2'), "{}", ran.stderr);
    assert_eq!(ran.json()["documents"]["added"], 2);
    assert_eq!(ran.json()["problems"], 1);
}

#[test]
fn strict_stops_at_a_broken_line_and_leaves_the_index_as_it_was() {
    let place = Workplace::new();
    index_of_one(&place);
    place.write("docs.jsonl", "{\"id\":\"b\",\"text\":\"Beta is 2.\"}\n{broken\n");
    place.run(&["index", "docs.jsonl", "--into", "idx", "--strict"]).failed_saying(&["docs.jsonl", "--strict"]);
    assert!(finds(&place, "Ilva", "a.txt"));
    assert!(!finds(&place, "Beta", "b"));
}

#[test]
fn the_last_of_five_thousand_words_without_punctuation_is_found_by_words_and_by_meaning() {
    let place = Workplace::new();
    let mut text = (0..4_999).map(|n| format!("word{n} ")).collect::<String>();
    text.push_str("zyxwort");
    place.write("docs/long.txt", &text);
    place.well(&["index", "docs", "--into", "idx", "--embedder", "hashed"]);
    for mode in ["bm25", "dense", "hybrid"] {
        let ran = place.well(&["search", "--index", "idx", "zyxwort", "--mode", mode, "-k", "1", "--format", "json"]);
        let text = ran.json()["passages"][0]["text"].as_str().unwrap().to_owned();
        assert!(text.ends_with("zyxwort"), "{mode}: {text}");
    }
}

#[test]
fn an_empty_query_is_an_error() {
    let place = Workplace::new();
    index_of_one(&place);
    for query in ["", "  ", "?!"] {
        place.run(&["search", "--index", "idx", query]).failed_saying(&["query"]);
    }
}

#[test]
fn a_path_that_is_no_index_is_an_error_that_names_it() {
    let place = Workplace::new();
    place.write("folder/file.txt", "text");
    for path in ["nowhere", "folder", "folder/file.txt"] {
        place.run(&["search", "--index", path, "word"]).failed_saying(&[path]);
        place.run(&["stat", "--index", path]).failed_saying(&[path]);
        place.run(&["verify", "--index", path, "--text", "A fact."]).failed_saying(&[path]);
    }
}

#[test]
fn an_index_without_documents_is_no_evidence() {
    let place = Workplace::new();
    place.write("docs/a.txt", "A fact.");
    place.well(&["index", "docs", "--into", "idx", "--embedder", "hashed"]);
    place.well(&["remove", "a.txt", "--index", "idx"]);
    place.run(&["verify", "--index", "idx", "--text", "A fact."]).failed_saying(&["idx", "no documents", "hint"]);
}

#[test]
fn indexing_into_a_folder_of_something_else_is_refused() {
    let place = Workplace::new();
    place.write("docs/a.txt", "A fact.");
    place.write("photos/holiday.jpg", "not an index");
    place.run(&["index", "docs", "--into", "photos", "--embedder", "hashed"]).failed_saying(&["photos"]);
    assert!(place.path("photos/holiday.jpg").exists());
}

#[test]
fn another_embedder_is_refused_before_anything_is_written() {
    let place = Workplace::new();
    index_of_one(&place);
    place.write("more/b.txt", "Beta is 2.");
    place.run(&["index", "more", "--into", "idx", "--embedder", "none"]).failed_saying(&["hashed", "hint"]);
    assert!(!finds(&place, "Beta", "b.txt"));
    // Without the flag the index's own is used.
    place.well(&["index", "more", "--into", "idx"]);
    assert!(finds(&place, "Beta", "b.txt"));
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error() {
    let place = Workplace::new();
    place.write("docs/a.txt", "A fact.");
    place.write("file", "in the way");
    let ran = place.run(&["index", "docs", "--into", "file/idx", "--embedder", "hashed"]);
    ran.failed_saying(&["file"]);
    assert!(!ran.stderr.contains("is not empty"), "{}", ran.stderr);
}

#[test]
fn no_space_left_is_an_error_and_the_previous_generation_still_opens() {
    let place = Workplace::new();
    let full = place.path("full");
    std::fs::create_dir(&full).unwrap();
    let mounted = std::process::Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=400k", "tmpfs", full.to_str().unwrap()])
        .output()
        .is_ok_and(|output| output.status.success());
    if !mounted {
        eprintln!("skipped: a small file system cannot be mounted here");
        return;
    }
    let outcome = std::panic::catch_unwind(|| {
        place.write("docs/a.txt", "The Ilva river is 88 km long.");
        place.well(&["index", "docs", "--into", "full/idx", "--embedder", "hashed"]);
        let text =
            (0..40_000).map(|n| format!("Sentence {n} speaks of item {}. ", n * 7919 % 100_003)).collect::<String>();
        place.write("big/b.txt", text);
        let ran = place.run(&["index", "big", "--into", "full/idx"]);
        ran.failed_saying(&["full/idx", "No space left", "hint"]);
        let found = place.well(&["search", "--index", "full/idx", "Ilva", "--mode", "bm25"]);
        assert!(found.stdout.contains("88 km"), "{}", found.stdout);
    });
    let _ = std::process::Command::new("umount").arg(&full).status();
    if let Err(panic) = outcome {
        std::panic::resume_unwind(panic);
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_while_indexing_leaves_the_previous_generation() {
    use std::io::Write;
    use std::process::Stdio;
    let place = Workplace::new();
    index_of_one(&place);
    let mut child = place
        .command(&["index", "-", "--stdin-kind", "jsonl", "--into", "idx", "--memory", "1MB"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    for n in 0..2_000 {
        writeln!(input, "{{\"id\":\"n{n}\",\"text\":\"Item {n} weighs {} kg. It is kept in hall {n}.\"}}", n * 3)
            .unwrap();
    }
    input.flush().unwrap();
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    // Input goes on: only the signal stops it. The pipe breaks when it has.
    for n in 0..200_000 {
        if writeln!(input, "{{\"id\":\"m{n}\",\"text\":\"Item {n}.\"}}").is_err() {
            break;
        }
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(finds(&place, "Ilva", "a.txt"));
    assert!(!finds(&place, "Item", "n1"));
    // And the next writer is not locked out.
    place.write("more/b.txt", "Beta is 2.");
    place.well(&["index", "more", "--into", "idx"]);
    assert!(finds(&place, "Beta", "b.txt"));
}

#[test]
fn a_named_path_that_is_not_there_is_an_error_and_makes_no_index() {
    let place = Workplace::new();
    place.write("docs/a.txt", "A fact.");
    place.run(&["index", "docs", "nowhere", "--into", "idx", "--embedder", "none"]).failed_saying(&["nowhere", "hint"]);
    assert!(!place.path("idx").exists());
}

#[test]
fn a_run_that_could_read_nothing_at_all_fails() {
    let place = Workplace::new();
    index_of_one(&place);
    place.write("bad.txt", b"\0\0\0\0 not text" as &[u8]);
    place.run(&["index", "bad.txt", "--into", "idx"]).failed_saying(&["bad.txt", "no document could be read"]);
    assert!(finds(&place, "Ilva", "a.txt"));
}

#[test]
fn a_document_that_cannot_be_stored_does_not_cost_the_others() {
    let place = Workplace::new();
    let long = "i".repeat(100_000);
    place.write(
        "docs.jsonl",
        format!("{{\"id\":\"{long}\",\"text\":\"Alpha is 1.\"}}\n{{\"id\":\"b\",\"text\":\"Beta is 2.\"}}\n"),
    );
    let ran = place.well(&["index", "docs.jsonl", "--into", "idx", "--embedder", "none", "--format", "json"]);
    assert_eq!((&ran.json()["documents"]["added"], &ran.json()["problems"]), (&1.into(), &1.into()));
    assert!(ran.stderr.contains("cannot be stored") && ran.stderr.len() < 1_000, "{}", ran.stderr);
    let strict = place.run(&["index", "docs.jsonl", "--into", "strict", "--embedder", "none", "--strict"]);
    strict.failed_saying(&["cannot be stored", "--strict"]);
    assert!(strict.stderr.len() < 1_000, "{}", strict.stderr);
}

#[test]
fn a_text_of_which_nothing_could_be_checked_says_why() {
    let place = Workplace::new();
    place.write("context.txt", "The Ilva river is 88 km long.");
    place
        .run(&["verify", "--context", "context.txt", "--text", "جسر إلفا طوله 340 مترا."])
        .failed_saying(&["nothing could be checked", "hint"]);
}

#[test]
fn an_unknown_embedder_for_a_context_is_refused_and_a_known_one_is_used() {
    let place = Workplace::new();
    place.write("context.txt", "The Ilva river is 88 km long.");
    let verify = ["verify", "--context", "context.txt", "--text", "The Ilva river is 88 km long.", "--format", "json"];
    place.run(&[&verify[..], &["--embedder", "nonsense"]].concat()).failed_saying(&["nonsense", "hint"]);
    let ran = place.well(&[&verify[..], &["--embedder", "hashed"]].concat());
    assert_eq!(ran.json()["models"]["embedder"]["name"], "hashed");
}

#[test]
fn standard_input_cannot_be_both_text_and_evidence() {
    let place = Workplace::new();
    place.run(&["verify", "--context", "-", "-"]).failed_saying(&["standard input", "hint"]);
}

#[test]
fn a_search_result_cannot_drive_the_terminal() {
    let place = Workplace::new();
    place.write("docs/a.txt", "The Ilva \u{1b}[2Jriver is 88 km long.");
    place.well(&["index", "docs", "--into", "idx", "--embedder", "none"]);
    let ran = place.well(&["search", "--index", "idx", "Ilva"]);
    assert!(ran.stdout.contains("88 km") && !ran.stdout.contains('\u{1b}'), "{:?}", ran.stdout);
}

#[test]
fn a_report_for_people_shows_what_would_turn_its_text_around_or_colour_it_and_json_keeps_it() {
    let place = Workplace::new();
    place.write("a.txt", "The Ilva dam is \u{1b}[31m30\u{1b}[0m m high.");
    let claim = "The Ilva dam\u{202e} is 30 m high.";
    let text = place.well(&["verify", "--context", "a.txt", "--text", claim]).stdout;
    assert!(text.contains("1 supported") && !text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
    let report = place.well(&["verify", "--context", "a.txt", "--text", claim, "--format", "json"]).json();
    assert_eq!(report["claims"][0]["text"], claim);
}

#[test]
fn a_folder_in_which_nothing_can_be_read_is_said_to_hold_nothing() {
    let place = Workplace::new();
    place.write("pictures/a.png", b"\x89PNG\r\n" as &[u8]);
    std::fs::create_dir(place.path("empty")).unwrap();
    for folder in ["pictures", "empty"] {
        let index = ["index", folder, "--into", "idx", "--embedder", "none"];
        place.run(&index).failed_saying(&["nothing was found to read", "hint"]);
    }
    // What has gone from a folder that is synchronised is removed, all of it too.
    place.write("docs/a.txt", "A fact.");
    place.well(&["index", "docs", "--into", "idx", "--embedder", "none"]);
    std::fs::remove_file(place.path("docs/a.txt")).unwrap();
    place.well(&["index", "docs", "--into", "idx", "--embedder", "none", "--sync"]);
}

#[test]
fn a_folder_that_a_killed_run_left_with_nothing_but_a_lock_can_be_indexed_into() {
    let place = Workplace::new();
    place.write("idx/LOCK", "");
    index_of_one(&place);
    assert!(finds(&place, "Ilva", "a.txt"));
}

#[cfg(target_os = "linux")]
#[test]
fn an_index_whose_name_is_not_utf_8_can_be_made_and_told_of() {
    use std::os::unix::ffi::OsStrExt;
    let place = Workplace::new();
    place.write("a.txt", "The Ilva river is 88 km long.");
    let mut command = place.command(&["index", "a.txt", "--embedder", "none", "--format", "json", "--into"]);
    let ran = crate::command::Ran::of(command.arg(std::ffi::OsStr::from_bytes(b"odd\xff")).output().unwrap());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.json()["documents"]["added"], 1);
}
