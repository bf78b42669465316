//! The renderers on texts that try to break out of them, and the gate.

use std::sync::Arc;

use serde_json::Value;

use super::*;
use crate::corpus::Document;
use crate::evidence::InlineContext;
use crate::report::Report;
use crate::verify::{Label, Verifier};

const CONTEXT: &str = "The Ilva bridge is 340 m long and opened on 3 May 1931. <b>&\"'</b> ]]> it said.";
const ANSWER: &str = "Hello!\nThe Ilva bridge opened on 3 May 1941 & is \"100%\" <steel>]]>.\r\nThe Ilva bridge opened in 1931.\nÜber 👩‍🚀 the bridge has a castle.";
const FAILING: [Label; 2] = [Label::Contradicted, Label::Conflicting];

fn report(answer: &str) -> Report {
    let source = InlineContext::new(vec![Document::inline("notes\u{1}.txt", CONTEXT)]).unwrap();
    let verification = Verifier::builder().source(Arc::new(source)).build().unwrap().verify(answer).unwrap();
    Report::new(&verification, Some("an answer.txt"), false)
}

fn rendered(renderer: &mut dyn CiRenderer, gate: &mut Gate, answer: &str, file: Option<&str>) -> String {
    let report = report(answer);
    let standings = gate.stand(None, &report);
    let place = || AnswerPlace::Text(LineIndex::new(answer));
    let good =
        Entry { name: "an answer.txt", row: None, file, place: place(), outcome: Outcome::Report(&report, &standings) };
    let outcome = Outcome::Error("row_broken_json", "broken <JSON> & \u{b} more");
    let bad = Entry { name: "line 7", row: None, file, place: AnswerPlace::Line(7), outcome };
    let mut page = Vec::new();
    renderer.start(&mut page).unwrap();
    renderer.entry(&good, &mut page).unwrap();
    renderer.entry(&bad, &mut page).unwrap();
    renderer.finish(&mut page).unwrap();
    String::from_utf8(page).unwrap()
}

#[test]
fn known_findings_do_not_fail_again_but_new_and_repeated_ones_do() {
    let first = report("The Ilva bridge is 430 m long.");
    let fails = |gate: &mut Gate, answer: &str| {
        gate.stand(None, &report(answer)).into_iter().filter(|standing| *standing == Standing::Fails).count()
    };
    let json = serde_json::to_string_pretty(&first).unwrap();
    let gate = Gate::new(FAILING).with_baseline(Baseline::read(json.as_bytes()).unwrap());
    let moved = "Hello!\n\nThe  Ilva bridge\nis 430 m long.";
    assert_eq!(fails(&mut Gate::new(FAILING), moved), 1);
    assert_eq!(fails(&mut gate.clone(), moved), 0);
    assert_eq!(fails(&mut gate.clone(), "The Ilva bridge is 450 m long."), 1);
    let twice = "The Ilva bridge is 430 m long. Hello!\n\nThe Ilva bridge is 430 m long.";
    assert_eq!(fails(&mut gate.clone(), twice), 1);
}

#[test]
fn a_baseline_is_a_report_or_the_rows_of_a_batch_and_nothing_else() {
    let report = report("The Ilva bridge is 430 m long.");
    let row = serde_json::json!({"line": 3, "id": "a", "input_digest": "0", "report": report});
    let failed = serde_json::json!({"line": 4, "input_digest": "0", "error": {"code": "x", "message": "y"}});
    let baseline = Baseline::read(format!("{row}\n{failed}\n").as_bytes()).unwrap();
    let mut gate = Gate::new(FAILING).with_baseline(baseline);
    assert_eq!(gate.clone().stand(Some("b"), &report), [Standing::Fails], "another row");
    assert_eq!(gate.stand(Some("a"), &report), [Standing::Known]);
    for bad in ["{\"a\": 1}", "{", "[]", "nonsense"] {
        assert!(matches!(Baseline::read(bad.as_bytes()), Err(BaselineError::NotAReport { .. })), "{bad}");
    }
    assert!(matches!(Baseline::read(&b" \n"[..]), Err(BaselineError::Empty)));
}

#[test]
fn labels_that_do_not_fail_are_warnings_and_courtesies_pass() {
    let standings = Gate::new(FAILING).stand(None, &report("Hello! The Ilva bridge has a castle."));
    assert_eq!(standings, [Standing::Passes, Standing::Warns]);
    let standings = Gate::new([Label::NotChecked]).stand(None, &report("Hello!"));
    assert_eq!(standings, [Standing::Fails]);
}

#[test]
fn annotations_stand_on_one_line_each_at_their_place() {
    let page = rendered(&mut Github, &mut Gate::new(FAILING), ANSWER, Some("an, answer:1.txt"));
    assert!(page.chars().all(|c| c == '\n' || !c.is_control()));
    let lines: Vec<&str> = page.lines().collect();
    assert!(lines.iter().all(|line| line.starts_with("::")), "{page}");
    let contradicted = lines.iter().find(|line| line.contains("title=contradicted")).unwrap();
    assert!(
        contradicted.starts_with("::error file=an%2C answer%3A1.txt,line=2,endLine=2,col=1,endColumn="),
        "{contradicted}"
    );
    assert!(contradicted.contains("100%25"));
    let castle = lines.iter().find(|line| line.contains("castle")).unwrap();
    assert!(castle.starts_with("::warning file=an%2C answer%3A1.txt,line=4,endLine=4,"), "{castle}");
    assert!(lines.last().unwrap().starts_with("::error file=an%2C answer%3A1.txt,line=7,title=row_broken_json::"));
}

#[test]
fn junit_is_well_formed_xml_whose_counts_are_those_of_its_cases() {
    let page = rendered(&mut Junit, &mut Gate::new(FAILING), ANSWER, Some("a<b>.txt"));
    let document = roxmltree::Document::parse(&page).unwrap_or_else(|error| panic!("{error}\n{page}"));
    let named = |name: &'static str| document.descendants().filter(move |node| node.has_tag_name(name));
    assert_eq!(document.root_element().tag_name().name(), "testsuites");
    let suite = named("testsuite").next().unwrap();
    let cases = suite.children().filter(|node| node.has_tag_name("testcase")).count();
    assert_eq!(suite.attribute("tests"), Some(cases.to_string().as_str()));
    assert_eq!(suite.attribute("failures"), Some("1"));
    assert_eq!(suite.attribute("skipped"), Some("1"));
    let failure = named("failure").next().unwrap();
    assert_eq!(failure.attribute("type"), Some("contradicted"));
    let text = failure.text().unwrap();
    assert!(
        text.starts_with("a<b>.txt:2:1\ncontradicted: ") && text.contains("1941 & is \"100%\" <steel>]]>"),
        "{text}"
    );
    assert!(text.contains("notes\u{FFFD}.txt"));
    let error = named("error").next().unwrap();
    assert_eq!(error.attribute("message"), Some("broken <JSON> & \u{FFFD} more"));
    assert_eq!(named("testcase").next_back().unwrap().attribute("line"), Some("7"));
}

#[test]
fn sarif_follows_the_essentials_of_its_schema() {
    let schema: Value = serde_json::from_str(include_str!("sarif_essentials.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let baseline = Baseline::read(serde_json::to_string(&report("The Ilva bridge is 430 m long.")).unwrap().as_bytes());
    for (mut gate, file) in
        [(Gate::new(FAILING), Some("an answer.txt")), (Gate::new(FAILING).with_baseline(baseline.unwrap()), None)]
    {
        let page = rendered(&mut Sarif::new(gate.has_baseline()), &mut gate, ANSWER, file);
        let sarif: Value = serde_json::from_str(&page).unwrap_or_else(|error| panic!("{error}\n{page}"));
        let errors: Vec<String> = validator.iter_errors(&sarif).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}\n{page}");
        let run = &sarif["runs"][0];
        for result in run["results"].as_array().unwrap() {
            let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
            assert_eq!(rule["id"], result["ruleId"]);
        }
        assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    }
}

#[test]
fn sarif_places_findings_by_line_and_column_and_says_what_is_new() {
    let answer = "The Ilva bridge is 430 m long.\nÜber 👩‍🚀: The Ilva bridge is 450 m long.";
    let json = serde_json::to_string(&report("The Ilva bridge is 430 m long.")).unwrap();
    let mut gate = Gate::new(FAILING).with_baseline(Baseline::read(json.as_bytes()).unwrap());
    let page = rendered(&mut Sarif::new(true), &mut gate, answer, Some("an answer.txt"));
    let sarif: Value = serde_json::from_str(&page).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let (known, new) = (&results[0], &results[1]);
    assert_eq!((&known["baselineState"], &known["level"]), (&"unchanged".into(), &"warning".into()));
    assert_eq!((&new["baselineState"], &new["level"]), (&"new".into(), &"error".into()));
    let place = &new["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "an%20answer.txt");
    assert_eq!(place["region"]["startLine"], 2);
    let line = answer.lines().nth(1).unwrap();
    let start = place["region"]["startColumn"].as_u64().unwrap() as usize;
    let end = place["region"]["endColumn"].as_u64().unwrap() as usize;
    let shown: String = line.chars().skip(start - 1).take(end - start).collect();
    assert!(shown.contains("450 m long"), "{shown}");
}

#[test]
fn an_empty_run_is_still_a_whole_document() {
    for renderer in [&mut Sarif::new(false) as &mut dyn CiRenderer, &mut Junit, &mut Github] {
        let mut page = Vec::new();
        renderer.start(&mut page).unwrap();
        renderer.finish(&mut page).unwrap();
        let page = String::from_utf8(page).unwrap();
        let sound = page.is_empty()
            || serde_json::from_str::<Value>(&page).is_ok()
            || roxmltree::Document::parse(&page).is_ok();
        assert!(sound, "{page}");
    }
}
