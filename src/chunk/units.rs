//! A document taken apart into units: sentences, headings, table rows, parts of very long sentences.
//!
//! In: a text and how it is marked up. Out: spans in reading order that cover everything but white space. Lines are
//! joined where a text was wrapped to a width, and kept apart where each line says something of its own ("Area: 5 km²").

use std::borrow::Cow;

use super::words::{LONG_SENTENCE, word_windows};
use crate::text::{TextSpan, sentences};

/// What a unit is to the windows around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnitKind {
    /// A sentence, list item or line.
    Sentence,
    /// A heading: belongs to what follows it.
    Heading,
    /// A table row: shares windows with rows only.
    Row,
    /// A part of a sentence that fills a window by itself.
    Alone,
}

/// A piece of a document that windows are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) span: TextSpan,
    pub(super) kind: UnitKind,
    /// Estimated word pieces.
    pub(super) pieces: u32,
    /// Whether no window reaches from before this unit into it.
    pub(super) starts_section: bool,
}

/// All units of `text`, in order.
pub(super) fn units(text: &str) -> Vec<Unit> {
    let lines = lines(text);
    let width = wrap_width(text, &lines);
    let mut builder = Builder { text, units: Vec::new(), section_pending: false };
    let mut fenced = false;
    let mut index = 0;
    while let Some(line) = lines.get(index) {
        index += 1;
        let shape = line.shape;
        if shape == Shape::Fence {
            builder.start_section();
            builder.add(line.span, UnitKind::Sentence);
            fenced = !fenced;
            if !fenced {
                builder.start_section();
            }
            continue;
        }
        if fenced {
            builder.add(line.span, UnitKind::Sentence);
            continue;
        }
        match shape {
            Shape::Blank => {}
            Shape::Rule => {
                builder.add(line.span, UnitKind::Sentence);
                builder.start_section();
            }
            Shape::Heading => builder.add(line.span, UnitKind::Heading),
            Shape::Row => builder.add(line.span, UnitKind::Row),
            Shape::Item | Shape::Text | Shape::Fence => {
                let mut end = line.span.end;
                let mut last = line;
                while let Some(next) = lines.get(index) {
                    if next.shape != Shape::Text || !continues(text, last, next, width) {
                        break;
                    }
                    end = next.span.end;
                    last = next;
                    index += 1;
                }
                builder.add_sentences(TextSpan::new(line.span.start, end));
            }
        }
    }
    builder.units
}

struct Builder<'a> {
    text: &'a str,
    units: Vec<Unit>,
    section_pending: bool,
}

impl Builder<'_> {
    fn start_section(&mut self) {
        self.section_pending = true;
    }

    fn add_sentences(&mut self, span: TextSpan) {
        // One byte for one byte, so that offsets stay.
        let part = span.of(self.text);
        let joined =
            if part.contains(['\n', '\r']) { Cow::Owned(part.replace(['\n', '\r'], " ")) } else { Cow::Borrowed(part) };
        // Cut at the sentences' starts, so that nothing between them can be missed.
        let mut start = 0;
        for sentence in sentences(&joined).into_iter().skip(1) {
            self.add(TextSpan::new(start, sentence.start).shifted(span.start), UnitKind::Sentence);
            start = sentence.start;
        }
        self.add(TextSpan::new(start, part.len()).shifted(span.start), UnitKind::Sentence);
    }

    fn add(&mut self, span: TextSpan, kind: UnitKind) {
        let span = trimmed(self.text, span);
        if span.is_empty() {
            return;
        }
        let parts = word_windows(span.of(self.text), LONG_SENTENCE);
        let long = parts.len() > 1;
        for (part, pieces) in parts {
            let kind = if long { UnitKind::Alone } else { kind };
            let part = part.shifted(span.start);
            self.units.push(Unit { span: part, kind, pieces, starts_section: self.section_pending });
            self.section_pending = false;
        }
    }
}

/// `span` without white space at its ends.
fn trimmed(text: &str, span: TextSpan) -> TextSpan {
    let part = span.of(text);
    let start = span.start + (part.len() - part.trim_start().len());
    TextSpan::new(start, start + part.trim().len())
}

/// What a line looks like by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Blank,
    /// `# Title`.
    Heading,
    /// `| a | b |`.
    Row,
    /// `- item`, `3. item`.
    Item,
    /// Three backticks or tildes.
    Fence,
    /// `---`, `***`, `===`.
    Rule,
    Text,
}

struct Line {
    span: TextSpan,
    /// Characters.
    width: usize,
    shape: Shape,
}

fn lines(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut start = 0;
    // Line feed, carriage return, form feed and Unicode's two separators all end a line.
    for part in text.split_inclusive(['\n', '\r', '\u{c}', '\u{2028}', '\u{2029}']) {
        let span = trimmed(text, TextSpan::new(start, start + part.len()));
        start += part.len();
        let crlf = part == "\n" && span.start > 0 && text.as_bytes().get(span.start - 1) == Some(&b'\r');
        if !crlf {
            let content = span.of(text);
            lines.push(Line { span, width: content.chars().count(), shape: shape(content) });
        }
    }
    lines
}

fn shape(line: &str) -> Shape {
    let bytes = line.as_bytes();
    let Some(first) = bytes.first() else { return Shape::Blank };
    match first {
        b'#' => {
            let marks = bytes.iter().take_while(|byte| **byte == b'#').count();
            let heading = marks <= 6 && bytes.get(marks).is_none_or(|byte| *byte == b' ') && line.len() < 300;
            if heading { Shape::Heading } else { Shape::Text }
        }
        b'|' => Shape::Row,
        b'`' | b'~' if bytes.len() >= 3 && bytes[..3].iter().all(|byte| byte == first) => Shape::Fence,
        b'-' | b'*' | b'_' | b'=' if bytes.len() >= 3 && bytes.iter().all(|byte| byte == first || *byte == b' ') => {
            Shape::Rule
        }
        b'-' | b'*' | b'+' if bytes.get(1).is_none_or(|byte| *byte == b' ') => Shape::Item,
        b'0'..=b'9' => {
            let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let marked =
                digits <= 3 && matches!(bytes.get(digits), Some(b'.' | b')')) && bytes.get(digits + 1) == Some(&b' ');
            if marked { Shape::Item } else { Shape::Text }
        }
        b'>' => Shape::Item,
        _ if line.starts_with('•') || line.starts_with('–') => Shape::Item,
        _ => Shape::Text,
    }
}

/// The width to which the text's lines were wrapped, if they were: then, at nearly every line end, the next line's
/// first word would not have fitted any more.
fn wrap_width(text: &str, lines: &[Line]) -> Option<usize> {
    let mut widths: Vec<usize> = lines.iter().filter(|line| line.shape == Shape::Text).map(|line| line.width).collect();
    widths.sort_unstable();
    let width = *widths.get(widths.len().saturating_sub(1).saturating_sub(widths.len() / 50))?;
    if !(35..=140).contains(&width) {
        return None;
    }
    let (mut ends, mut full) = (0, 0);
    for pair in lines.windows(2) {
        if let [line, next] = pair
            && matches!(line.shape, Shape::Text | Shape::Item)
            && next.shape == Shape::Text
        {
            ends += 1;
            full += usize::from(was_full(text, line, next, width));
        }
    }
    (ends > 0 && full * 10 >= ends * 7).then_some(width)
}

fn was_full(text: &str, line: &Line, next: &Line, width: usize) -> bool {
    let first_word = next.span.of(text).split_whitespace().next().unwrap_or("");
    // A tenth of slack, for lines wrapped by hand.
    line.width + 1 + first_word.chars().take(width).count() > width - width / 10
}

/// Whether the sentence of `line` may go on in `next`, a line of text directly below it.
fn continues(text: &str, line: &Line, next: &Line, width: Option<usize>) -> bool {
    let (upper, lower) = (line.span.of(text), next.span.of(text));
    if is_record(lower) {
        return false;
    }
    if width.is_some_and(|width| was_full(text, line, next, width)) {
        return true;
    }
    // Some lines end earlier still.
    let long = width.is_some_and(|width| line.width * 10 >= width * 6);
    let ended = upper.ends_with(['.', '!', '?', ':', ';', '。', '！', '？', '”', '"']);
    !ended && !is_record(upper) && (long || lower.chars().next().is_some_and(char::is_lowercase))
}

/// Whether a line starts with a label: "Area / land: 2,381 sq km", "Founded: 1912".
fn is_record(line: &str) -> bool {
    let Some((label, rest)) =
        line.char_indices().take(100).find(|(_, c)| *c == ':').and_then(|(at, _)| line.split_at_checked(at))
    else {
        return false;
    };
    let capital = label.chars().next().is_some_and(|first| !first.is_lowercase());
    let spaced = rest.len() == 1 || rest[1..].starts_with(char::is_whitespace);
    capital && spaced && !label.contains(['.', '!', '?', ';', '"']) && label.split_whitespace().count() <= 12
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        units(text).into_iter().map(|unit| unit.span.of(text)).collect()
    }

    #[test]
    fn lines_that_carry_a_label_each_are_units_of_their_own() {
        let text =
            "Geography / Area / land: 2,381,740 sq km\nGeography / Coastline: 998 km\nGeography / Climate: arid; mild";
        assert_eq!(texts(text).len(), 3);
    }

    #[test]
    fn a_sentence_wrapped_to_a_width_is_one_unit() {
        let text = "The lighthouse on the northern cape was built between 1881 and\n\
                    1884 after three ships had been lost there in a single winter,\n\
                    and it has been lit every night since. It is 31 m high.\n";
        assert_eq!(texts(text).len(), 2);
        assert!(texts(text)[0].ends_with("lit every night since."));
    }

    #[test]
    fn a_line_that_was_wrapped_by_hand_a_little_early_is_joined_too() {
        let text = "Until 1998 the observatory was run by the Ministry. It belongs to the\n\
                    University of Port Lenn, which pays two thirds of what it costs to keep it open.\n\
                    The rest comes from visitors, from gifts and from what the café earns in summer\n\
                    and in winter. It is not enough.";
        assert_eq!(texts(text).len(), 4);
        assert!(texts(text)[1].starts_with("It belongs to the\nUniversity of Port Lenn"));
    }

    #[test]
    fn short_lines_without_labels_stay_apart() {
        assert_eq!(texts("Arden\nBrill\nCoster"), ["Arden", "Brill", "Coster"]);
    }

    #[test]
    fn headings_rows_items_and_rules_are_told_from_text() {
        let text = "# Towns\n\n| Town | People |\n|---|---|\n| Arden | 12,000 |\n\n- One. Two.\n\n---\nEnd.";
        let kinds: Vec<_> = units(text).into_iter().map(|unit| unit.kind).collect();
        use UnitKind::{Heading, Row, Sentence};
        assert_eq!(kinds, [Heading, Row, Row, Row, Sentence, Sentence, Sentence, Sentence]);
    }

    #[test]
    fn windows_line_ends_read_like_unix_ones() {
        let unix = "A: 1\nB: 2\n\nThird line.";
        assert_eq!(texts(&unix.replace('\n', "\r\n")), texts(unix));
    }

    #[test]
    fn a_sentence_of_five_thousand_words_is_cut_into_overlapping_parts() {
        let text = (0..5000).map(|n| format!("word{n}")).collect::<Vec<_>>().join(" ");
        let units = units(&text);
        assert!(units.len() > 40);
        assert!(units.iter().all(|unit| unit.kind == UnitKind::Alone && unit.pieces <= LONG_SENTENCE.pieces));
        assert!(units.windows(2).all(|pair| pair[1].span.start < pair[0].span.end));
        assert!(units.last().unwrap().span.of(&text).ends_with("word4999"));
    }
}
