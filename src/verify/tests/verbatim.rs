//! Verbatim truth is sacred: each sentence of a document against that document.

use rayon::prelude::*;

use super::support::{claim, document, label, shared_rows, verifier};
use crate::text::sentences;
use crate::verify::Label;

/// Every sentence of each text, whole, against its own document: none contradicted; the conflicting ones listed.
fn contradicted_and_conflicting(rows: &[serde_json::Value]) -> (usize, Vec<String>, Vec<String>, Vec<String>) {
    let found: Vec<_> = rows
        .par_iter()
        .map(|row| {
            let (id, title, text) = (row["id"].as_str().unwrap(), row["title"].as_str(), row["text"].as_str().unwrap());
            let verifier = verifier(document(id, title, text));
            let (mut count, mut contradicted, mut conflicting, mut other) = (0, Vec::new(), Vec::new(), Vec::new());
            for span in sentences(text) {
                let sentence = span.of(text).trim();
                if !sentence.chars().any(char::is_alphanumeric) {
                    continue;
                }
                count += 1;
                let verdict = verifier.verify_claim(&claim(sentence));
                let quotes: Vec<&str> = verdict.evidence.iter().map(|citation| citation.quote.as_str()).collect();
                let line = format!("{}: {sentence}\n    {} | {}", id, verdict.reason, quotes.join(" | "));
                match verdict.label {
                    Label::Contradicted | Label::PartiallySupported => contradicted.push(line),
                    Label::Conflicting => conflicting.push(line),
                    Label::Supported | Label::NotChecked => {}
                    Label::NotEnoughInfo => other.push(line),
                }
            }
            (count, contradicted, conflicting, other)
        })
        .collect();
    let mut total = (0, Vec::new(), Vec::new(), Vec::new());
    for (count, contradicted, conflicting, other) in found {
        total.0 += count;
        total.1.extend(contradicted);
        total.2.extend(conflicting);
        total.3.extend(other);
    }
    total
}

#[test]
fn markers_and_entries_of_a_list_are_no_statements() {
    let steps = ["Game:\n\n1. Red puts 3 men on the board.\n2. Blue moves 2 men.\n3. The men that are left may move."];
    for sentence in ["2. Blue moves 2 men.", "1. Red puts 3 men on the board.", "Blue moves 2 men.<br>"] {
        assert_eq!(label(&steps, sentence), Label::Supported, "{sentence}");
    }
    let ages = ["Ana\nAge: 16\nHeight: 167 cm\n\nEva\nAge: 17\nHeight: 158 cm"];
    assert_eq!(label(&ages, "Age: 16"), Label::Supported);
    assert_eq!(label(&["Age: 16", "Age: 17"], "Age: 16"), Label::Conflicting, "two documents disagree");
}

fn check_corpus(path: &str, limit: usize) {
    let Some(rows) = shared_rows(path, limit) else { return };
    let (count, contradicted, conflicting, other) = contradicted_and_conflicting(&rows);
    println!(
        "{path}: {count} sentences, {} contradicted, {} conflicting, {} not enough info",
        contradicted.len(),
        conflicting.len(),
        other.len()
    );
    for line in &conflicting {
        println!("conflicting: {line}");
    }
    for line in other.iter().take(10) {
        println!("not enough info: {line}");
    }
    assert!(count > 0);
    assert!(
        contradicted.is_empty(),
        "{} verbatim sentences contradicted:\n{}",
        contradicted.len(),
        contradicted.join("\n")
    );
    // A conflict needs two sentences of one document that disagree: rare in edited text.
    assert!(conflicting.len() * 200 <= count, "{} of {count} verbatim sentences conflicting", conflicting.len());
}

#[test]
fn no_sentence_of_the_factbook_is_contradicted_by_its_own_document() {
    check_corpus("data/factbook/factbook.jsonl.zst", documents(60, usize::MAX));
}

/// How many documents are looked at: `EVIDEX_VERBATIM=all` takes all that the bar asks for, else a share that a minute
/// allows.
fn documents(share: usize, all: usize) -> usize {
    if std::env::var("EVIDEX_VERBATIM").as_deref() == Ok("all") { all } else { share }
}

#[test]
fn no_sentence_of_an_encyclopaedia_article_is_contradicted_by_its_own_document() {
    check_corpus("data/wiki/wiki_en_2014_sample.jsonl.zst", documents(400, 2_000));
}
