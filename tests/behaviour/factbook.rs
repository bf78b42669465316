//! 261 country profiles: ten queries find what a person would expect, and answers about three countries are told right
//! from wrong.

use std::io::Read;
use std::path::Path;

use crate::command::{Workplace, labels, models_installed, shared};

/// A query, and the countries one of which must come first.
const QUERIES: [(&str, &[&str]); 10] = [
    ("Where is the Atacama Desert?", &["Chile"]),
    ("capital Ouagadougou", &["Burkina Faso"]),
    ("President Abdelmadjid TEBBOUNE", &["Algeria"]),
    ("Stortinget", &["Norway"]),
    ("Mount Everest highest point", &["Nepal", "China"]),
    ("landlocked between South Africa enclave Maseru", &["Lesotho"]),
    ("Great Barrier Reef Coral Sea", &["Australia", "Coral Sea Islands"]),
    ("Mekong Delta rice Hanoi", &["Vietnam"]),
    ("New Zealand agricultural products kiwifruit", &["New Zealand"]),
    ("Reykjavik geothermal fishing", &["Iceland"]),
];

/// Twenty countries, those of the queries among them.
const TWENTY: [&str; 20] = [
    "Chile",
    "Burkina Faso",
    "Algeria",
    "Norway",
    "Nepal",
    "Lesotho",
    "Australia",
    "Vietnam",
    "New Zealand",
    "Iceland",
    "Portugal",
    "Kenya",
    "Japan",
    "Peru",
    "Poland",
    "Fiji",
    "Jordan",
    "Cuba",
    "Ghana",
    "Malta",
];

fn factbook() -> Option<String> {
    let path = shared("data/factbook/factbook.jsonl.zst")?;
    let mut text = String::new();
    zstd::Decoder::new(std::fs::File::open(path).unwrap()).unwrap().read_to_string(&mut text).unwrap();
    Some(text)
}

fn title_of(line: &str) -> String {
    serde_json::from_str::<serde_json::Value>(line).unwrap()["title"].as_str().unwrap().to_owned()
}

fn misses(place: &Workplace, index: &str, mode: &str, among: usize) -> Vec<String> {
    let mut misses = Vec::new();
    for (query, countries) in QUERIES {
        let ran = place.well(&["search", "--index", index, query, "--mode", mode, "-k", "10", "--format", "json"]);
        let report = ran.json();
        let titles: Vec<&str> =
            report["passages"].as_array().unwrap().iter().take(among).filter_map(|p| p["title"].as_str()).collect();
        if !titles.iter().any(|title| countries.contains(title)) {
            misses.push(format!("{mode} `{query}`: {titles:?}"));
        }
    }
    misses
}

#[test]
fn ten_queries_over_all_countries_find_their_countries_by_words_and_hashed_vectors() {
    let Some(path) = shared("data/factbook/factbook.jsonl.zst") else { return };
    let place = Workplace::new();
    let ran =
        place.well(&["index", path.to_str().unwrap(), "--into", "idx", "--embedder", "hashed", "--format", "json"]);
    assert_eq!(ran.json()["documents"]["added"], 261);
    let mut missed = misses(&place, "idx", "bm25", 1);
    missed.extend(misses(&place, "idx", "hybrid", 3));
    assert!(missed.is_empty(), "{missed:#?}");
    three_countries(&place, "idx");
}

#[test]
fn ten_queries_over_twenty_countries_find_their_countries_with_minilm() {
    let Some(text) = factbook() else { return };
    if !models_installed() {
        return;
    }
    let place = Workplace::new();
    // The opening part of each profile: embedding all of twenty takes a minute and a half on two cores.
    let twenty = text
        .lines()
        .filter(|line| TWENTY.contains(&title_of(line).as_str()))
        .map(|line| {
            let mut document: serde_json::Value = serde_json::from_str(line).unwrap();
            let text: String = document["text"].as_str().unwrap().chars().take(9_000).collect();
            document["text"] = text.into();
            format!("{document}\n")
        })
        .collect::<String>();
    place.write("twenty.jsonl", twenty);
    let ran = place.well(&["index", "twenty.jsonl", "--into", "idx", "--format", "json"]);
    assert_eq!(ran.json()["documents"]["added"], 20);
    assert_eq!(ran.json()["embedder"], "all-MiniLM-L6-v2");
    let missed = misses(&place, "idx", "hybrid", 1);
    assert!(missed.is_empty(), "{missed:#?}");
    // Meaning alone knows no rare names: it may miss two of the ten.
    let missed = misses(&place, "idx", "dense", 10);
    assert!(missed.len() <= 2, "{missed:#?}");
}

/// Answers about three countries, where numbers, names and dates decide.
fn three_countries(place: &Workplace, index: &str) {
    let claims = [
        ("Algeria's total area is 2,381,740 sq km.", "supported"),
        ("Algeria's total area is 2.38 million sq km.", "supported"),
        ("Algeria's total area is 3,281,740 sq km.", "contradicted"),
        ("Iceland's total area is 103,000 sq km.", "supported"),
        ("Iceland's total area is 130,000 sq km.", "contradicted"),
        ("The capital of Iceland is Reykjavik.", "supported"),
        ("The capital of Nepal is Kathmandu.", "supported"),
        ("The National Liberation Front was established in 1954.", "supported"),
        ("The National Liberation Front was established in 1964.", "contradicted"),
    ];
    let mut wrong = Vec::new();
    for (claim, label) in claims {
        let ran = place.run(&["verify", "--index", index, "--text", claim, "--format", "json"]);
        let report = ran.json();
        if labels(&report) != [label] {
            wrong.push(format!("{claim}: {:?}, {}", labels(&report), report["claims"][0]["reason"]));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(Path::new(&place.path(index)).exists());
}
