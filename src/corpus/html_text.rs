//! The visible text of HTML, as Markdown lines: paragraphs, headings, list items, a line for each table row.

use std::borrow::Cow;

use super::html_tokens::{Token, Tokens, attribute};

/// What a page holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PageText {
    /// Its text.
    pub(super) text: String,
    /// Rows of tables among it.
    pub(super) rows: usize,
    pub(super) title: Option<String>,
    pub(super) first_heading: Option<String>,
    /// The address that the page gives as its own.
    pub(super) url: Option<String>,
}

/// Elements whose content is not for reading, or belongs to the site and not to the page.
const SKIPPED: &[&str] = &[
    "script", "style", "noscript", "template", "svg", "canvas", "iframe", "object", "nav", "footer", "select",
    "button", "textarea", "audio", "video", "map", "dialog",
];

/// Classes by which MediaWiki marks what is not the article's own text: links to other articles, marks for editors, lists
/// of the works that are cited.
const WIKI_FURNITURE: &[&str] = &[
    "navbox",
    "mw-editsection",
    "mw-references-wrap",
    "mw-jump-link",
    "mw-empty-elt",
    "references",
    "reflist",
    "catlinks",
    "ambox",
];

/// Elements that never have an end tag.
const VOID: &[&str] =
    &["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"];

/// Elements that stand on lines of their own.
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "caption",
    "center",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "form",
    "head",
    "header",
    "hr",
    "html",
    "legend",
    "main",
    "ol",
    "optgroup",
    "option",
    "p",
    "pre",
    "section",
    "summary",
    "ul",
];

/// Renders `html`; linear in its length.
pub(super) fn page_text(html: &str) -> PageText {
    let mut renderer = Renderer::default();
    let mut tokens = Tokens::new(html);
    // Elements that turned out never to end are read after all.
    let mut not_skipped: Vec<String> = Vec::new();
    let mut skipping: Option<Skip<'_>> = None;
    loop {
        let Some(token) = tokens.next() else {
            match skipping.take() {
                Some(skip) => {
                    not_skipped.push(skip.reason.to_owned());
                    tokens = skip.resume;
                    continue;
                }
                None => break,
            }
        };
        if let Some(skip) = &mut skipping {
            match &token {
                Token::Start { name, .. } if *name == skip.name => skip.depth += 1,
                Token::End { name } if *name == skip.name => {
                    skip.depth -= 1;
                    if skip.depth == 0 {
                        renderer.after_skipped(&skip.name);
                        skipping = None;
                    }
                }
                _ => {}
            }
            continue;
        }
        match token {
            Token::Text { text, raw } => renderer.text(text, raw),
            Token::Start { name, attributes } => match skip_reason(&name, attributes) {
                Some(reason) if !not_skipped.iter().any(|known| known == reason) => {
                    skipping = Some(Skip { reason, name, depth: 1, resume: tokens.clone() });
                }
                _ => renderer.start(&name, attributes),
            },
            Token::End { name } => renderer.end(&name),
        }
    }
    renderer.finish()
}

struct Skip<'a> {
    reason: &'static str,
    name: Cow<'a, str>,
    depth: usize,
    resume: Tokens<'a>,
}

fn skip_reason(name: &str, attributes: &str) -> Option<&'static str> {
    if let Some(skipped) = SKIPPED.iter().find(|skipped| **skipped == name) {
        return Some(skipped);
    }
    if attributes.is_empty() || VOID.contains(&name) || matches!(name, "html" | "body" | "title") {
        return None;
    }
    let is =
        |attribute_name, value: &str| attribute(attributes, attribute_name).is_some_and(|found| found.trim() == value);
    let hidden = attribute(attributes, "hidden").is_some()
        || is("aria-hidden", "true")
        || attribute(attributes, "style").is_some_and(|style| {
            let style: String = style.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
            style.contains("display:none") || style.contains("visibility:hidden")
        });
    if hidden {
        return Some("hidden");
    }
    // Marks of footnotes, as in "[3]", are no part of what a sentence says.
    let note = name == "sup" && attribute(attributes, "class").is_some_and(|class| class.contains("reference"));
    if note {
        return Some("reference");
    }
    if is("role", "navigation") {
        return Some("navigation");
    }
    let class = attribute(attributes, "class")?;
    class.split_ascii_whitespace().find_map(|name| WIKI_FURNITURE.iter().find(|known| **known == name)).copied()
}

#[derive(Default)]
struct Renderer {
    page: PageText,
    /// The block that is being filled.
    line: String,
    /// Put before the next line: "# ", "- ".
    prefix: String,
    /// Inside `pre`.
    preformatted: usize,
    /// Inside `title`.
    in_title: bool,
    heading: Option<usize>,
    superscript: Option<String>,
    tables: Vec<Table>,
}

#[derive(Default)]
struct Table {
    cells: Vec<Cell>,
    in_cell: bool,
    rows: usize,
    /// It arranges the page; its cells are read as blocks.
    layout: bool,
    /// Cells of rows above that reach into the next row, by column.
    carried: Vec<Option<(Cell, u32)>>,
}

#[derive(Clone)]
struct Cell {
    text: String,
    header: bool,
    columns: u32,
    rows: u32,
}

/// Columns and rows that one cell may fill; more is a mistake.
const MOST_SPANNED: u32 = 64;

/// Bytes of a cell's text that are read again in the further columns and rows that it fills.
const LONGEST_REPEATED: usize = 200;

impl Cell {
    fn new(header: bool, attributes: &str) -> Self {
        let span = |name| {
            let value = attribute(attributes, name).and_then(|value| value.trim().parse::<u32>().ok());
            value.unwrap_or(1).clamp(1, MOST_SPANNED)
        };
        let (columns, rows) = if attributes.contains("span") || attributes.contains("SPAN") {
            (span("colspan"), span("rowspan"))
        } else {
            (1, 1)
        };
        Self { text: String::new(), header, columns, rows }
    }

    /// What is read of it in a further column or row.
    fn again(&self) -> Self {
        let text = if self.text.len() <= LONGEST_REPEATED { self.text.clone() } else { String::new() };
        Self { text, ..self.clone() }
    }
}

impl Table {
    /// The row's cells with those that fill several columns or reach in from above, each where it is seen.
    fn spread(&mut self, cells: Vec<Cell>) -> Vec<Cell> {
        let spanned = cells.iter().any(|cell| cell.columns > 1 || cell.rows > 1);
        if !spanned && self.carried.is_empty() {
            return cells;
        }
        let mut carried = std::mem::take(&mut self.carried).into_iter();
        let mut next: Vec<Option<(Cell, u32)>> = Vec::new();
        let mut row: Vec<Cell> = Vec::with_capacity(cells.len());
        let reach_in =
            |above: Option<(Cell, u32)>, row: &mut Vec<Cell>, next: &mut Vec<Option<(Cell, u32)>>| match above {
                Some((cell, left)) => {
                    row.push(cell.clone());
                    next.push((left > 1).then(|| (cell, left - 1)));
                    true
                }
                None => false,
            };
        for cell in cells {
            for above in carried.by_ref() {
                if !reach_in(above, &mut row, &mut next) {
                    break;
                }
            }
            for column in 0..cell.columns {
                if column > 0 {
                    carried.next();
                }
                next.push((cell.rows > 1).then(|| (cell.again(), cell.rows - 1)));
                row.push(if column == 0 { cell.clone() } else { cell.again() });
            }
        }
        for above in carried {
            if !reach_in(above, &mut row, &mut next) {
                next.push(None);
            }
        }
        while next.pop_if(|cell| cell.is_none()).is_some() {}
        self.carried = next;
        row
    }
}

impl Renderer {
    fn text(&mut self, text: &str, raw: bool) {
        let text = if raw { Cow::Borrowed(text) } else { htmlize::unescape(text) };
        if self.in_title {
            self.page.title.get_or_insert_default().push_str(&text);
            return;
        }
        if let Some(superscript) = &mut self.superscript {
            superscript.push_str(&text);
            return;
        }
        self.append(&text);
    }

    fn after_skipped(&mut self, name: &str) {
        match name {
            "sup" => {}
            name if BLOCKS.contains(&name) || matches!(name, "nav" | "footer") => self.separate(),
            _ => self.append(" "),
        }
    }

    /// Puts raised text that was being collected on the line.
    fn lower(&mut self) {
        if let Some(text) = self.superscript.take() {
            let raised = raised(&text);
            self.append(&raised);
        }
    }

    fn append(&mut self, text: &str) {
        let preformatted = self.preformatted > 0;
        for character in text.chars() {
            match character {
                // Soft hyphens and zero-width spaces only matter to a browser.
                '\u{ad}' | '\u{200b}' | '\u{feff}' => {}
                '\r' => {}
                '\n' if preformatted => self.break_line(),
                character if character.is_whitespace() => {
                    if preformatted || !(self.line.is_empty() || self.line.ends_with(' ')) {
                        self.line.push(' ');
                    }
                }
                character => self.line.push(character),
            }
        }
    }

    fn start(&mut self, name: &str, attributes: &str) {
        match name {
            "title" => self.in_title = self.page.title.is_none(),
            "br" => self.break_line(),
            "pre" => {
                self.separate();
                self.preformatted += 1;
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.separate();
                let level = usize::from(name.as_bytes()[1] - b'0');
                self.heading = Some(level);
                self.prefix = format!("{} ", "#".repeat(level));
            }
            "li" => {
                self.break_line();
                self.prefix = "- ".to_owned();
            }
            "table" => self.start_table(),
            "tr" | "thead" | "tbody" | "tfoot" => self.end_row(),
            "td" | "th" => self.start_cell(name == "th", attributes),
            "sup" => {
                self.lower();
                self.superscript = Some(String::new());
            }
            "link" if is_canonical(attributes) => self.own_address(attribute(attributes, "href")),
            "meta" if attribute(attributes, "property").is_some_and(|property| property == "og:url") => {
                self.own_address(attribute(attributes, "content"));
            }
            name if BLOCKS.contains(&name) => self.separate(),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "title" => self.in_title = false,
            "pre" => {
                self.separate();
                self.preformatted = self.preformatted.saturating_sub(1);
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.separate(),
            "li" => self.break_line(),
            "td" | "th" => self.end_cell(),
            "tr" => self.end_row(),
            "table" => self.end_table(),
            "sup" => self.lower(),
            name if BLOCKS.contains(&name) => self.separate(),
            _ => {}
        }
    }

    fn own_address(&mut self, address: Option<Cow<'_, str>>) {
        if let Some(address) = address
            && (address.starts_with("https://") || address.starts_with("http://"))
        {
            self.page.url.get_or_insert_with(|| address.trim().to_owned());
        }
    }

    /// Whether text goes into a cell now.
    fn in_cell(&self) -> bool {
        self.tables.last().is_some_and(|table| table.in_cell && !table.layout)
    }

    /// Ends the line, if anything is on it.
    fn break_line(&mut self) {
        self.lower();
        if self.in_cell() {
            // Cells stay on one line.
            if !self.line.is_empty() && !self.line.ends_with(' ') {
                self.line.push(' ');
            }
            return;
        }
        let line = self.line.trim_end();
        if line.trim().is_empty() {
            self.line.clear();
            return;
        }
        if let Some(level) = self.heading.take()
            && self.page.first_heading.is_none()
            && level <= 2
        {
            self.page.first_heading = Some(line.trim().to_owned());
        }
        self.page.text.push_str(&self.prefix);
        self.page.text.push_str(line);
        self.page.text.push('\n');
        self.prefix.clear();
        self.line.clear();
    }

    /// Ends the line and leaves an empty one.
    fn separate(&mut self) {
        self.break_line();
        if !self.in_cell() && !self.page.text.is_empty() && !self.page.text.ends_with("\n\n") && self.prefix.is_empty()
        {
            self.page.text.push('\n');
        }
    }

    fn start_table(&mut self) {
        if let Some(outer) = self.tables.last_mut()
            && !outer.layout
        {
            outer.layout = true;
            let cells = std::mem::take(&mut outer.cells);
            let line = std::mem::take(&mut self.line);
            for text in cells.into_iter().map(|cell| cell.text).chain([line]) {
                self.line = text;
                self.separate();
            }
        }
        self.separate();
        self.tables.push(Table::default());
    }

    fn start_cell(&mut self, header: bool, attributes: &str) {
        self.end_cell();
        let layout = self.tables.last().is_none_or(|table| table.layout);
        if layout {
            self.separate();
            return;
        }
        // Text between cells is read before their row.
        self.break_line();
        if let Some(table) = self.tables.last_mut() {
            table.in_cell = true;
            table.cells.push(Cell::new(header, attributes));
        }
    }

    fn end_cell(&mut self) {
        self.lower();
        match self.tables.last_mut() {
            Some(table) if table.in_cell && !table.layout => {
                table.in_cell = false;
                let text = std::mem::take(&mut self.line);
                if let Some(cell) = table.cells.last_mut() {
                    text.trim().clone_into(&mut cell.text);
                }
            }
            Some(table) if !table.layout => self.break_line(),
            _ => self.separate(),
        }
    }

    fn end_row(&mut self) {
        self.end_cell();
        let Some(table) = self.tables.last_mut() else { return };
        let cells = std::mem::take(&mut table.cells);
        if cells.iter().all(|cell| cell.text.is_empty()) {
            return;
        }
        // A cell alone in its row is a title or a note, however many columns it fills.
        let alone = cells.len() == 1 && table.carried.is_empty() && cells[0].rows == 1;
        let cells = if alone { cells } else { table.spread(cells) };
        table.rows += 1;
        let first = table.rows == 1;
        self.prefix.clear();
        let columns = cells.len();
        let filled = cells.iter().filter(|cell| !cell.text.is_empty()).count();
        let all_headers = cells.iter().all(|cell| cell.header);
        let longest = cells.iter().map(|cell| cell.text.len()).max().unwrap_or(0);
        if columns == 1 || longest > 1000 {
            for cell in cells {
                self.line = cell.text;
                self.separate();
            }
            return;
        }
        self.page.rows += 1;
        if columns == 2 && cells[0].header && !cells[1].header && filled == 2 {
            // "Population: 12,000", as in an information box.
            self.line = format!("{}: {}", cells[0].text.trim_end_matches(':'), cells[1].text);
            self.break_line();
            return;
        }
        for cell in &cells {
            self.line.push_str("| ");
            self.line.push_str(&cell.text.replace('|', "\\|"));
            self.line.push(' ');
        }
        self.line.push('|');
        self.break_line();
        if first && all_headers {
            self.line = format!("|{}", "---|".repeat(columns));
            self.break_line();
        }
    }

    fn end_table(&mut self) {
        self.end_row();
        self.tables.pop();
        self.separate();
    }

    fn finish(mut self) -> PageText {
        while !self.tables.is_empty() {
            self.end_table();
        }
        self.break_line();
        let end = self.page.text.trim_end().len();
        self.page.text.truncate(end);
        let tidy = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.page.title = self.page.title.map(tidy).filter(|title| !title.is_empty());
        self.page
    }
}

fn is_canonical(attributes: &str) -> bool {
    attribute(attributes, "rel")
        .is_some_and(|rel| rel.split_ascii_whitespace().any(|part| part.eq_ignore_ascii_case("canonical")))
}

/// "km" and a raised 2 read "km²", 10 and a raised 6 "10⁶"; anything else stays as it is.
fn raised(text: &str) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let convert = |character: char| match character {
        '-' | '−' => Some('⁻'),
        _ => character.to_digit(10).and_then(|digit| DIGITS.get(digit as usize).copied()),
    };
    let short = text.trim().chars().count() <= 3;
    text.trim().chars().map(convert).collect::<Option<String>>().filter(|_| short).unwrap_or_else(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn blocks_headings_lists_and_entities_read_as_markdown_lines() {
        let html = "<html><head><title>Arden &amp; Sons\n| Site</title><link rel='canonical' href='https://example.org/arden'></head>\
                    <body><nav><a>Home</a></nav><h1>Arden</h1><p>R&amp;D spend was &euro;5&nbsp;million.<br>Area: 5 km<sup>2</sup>\
                    <sup class='reference'>[3]</sup>.</p><ul><li>One<li>Two</ul><footer>Imprint</footer></body></html>";
        let page = page_text(html);
        assert_eq!(page.text, "# Arden\n\nR&D spend was €5 million.\nArea: 5 km².\n\n- One\n- Two");
        assert_eq!(page.title.as_deref(), Some("Arden & Sons | Site"));
        assert_eq!(page.first_heading.as_deref(), Some("Arden"));
        assert_eq!(page.url.as_deref(), Some("https://example.org/arden"));
    }

    #[test]
    fn table_rows_keep_their_cells_together_on_one_line() {
        let html = "<p>Before</p><table><tr><th>City</th><th>Pop</th></tr><tr><td>Arden</td><td>12,000</td></tr>\
                    <tr><td>Brill<td><p>9,500</p></table>After";
        let page = page_text(html);
        assert_eq!(page.text, "Before\n\n| City | Pop |\n|---|---|\n| Arden | 12,000 |\n| Brill | 9,500 |\n\nAfter");
        assert_eq!(page.rows, 3);
    }

    #[test]
    fn an_information_box_reads_as_labels_and_values() {
        let html = "<table><tr><th>Population</th><td>12,000</td></tr><tr><th>Mayor:</th><td>Ida Roe</td></tr></table>";
        assert_eq!(page_text(html).text, "Population: 12,000\nMayor: Ida Roe");
    }

    #[test]
    fn a_table_that_arranges_the_page_is_read_as_blocks() {
        let html = "<table><tr><td>Left side</td><td><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>";
        assert_eq!(page_text(html).text, "Left side\n\n| a | b |");
    }

    #[test]
    fn hidden_parts_are_left_out_and_unclosed_ones_are_not() {
        assert_eq!(page_text("<p>a</p><div hidden>b<div>c</div></div><p style='display: none'>d</p>e").text, "a\n\ne");
        assert_eq!(page_text("<p>a</p><nav>b<p>c").text, "a\n\nb\n\nc");
        assert_eq!(page_text("<p>a</p><div hidden>b<p>c").text, "a\n\nb\n\nc");
    }

    #[test]
    fn preformatted_text_keeps_its_lines() {
        assert_eq!(page_text("<pre>a\n  b</pre>").text, "a\n  b");
    }

    #[test]
    fn a_hundred_thousand_nested_elements_take_linear_time_and_no_stack() {
        for tag in ["<div>", "<table><tr><td>", "<nav>", "<ul><li>", "<b hidden>"] {
            let html = format!("{}x", tag.repeat(100_000));
            let started = std::time::Instant::now();
            assert!(page_text(&html).text.ends_with('x'), "{tag}");
            assert!(started.elapsed().as_secs() < 10, "{tag}");
        }
    }

    proptest! {
        #[test]
        fn every_visible_word_of_random_markup_is_kept(
            html in "(<(p|div|table|tr|td|th|li|ul|h2|pre|b|sup|br)>|</(p|div|table|tr|td|th|li|ul|h2|pre|b|sup)>|word |7|&amp;){0,60}"
        ) {
            let page = page_text(&html);
            prop_assert_eq!(page.text.matches("word").count(), html.matches("word").count());
            prop_assert_eq!(page.text.matches('&').count(), html.matches("&amp;").count());
        }
    }
}
