//! Blocks of Markdown, read off the parser's events and their offsets.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::TextSpan;
use super::blocks::{Block, BlockKind, item};
use super::blocks_html::{html_blocks, is_line_break_tag};
use super::reading::Reading;

pub(super) fn markdown_blocks(raw: &str) -> Vec<Block> {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS | Options::ENABLE_FOOTNOTES;
    let mut builder = Builder {
        raw,
        found: Vec::new(),
        open: None,
        lists: Vec::new(),
        quotes: 0,
        header: Vec::new(),
        row: None,
        struck: 0,
        item: None,
    };
    for (event, range) in Parser::new_ext(raw, options).into_offset_iter() {
        builder.event(event, TextSpan::new(range.start, range.end));
    }
    builder.close();
    builder.found
}

/// A block that is being read.
struct Open {
    kind: BlockKind,
    span: TextSpan,
    reading: Reading,
}

/// A table row that is being read.
struct Row {
    is_head: bool,
    span: TextSpan,
    cells: Vec<Reading>,
}

struct Builder<'a> {
    raw: &'a str,
    found: Vec<Block>,
    open: Option<Open>,
    /// The open lists, each with the number of its next item.
    lists: Vec<Option<u64>>,
    quotes: usize,
    /// The names of the open table's columns.
    header: Vec<String>,
    row: Option<Row>,
    struck: usize,
    /// The number of an item whose first text has not come yet, and where its content begins.
    item: Option<Option<u64>>,
}

impl Builder<'_> {
    fn event(&mut self, event: Event<'_>, range: TextSpan) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag, range),
            Event::Text(text) => self.text(&text, range),
            Event::Code(code) | Event::InlineMath(code) | Event::DisplayMath(code) => self.code(&code, range),
            Event::SoftBreak | Event::HardBreak => self.replaced("\n", range),
            Event::InlineHtml(tag) => {
                if is_line_break_tag(&tag) {
                    self.replaced("\n", range);
                }
            }
            // Whole blocks of HTML are read at their start.
            Event::Html(_) | Event::FootnoteReference(_) | Event::TaskListMarker(_) => {}
            Event::Rule => self.close(),
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: TextSpan) {
        match tag {
            Tag::Paragraph => self.begin(None, range),
            Tag::Heading { level, .. } => self.begin(Some(BlockKind::Heading { level: level_number(level) }), range),
            Tag::BlockQuote(_) => {
                self.close();
                self.quotes += 1;
            }
            Tag::CodeBlock(kind) => {
                // What is indented without signs of code is prose.
                let prose =
                    kind == CodeBlockKind::Indented && !range.of(self.raw).contains(['{', '}', ';', '=', '<', '>']);
                self.begin((!prose).then_some(BlockKind::Code), range);
            }
            Tag::HtmlBlock => {
                self.close();
                html_blocks(self.raw, range, &mut self.found);
            }
            Tag::List(first) => {
                self.close();
                self.lists.push(first);
            }
            Tag::Item => {
                self.close();
                let number = self.lists.last_mut().and_then(|next| {
                    let number = *next;
                    *next = number.map(|number| number + 1);
                    number
                });
                self.item = Some(number);
                self.begin(None, range);
            }
            Tag::Table(_) => {
                self.close();
                self.header.clear();
            }
            Tag::TableHead => self.row = Some(Row { is_head: true, span: range, cells: Vec::new() }),
            Tag::TableRow => self.row = Some(Row { is_head: false, span: range, cells: Vec::new() }),
            Tag::TableCell => {
                if let Some(row) = &mut self.row {
                    row.cells.push(Reading::default());
                }
            }
            Tag::Strikethrough if range.of(self.raw).starts_with("~~") => self.struck += 1,
            Tag::Strikethrough => self.mark(TextSpan::new(range.start, range.start + 1)),
            Tag::Emphasis if self.is_multiplication(range) => self.mark(TextSpan::new(range.start, range.start + 1)),
            Tag::FootnoteDefinition(_) => self.close(),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: TextSpan) {
        match tag {
            TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::CodeBlock | TagEnd::Item => self.close(),
            TagEnd::BlockQuote(_) => {
                self.close();
                self.quotes = self.quotes.saturating_sub(1);
            }
            TagEnd::List(_) => {
                self.close();
                self.lists.pop();
            }
            TagEnd::TableHead | TagEnd::TableRow => self.end_row(),
            TagEnd::Strikethrough if range.of(self.raw).starts_with("~~") => {
                self.struck = self.struck.saturating_sub(1)
            }
            TagEnd::Strikethrough => self.mark(TextSpan::new(range.end - 1, range.end)),
            TagEnd::Emphasis if self.is_multiplication(range) => self.mark(TextSpan::new(range.end - 1, range.end)),
            _ => {}
        }
    }

    /// "5*3*2": asterisks between digits.
    fn is_multiplication(&self, range: TextSpan) -> bool {
        let digit = |c: Option<char>| c.is_some_and(char::is_numeric);
        range.of(self.raw).starts_with('*')
            && digit(self.raw[..range.start].chars().next_back())
            && digit(self.raw[range.end..].chars().next())
    }

    /// Begins a block of a kind, or of the kind that running text has in the open list or quotation.
    fn begin(&mut self, kind: Option<BlockKind>, range: TextSpan) {
        if let Some(open) = &self.open
            && open.reading.text.is_empty()
            && kind.is_none()
        {
            // The first paragraph of an item.
            return;
        }
        self.close();
        let depth = u8::try_from(self.lists.len().saturating_sub(1)).unwrap_or(u8::MAX);
        let kind = kind.unwrap_or_else(|| {
            if self.quotes > 0 && self.lists.is_empty() {
                BlockKind::Quote
            } else if self.lists.is_empty() {
                BlockKind::Paragraph
            } else {
                BlockKind::ListItem { depth, number: self.item.take().flatten() }
            }
        });
        let mut reading = Reading::default();
        // A "list" that begins with a year or a large number is a sentence that does.
        let mut kind = kind;
        if let BlockKind::ListItem { number: Some(number), .. } = kind
            && number >= 100
        {
            let text = range.of(self.raw);
            let length = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ')'))).unwrap_or(text.len());
            let marker = TextSpan::new(range.start, range.start + length);
            reading.push_verbatim(marker.of(self.raw), marker);
            reading.push_replaced(" ", TextSpan::new(marker.end, marker.end));
            kind = BlockKind::Paragraph;
        }
        self.open = Some(Open { kind, span: range, reading });
    }

    fn close(&mut self) {
        let Some(Open { mut kind, span, reading }) = self.open.take() else { return };
        let reading = reading.trimmed();
        if reading.text.is_empty() {
            return;
        }
        let text = span.of(self.raw);
        if matches!(kind, BlockKind::Heading { .. })
            && !text.trim_start().starts_with('#')
            && reading.text.ends_with('.')
        {
            // A sentence above a rule.
            kind = BlockKind::Paragraph;
        }
        // A list item's range covers the lists inside it; its own text ends where it was read to the end.
        let end = reading.raw_span(TextSpan::whole(&reading.text)).end;
        let mut end = match kind {
            BlockKind::ListItem { .. } => end.max(span.start),
            _ => span.end.max(end),
        };
        end = span.start + self.raw[span.start..end].trim_end().len();
        let start = span.start.max(self.found.last().map_or(0, |block| block.span.end));
        let span = TextSpan::new(
            start + (self.raw[start..end.max(start)].len() - self.raw[start..end.max(start)].trim_start().len()),
            end.max(start),
        );
        if kind == BlockKind::Paragraph && reading.text.contains('\n') {
            self.split_items(span, &reading);
        } else {
            self.found.push(Block { kind, span, reading });
        }
    }

    /// A paragraph may hold lines with bullets that Markdown does not know ("– Founded in 1994").
    fn split_items(&mut self, span: TextSpan, reading: &Reading) {
        let mut parts: Vec<(TextSpan, BlockKind, usize)> = Vec::new();
        let mut at = 0;
        for line in reading.text.split_inclusive('\n') {
            let line_span = TextSpan::new(at, at + line.len());
            at += line.len();
            match (item(line), parts.last_mut()) {
                (Some((depth, number, length)), _) => {
                    parts.push((line_span, BlockKind::ListItem { depth, number }, length))
                }
                (None, Some((part, _, _))) => part.end = line_span.end,
                (None, None) => parts.push((line_span, BlockKind::Paragraph, 0)),
            }
        }
        if parts.len() == 1 {
            self.found.push(Block { kind: BlockKind::Paragraph, span, reading: reading.clone() });
            return;
        }
        for (part, kind, marker) in parts {
            let content = reading.slice(TextSpan::new(part.start + marker, part.end)).trimmed();
            if !content.text.is_empty() {
                self.found.push(Block { kind, span: reading.raw_span(part), reading: content });
            }
        }
    }

    fn end_row(&mut self) {
        let Some(row) = self.row.take() else { return };
        let mut reading = Reading::default();
        let mut cells = Vec::with_capacity(row.cells.len());
        for (index, cell) in row.cells.into_iter().enumerate() {
            let cell = cell.trimmed();
            let raw_start = cell.raw_span(TextSpan::whole(&cell.text)).start.max(row.span.start);
            if !cell.text.is_empty() {
                if !reading.text.is_empty() {
                    reading.push_replaced("; ", TextSpan::new(raw_start, raw_start));
                }
                if let Some(name) = self.header.get(index).filter(|name| !row.is_head && !name.is_empty()) {
                    reading.push_replaced(&format!("{name}: "), TextSpan::new(raw_start, raw_start));
                }
            }
            let start = reading.text.len();
            reading.append(&cell);
            cells.push(TextSpan::new(start, reading.text.len()));
            if row.is_head {
                self.header.push(cell.text);
            }
        }
        if reading.text.is_empty() {
            return;
        }
        let text = row.span.of(self.raw);
        let span = TextSpan::new(row.span.start, row.span.start + text.trim_end().len());
        let kind = if row.is_head {
            BlockKind::TableHead { cells }
        } else {
            let header = (0..cells.len()).map(|index| self.header.get(index).cloned().unwrap_or_default()).collect();
            BlockKind::TableRow { header, cells }
        };
        self.found.push(Block { kind, span, reading });
    }

    /// Adds to the open table cell, the open block, or a new paragraph.
    fn add(&mut self, range: TextSpan, add: impl FnOnce(&mut Reading)) {
        if self.struck > 0 {
            return;
        }
        if let Some(cell) = self.row.as_mut().and_then(|row| row.cells.last_mut()) {
            add(cell);
            return;
        }
        if self.open.is_none() {
            self.begin(None, range);
        }
        if let Some(open) = &mut self.open {
            add(&mut open.reading);
        }
    }

    fn text(&mut self, text: &str, range: TextSpan) {
        let verbatim = range.of(self.raw) == text;
        self.add(
            range,
            |reading| {
                if verbatim { reading.push_verbatim(text, range) } else { reading.push_replaced(text, range) }
            },
        );
    }

    fn replaced(&mut self, text: &str, range: TextSpan) {
        self.add(range, |reading| reading.push_replaced(text, range));
    }

    /// A mark that is text after all.
    fn mark(&mut self, range: TextSpan) {
        let text = range.of(self.raw).to_owned();
        self.text(&text, range);
    }

    fn code(&mut self, code: &str, range: TextSpan) {
        match range.of(self.raw).find(code) {
            Some(offset) => {
                let start = range.start + offset;
                self.text(code, TextSpan::new(start, start + code.len()));
            }
            None => self.text(code, range),
        }
    }
}

fn level_number(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}
