//! The accuracy of [`sentences`](super::sentences) on the golden rules and on Universal Dependencies.

use std::collections::HashSet;
use std::path::PathBuf;

use serde::Deserialize;
use unicode_segmentation::UnicodeSegmentation;

use super::{Language, Reading, TextSpan, language, sentences};

#[derive(Deserialize)]
struct Example {
    #[serde(default)]
    lang: String,
    text: String,
    sentences: Vec<String>,
}

/// A file of the shared data, `None` (said aloud) where there is none.
fn shared(name: &str) -> Option<PathBuf> {
    let shared = std::env::var_os("EVIDEX_SHARED")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared")), PathBuf::from);
    let path = shared.join(name);
    if path.exists() {
        return Some(path);
    }
    assert!(
        std::env::var_os("EVIDEX_REQUIRE_SHARED").is_none_or(|value| value != "1"),
        "{} is missing",
        path.display()
    );
    println!("skipped: {} is missing", path.display());
    None
}

fn examples(name: &str) -> Option<Vec<Example>> {
    let content = std::fs::read_to_string(shared("data/sentseg")?.join(name)).unwrap();
    Some(content.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

fn compact(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// The ends of the sentences, counted in characters that are not white space; with each one's start they are its span.
fn spans<'a>(parts: impl Iterator<Item = &'a str>) -> HashSet<(usize, usize)> {
    let mut at = 0;
    parts
        .map(|part| {
            let start = at;
            at += compact(part).chars().count();
            (start, at)
        })
        .collect()
}

fn found(text: &str) -> Vec<&str> {
    sentences(text).into_iter().map(|span| span.of(text)).collect()
}

/// F1 over exact sentence spans, white space ignored, pooled over all examples.
fn f1<'a>(examples: &'a [Example], split: impl Fn(&'a str) -> Vec<&'a str>) -> f64 {
    let (mut right, mut given, mut wanted) = (0, 0, 0);
    for example in examples {
        let gold = spans(example.sentences.iter().map(String::as_str));
        let ours = spans(split(&example.text).into_iter());
        right += gold.intersection(&ours).count();
        given += ours.len();
        wanted += gold.len();
        if std::env::var_os("SHOW").is_some() && gold != ours {
            println!("WANT {}\n GOT {}\n", example.sentences.join(" ¶ "), split(&example.text).join(" ¶ "));
        }
    }
    2.0 * right as f64 / (given + wanted) as f64
}

fn unicode_sentences(text: &str) -> Vec<&str> {
    text.split_sentence_bounds().filter(|part| !part.trim().is_empty()).collect()
}

fn check_treebank(name: &str, bar: f64) {
    let Some(examples) = examples(name) else { return };
    let unicode = f1(&examples, unicode_sentences);
    println!("OURS");
    let ours = f1(&examples, found);
    println!("{name}: F1 {ours:.4}, unicode-segmentation {unicode:.4}");
    assert!(ours >= bar, "{name}: {ours:.4}");
    assert!(ours >= unicode + 0.05, "{name}: {ours:.4} against {unicode:.4}");
}

#[test]
fn english_treebank_sentences_reach_the_bar() {
    check_treebank("ud_en_ewt_dev.jsonl", 0.86);
}

#[test]
fn portuguese_treebank_sentences_reach_the_bar() {
    check_treebank("ud_pt_bosque_dev.jsonl", 0.90);
}

#[test]
fn nine_of_ten_golden_rules_hold() {
    let Some(examples) = examples("golden_rules.jsonl") else { return };
    let mut by_language: std::collections::BTreeMap<&str, (usize, usize)> = std::collections::BTreeMap::new();
    for example in &examples {
        let gold: Vec<String> = example.sentences.iter().map(|s| compact(s)).collect();
        // Some rules are about HTML: they are put to the text as read.
        let is_html = example.text.contains("</");
        let reading = if is_html { Reading::of(&example.text) } else { Reading::plain(&example.text) };
        let ours: Vec<String> = found(&reading.text).into_iter().map(compact).collect();
        let entry = by_language.entry(&example.lang).or_default();
        entry.1 += 1;
        if gold == ours {
            entry.0 += 1;
        } else if std::env::var("SHOW").is_ok_and(|lang| lang == example.lang) {
            println!(
                "TEXT {:?}\nWANT {}\n GOT {}\n",
                example.text,
                example.sentences.join(" ¶ "),
                found(&example.text).join(" ¶ ")
            );
        }
    }
    println!("golden rules held by language: {by_language:?}");
    let (held, all) = by_language["english_clean"];
    assert!(held * 10 >= all * 9, "{held} of {all}");
}

#[test]
fn spans_are_trimmed() {
    assert_eq!(sentences("  One.  Two. \n"), [TextSpan::new(2, 6), TextSpan::new(8, 12)]);
}

/// How many sentences of a treebank are called `expected`, another language reliably, and anything else.
fn languages_of(name: &str, expected: Language) -> Option<(usize, usize, usize)> {
    let (mut right, mut wrong, mut untold) = (0, 0, 0);
    for sentence in examples(name)?.iter().flat_map(|example| &example.sentences) {
        let guess = language(sentence);
        if guess.language == expected {
            right += 1;
        } else if guess.reliable {
            wrong += 1;
        } else {
            untold += 1;
        }
    }
    println!("{name}: language right {right}, wrong {wrong}, untold {untold}");
    Some((right, wrong, untold))
}

#[test]
fn sentences_are_hardly_ever_called_another_language() {
    for (name, expected) in
        [("ud_en_ewt_dev.jsonl", Language::English), ("ud_pt_bosque_dev.jsonl", Language::Portuguese)]
    {
        let Some((right, wrong, untold)) = languages_of(name, expected) else { return };
        assert!(wrong * 200 <= right + wrong + untold, "{wrong} wrong");
        assert!(right * 10 >= (right + wrong + untold) * 7, "only {right} right");
    }
}

#[test]
fn lines_of_fields_are_never_joined() {
    #[derive(Deserialize)]
    struct Profile {
        text: String,
    }
    let Some(path) = shared("data/factbook/factbook.jsonl.zst") else { return };
    let content = zstd::decode_all(std::fs::File::open(path).unwrap()).unwrap();
    let (mut lines, mut joined) = (0, 0);
    for line in String::from_utf8(content).unwrap().lines() {
        let profile: Profile = serde_json::from_str(line).unwrap();
        lines += profile.text.lines().count();
        for sentence in found(&profile.text).into_iter().filter(|sentence| sentence.contains('\n')) {
            joined += 1;
            if joined < 10 {
                println!("joined: {sentence:?}");
            }
        }
    }
    println!("factbook: {joined} sentences run over a line end, of {lines} lines");
    assert_eq!(joined, 0);
}
