//! The first pass over wikitext: comments, extension tags, templates and links become text and plain markup.
//!
//! Braces and brackets are paired as MediaWiki's preprocessor pairs them, with a stack of its own that is no deeper than
//! [`DEEPEST`]; what is inside is rendered before what is around it, each part once, so that the work is linear.
//! What never closes is text.

use super::links::link;
use super::markup::escaped;
use super::site::Site;
use super::templates::{Call, Part, template};

/// Templates and links nested deeper than this stay as they are written.
const DEEPEST: usize = 40;

/// Extension tags whose content is not the page's text.
const DROPPED: &[&str] = &[
    "ref",
    "references",
    "gallery",
    "timeline",
    "score",
    "graph",
    "mapframe",
    "maplink",
    "templatestyles",
    "imagemap",
    "categorytree",
    "inputbox",
    "indicator",
    "includeonly",
    "section",
    "hiero",
    "templatedata",
    "rss",
    "languages",
];

/// Extension tags whose content is shown as it stands.
const VERBATIM: &[&str] = &["nowiki", "math", "chem", "ce", "pre", "source", "syntaxhighlight"];

/// Tags that stand around text and mean nothing for it.
const TRANSPARENT: &[&str] = &["noinclude", "onlyinclude", "translate", "poem", "tvar"];

/// Renders templates and links of a page's wikitext; the result is wikitext without them.
pub(super) fn preprocess(text: &str, title: &str, site: &Site) -> String {
    let mut pass = Pass {
        text,
        title,
        site,
        at: 0,
        frames: Vec::new(),
        page: String::with_capacity(text.len()),
        too_deep: 0,
        no_comment_end: false,
        no_end: Vec::new(),
    };
    pass.run();
    pass.page
}

/// What was opened and not yet closed.
struct Frame {
    kind: Kind,
    parts: Vec<Part>,
    /// Whether nothing but white space stands before it on its line.
    starts_line: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// So many `{`, two at least.
    Braces(usize),
    Link,
}

struct Pass<'a> {
    text: &'a str,
    title: &'a str,
    site: &'a Site,
    at: usize,
    frames: Vec<Frame>,
    page: String,
    /// Braces and brackets that were opened too deep.
    too_deep: usize,
    no_comment_end: bool,
    /// Tags whose end was looked for and is not there.
    no_end: Vec<&'static str>,
}

impl Pass<'_> {
    fn run(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(rest) = self.text.get(self.at..) {
            let special = rest.bytes().position(|byte| matches!(byte, b'<' | b'{' | b'}' | b'[' | b']' | b'|' | b'='));
            let Some(plain) = special else {
                self.push(rest);
                break;
            };
            self.push(&rest[..plain]);
            self.at += plain;
            let byte = bytes[self.at];
            let run = bytes[self.at..].iter().take_while(|other| **other == byte).count();
            match byte {
                b'<' => self.tag(),
                b'{' if run >= 2 => self.open(Kind::Braces(run), run),
                b'[' if run >= 2 => {
                    // Of "[[[" the first is text, as in "[[[a]]]".
                    self.push(&self.text[self.at..self.at + run - 2]);
                    self.at += run - 2;
                    self.open(Kind::Link, 2);
                }
                b'}' if run >= 2 => self.close_braces(run),
                b']' if run >= 2 => self.close_links(run),
                b'|' if !self.frames.is_empty() => {
                    self.part();
                    self.at += 1;
                }
                b'=' if run == 1 => {
                    if !self.name() {
                        self.push("=");
                    }
                    self.at += 1;
                }
                _ => {
                    self.push(&self.text[self.at..self.at + run]);
                    self.at += run;
                }
            }
        }
        while let Some(frame) = self.frames.pop() {
            self.push_written(frame);
        }
    }

    /// Where text goes now.
    fn target(&mut self) -> &mut String {
        match self.frames.last_mut().and_then(|frame| frame.parts.last_mut()) {
            Some(part) => &mut part.value,
            None => &mut self.page,
        }
    }

    fn push(&mut self, text: &str) {
        self.target().push_str(text);
    }

    fn starts_line(&mut self) -> bool {
        let before = self.target();
        before.is_empty() || before.trim_end_matches([' ', '\t']).ends_with('\n')
    }

    fn open(&mut self, kind: Kind, run: usize) {
        if self.frames.len() >= DEEPEST {
            self.too_deep += run / 2;
            self.push(&self.text[self.at..self.at + run]);
        } else {
            let starts_line = self.starts_line();
            self.frames.push(Frame { kind, parts: vec![Part::default()], starts_line });
        }
        self.at += run;
    }

    /// Begins the next part of what is open.
    fn part(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.parts.push(Part::default());
        }
    }

    /// Takes what was read of a template's part as its name; gives whether it was one.
    fn name(&mut self) -> bool {
        let Some(frame) = self.frames.last_mut() else { return false };
        let named = matches!(frame.kind, Kind::Braces(_)) && frame.parts.len() > 1;
        match frame.parts.last_mut() {
            Some(part) if named && part.name.is_none() => {
                part.name = Some(std::mem::take(&mut part.value).trim().to_owned());
                true
            }
            _ => false,
        }
    }

    /// Puts a frame that does not close back as it was written.
    fn push_written(&mut self, frame: Frame) {
        let opening = match frame.kind {
            Kind::Braces(count) => "{".repeat(count),
            Kind::Link => "[[".to_owned(),
        };
        let into = self.target();
        into.push_str(&opening);
        for (index, part) in frame.parts.iter().enumerate() {
            if index > 0 {
                into.push('|');
            }
            if let Some(name) = &part.name {
                into.push_str(name);
                into.push('=');
            }
            into.push_str(&part.value);
        }
    }

    fn close_braces(&mut self, run: usize) {
        self.at += run;
        let mut left = run;
        while left >= 2 {
            if self.too_deep > 0 {
                self.too_deep -= 1;
                self.push("}}");
                left -= 2;
                continue;
            }
            // A link that is not closed inside a template does not keep the template open.
            if self.frames.iter().any(|frame| matches!(frame.kind, Kind::Braces(_))) {
                while let Some(frame) = self.frames.pop_if(|frame| frame.kind == Kind::Link) {
                    self.push_written(frame);
                }
            }
            let Some(frame) = self.frames.pop_if(|frame| matches!(frame.kind, Kind::Braces(_))) else { break };
            let Kind::Braces(count) = frame.kind else { break };
            let closed = left.min(count).min(3);
            left -= closed;
            let starts_line = frame.starts_line && count == closed;
            let rendered = if closed == 3 {
                // A parameter of a page that is no template: its default.
                frame.parts.into_iter().nth(1).map(Part::written).unwrap_or_default()
            } else {
                template(&Call::new(frame.parts, starts_line, self.title))
            };
            match count - closed {
                0 => self.push(&rendered),
                1 => {
                    self.push("{");
                    self.push(&rendered);
                }
                rest => {
                    let part = Part { name: None, value: rendered };
                    self.frames.push(Frame {
                        kind: Kind::Braces(rest),
                        parts: vec![part],
                        starts_line: frame.starts_line,
                    });
                }
            }
        }
        for _ in 0..left {
            self.push("}");
        }
    }

    fn close_links(&mut self, run: usize) {
        self.at += run;
        let mut left = run;
        while left >= 2 {
            if self.too_deep > 0 {
                self.too_deep -= 1;
                self.push("]]");
                left -= 2;
                continue;
            }
            let Some(frame) = self.frames.pop_if(|frame| frame.kind == Kind::Link) else { break };
            left -= 2;
            let parts: Vec<String> = frame.parts.into_iter().map(Part::written).collect();
            let rendered = link(&parts, frame.starts_line, self.site);
            self.push(&rendered);
        }
        for _ in 0..left {
            self.push("]");
        }
    }

    /// What starts with `<`.
    fn tag(&mut self) {
        let rest = &self.text[self.at..];
        if rest.starts_with("<!--") && !self.no_comment_end {
            match rest[4..].find("-->") {
                Some(end) => {
                    self.comment(end + 7);
                    return;
                }
                None => self.no_comment_end = true,
            }
        }
        let closing = rest.as_bytes().get(1) == Some(&b'/');
        let name_start = 1 + usize::from(closing);
        let length = rest[name_start..].bytes().take_while(u8::is_ascii_alphanumeric).count();
        let name = &rest[name_start..name_start + length];
        let known = |list: &'static [&'static str]| list.iter().copied().find(|known| known.eq_ignore_ascii_case(name));
        let after = rest[name_start + length..].bytes().next();
        let is_tag = matches!(after, Some(b'>' | b'/' | b' ' | b'\n' | b'\t' | b'\r'));
        if is_tag && let Some(name) = known(DROPPED).or_else(|| known(VERBATIM)) {
            self.extension(name, closing);
        } else if is_tag && known(TRANSPARENT).is_some() {
            // The tag goes, its content stays.
            let end = rest.bytes().take(200).position(|byte| byte == b'>');
            self.at += end.map_or(1, |end| end + 1);
        } else {
            self.push("<");
            self.at += 1;
        }
    }

    /// Passes over a comment, and over its line where nothing else is on it.
    fn comment(&mut self, length: usize) {
        let alone = self.starts_line();
        self.at += length;
        let rest = &self.text[self.at..];
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if alone && rest[blank..].starts_with('\n') {
            self.at += blank + 1;
        }
    }

    fn extension(&mut self, name: &'static str, closing: bool) {
        let rest = &self.text[self.at..];
        // Attributes are short; a tag that is not ended by then is text.
        let Some(end) = rest.bytes().take(4096).position(|byte| byte == b'>') else {
            self.push("<");
            self.at += 1;
            return;
        };
        if closing || rest[..end].ends_with('/') {
            self.at += end + 1;
            return;
        }
        let content = &rest[end + 1..];
        let close = if self.no_end.contains(&name) { None } else { find_end(content, name) };
        let Some((length, skipped)) = close else {
            // Without its end, the tag alone goes.
            if !self.no_end.contains(&name) {
                self.no_end.push(name);
            }
            self.at += end + 1;
            return;
        };
        let inside = &content[..length];
        self.at += end + 1 + length + skipped;
        if VERBATIM.contains(&name) {
            let shown = escaped(inside);
            let shown = match name {
                "pre" | "source" | "syntaxhighlight" => format!("\n<pre>{}</pre>\n", shown.replace('\n', "<br>")),
                "nowiki" => shown,
                _ => shown.trim().replace('\n', " "),
            };
            self.push(&shown);
        }
    }
}

/// Where the end tag of `name` starts in `content`, and how long it is.
fn find_end(content: &str, name: &str) -> Option<(usize, usize)> {
    let mut from = 0;
    while let Some(found) = content[from..].find("</") {
        let at = from + found;
        let after = &content.as_bytes()[at + 2..];
        if after.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes())) {
            let blank = after[name.len()..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            if after.get(name.len() + blank) == Some(&b'>') {
                return Some((at, 2 + name.len() + blank + 1));
            }
        }
        from = at + 2;
    }
    None
}
