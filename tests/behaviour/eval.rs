//! `evidex eval`: labelled sets are measured, bad rows are named, and what cannot be known is `null`.

use crate::command::Workplace;

const CONTEXT: &str = "The Ilva bridge is 340 m long and opened on 3 May 1931. Ana Brandt designed it.";

/// A line of a set of pairs.
fn row(id: &str, claim: &str, label: &str) -> String {
    serde_json::json!({ "id": id, "context": CONTEXT, "claim": claim, "label": label }).to_string()
}

fn small_set() -> String {
    [
        row("1", "The Ilva bridge is 340 m long.", "supported"),
        row("2", "Ana Brandt designed the Ilva bridge.", "supported"),
        row("3", "The Ilva bridge is 430 m long.", "contradicted"),
        row("4", "The Ilva bridge opened on 3 May 1941.", "contradicted"),
        row("5", "A castle stands in Arden.", "neutral"),
        row("6", "The harbour museum has a café.", "neutral"),
    ]
    .join("\n")
}

const QUICK: [&str; 2] = ["--baseline-embedder", "hashed"];

#[test]
fn a_set_is_measured_beside_the_baselines() {
    let place = Workplace::new();
    place.write("set.jsonl", small_set());
    let ran = place.well(&["eval", "pairs", "set.jsonl", "--format", "json", QUICK[0], QUICK[1]]);
    let report = ran.json();
    assert_eq!(report["rows"], 6);
    assert_eq!(report["metrics"]["balanced_accuracy"], 1.0);
    assert_eq!(report["metrics"]["accuracy"], 1.0);
    assert_eq!(report["metrics"]["auroc"], 1.0);
    assert_eq!(report["metrics"]["coverage"], 1.0);
    assert!(report["metrics"]["ece"].as_f64().is_some_and(|ece| (0.0..=1.0).contains(&ece)));
    for baseline in ["majority", "claim_length", "token_overlap", "embedding"] {
        assert!(report["baselines"][baseline]["balanced_accuracy"].is_f64(), "{baseline}: {report}");
    }
    assert!(report["per_class"]["neutral"]["recall"] == 1.0 && report["confusion"]["neutral"]["neutral"] == 2);
    for time in ["mean", "p50", "p95", "p99"] {
        assert!(report["latency_ms"][time].as_f64().is_some_and(|time| time > 0.0));
    }
    let text = place.well(&["eval", "pairs", "set.jsonl", QUICK[0], QUICK[1]]).stdout;
    assert!(text.contains("set: 6 rows (2 contradicted, 2 neutral, 2 supported)"), "{text}");
    assert!(text.contains("token_overlap") && text.contains("coverage (checked / all)"), "{text}");
}

#[test]
fn bad_rows_are_named_by_line_and_strict_stops_at_the_first() {
    let place = Workplace::new();
    let lines =
        format!("{}\n{}\nnonsense\n{}", small_set(), row("1", "Again.", "supported"), row("9", "Odd.", "maybe"));
    place.write("set.jsonl", lines);
    let ran = place.well(&["eval", "pairs", "set.jsonl", "--format", "json", "--baselines", "none"]);
    for said in ["line 7: the id `1` was on line 1 already", "line 8: is no JSON", "line 9: unknown label `maybe`"] {
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
    let report = ran.json();
    assert_eq!(report["rows"], 6);
    assert_eq!(report["problems"]["duplicate_id"], 1);
    assert_eq!(report["problems"]["unknown_label"], 1);
    assert_eq!(report["problem_lines"]["not_an_object"], serde_json::json!([8]));
    place.run(&["eval", "pairs", "set.jsonl", "--strict"]).failed_saying(&[
        "set.jsonl",
        "line 7",
        "bad_row",
        "--strict",
    ]);
}

#[test]
fn compressed_sets_and_lists_of_contexts_are_read() {
    let place = Workplace::new();
    let line = r#"{"id": 1, "context": ["It rained.", "The Ilva bridge is 340 m long."], "claim": "The Ilva bridge is 340 m long.", "label": "supported"}"#;
    place.write("a.jsonl.zst", zstd::encode_all(line.as_bytes(), 1).unwrap());
    let report = place.well(&["eval", "pairs", "a.jsonl.zst", "--format", "json", "--baselines", "none"]).json();
    assert_eq!((&report["dataset"], &report["metrics"]["accuracy"]), (&"a".into(), &1.0.into()));
    // One class: what needs two is null, and the reason is there.
    assert!(report["metrics"]["auroc"].is_null() && report["metrics"]["balanced_accuracy"].is_null());
    assert_eq!(report["undefined"]["auroc"], "every row is supported");
    assert_eq!(report["undefined"]["intervals.auroc"], "every row is supported");
    // Two rows are too few for an interval: half of the samples lack one of the classes.
    let lines = [row("1", "The Ilva bridge is 340 m long.", "supported"), row("2", "A castle.", "neutral")];
    place.write("two.jsonl", lines.join("\n"));
    let report = place.well(&["eval", "pairs", "two.jsonl", "--format", "json", "--baselines", "none"]).json();
    assert!(report["metrics"]["auroc"] == 1.0 && report["intervals"]["auroc"].is_null());
    assert_eq!(report["undefined"]["intervals.auroc"], "there are so few rows that many samples lack a class");
}

#[test]
fn the_majority_reaches_what_a_constant_answer_reaches_and_no_less() {
    let place = Workplace::new();
    place.write("set.jsonl", small_set());
    let report = place.well(&["eval", "pairs", "set.jsonl", "--format", "json", "--baselines", "majority"]).json();
    let reached = report["baselines"]["majority"]["balanced_accuracy"].as_f64().unwrap();
    assert!((reached - 1.0 / 3.0).abs() < 1e-12, "{reached}");
}

#[test]
fn one_set_that_cannot_be_evaluated_does_not_lose_the_others() {
    let place = Workplace::new();
    place.write("set.jsonl", small_set());
    place.write("empty.jsonl", "");
    let words = ["eval", "pairs", "empty.jsonl", "set.jsonl", "--baselines", "none", "--format", "json"];
    let ran = place.run(&words);
    ran.failed_saying(&["empty.jsonl holds no row", "sets_left_out", "1 of 2 sets were not evaluated"]);
    let reports = ran.json();
    assert_eq!((reports.as_array().unwrap().len(), &reports[0]["dataset"]), (1, &"set".into()));
    let words = ["eval", "pairs", "set.jsonl", "--errors", "supported:neutral", "--format", "json"];
    place.run(&words).failed_saying(&["--errors", "--predictions"]);
}

#[test]
fn baselines_are_taken_over_from_a_result_on_the_same_rows_and_from_no_other() {
    let place = Workplace::new();
    place.write("set.jsonl", small_set());
    let first = ["eval", "pairs", "set.jsonl", "--format", "json", "--out", "first", QUICK[0], QUICK[1]];
    let measured = place.well(&first).json();
    let again = ["eval", "pairs", "set.jsonl", "--format", "json", "--baselines-of", "first"];
    let taken = place.well(&again).json();
    assert_eq!(taken["baselines"], measured["baselines"]);
    assert_eq!(taken["models"]["baseline_embedder"], measured["models"]["baseline_embedder"]);
    let other = place.well(&["eval", "pairs", "set.jsonl", "--baselines-of", "first", "--limit", "4"]);
    assert!(other.stderr.contains("is of other rows: the baselines are measured anew"), "{}", other.stderr);
    let none = place.well(&["eval", "pairs", "set.jsonl", "--baselines-of", "nowhere"]);
    assert!(none.stderr.contains("is not there"), "{}", none.stderr);
}

#[test]
fn a_set_without_contexts_needs_an_index_and_says_so() {
    let place = Workplace::new();
    let line = r#"{"id": "1", "context": "", "claim": "The Ilva bridge is 340 m long.", "label": "supported"}"#;
    place.write("set.jsonl", line);
    place.run(&["eval", "pairs", "set.jsonl"]).failed_saying(&["no_contexts", "set.jsonl", "--index"]);
    place.write("docs/bridge.txt", CONTEXT);
    place.well(&["index", "docs", "--into", "idx", "--embedder", "none"]);
    let ran = place.well(&["eval", "pairs", "set.jsonl", "--index", "idx", "--format", "json", QUICK[0], QUICK[1]]);
    assert_eq!(ran.json()["metrics"]["accuracy"], 1.0);
    place.write("empty.jsonl", "");
    place.run(&["eval", "pairs", "empty.jsonl"]).failed_saying(&["no_rows", "empty.jsonl"]);
    place.run(&["eval", "pairs", "nowhere.jsonl"]).failed_saying(&["nowhere.jsonl", "no such file"]);
}

#[test]
fn predictions_are_written_row_by_row_and_two_runs_are_compared() {
    let place = Workplace::new();
    place.write("set.jsonl", small_set());
    for name in ["a.jsonl", "b.jsonl"] {
        place.well(&["eval", "pairs", "set.jsonl", "--baselines", "none", "--predictions", name]);
    }
    let lines = std::fs::read_to_string(place.path("a.jsonl")).unwrap();
    let first: serde_json::Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(lines.lines().count(), 6);
    for field in ["id", "gold", "label", "confidence", "scores", "findings"] {
        assert!(!first[field].is_null(), "{field}: {first}");
    }
    assert!(!place.path("a.jsonl.part").exists());
    let same = place.well(&["eval", "compare", "a.jsonl", "b.jsonl", "--format", "json"]).json();
    assert_eq!((&same["common_rows"], &same["mcnemar"]["p_value"]), (&6.into(), &1.0.into()));
    let worse = lines.replace("\"label\":\"contradicted\"", "\"label\":\"supported\"");
    place.write("b.jsonl", worse);
    let text = place.well(&["eval", "compare", "a.jsonl", "b.jsonl"]).stdout;
    assert!(text.contains("only the first is right on 2, only the second on 0"), "{text}");
    place.write("c.json", "{\"not\": \"a result\"}");
    place.run(&["eval", "compare", "a.jsonl", "c.json"]).failed_saying(&["not_a_result", "c.json"]);
}

#[test]
fn a_limit_draws_the_same_rows_for_the_same_seed() {
    let place = Workplace::new();
    place.write("set.jsonl", small_set());
    let ids = |seed: &str| {
        let out = format!("{seed}.jsonl");
        place.well(&[
            "eval",
            "pairs",
            "set.jsonl",
            "--baselines",
            "none",
            "--limit",
            "3",
            "--seed",
            seed,
            "--predictions",
            &out,
        ]);
        let lines = std::fs::read_to_string(place.path(&out)).unwrap();
        lines
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["id"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(ids("5").len(), 3);
    assert_eq!(ids("5"), ids("5"));
    assert!((6..20).any(|seed| ids(&seed.to_string()) != ids("5")));
}

#[test]
fn answers_are_split_into_claims_and_are_as_good_as_the_worst() {
    let place = Workplace::new();
    let row = |id: &str, response: &str, label: &str| {
        serde_json::json!({ "id": id, "context": CONTEXT, "response": response, "label": label }).to_string()
    };
    let set = [
        row("1", "The Ilva bridge is 340 m long. Ana Brandt designed it.", "supported"),
        row("2", "The Ilva bridge is 430 m long. Ana Brandt designed it.", "unsupported"),
    ];
    place.write("set.jsonl", set.join("\n"));
    let first = ["eval", "answers", "set.jsonl", "--format", "json", "--baselines", "none", "--predictions", "p.jsonl"];
    let report = place.well(&first).json();
    assert_eq!((&report["kind"], &report["metrics"]["accuracy"]), (&"answers".into(), &1.0.into()));
    assert_eq!((&report["claims"]["clean_claims"], &report["claims"]["hallucinated_claims"]), (&2.into(), &2.into()));
    assert_eq!(report["claims"]["hallucinated_flag_rate"], 0.5);
    let args = ["eval", "answers", "set.jsonl", "--format", "json", "--baselines", "none", "--cascade-with", "p.jsonl"];
    let cascade = place.well(&args).json()["cascade"].clone();
    assert!(cascade.as_array().is_some_and(|points| points.iter().any(|point| point["pareto"] == true)));
}

#[test]
fn published_sets_are_read_in_their_authors_form() {
    let place = Workplace::new();
    let line = serde_json::json!({ "knowledge": CONTEXT, "question": "How long is the Ilva bridge?",
        "right_answer": "The Ilva bridge is 340 m long.", "hallucinated_answer": "The Ilva bridge is 430 m long." });
    place.write("qa_data.json", line.to_string());
    let report =
        place.well(&["eval", "run", "halueval-qa", "qa_data.json", "--format", "json", "--baselines", "none"]).json();
    assert_eq!((&report["dataset"], &report["metrics"]["accuracy"]), (&"halueval-qa".into(), &1.0.into()));
    place.run(&["eval", "run", "halueval", "qa_data.json"]).failed_saying(&["unknown_set", "halueval-qa"]);
}

#[test]
fn retrieval_is_measured_on_a_folder_in_the_usual_layout() {
    let place = Workplace::new();
    place.write(
        "set/corpus.jsonl",
        "{\"_id\": \"b\", \"title\": \"Bridge\", \"text\": \"The Ilva bridge is long.\"}\n\
         {\"_id\": \"m\", \"title\": \"Museum\", \"text\": \"The museum shows ships.\"}",
    );
    place.write(
        "set/queries.jsonl",
        "{\"_id\": \"1\", \"text\": \"Ilva bridge\"}\n{\"_id\": \"2\", \"text\": \"ships\"}",
    );
    place.write("set/qrels/test.tsv", "query-id\tcorpus-id\tscore\n1\tb\t1\n2\tm\t1\n");
    let ran =
        place.well(&["eval", "retrieval", "set", "--embedder", "hashed", "--format", "json", "--html", "page.html"]);
    let report = ran.json();
    for mode in ["bm25", "hybrid"] {
        assert_eq!(report["modes"][mode]["ndcg_at_10"], 1.0, "{report}");
        assert_eq!(report["modes"][mode]["mrr"], 1.0);
    }
    assert!(report["modes"]["dense"]["recall_at_100"].is_f64());
    assert_eq!((&report["documents"], &report["evidence_recall"]), (&2.into(), &1.0.into()));
    assert!(std::fs::read_to_string(place.path("page.html")).unwrap().contains("<svg role=\"img\""));
    place.run(&["eval", "retrieval", "docs"]).failed_saying(&["corpus.jsonl", "no such file"]);
}

#[test]
fn corpora_kept_in_one_folder_stay_apart_and_their_bad_lines_are_counted() {
    let place = Workplace::new();
    for (set, text) in [("a", "The Ilva bridge is long."), ("b", "The museum shows ships.")] {
        let good = serde_json::json!({ "_id": "1", "text": text }).to_string();
        place.write(&format!("{set}/corpus.jsonl"), format!("{good}\nnonsense\n"));
        let query = serde_json::json!({ "_id": "q", "text": text }).to_string();
        place.write(&format!("{set}/queries.jsonl"), query);
        place.write(&format!("{set}/qrels/test.tsv"), "query-id\tcorpus-id\tscore\nq\t1\t1\n");
    }
    for set in ["a", "b", "a"] {
        let ask = ["eval", "retrieval", set, "--embedder", "none", "--keep", "kept", "--format", "json"];
        let report = place.well(&ask).json();
        assert_eq!((&report["documents"], &report["modes"]["bm25"]["ndcg_at_10"]), (&1.into(), &1.0.into()));
        assert_eq!(report["problems"]["missing_field"], 1, "{report}");
    }
    place.run(&["eval", "retrieval", "a", "--embedder", "none", "--strict"]).failed_saying(&["corpus.jsonl", "line 2"]);
}

#[test]
fn a_folder_without_results_leaves_the_page_as_it_is() {
    let place = Workplace::new();
    let page = "<!-- results: begin -->\nfigures\n<!-- results: end -->\n";
    place.write("page.md", page);
    place.run(&["eval", "table", "nowhere", "--write", "page.md"]).failed_saying(&["nowhere", "retrieval/"]);
    assert_eq!(std::fs::read_to_string(place.path("page.md")).unwrap(), page);
}

#[test]
fn fitting_writes_coefficients_and_says_how_they_do_on_the_other_half() {
    let place = Workplace::new();
    let rows: Vec<String> = (0..60)
        .map(|n| match n % 3 {
            0 => row(&n.to_string(), "The Ilva bridge is 340 m long.", "supported"),
            1 => row(&n.to_string(), "The Ilva bridge is 430 m long.", "contradicted"),
            _ => row(&n.to_string(), "A castle stands in Arden.", if n % 2 == 0 { "neutral" } else { "contradicted" }),
        })
        .collect();
    place.write("set.jsonl", rows.join("\n"));
    let ran = place.well(&["eval", "fit", "--dev", "set.jsonl", "--write", "own.json", "--nli", "none"]);
    assert!(ran.stdout.contains("all, pooled"), "{}", ran.stdout);
    let written: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(place.path("own.json")).unwrap()).unwrap();
    let calibration = &written["calibration"];
    let fitted = &calibration["without_model"]["fitted_on"];
    let (own, held) = (fitted["rows"].as_u64().unwrap(), fitted["held_out_rows"].as_u64().unwrap());
    assert_eq!(own + held, 60);
    assert!(own > 10 && held > 10 && fitted["held_out_ece"].is_f64());
    let own: serde_json::Value = serde_json::from_str(include_str!("../../src/verify/fitted.json")).unwrap();
    assert_eq!(calibration["with_model"], own["calibration"]["with_model"], "what was not fitted stays");
    assert_eq!((&written["rule"], &written["ensemble"]), (&own["rule"], &own["ensemble"]));
}
