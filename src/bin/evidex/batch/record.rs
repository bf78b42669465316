//! A line of the output: what came of a line of the input.

use evidex::report::{DetectionPart, Report};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// What a line of the output starts with.
pub const START: &[u8] = b"{\"line\":";

/// What came of a line of the input: a report or an error.
#[derive(Debug, Serialize, Deserialize)]
pub struct Record {
    /// The line's number in the input, from 1.
    pub line: u64,
    /// The id that the line was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Value>,
    /// The start of the line's SHA-256, by which a resumed run knows it again.
    pub input_digest: String,
    /// What deserves a word about how the line was read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The report on its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<Box<Report>>,
    /// What several methods say of it, where they were named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detection: Option<Box<DetectionPart>>,
    /// Why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<RowError>,
}

/// Why a line could not be checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowError {
    /// Stable name of the kind of error.
    pub code: String,
    /// What is the matter.
    pub message: String,
}

impl RowError {
    /// An error of this kind.
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into() }
    }
}

impl Record {
    /// The record as a line, with its end.
    pub fn to_line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(self).unwrap_or_default();
        line.push(b'\n');
        line
    }
}

/// By what a line of the input is known again; that of a line that could not be read is the same for all.
pub fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
