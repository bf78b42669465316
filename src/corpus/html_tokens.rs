//! HTML as a stream of tags and texts: linear in its length, without recursion, and forgiving.
//!
//! What has no end (a tag without `>`, a comment without `-->`) is read as text rather than swallowed.

use std::borrow::Cow;

/// A piece of HTML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// Text, its entities not yet decoded; `raw` for elements whose content has no markup.
    Text {
        /// As it stands.
        text: &'a str,
        /// Whether entities mean nothing in it.
        raw: bool,
    },
    /// A start tag.
    Start {
        /// In lower case.
        name: Cow<'a, str>,
        /// All between the name and the end.
        attributes: &'a str,
    },
    /// An end tag.
    End {
        /// In lower case.
        name: Cow<'a, str>,
    },
}

/// The tokens of `html`.
#[derive(Debug, Clone)]
pub(super) struct Tokens<'a> {
    html: &'a str,
    at: usize,
    /// The element whose content is read without markup.
    raw_element: Option<&'static str>,
    gone: Gone,
}

/// What is known not to come any more, so that it is not looked for again.
#[derive(Debug, Clone, Copy, Default)]
struct Gone {
    comment_end: bool,
    tag_end: bool,
    double_quote: bool,
    single_quote: bool,
    raw_ends: u8,
}

/// Elements whose content has no markup.
const RAW_ELEMENTS: [&str; 6] = ["script", "style", "title", "textarea", "xmp", "iframe"];

impl<'a> Tokens<'a> {
    pub(super) fn new(html: &'a str) -> Self {
        Self { html, at: 0, raw_element: None, gone: Gone::default() }
    }

    fn rest(&self) -> &'a str {
        &self.html[self.at..]
    }

    fn take(&mut self, length: usize) -> &'a str {
        let taken = &self.html[self.at..self.at + length];
        self.at += length;
        taken
    }

    /// The text up to the end tag of a raw element, if that end comes.
    fn raw_text(&mut self, element: &'static str) -> Option<Token<'a>> {
        let bit = RAW_ELEMENTS.iter().position(|name| *name == element).map_or(0, |index| 1u8 << index);
        if self.gone.raw_ends & bit != 0 {
            return None;
        }
        let rest = self.rest();
        let mut from = 0;
        while let Some(found) = rest[from..].find("</") {
            let at = from + found;
            let name = rest.as_bytes().get(at + 2..at + 2 + element.len());
            if name.is_some_and(|name| name.eq_ignore_ascii_case(element.as_bytes())) {
                let text = self.take(at);
                return (!text.is_empty())
                    .then_some(Token::Text { text, raw: !matches!(element, "title" | "textarea") });
            }
            from = at + 2;
        }
        self.gone.raw_ends |= bit;
        None
    }

    /// The length of a tag that starts here, its `<` and `>` included.
    fn tag_length(&mut self) -> Option<usize> {
        if self.gone.tag_end {
            return None;
        }
        let bytes = self.rest().as_bytes();
        let mut at = 1;
        let mut after_equals = false;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'>' => return Some(at + 1),
                b'"' | b'\'' if after_equals => {
                    let gone = if *byte == b'"' { &mut self.gone.double_quote } else { &mut self.gone.single_quote };
                    let close = if *gone { None } else { bytes[at + 1..].iter().position(|other| other == byte) };
                    match close {
                        Some(close) => at += close + 1,
                        None => *gone = true,
                    }
                    after_equals = false;
                }
                b'=' => after_equals = true,
                byte if byte.is_ascii_whitespace() => {}
                _ => after_equals = false,
            }
            at += 1;
        }
        self.gone.tag_end = true;
        None
    }

    /// Passes over a comment, a doctype or a processing instruction, if one starts here.
    fn skip_declaration(&mut self) -> bool {
        let rest = self.rest();
        if rest.starts_with("<!--") && !self.gone.comment_end {
            match rest[4..].find("-->") {
                Some(end) => {
                    self.at += end + 7;
                    return true;
                }
                None => self.gone.comment_end = true,
            }
        }
        if (rest.starts_with("<!") || rest.starts_with("<?")) && !self.gone.tag_end {
            match rest.find('>') {
                Some(end) => {
                    self.at += end + 1;
                    return true;
                }
                None => self.gone.tag_end = true,
            }
        }
        false
    }

    fn tag(&mut self) -> Option<Token<'a>> {
        let bytes = self.rest().as_bytes();
        let closing = bytes.get(1) == Some(&b'/');
        let name_start = 1 + usize::from(closing);
        if !bytes.get(name_start).is_some_and(u8::is_ascii_alphabetic) {
            return None;
        }
        let length = self.tag_length()?;
        let tag = self.take(length);
        let name_length =
            tag[name_start..].find(|c: char| c.is_ascii_whitespace() || c == '/' || c == '>').unwrap_or(0);
        let name_end = name_start + name_length;
        let name = &tag[name_start..name_end];
        let name = if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(name.to_ascii_lowercase())
        } else {
            Cow::Borrowed(name)
        };
        if closing {
            return Some(Token::End { name });
        }
        self.raw_element = RAW_ELEMENTS.into_iter().find(|raw| *raw == name);
        Some(Token::Start { name, attributes: &tag[name_end..tag.len() - 1] })
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        if let Some(element) = self.raw_element.take()
            && let Some(text) = self.raw_text(element)
        {
            return Some(text);
        }
        loop {
            let rest = self.rest();
            if rest.is_empty() {
                return None;
            }
            if !rest.starts_with('<') {
                let length = rest.find('<').unwrap_or(rest.len());
                return Some(Token::Text { text: self.take(length), raw: false });
            }
            if self.skip_declaration() {
                continue;
            }
            if let Some(tag) = self.tag() {
                return Some(tag);
            }
            // A lone `<` is text, up to the next one.
            let length = rest[1..].find('<').map_or(rest.len(), |next| next + 1);
            return Some(Token::Text { text: self.take(length), raw: false });
        }
    }
}

/// The value of an attribute in a tag's attributes, decoded; empty for one without value.
pub(super) fn attribute<'a>(attributes: &'a str, wanted: &str) -> Option<Cow<'a, str>> {
    let mut rest = attributes;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        if rest.is_empty() {
            return None;
        }
        let name_end = rest.char_indices().skip(1).find(|(_, c)| c.is_ascii_whitespace() || matches!(c, '=' | '/'));
        let name_end = name_end.map_or(rest.len(), |(at, _)| at);
        let (name, after) = rest.split_at_checked(name_end)?;
        let after = after.trim_ascii_start();
        let value;
        (value, rest) = match after.strip_prefix('=').map(str::trim_ascii_start) {
            None => ("", after),
            Some(after) => match after.chars().next() {
                Some(quote @ ('"' | '\'')) => after[1..].split_once(quote).unwrap_or((&after[1..], "")),
                _ => after.split_at(after.find(|c: char| c.is_ascii_whitespace()).unwrap_or(after.len())),
            },
        };
        if name.eq_ignore_ascii_case(wanted) {
            return Some(htmlize::unescape_attribute(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names(html: &str) -> Vec<String> {
        Tokens::new(html)
            .map(|token| match token {
                Token::Text { text, .. } => text.to_owned(),
                Token::Start { name, .. } => format!("<{name}>"),
                Token::End { name } => format!("</{name}>"),
            })
            .collect()
    }

    #[test]
    fn tags_texts_comments_and_scripts_are_told_apart() {
        let html =
            "<!DOCTYPE html><P class='a>b'>5 < 6<!-- no <b> --> yes</p><script>if (a</b) { \"<p>\" }</SCRIPT>end";
        assert_eq!(
            names(html),
            ["<p>", "5 ", "< 6", " yes", "</p>", "<script>", "if (a</b) { \"<p>\" }", "</script>", "end"]
        );
    }

    #[test]
    fn what_has_no_end_is_read_as_text() {
        assert_eq!(names("a <b c"), ["a ", "<b c"]);
        assert_eq!(names("a <!-- b"), ["a ", "<!-- b"]);
        assert_eq!(names("<p title=\"x>y"), ["<p>", "y"]);
    }

    #[test]
    fn attributes_are_found_in_any_quoting() {
        let attributes = " rel=canonical HREF='https://example.org/?a=1&amp;b=2' hidden";
        assert_eq!(attribute(attributes, "rel").as_deref(), Some("canonical"));
        assert_eq!(attribute(attributes, "href").as_deref(), Some("https://example.org/?a=1&b=2"));
        assert_eq!(attribute(attributes, "hidden").as_deref(), Some(""));
        assert_eq!(attribute(attributes, "id"), None);
    }

    #[test]
    fn a_million_openings_without_end_take_linear_time() {
        for opening in ["<a ", "<!--", "<a b=\"", "<script>", "</", "<a b='>"] {
            let html = opening.repeat(300_000);
            let started = std::time::Instant::now();
            assert!(Tokens::new(&html).count() > 0);
            assert!(started.elapsed().as_secs() < 5, "{opening}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_a_panic(html in "(<|>|/|a|b|=|\"|'| |-|!|é|script|</script>|<!--|-->){0,60}") {
            for token in Tokens::new(&html) {
                if let Token::Start { attributes, .. } = token {
                    attribute(attributes, "b");
                }
            }
        }
    }
}
