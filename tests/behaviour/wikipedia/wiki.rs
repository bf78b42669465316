//! The real MediaWiki that the tests ask, and how they ask it.

use std::path::Path;

use crate::command::{Ran, Workplace};

/// The wiki's address; `None` where there is none and none is required. `.ci/mediawiki start` makes one.
pub fn wiki() -> Option<String> {
    if let Ok(url) = std::env::var("EVIDEX_MEDIAWIKI_URL") {
        return Some(url);
    }
    assert!(
        std::env::var("EVIDEX_REQUIRE_WIKI").as_deref() != Ok("1"),
        "EVIDEX_MEDIAWIKI_URL is not set and EVIDEX_REQUIRE_WIKI=1: start a wiki with .ci/mediawiki start"
    );
    eprintln!("skipped: no MediaWiki (start one with `.ci/mediawiki start` and set EVIDEX_MEDIAWIKI_URL to its url)");
    None
}

/// Runs `verify` against a wiki, faster than manners allow elsewhere: it is our own.
pub fn verify(place: &Workplace, url: &str, text: &str, more: &[&str]) -> Ran {
    verify_with(place, url, text, more, &[])
}

/// The same with settings of the caller's.
pub fn verify_with(place: &Workplace, url: &str, text: &str, more: &[&str], settings: &[(&str, &str)]) -> Ran {
    Ran::of(command(place, url, text, more, settings).output().unwrap())
}

/// The same, not yet started.
pub fn command(
    place: &Workplace,
    url: &str,
    text: &str,
    more: &[&str],
    settings: &[(&str, &str)],
) -> std::process::Command {
    let mut arguments = vec!["verify", "--wikipedia", "--wiki-url", url, "--text", text, "--format", "json"];
    arguments.extend(more);
    let mut command = place.command(&arguments);
    let cache = place.path("wikis");
    for (name, value) in [
        ("EMBEDDER", "hashed"),
        ("WIKIPEDIA_CACHE", cache.to_str().unwrap()),
        ("WIKIPEDIA_RATE", "1000"),
        ("WIKIPEDIA_BURST", "100"),
        ("WIKIPEDIA_BACKOFF_MS", "5"),
        ("WIKIPEDIA_RETRIES", "2"),
        ("WIKIPEDIA_TIMEOUT", "10"),
    ]
    .iter()
    .chain(settings)
    {
        command.env(format!("EVIDEX_{name}"), value);
    }
    command
}

/// The answer about the wiki's pages that comes with it, and the label of each of its claims.
pub fn answer() -> (String, Vec<(String, String)>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpora/veldmark-wiki");
    let text = std::fs::read_to_string(folder.join("answer.md")).unwrap();
    let expected = std::fs::read_to_string(folder.join("answer.expected.jsonl")).unwrap();
    let expected = expected.lines().map(|line| {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        (record["fragment"].as_str().unwrap().to_owned(), record["label"].as_str().unwrap().to_owned())
    });
    (text, expected.collect())
}

/// The page at an address, as a browser would get it.
pub fn page(url: &str) -> String {
    let output = std::process::Command::new("curl").args(["--noproxy", "*", "-fsSL", url]).output().unwrap();
    assert!(output.status.success(), "{url}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
