//! What a server turned out not to take: learnt from its refusal, once, and left out from then on.

/// Parts of a request that some servers refuse.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Quirks {
    /// No JSON Schema.
    pub no_schema: bool,
    /// `max_completion_tokens` in the place of `max_tokens`.
    pub completion_tokens: bool,
    /// No temperature.
    pub no_temperature: bool,
    /// No seed.
    pub no_seed: bool,
}

impl Quirks {
    /// Learns from a refusal; whether there is something new to try.
    pub(super) fn learn(&mut self, status: u16, complaint: &str, schema: bool) -> bool {
        if !matches!(status, 400 | 404 | 415 | 422 | 501) {
            return false;
        }
        let complaint = complaint.to_lowercase();
        let before = *self;
        let says = |words: &[&str]| words.iter().any(|word| complaint.contains(word));
        if says(&["max_completion_tokens"]) {
            self.completion_tokens = true;
        } else if says(&["temperature"]) {
            self.no_temperature = true;
        } else if says(&["seed"]) {
            self.no_seed = true;
        } else if schema && matches!(status, 400 | 422 | 501) {
            // Servers word this in many ways ("response_format", "json_schema", "grammar", "tools", …).
            self.no_schema = true;
        }
        *self != before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_teaches_once_and_what_is_no_quirk_teaches_nothing() {
        let mut quirks = Quirks::default();
        assert!(quirks.learn(400, "Unsupported parameter: use 'max_completion_tokens' instead", true));
        assert!(!quirks.learn(400, "use max_completion_tokens", true));
        assert!(quirks.learn(400, "'temperature' does not support 0", false));
        assert!(quirks.learn(400, "response_format is not supported", true) && quirks.no_schema);
        assert!(!quirks.learn(401, "response_format", true));
        assert!(!Quirks::default().learn(404, "model not found", true));
    }
}
