//! Verdicts with evidence from a wiki: which pages are found, how they are cited, what is asked and what is kept.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::proxy::Proxy;
use super::wiki::{answer, page, verify, verify_with, wiki};
use crate::command::{Ran, Workplace, labels};

/// A report without what differs from run to run.
fn lasting(mut report: Value) -> Value {
    report["timings"] = Value::Null;
    report
}

fn warnings(claim: &Value) -> Vec<(String, String)> {
    claim["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|warning| (warning["code"].as_str().unwrap().to_owned(), warning["message"].as_str().unwrap().to_owned()))
        .collect()
}

#[test]
fn ten_claims_about_four_pages_are_right_cited_and_cheap() {
    let Some(wiki) = wiki() else { return };
    let place = Workplace::new();
    let proxy = Proxy::before(&wiki, |_, _| None);
    let (text, expected) = answer();
    let ran = verify(&place, &proxy.address, &text, &[]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let report = ran.json();
    let claims = report["claims"].as_array().unwrap();
    assert_eq!(claims.len(), 10);
    for (claim, (fragment, label)) in claims.iter().zip(&expected) {
        assert_eq!(
            (claim["text"].as_str().unwrap(), claim["label"].as_str().unwrap()),
            (fragment.as_str(), label.as_str()),
            "{claim:#}"
        );
    }
    // Each quote stands on the page at the revision that its permalink names.
    for evidence in claims.iter().flat_map(|claim| claim["evidence"].as_array().unwrap()) {
        let pinned = &evidence["pinned"];
        let permalink = pinned["permalink"].as_str().unwrap();
        assert!(permalink.contains(&format!("oldid={}", pinned["revision"])), "{pinned}");
        assert_eq!(evidence["url"], permalink);
        assert_eq!(pinned["licence"], "CC0 1.0 Universal");
        assert!(
            pinned["retrieved"].as_str().unwrap().ends_with('Z') && pinned["dated"].as_str().unwrap().ends_with('Z')
        );
        let html = page(permalink);
        let shown = shown_text(&html);
        // Rows and list items are laid out otherwise there.
        for line in evidence["quote"].as_str().unwrap().lines() {
            let line = line.replace(['|', '#'], " ");
            let words = line.trim_start_matches("- ").split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(shown.contains(&words), "“{words}” is not on {permalink}:\n{shown}");
        }
    }
    let cold = proxy.reset();
    assert!(cold <= 12, "{cold} requests");
    let again = verify(&place, &proxy.address, &text, &[]);
    let warm = proxy.reset();
    assert_eq!(warm, 0, "the second run asked");
    assert_eq!(lasting(again.json()), lasting(report.clone()));
    let offline = verify(&place, &proxy.address, &text, &["--offline"]);
    assert_eq!(proxy.reset(), 0, "an offline run asked");
    assert_eq!(lasting(offline.json()), lasting(report));
    println!("requests for ten claims about four pages: {cold} cold, {warm} from the cache, 0 offline");
}

/// The text of a page with its white space as single spaces.
fn shown_text(html: &str) -> String {
    evidex::corpus::html_text(html).replace(['\n', '|'], " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn after_the_time_to_live_one_request_asks_after_all_pages() {
    let Some(wiki) = wiki() else { return };
    let place = Workplace::new();
    let proxy = Proxy::before(&wiki, |_, _| None);
    let (text, _) = answer();
    let start = Instant::now();
    let first = verify(&place, &proxy.address, &text, &[]).json();
    proxy.reset();
    // All names are older than the time to live then, and no search older than seven times that.
    std::thread::sleep(start.elapsed() + Duration::from_secs(1));
    let life = (start.elapsed().as_secs() / 2).max(1).to_string();
    let again = verify_with(&place, &proxy.address, &text, &[], &[("WIKIPEDIA_TTL", &life)]);
    assert_eq!(lasting(again.json()), lasting(first));
    let asked = proxy.asked();
    assert_eq!(asked.len(), 1, "{asked:#?}");
    assert!(asked[0].contains("revisions"), "{asked:#?}");
}

#[test]
fn a_date_takes_the_pages_of_that_day() {
    let Some(wiki) = wiki() else { return };
    let place = Workplace::new();
    let text = "The Ilva Bridge is 335 m long. The mayor of Arden is Ruth Halvard.";
    let now = verify(&place, &wiki, text, &[]).json();
    assert_eq!(labels(&now), ["contradicted", "contradicted"]);
    let then = verify(&place, &wiki, text, &["--as-of", "2025-12-31"]).json();
    assert_eq!(labels(&then), ["supported", "supported"], "{then:#}");
    assert_eq!(then["claims"][0]["evidence"][0]["pinned"]["dated"], "2024-03-02T10:00:00Z");
    let offline = verify(&place, &wiki, text, &["--as-of", "2025-12-31", "--offline"]).json();
    assert_eq!(lasting(offline), lasting(then));
    let before = verify(&place, &wiki, text, &["--as-of", "2020-01-01"]).json();
    assert!(warnings(&before["claims"][0]).iter().any(|(code, _)| code == "page_younger"), "{before:#}");
    verify(&place, &wiki, text, &["--as-of", "some day"]).failed_saying(&["some day", "2025-12-31"]);
}

#[test]
fn redirects_names_in_other_scripts_and_small_letters_lead_to_their_pages() {
    let Some(wiki) = wiki() else { return };
    let place = Workplace::new();
    let text = "The Tianhe Observatory was opened in 1957. The village of Yolkino has 214 inhabitants. Żelazna Góra has \
                8,900 inhabitants. The Ilva bridge cost 6.2 million crowns.";
    let report = verify(&place, &wiki, text, &[]).json();
    assert_eq!(labels(&report), ["supported"; 4], "{report:#}");
    let titles: Vec<&str> = report["claims"]
        .as_array()
        .unwrap()
        .iter()
        .map(|claim| claim["evidence"][0]["title"].as_str().unwrap())
        .collect();
    assert_eq!(titles, ["天河天文台", "Ёлкино", "Żelazna Góra", "Ilva Bridge"]);
    let section = &report["claims"][3]["evidence"][0]["pinned"]["section"];
    assert_eq!(section, "Construction");
}

#[test]
fn a_name_of_several_things_is_settled_by_the_claims_words_or_reported() {
    let Some(wiki) = wiki() else { return };
    let place = Workplace::new();
    let moon = verify(&place, &wiki, "The moon Selka has a diameter of 640 km.", &[]).json();
    assert_eq!(labels(&moon), ["supported"], "{moon:#}");
    assert_eq!(moon["claims"][0]["evidence"][0]["title"], "Selka (moon)");
    let chemist = verify(&place, &wiki, "The chemist Brandt discovered a pigment in 1926.", &[]).json();
    assert_eq!(chemist["claims"][0]["evidence"][0]["title"], "Otto Brandt", "{chemist:#}");
    let open = verify(&place, &wiki, "Selka is famous.", &[]).json();
    let said = warnings(&open["claims"][0]);
    assert!(
        said.iter().any(|(code, message)| code == "ambiguous_entity" && message.contains("Selka (moon)")),
        "{open:#}"
    );
}

#[test]
fn what_no_page_is_named_after_is_searched_for() {
    let Some(wiki) = wiki() else { return };
    let place = Workplace::new();
    let report = verify(&place, &wiki, "Hanne Koll climbed the north face in 1936.", &[]).json();
    assert_eq!(report["claims"][0]["evidence"][0]["title"], "Mount Torvik", "{report:#}");
    let nowhere = verify(&place, &wiki, "The Zorblatt machine has 12 wheels.", &[]).json();
    assert_eq!(labels(&nowhere), ["not_enough_info"], "{nowhere:#}");
}

#[test]
fn plain_extracts_are_the_other_way_to_a_pages_text() {
    let Some(wiki) = wiki() else { return };
    let place = Workplace::new();
    let proxy = Proxy::before(&wiki, |_, _| None);
    let text =
        "The Ilva Bridge is 340 m long. The clock tower of Arden was rebuilt in 1709. Ana Brandt graduated in 1912.";
    let extracts = [("WIKIPEDIA_TEXT", "extracts")];
    let report = verify_with(&place, &proxy.address, text, &[], &extracts).json();
    assert_eq!(labels(&report), ["supported"; 3], "{report:#}");
    let asked = proxy.asked();
    assert!(asked.iter().any(|request| request.contains("excontinue")), "{asked:#?}");
    assert!(!asked.iter().any(|request| request.contains("action=parse")), "{asked:#?}");
    let offline = verify_with(&place, &proxy.address, text, &["--offline"], &extracts).json();
    assert_eq!(lasting(offline), lasting(report));
}

#[test]
fn sources_side_by_side_have_each_their_standing_and_their_conflict_shows() {
    let Some(wiki) = wiki() else { return };
    let place = Workplace::new();
    place.write("docs/bridge.txt", "The Ilva Bridge is 360 m long.");
    place.well(&["index", "docs", "--into", "idx", "--embedder", "hashed"]);
    let text = "The Ilva Bridge is 340 m long.";
    let report = verify(&place, &wiki, text, &["--source", "index:idx"]).json();
    assert_eq!(labels(&report), ["conflicting"], "{report:#}");
    let standings = report["claims"][0]["standings"].as_array().unwrap();
    let of = |source: &str| {
        standings.iter().find(|standing| standing["source"].as_str().unwrap().starts_with(source)).unwrap()["label"]
            .clone()
    };
    assert_eq!((of("wiki:"), of("index:")), (Value::from("supported"), Value::from("contradicted")));
    let origins: Vec<&str> = report["claims"][0]["evidence"]
        .as_array()
        .unwrap()
        .iter()
        .map(|evidence| evidence["origin"].as_str().unwrap())
        .collect();
    assert!(origins.iter().any(|origin| origin.starts_with("wiki:")) && origins.contains(&"index:idx"), "{origins:?}");
}

#[test]
fn a_claim_about_the_present_carries_the_date_of_its_evidence() {
    let Some(wiki) = wiki() else { return };
    let place = Workplace::new();
    let report = verify(&place, &wiki, "The current mayor of Arden is Pavel Orlin.", &[]).json();
    let said = warnings(&report["claims"][0]);
    assert!(
        said.iter().any(|(code, message)| code == "time_sensitive" && message.contains("2026-10-05")),
        "{report:#}"
    );
}

#[test]
fn the_wiki_is_told_who_asks_and_asked_as_it_wishes() {
    let Some(wiki) = wiki() else { return };
    let place = Workplace::new();
    let proxy = Proxy::before(&wiki, |_, _| None);
    let contact = [("WIKIPEDIA_CONTACT", "https://example.org/me")];
    verify_with(&place, &proxy.address, "The Ilva Bridge is 340 m long.", &[], &contact);
    let asked = proxy.asked();
    assert!(!asked.is_empty());
    for request in &asked {
        let lower = request.to_lowercase();
        assert!(request.contains("maxlag=5") && request.contains("formatversion=2"), "{request}");
        assert!(lower.contains("accept-encoding: gzip"), "{request}");
        assert!(lower.contains("user-agent: evidex/") && lower.contains("(https://example.org/me)"), "{request}");
    }
}

#[test]
fn the_public_site_is_not_asked_without_a_contact() {
    let place = Workplace::new();
    let run = |more: &[&str]| {
        let mut arguments = vec!["verify", "--wikipedia", "--embedder", "hashed", "--text", "Graz lies in Austria."];
        arguments.extend(more);
        place.run(&arguments)
    };
    run(&[]).failed_saying(&["contact", "wikipedia.contact", "EVIDEX_WIKIPEDIA_CONTACT"]);
    run(&["--wiki-url", "https://de.wikipedia.org"]).failed_saying(&["contact"]);
    run(&["--lang", "en.evil.example"]).failed_saying(&["en.evil.example"]);
    run(&["--wiki-url", "ftp://example.org"]).failed_saying(&["ftp://example.org"]);
    place.run(&["verify", "--lang", "de", "--text", "x", "--context", "y"]).failed_saying(&["--wikipedia"]);
    place.run(&["verify", "--source", "gossip", "--text", "x"]).failed_saying(&["gossip", "wikipedia"]);
}

#[test]
fn what_is_kept_is_shown_and_removed_by_the_cache_command() {
    let Some(wiki) = wiki() else { return };
    let place = Workplace::new();
    verify(&place, &wiki, "The Ilva Bridge is 340 m long.", &[]);
    let cache = place.path("wikis");
    let run = |arguments: &[&str]| {
        let mut command = place.command(arguments);
        command.env("EVIDEX_WIKIPEDIA_CACHE", &cache).env("CACHE_PATH", place.path("replies"));
        Ran::of(command.output().unwrap())
    };
    let stat = run(&["cache", "stat", "--format", "json"]).json()["wikis"].clone();
    assert_eq!(stat["wikis"].as_array().unwrap().len(), 1);
    assert!(stat["wikis"][0]["pages"].as_u64().unwrap() >= 1 && stat["bytes"].as_u64().unwrap() > 500, "{stat:#}");
    assert!(run(&["cache", "stat"]).stdout.contains("\n1 wiki, "));
    run(&["cache", "clear", "no-such-wiki"]).failed_saying(&["no-such-wiki", "cache stat"]);
    assert_eq!(run(&["cache", "clear"]).code, 0);
    assert_eq!(run(&["cache", "stat", "--format", "json"]).json()["wikis"]["bytes"], 0);
    let offline = verify(&place, &wiki, "The Ilva Bridge is 340 m long.", &["--offline"]);
    offline.failed_saying(&["not in the cache", "--offline"]);
}

#[test]
fn the_proxy_of_the_settings_is_used() {
    let Some(wiki) = wiki() else { return };
    let place = Workplace::new();
    let proxy = Proxy::before(&wiki, |_, _| None);
    let settings = [("PROXY", proxy.address.as_str())];
    let text = "The Ilva Bridge is 340 m long.";
    let report = verify_with(&place, "http://wiki.invalid", text, &[], &settings).json();
    assert_eq!(labels(&report), ["supported"], "{report:#}");
    assert!(proxy.asked()[0].starts_with("GET http://wiki.invalid/api.php?"));
}

#[test]
fn three_requests_at_once_give_the_same_report() {
    let Some(wiki) = wiki() else { return };
    let (text, _) = answer();
    let reports = ["1", "3"].map(|at_once| {
        let place = Workplace::new();
        let mut report = lasting(verify_with(&place, &wiki, &text, &[], &[("WIKIPEDIA_CONCURRENCY", at_once)]).json());
        for evidence in report["claims"]
            .as_array_mut()
            .unwrap()
            .iter_mut()
            .flat_map(|claim| claim["evidence"].as_array_mut().unwrap())
        {
            evidence["pinned"]["retrieved"] = Value::Null;
        }
        report
    });
    assert_eq!(reports[0], reports[1]);
}

#[test]
fn many_names_are_looked_up_fifty_at_a_time_and_long_requests_are_forms() {
    let Some(wiki) = wiki() else { return };
    let place = Workplace::new();
    let proxy = Proxy::before(&wiki, |_, _| None);
    let text: String = (0..90u8)
        .map(|n| {
            let letter = |n: u8| char::from(b'a' + n % 26);
            format!("Q{}{}rusk Varnhelmsdottersfjordensdatter has {n} sheep. ", letter(n / 26), letter(n))
        })
        .collect();
    let ran = verify_with(&place, &proxy.address, &text, &[], &[("WIKIPEDIA_REQUESTS", "3")]);
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
    let asked = proxy.asked();
    let titles = |request: &str| {
        request
            .split("&titles=")
            .nth(1)
            .map_or(0, |rest| 1 + rest.split(['&', ' ', '\n']).next().unwrap().matches("%7C").count())
    };
    assert!(
        asked.iter().filter(|request| request.starts_with("POST") && titles(request) == 50).count() >= 1,
        "{asked:#?}"
    );
    assert!(asked.iter().all(|request| titles(request) <= 50));
}

#[test]
fn the_settings_of_wikipedia_stand_in_a_table_of_the_settings_file() {
    let place = Workplace::new();
    place.write("evidex.toml", "[wikipedia]\ncontact = \"me@example.org\"\nrate = 0.5\n");
    let shown = place.well(&["config", "show", "--format", "json"]).json();
    let value = |name: &str| {
        shown["settings"].as_array().unwrap().iter().find(|entry| entry["name"] == name).unwrap()["value"].clone()
    };
    assert_eq!((value("wikipedia.contact"), value("wikipedia.rate")), ("me@example.org".into(), "0.5".into()));
    for (bad, named) in
        [("speed = 3", "wikipedia.speed"), ("rate = 0", "wikipedia.rate"), ("concurrency = 4", "wikipedia.concurrency")]
    {
        place.write("evidex.toml", format!("[wikipedia]\n{bad}\n"));
        place.run(&["config", "show"]).failed_saying(&[named]);
    }
}

/// A labelled set without contexts takes its evidence from a wiki, where one is named.
#[test]
fn a_set_without_contexts_is_evaluated_by_a_wiki() {
    let Some(url) = wiki() else { return };
    let place = Workplace::new();
    let row = |id: &str, claim: &str, label: &str| {
        serde_json::json!({ "id": id, "context": "", "claim": claim, "label": label }).to_string()
    };
    let rows = [
        row("a", "The Ilva Bridge is 430 m long.", "contradicted"),
        row("b", "The daily traffic on the Ilva Bridge is 21,400 vehicles.", "supported"),
    ];
    place.write("set.jsonl", rows.join("\n"));
    let ask = ["eval", "pairs", "set.jsonl", "--nli", "none", "--baselines", "none", "--format", "json"];
    place.run(&ask).failed_saying(&["no_contexts", "--index DIR or --wikipedia"]);
    let mut command = place.command(&[&ask[..], &["--wiki-url", &url]].concat());
    let cache = place.path("wikis");
    command.env("EVIDEX_EMBEDDER", "hashed").env("EVIDEX_WIKIPEDIA_CACHE", cache).env("EVIDEX_WIKIPEDIA_RATE", "1000");
    let report = Ran::of(command.output().unwrap()).json();
    assert_eq!(report["metrics"]["accuracy"], 1.0, "{report:#}");
}
