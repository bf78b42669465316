//! Windows over real documents: the factbook of this workplace, and a line of 200 megabytes.

use std::path::{Path, PathBuf};

use super::*;
use crate::corpus::{ReadOptions, read_paths};

/// The shared data of this workplace, or `None` where it is not there and need not be.
fn shared(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("EVIDEX_SHARED").map(PathBuf::from);
    let root = root.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"));
    let found = root.join(path);
    if found.exists() {
        return Some(found);
    }
    assert!(
        std::env::var_os("EVIDEX_REQUIRE_SHARED").is_none_or(|value| value != "1"),
        "{} is missing",
        found.display()
    );
    println!("skipped: {} is missing", found.display());
    None
}

#[test]
fn the_factbook_is_read_whole_and_cut_at_its_lines() {
    let Some(path) = shared("data/factbook/factbook.jsonl.zst") else { return };
    let mut reading = read_paths(&[path], &ReadOptions::default());
    let policy = ChunkPolicy::Sentences { size: 1, overlap: 0 };
    let (mut windows, mut across) = (0, 0);
    for document in reading.by_ref() {
        let document = document.unwrap();
        assert!(document.title.is_some());
        for chunk in chunks(&document, &policy).unwrap() {
            windows += 1;
            across += usize::from(chunk.text.contains('\n'));
        }
    }
    assert_eq!(reading.summary().documents, 261);
    assert!(windows > 60_000, "{windows}");
    assert_eq!(across, 0);
}

#[test]
#[ignore = "takes ten seconds; run by itself for the figures: cargo test --lib chunk::shared_tests::a_line_of -- --ignored --nocapture"]
fn a_line_of_200_megabytes_is_cut_in_linear_time() {
    let mut times = Vec::new();
    for size in [20usize << 20, 200 << 20] {
        let text = "word ".repeat(size / 5);
        let started = std::time::Instant::now();
        let windows = chunk_spans(&text, &ChunkPolicy::default()).unwrap();
        times.push(started.elapsed());
        println!("{size} bytes, {} windows, {:?}", windows.len(), started.elapsed());
    }
    assert!(times[1] < times[0] * 20);
}
