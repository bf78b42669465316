//! Items of a list that is written in a line: "a) first b) second", "1. First 2. Second".
//!
//! Only markers that count up and begin where a sentence may begin are items; "for 1. above and for 2. above" is none.

/// How a marker is written.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Style {
    opened: bool,
    /// 0 digits, 1 lower-case letters, 2 capitals.
    kind: u8,
    point: bool,
    bracket: bool,
}

struct Marker {
    start: usize,
    end: usize,
    style: Style,
    value: u32,
    /// Whether a sentence may begin here: at the text's start or after a terminator, colon or line break.
    at_start: bool,
    /// A point and then a small letter: only a long chain is a list.
    lower_follows: bool,
    /// Whether a comma or conjunction ties it to the text before.
    tied: bool,
}

/// The starts of inline list items after which a new piece of text begins, in order.
pub(super) fn inline_items(text: &str) -> Vec<usize> {
    let markers = markers(text);
    let mut starts = Vec::new();
    let mut chain: Vec<&Marker> = Vec::new();
    for marker in &markers {
        let goes_on = chain.last().is_some_and(|last| {
            last.style == marker.style && last.value + 1 == marker.value && marker.start >= last.end + 4
        });
        if !goes_on {
            // "… 2.) The second 1.) The first": a list that begins anew.
            let begins_anew = (marker.style.bracket || chain.len() >= 2)
                && marker.is_first()
                && chain.last().is_some_and(|last| last.style == marker.style && last.value != marker.value);
            close(&mut chain, &mut starts);
            if !marker.at_start && !begins_anew {
                continue;
            }
        }
        chain.push(marker);
    }
    close(&mut chain, &mut starts);
    starts
}

impl Marker {
    fn is_first(&self) -> bool {
        self.value == 1 || self.value == u32::from(b'a') || self.value == u32::from(b'A')
    }
}

fn close(chain: &mut Vec<&Marker>, starts: &mut Vec<usize>) {
    // Small letters with points need three in a row, beginning at "a".
    let weak = chain.first().is_some_and(|first| first.lower_follows && (chain.len() < 3 || !first.is_first()));
    if chain.len() >= 2 && !weak && chain.iter().all(|marker| !marker.tied) {
        starts.extend(chain.iter().map(|marker| marker.start));
    }
    chain.clear();
}

fn markers(text: &str) -> Vec<Marker> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for (at, byte) in bytes.iter().enumerate() {
        if !matches!(byte, b'.' | b')') || !bytes.get(at + 1).is_some_and(u8::is_ascii_whitespace) || at == 0 {
            continue;
        }
        let bracket = *byte == b')';
        let point = !bracket || bytes[at - 1] == b'.';
        let value_end = if bracket && point { at - 1 } else { at };
        if let Some(marker) = marker(text, value_end, at + 1, point, bracket) {
            found.push(marker);
        }
    }
    found
}

fn marker(text: &str, value_end: usize, end: usize, point: bool, bracket: bool) -> Option<Marker> {
    let bytes = text.as_bytes();
    let mut value_start = value_end;
    while value_start > 0 && value_end - value_start < 3 && bytes[value_start - 1].is_ascii_alphanumeric() {
        value_start -= 1;
    }
    let written = text.get(value_start..value_end)?;
    let (kind, value) = match written.as_bytes() {
        [letter @ b'a'..=b'z'] => (1, u32::from(*letter)),
        [letter @ b'A'..=b'Z'] => (2, u32::from(*letter)),
        digits if digits.len() <= 2 && !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => {
            (0, written.parse().ok()?)
        }
        _ => return None,
    };
    let opened = bracket && value_start > 0 && bytes[value_start - 1] == b'(';
    let start = if opened { value_start - 1 } else { value_start };
    if start > 0 && !bytes[start - 1].is_ascii_whitespace() {
        return None;
    }
    let first = text[end..].chars().find(|c| !c.is_whitespace())?;
    // After a number and a point only a capital begins an item: "for 1. above".
    if !bracket && !first.is_uppercase() && (kind != 1 || !first.is_lowercase()) {
        return None;
    }
    let lower_follows = !bracket && first.is_lowercase();
    let before = text[..start].trim_end_matches([' ', '\t']);
    let at_start = before.is_empty() || before.ends_with(['.', '!', '?', ':', '\n', '\r', ';', '"', '\u{201d}', ')']);
    let last_word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
    let tied = before.ends_with(',')
        || matches!(last_word, "and" | "or" | "und" | "oder" | "e" | "ou" | "y" | "o" | "et" | "en");
    Some(Marker { start, end, style: Style { opened, kind, point, bracket }, value, at_start, lower_follows, tied })
}
