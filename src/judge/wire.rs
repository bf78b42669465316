//! The two wire formats behind one pair of functions.

use serde_json::Value;

use super::ask::{Ask, Reply, TokenCount};
use super::http::HttpRequest;
use super::key::ApiKey;
use super::model::{ModelAddress, WireFormat};
use super::quirks::Quirks;
use super::{wire_anthropic, wire_openai};

/// The request that asks `ask`.
pub(super) fn request(
    address: &ModelAddress,
    key: Option<&ApiKey>,
    ask: &Ask,
    quirks: Quirks,
) -> Result<HttpRequest, String> {
    match address.wire {
        WireFormat::OpenAi => Ok(wire_openai::request(address, key, ask, quirks)),
        WireFormat::Anthropic => wire_anthropic::request(address, key, ask, quirks),
    }
}

/// The reply in a body.
pub(super) fn reply(wire: WireFormat, ask: &Ask, body: &[u8]) -> Result<Reply, String> {
    let value: Value =
        serde_json::from_slice(body).map_err(|error| format!("it is no whole JSON ({error}, {} bytes)", body.len()))?;
    match wire {
        WireFormat::OpenAi => wire_openai::reply(ask, &value),
        WireFormat::Anthropic => wire_anthropic::reply(ask, &value),
    }
}

pub(super) fn key_header(key: Option<&ApiKey>, name: &'static str, lead: &str) -> Vec<(&'static str, String, bool)> {
    #[cfg(feature = "fetch")]
    return key.map(|key| (name, format!("{lead}{}", key.expose()), true)).into_iter().collect();
    #[cfg(not(feature = "fetch"))]
    {
        let _ = (key, name, lead);
        Vec::new()
    }
}

pub(super) fn number(body: &Value, place: &str) -> Option<u64> {
    body.pointer(place).and_then(Value::as_u64)
}

/// What the server counted; where it did not, a token for four bytes.
pub(super) fn count_or_estimate(ask: &Ask, text: &str, input: Option<u64>, output: Option<u64>) -> TokenCount {
    TokenCount {
        input: input.unwrap_or((ask.system.len() + ask.user.len()) as u64 / 4),
        output: output.unwrap_or(text.len() as u64 / 4),
    }
}

/// The text without the thoughts that some models write before it.
pub(super) fn without_thoughts(text: &str) -> String {
    let trimmed = text.trim_start();
    match trimmed.strip_prefix("<think>").and_then(|rest| rest.split_once("</think>")) {
        Some((_, answer)) => answer.trim_start().to_owned(),
        None => text.to_owned(),
    }
}
