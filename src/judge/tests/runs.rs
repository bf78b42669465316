//! Runs that are kept: cache, recording, replay.

use std::time::Duration;

use super::double::{Answer, Double, chat};
use super::support::*;
use crate::judge::{
    Detection, Detector, Input, JudgeError, Method, Models, ReplyCache, Session, SessionOptions, TapeMode,
};

const PROMPT: &str = "How long is the Ilva bridge?";

fn run(base_url: &str, options: SessionOptions, answer: &str) -> Result<Detection, crate::judge::DetectError> {
    let session = Session::new(options).unwrap();
    let model = model_at(base_url, None, &session);
    let models = Models { decompose: Some(model.clone()), ..Models::all(&model) };
    let methods = [Method::Nli, Method::Judge, Method::Qa, Method::Consistency, Method::Logprobs];
    let detector = Detector::new(self::options(&methods), models, session).unwrap();
    detector.detect(Input { answer, prompt: Some(PROMPT), sources: &[source(SOURCE)] })
}

/// Says something to everything, fails now and then.
fn talkative() -> Double {
    Double::start(|seen, _| {
        let told = seen.told();
        if !seen.path.ends_with("/chat/completions") {
            return Answer::Json(404, serde_json::json!({"error": "no completions here"}));
        }
        if told.contains("atomic statements") {
            return Answer::Json(200, chat(r#"["The Ilva bridge is 340 m long", "Arden has a castle"]"#));
        }
        if told.contains("verdicts") {
            return Answer::Json(200, chat(GOOD));
        }
        if told.contains("yes or no") {
            return Answer::Json(200, chat("yes"));
        }
        if seen.body["seed"] == 2 {
            return Answer::Json(500, serde_json::json!({"error": "tired"}));
        }
        Answer::Json(200, chat("It is 340 m long."))
    })
}

#[test]
fn a_replayed_run_equals_the_recorded_one_times_and_errors_included_without_any_server() {
    let folder = tempfile::tempdir().unwrap();
    let tape = folder.path().join("tape");
    let double = talkative();
    let recorded =
        run(&double.base_url, SessionOptions { tape: TapeMode::Record(tape.clone()), ..quick() }, ANSWER).unwrap();
    assert!(recorded.latency() > Duration::ZERO);
    assert!(recorded.method(Method::Logprobs).unwrap().error.is_some());
    drop(double);
    std::thread::sleep(Duration::from_millis(5));
    // Nobody listens there.
    let replay = SessionOptions { tape: TapeMode::Replay(tape.clone()), ..quick() };
    let replayed = run("http://127.0.0.1:9/v1", replay.clone(), ANSWER).unwrap();
    assert_eq!(format!("{recorded:?}"), format!("{replayed:?}"));
    let other = run("http://127.0.0.1:9/v1", replay, "Arden is old.").err().unwrap();
    assert!(matches!(other, crate::judge::DetectError::Judge(JudgeError::NotRecorded { .. })), "{other}");
}

#[test]
fn equal_questions_are_answered_by_the_cache_and_other_ones_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let double = Double::saying(GOOD);
    let detect = |answer: &str| {
        let cache = Some(ReplyCache::new(folder.path(), Duration::from_secs(3600)));
        let session = Session::new(SessionOptions { cache, ..quick() }).unwrap();
        let models = Models::all(&model(&double, &session));
        let detector = Detector::new(options(&[Method::Judge]), models, session).unwrap();
        detector.detect(Input { answer, prompt: None, sources: &[source(SOURCE)] }).unwrap()
    };
    let first = detect(ANSWER);
    let second = detect(ANSWER);
    assert_eq!(double.seen().len(), 1);
    let usage = |detection: &Detection| detection.method(Method::Judge).unwrap().usage.clone();
    assert_eq!((usage(&first).requests, usage(&first).cached), (1, 0));
    assert_eq!((usage(&second).requests, usage(&second).cached, usage(&second).tokens.input), (0, 1, 0));
    let labels = |detection: &Detection| opinions(detection).iter().map(|opinion| opinion.label).collect::<Vec<_>>();
    assert_eq!(labels(&first), labels(&second));
    detect("The Ilva bridge is 340 m long. Arden has two castles.");
    assert!(double.seen().len() > 1);
}
