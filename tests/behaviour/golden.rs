//! An index that an earlier build wrote: every later build reads it, upgrades it and goes on writing to it.

use std::path::Path;

use crate::command::Workplace;

/// The golden index of this name, copied to where it may be written to.
fn golden(place: &Workplace, name: &str) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    std::fs::create_dir_all(place.path("golden")).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.file_name() != "README.md" {
            std::fs::copy(entry.path(), place.path("golden").join(entry.file_name())).unwrap();
        }
    }
}

fn answers(place: &Workplace) {
    for (query, document) in [
        ("QX-7741", "harbour.md"),
        ("Wie lang ist die Brücke?", "bruecke.txt"),
        ("权威事实", "zh"),
        ("How high is the tower of Bram?", "tower.txt"),
    ] {
        for mode in ["bm25", "dense", "hybrid"] {
            let page = place
                .well(&["search", "--index", "golden", query, "--mode", mode, "-k", "1", "--format", "json"])
                .json();
            assert_eq!(page["passages"][0]["document_id"], document, "{query} {mode}");
        }
    }
    let listed = place.well(&["list", "--index", "golden", "--filter", "year>2000", "--format", "json"]).json();
    assert_eq!(listed["documents"][0]["id"], "zh");
    assert_eq!(place.run(&["show", "old", "--index", "golden"]).code, 2);
}

#[test]
fn a_golden_index_of_format_version_1_is_read_checked_and_written_to() {
    let place = Workplace::new();
    golden(&place, "index-v1");
    // An index whose words an older analyzer read says so, and is upgraded.
    place.well(&["upgrade", "--index", "golden"]);
    let page = place.well(&["check", "--deep", "--index", "golden", "--format", "json"]).json();
    // The removed document is gone from the files.
    assert_eq!((&page["sound"], &page["documents"]), (&true.into(), &4.into()));
    assert_eq!(place.well(&["inspect", "--index", "golden", "--format", "json"]).json()["format_version"], 1);
    answers(&place);
    place.write("docs/tower.txt", "The tower of Bram is 32 m high.");
    place.well(&["index", "docs", "--into", "golden"]);
    place.well(&["compact", "--index", "golden"]);
    let page = place.well(&["check", "--deep", "--index", "golden", "--format", "json"]).json();
    assert_eq!((&page["sound"], &page["documents"]), (&true.into(), &4.into()));
    answers(&place);
    assert!(place.well(&["show", "tower.txt", "--index", "golden"]).stdout.contains("32 m"));
}

#[test]
fn a_golden_index_of_analyzer_version_2_holds_the_words_that_this_build_reads() {
    let place = Workplace::new();
    golden(&place, "index-v1-analyzer-2");
    // Does nothing while the analyzer's version is 2, so that the deep check compares what was written then.
    place.well(&["upgrade", "--index", "golden"]);
    let page = place.well(&["check", "--deep", "--index", "golden", "--format", "json"]).json();
    assert_eq!((&page["sound"], page["documents"].as_u64() >= Some(5)), (&true.into(), true));
    answers(&place);
    let page = place.well(&["search", "--index", "golden", "torre conde", "--mode", "bm25", "--format", "json"]).json();
    assert_eq!(page["passages"][0]["document_id"], "torres.txt");
}
