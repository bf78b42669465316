//! Blocks of HTML inside a text: tags are skipped, entities decoded; what a tag opens or closes a block with ends one.
//!
//! This reads fragments that people and models write into Markdown; whole pages are read by the corpus room.

use super::TextSpan;
use super::blocks::{Block, BlockKind};
use super::reading::Reading;

/// Bytes within which a tag must close; "a < b" never does.
const LONGEST_TAG: usize = 2_000;

/// Appends the blocks of the HTML at `range`.
pub(super) fn html_blocks(raw: &str, range: TextSpan, found: &mut Vec<Block>) {
    let mut reading = Reading::default();
    let mut kind = BlockKind::Paragraph;
    let mut at = range.start;
    let mut skipped: Option<&'static str> = None;
    while at < range.end {
        let next = raw[at..range.end].find('<').map_or(range.end, |offset| at + offset);
        if skipped.is_none() {
            reading.push_decoded(raw, TextSpan::new(at, next));
        }
        if next == range.end {
            break;
        }
        let Some((name, closing, end)) = tag(raw, next, range.end) else {
            if skipped.is_none() {
                reading.push_verbatim("<", TextSpan::new(next, next + 1));
            }
            at = next + 1;
            continue;
        };
        at = end;
        match skipped {
            Some(open) if closing && name == open => skipped = None,
            Some(_) => {}
            None if !closing && name == "script" => skipped = Some("script"),
            None if !closing && name == "style" => skipped = Some("style"),
            None => {
                if let Some(next_kind) = block_tag(&name) {
                    flush(&mut reading, &kind, found);
                    kind = if closing { BlockKind::Paragraph } else { next_kind };
                } else if name == "br" {
                    reading.push_replaced("\n", TextSpan::new(next, end));
                } else if matches!(name.as_str(), "td" | "th") && !reading.text.is_empty() && !closing {
                    reading.push_replaced("; ", TextSpan::new(next, end));
                }
            }
        }
    }
    flush(&mut reading, &kind, found);
}

/// Whether an inline tag breaks the line.
pub(super) fn is_line_break_tag(tag: &str) -> bool {
    tag.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("<br"))
}

fn flush(reading: &mut Reading, kind: &BlockKind, found: &mut Vec<Block>) {
    let done = std::mem::take(reading).trimmed();
    if !done.text.is_empty() {
        let span = done.raw_span(TextSpan::whole(&done.text));
        found.push(Block { kind: kind.clone(), span, reading: done });
    }
}

/// The name of the tag at `at`, whether it closes, and where it ends. Comments have an empty name.
fn tag(raw: &str, at: usize, limit: usize) -> Option<(String, bool, usize)> {
    let rest = &raw[at + 1..limit];
    if let Some(comment) = rest.strip_prefix("!--") {
        let end = comment.find("-->").map_or(limit, |offset| at + 4 + offset + 3);
        return Some((String::new(), false, end));
    }
    let closing = rest.starts_with('/');
    let name_start = usize::from(closing || rest.starts_with('!'));
    if !rest[name_start..].starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let end = rest.bytes().take(LONGEST_TAG).position(|b| b == b'>')?;
    let name: String = rest[name_start..end].chars().take_while(char::is_ascii_alphanumeric).collect();
    Some((name.to_ascii_lowercase(), closing, at + 1 + end + 1))
}

fn block_tag(name: &str) -> Option<BlockKind> {
    Some(match name {
        "h1" => BlockKind::Heading { level: 1 },
        "h2" => BlockKind::Heading { level: 2 },
        "h3" => BlockKind::Heading { level: 3 },
        "h4" => BlockKind::Heading { level: 4 },
        "h5" => BlockKind::Heading { level: 5 },
        "h6" => BlockKind::Heading { level: 6 },
        "li" => BlockKind::ListItem { depth: 0, number: None },
        "blockquote" => BlockKind::Quote,
        "pre" => BlockKind::Code,
        "p" | "div" | "section" | "article" | "ul" | "ol" | "table" | "tr" | "thead" | "tbody" | "body" | "html"
        | "head" | "title" | "header" | "footer" | "main" | "nav" | "aside" | "figure" | "figcaption" | "dl" | "dt"
        | "dd" | "hr" | "form" | "details" | "summary" | "center" => BlockKind::Paragraph,
        _ => return None,
    })
}
