//! What a person reads of a raw text (marks removed, entities decoded) with the way back to the raw text.
//!
//! A [`Reading`] is built from pieces in order: verbatim ones map byte for byte, replaced ones (an entity, an inserted
//! table header) map as a whole to the raw range they stand for, which may be empty.

use super::TextSpan;
use super::blocks::{Syntax, blocks};

/// A text as read, and where each part of it stands in the raw text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// The text as read.
    pub text: String,
    /// In order of both texts; verbatim pieces that touch are one.
    pieces: Vec<Piece>,
}

/// A part of the reading and the raw range it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece {
    /// Where it begins in the reading; it ends where the next begins.
    start: usize,
    raw: TextSpan,
    verbatim: bool,
}

impl Reading {
    /// The text as it stands.
    pub fn plain(text: &str) -> Self {
        let mut reading = Self::default();
        reading.push_verbatim(text, TextSpan::whole(text));
        reading
    }

    /// The whole of a raw text as read: Markdown and HTML marks removed where there are some, entities decoded, blocks
    /// separated by blank lines, list items and table rows by line breaks.
    ///
    /// ```
    /// use evidex::text::{Reading, TextSpan};
    /// let raw = "R&amp;D spent **999** million.";
    /// let reading = Reading::of(raw);
    /// assert_eq!(reading.text, "R&D spent 999 million.");
    /// let number = TextSpan::new(10, 13);
    /// assert_eq!(number.of(&reading.text), "999");
    /// assert_eq!(reading.raw_span(number).of(raw), "999");
    /// ```
    pub fn of(raw: &str) -> Self {
        let mut whole = Self::default();
        let mut previous: Option<bool> = None;
        for block in blocks(raw, Syntax::Auto) {
            let is_line = block.kind.is_line();
            if let Some(was_line) = previous {
                let end = whole.raw_end();
                whole.push_replaced(if was_line && is_line { "\n" } else { "\n\n" }, TextSpan::new(end, end));
            }
            previous = Some(is_line);
            whole.append(&block.reading);
        }
        whole
    }

    /// Where a span of the reading stands in the raw text; marks inside it are included, marks around it are not.
    pub fn raw_span(&self, span: TextSpan) -> TextSpan {
        let start = self.raw_start_of(span.start);
        if span.is_empty() {
            return TextSpan::new(start, start);
        }
        let last = self.piece_at(span.end - 1);
        let end = last.map_or(start, |(piece, _)| {
            if piece.verbatim { (piece.raw.start + (span.end - piece.start)).min(piece.raw.end) } else { piece.raw.end }
        });
        TextSpan::new(start, end)
    }

    /// The part of the reading that a raw span covers; empty where nothing of it is read.
    pub fn reading_span(&self, raw: TextSpan) -> TextSpan {
        let mut found: Option<TextSpan> = None;
        let first = self.pieces.partition_point(|piece| piece.raw.end <= raw.start);
        for (index, piece) in self.pieces.iter().enumerate().skip(first) {
            if piece.raw.start >= raw.end {
                break;
            }
            let piece_end = self.piece_end(index);
            let part = if piece.verbatim {
                let start = piece.start + raw.start.max(piece.raw.start) - piece.raw.start;
                TextSpan::new(start, piece.start + raw.end.min(piece.raw.end) - piece.raw.start)
            } else {
                TextSpan::new(piece.start, piece_end)
            };
            found = Some(found.map_or(part, |whole| whole.cover(part)));
        }
        found.unwrap_or_default()
    }

    /// A part of the reading as a reading of its own, with the same raw text.
    pub fn slice(&self, span: TextSpan) -> Self {
        let mut part = Self::default();
        let first = self.pieces.partition_point(|piece| piece.start <= span.start).saturating_sub(1);
        for (index, piece) in self.pieces.iter().enumerate().skip(first) {
            if piece.start >= span.end {
                break;
            }
            let end = self.piece_end(index);
            let (from, to) = (piece.start.max(span.start), end.min(span.end));
            if from >= to {
                continue;
            }
            let text = &self.text[from..to];
            if piece.verbatim {
                let raw_start = piece.raw.start + from - piece.start;
                part.push_verbatim(text, TextSpan::new(raw_start, raw_start + text.len()));
            } else {
                part.push_replaced(text, piece.raw);
            }
        }
        part
    }

    /// Appends raw text as it stands.
    pub(super) fn push_verbatim(&mut self, text: &str, raw: TextSpan) {
        if text.is_empty() {
            return;
        }
        debug_assert_eq!(text.len(), raw.len());
        let start = self.text.len();
        self.text.push_str(text);
        if let Some(last) = self.pieces.last_mut()
            && last.verbatim
            && last.raw.end == raw.start
        {
            last.raw.end = raw.end;
            return;
        }
        self.pieces.push(Piece { start, raw, verbatim: true });
    }

    /// Appends text that stands for a raw range.
    pub(super) fn push_replaced(&mut self, text: &str, raw: TextSpan) {
        if text.is_empty() {
            return;
        }
        self.pieces.push(Piece { start: self.text.len(), raw, verbatim: false });
        self.text.push_str(text);
    }

    /// Appends the raw range, its entities decoded and what only colours it on a terminal left out.
    pub(super) fn push_decoded(&mut self, raw: &str, range: TextSpan) {
        let mut at = range.start;
        while let Some(found) = raw[at..range.end].find('\u{1b}') {
            let escape = at + found;
            self.push_entities(raw, TextSpan::new(at, escape));
            at = escape + escape_length(&raw[escape..range.end]);
        }
        self.push_entities(raw, TextSpan::new(at, range.end));
    }

    fn push_entities(&mut self, raw: &str, range: TextSpan) {
        let mut at = range.start;
        while let Some(offset) = raw[at..range.end].find('&') {
            let entity_start = at + offset;
            self.push_verbatim(&raw[at..entity_start], TextSpan::new(at, entity_start));
            let entity_end =
                entity_end(&raw[entity_start..range.end]).map_or(entity_start + 1, |length| entity_start + length);
            let written = &raw[entity_start..entity_end];
            let decoded = htmlize::unescape(written);
            let span = TextSpan::new(entity_start, entity_end);
            if decoded == written || entity_end == entity_start + 1 {
                self.push_verbatim(written, span);
            } else {
                self.push_replaced(&decoded, span);
            }
            at = entity_end;
        }
        self.push_verbatim(&raw[at..range.end], TextSpan::new(at, range.end));
    }

    /// Appends another reading of the same raw text.
    pub(super) fn append(&mut self, other: &Self) {
        for (index, piece) in other.pieces.iter().enumerate() {
            let text = &other.text[piece.start..other.piece_end(index)];
            if piece.verbatim { self.push_verbatim(text, piece.raw) } else { self.push_replaced(text, piece.raw) }
        }
    }

    /// Drops white space at both ends.
    pub(super) fn trimmed(self) -> Self {
        let trimmed = self.text.trim();
        if trimmed.len() == self.text.len() {
            return self;
        }
        let start = self.text.len() - self.text.trim_start().len();
        let span = TextSpan::new(start, start + trimmed.len());
        self.slice(span)
    }

    fn raw_end(&self) -> usize {
        self.pieces.last().map_or(0, |piece| piece.raw.end)
    }

    fn piece_end(&self, index: usize) -> usize {
        self.pieces.get(index + 1).map_or(self.text.len(), |next| next.start)
    }

    fn piece_at(&self, offset: usize) -> Option<(&Piece, usize)> {
        let index = self.pieces.partition_point(|piece| piece.start <= offset).checked_sub(1)?;
        Some((&self.pieces[index], index))
    }

    fn raw_start_of(&self, offset: usize) -> usize {
        if offset >= self.text.len() {
            return self.raw_end();
        }
        self.piece_at(offset).map_or(0, |(piece, _)| {
            if piece.verbatim { piece.raw.start + (offset - piece.start) } else { piece.raw.start }
        })
    }
}

/// The length of an ANSI escape at the start of `text`: a control sequence ("ESC [ 31 m"), else the escape alone.
fn escape_length(text: &str) -> usize {
    let Some(sequence) = text.strip_prefix("\u{1b}[") else { return '\u{1b}'.len_utf8() };
    let parameters = sequence.bytes().take_while(|b| (0x20..=0x3f).contains(b)).count();
    let ends = sequence.as_bytes().get(parameters).is_some_and(|b| (0x40..=0x7e).contains(b));
    if ends { 2 + parameters + 1 } else { '\u{1b}'.len_utf8() }
}

/// The length of an entity with its semicolon at the start of `text`, by its form only.
fn entity_end(text: &str) -> Option<usize> {
    let length = text.bytes().skip(1).take(33).position(|b| !(b.is_ascii_alphanumeric() || b == b'#'))? + 1;
    (length > 2 && text.as_bytes()[length] == b';').then_some(length + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn marks_are_skipped_and_offsets_lead_back() {
        let raw = "The *reservoir* holds **999** million `litres` of [water](https://example.com).";
        let reading = Reading::of(raw);
        assert_eq!(reading.text, "The reservoir holds 999 million litres of water.");
        for word in ["reservoir", "999", "litres", "water"] {
            let start = reading.text.find(word).unwrap();
            assert_eq!(reading.raw_span(TextSpan::new(start, start + word.len())).of(raw), word);
        }
        assert_eq!(reading.raw_span(TextSpan::new(0, 13)).of(raw), "The *reservoir");
    }

    #[test]
    fn entities_are_decoded_and_map_as_a_whole() {
        let raw = "R&amp;D spend was &euro;5&nbsp;million, AT&T's too.";
        let reading = Reading::of(raw);
        assert_eq!(reading.text, "R&D spend was €5\u{a0}million, AT&T's too.");
        let euro = reading.text.find('€').unwrap();
        assert_eq!(reading.raw_span(TextSpan::new(euro, euro + 4)).of(raw), "&euro;5");
        let back = reading.reading_span(TextSpan::new(raw.find("&euro;").unwrap(), raw.find("&nbsp;").unwrap()));
        assert_eq!(back.of(&reading.text), "€5");
    }

    #[test]
    fn escapes_for_colour_are_not_read() {
        let raw = "The dam is \u{1b}[1;31m30\u{1b}[0m m high.";
        let reading = Reading::of(raw);
        assert_eq!(reading.text, "The dam is 30 m high.");
        assert_eq!(reading.raw_span(TextSpan::new(11, 15)).of(raw), "30\u{1b}[0m m");
        assert_eq!(Reading::of("a\u{1b}[9999").text, "a[9999");
    }

    #[test]
    fn html_tags_are_removed() {
        assert_eq!(Reading::of("<h2 class=\"a\">Hello</h2>\n<p>One. <em>Two.</em></p>").text, "Hello\n\nOne. Two.");
        assert_eq!(Reading::of("if a < b then 5 > 3").text, "if a < b then 5 > 3");
    }

    #[test]
    fn multiplication_is_no_emphasis() {
        assert_eq!(Reading::of("5*3*2 = 30 and 2 * 3 * 4 = **24**").text, "5*3*2 = 30 and 2 * 3 * 4 = 24");
    }

    #[test]
    fn struck_text_is_not_read() {
        assert_eq!(Reading::of("Opened in ~~1990~~ 1991, about ~5 km.").text, "Opened in  1991, about ~5 km.");
    }

    #[test]
    fn marks_in_bulk_take_linear_time() {
        for unit in [
            "*",
            "**a** ",
            "\u{2013} *a*\n",
            "| a ",
            "<a",
            "<",
            "&amp;",
            "&",
            "[",
            "](",
            "`",
            "> ",
            "- ",
            "# a\n",
            "~~",
            "_a_ ",
        ] {
            let raw = unit.repeat(200_000 / unit.len());
            let reading = Reading::of(&raw);
            assert!(reading.text.len() <= raw.len() * 2);
        }
    }

    proptest! {
        #[test]
        fn every_span_of_a_reading_maps_into_the_raw_text(raw in "([a-z*_`<>&;#| \\[\\]()~.!é\u{1f680}-]|\n|&amp;|<b>|\\*\\*|[0-9]\\. ){0,60}") {
            let reading = Reading::of(&raw);
            let ends: Vec<usize> = reading.text.char_indices().map(|(at, _)| at).chain([reading.text.len()]).collect();
            let mut previous = 0;
            for pair in ends.windows(2) {
                let span = reading.raw_span(TextSpan::new(pair[0], pair[1]));
                prop_assert!(span.get(&raw).is_some());
                prop_assert!(span.start >= previous);
                previous = span.start;
            }
        }

        #[test]
        fn plain_readings_are_the_text(text in any::<String>()) {
            let reading = Reading::plain(&text);
            prop_assert_eq!(&reading.text, &text);
            prop_assert_eq!(reading.raw_span(TextSpan::whole(&text)), TextSpan::whole(&text));
        }
    }
}
