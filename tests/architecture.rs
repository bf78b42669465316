//! Rooms use only the rooms that the design lets them use: this reads the `crate::…` paths of every file in `src/`.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops there")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Room -> the rooms of ours that it may use. `error` and `progress` belong to no room and may be used by all.
const MAY_USE: &[(&str, &[&str])] = &[
    ("text", &[]),
    ("onnx", &[]),
    ("corpus", &["text"]),
    ("chunk", &["text", "corpus"]),
    ("embed", &["onnx", "text"]),
    ("lexical", &["chunk", "text"]),
    ("vector", &[]),
    ("index", &["corpus", "chunk", "embed", "lexical", "vector", "text"]),
    ("retrieve", &["index", "embed", "chunk", "onnx", "corpus", "text", "lexical", "vector"]),
    ("claim", &["text"]),
    ("evidence", &["claim", "retrieve", "index", "corpus", "embed", "chunk", "text"]),
    ("verify", &["evidence", "claim", "embed", "onnx", "text", "corpus"]),
    ("judge", &["verify", "evidence", "claim", "embed", "onnx", "text", "corpus"]),
    ("report", &["judge", "verify", "evidence", "claim", "text"]),
    (
        "eval",
        &[
            "text", "corpus", "chunk", "onnx", "embed", "lexical", "vector", "index", "retrieve", "claim", "evidence",
            "verify", "judge", "report",
        ],
    ),
    (
        "compat",
        &[
            "text", "corpus", "chunk", "onnx", "embed", "lexical", "vector", "index", "retrieve", "claim", "evidence",
            "verify", "judge", "report",
        ],
    ),
];
const ALL: &[&str] = &["error", "progress"];
const USES_INDEX_FORMAT: &[&str] = &["lexical", "vector", "index"];
const USES_TANTIVY: &[&str] = &["lexical"];
const USES_NETWORK: &[&str] = &["evidence", "judge", "bin"];

#[test]
fn each_room_uses_only_the_rooms_above_it() {
    let table: BTreeMap<&str, &[&str]> = MAY_USE.iter().copied().collect();
    let mut wrong = Vec::new();
    for (room, path, text) in room_files() {
        let Some(allowed) = table.get(room.as_str()) else {
            wrong.push(format!("room `{room}` is not in the table ({})", path.display()));
            continue;
        };
        for used in crate_paths(&text) {
            if used != room && !allowed.contains(&used.as_str()) && !ALL.contains(&used.as_str()) {
                wrong.push(format!("{} uses crate::{used}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn index_files_postings_and_the_network_each_have_their_rooms() {
    let mut wrong = Vec::new();
    for (room, path, text) in room_files() {
        for (name, rooms) in
            [("evidex_index_format", USES_INDEX_FORMAT), ("tantivy", USES_TANTIVY), ("reqwest", USES_NETWORK)]
        {
            let used = code_lines(&text).any(|line| line.contains(&format!("{name}::")));
            if used && !rooms.contains(&room.as_str()) {
                wrong.push(format!("{} uses {name}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_room_is_an_index_card() {
    for (room, path, text) in room_files() {
        if path.ends_with(format!("{room}/mod.rs")) {
            let code = code_lines(&text).filter(|line| line.trim_start().starts_with("fn ")).count();
            assert_eq!(code, 0, "{} holds code; code lives in named files", path.display());
            assert!(text.starts_with("//!"), "{} does not say what the room is for", path.display());
        }
    }
}

/// Room, path and text of every file below `src/` that is in a room.
fn room_files() -> Vec<(String, PathBuf, String)> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    let mut folders = vec![source.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let below = path.strip_prefix(&source).unwrap();
            let room = below.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
            if path.is_dir() {
                if room != "bin" {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && below.components().count() > 1
                && !is_test(below)
            {
                let text = fs::read_to_string(&path).unwrap();
                files.push((room, path, text));
            }
        }
    }
    assert!(files.len() > 20, "the rooms were not found");
    files
}

/// Tests may use what they like.
fn is_test(path: &Path) -> bool {
    path.components().any(|part| {
        let name = part.as_os_str().to_string_lossy();
        name == "tests" || name == "tests.rs" || name.ends_with("_tests.rs")
    })
}

/// Lines that are neither comments nor documentation, up to the file's tests (which may use what they like).
fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().take_while(|line| *line != "#[cfg(test)]").filter(|line| !line.trim_start().starts_with("//"))
}

/// The rooms named after `crate::` in a file.
fn crate_paths(text: &str) -> Vec<String> {
    let mut rooms = Vec::new();
    for line in code_lines(text) {
        for (at, _) in line.match_indices("crate::") {
            let rest = &line[at + "crate::".len()..];
            let room: String = rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
            if !room.is_empty() {
                rooms.push(room);
            }
        }
    }
    rooms
}
