//! A page's wikitext as the text that a reader sees, in Markdown lines.

use super::markup::to_html;
use super::preprocess::preprocess;
use super::site::Site;
use crate::corpus::html_text::page_text;
use crate::corpus::text_sections::without_empty_sections;

/// The text of a page. Linear in the length of its wikitext; never empty sections, references or comments.
pub(super) fn page_of_wikitext(wikitext: &str, title: &str, site: &Site) -> String {
    let plain = preprocess(wikitext, title, site);
    let html = to_html(&plain);
    drop(plain);
    without_empty_sections(&page_text(&html).text)
}
