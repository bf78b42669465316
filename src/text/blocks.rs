//! Blocks of a raw text: paragraphs, headings, list items, table rows, quotes, code.
//!
//! Each block knows its span in the raw text and its [`Reading`]; blocks are in order and do not overlap. What is not read
//! (marks, link targets, tags) belongs to no block. In plain text only entities are
//! decoded, and the rows of a comma-separated table are read with their columns' names.

use super::TextSpan;
use super::blocks_delimited::delimited_blocks;
use super::blocks_markdown::markdown_blocks;
use super::reading::Reading;
use super::sentences::sentences;
use super::sentences_lines::begins_item;

/// How a raw text is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// Markdown where the text shows marks of it or of HTML, else plain.
    #[default]
    Auto,
    /// As it stands.
    Plain,
    /// Markdown (CommonMark with tables), with HTML in it.
    Markdown,
}

/// What a block is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum BlockKind {
    /// Running text.
    Paragraph,
    /// A heading of level 1 to 6.
    Heading {
        /// 1 is the highest.
        level: u8,
    },
    /// An item of a list. A paragraph that follows inside the same item is an item without a number.
    ListItem {
        /// 0 for the outermost list.
        depth: u8,
        /// Its number in a numbered list.
        number: Option<u64>,
    },
    /// The row of column names of a table.
    TableHead {
        /// Where the names stand in the reading.
        cells: Vec<TextSpan>,
    },
    /// A row of a table, read as "Name: value; Name: value".
    TableRow {
        /// The columns' names, one for each cell; empty where a column has none.
        header: Vec<String>,
        /// Where the values stand in the reading, empty cells included.
        cells: Vec<TextSpan>,
    },
    /// A paragraph of a quotation.
    Quote,
    /// A block of code.
    Code,
}

impl BlockKind {
    /// Whether such blocks stand on lines of their own below each other.
    pub(super) fn is_line(&self) -> bool {
        matches!(self, Self::ListItem { .. } | Self::TableHead { .. } | Self::TableRow { .. })
    }
}

/// A block of a raw text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Where it stands in the raw text.
    pub span: TextSpan,
    /// Its text as read.
    pub reading: Reading,
}

impl Block {
    /// The block's sentences, as spans of its reading. Headings, table rows and code are one piece each.
    pub fn sentences(&self) -> Vec<TextSpan> {
        match self.kind {
            BlockKind::Paragraph | BlockKind::ListItem { .. } | BlockKind::Quote => sentences(&self.reading.text),
            _ if self.reading.text.is_empty() => Vec::new(),
            _ => vec![TextSpan::whole(&self.reading.text)],
        }
    }
}

/// The blocks of a raw text.
///
/// ```
/// use evidex::text::{BlockKind, Syntax, blocks};
/// let raw = "| City | Pop |\n|---|---|\n| Arden | 12,000 |";
/// let found = blocks(raw, Syntax::Auto);
/// assert_eq!(found[1].reading.text, "City: Arden; Pop: 12,000");
/// assert!(matches!(found[1].kind, BlockKind::TableRow { .. }));
/// ```
pub fn blocks(raw: &str, syntax: Syntax) -> Vec<Block> {
    match syntax {
        Syntax::Markdown => markdown_blocks(raw),
        Syntax::Auto if looks_marked_up(raw) => markdown_blocks(raw),
        Syntax::Auto | Syntax::Plain => plain_blocks(raw),
    }
}

/// Whether a text shows marks that only Markdown or HTML would have.
fn looks_marked_up(raw: &str) -> bool {
    for mark in ["**", "__", "](", "~~", "`", "</", "<br", "/>", "<p>", "<li>"] {
        if raw.contains(mark) {
            return true;
        }
    }
    let mut emphasis = 0;
    for line in raw.lines() {
        let line = line.trim_start();
        let level = line.bytes().take_while(|b| *b == b'#').count();
        if (1..=6).contains(&level) && line[level..].starts_with(' ')
            || line.starts_with("| ")
            || line.starts_with('|') && line.matches('|').count() >= 3
            || line.starts_with("> ")
            || line.starts_with("- ")
            || line.starts_with("* ")
        {
            return true;
        }
        emphasis += emphasised_words(line);
    }
    emphasis > 0
}

/// "*word*" or "_words so_": marks at the edges of words.
fn emphasised_words(line: &str) -> usize {
    let bytes = line.as_bytes();
    let mut open = [false; 2];
    let mut count = 0;
    for (at, byte) in bytes.iter().enumerate() {
        let slot = match byte {
            b'*' => 0,
            b'_' => 1,
            _ => continue,
        };
        let before = at.checked_sub(1).map_or(b' ', |index| bytes[index]);
        let after = bytes.get(at + 1).copied().unwrap_or(b' ');
        if (before == b' ' || before == b'(') && (after.is_ascii_alphanumeric() || after >= 0x80) {
            open[slot] = true;
        } else if open[slot] && !before.is_ascii_whitespace() && !after.is_ascii_alphanumeric() {
            open[slot] = false;
            count += 1;
        }
    }
    count
}

/// Blocks of plain text: paragraphs between blank lines, with bullets and numbered lines as items of their own. What looks like a
/// heading may be a short answer, so it is left to the reader.
fn plain_blocks(raw: &str) -> Vec<Block> {
    if let Some(rows) = delimited_blocks(raw) {
        return rows;
    }
    let mut found = Vec::new();
    let mut start: Option<usize> = None;
    let mut at = 0;
    for line in raw.split_inclusive('\n') {
        let line_start = at;
        at += line.len();
        let text = line.trim();
        if text.is_empty() {
            if let Some(from) = start.take() {
                push_plain(raw, TextSpan::new(from, line_start), &mut found);
            }
            continue;
        }
        if item(line).is_some()
            && let Some(from) = start.take()
        {
            push_plain(raw, TextSpan::new(from, line_start), &mut found);
        }
        start.get_or_insert(line_start);
    }
    if let Some(from) = start {
        push_plain(raw, TextSpan::new(from, raw.len()), &mut found);
    }
    found
}

fn push_plain(raw: &str, span: TextSpan, found: &mut Vec<Block>) {
    let text = span.of(raw);
    let kind = match item(text) {
        Some((depth, number, length)) => {
            let from = span.start + length;
            if let Some(block) = block(raw, BlockKind::ListItem { depth, number }, span, TextSpan::new(from, span.end))
            {
                found.push(block);
            }
            return;
        }
        None => BlockKind::Paragraph,
    };
    found.extend(block(raw, kind, span, span));
}

fn block(raw: &str, kind: BlockKind, span: TextSpan, content: TextSpan) -> Option<Block> {
    let mut reading = Reading::default();
    reading.push_decoded(raw, content);
    let reading = reading.trimmed();
    let text = span.of(raw);
    let start = span.start + (text.len() - text.trim_start().len());
    (!reading.text.is_empty()).then(|| Block { kind, span: TextSpan::new(start, start + text.trim().len()), reading })
}

/// For a line that begins a list item: depth by its indent, number, and the length of indent and marker.
pub(super) fn item(line: &str) -> Option<(u8, Option<u64>, usize)> {
    let text = line.trim_start();
    if !begins_item(text) {
        return None;
    }
    let indent = line.len() - text.len();
    let depth = u8::try_from(indent / 2).unwrap_or(u8::MAX).min(15);
    let first = text.chars().next()?;
    if matches!(
        first,
        '-' | '*'
            | '+'
            | '\u{2013}'
            | '\u{2014}'
            | '\u{2022}'
            | '\u{25aa}'
            | '\u{25cf}'
            | '\u{25e6}'
            | '\u{2023}'
            | '\u{2043}'
            | '\u{b7}'
    ) {
        let rest = &text[first.len_utf8()..];
        let content = rest.trim_start_matches([' ', '\t']);
        return (content.len() < rest.len() && !content.is_empty()).then(|| (depth, None, line.len() - content.len()));
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let closed = text[digits..].starts_with([')', '.']) && text[digits + 1..].starts_with([' ', '\t']);
    if !(1..=2).contains(&digits) || !closed {
        return None;
    }
    let content = text[digits + 1..].trim_start_matches([' ', '\t']);
    Some((depth, text[..digits].parse().ok(), line.len() - content.len()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(raw: &str) -> Vec<(BlockKind, String)> {
        blocks(raw, Syntax::Auto).into_iter().map(|block| (block.kind, block.reading.text)).collect()
    }

    #[test]
    fn markdown_blocks_are_told_apart() {
        let raw =
            "# Title\n\nA **bold** start.\n\n- one\n- two\n  - inner\n\n1. first\n\n> said\n\n```\nlet x = 1;\n```\n";
        assert_eq!(
            read(raw),
            [
                (BlockKind::Heading { level: 1 }, "Title".into()),
                (BlockKind::Paragraph, "A bold start.".into()),
                (BlockKind::ListItem { depth: 0, number: None }, "one".into()),
                (BlockKind::ListItem { depth: 0, number: None }, "two".into()),
                (BlockKind::ListItem { depth: 1, number: None }, "inner".into()),
                (BlockKind::ListItem { depth: 0, number: Some(1) }, "first".into()),
                (BlockKind::Quote, "said".into()),
                (BlockKind::Code, "let x = 1;".into()),
            ]
        );
    }

    #[test]
    fn table_rows_carry_their_column_names() {
        let raw = "| City | Pop |\n|---|---|\n| Arden | 12,000 |\n| Brill | **9,500** |";
        let found = blocks(raw, Syntax::Markdown);
        let row = &found[2];
        assert_eq!(row.reading.text, "City: Brill; Pop: 9,500");
        let BlockKind::TableRow { header, cells } = &row.kind else { panic!("{:?}", row.kind) };
        assert_eq!(header, &["City", "Pop"]);
        assert_eq!(row.reading.raw_span(cells[1]).of(raw), "9,500");
        assert_eq!(row.span.of(raw), "| Brill | **9,500** |");
    }

    #[test]
    fn plain_text_keeps_its_lines_and_finds_dashed_items() {
        let raw = "Norsel \u{2013} key facts\n\u{2013} Founded in 1994\n\u{2013} R&amp;D in Arden\n\nThe end.";
        assert_eq!(
            read(raw),
            [
                (BlockKind::Paragraph, "Norsel \u{2013} key facts".into()),
                (BlockKind::ListItem { depth: 0, number: None }, "Founded in 1994".into()),
                (BlockKind::ListItem { depth: 0, number: None }, "R&D in Arden".into()),
                (BlockKind::Paragraph, "The end.".into()),
            ]
        );
    }

    #[test]
    fn a_year_at_the_start_of_a_line_is_read() {
        assert_eq!(read("**Key year**\n\n1986. The bridge opened.")[1].1, "1986. The bridge opened.");
    }

    #[test]
    fn a_sentence_above_a_rule_is_no_heading() {
        assert_eq!(read("It **opened** in 1958.\n---\nMore.")[0].0, BlockKind::Paragraph);
    }

    #[test]
    fn blocks_are_in_order_and_inside_the_text() {
        let raw = "# A\n<div>\n<p>x &amp; y</p>\n\n* a\n\n  b\n\n|a|\n|-|\n|b|\n";
        let mut end = 0;
        for block in blocks(raw, Syntax::Markdown) {
            assert!(block.span.start >= end && block.span.get(raw).is_some(), "{block:?}");
            end = block.span.end;
        }
    }

    proptest! {
        #[test]
        fn blocks_of_any_text_are_in_order_and_keep_its_words(
            raw in "([a-z0-9 *_`<>&;#|~.!:()\\[\\]\\-]|\n|\n\n|    |é|\u{1f680}|<br>|<p>|</p>|\\| a \\|\n|[0-9]\\. |- |> ){0,60}"
        ) {
            for syntax in [Syntax::Auto, Syntax::Plain, Syntax::Markdown] {
                let mut end = 0;
                for block in blocks(&raw, syntax) {
                    prop_assert!(block.span.start >= end, "{:?}", block);
                    prop_assert!(block.span.get(&raw).is_some());
                    prop_assert!(!block.reading.text.trim().is_empty());
                    end = block.span.end;
                }
            }
        }

        #[test]
        fn plain_blocks_lose_no_letter(raw in "([a-z0-9 .:()\n\t•–-]|1\\. |- ){0,80}") {
            let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).collect::<String>();
            let read: String = blocks(&raw, Syntax::Plain).iter().map(|block| letters(&block.reading.text)).collect();
            prop_assert_eq!(read, letters(&raw));
        }
    }
}
