//! The life of an index: listing, showing, removing, keeping in step with folders, copying, checking, exporting.

use serde_json::Value;

use crate::command::Workplace;

const RECORDS: &str = concat!(
    "{\"id\":\"ilva\",\"title\":\"Ilva\",\"text\":\"The Ilva river is 88 km long.\",\"lang\":\"en\",\"year\":2019}\n",
    "{\"id\":\"arden\",\"text\":\"Arden has 12,000 inhabitants.\",\"lang\":\"en\",\"year\":2021}\n",
    "{\"id\":\"brandt\",\"text\":\"Ana Brandt entwarf die Brücke.\",\"lang\":\"de\",\"year\":2022}\n",
);

fn index_of_records(place: &Workplace) {
    place.write("towns.jsonl", RECORDS);
    place.well(&["index", "towns.jsonl", "--into", "idx", "--embedder", "hashed"]);
}

fn ids(place: &Workplace, more: &[&str]) -> Vec<String> {
    let page = place.well(&[&["list", "--index", "idx", "--format", "json"], more].concat()).json();
    let mut ids: Vec<String> =
        page["documents"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect();
    ids.sort();
    ids
}

fn sound(place: &Workplace, index: &str) {
    let ran = place.well(&["check", "--deep", "--index", index]);
    assert!(ran.stdout.contains("sound"), "{}", ran.stdout);
}

#[test]
fn documents_are_listed_and_shown() {
    let place = Workplace::new();
    index_of_records(&place);
    let listed = place.well(&["list", "--index", "idx"]).stdout;
    assert!(listed.contains("ilva  “Ilva”  towns.jsonl") && listed.ends_with("3 documents\n"), "{listed}");
    assert_eq!(ids(&place, &["--filter", "lang=en AND year>=2020"]), ["arden"]);
    let one = place.well(&["list", "--index", "idx", "--limit", "1"]).stdout;
    assert!(one.ends_with("1 of 3 documents\n"), "{one}");
    let shown = place.well(&["show", "ilva", "--index", "idx"]).stdout;
    assert!(shown.contains("year      2019") && shown.ends_with("\nThe Ilva river is 88 km long.\n"), "{shown}");
    let page = place.well(&["show", "ilva", "--index", "idx", "--format", "json"]).json();
    assert_eq!((&page["metadata"]["lang"], &page["place"]), (&"en".into(), &"line 1".into()));
    assert_eq!(page["chunks"][0]["span"]["end"], 29);
    let chunks = place.well(&["show", "ilva", "--index", "idx", "--chunks"]).stdout;
    assert!(chunks.contains("[1] bytes 0–29\nThe Ilva"), "{chunks}");
    place.run(&["show", "il", "--index", "idx"]).failed_saying(&["no_document", "these are there: ilva"]);
    place.run(&["show", "nothing", "--index", "idx"]).failed_saying(&["evidex list --index idx"]);
    place.run(&["list", "--index", "nowhere"]).failed_saying(&["nowhere"]);
}

#[test]
fn filters_apply_to_search_verify_list_export_and_remove_and_bad_ones_are_pointed_at() {
    let place = Workplace::new();
    index_of_records(&place);
    let found = |filter: &str, mode: &str| {
        let query =
            ["search", "--index", "idx", "river Arden Brandt", "--mode", mode, "--format", "json", "--filter", filter];
        let page = place.well(&query).json();
        let mut ids: Vec<String> = page["passages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["document_id"].as_str().unwrap().to_owned())
            .collect();
        ids.sort();
        ids
    };
    for mode in ["bm25", "dense", "hybrid"] {
        assert_eq!(found("year>=2021", mode), ["arden", "brandt"], "{mode}");
        assert_eq!(found("lang=fr", mode), [""; 0], "{mode}");
    }
    let verify = |filter: &str| {
        place.run(&["verify", "--index", "idx", "--text", "The Ilva river is 88 km long.", "--filter", filter])
    };
    assert_eq!(verify("lang=en").code, 0);
    assert_eq!(verify("year>2019").code, 1);
    verify("lang=fr").failed_saying(&["no document", "filter"]);
    place
        .run(&["verify", "--text", "A fact.", "--context", "towns.jsonl", "--filter", "a=b"])
        .failed_saying(&["--index"]);
    let exported = place.well(&["export", "documents", "--index", "idx", "--filter", "id=arden"]).stdout;
    assert_eq!(exported.lines().count(), 1);
    for command in [
        &["search", "--index", "idx", "river", "--filter", "year>="][..],
        &["list", "--index", "idx", "--filter", "year>="],
        &["remove", "--index", "idx", "--filter", "year>="],
        &["export", "chunks", "--index", "idx", "--filter", "year>="],
    ] {
        place.run(command).failed_saying(&["column 7", "  year>=\n        ^", "hint"]);
    }
    assert_eq!(ids(&place, &[]).len(), 3);
}

#[test]
fn documents_are_removed_by_id_by_source_and_by_filter_in_one_step() {
    let place = Workplace::new();
    index_of_records(&place);
    place.write("docs/a.txt", "Alpha is 1.");
    place.write("docs/b.txt", "Beta is 2.");
    place.well(&["index", "docs", "--into", "idx"]);
    let dry = place.well(&["remove", "--index", "idx", "--filter", "lang=en", "--dry-run"]).stdout;
    assert!(dry.contains("arden\nilva\n") && dry.contains("2 documents would be removed"), "{dry}");
    assert_eq!(ids(&place, &[]).len(), 5);
    place.run(&["remove", "a.txt", "absent", "--index", "idx"]).failed_saying(&["`absent`", "nothing was removed"]);
    assert_eq!(ids(&place, &[]).len(), 5);
    let page = place
        .well(&[
            "remove",
            "a.txt",
            "--index",
            "idx",
            "--source",
            "towns.jsonl",
            "--filter",
            "lang=en",
            "--format",
            "json",
        ])
        .json();
    assert_eq!(page["removed"], serde_json::json!(["a.txt", "arden", "ilva"]));
    assert_eq!(page["generation"], 3);
    assert_eq!(ids(&place, &[]), ["b.txt", "brandt"]);
    let nothing = place.well(&["remove", "--index", "idx", "--filter", "lang=fr"]).stdout;
    assert!(nothing.contains("0 documents removed, generation 3"), "{nothing}");
    place.run(&["remove", "--index", "idx"]).failed_saying(&["required"]);
    sound(&place, "idx");
    let text = place.well(&["search", "--index", "idx", "Ilva river", "--mode", "bm25"]).stdout;
    assert!(!text.contains("88 km"), "{text}");
}

#[test]
fn a_shrunk_file_leaves_nothing_behind_and_sync_removes_what_is_gone() {
    let place = Workplace::new();
    place.write("docs/towns.csv", "name,text\nIlva,Ilva is old.\nArden,Arden is new.\nBram,Bram is small.\n");
    place.write("docs/a.txt", "Alpha is 1.");
    place.write("other/c.txt", "Gamma is 3.");
    place.well(&["index", "docs", "other", "--into", "idx", "--embedder", "hashed"]);
    assert_eq!(ids(&place, &[]).len(), 5);
    // The last row is gone, and a.txt has another name.
    place.write("docs/towns.csv", "name,text\nIlva,Ilva is old.\nArden,Arden is new.\n");
    std::fs::rename(place.path("docs/a.txt"), place.path("docs/b.txt")).unwrap();
    let ran = place.well(&["index", "docs", "--into", "idx"]);
    assert!(ran.stderr.contains("1 document of the named folders is not there any more; --sync"), "{}", ran.stderr);
    assert_eq!(ids(&place, &[]), ["a.txt", "b.txt", "c.txt", "towns.csv#2", "towns.csv#3"]);
    let page = place.well(&["index", "docs", "--into", "idx", "--sync", "--format", "json"]).json();
    assert_eq!((&page["documents"]["removed"], &page["documents"]["unchanged"]), (&1.into(), &3.into()));
    assert_eq!(ids(&place, &[]), ["b.txt", "c.txt", "towns.csv#2", "towns.csv#3"]);
    // What could not be read is not taken for gone: here one broken line.
    place.write("docs/more.jsonl", "{\"id\":\"x\",\"text\":\"X is 1.\"}\n{\"id\":\"y\",\"text\":\"Y is 2.\"}\n");
    place.well(&["index", "docs", "--into", "idx", "--sync"]);
    place.write("docs/more.jsonl", "{\"id\":\"x\",\"text\":\"X is 1.\"}\n{broken\n");
    place.well(&["index", "docs", "--into", "idx", "--sync"]);
    assert!(ids(&place, &[]).contains(&"y".to_owned()));
    let unchanged = place.well(&["index", "docs", "--into", "idx", "--sync", "--format", "json"]).json();
    assert_eq!(unchanged["documents"]["removed"], 0);
    sound(&place, "idx");
}

#[test]
fn two_folders_with_the_same_relative_path_do_not_replace_each_other() {
    let place = Workplace::new();
    place.write("one/a.txt", "Alpha is 1.");
    place.write("two/a.txt", "Alpha is 2.");
    place.well(&["index", "one", "--into", "idx", "--embedder", "none"]);
    place.run(&["index", "two", "--into", "idx"]).failed_saying(&["one/a.txt", "two/a.txt", "--id-prefix", "--moved"]);
    assert_eq!(ids(&place, &[]), ["a.txt"]);
    place.well(&["index", "two", "--into", "idx", "--id-prefix", "two/"]);
    assert_eq!(ids(&place, &[]), ["a.txt", "two/a.txt"]);
    // From inside another folder the same name leads elsewhere, and another name to the same place.
    place.write("deep/one/a.txt", "Alpha is 3.");
    let mut command = place.command(&["index", "one", "--into", "../idx"]);
    let ran = crate::command::Ran::of(command.current_dir(place.path("deep")).output().unwrap());
    ran.failed_saying(&["`one/`", "absolute path", "--moved"]);
    place.write("one/a.txt", "Alpha is 1.5.");
    let mut command = place.command(&["index", "../one", "--into", "../idx", "--format", "json"]);
    let ran = crate::command::Ran::of(command.current_dir(place.path("deep")).output().unwrap());
    assert_eq!(ran.json()["documents"]["replaced"], 1, "{}", ran.stderr);
    // Index and documents move together; documents alone only when that is said.
    std::fs::create_dir(place.path("new")).unwrap();
    for name in ["idx", "one"] {
        std::fs::rename(place.path(name), place.path("new").join(name)).unwrap();
    }
    place.write("new/one/a.txt", "Alpha is 1.6.");
    let page = place.well(&["index", "new/one", "--into", "new/idx", "--format", "json"]).json();
    assert_eq!(page["documents"]["replaced"], 1);
    std::fs::rename(place.path("new/one"), place.path("elsewhere")).unwrap();
    place.write("elsewhere/a.txt", "Alpha is 1.7.");
    place.run(&["index", "elsewhere", "--into", "new/idx"]).failed_saying(&["--moved"]);
    let page = place.well(&["index", "elsewhere", "--into", "new/idx", "--moved", "--format", "json"]).json();
    assert_eq!(page["documents"]["replaced"], 1);
}

#[test]
fn a_backup_is_an_index_of_its_own_and_never_overwrites() {
    let place = Workplace::new();
    index_of_records(&place);
    place.well(&["remove", "arden", "--index", "idx"]);
    let text = place.well(&["backup", "copies/one", "--index", "idx"]).stdout;
    assert!(text.contains("generation 2 copied") && text.contains("copies/one"), "{text}");
    sound(&place, "copies/one");
    let listed = place.well(&["list", "--index", "copies/one", "--format", "json"]).json();
    assert_eq!(listed["documents"].as_array().unwrap().len(), 2);
    place.run(&["backup", "copies/one", "--index", "idx"]).failed_saying(&["copies/one", "hint"]);
    place.run(&["backup", "copies", "--index", "idx"]).failed_saying(&["copies", "not empty"]);
    place.run(&["backup", "idx", "--index", "idx"]).failed_saying(&["idx is not empty", "new or an empty folder"]);
    place.run(&["backup", "copies/two", "--index", "nowhere"]).failed_saying(&["nowhere"]);
    let found = place.well(&["search", "--index", "copies/one", "Ilva river", "-k", "1"]).stdout;
    assert!(found.contains("88 km"), "{found}");
}

#[test]
fn compacting_drops_what_was_removed_and_keeps_the_answers() {
    let place = Workplace::new();
    for number in 0..3 {
        place.write(&format!("docs/d{number}.txt"), format!("Item {number} weighs {} kg.", number + 40));
        place.well(&["index", &format!("docs/d{number}.txt"), "--into", "idx", "--embedder", "hashed"]);
    }
    place.well(&["remove", "docs/d1.txt", "--index", "idx"]);
    let before = place.well(&["search", "--index", "idx", "item weighs", "--mode", "dense", "--format", "json"]).json();
    let page = place.well(&["compact", "--index", "idx", "--format", "json"]).json();
    assert_eq!((&page["segments"]["now"], &page["changed"]), (&1.into(), &true.into()));
    let after = place.well(&["search", "--index", "idx", "item weighs", "--mode", "dense", "--format", "json"]).json();
    assert_eq!(before, after);
    assert_eq!(place.well(&["stat", "--index", "idx", "--format", "json"]).json()["removed_documents"], 0);
    let again = place.well(&["compact", "--index", "idx"]).stdout;
    assert!(again.contains("compact already"), "{again}");
    let upgraded = place.well(&["upgrade", "--index", "idx"]).stdout;
    assert!(upgraded.contains("of this version already"), "{upgraded}");
    sound(&place, "idx");
}

#[test]
fn check_tells_damage_from_soundness_by_its_exit_code_and_names_the_place() {
    let place = Workplace::new();
    index_of_records(&place);
    let page = place.well(&["check", "--deep", "--index", "idx", "--format", "json"]).json();
    assert_eq!((&page["sound"], &page["documents"], &page["chunks"]), (&true.into(), &3.into(), &3.into()));
    let segment = place.path("idx/segment-00000000.seg");
    let mut bytes = std::fs::read(&segment).unwrap();
    bytes[100] ^= 1;
    std::fs::write(&segment, &bytes).unwrap();
    for deep in [&[][..], &["--deep"]] {
        let ran = place.run(&[&["check", "--index", "idx"], deep].concat());
        assert_eq!(ran.code, 1, "{}", ran.stdout);
        for part in ["damaged", "segment-00000000.seg", "texts", "at byte"] {
            assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
        }
    }
    // Too damaged to be opened at all.
    std::fs::write(place.path("idx/manifest-00000001.mft"), "rubbish").unwrap();
    let ran = place.run(&["check", "--index", "idx", "--format", "json"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert_eq!(ran.json()["sound"], false);
    assert_eq!(place.run(&["inspect", "--index", "idx"]).code, 0);
    place.run(&["list", "--index", "idx"]).failed_saying(&["manifest-00000001.mft", "hint"]);
    place.run(&["check", "--index", "nowhere"]).failed_saying(&["nowhere"]);
}

#[test]
fn inspect_shows_files_segments_and_sections() {
    let place = Workplace::new();
    index_of_records(&place);
    let page = place.well(&["inspect", "--index", "idx", "--format", "json"]).json();
    assert_eq!((&page["format_version"], &page["generation"]), (&1.into(), &1.into()));
    let sections = page["segments"][0]["sections"].as_array().unwrap();
    assert!(sections.iter().any(|section| section["name"] == "vectors" && section["offset"].is_u64()));
    let text = place.well(&["inspect", "--index", "idx"]).stdout;
    assert!(text.contains("segment-00000000.seg: 3 documents, 3 chunks"), "{text}");
}

#[test]
fn an_export_of_documents_makes_the_same_index_again() {
    let place = Workplace::new();
    index_of_records(&place);
    let documents = place.well(&["export", "documents", "--index", "idx"]).stdout;
    place.write("export.jsonl", &documents);
    place.well(&["index", "export.jsonl", "--into", "again", "--embedder", "hashed"]);
    let again = place.well(&["export", "documents", "--index", "again"]).stdout;
    let fields = |lines: &str| -> Vec<(Value, Value, Value, Value)> {
        lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .map(|it: Value| (it["id"].clone(), it["title"].clone(), it["text"].clone(), it["year"].clone()))
            .collect()
    };
    assert_eq!(fields(&documents), fields(&again));
    assert_eq!(fields(&documents).len(), 3);
    let chunks = place.well(&["export", "chunks", "--index", "idx"]).stdout;
    let first: Value = serde_json::from_str(chunks.lines().next().unwrap()).unwrap();
    assert_eq!((&first["document_id"], &first["span"]["end"]), (&"ilva".into(), &29.into()));
    let vectors = place.well(&["export", "vectors", "--index", "idx"]).stdout;
    let first: Value = serde_json::from_str(vectors.lines().next().unwrap()).unwrap();
    let norm: f64 = first["vector"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap().powi(2)).sum();
    assert!((norm - 1.0).abs() < 1e-3, "{norm}");
    place.well(&["index", "towns.jsonl", "--into", "words", "--embedder", "none"]);
    place.run(&["export", "vectors", "--index", "words"]).failed_saying(&["no vectors", "hint"]);
}

#[test]
fn vectors_are_kept_as_asked_for_and_a_later_run_cannot_ask_for_others() {
    let place = Workplace::new();
    place.write("docs/a.txt", "The Ilva river is 88 km long.");
    for (kind, section) in [("f32", Some(4096)), ("f16", Some(2048)), ("int8", None)] {
        place.well(&["index", "docs", "--into", kind, "--embedder", "hashed", "--vectors", kind]);
        let page = place.well(&["stat", "--index", kind, "--format", "json"]).json();
        let originals = page["sections"].as_array().unwrap().iter().find(|it| it["name"] == "vector-originals");
        assert_eq!(originals.and_then(|it| it["bytes"].as_u64()), section, "{kind}");
        let found = place.well(&["search", "--index", kind, "Ilva river length", "--mode", "dense", "-k", "1"]).stdout;
        assert!(found.contains("88 km"), "{kind}: {found}");
        sound(&place, kind);
    }
    place.run(&["index", "docs", "--into", "f16", "--vectors", "int8"]).failed_saying(&["--vectors", "F16"]);
    place.run(&["index", "docs", "--into", "new", "--vectors", "f64"]).failed_saying(&["f64"]);
}

#[test]
fn several_indexes_answer_as_one_that_holds_all_their_documents() {
    let place = Workplace::new();
    let mut all = String::new();
    for (at, name) in ["one", "two", "three"].iter().enumerate() {
        let mut records = String::new();
        for number in 0..20 * (at + 1) {
            records.push_str(&format!(
                "{{\"id\":\"{name}-{number}\",\"text\":\"{} {number} of the {name} harbour weighs {} kg. {}\"}}\n",
                if number % 3 == 0 { "Crane" } else { "Anchor" },
                number * 7,
                "It is old. ".repeat(number % 4),
            ));
        }
        place.write(&format!("{name}.jsonl"), &records);
        all.push_str(&records);
        place.well(&["index", &format!("{name}.jsonl"), "--into", &format!("idx-{name}"), "--embedder", "hashed"]);
    }
    place.write("all.jsonl", &all);
    place.well(&["index", "all.jsonl", "--into", "idx-all", "--embedder", "hashed"]);
    for query in ["crane of the two harbour", "what weighs 63 kg", "anchor 17", "old harbour"] {
        for mode in ["bm25", "dense", "hybrid"] {
            let ranked = |indexes: &[&str]| -> Vec<(String, String)> {
                let mut arguments = vec!["search", query, "--mode", mode, "--format", "json"];
                indexes.iter().for_each(|index| arguments.extend(["--index", index]));
                let page = place.well(&arguments).json();
                let passages = page["passages"].as_array().unwrap();
                passages.iter().map(|it| (it["document_id"].to_string(), it["scores"]["fused"].to_string())).collect()
            };
            let whole = ranked(&["idx-all"]);
            assert!(!whole.is_empty());
            assert_eq!(ranked(&["idx-one", "idx-two", "idx-three"]), whole, "{query} {mode}");
            assert_eq!(ranked(&["idx-three", "idx-one", "idx-two"]), whole, "{query} {mode}");
        }
    }
    place.well(&["index", "one.jsonl", "--into", "words", "--embedder", "none"]);
    place
        .run(&["search", "--index", "idx-two", "--index", "words", "crane"])
        .failed_saying(&["cannot be searched as one", "--mode bm25"]);
    let found = place.well(&["search", "--index", "idx-two", "--index", "words", "crane", "--mode", "bm25"]).stdout;
    assert!(found.contains("one-"), "{found}");
}

#[cfg(unix)]
#[test]
fn an_index_in_a_folder_without_write_rights_is_read_and_not_written() {
    use std::os::unix::fs::PermissionsExt;
    let place = Workplace::new();
    index_of_records(&place);
    std::fs::set_permissions(place.path("idx"), std::fs::Permissions::from_mode(0o555)).unwrap();
    for file in std::fs::read_dir(place.path("idx")).unwrap() {
        std::fs::set_permissions(file.unwrap().path(), std::fs::Permissions::from_mode(0o444)).unwrap();
    }
    assert_eq!(ids(&place, &[]).len(), 3);
    sound(&place, "idx");
    place.well(&["search", "--index", "idx", "Ilva"]);
    place.well(&["backup", "copy", "--index", "idx"]);
    // Root may write anywhere, so that there is nothing to refuse.
    let writable = std::fs::write(place.path("idx/probe"), "").is_ok();
    if !writable {
        place.run(&["remove", "ilva", "--index", "idx"]).failed_saying(&["idx"]);
        assert_eq!(ids(&place, &[]).len(), 3);
    }
    std::fs::set_permissions(place.path("idx"), std::fs::Permissions::from_mode(0o755)).unwrap();
}
