//! Whether a line break ends a sentence: a blank line, a list item, a field or a short line does, a soft wrap does not.
//!
//! Lines between blank lines and structural starts (bullets, headings, fields) form a group. A group is wrapped if its
//! lines are as long as they can be: the first word of the next line would not have fitted into the widest one.

use super::normalise::fold;
use super::sentences_abbreviations::{Abbreviation, abbreviation};
use super::sentences_marks::{is_continuation, is_strong_terminator, is_terminator};

/// The widest and narrowest column at which text is wrapped by hand.
const WRAP_COLUMNS: std::ops::RangeInclusive<usize> = 45..=200;

pub(super) struct Lines<'a> {
    text: &'a str,
    /// Where the group that was measured last ends; nothing is measured twice.
    group_end: usize,
    /// The width of that group if it is wrapped.
    wrapped_at: Option<usize>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, group_end: 0, wrapped_at: None }
    }

    /// The end of the white space that the line break at `at` begins.
    pub(super) fn line_break_end(&self, at: usize) -> usize {
        self.text[at..].find(|c: char| !c.is_whitespace()).map_or(self.text.len(), |length| at + length)
    }

    /// Whether the sentence ends at the line break at `at`.
    pub(super) fn breaks_sentence(&mut self, at: usize) -> bool {
        let next = self.line_break_end(at);
        if next == self.text.len() {
            return true;
        }
        let before = self.line_before(at);
        let after = self.line_at(next);
        // Dots that were torn off their line.
        if after.starts_with(|c| is_terminator(c) || is_continuation(c) && c != '/') && !after.starts_with("...") {
            return false;
        }
        if line_breaks(&self.text[at..next]) > 1 || begins_item(after) {
            return true;
        }
        // A word set vertically, letter by letter.
        let is_column = |line: &str| line.len() <= 2 && line.bytes().all(|byte| byte.is_ascii_uppercase());
        if is_column(before) && is_column(after) {
            return false;
        }
        if at >= self.group_end {
            self.measure(at);
        }
        let field = is_field(after);
        if let Some(width) = self.wrapped_at
            && is_full(before, after, width)
            // "Vance said: no" may stand at the start of a wrapped line, but not below a field.
            && !(field && (is_field(before) || ends_with_terminator(before)))
        {
            return ends_with_terminator(before)
                && !ends_with_abbreviation(before)
                && after.starts_with(char::is_uppercase);
        }
        field || !continues(before, after)
    }

    /// The line that ends at `at`, cut to its last 400 bytes.
    fn line_before(&self, at: usize) -> &'a str {
        let mut from = at.saturating_sub(400);
        while !self.text.is_char_boundary(from) {
            from += 1;
        }
        let window = &self.text[from..at];
        window.rfind(is_line_end).map_or(window, |index| window[index..].trim_start_matches(is_line_end)).trim()
    }

    /// The line that begins at `at`, cut to 400 bytes.
    fn line_at(&self, at: usize) -> &'a str {
        let mut end = (at + 400).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let window = &self.text[at..end];
        window.find(is_line_end).map_or(window, |length| &window[..length]).trim_end()
    }

    /// Measures the group of lines around the line break at `at`.
    fn measure(&mut self, at: usize) {
        let mut lines = vec![self.line_before(at)];
        let mut position = self.line_break_end(at);
        let mut end = self.text.len();
        let mut width = lines[0].chars().count();
        loop {
            let line_end = self.text[position..].find(is_line_end).map_or(self.text.len(), |length| position + length);
            let line = self.text[position..line_end].trim_end();
            let line_width = line.chars().count();
            width = width.max(line_width);
            lines.push(line);
            let next = self.line_break_end(line_end);
            if next == self.text.len() || line_breaks(&self.text[line_end..next]) > 1 || begins_item(self.line_at(next))
            {
                end = end.min(line_end);
                break;
            }
            if line_width > *WRAP_COLUMNS.end() {
                // No wrapped paragraph; the lines that follow are measured as they come.
                end = line_end + 1;
                break;
            }
            position = next;
        }
        self.group_end = end.max(at + 1);
        let full = lines.windows(2).filter(|pair| is_full(pair[0], pair[1], width)).count();
        let wrapped = full >= 2 && full * 10 >= (lines.len() - 1) * 7 && WRAP_COLUMNS.contains(&width);
        self.wrapped_at = wrapped.then_some(width);
    }
}

/// Words that no sentence ends with.
const OPEN_WORDS: [&str; 78] = [
    "is", "are", "was", "were", "the", "a", "an", "of", "in", "to", "for", "with", "by", "and", "or", "from", "at",
    "as", "that", "which", "its", "their", "his", "her", "der", "die", "das", "dem", "den", "des", "ein", "eine",
    "einer", "einem", "und", "oder", "mit", "von", "zu", "im", "am", "de", "la", "le", "les", "du", "et", "el", "los",
    "las", "del", "y", "en", "un", "una", "o", "os", "da", "do", "dos", "e", "em", "para", "com", "uma", "um", "no",
    "na", "il", "lo", "gli", "di", "che", "per", "con", "het", "een", "van",
];

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Line breaks in white space; "\r\n" counts once, a paragraph separator as two.
fn line_breaks(space: &str) -> usize {
    let mut count = 0;
    let mut previous = ' ';
    for c in space.chars() {
        match c {
            '\n' if previous == '\r' => {}
            '\u{2029}' => count += 2,
            c if is_line_end(c) => count += 1,
            _ => {}
        }
        previous = c;
    }
    count
}

/// Whether the first word of `after` would not have fitted on the line `before`.
fn is_full(before: &str, after: &str, width: usize) -> bool {
    let word = after.split_whitespace().next().unwrap_or("");
    before.chars().count() + 1 + word.chars().count() > width
}

/// Whether a line begins a new piece of text by its looks: bullet, numbered item, heading, quote, table row.
pub(super) fn begins_item(line: &str) -> bool {
    let Some(first) = line.chars().next() else { return true };
    let rest = &line[first.len_utf8()..];
    match first {
        '#' | '|' | '>' | '\u{2022}' | '\u{25aa}' | '\u{25cf}' | '\u{25e6}' | '\u{2023}' | '\u{2043}' | '\u{b7}' => {
            return true;
        }
        '-' | '*' | '+' | '\u{2013}' | '\u{2014}' => return rest.starts_with([' ', '\t']) || rest.starts_with(first),
        _ => {}
    }
    is_numbered(line)
}

/// "1. ", "12) ", "a) ", "(iv) ", "1.) ".
fn is_numbered(line: &str) -> bool {
    let opened = line.starts_with('(');
    let line = line.strip_prefix('(').unwrap_or(line);
    let length = line.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(line.len());
    let (marker, rest) = line.split_at(length);
    let plausible = length <= 2 && !marker.is_empty() && marker.bytes().all(|b| b.is_ascii_digit())
        || length == 1
        || length <= 4 && length > 0 && marker.bytes().all(|b| matches!(b.to_ascii_lowercase(), b'i' | b'v' | b'x'));
    let closed = rest.strip_prefix(".)").or_else(|| rest.strip_prefix(')')).or_else(|| {
        // "A. Smith" wrapped to the start of a line is a name.
        rest.strip_prefix('.').filter(|_| !opened && !marker.starts_with(|c: char| c.is_ascii_uppercase()))
    });
    plausible && closed.is_some_and(|rest| rest.starts_with([' ', '\t']))
}

/// "Field: value", "Field / Part: value": a few words, the first with a capital, then a colon and a space or nothing.
/// A path of parts may be longer.
fn is_field(line: &str) -> bool {
    let mut end = line.len().min(200);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    let Some(colon) = line[..end].find([':', '：']) else { return false };
    let name = &line[..colon];
    let rest = line[colon..].trim_start_matches([':', '：']);
    let is_path = name.contains(" / ");
    let (longest, most_words) = if is_path { (200, 30) } else { (80, 8) };
    name.starts_with(|c: char| c.is_uppercase() || c.is_numeric() || c.is_alphabetic() && !c.is_lowercase())
        && !name.contains(['.', ';', '!', '?', '"'])
        && (is_path || !name.contains(','))
        && name.len() <= longest
        && name.split_whitespace().count() <= most_words
        && (rest.is_empty() || line[colon..].starts_with('：') || rest.starts_with(char::is_whitespace))
}

fn ends_with_terminator(line: &str) -> bool {
    let line = line.trim_end_matches(super::sentences_marks::is_closer);
    line.ends_with(|c| is_terminator(c) || is_strong_terminator(c))
}

fn ends_with_abbreviation(line: &str) -> bool {
    let Some(line) = line.strip_suffix('.') else { return false };
    let word = line.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or("");
    matches!(abbreviation(word), Some(Abbreviation::Leading | Abbreviation::BeforeNumber { word: false }))
        || word.chars().count() == 1 && word.starts_with(char::is_uppercase)
}

/// Whether `after` goes on with the sentence of a line that is not known to be wrapped.
fn continues(before: &str, after: &str) -> bool {
    if ends_with_abbreviation(before) {
        return true;
    }
    if before.is_empty() || ends_with_terminator(before) || before.ends_with([':', '：']) {
        return false;
    }
    // Japanese particles and commas want a continuation.
    if before.ends_with(['の', 'は', 'が', 'を', 'に', 'と', 'で', 'も', 'へ', '、', '，']) {
        return true;
    }
    let words = before.split_whitespace().count();
    let width = before.chars().count();
    let last = before.rsplit(char::is_whitespace).next().unwrap_or("");
    let wants_more = before.ends_with([',', '-', '\u{2013}', '(', '&'])
        || last.len() <= 6 && OPEN_WORDS.contains(&fold(last).as_str()) && !last.starts_with(char::is_uppercase);
    if after.starts_with(char::is_lowercase) {
        return width >= 40 || wants_more || words >= 3 && before.starts_with(char::is_uppercase) && !is_field(before);
    }
    if let Some(inside) = after.strip_prefix('(') {
        return width >= 40 && !inside.trim_start().starts_with(char::is_uppercase) && inside.contains(')');
    }
    wants_more && width >= 30
}
