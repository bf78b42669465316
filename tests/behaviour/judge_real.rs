//! A real OpenAI-compatible server with a real model (`.ci/llm-server start`). It proves the protocol, not the wisdom of
//! a judge of 135 million parameters. Few calls: it is slow.

use crate::command::Workplace;
use crate::judge::run;

/// The server's address; `None`, and said, where there is none and none is required.
fn server() -> Option<String> {
    let url = std::env::var("EVIDEX_TEST_LLM").ok().filter(|url| !url.is_empty());
    assert!(
        url.is_some() || std::env::var("EVIDEX_REQUIRE_LLM").as_deref() != Ok("1"),
        "EVIDEX_TEST_LLM names no server and EVIDEX_REQUIRE_LLM=1"
    );
    if url.is_none() {
        eprintln!("skipped: EVIDEX_TEST_LLM names no server (start one with .ci/llm-server start)");
    }
    url
}

#[test]
fn every_method_speaks_with_a_real_server_and_a_replay_is_byte_identical() {
    let Some(url) = server() else { return };
    let place = Workplace::new();
    let base = [
        "detect",
        "-r",
        "The Ilva bridge is 340 m long. It opened in 1931.",
        "-c",
        "The Ilva bridge is 340 m long and opened in 1931.",
        "-p",
        "Say in one short sentence how long the Ilva bridge is.",
        "-m",
        "decompose,all",
        "--samples",
        "2",
        "--answer-tokens",
        "24",
        "--embedder",
        "hashed",
        "--timeout",
        "300",
        "--no-cache",
        "--format",
        "json",
    ];
    let with = |more: &[&str]| {
        let arguments: Vec<&str> = base.iter().chain(more).copied().collect();
        run(&place, &arguments, &[])
    };
    let recorded = with(&["--base-url", &url, "--record", "tape"]);
    assert!(recorded.code < 2, "{}", recorded.stderr);
    let report = recorded.json();
    let method = |name: &str| {
        let methods = report["detection"]["methods"].as_array().unwrap();
        methods.iter().find(|method| method["method"] == name).unwrap().clone()
    };
    for name in ["judge", "qa", "consistency", "logprobs"] {
        let usage = method(name)["usage"].clone();
        assert!(
            usage["requests"].as_u64().unwrap() > 0 && usage["output_tokens"].as_u64().unwrap() > 0,
            "{name}: {usage}"
        );
        // Whatever the model says, the server's replies could be read.
        let error = method(name)["error"].as_str().unwrap_or_default().to_owned();
        assert!(!error.contains("http"), "{name}: {error}");
    }
    assert_eq!(method("consistency")["consistency"]["samples"], 2);
    assert_eq!(method("consistency")["consistency"]["similarity"].as_array().unwrap().len(), 3);
    // llama.cpp's server ignores `echo`: that must be noticed, not believed.
    assert_eq!(method("logprobs")["logprobs"]["given_answer"], false);
    assert!(method("logprobs")["logprobs"]["mean"].as_f64().unwrap() < 0.0);
    let split = &report["detection"]["decomposition"];
    assert!(split["usage"]["requests"].as_u64().unwrap() > 0, "{split}");
    let replayed = with(&["--base-url", "http://127.0.0.1:9/v1", "--replay", "tape"]);
    assert_eq!(recorded.stdout, replayed.stdout);
    assert_eq!(recorded.code, replayed.code);
}
