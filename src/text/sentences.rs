//! Sentences of a text in reading order.
//!
//! One pass over the characters: terminators, line breaks and list markers are candidates, and rules decide on each with
//! a bounded look around it, so the time is linear in the text's length. Spans are in order, do not overlap, are trimmed,
//! and cover every character that is not white space.
//!
//! The rules go beyond Unicode's sentence boundaries (UAX #29), which know no abbreviation, break at every line end and
//! miss a sentence that begins with a digit; `benches/text.rs` compares their speed and the tests their accuracy.

use super::TextSpan;
use super::sentences_end::end_at;
use super::sentences_lines::Lines;
use super::sentences_lists::inline_items;
use super::sentences_marks::{is_strong_terminator, is_terminator};

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
    let mut start = 0;
    let mut at = 0;
    while at < text.len() {
        let next_item = items.peek().copied().unwrap_or(usize::MAX);
        if at >= next_item {
            push(text, start, next_item, &mut found);
            start = next_item;
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
        } else if let Some(inside) = skip_bracketed(text, at, c) {
            at = inside;
        } else if is_terminator(c) || is_strong_terminator(c) {
            let (ends, after) = end_at(text, start, at);
            if ends {
                push(text, start, after, &mut found);
                start = after;
            }
            at = after;
        } else if let Some(end) = separator_end(text, at, c) {
            push(text, start, at, &mut found);
            push(text, at, end, &mut found);
            start = end;
            at = end;
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
    text.as_bytes()[at..]
        .iter()
        .position(|byte| {
            matches!(byte, b'.' | b'!' | b'?' | b'\n' | b'\r' | b'(' | b'[' | b'-' | b'_' | b'=' | b'*' | b'~' | b'#')
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
    let length = window.find(|c| c == close || c == open || c == '\n')?;
    if !window[length..].starts_with(close) {
        return None;
    }
    let inner = window[..length].trim_end_matches(|c| is_terminator(c) || is_strong_terminator(c));
    let next = from + inner.len();
    // Without a terminator inside, go on after the bracket.
    Some(if inner.len() == length { next + close.len_utf8() } else { next })
}

/// The end of a run of three or more rules ("-----", "***", "____") that stands alone between spaces.
fn separator_end(text: &str, at: usize, c: char) -> Option<usize> {
    if !matches!(c, '-' | '_' | '=' | '*' | '~' | '#') || !text[..at].ends_with(char::is_whitespace) && at > 0 {
        return None;
    }
    let end = text[at..].find(|other| other != c).map_or(text.len(), |length| at + length);
    (end - at >= 3 && (end == text.len() || text[end..].starts_with(char::is_whitespace))).then_some(end)
}
