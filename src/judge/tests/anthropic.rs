//! Anthropic's wire format, by messages written by hand after its public documentation.

use serde_json::json;

use super::double::{Answer, Double};
use super::support::*;
use crate::judge::{
    ApiKey, BaseUrls, Detector, Input, LanguageModel, Method, ModelAddress, Models, OpinionLabel, Session,
};

fn detect(double: &Double) -> crate::judge::Detection {
    let session = Session::new(quick()).unwrap();
    let bases = BaseUrls { anthropic: double.base_url.clone(), ..BaseUrls::default() };
    let address = ModelAddress::parse("claude-haiku-4-5", &bases).unwrap();
    let model = LanguageModel::new(address, ApiKey::new("sk-ant-test"), &session).unwrap();
    let detector = Detector::new(options(&[Method::Judge]), Models::all(&model), session).unwrap();
    detector.detect(Input { answer: ANSWER, prompt: None, sources: &[source(SOURCE)] }).unwrap()
}

#[test]
fn a_request_carries_what_the_protocol_wants_and_a_tool_call_is_read() {
    let double = Double::start(|seen, _| {
        assert_eq!(seen.path, "/v1/messages");
        assert_eq!(seen.header("x-api-key"), Some("sk-ant-test"));
        assert_eq!(seen.header("anthropic-version"), Some("2023-06-01"));
        assert_eq!(seen.header("authorization"), None);
        assert_eq!(seen.body["model"], "claude-haiku-4-5");
        assert!(seen.body["max_tokens"].as_u64().unwrap() > 0);
        assert!(seen.body["system"].as_str().unwrap().contains("evidence"));
        assert_eq!(seen.body["messages"][0]["role"], "user");
        assert_eq!(seen.body["tool_choice"]["name"], seen.body["tools"][0]["name"]);
        assert_eq!(seen.body["tools"][0]["input_schema"]["type"], "object");
        let input: serde_json::Value = serde_json::from_str(GOOD).unwrap();
        Answer::Json(
            200,
            json!({
                "id": "msg_01", "type": "message", "role": "assistant", "model": "claude-haiku-4-5",
                "content": [{"type": "tool_use", "id": "toolu_01", "name": "reply", "input": input}],
                "stop_reason": "tool_use", "stop_sequence": null,
                "usage": {"input_tokens": 321, "output_tokens": 45},
            }),
        )
    });
    let detection = detect(&double);
    let labels: Vec<_> = opinions(&detection).iter().map(|opinion| opinion.label).collect();
    assert_eq!(labels, [Some(OpinionLabel::Supported), Some(OpinionLabel::Unsupported)]);
    let usage = &detection.method(Method::Judge).unwrap().usage;
    assert_eq!((usage.tokens.input, usage.tokens.output), (321, 45));
    assert_eq!(usage.model.as_deref(), Some("anthropic:claude-haiku-4-5"));
}

#[test]
fn text_blocks_are_joined_and_a_broken_off_reply_keeps_what_is_whole() {
    let double = Double::start(|_, _| {
        let (first, rest) = GOOD.split_at(60);
        let cut = rest.find("{\"id\": 2").map_or(rest, |at| &rest[..at + 10]);
        Answer::Json(
            200,
            json!({
                "type": "message", "role": "assistant", "stop_reason": "max_tokens",
                "content": [{"type": "text", "text": first}, {"type": "text", "text": cut}],
                "usage": {"input_tokens": 1, "output_tokens": 1},
            }),
        )
    });
    assert_eq!(opinions(&detect(&double))[0].label, Some(OpinionLabel::Supported));
}

#[test]
fn an_overloaded_service_is_tried_again_and_its_complaint_is_shown() {
    let double = Double::start(|_, _| {
        Answer::Json(529, json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}))
    });
    let error = opinions(&detect(&double))[0].error.clone().unwrap();
    assert!(error.contains("answers 529 (2 tries): Overloaded"), "{error}");
    let refusing =
        Double::start(|_, _| Answer::Json(200, json!({"type": "message", "content": [], "stop_reason": "refusal"})));
    let error = opinions(&detect(&refusing))[0].error.clone().unwrap();
    assert!(error.contains("the model refuses"), "{error}");
}

#[test]
fn log_probabilities_cannot_be_had_and_that_is_said() {
    let double = Double::start(|_, _| Answer::Close);
    let session = Session::new(quick()).unwrap();
    let bases = BaseUrls { anthropic: double.base_url.clone(), ..BaseUrls::default() };
    let address = ModelAddress::parse("anthropic:x", &bases).unwrap();
    let model = LanguageModel::new(address, None, &session).unwrap();
    let detector = Detector::new(options(&[Method::Logprobs]), Models::all(&model), session).unwrap();
    let detection = detector.detect(Input { answer: ANSWER, prompt: Some("?"), sources: &[] }).unwrap();
    assert!(detection.methods[0].error.as_deref().unwrap().contains("no log-probabilities"));
    assert!(double.seen().is_empty());
}
