//! The corpora of this repository: readable without a problem, as their READMEs say, and consistent.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::*;

const NAMES: [&str; 3] = ["observatory", "city-almanac", "three-languages"];

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpora").join(name)
}

fn records(path: &Path) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn ids(name: &str) -> BTreeSet<String> {
    let reading = read_paths(&[folder(name).join("documents")], &ReadOptions::default());
    reading.map(|item| item.unwrap_or_else(|problem| panic!("{problem}")).id.0).collect()
}

#[test]
fn every_shipped_document_is_read_without_a_problem() {
    let counts: Vec<_> = NAMES.into_iter().map(|name| ids(name).len()).collect();
    assert_eq!(counts, [13, 22, 6]);
}

#[test]
fn every_gold_claim_has_a_known_label_and_a_document_that_is_there() {
    let mut seen = BTreeSet::new();
    for name in NAMES {
        let ids = ids(name);
        for claim in records(&folder(name).join("claims.jsonl")) {
            let label = claim["label"].as_str().unwrap();
            let labels = ["supported", "partially_supported", "contradicted", "conflicting", "not_enough_info"];
            assert!(labels.contains(&label), "{claim}");
            assert_eq!(claim["document"].is_null(), label == "not_enough_info", "{claim}");
            assert!(claim["document"].as_str().is_none_or(|document| ids.contains(document)), "{claim}");
            assert!(!claim["claim"].as_str().unwrap().is_empty() && !claim["why"].as_str().unwrap().is_empty());
            assert!(seen.insert(claim["id"].as_str().unwrap().to_owned()), "{claim}");
        }
    }
    assert_eq!(seen.len(), 46 + 30 + 15);
}

#[test]
fn the_sample_answer_is_exactly_its_expected_fragments_in_order() {
    let answer = fs::read_to_string(folder("observatory").join("answer.md")).unwrap();
    let mut rest = answer.as_str();
    for expected in records(&folder("observatory").join("answer.expected.jsonl")) {
        let fragment = expected["fragment"].as_str().unwrap();
        rest = rest.trim_start().strip_prefix(fragment).unwrap_or_else(|| panic!("not next: {fragment}"));
    }
    assert_eq!(rest.trim(), "");
}

#[test]
fn the_checksums_in_the_readmes_are_those_of_the_files() {
    for name in NAMES.into_iter().chain(["veldmark-wiki"]) {
        let folder = folder(name);
        let readme = fs::read_to_string(folder.join("README.md")).unwrap();
        let listed: Vec<_> =
            readme.lines().filter_map(|line| line.split_once("  ")).filter(|(sum, _)| sum.len() == 64).collect();
        assert!(listed.len() >= 3, "{name}");
        for (sum, file) in listed {
            let digest = Sha256::digest(fs::read(folder.join(file)).unwrap());
            let found: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(found, sum, "{name}/{file}");
        }
    }
}
