//! Anthropic's wire format: messages. A schema is held to by offering one tool that must be used.

use serde_json::{Value, json};

use super::ask::{Ask, AskKind, Reply};
use super::http::HttpRequest;
use super::key::ApiKey;
use super::model::ModelAddress;
use super::quirks::Quirks;
use super::wire::{count_or_estimate, key_header, number, without_thoughts};

/// Version of the protocol that is spoken.
const VERSION: &str = "2023-06-01";
/// The tool through which a reply by schema comes.
const TOOL: &str = "reply";

pub(super) fn request(
    address: &ModelAddress,
    key: Option<&ApiKey>,
    ask: &Ask,
    quirks: Quirks,
) -> Result<HttpRequest, String> {
    if ask.kind == AskKind::Echo || ask.logprobs {
        return Err("Anthropic's interface gives no log-probabilities".to_owned());
    }
    let mut headers = key_header(key, "x-api-key", "");
    headers.push(("anthropic-version", VERSION.to_owned(), false));
    let mut body = json!({
        "model": address.model,
        "max_tokens": ask.max_tokens,
        "messages": [{"role": "user", "content": ask.user}],
    });
    if !ask.system.is_empty() {
        body["system"] = json!(ask.system);
    }
    if !quirks.no_temperature {
        body["temperature"] = json!(ask.temperature);
    }
    if let Some(schema) = ask.schema.as_ref().filter(|_| !quirks.no_schema) {
        body["tools"] = json!([{"name": TOOL, "description": "Hands the reply over.", "input_schema": schema}]);
        body["tool_choice"] = json!({"type": "tool", "name": TOOL});
    }
    Ok(HttpRequest { url: format!("{}/messages", address.base_url), headers, body })
}

pub(super) fn reply(ask: &Ask, body: &Value) -> Result<Reply, String> {
    let content = body.get("content").and_then(Value::as_array).ok_or("it holds no content")?;
    let stop = body.get("stop_reason").and_then(Value::as_str);
    let mut text = String::new();
    for block in content {
        match block.get("type").and_then(Value::as_str) {
            Some("text") => text.push_str(block.get("text").and_then(Value::as_str).unwrap_or_default()),
            Some("tool_use") => text.push_str(&block.get("input").unwrap_or(&Value::Null).to_string()),
            _ => {}
        }
    }
    if text.is_empty() {
        let why = if stop == Some("refusal") { "the model refuses" } else { "its content holds no text" };
        return Err(why.to_owned());
    }
    let count =
        count_or_estimate(ask, &text, number(body, "/usage/input_tokens"), number(body, "/usage/output_tokens"));
    Ok(Reply { text: without_thoughts(&text), truncated: stop == Some("max_tokens"), tokens: Vec::new(), count })
}
