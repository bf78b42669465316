//! What the page must never do, and what it must show.

use std::sync::Arc;

use super::to_html;
use crate::corpus::Document;
use crate::evidence::InlineContext;
use crate::report::Report;
use crate::verify::Verifier;

fn page(context: Vec<Document>, answer: &str) -> String {
    let source = InlineContext::new(context).unwrap();
    let verification = Verifier::builder().source(Arc::new(source)).build().unwrap().verify(answer).unwrap();
    to_html(&Report::new(&verification, Some("<answer>.txt"), true), answer)
}

/// The text of the page's body without its tags, entities resolved.
fn text_of(html: &str) -> String {
    let mut text = String::new();
    let mut inside = false;
    for c in html.chars() {
        match c {
            '<' => inside = true,
            '>' => inside = false,
            c if !inside => text.push(c),
            _ => {}
        }
    }
    htmlize::unescape(text).into_owned()
}

#[test]
fn nothing_of_the_text_or_the_sources_becomes_markup() {
    let hostile = "The bridge is 340 m long<img src=x onerror=alert(1)>. \"' onmouseover=x </div></style><script>alert(1)</script>";
    let mut document = Document::inline("\"><script>alert(2)</script>", hostile);
    document.title = Some("<b>title</b>".to_owned());
    document.provenance.url = Some("javascript:alert(3)".to_owned());
    let answer =
        "The bridge is 430 m long<img src=x onerror=alert(1)>. <script>alert(4)</script> ]]> &lt;b&gt; \u{202e}gpj.exe";
    let page = page(vec![document], answer);
    let known = [
        "!DOCTYPE",
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "main",
        "h1",
        "h2",
        "p",
        "ul",
        "li",
        "div",
        "span",
        "a",
        "details",
        "summary",
        "bdi",
        "figure",
        "blockquote",
        "figcaption",
        "footer",
    ];
    for (at, _) in page.match_indices('<') {
        let name: String = page[at + 1..]
            .trim_start_matches('/')
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '!')
            .collect();
        assert!(known.contains(&name.as_str()), "<{name} stands at {at}");
    }
    assert!(!page.contains("href=\"javascript") && !page.contains('\u{202e}'));
    assert!(text_of(&page).contains("<script>alert(4)</script> ]]> &lt;b&gt;"));
}

#[test]
fn the_page_makes_no_request() {
    let page = page(vec![Document::inline("a", "The bridge is 340 m long.")], "The bridge is 430 m long.");
    for part in ["src=", "url(", "@import", "<link", "<script", "<iframe", "<form", "http://", "https://"] {
        assert!(!page.contains(part), "{part}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn an_address_is_a_link_only_where_it_is_one_of_the_web() {
    let mut document = Document::inline("a", "The bridge is 340 m long.");
    document.provenance.url = Some("https://example.org/?a=1&b=\"2\"".to_owned());
    let page = page(vec![document], "The bridge is 340 m long.");
    assert!(page.contains("href=\"https://example.org/?a=1&amp;b=&quot;2&quot;\""));
}

#[test]
fn the_text_stands_in_the_page_whole_with_each_claim_marked_where_it_is() {
    let answer = "Hello! The Ünal bridge is 430 m long 👩‍🚀. It opened in 1931.\r\n\r\n- It has a < castle.\n";
    let page = page(vec![Document::inline("a", "The Ünal bridge is 340 m long and opened in 1931.")], answer);
    let from = page.find("<div class=\"text\"").unwrap();
    let to = from + page[from..].find("</div>").unwrap();
    assert_eq!(text_of(&page[from..to]), answer.replace('\r', ""));
    let marked: Vec<&str> = page[from..to].split("<a class=\"m ").skip(1).collect();
    assert!(marked.iter().any(|part| part.starts_with("bad") && part.contains("430 m")), "{marked:?}");
    assert!(marked.iter().any(|part| part.starts_with("good") && part.contains("1931")), "{marked:?}");
    for (at, _) in page.match_indices("href=\"#c") {
        let number: String = page[at + 8..].chars().take_while(char::is_ascii_digit).collect();
        assert!(page.contains(&format!("id=\"c{number}\"")));
    }
}
