//! Every fault a model's server has, and what the report says of it.

use std::time::{Duration, Instant};

use serde_json::json;

use super::double::{Answer, Double, chat, chat_ended};
use super::support::*;
use crate::judge::{Detector, Input, JudgeError, Limits, Method, Models, OpinionLabel, Session, SessionOptions};

fn said(double: &Double) -> (Vec<String>, usize) {
    let detection = judge(double);
    let told = opinions(&detection)
        .iter()
        .map(|opinion| match (opinion.label, &opinion.error) {
            (Some(label), _) => label.to_string(),
            (None, error) => format!("error: {}", error.as_deref().unwrap_or("none")),
        })
        .collect();
    (told, double.seen().len())
}

/// A fault, what the server does, what is to be said of the two claims, and how many requests it takes.
type Row = (&'static str, fn(usize) -> Answer, [&'static str; 2], usize);

const CLOSED: &str = "error: http://";

#[test]
fn every_fault_is_survived_or_said_and_never_counts_as_a_verdict() {
    let rows: &[Row] = &[
        ("none", |_| Answer::Json(200, chat(GOOD)), ["supported", "unsupported"], 1),
        (
            "429 with Retry-After, once",
            |n| match n {
                0 => Answer::Raw(
                    429,
                    vec![("retry-after", "0".into())],
                    b"{\"error\":{\"message\":\"slow down\"}}".to_vec(),
                ),
                _ => Answer::Json(200, chat(GOOD)),
            },
            ["supported", "unsupported"],
            2,
        ),
        (
            "429 with Retry-After of an hour",
            |_| Answer::Raw(429, vec![("retry-after", "3600".into())], b"slow down".to_vec()),
            ["answers 429 (1 tries): slow down", "answers 429"],
            1,
        ),
        (
            "500, once",
            |n| if n == 0 { Answer::Json(500, json!({"error": "oops"})) } else { Answer::Json(200, chat(GOOD)) },
            ["supported", "unsupported"],
            2,
        ),
        (
            "500, always",
            |_| Answer::Json(500, json!({"error": "oops"})),
            ["answers 500 (2 tries): oops", "answers 500"],
            2,
        ),
        (
            "404",
            |_| Answer::Json(404, json!({"error": {"message": "no such model"}})),
            ["refuses with 404: no such model", "refuses with 404"],
            1,
        ),
        (
            "redirect",
            |_| Answer::Raw(302, vec![("location", "http://127.0.0.1:9/".into())], Vec::new()),
            ["refuses with 302", "refuses with 302"],
            1,
        ),
        ("connection closed", |_| Answer::Close, [CLOSED, "cannot be reached"], 1),
        ("JSON of the protocol cut", |_| Answer::Cut(b"{\"choices\": [{\"mess".to_vec()), [CLOSED, "broke off"], 1),
        (
            "JSON of the protocol half",
            |_| Answer::Raw(200, Vec::new(), b"{\"choices\": [{\"mess".to_vec()),
            ["it is no whole JSON", "it is no whole JSON"],
            1,
        ),
        ("no choices", |_| Answer::Json(200, json!({"choices": []})), ["it holds no choice", "it holds no choice"], 1),
        (
            "reply of 10 MB",
            |_| Answer::Raw(200, Vec::new(), vec![b' '; 10 << 20]),
            ["it is larger than 4194304 bytes", "it is larger than"],
            1,
        ),
        (
            "verdicts cut after the first",
            |_| {
                let cut = GOOD.find("{\"id\": 2").map_or(GOOD, |at| &GOOD[..at + 20]);
                Answer::Json(200, chat_ended(cut, "length"))
            },
            // The second time the reply speaks of the claim that is left: it is number 1 then, and its quote is not
            // about the castle.
            ["supported", "unknown"],
            2,
        ),
        (
            "verdicts in a fence",
            |_| Answer::Json(200, chat(&format!("```json\n{GOOD}\n```"))),
            ["supported", "unsupported"],
            1,
        ),
        (
            "verdicts in prose",
            |_| Answer::Json(200, chat(&format!("Sure! Here \"they\" are: {GOOD} Hope {{that}} helps."))),
            ["supported", "unsupported"],
            1,
        ),
        (
            "no JSON",
            |_| Answer::Json(200, chat("Both claims look fine to me.")),
            ["error: the reply does not speak of it", "error: the reply does not speak of it"],
            2,
        ),
        (
            "wrong keys",
            |_| Answer::Json(200, chat(r#"{"results": [{"nr": 1, "rating": "good"}, {"nr": 2, "rating": "bad"}]}"#)),
            ["error: the reply's entry on it cannot be used", "error: the reply's entry on it cannot be used"],
            2,
        ),
        (
            "an extra claim",
            |_| {
                let extra = r#"{"id": 3, "label": "supported", "confidence": 1, "quote": "opened in 1931"}]}"#;
                Answer::Json(200, chat(&GOOD.replace("]}", &format!(", {extra}"))))
            },
            ["supported", "unsupported"],
            1,
        ),
        (
            "confidence NaN, then right",
            |n| {
                let text = if n == 0 { GOOD.replace("0.8", "NaN") } else { GOOD.replace("0.8", "0.7") };
                let only = r#"{"verdicts": [{"id": 1, "label": "unsupported", "confidence": 0.7, "quote": ""}]}"#;
                Answer::Json(200, chat(if n == 0 { &text } else { only }))
            },
            ["supported", "unsupported"],
            2,
        ),
        (
            "confidence 1.5, always",
            |_| Answer::Json(200, chat(&GOOD.replace("0.95", "1.5").replace("0.8", "-0.1"))),
            ["error: the reply's entry on it cannot be used", "error: the reply's entry on it cannot be used"],
            2,
        ),
        (
            "a quote that is nowhere",
            |_| Answer::Json(200, chat(&GOOD.replace("340 m long", "341 m long"))),
            ["unknown", "unsupported"],
            1,
        ),
        (
            "no schema taken",
            |n| match n {
                0 => Answer::Json(400, json!({"error": {"message": "response_format is not supported"}})),
                _ => Answer::Json(200, chat(GOOD)),
            },
            ["supported", "unsupported"],
            2,
        ),
    ];
    println!("{:<32} {:>8}  first claim | second claim", "fault", "requests");
    for (fault, answer, expected, requests) in rows {
        let answer = *answer;
        let double = Double::start(move |_, n| answer(n));
        let (told, sent) = said(&double);
        println!("{fault:<32} {sent:>8}  {} | {}", told[0], told[1]);
        assert_eq!(told.len(), 2, "{fault}");
        for (told, expected) in told.iter().zip(expected) {
            assert!(told.contains(expected), "{fault}: `{told}` instead of `{expected}`");
        }
        assert_eq!(sent, *requests, "{fault}");
    }
}

#[test]
fn a_method_that_failed_lowers_coverage_and_is_no_zero() {
    let double = Double::start(|_, _| Answer::Json(500, json!({})));
    let detection = detect(&double, &[Method::Nli, Method::Judge], ANSWER, &[source(SOURCE)]);
    let judge = detection.method(Method::Judge).unwrap();
    assert_eq!(judge.risk, None);
    assert!(judge.error.as_deref().unwrap().contains("500"));
    let nli = detection.method(Method::Nli).unwrap();
    assert_eq!(detection.ensemble.risk, nli.risk);
    assert_eq!(detection.ensemble.coverage, Some(0.5));
    assert!(detection.verification.claims[0].verdict.failures.iter().any(|failure| failure.check == "judge"));
}

#[test]
fn claims_that_no_method_could_judge_are_not_checked() {
    let double = Double::start(|_, _| Answer::Json(401, json!({"error": "who are you?"})));
    for sources in [vec![source(SOURCE)], Vec::new()] {
        let detection = detect(&double, &[Method::Judge], ANSWER, &sources);
        assert!(detection.verification.claims.iter().all(|claim| claim.verdict.unchecked.is_some()));
        assert_eq!((detection.ensemble.risk, detection.ensemble.level), (None, None));
    }
}

#[test]
fn a_server_that_hangs_is_left_after_the_timeout_and_tried_again() {
    let double = Double::start(|_, _| Answer::Hang);
    let options = SessionOptions { timeout: Duration::from_secs(1), ..quick() };
    let session = Session::new(options).unwrap();
    let detector =
        Detector::new(self::options(&[Method::Judge]), Models::all(&model(&double, &session)), session).unwrap();
    let detection = detector.detect(Input { answer: ANSWER, prompt: None, sources: &[source(SOURCE)] }).unwrap();
    let error = opinions(&detection)[0].error.clone().unwrap();
    assert!(error.contains("gave no whole reply within 1 s (2 tries)"), "{error}");
    assert_eq!(double.seen().len(), 2);
}

#[test]
fn a_hanging_request_is_left_when_the_caller_stops() {
    let double = Double::start(|_, _| Answer::Hang);
    let options = quick();
    let stop = options.cancellation.clone();
    let session = Session::new(options).unwrap();
    let detector =
        Detector::new(self::options(&[Method::Judge]), Models::all(&model(&double, &session)), session).unwrap();
    let started = Instant::now();
    let outcome = std::thread::scope(|scope| {
        scope.spawn(|| {
            while double.seen().is_empty() {
                std::thread::sleep(Duration::from_millis(10));
            }
            stop.cancel();
        });
        detector.detect(Input { answer: ANSWER, prompt: None, sources: &[source(SOURCE)] })
    });
    assert_eq!(outcome.err().unwrap().to_string(), "cancelled");
    assert!(started.elapsed() < Duration::from_secs(15), "it waited for the timeout");
}

#[test]
fn a_used_up_budget_is_said_and_nothing_more_is_sent() {
    let double = Double::saying(GOOD);
    let limits = Limits { max_requests: Some(1), ..Limits::default() };
    let session = Session::new(SessionOptions { limits, ..quick() }).unwrap();
    let model = model(&double, &session);
    let detector = Detector::new(options(&[Method::Judge]), Models::all(&model), session).unwrap();
    let sources = [source(SOURCE)];
    let first = detector.detect(Input { answer: ANSWER, prompt: None, sources: &sources }).unwrap();
    assert_eq!(opinions(&first)[0].label, Some(OpinionLabel::Supported));
    let second = detector.detect(Input { answer: "Arden is old.", prompt: None, sources: &sources }).unwrap();
    assert_eq!(opinions(&second)[0].error.as_deref(), Some("the budget is used up: 1 requests"));
    assert_eq!(double.seen().len(), 1);
}

#[test]
fn a_missing_key_is_an_error_before_anything_is_sent() {
    use crate::judge::{BaseUrls, LanguageModel, ModelAddress};
    let session = Session::new(quick()).unwrap();
    for (name, variable) in [("gpt-4o-mini", "OPENAI_API_KEY"), ("claude-haiku-4-5", "ANTHROPIC_API_KEY")] {
        let address = ModelAddress::parse(name, &BaseUrls::default()).unwrap();
        match LanguageModel::new(address, None, &session) {
            Err(JudgeError::MissingKey { variable: named, .. }) => assert_eq!(named, variable),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_key_reaches_the_server_and_nothing_else() {
    const KEY: &str = "sk-very-secret-0123456789";
    let double = Double::start(|seen, n| match n {
        0 => Answer::Json(200, chat(&format!("{GOOD} {KEY}"))),
        _ => Answer::Json(401, json!({"error": {"message": format!("{:?} is no key", seen.header("authorization"))}})),
    });
    let folder = tempfile::tempdir().unwrap();
    let options = SessionOptions {
        tape: crate::judge::TapeMode::Record(folder.path().join("tape")),
        cache: Some(crate::judge::ReplyCache::new(folder.path().join("cache"), Duration::from_secs(60))),
        ..quick()
    };
    let session = Session::new(options).unwrap();
    let model = model_at(&double.base_url, Some(KEY), &session);
    let shown = format!("{model:?}");
    let detector = Detector::new(self::options(&[Method::Judge]), Models::all(&model), session).unwrap();
    let sources = [source(SOURCE)];
    let good = detector.detect(Input { answer: ANSWER, prompt: None, sources: &sources }).unwrap();
    let refused = detector.detect(Input { answer: "Arden is old.", prompt: None, sources: &sources }).unwrap();
    assert_eq!(double.seen()[0].header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    let error = opinions(&refused)[0].error.clone().unwrap();
    assert!(error.contains("[key]"), "{error}");
    let mut all = format!("{shown}{good:?}{refused:?}");
    for entry in files(folder.path()) {
        all.push_str(&std::fs::read_to_string(entry).unwrap());
    }
    assert!(!all.contains(KEY) && !all.contains("very-secret"));
}

fn files(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}
