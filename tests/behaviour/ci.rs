//! Reports for CI systems and for the eye: `--baseline`, `--format junit|sarif|github|jsonl|html`.

use serde_json::{Value, json};

use crate::command::{Ran, Workplace, labels};

const TOWER: &str = "The Eiffel Tower was completed in 1889. It was built by Gustave Eiffel's company in Paris.";
const ANSWER: &str =
    "Hello!\nThe Eiffel Tower was completed in 1887.\nÜber alles: the Eiffel Tower is painted green.\n";

fn workplace() -> Workplace {
    let place = Workplace::new();
    place.write("context.txt", TOWER);
    place.write("an answer.txt", ANSWER);
    place
}

fn verify(place: &Workplace, more: &[&str]) -> Ran {
    place.run(&[&["verify", "--context", "context.txt", "an answer.txt"], more].concat())
}

#[test]
fn only_new_findings_fail_beside_a_baseline() {
    let place = workplace();
    let first = verify(&place, &["--format", "json"]);
    assert_eq!(first.code, 1, "{}", first.stderr);
    place.write("baseline.json", &first.stdout);
    assert_eq!(verify(&place, &["--baseline", "baseline.json"]).code, 0);
    place.write("an answer.txt", format!("A line before.\n\n{ANSWER}"));
    assert_eq!(verify(&place, &["--baseline", "baseline.json", "--fail-on", "contradicted"]).code, 0);
    place.write("an answer.txt", format!("{ANSWER}The Eiffel Tower was completed in 1888.\n"));
    let ran = verify(&place, &["--baseline", "baseline.json", "--format", "sarif"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let results = ran.json()["runs"][0]["results"].as_array().unwrap().clone();
    let states: Vec<&str> = results.iter().map(|result| result["baselineState"].as_str().unwrap()).collect();
    assert_eq!(states.iter().filter(|state| **state == "new").count(), 1, "{states:?}");

    place.write("baseline.json", "{\"claims\": 1}");
    verify(&place, &["--baseline", "baseline.json"]).failed_saying(&["baseline", "baseline.json"]);
    verify(&place, &["--baseline", "none.json"]).failed_saying(&["baseline", "none.json"]);
}

#[test]
fn findings_stand_at_their_line_and_column_of_the_answer_file() {
    let place = workplace();
    let sarif = verify(&place, &["--format", "sarif"]).json();
    let region = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(region["artifactLocation"]["uri"], "an%20answer.txt");
    assert_eq!((&region["region"]["startLine"], &region["region"]["startColumn"]), (&2.into(), &1.into()));
    let page = verify(&place, &["--format", "github", "--fail-on", "contradicted"]).stdout;
    let lines: Vec<&str> = page.lines().collect();
    assert!(lines[0].starts_with("::error file=an answer.txt,line=2,endLine=2,col=1,"), "{page}");
    assert!(lines[1].starts_with("::warning file=an answer.txt,line=3,endLine=3,"), "{page}");
    let page = verify(&place, &["--format", "junit"]).stdout;
    assert!(page.contains("an answer.txt:2:1") && page.contains("failures=\"2\""), "{page}");
}

#[test]
fn a_text_that_is_in_no_file_has_no_place_in_one() {
    let place = workplace();
    let text = ["--text", "The Eiffel Tower was completed in 1887."];
    let run = |format: &str| {
        place.run(&[&["verify", "--context", "context.txt", "--format", format], &text[..]].concat()).stdout
    };
    let sarif: Value = serde_json::from_str(&run("sarif")).unwrap();
    assert_eq!(sarif["runs"][0]["results"][0]["locations"], json!([]));
    assert!(run("github").starts_with("::error title=contradicted::"));
}

#[test]
fn one_report_is_one_line_of_jsonl() {
    let place = workplace();
    let ran = verify(&place, &["--format", "jsonl"]);
    assert_eq!(ran.stdout.lines().count(), 1);
    assert_eq!(labels(&ran.json()), ["not_checked", "contradicted", "not_enough_info"]);
}

#[test]
fn the_page_shows_the_text_and_makes_no_request() {
    let place = workplace();
    let page = verify(&place, &["--format", "html"]).stdout;
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(page.contains("<title>evidex: an answer.txt</title>") && page.contains("class=\"m bad\""));
    for part in ["src=", "url(", "@import", "<link", "<script"] {
        assert!(!page.contains(part), "{part}");
    }
}

#[test]
fn formats_of_reports_belong_to_reports() {
    let place = workplace();
    place.run(&["doctor", "--format", "sarif"]).failed_saying(&["usage", "--format sarif"]);
    place.run(&["stat", "--index", "x", "--format", "html"]).failed_saying(&["usage"]);
    place.write("in.jsonl", "{}");
    for format in ["html", "jsonl"] {
        place.run(&["batch", "--input", "in.jsonl", "--format", format]).failed_saying(&["usage"]);
    }
    place.run(&["batch", "--input", "in.jsonl", "--format", "junit"]).failed_saying(&["standard_output_twice"]);
}

#[test]
fn a_batch_is_rendered_row_by_row_and_its_baseline_goes_by_row() {
    let place = Workplace::new();
    let row = |id: &str, year: u32| {
        format!(
            "{}\n",
            json!({"id": id, "response": format!("The gate opened in {year}."), "context": "The gate opened in 1889."})
        )
    };
    place.write("in.jsonl", format!("{}{}not json\n", row("a", 1889), row("b", 1887)));
    let ran = place.run(&["batch", "--input", "in.jsonl", "--output", "old.jsonl", "--format", "junit"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    for part in [
        "<testsuite name=\"line 2 (b)\" tests=\"1\" failures=\"1\"",
        "file=\"in.jsonl\" line=\"2\"",
        "<error type=\"row_broken_json\"",
    ] {
        assert!(ran.stdout.contains(part), "{part} is not in {}", ran.stdout);
    }
    place.write("in.jsonl", format!("{}{}{}", row("new", 1887), row("a", 1889), row("b", 1887)));
    let ran = place.run(&[
        "batch",
        "--input",
        "in.jsonl",
        "--output",
        "out.jsonl",
        "--baseline",
        "old.jsonl",
        "--format",
        "github",
    ]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert_eq!(ran.stdout.lines().count(), 1, "{}", ran.stdout);
    assert!(ran.stdout.starts_with("::error file=in.jsonl,line=1,title=contradicted::"), "{}", ran.stdout);
}
