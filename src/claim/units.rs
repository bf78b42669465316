//! The sentences, items, rows and headings of an answer, each with its words as read and the way back to the raw text.

use super::wording::Wording;
use crate::text::{BlockKind, Reading, Syntax, TextSpan, blocks};

/// What a unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnitKind {
    /// A sentence of a paragraph or quotation.
    Sentence,
    /// A sentence of a list item; the first of its item or a later one.
    Item {
        /// Whether the item begins with it.
        first: bool,
    },
    /// A row of a table.
    Row,
    /// A heading, or the head of a table.
    Heading {
        /// 1 is the highest; 7 for a table's head.
        level: u8,
    },
    /// Code.
    Code,
}

/// A sentence or what takes its place.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    pub(super) kind: UnitKind,
    /// Where it stands in the raw text.
    pub(super) sentence: TextSpan,
    /// What is read.
    pub(super) words: Wording,
    /// Number of its block.
    pub(super) block: usize,
}

/// The units of an answer, in order and not overlapping.
pub(super) fn units(answer: &str) -> Vec<Unit> {
    let mut units = Vec::new();
    for (number, block) in blocks(answer, Syntax::Auto).into_iter().enumerate() {
        let sentences = block.sentences();
        let last = sentences.len().saturating_sub(1);
        for (place, span) in sentences.into_iter().enumerate() {
            let kind = match block.kind {
                BlockKind::Heading { level } => UnitKind::Heading { level },
                BlockKind::TableHead { .. } => UnitKind::Heading { level: 7 },
                BlockKind::TableRow { .. } => UnitKind::Row,
                BlockKind::Code => UnitKind::Code,
                BlockKind::ListItem { .. } => UnitKind::Item { first: place == 0 },
                _ => UnitKind::Sentence,
            };
            let words = read(&block.reading, span);
            if !words.text().is_empty() {
                // The block's marks ("1. ", "| … |") go with its first and last sentence.
                let mut sentence = block.reading.raw_span(span);
                if place == 0 {
                    sentence.start = sentence.start.min(block.span.start);
                }
                if place == last {
                    sentence.end = sentence.end.max(block.span.end);
                }
                units.push(Unit { kind, sentence, words, block: number });
            }
        }
    }
    units
}

/// The reading at `span` on one line, with the origin of its words.
fn read(reading: &Reading, span: TextSpan) -> Wording {
    let mut words = Wording::default();
    for (offset, c) in span.of(&reading.text).char_indices() {
        let start = span.start + offset;
        let raw = reading.raw_span(TextSpan::new(start, start + c.len_utf8()));
        let mut buffer = [0; 4];
        // A soft line break is a space.
        let written: &str = if matches!(c, '\n' | '\r') { " " } else { c.encode_utf8(&mut buffer) };
        if raw.is_empty() { words.push_own(written) } else { words.push_raw(written, raw) }
    }
    words.slice(TextSpan::whole(words.text()))
}
