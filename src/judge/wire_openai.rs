//! OpenAI's wire format: chat completions, and completions that echo their prompt with log-probabilities.

use serde_json::{Value, json};

use super::ask::{Ask, AskKind, Reply, TokenCount, TokenLogprob};
use super::http::HttpRequest;
use super::key::ApiKey;
use super::model::ModelAddress;
use super::quirks::Quirks;
use super::wire::{count_or_estimate, key_header, number, without_thoughts};

pub(super) fn request(address: &ModelAddress, key: Option<&ApiKey>, ask: &Ask, quirks: Quirks) -> HttpRequest {
    let headers = key_header(key, "authorization", "Bearer ");
    match ask.kind {
        AskKind::Chat => HttpRequest {
            url: format!("{}/chat/completions", address.base_url),
            headers,
            body: chat(address, ask, quirks),
        },
        AskKind::Echo => HttpRequest {
            url: format!("{}/completions", address.base_url),
            headers,
            body: json!({
                "model": address.model,
                "prompt": format!("{}{}", ask.system, ask.user),
                "echo": true,
                "logprobs": 1,
                "max_tokens": 1,
                "temperature": 0,
            }),
        },
    }
}

fn chat(address: &ModelAddress, ask: &Ask, quirks: Quirks) -> Value {
    let mut messages = Vec::new();
    if !ask.system.is_empty() {
        messages.push(json!({"role": "system", "content": ask.system}));
    }
    messages.push(json!({"role": "user", "content": ask.user}));
    let longest = if quirks.completion_tokens { "max_completion_tokens" } else { "max_tokens" };
    let mut body = json!({"model": address.model, "messages": messages, longest: ask.max_tokens, "stream": false});
    if !quirks.no_temperature {
        body["temperature"] = json!(ask.temperature);
    }
    if ask.temperature > 0.0 && !quirks.no_seed {
        body["seed"] = json!(ask.sample);
    }
    if let Some(schema) = ask.schema.as_ref().filter(|_| !quirks.no_schema) {
        body["response_format"] =
            json!({"type": "json_schema", "json_schema": {"name": "reply", "strict": true, "schema": schema}});
    }
    if ask.logprobs {
        body["logprobs"] = json!(true);
    }
    body
}

pub(super) fn reply(ask: &Ask, body: &Value) -> Result<Reply, String> {
    let choice = body.pointer("/choices/0").ok_or("it holds no choice")?;
    match ask.kind {
        AskKind::Chat => chat_reply(ask, body, choice),
        AskKind::Echo => echo_reply(ask, body, choice),
    }
}

fn chat_reply(ask: &Ask, body: &Value, choice: &Value) -> Result<Reply, String> {
    let message = choice.get("message").ok_or("its choice holds no message")?;
    let text = match message.get("content") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => parts.iter().filter_map(|part| part.get("text")?.as_str()).collect::<String>(),
        _ => match message.get("refusal").and_then(Value::as_str) {
            Some(refusal) => {
                return Err(format!("the model refuses: {}", refusal.chars().take(200).collect::<String>()));
            }
            None => return Err("its message holds no text".to_owned()),
        },
    };
    let tokens = if ask.logprobs { tokens(choice)? } else { Vec::new() };
    let truncated = choice.get("finish_reason").and_then(Value::as_str) == Some("length");
    let count = usage(ask, body, &text);
    let text = if tokens.is_empty() { without_thoughts(&text) } else { text };
    Ok(Reply { text, truncated, tokens, count })
}

fn tokens(choice: &Value) -> Result<Vec<TokenLogprob>, String> {
    let content = choice
        .pointer("/logprobs/content")
        .and_then(Value::as_array)
        .filter(|content| !content.is_empty())
        .ok_or("it holds no log-probabilities, though they were asked for")?;
    content
        .iter()
        .map(|token| {
            let logprob = Some(token.get("logprob").and_then(Value::as_f64).ok_or("a token has no log-probability")?);
            let bytes = match token.get("bytes").and_then(Value::as_array) {
                Some(bytes) => bytes
                    .iter()
                    .map(|byte| byte.as_u64().and_then(|byte| u8::try_from(byte).ok()))
                    .collect::<Option<Vec<u8>>>()
                    .ok_or("a token's bytes are no bytes")?,
                None => token.get("token").and_then(Value::as_str).ok_or("a token has no text")?.as_bytes().to_vec(),
            };
            Ok(TokenLogprob { bytes, logprob })
        })
        .collect()
}

/// The tokens of the scored text. Servers that do not echo say so or, worse, answer something else: both are errors.
fn echo_reply(ask: &Ask, body: &Value, choice: &Value) -> Result<Reply, String> {
    const NO_ECHO: &str = "the server does not echo the prompt with log-probabilities";
    let names = choice.pointer("/logprobs/tokens").and_then(Value::as_array).ok_or(NO_ECHO)?;
    let values = choice.pointer("/logprobs/token_logprobs").and_then(Value::as_array).ok_or(NO_ECHO)?;
    let whole = format!("{}{}", ask.system, ask.user);
    let mut said = String::new();
    let mut tokens = Vec::new();
    for (name, value) in names.iter().zip(values) {
        let name = name.as_str().ok_or(NO_ECHO)?;
        let start = said.len();
        said.push_str(name);
        if start >= whole.len() {
            break;
        }
        let from = start.max(ask.system.len());
        let to = said.len().min(whole.len());
        let part = whole.get(from.min(to)..to).ok_or(NO_ECHO)?;
        if !part.is_empty() {
            tokens.push(TokenLogprob { bytes: part.as_bytes().to_vec(), logprob: value.as_f64() });
        }
    }
    if !said.starts_with(&whole) || tokens.is_empty() {
        return Err(NO_ECHO.to_owned());
    }
    Ok(Reply { text: ask.user.clone(), truncated: false, tokens, count: usage(ask, body, "") })
}

fn usage(ask: &Ask, body: &Value, text: &str) -> TokenCount {
    count_or_estimate(ask, text, number(body, "/usage/prompt_tokens"), number(body, "/usage/completion_tokens"))
}
