//! `evidex verify` and its report.

use serde_json::Value;

use crate::command::{Ran, Workplace, labels};

const TOWER: &str = "The Eiffel Tower was completed in 1889. It was built by Gustave Eiffel's company in Paris.";

#[test]
fn the_report_follows_its_schema_and_tells_right_from_wrong() {
    let place = Workplace::new();
    let report = place.verify(TOWER, "The Eiffel Tower was completed in 1889. The Eiffel Tower was completed in 1887.");
    assert_eq!(labels(&report), ["supported", "contradicted"]);

    let schema: Value = serde_json::from_str(&place.well(&["schema"]).stdout).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(&report).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");

    assert_eq!(report["schema_version"], 1);
    assert_eq!(report["summary"]["supported"], 1);
    assert_eq!(report["summary"]["contradicted"], 1);
    assert_eq!(report["score"], 0.5);
    assert_eq!(report["risk"]["value"], 0.5);
    assert_eq!(report["risk"]["level"], "medium");
    assert_eq!(report["risk"]["any_contradiction"], true);
    assert_eq!(report["coverage"]["claims_found"], 2);
}

#[test]
fn every_quote_is_the_document_at_its_span_in_bytes_and_characters() {
    let place = Workplace::new();
    let context = format!("🚀🚀 Überblick: {TOWER}");
    let report = place.verify(&context, "The Eiffel Tower was completed in 1887.");
    let evidence = &report["claims"][0]["evidence"][0];
    let quote = evidence["quote"].as_str().unwrap();
    let at = |name: &str| evidence["span"][name].as_u64().unwrap() as usize;
    assert_eq!(&context[at("start")..at("end")], quote);
    let characters: String = context.chars().skip(at("char_start")).take(at("char_end") - at("char_start")).collect();
    assert_eq!(characters, quote);
    assert!(quote.contains("1889"));
}

#[test]
fn a_claims_place_in_the_answer_is_right_after_emoji_and_inside_markdown() {
    let place = Workplace::new();
    let answer = "👩‍🚀🚀 The reservoir holds **999** million litres.";
    let report = place.verify("The reservoir holds 67 million litres.", answer);
    assert_eq!(labels(&report), ["contradicted"]);
    let claim = &report["claims"][0];
    let start = claim["span"]["start"].as_u64().unwrap() as usize;
    let end = claim["span"]["end"].as_u64().unwrap() as usize;
    assert!(answer[start..end].contains("**999** million"), "{}", &answer[start..end]);
    let finding = claim["findings"].as_array().unwrap().iter().find(|f| f["stance"] == "contradicts").unwrap();
    let place = &finding["claim_span"];
    let value = &answer[place["start"].as_u64().unwrap() as usize..place["end"].as_u64().unwrap() as usize];
    assert!(value.starts_with("999"), "{value}");
    let characters: String = answer
        .chars()
        .skip(place["char_start"].as_u64().unwrap() as usize)
        .take((place["char_end"].as_u64().unwrap() - place["char_start"].as_u64().unwrap()) as usize)
        .collect();
    assert_eq!(characters, value);
}

#[test]
fn the_exit_code_says_what_was_found() {
    let place = Workplace::new();
    place.write("context.txt", TOWER);
    let code = |answer: &str, more: &[&str]| {
        let mut arguments = vec!["verify", "--context", "context.txt", "--text", answer];
        arguments.extend(more);
        place.run(&arguments).code
    };
    assert_eq!(code("The Eiffel Tower was completed in 1889.", &[]), 0);
    assert_eq!(code("The Eiffel Tower was completed in 1887.", &[]), 1);
    assert_eq!(code("Bananas are exported from Ecuador.", &[]), 1);
    assert_eq!(code("Bananas are exported from Ecuador.", &["--fail-on", "contradicted,conflicting"]), 0);
    assert_eq!(code("Hi! Happy to help.", &[]), 0);
    assert_eq!(code("", &[]), 0);
    assert_eq!(code("x", &["--no-such-flag"]), 2);
}

#[test]
fn a_text_without_claims_has_no_score() {
    let place = Workplace::new();
    for answer in ["", "  \n ", "I don't know.", "Hi! Happy to help."] {
        let report = place.verify(TOWER, answer);
        assert_eq!(report["status"], "no_claims", "{answer:?}");
        assert_eq!(report["score"], Value::Null);
        assert_eq!(report["risk"]["value"], Value::Null);
    }
}

#[test]
fn the_answer_comes_from_a_file_from_standard_input_or_from_a_flag() {
    let place = Workplace::new();
    place.write("context.txt", TOWER);
    place.write("answer.txt", "The Eiffel Tower was completed in 1889.");
    let from_file = place.run(&["verify", "--context", "context.txt", "answer.txt", "--format", "json"]).json();
    let from_input = place
        .run_with_input(
            &["verify", "--context", "context.txt", "-", "--format", "json"],
            b"The Eiffel Tower was completed in 1889.",
        )
        .json();
    assert_eq!(from_file["claims"], from_input["claims"]);
    assert_eq!(from_file["answer"]["source"], "answer.txt");
    assert_eq!(from_input["answer"]["source"], "-");
}

#[test]
fn a_piped_text_needs_no_name_and_a_text_may_begin_with_a_dash() {
    let place = Workplace::new();
    place.write("context.txt", TOWER);
    let arguments = ["verify", "--context", "context.txt", "--format", "json"];
    let piped = place.run_with_input(&arguments, b"The Eiffel Tower was completed in 1889.").json();
    assert_eq!(labels(&piped), ["supported"]);
    let ran = place.run(&[&arguments[..], &["--text", "- The Eiffel Tower was completed in 1889."]].concat());
    assert_eq!(labels(&ran.json()), ["supported"]);
}

#[test]
fn with_fail_on_none_it_only_reports() {
    let place = Workplace::new();
    place.write("context.txt", TOWER);
    let answer = "The Eiffel Tower was completed in 1887.";
    let ran = place.run(&["verify", "--context", "context.txt", "--text", answer, "--fail-on", "none"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn the_same_input_gives_the_same_report() {
    let place = Workplace::new();
    let answer = "The Eiffel Tower was completed in 1887. It stands in Lyon. It is painted every seven years.";
    let strip = |mut report: Value| {
        report.as_object_mut().unwrap().remove("timings");
        report
    };
    let first = strip(place.verify(TOWER, answer));
    for _ in 0..3 {
        assert_eq!(strip(place.verify(TOWER, answer)), first);
    }
}

#[test]
fn explain_shows_what_was_looked_at() {
    let place = Workplace::new();
    place.write("context.txt", TOWER);
    let arguments = ["verify", "--context", "context.txt", "--text", "The tower is painted green.", "--format", "json"];
    assert_eq!(place.run(&arguments).json()["claims"][0].get("considered"), None);
    let explained = place.run(&[&arguments[..], &["--explain"]].concat()).json();
    let considered = explained["claims"][0]["considered"].as_array().unwrap();
    let nearest = explained["claims"][0]["evidence"].as_array().unwrap();
    assert!(!considered.is_empty() || !nearest.is_empty());
    assert!(considered.iter().all(|passage| !passage["why"].as_str().unwrap().is_empty()));
}

#[test]
fn sources_that_disagree_give_conflicting_with_both_quotes() {
    let place = Workplace::new();
    place.write("a.txt", "The Fjell tent weighs 3.1 kg.");
    place.write("b.txt", "The Fjell tent weighs 2.8 kg.");
    let ran = place.run(&[
        "verify",
        "--context",
        "a.txt",
        "--context",
        "b.txt",
        "--text",
        "The Fjell tent weighs 3.1 kg.",
        "--format",
        "json",
    ]);
    let report = ran.json();
    assert_eq!(labels(&report), ["conflicting"]);
    let quotes: Vec<&str> = report["claims"][0]["evidence"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| e["document_id"].as_str().unwrap())
        .collect();
    assert!(quotes.contains(&"a.txt") && quotes.contains(&"b.txt"), "{quotes:?}");
}

#[test]
fn a_claim_checked_against_an_index_quotes_the_documents_file() {
    let place = Workplace::new();
    place.write("docs/tower.txt", TOWER);
    place
        .write("docs/bridge.md", "# The Ilva bridge\n\nThe bridge over the Ilva is **340 m** long and opened in 1931.");
    place.well(&["index", "docs", "--into", "idx", "--embedder", "hashed"]);
    let ran = place.run(&[
        "verify",
        "--index",
        "idx",
        "--text",
        "The bridge over the Ilva is 430 m long.",
        "--format",
        "json",
    ]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let report = ran.json();
    assert_eq!(labels(&report), ["contradicted"]);
    assert_eq!(report["claims"][0]["evidence"][0]["document_id"], "bridge.md");
    assert_eq!(report["models"]["embedder"]["name"], "hashed");
}

#[test]
fn the_static_table_finds_by_meaning_without_runtime_and_network() {
    let place = Workplace::new();
    place.write("docs/health.txt", "A physician treats the ill.");
    place.write("docs/bridge.txt", "The bridge over the river is closed.");
    let well = |arguments: &[&str]| {
        let output = place.command(arguments).env("EVIDEX_HOME", place.path("empty")).output().unwrap();
        let ran = Ran::of(output);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran
    };
    well(&["index", "docs", "--into", "idx", "--embedder", "static", "--offline"]);
    // No word of the question stands in the answer.
    let found = well(&["search", "--index", "idx", "Which doctor cures patients?", "-k", "1", "--offline"]);
    assert!(found.stdout.contains("health.txt"), "{}", found.stdout);
    let text = "A physician treats the ill.";
    let ran = well(&["verify", "--index", "idx", "--text", text, "--nli", "none", "--format", "json", "--offline"]);
    assert_eq!(ran.json()["models"]["embedder"]["name"], "static");
}

#[test]
fn a_sentence_of_two_thousand_characters_is_found_whole_through_an_index_of_others_like_it() {
    const TOWNS: [&str; 7] = ["Arden", "Lund", "Holm", "Brill", "Tern", "Norsel", "Lorn"];
    let place = Workplace::new();
    let clause = |number: usize, guests: &str| {
        format!("the ferry of {} carried {guests} guests in {}", TOWNS[number % 7], 1900 + number)
    };
    let counted = |number: usize| clause(number, &(100 + number * 7).to_string());
    let sentence = |clauses: Vec<String>| format!("The minutes say that {}.", clauses.join(", and "));
    let long = sentence((0..40).map(counted).collect());
    assert!(long.len() > 1900);
    place.write("docs/minutes.txt", format!("It rained. {long} It stopped."));
    for other in 0..60 {
        let of_other = |step: usize| {
            let number = (other * 3 + step) % 40;
            if step.is_multiple_of(4) { clause(number, "no") } else { counted(number) }
        };
        place.write(&format!("docs/other-{other}.txt"), sentence((0..9).map(of_other).collect()));
    }
    place.well(&["index", "docs", "--into", "idx", "--embedder", "none"]);
    let report = place.well(&["verify", "--index", "idx", "--text", &long, "--format", "json"]).json();
    assert_eq!(labels(&report), ["supported"]);
    assert_eq!(report["claims"][0]["evidence"][0]["quote"], long.as_str());
}
