//! The second pass over wikitext: lines, lists, headings, tables and emphasis become HTML.
//!
//! Templates and links are gone by now (see [`super::preprocess`]). One line at a time, without looking back.

/// The tags that wikitext may hold; `<` before any other word is a character.
const TAGS: &[&str] = &[
    "abbr",
    "b",
    "bdi",
    "bdo",
    "big",
    "blockquote",
    "br",
    "caption",
    "center",
    "cite",
    "code",
    "data",
    "dd",
    "del",
    "dfn",
    "div",
    "dl",
    "dt",
    "em",
    "font",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "ins",
    "kbd",
    "li",
    "mark",
    "ol",
    "p",
    "pre",
    "q",
    "rb",
    "rp",
    "rt",
    "rtc",
    "ruby",
    "s",
    "samp",
    "small",
    "span",
    "strike",
    "strong",
    "sub",
    "sup",
    "table",
    "td",
    "th",
    "time",
    "tr",
    "tt",
    "u",
    "ul",
    "var",
    "wbr",
    "tbody",
    "thead",
    "tfoot",
];

/// `text` such that neither wikitext nor HTML reads markup in it.
pub(super) fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len() + text.len() / 8);
    for character in text.chars() {
        match character {
            '[' | ']' | '{' | '}' | '|' | '\'' | '=' | '*' | '#' | ':' | ';' | '<' | '>' | '_' | '!' => {
                shown.push_str(&format!("&#{};", u32::from(character)));
            }
            '&' => shown.push_str("&amp;"),
            character => shown.push(character),
        }
    }
    shown
}

/// HTML of preprocessed wikitext.
pub(super) fn to_html(text: &str) -> String {
    let mut html = String::with_capacity(text.len() + text.len() / 8);
    let mut tables = 0_usize;
    let mut in_list = false;
    for line in text.lines() {
        let stripped = line.trim_start();
        let table_start = stripped.trim_start_matches(':').trim_start();
        let was_in_list = std::mem::take(&mut in_list);
        if let Some(attributes) = table_start.strip_prefix("{|") {
            tables += 1;
            html.push_str("<table");
            push_attributes(attributes, &mut html);
            html.push('>');
        } else if tables > 0 && stripped.starts_with("|}") {
            tables -= 1;
            html.push_str("</table>");
            inline(&stripped[2..], &mut html);
        } else if tables > 0 && stripped.starts_with("|-") {
            html.push_str("<tr>");
        } else if tables > 0
            && let Some(caption) = stripped.strip_prefix("|+")
        {
            html.push_str("</tr><caption>");
            inline(after_attributes(caption).1, &mut html);
            html.push_str("</caption>");
        } else if tables > 0 && stripped.starts_with(['|', '!']) {
            cells(stripped, &mut html);
        } else if let Some((level, heading)) = heading(line) {
            html.push_str(&format!("<h{level}>"));
            inline(heading, &mut html);
            html.push_str(&format!("</h{level}>"));
        } else if stripped.is_empty() {
            html.push_str(if tables > 0 { "<br>" } else { "<p>" });
        } else if line.starts_with("----") {
            html.push_str("<hr>");
            inline(line.trim_start_matches('-'), &mut html);
        } else if line.starts_with(['*', '#', ':', ';']) {
            in_list = true;
            list_line(line, &mut html);
        } else {
            if was_in_list {
                html.push_str("<p>");
            }
            if line.starts_with(' ') {
                // Set as it stands, line by line.
                html.push_str("<br>");
            }
            inline(line, &mut html);
            html.push('\n');
        }
    }
    html
}

/// "== Title ==".
fn heading(line: &str) -> Option<(usize, &str)> {
    let line = line.trim_end();
    let left = line.bytes().take_while(|byte| *byte == b'=').count();
    let right = line.bytes().rev().take_while(|byte| *byte == b'=').count();
    let level = left.min(right).min(6);
    if level == 0 || left == line.len() {
        return None;
    }
    Some((level, line[level..line.len() - level].trim()))
}

fn list_line(line: &str, html: &mut String) {
    let marks = line.bytes().take_while(|byte| matches!(byte, b'*' | b'#' | b':' | b';')).count();
    let text = &line[marks..];
    match line.as_bytes()[marks - 1] {
        b'*' | b'#' => {
            html.push_str("<li>");
            inline(text, html);
            html.push_str("</li>");
        }
        b';' => {
            // "; term : what it is".
            let (term, rest) = text.split_once(" : ").unwrap_or((text, ""));
            html.push_str("<dt>");
            inline(term, html);
            if !rest.is_empty() {
                html.push_str(": ");
                inline(rest, html);
            }
            html.push_str("</dt>");
        }
        _ => {
            html.push_str("<dd>");
            inline(text, html);
            html.push_str("</dd>");
        }
    }
}

/// A line of cells: "| a || b", "! a !! b".
fn cells(line: &str, html: &mut String) {
    let header = line.starts_with('!');
    let mut rest = &line[1..];
    loop {
        let end = cell_end(rest, header);
        let cell = &rest[..end.map_or(rest.len(), |(at, _)| at)];
        let (attributes, content) = after_attributes(cell);
        let tag = if header { "th" } else { "td" };
        html.push('<');
        html.push_str(tag);
        push_attributes(attributes, html);
        html.push('>');
        inline(content.trim(), html);
        html.push('\n');
        match end {
            Some((at, length)) => rest = &rest[at + length..],
            None => break,
        }
    }
}

fn cell_end(text: &str, header: bool) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let at = bytes.windows(2).position(|pair| pair == b"||" || (header && pair == b"!!"))?;
    Some((at, 2))
}

/// A cell's attributes and its content: `style="…" | text`.
fn after_attributes(cell: &str) -> (&str, &str) {
    match cell.split_once('|') {
        Some((attributes, content)) if !attributes.contains(['[', '{', '<']) => (attributes, content),
        _ => ("", cell),
    }
}

/// Attributes, where that is what they look like.
fn push_attributes(attributes: &str, html: &mut String) {
    let attributes = attributes.trim();
    if attributes.contains('=') && !attributes.contains(['<', '>']) {
        html.push(' ');
        html.push_str(attributes);
    }
}

/// Emphasis, addresses, tags and switches within a line.
fn inline(line: &str, html: &mut String) {
    let mut rest = line;
    let mut no_link_end = false;
    while let Some(at) = rest.bytes().position(|byte| matches!(byte, b'\'' | b'[' | b'<' | b'_')) {
        html.push_str(&rest[..at]);
        rest = &rest[at..];
        let byte = rest.as_bytes()[0];
        // Looked at only where all of it is used, so that no character is looked at twice.
        let run = || rest.bytes().take_while(|other| *other == byte).count();
        let used = match byte {
            b'\'' => {
                let run = run();
                let shown = match run {
                    2 | 3 | 5 => 0,
                    1 | 4 => 1,
                    more => more - 5,
                };
                html.extend(std::iter::repeat_n('\'', shown));
                run
            }
            b'[' if !no_link_end => match external_link(rest) {
                ExternalLink::Text(text, used) => {
                    // Its text has no links, but may have emphasis and tags.
                    html.push_str(&plain_emphasis(text));
                    used
                }
                ExternalLink::None => {
                    html.push('[');
                    1
                }
                ExternalLink::NoEnd => {
                    no_link_end = true;
                    html.push('[');
                    1
                }
            },
            b'<' => {
                html.push_str(if is_tag(rest) { "<" } else { "&lt;" });
                1
            }
            b'_' => match switch(rest) {
                Some(length) => length,
                None => {
                    let run = run();
                    html.extend(std::iter::repeat_n('_', run));
                    run
                }
            },
            _ => {
                html.push(char::from(byte));
                1
            }
        };
        rest = &rest[used..];
    }
    html.push_str(rest);
}

enum ExternalLink<'a> {
    /// The text shown, and the length of all.
    Text(&'a str, usize),
    None,
    /// No `]` comes any more.
    NoEnd,
}

/// "[https://example.org text]".
fn external_link(text: &str) -> ExternalLink<'_> {
    let inside = &text[1..];
    let schemes = ["http://", "https://", "//", "ftp://", "mailto:", "news:", "irc://"];
    if !schemes.iter().any(|scheme| inside.starts_with(scheme)) {
        return ExternalLink::None;
    }
    let Some(end) = inside.find(']') else { return ExternalLink::NoEnd };
    let shown = inside[..end].split_once([' ', '\t']).map_or("", |(_, shown)| shown.trim());
    ExternalLink::Text(shown, end + 2)
}

fn plain_emphasis(text: &str) -> String {
    let mut shown = text.replace("'''", "").replace("''", "");
    if shown.contains('<') {
        let mut html = String::with_capacity(shown.len());
        let mut parts = shown.split('<');
        html.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let tag = format!("<{}", part.get(..part.floor_char_boundary(40)).unwrap_or_default());
            html.push_str(if is_tag(&tag) { "<" } else { "&lt;" });
            html.push_str(part);
        }
        shown = html;
    }
    shown
}

fn is_tag(text: &str) -> bool {
    let rest = text[1..].strip_prefix('/').unwrap_or(&text[1..]);
    let length = rest.bytes().take(12).take_while(u8::is_ascii_alphanumeric).count();
    let ended = matches!(rest.as_bytes().get(length), Some(b'>' | b'/' | b' ' | b'\t'));
    length > 0 && ended && TAGS.iter().any(|tag| tag.eq_ignore_ascii_case(&rest[..length]))
}

/// The length of "__NOTOC__" and the like.
fn switch(text: &str) -> Option<usize> {
    let inside = text.strip_prefix("__")?;
    let length = inside.chars().take(24).take_while(|c| c.is_uppercase()).map(char::len_utf8).sum::<usize>();
    (length >= 3 && inside[length..].starts_with("__")).then_some(length + 4)
}
