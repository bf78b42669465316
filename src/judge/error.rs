//! What can go wrong in asking a language model. Every message is free of keys.

use serde::{Deserialize, Serialize};

/// An error of asking a language model. It can be recorded, so that a replayed run fails as the recorded one did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum JudgeError {
    /// The model's name does not say which provider to ask.
    #[error("model `{name}` cannot be asked: {reason}")]
    Model {
        /// As given.
        name: String,
        /// Why.
        reason: String,
    },
    /// The provider wants a key and none was given. Nothing was sent.
    #[error("{provider} wants a key and none was given (environment variable {variable})")]
    MissingKey {
        /// Which provider.
        provider: String,
        /// Where the key is looked for.
        variable: String,
    },
    /// The key is no key, or may not travel this way.
    #[error("the key for {endpoint} cannot be used: {reason}")]
    Key {
        /// What was to be asked.
        endpoint: String,
        /// Why.
        reason: String,
    },
    /// No connection.
    #[error("{endpoint} cannot be reached: {reason}")]
    Unreachable {
        /// What was asked.
        endpoint: String,
        /// Why.
        reason: String,
    },
    /// No whole reply in time, at the last of several tries.
    #[error("{endpoint} gave no whole reply within {seconds} s ({attempts} tries)")]
    TimedOut {
        /// What was asked.
        endpoint: String,
        /// How long each try waited.
        seconds: u64,
        /// How often it was tried.
        attempts: u32,
    },
    /// The server is overloaded or broken (429, 5xx), at the last of several tries.
    #[error("{endpoint} answers {status} ({attempts} tries): {reason}")]
    Overloaded {
        /// What was asked.
        endpoint: String,
        /// HTTP status of the last try.
        status: u16,
        /// How often it was tried.
        attempts: u32,
        /// What the server says.
        reason: String,
    },
    /// The server refuses the request; asking again would not help.
    #[error("{endpoint} refuses with {status}: {reason}")]
    Refused {
        /// What was asked.
        endpoint: String,
        /// HTTP status.
        status: u16,
        /// What the server says.
        reason: String,
    },
    /// The reply is not what the protocol says, or not what was asked for.
    #[error("the reply of {endpoint} cannot be used: {reason}")]
    Reply {
        /// What was asked.
        endpoint: String,
        /// Why.
        reason: String,
    },
    /// What the caller allowed is used up. Nothing was sent.
    #[error("the budget is used up: {what}")]
    Budget {
        /// Which limit.
        what: String,
    },
    /// The caller asked to stop.
    #[error("cancelled")]
    Cancelled,
    /// The recording does not hold this call.
    #[error("the recording at {folder} does not hold the call `{call}` with this input")]
    NotRecorded {
        /// The recording.
        folder: String,
        /// What was to be asked.
        call: String,
    },
    /// A file of the cache, the recording or a key.
    #[error("{path}: {reason}")]
    File {
        /// Which.
        path: String,
        /// What went wrong.
        reason: String,
    },
    /// The options contradict each other or make no sense.
    #[error("{reason}")]
    Options {
        /// Why.
        reason: String,
    },
}
