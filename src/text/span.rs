//! Places in a text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A half-open range of bytes in a text, on character boundaries of that text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct TextSpan {
    /// Byte offset of the first byte.
    pub start: usize,
    /// Byte offset one past the last byte.
    pub end: usize,
}

/// A half-open range of characters (Unicode scalar values) in a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct CharSpan {
    /// Offset of the first character.
    pub start: usize,
    /// Offset one past the last character.
    pub end: usize,
}

impl TextSpan {
    /// The span from `start` to `end`; an `end` before `start` gives the empty span at `start`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end: if end < start { start } else { end } }
    }

    /// The span of the whole of `text`.
    pub const fn whole(text: &str) -> Self {
        Self { start: 0, end: text.len() }
    }

    /// Length in bytes.
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether the span holds no byte.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The text at this span, or `None` if it does not lie in `text` on character boundaries.
    pub fn get(self, text: &str) -> Option<&str> {
        text.get(self.start..self.end)
    }

    /// The text at this span, empty if it does not lie in `text` on character boundaries.
    pub fn of(self, text: &str) -> &str {
        self.get(text).unwrap_or("")
    }

    /// The same span seen from `by` bytes further left: for a span in a part of a text that starts at `by`.
    pub const fn shifted(self, by: usize) -> Self {
        Self { start: self.start + by, end: self.end + by }
    }

    /// Whether `other` lies inside this span.
    pub const fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the two spans share at least one byte.
    pub const fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The smallest span that covers both.
    pub fn cover(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The same place in `text` counted in characters; `None` if the span does not lie in it.
    pub fn to_chars(self, text: &str) -> Option<CharSpan> {
        let start = text.get(..self.start)?.chars().count();
        Some(CharSpan { start, end: start + self.get(text)?.chars().count() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_after_emoji_counts_characters_not_bytes() {
        let text = "🚀 2031";
        let span = TextSpan::new(5, 9);
        assert_eq!(span.of(text), "2031");
        assert_eq!(span.to_chars(text), Some(CharSpan { start: 2, end: 6 }));
    }

    #[test]
    fn a_span_inside_a_character_reads_as_empty() {
        assert_eq!(TextSpan::new(1, 2).of("é!"), "");
        assert_eq!(TextSpan::new(1, 2).to_chars("é!"), None);
    }
}
