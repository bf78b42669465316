//! Sentences of a text in reading order.
//!
//! One pass over the characters: terminators, line breaks and list markers are candidates, and rules decide on each with
//! a bounded look around it, so the time is linear in the text's length. Spans are in order, do not overlap, are trimmed,
//! and cover every character that is not white space.
//!
//! The rules go beyond Unicode's sentence boundaries (UAX #29), which know no abbreviation, break at every line end and
//! miss a sentence that begins with a digit; `benches/text.rs` compares their speed and the tests their accuracy.

use super::TextSpan;
use super::sentences_end::{end_at, is_workflow_command};
use super::sentences_headings::{Headings, field_begins};
use super::sentences_lines::Lines;
use super::sentences_lists::inline_items;
use super::sentences_marks::{is_closer, is_opener, is_strong_terminator, is_terminator};

/// The sentences of a text: runs that end with a terminator, a paragraph, a list item, or a line that is no soft wrap.
///
/// ```
/// let text = "Dr. Vance signed on 3.5 acres. It’s done!";
/// let found: Vec<&str> = evidex::text::sentences(text).into_iter().map(|span| span.of(text)).collect();
/// assert_eq!(found, ["Dr. Vance signed on 3.5 acres.", "It’s done!"]);
/// ```
pub fn sentences(text: &str) -> Vec<TextSpan> {
    let mut found = Vec::new();
    let mut lines = Lines::new(text);
    let mut items = inline_items(text).into_iter().peekable();
    let mut headings = Headings::default();
    let mut start = 0;
    let mut at = 0;
    while at < text.len() {
        let next_item = items.peek().copied().unwrap_or(usize::MAX);
        if at >= next_item {
            if next_item > start {
                push(text, start, next_item, &mut found);
                start = next_item;
            }
            items.next();
            continue;
        }
        at = skip_plain(text, at).min(next_item);
        let Some(c) = text[at..].chars().next() else { break };
        if at >= next_item {
            continue;
        }
        if c == '\n' || c == '\r' || c == '\u{85}' || c == '\u{2028}' || c == '\u{2029}' {
            let end = lines.line_break_end(at);
            if lines.breaks_sentence(at) {
                push(text, start, at, &mut found);
                start = end;
            }
            at = end;
        } else if let Some(inside) = skip_bracketed(text, at, c).or_else(|| skip_quoted(text, at, c)) {
            at = inside;
        } else if is_terminator(c) || is_strong_terminator(c) {
            let (ends, after) = end_at(text, start, at);
            if ends {
                push(text, start, after, &mut found);
                start = after;
            }
            at = after;
        } else if matches!(c, '"' | '\u{201d}')
            && text[..at].ends_with(['-', '\u{2014}'])
            && text[at + c.len_utf8()..].strip_prefix(' ').is_some_and(|rest| rest.starts_with(char::is_uppercase))
        {
            // Speech that breaks off: "to--" At this moment.
            at += c.len_utf8();
            push(text, start, at, &mut found);
            start = at;
        } else if c == ':' && text[at..].starts_with("://") {
            // Nothing inside an address ends a sentence; one address after another is a list of them.
            let length = text[at..].find(|c: char| c.is_whitespace() || !c.is_ascii());
            let end = length.map_or(text.len(), |length| at + length);
            let next = text[end..].trim_start_matches(' ');
            if next.starts_with("http://") || next.starts_with("https://") {
                push(text, start, end, &mut found);
                start = end;
                at = end;
            } else {
                let address = text[at..end].trim_end_matches(|c: char| is_terminator(c) || is_closer(c));
                at += address.len().max(3);
            }
        } else if c == ':' && text[..at].ends_with(char::is_whitespace) && is_workflow_command(&text[at..]) {
            push(text, start, at, &mut found);
            start = at;
            at += 2;
        } else if c == '\u{2022}' && text[..at].ends_with(' ') {
            push(text, start, at, &mut found);
            start = at;
            at += c.len_utf8();
        } else if let Some(end) = separator_end(text, at, c) {
            push(text, start, at, &mut found);
            push(text, at, end, &mut found);
            start = end;
            at = end;
        } else if c == ':' && text[at + 1..].starts_with(" \u{ab}") && headings.speech_begins(text, at + 4) {
            push(text, start, at + 1, &mut found);
            start = at + 1;
            at += 1;
        } else if c == '\u{bb}' && text[start..].starts_with('\u{ab}') && text[at + 2..].starts_with(" \u{ab}") {
            // One quotation after another: the turns of a conversation.
            push(text, start, at + 2, &mut found);
            start = at + 2;
            at += 2;
        } else if c.is_ascii_uppercase() {
            if headings.glued_before(text, start, at) || field_begins(text, start, at) {
                push(text, start, at, &mut found);
                start = at;
            }
            at += 1;
        } else {
            at += c.len_utf8();
        }
    }
    push(text, start, text.len(), &mut found);
    found
}

fn push(text: &str, start: usize, end: usize, found: &mut Vec<TextSpan>) {
    let part = &text[start..end];
    let trimmed = part.trim_start();
    let start = end - trimmed.len();
    let trimmed = trimmed.trim_end();
    if !trimmed.is_empty() {
        found.push(TextSpan::new(start, start + trimmed.len()));
    }
}

/// The next place from `at` where a rule may apply.
fn skip_plain(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut previous = if at > 0 { bytes[at - 1] } else { b'\n' };
    bytes[at..]
        .iter()
        .position(|byte| {
            let after_space = std::mem::replace(&mut previous, *byte) == b' ';
            matches!(byte, b'.' | b'!' | b'?' | b'\n' | b'\r' | b':' | b'(' | b'[' | b'"' | b'\'' | b'`' | b'-' | b'_' | b'=' | b'*' | b'~' | b'#')
                || after_space && byte.is_ascii_uppercase()
                // Lead bytes only: a span never ends inside a character.
                || *byte >= 0xc2
        })
        .map_or(text.len(), |length| at + length)
}

/// Bytes that a bracket may take to be read as one piece.
const LONGEST_BRACKET: usize = 200;

/// For an opening bracket that is closed nearby on its line: where to go on, so that what stands inside it ends no
/// sentence but its last terminator, together with the bracket, may.
fn skip_bracketed(text: &str, at: usize, open: char) -> Option<usize> {
    let close = match open {
        '(' => ')',
        '[' => ']',
        '（' => '）',
        '《' => '》',
        _ => return None,
    };
    let from = at + open.len_utf8();
    let mut limit = (from + LONGEST_BRACKET).min(text.len());
    while !text.is_char_boundary(limit) {
        limit -= 1;
    }
    let window = &text[from..limit];
    let length = window.find([close, open, '\n'])?;
    if !window[length..].starts_with(close) {
        return None;
    }
    let inner = window[..length].trim_end_matches(|c| is_terminator(c) || is_strong_terminator(c));
    let next = from + inner.len();
    // Without a terminator inside, go on after the bracket.
    Some(if inner.len() == length { next + close.len_utf8() } else { next })
}

/// Bytes that a quotation may take to be read as one piece.
const LONGEST_QUOTATION: usize = 320;

/// For an opening quotation mark that is closed nearby on its line: where to go on, so that the sentences of a short
/// quotation stay together, as for brackets.
fn skip_quoted(text: &str, at: usize, open: char) -> Option<usize> {
    let close = match open {
        '"' => '"',
        '\'' | '`' => '\'',
        '\u{201c}' => '\u{201d}',
        '\u{2018}' => '\u{2019}',
        _ => return None,
    };
    let before = text[..at].chars().next_back();
    if !before.is_none_or(|c| c.is_whitespace() || is_opener(c)) {
        return None;
    }
    let from = at + open.len_utf8();
    if text[from..].starts_with(|c: char| c.is_whitespace() || c == close) {
        return None;
    }
    let mut limit = (from + LONGEST_QUOTATION).min(text.len());
    while !text.is_char_boundary(limit) {
        limit -= 1;
    }
    let window = &text[from..limit];
    let mut after_space = false;
    for (offset, c) in window.char_indices() {
        if c == '\n' || c == '\r' {
            return None;
        }
        // A mark between letters is an apostrophe, one after a space opens another quotation.
        if c == close && !after_space && !text[from + offset + c.len_utf8()..].starts_with(char::is_alphanumeric) {
            let inner = window[..offset].trim_end_matches(|c| is_terminator(c) || is_strong_terminator(c));
            let next = from + inner.len();
            if inner.ends_with(['-', '\u{2014}']) {
                return Some(next);
            }
            return Some(if inner.len() == offset { next + close.len_utf8() } else { next });
        }
        after_space = c.is_whitespace();
    }
    None
}

/// The end of a run of three or more rules ("-----", "***", "____") that stands alone between spaces.
fn separator_end(text: &str, at: usize, c: char) -> Option<usize> {
    if !matches!(c, '-' | '_' | '=' | '*' | '~' | '#') || !text[..at].ends_with(char::is_whitespace) && at > 0 {
        return None;
    }
    let end = text[at..].find(|other| other != c).map_or(text.len(), |length| at + length);
    (end - at >= 3 && (end == text.len() || text[end..].starts_with(char::is_whitespace))).then_some(end)
}
