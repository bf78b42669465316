//! `evidex detect`, `compare` and `cache` against a server of our own, with every fault of its kind.

use serde_json::json;

use crate::command::{Ran, Workplace};
use crate::double::{Answer, Double, chat};

const ANSWER: &str = "The Ilva bridge is 340 m long. Arden has a castle.";
const CONTEXT: &str = "The Ilva bridge is 340 m long and opened in 1931.";
const GOOD: &str = r#"{"verdicts": [
    {"id": 1, "label": "supported", "confidence": 0.95, "quote": "The Ilva bridge is 340 m long"},
    {"id": 2, "label": "unsupported", "confidence": 0.8, "quote": ""}]}"#;

/// Runs the command without any variable of the machine that speaks of models.
pub fn run(place: &Workplace, arguments: &[&str], variables: &[(&str, &str)]) -> Ran {
    let mut command = place.command(arguments);
    for name in [
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "OPENAI_BASE_URL",
        "ANTHROPIC_BASE_URL",
        "OLLAMA_BASE_URL",
        "JUDGE_MODEL",
        "QA_MODEL",
        "DECOMPOSE_MODEL",
        "CONSISTENCY_MODEL",
        "LOGPROB_MODEL",
        "CACHE_PATH",
        "JUDGE_WEIGHT",
        "NLI_WEIGHT",
    ] {
        command.env_remove(name);
    }
    command.env("CACHE_PATH", place.path("replies")).envs(variables.iter().copied());
    Ran::of(command.output().unwrap())
}

#[test]
fn without_a_model_detect_runs_the_checks_alone() {
    let place = Workplace::new();
    let ran = run(&place, &["detect", "-r", ANSWER, "-c", CONTEXT, "--format", "json"], &[]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let report = ran.json();
    assert_eq!(report["detection"]["methods"].as_array().unwrap().len(), 1);
    assert_eq!(report["claims"][0]["label"], "supported");
    assert_eq!(report["detection"]["usage"]["calls"], 0);
    let verify = place.verify(CONTEXT, ANSWER);
    for field in ["summary", "score", "risk", "coverage"] {
        assert_eq!(report[field], verify[field], "{field}");
    }
}

#[test]
fn the_judge_is_asked_where_a_model_is_named_and_its_quotes_are_shown() {
    let place = Workplace::new();
    let double = Double::saying(GOOD);
    let arguments = ["detect", "-r", ANSWER, "-c", CONTEXT, "--base-url", &double.base_url, "--debug-claims"];
    let ran = run(&place, &arguments, &[]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    for part in ["judge", "\u{201c}The Ilva bridge is 340 m long", "All methods together: risk", "1 requests"] {
        assert!(ran.stdout.contains(part), "`{part}` is not in: {}", ran.stdout);
    }
    assert!(ran.stderr.contains("2 claims:") && ran.stderr.contains("Arden has a castle."), "{}", ran.stderr);
    // The second time the cache answers.
    let again = run(&place, &arguments, &[]);
    assert!(again.stdout.contains("0 requests, 1 from the cache"), "{}", again.stdout);
    assert_eq!(double.seen().len(), 1);
    let shown = run(&place, &["cache", "stat", "--format", "json"], &[]).json()["replies"].clone();
    assert_eq!((shown["replies"].as_u64(), shown["expired"].as_u64()), (Some(1), Some(0)));
    assert_eq!(run(&place, &["cache", "clear", "--expired", "--format", "json"], &[]).json()["replies"]["removed"], 0);
    assert_eq!(run(&place, &["cache", "clear", "--replies", "--format", "json"], &[]).json()["replies"]["removed"], 1);
}

#[test]
fn the_json_follows_its_schema() {
    let place = Workplace::new();
    let double = Double::saying(GOOD);
    let schema = run(&place, &["schema", "--detection"], &[]).json();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let more: [&[&str]; 2] =
        [&["-m", "all,decompose", "-p", "Tell.", "--samples", "2", "--cascade"], &["-m", "judge,qa"]];
    for more in more {
        let base = ["detect", "-r", ANSWER, "-c", CONTEXT, "--base-url", &double.base_url, "--format", "json"];
        let arguments: Vec<&str> = base.iter().chain(more).copied().collect();
        let report = run(&place, &arguments, &[]).json();
        let errors: Vec<String> = validator.iter_errors(&report).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
    }
}

#[test]
fn compare_shows_the_methods_side_by_side() {
    let place = Workplace::new();
    let double =
        Double::start(|seen, _| Answer::Json(200, chat(if seen.told().contains("yes or no") { "yes" } else { GOOD })));
    let ran = run(&place, &["compare", "-r", ANSWER, "-c", CONTEXT, "--base-url", &double.base_url], &[]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let castle = ran.stdout.split("\u{2260} Arden has a castle.").nth(1).unwrap();
    for part in ["nli         unknown", "judge       unsupported", "qa          supported"] {
        assert!(castle.contains(part), "`{part}` is not in: {}", ran.stdout);
    }
    assert!(ran.stdout.contains("= The Ilva bridge is 340 m long."), "{}", ran.stdout);
}

#[test]
fn keys_show_nowhere_and_a_missing_one_is_named_with_what_to_do() {
    let place = Workplace::new();
    let secret = "sk-secret-abcdef-42";
    let double = Double::start(move |seen, _| {
        assert_eq!(seen.header("authorization"), Some("Bearer sk-secret-abcdef-42"));
        Answer::Json(401, json!({"error": {"message": format!("{secret} is no key")}}))
    });
    let arguments = ["detect", "-r", ANSWER, "-c", CONTEXT, "-m", "nli,judge", "--model", "gpt-4o-mini", "-vv"];
    let variables = [("OPENAI_API_KEY", secret), ("OPENAI_BASE_URL", double.base_url.as_str())];
    let ran = run(&place, &arguments, &variables);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("method judge:") && ran.stderr.contains("[key] is no key"), "{}", ran.stderr);
    assert!(!format!("{}{}", ran.stdout, ran.stderr).contains("abcdef"));
    run(&place, &arguments[..9], &[]).failed_saying(&["judge_key_missing", "OPENAI_API_KEY", "-m nli"]);
    let key = place.write("key", format!("{secret}\n"));
    let from_file = [
        "detect",
        "-r",
        ANSWER,
        "-c",
        CONTEXT,
        "-m",
        "nli,judge",
        "--model",
        "gpt-4o-mini",
        "--key-file",
        key.to_str().unwrap(),
    ];
    let ran = run(&place, &from_file, &variables[1..]);
    assert!(ran.stderr.contains("[key] is no key"), "{}", ran.stderr);
}

#[test]
fn what_cannot_work_is_refused_with_exit_2() {
    let place = Workplace::new();
    run(&place, &["detect", "-r", ANSWER], &[]).failed_saying(&["no_evidence", "--model"]);
    run(&place, &["detect", "-r", ANSWER, "-c", CONTEXT, "-m", "judge"], &[]).failed_saying(&["judge_no_model"]);
    run(&place, &["detect", "-r", ANSWER, "-c", CONTEXT, "-m", "guess"], &[]).failed_saying(&["no method `guess`"]);
    let mistral = ["detect", "-r", ANSWER, "-c", CONTEXT, "-m", "judge", "--model", "mistral"];
    run(&place, &mistral, &[]).failed_saying(&["judge_model", "--base-url"]);
    let offline = ["detect", "-r", ANSWER, "-c", CONTEXT, "-m", "judge", "--model", "gpt-4o", "--offline"];
    run(&place, &offline, &[("OPENAI_API_KEY", "x")]).failed_saying(&["offline", "-m nli"]);
    let band = ["detect", "-r", ANSWER, "-c", CONTEXT, "--cascade", "--cascade-band", "0.9,0.1"];
    run(&place, &band, &[]).failed_saying(&["no band"]);
    run(&place, &["detect", "-r", ANSWER, "-c", CONTEXT], &[("NLI_WEIGHT", "much")]).failed_saying(&["NLI_WEIGHT"]);
    let nowhere = ["detect", "-r", ANSWER, "-c", CONTEXT, "-m", "judge", "--base-url", "http://127.0.0.1:9/v1"];
    run(&place, &nowhere, &[]).failed_saying(&["cannot be reached"]);
    let replay = [
        "detect",
        "-r",
        ANSWER,
        "-c",
        CONTEXT,
        "-m",
        "judge",
        "--base-url",
        "http://127.0.0.1:9/v1",
        "--replay",
        "none",
    ];
    run(&place, &replay, &[]).failed_saying(&["tape.jsonl"]);
}

#[test]
fn variables_of_chaincheck_choose_models_weights_and_bounds() {
    let place = Workplace::new();
    let double = Double::saying(GOOD);
    let ollama = double.base_url.trim_end_matches("/v1").to_owned();
    let variables = [
        ("OLLAMA_BASE_URL", ollama.as_str()),
        ("JUDGE_MODEL", "ollama:tiny"),
        ("NLI_WEIGHT", "0"),
        ("JUDGE_WEIGHT", "1"),
        ("RISK_LOW_THRESHOLD", "0.9"),
        ("RISK_HIGH_THRESHOLD", "0.95"),
    ];
    let ran = run(&place, &["detect", "-r", ANSWER, "-c", CONTEXT, "--format", "json"], &variables);
    let report = ran.json();
    assert_eq!(double.seen()[0].body["model"], "tiny");
    let ensemble = &report["detection"]["ensemble"];
    assert_eq!((ensemble["risk"].as_f64(), ensemble["level"].as_str()), (Some(0.4), Some("low")));
    assert_eq!(ensemble["weights"]["judge"], 1.0);
}

#[test]
fn budgets_and_prices_are_kept_and_shown() {
    let place = Workplace::new();
    let double = Double::saying(GOOD);
    place.write("prices.toml", "[tiny]\ninput = 1000\noutput = 5000.0\n");
    let base = ["detect", "-r", ANSWER, "-c", CONTEXT, "--model", "own:tiny", "--base-url", &double.base_url];
    let with = |more: &[&str]| {
        let arguments: Vec<&str> =
            base.iter().copied().chain(["--no-cache", "--format", "json"]).chain(more.iter().copied()).collect();
        run(&place, &arguments, &[])
    };
    // 100 tokens read and 20 written.
    let report = with(&["--prices", "prices.toml"]).json();
    assert_eq!(report["detection"]["usage"]["cost"], 0.2);
    let report = with(&["--max-tokens", "50"]).json();
    let error = report["detection"]["methods"][1]["error"].as_str().unwrap();
    assert!(error.contains("the budget is used up: 50 tokens"), "{error}");
    assert!(report["detection"]["ensemble"]["coverage"].as_f64().unwrap() < 1.0);
    place.write("bad.toml", "[tiny]\ninput = \"much\"\n");
    with(&["--prices", "bad.toml"]).failed_saying(&["bad.toml", "tiny"]);
    assert_eq!(double.seen().len(), 1);
}

#[test]
fn chainchecks_json_has_its_fields_and_its_scores() {
    let place = Workplace::new();
    let double = Double::saying(
        &GOOD.replace("unsupported", "contradicted").replace("\"quote\": \"\"", "\"quote\": \"The Ilva bridge\""),
    );
    let arguments = ["detect", "-r", ANSWER, "-c", CONTEXT, "--base-url", &double.base_url, "--json"];
    let result = run(&place, &arguments, &[]).json();
    assert_eq!(result["claims"][1], "Arden has a castle.");
    assert_eq!(result["mode"], "hallucination");
    let methods = &result["method_results"];
    assert_eq!(methods["nli"]["claims"][0]["source_id"], "context");
    assert_eq!(methods["judge"]["claims"][0]["evidence"], "The Ilva bridge is 340 m long");
    // The quote says nothing of a castle, so the judge's "contradicted" is not believed.
    assert_eq!(methods["judge"]["claims"][1]["label"], "unsupported");
    let score = |method: &str| methods[method]["raw_score"].as_f64().unwrap();
    let expected = (0.1 * score("nli") + 0.6 * score("judge")) / 0.7;
    assert!((result["aggregate_score"].as_f64().unwrap() - expected).abs() < 1e-9);
    for field in
        ["response", "consistency", "risk_level", "claim_details", "latency_ms", "total_latency_ms", "request_id"]
    {
        assert!(result.get(field).is_some(), "{field}");
    }
}

#[test]
fn detect_reports_to_ci_systems() {
    let place = Workplace::new();
    let double = Double::saying(GOOD);
    for (format, part) in [("junit", "<testsuite"), ("sarif", "\"2.1.0\""), ("github", "::"), ("html", "<html")] {
        let arguments = ["detect", "-r", ANSWER, "-c", CONTEXT, "--base-url", &double.base_url, "--format", format];
        let ran = run(&place, &arguments, &[]);
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        assert!(ran.stdout.contains(part) && ran.stdout.contains("Arden"), "{format}: {}", ran.stdout);
    }
    let none = ["detect", "-r", ANSWER, "-c", CONTEXT, "--base-url", &double.base_url, "--fail-on", "contradicted"];
    assert_eq!(run(&place, &none, &[]).code, 0);
}

#[test]
fn a_batch_asks_several_methods_where_they_are_named_and_its_recording_replays_byte_for_byte() {
    let place = Workplace::new();
    let double = Double::saying(GOOD);
    let mut rows = String::new();
    for number in 1..=12 {
        let row = json!({"id": number, "response": format!("{ANSWER} Row {number} was written in 19{number:02}."), "context": CONTEXT});
        rows.push_str(&format!("{row}\n"));
    }
    rows.push_str("{broken\n");
    rows.push_str(&format!("{}\n", json!({"id": "bare", "response": ANSWER})));
    place.write("rows.jsonl", rows);
    let batch = |base_url: &str, more: &[&str]| {
        let arguments: Vec<&str> =
            ["batch", "-i", "rows.jsonl", "--base-url", base_url, "--no-cache", "--fail-on", "none"]
                .into_iter()
                .chain(more.iter().copied())
                .collect();
        run(&place, &arguments, &[])
    };
    let recorded = batch(&double.base_url, &["-o", "one.jsonl", "-m", "nli,judge", "--cascade", "--record", "tape"]);
    // The broken line cannot be checked.
    assert_eq!(recorded.code, 2, "{}", recorded.stderr);
    let one = std::fs::read_to_string(place.path("one.jsonl")).unwrap();
    let lines: Vec<serde_json::Value> = one.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 14);
    for (at, line) in lines.iter().enumerate().take(12) {
        assert_eq!(line["id"], at + 1);
        assert_eq!(line["detection"]["methods"][1]["method"], "judge");
        // What the checks settle is not asked about again.
        assert_eq!(line["detection"]["cascade"]["escalated"], 2, "{line}");
    }
    assert_eq!(lines[12]["error"]["code"], "row_broken_json");
    assert_eq!(lines[13]["detection"]["mode"], "fact_check");
    drop(double);
    let replayed =
        batch("http://127.0.0.1:9/v1", &["-o", "two.jsonl", "-m", "nli,judge", "--cascade", "--replay", "tape"]);
    assert_eq!(replayed.code, 2, "{}", replayed.stderr);
    assert_eq!(one, std::fs::read_to_string(place.path("two.jsonl")).unwrap());
    // Without --methods only the checks run, and a row without evidence is an error.
    batch("http://127.0.0.1:9/v1", &["-o", "three.jsonl"]).failed_saying(&["2 of 14 rows"]);
}
