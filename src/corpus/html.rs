//! HTML pages: main text where a page has one, all its text where it does not.
//!
//! The main text is what `dom_smoothie` (a port of Mozilla's Readability) finds. It is taken when it holds at least half of
//! the page's visible text and all its table rows; else something that matters may have been cut away, and evidence
//! that is not read cannot be found.

use std::panic::{AssertUnwindSafe, catch_unwind};

use encoding_rs::Encoding;

use super::html_text::{PageText, page_text};
use super::html_tokens::{Token, Tokens, attribute};

/// Pages above this size are read whole.
const LARGEST_PARSED: usize = 4 << 20;

/// Pages nested deeper than this are read whole.
const DEEPEST_PARSED: usize = 256;

/// Pages of more elements than this are read whole: the search takes more than linear time in some.
const MOST_ELEMENTS: usize = 40_000;

/// A page as read.
pub(super) struct Page {
    pub(super) title: Option<String>,
    /// Markdown.
    pub(super) text: String,
    pub(super) url: Option<String>,
    /// Whether the page was too large or too deep to look for its main text.
    pub(super) main_text_not_sought: bool,
}

/// Reads a page.
pub(super) fn read_page(html: &str) -> Page {
    let whole = page_text(html);
    let sought = html.len() <= LARGEST_PARSED && is_searchable(html);
    let main = if sought { main_text(html) } else { None };
    let PageText { title, first_heading, url, .. } = whole;
    let (found_title, text) = match main {
        Some((title, main)) if letters(&main.text) * 2 >= letters(&whole.text) && main.rows >= whole.rows => {
            (title, main.text)
        }
        Some((title, _)) => (title, whole.text),
        None => (None, whole.text),
    };
    Page { title: found_title.or(title).or(first_heading), text, url, main_text_not_sought: !sought }
}

/// The text that a reader of `html` sees, as Markdown lines: all of it, for callers that know where the main text is.
///
/// ```
/// use evidex::corpus::html_text;
/// let text = html_text("<h2>Size</h2><table><tr><th>Length</th><td>340 m</td></tr></table><p>It is <b>long</b>.</p>");
/// assert_eq!(text, "## Size\n\nLength: 340 m\n\nIt is long.");
/// ```
pub fn html_text(html: &str) -> String {
    page_text(html).text
}

/// The encoding that a page declares in its first bytes.
pub(super) fn declared_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
    for token in Tokens::new(&start) {
        let Token::Start { name, attributes } = token else { continue };
        if name != "meta" {
            continue;
        }
        let label = attribute(attributes, "charset").map(std::borrow::Cow::into_owned).or_else(|| {
            let content = attribute(attributes, "content")?.to_ascii_lowercase();
            let label = content.split_once("charset=")?.1;
            Some(label.split([';', ' ']).next().unwrap_or("").trim_matches(['"', '\'']).to_owned())
        });
        if let Some(encoding) = label.and_then(|label| Encoding::for_label(label.as_bytes())) {
            return Some(encoding);
        }
    }
    None
}

fn main_text(html: &str) -> Option<(Option<String>, PageText)> {
    // A fault in a parser of foreign pages must not end an indexing run.
    let article = catch_unwind(AssertUnwindSafe(|| {
        let mut reader = dom_smoothie::Readability::new(html, None, None).ok()?;
        reader.parse().ok()
    }));
    let article = article.ok()??;
    let title = Some(article.title.trim().to_owned()).filter(|title| !title.is_empty());
    Some((title, page_text(&article.content)))
}

fn letters(text: &str) -> usize {
    text.chars().filter(|character| character.is_alphanumeric()).count()
}

/// Whether a page has a sane number of elements and depth (taken rather too high than too low).
fn is_searchable(html: &str) -> bool {
    const CLOSED_BY_THEMSELVES: &[&str] = &[
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
        "p", "li", "td", "th", "tr", "tbody", "thead", "tfoot", "dt", "dd", "option", "optgroup", "colgroup", "body",
        "html", "head",
    ];
    let (mut depth, mut elements) = (0usize, 0usize);
    for token in Tokens::new(html) {
        match token {
            Token::Start { name, attributes } => {
                elements += 1;
                if !CLOSED_BY_THEMSELVES.contains(&name.as_ref()) && !attributes.ends_with('/') {
                    depth += 1;
                }
            }
            Token::End { name } => {
                if !CLOSED_BY_THEMSELVES.contains(&name.as_ref()) {
                    depth = depth.saturating_sub(1);
                }
            }
            Token::Text { .. } => {}
        }
        if depth > DEEPEST_PARSED || elements > MOST_ELEMENTS {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_article_is_read_without_the_links_around_it() {
        let paragraph = "The lighthouse on the northern cape was built between 1881 and 1884, after three ships had been lost there. ";
        let html = format!(
            "<html><head><title>Cape light | Coast Guide</title></head><body><div class='sidebar'><a href='/x'>Buy tickets</a> \
             <a href='/y'>Newsletter</a></div><article><h1>Cape light</h1>{}</article></body></html>",
            format!("<p>{}</p>", paragraph.repeat(4)).repeat(5)
        );
        let page = read_page(&html);
        assert!(page.text.contains("built between 1881 and 1884"));
        assert!(!page.text.contains("Newsletter"), "{}", page.text);
        assert!(page.title.unwrap().starts_with("Cape light"));
    }

    #[test]
    fn a_page_of_tables_keeps_every_row() {
        let rows: String = (0..40).map(|n| format!("<tr><td>Town {n}</td><td>{},000</td></tr>", n + 1)).collect();
        let html = format!(
            "<body><p>Towns and their people.</p><table><tr><th>Town</th><th>People</th></tr>{rows}</table></body>"
        );
        let page = read_page(&html);
        assert!((0..40).all(|n| page.text.contains(&format!("| Town {n} | {},000 |", n + 1))), "{}", page.text);
    }

    #[test]
    fn a_page_without_an_article_is_read_whole() {
        let page = read_page("<title>Note</title><body>The fee is 5.</body>");
        assert_eq!((page.title.as_deref(), page.text.as_str()), (Some("Note"), "The fee is 5."));
    }

    #[test]
    fn a_page_of_absurd_depth_is_read_whole_and_said_so() {
        let page = read_page(&format!("{}deep{}", "<div>".repeat(50_000), "</div>".repeat(50_000)));
        assert_eq!(page.text, "deep");
        assert!(page.main_text_not_sought);
    }

    #[test]
    fn the_declared_encoding_is_found() {
        let name = |html: &[u8]| declared_encoding(html).map(Encoding::name);
        assert_eq!(name(b"<meta charset=\"iso-8859-1\">"), Some("windows-1252"));
        let old = b"<META http-equiv=Content-Type content='text/html; charset=shift_jis'>";
        assert_eq!(name(old), Some("Shift_JIS"));
        assert_eq!(name(b"<p>none"), None);
    }
}
