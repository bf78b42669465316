//! What a model is asked and what it replies, whatever the provider.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::JudgeError;

/// What kind of call it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AskKind {
    /// A reply to instructions and a message.
    Chat,
    /// No reply: the probabilities of the tokens of a text (`user`) that follows another (`system`).
    Echo,
}

/// One question to a model. Two equal ones are the same call to the cache and to a recording.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ask {
    /// What kind of call it is.
    pub kind: AskKind,
    /// Name and version of the prompt: `judge/1`. Raised whenever its words change.
    pub prompt: String,
    /// Instructions; for [`AskKind::Echo`] the text that comes before.
    pub system: String,
    /// The message; for [`AskKind::Echo`] the text that is scored.
    pub user: String,
    /// 0 for the likeliest reply.
    pub temperature: f64,
    /// Longest reply, in tokens.
    pub max_tokens: u32,
    /// JSON Schema that the reply is to follow, where the server can hold to one.
    pub schema: Option<Value>,
    /// Whether the tokens' log-probabilities are wanted.
    pub logprobs: bool,
    /// Which of several samples of the same question this is, from 0.
    pub sample: u32,
}

impl Ask {
    /// A question with temperature 0, no schema and no log-probabilities.
    pub fn chat(prompt: &str, system: impl Into<String>, user: impl Into<String>, max_tokens: u32) -> Self {
        Self {
            kind: AskKind::Chat,
            prompt: prompt.to_owned(),
            system: system.into(),
            user: user.into(),
            temperature: 0.0,
            max_tokens,
            schema: None,
            logprobs: false,
            sample: 0,
        }
    }

    /// Tokens that it may take, reply included: what a budget must hold before it is sent. A token is rarely shorter
    /// than three bytes.
    pub(super) fn most_tokens(&self) -> u64 {
        (self.system.len() + self.user.len()) as u64 / 3 + u64::from(self.max_tokens) + 16
    }
}

/// A token of a reply and how likely the model held it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TokenLogprob {
    /// Bytes of the token; a character may be spread over several tokens.
    pub bytes: Vec<u8>,
    /// Natural logarithm of its probability; the very first token of a text has none.
    pub logprob: Option<f64>,
}

/// Tokens that were read and written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenCount {
    /// Read.
    pub input: u64,
    /// Written.
    pub output: u64,
}

/// What a model replied.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The text.
    pub text: String,
    /// Whether it broke off at the longest length.
    pub truncated: bool,
    /// Its tokens, where they were asked for and given.
    pub tokens: Vec<TokenLogprob>,
    /// What it cost in tokens, as the server says or estimated from the length.
    pub count: TokenCount,
}

/// How a question went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// The reply, or why there is none.
    pub outcome: Result<Reply, JudgeError>,
    /// How long it took, waiting between tries included.
    pub latency: Duration,
    /// Requests that were sent; 0 when the cache answered or nothing was sent.
    pub requests: u32,
    /// Whether the cache answered.
    pub cached: bool,
}
