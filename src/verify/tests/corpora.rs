//! The corpora that ship with evidex: the gold claims against their documents, found through an index.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::support::claim;
use crate::corpus::{ReadOptions, read_paths};
use crate::embed::{Embedder, HashedEmbedder};
use crate::evidence::LocalIndex;
use crate::index::{Index, IndexOptions, WriterOptions};
use crate::verify::{CitationRole, Label, Verifier};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpora").join(name)
}

fn verifier(corpus: &str) -> Verifier {
    let embedder: Arc<dyn Embedder> = Arc::new(HashedEmbedder::new());
    let options = IndexOptions { embedder: Some(embedder.identity().clone()), ..IndexOptions::default() };
    let index = Index::in_memory(options).unwrap();
    let mut writer = index.writer(Some(Arc::clone(&embedder)), WriterOptions::default()).unwrap();
    for document in read_paths(&[folder(corpus).join("documents")], &ReadOptions::default()) {
        writer.add(document.unwrap_or_else(|problem| panic!("{problem}"))).unwrap();
    }
    writer.commit().unwrap();
    let source = LocalIndex::new(corpus, index.snapshot().unwrap(), Some(embedder));
    Verifier::builder().source(Arc::new(source)).build().unwrap()
}

fn records(corpus: &str, file: &str) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(folder(corpus).join(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Judges the gold claims; says which labels are wrong, and fails where a claim is falsely supported or contradicted.
fn check_gold(corpus: &str, most_wrong: usize) {
    let verifier = verifier(corpus);
    let (mut wrong, mut false_verdicts) = (Vec::new(), 0);
    for record in records(corpus, "claims.jsonl") {
        let (text, gold) = (record["claim"].as_str().unwrap(), record["label"].as_str().unwrap());
        let verdict = verifier.verify_claim(&claim(text));
        if verdict.label.as_str() == gold {
            continue;
        }
        let supported = verdict.label == Label::Supported;
        let contradicted = verdict.label == Label::Contradicted;
        false_verdicts += usize::from(supported || contradicted);
        let quotes: Vec<_> = verdict.evidence.iter().map(|citation| citation.quote.as_str()).collect();
        wrong.push(format!("{}: {text}: {gold}, not {} ({}) {quotes:?}", record["id"], verdict.label, verdict.reason));
    }
    println!("{corpus}: {} wrong\n{}", wrong.len(), wrong.join("\n"));
    assert!(false_verdicts == 0 && wrong.len() <= most_wrong, "{}", wrong.join("\n"));
}

#[test]
fn the_gold_claims_about_the_observatory_are_judged_right() {
    check_gold("observatory", 4);
}

#[test]
fn the_gold_claims_about_the_cities_are_judged_right() {
    check_gold("city-almanac", 3);
}

#[test]
fn the_gold_claims_in_three_languages_are_judged_right() {
    check_gold("three-languages", 1);
}

#[test]
fn each_claim_of_the_answer_about_the_observatory_gets_its_label() {
    let verification =
        verifier("observatory").verify(&fs::read_to_string(folder("observatory").join("answer.md")).unwrap()).unwrap();
    for expected in records("observatory", "answer.expected.jsonl") {
        let (fragment, gold) = (expected["fragment"].as_str().unwrap(), expected["label"].as_str().unwrap());
        let found =
            verification.claims.iter().find(|checked| fragment.contains(checked.claim.text.trim_end_matches('.')));
        let Some(checked) = found else { panic!("no claim for {fragment}") };
        let verdict = &checked.verdict;
        assert_eq!(verdict.label.as_str(), gold, "{fragment}: {} {:#?}", verdict.reason, verdict.findings);
        if gold == "conflicting" {
            for role in [CitationRole::Supports, CitationRole::Contradicts] {
                assert!(verdict.evidence.iter().any(|citation| citation.role == role), "{fragment}: {role:?}");
            }
        }
    }
}
