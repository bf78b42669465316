//! The text of a page at one revision.

use serde::{Deserialize, Serialize};

use super::options::PageText;
use super::site::Site;
use crate::corpus::{Document, DocumentId, Markup, Provenance, html_text};
use crate::evidence::Pinned;
use crate::text::TextSpan;

/// A page at one revision, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Page {
    pub(super) page_id: u64,
    pub(super) title: String,
    pub(super) revision: u64,
    /// When the revision was written.
    pub(super) dated: String,
    /// When it was fetched.
    pub(super) retrieved: String,
    /// Markdown: headings, list items and rows on lines of their own.
    pub(super) text: String,
    /// Articles that it links to; kept for pages that list meanings.
    pub(super) links: Vec<String>,
}

/// Words with which a page that lists meanings begins.
const MEANINGS_PHRASES: &[&str] = &[
    "may refer to",
    "may also refer to",
    "can refer to",
    "commonly refers to",
    "may mean",
    "steht für",
    "bezeichnet:",
    "ist der name",
    "puede referirse a",
    "puede hacer referencia a",
    "pode referir-se a",
    "pode se referir a",
    "peut désigner",
    "peut faire référence",
    "può riferirsi a",
    "kan verwijzen naar",
    "可以指",
    "可能指",
];

impl Page {
    /// The text that a rendered page shows.
    pub(super) fn text_of_html(html: &str) -> String {
        html_text(html)
    }

    /// Plain text of TextExtracts with its headings as Markdown.
    pub(super) fn text_of_extract(extract: &str) -> String {
        let mut text = String::with_capacity(extract.len());
        for line in extract.lines().map(str::trim_end) {
            let level = line.bytes().take_while(|byte| *byte == b'=').count();
            let heading = line.trim_matches('=').trim();
            if level >= 2 && line.ends_with("==") && !heading.is_empty() {
                text.push_str(&"#".repeat(level.min(6)));
                text.push(' ');
                text.push_str(heading);
            } else {
                text.push_str(line);
            }
            text.push('\n');
        }
        let end = text.trim_end().len();
        text.truncate(end);
        text
    }

    /// Whether it reads like a page that lists the things that bear its name: it says so, and is mostly a list.
    pub(super) fn lists_meanings(&self) -> bool {
        let mut lines = self.text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
        let Some(first) = lines.next() else { return false };
        let first: String = first.chars().take(300).collect::<String>().to_lowercase();
        let (mut items, mut others) = (0, 0);
        for line in lines {
            if line.starts_with("- ") { items += 1 } else { others += 1 }
        }
        MEANINGS_PHRASES.iter().any(|phrase| first.contains(phrase)) && items > others
    }

    /// What pins it.
    pub(super) fn pinned(&self, site: &Site) -> Pinned {
        Pinned {
            revision: Some(self.revision),
            permalink: Some(site.permalink(&self.title, self.revision)),
            section: None,
            licence: site.licence.clone(),
            dated: Some(self.dated.clone()).filter(|dated| !dated.is_empty()),
            retrieved: Some(self.retrieved.clone()),
        }
    }

    /// The page as a document to find passages in.
    pub(super) fn document(&self, site: &Site) -> Document {
        let pinned = self.pinned(site);
        Document {
            id: DocumentId(format!("{}@{}", self.title, self.revision)),
            title: Some(self.title.clone()),
            text: self.text.clone(),
            markup: Markup::Markdown,
            provenance: Provenance { source: site.address(&self.title), place: None, url: pinned.permalink.clone() },
            metadata: pinned.metadata(),
        }
    }

    /// The key under which it is kept.
    pub(super) fn key(page_id: u64, revision: u64, how: PageText) -> String {
        format!("{page_id}/{revision}/{}", how.name())
    }
}

/// The heading above `span`.
pub(super) fn section_of(text: &str, span: TextSpan) -> Option<String> {
    // A passage may begin with its own heading.
    let own = text.get(span.start..).filter(|rest| rest.starts_with('#')).and_then(|rest| rest.lines().next());
    let above = text.get(..span.start)?.lines().rev().find(|line| line.starts_with('#'));
    let heading = own.or(above)?.trim_start_matches('#').trim();
    (!heading.is_empty()).then(|| heading.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> Page {
        Page {
            page_id: 1,
            title: "Brandt".to_owned(),
            revision: 2,
            dated: String::new(),
            retrieved: String::new(),
            text: text.to_owned(),
            links: Vec::new(),
        }
    }

    #[test]
    fn a_rendered_page_keeps_rows_and_headings_and_loses_the_marks_for_editors() {
        let html = "<div class=\"mw-parser-output\"><table class=\"infobox\"><tbody><tr><th colspan=\"2\">Arden</th></tr>\
            <tr><th>Area\n</th><td>64 km<sup>2</sup>\n</td></tr></tbody></table><p><b>Arden</b> is a city.<sup class=\"reference\">[1]</sup></p>\
            <h2><span class=\"mw-headline\">Past</span><span class=\"mw-editsection\">[edit]</span></h2><p>It is old.</p>\
            <div class=\"navbox\">Towns of Veldmark</div><ol class=\"references\"><li>A book</li></ol></div>";
        let text = Page::text_of_html(html);
        assert!(text.contains("Area: 64 km²\n"), "{text}");
        assert!(text.contains("Arden is a city.\n"), "{text}");
        assert!(text.contains("## Past\n"), "{text}");
        for gone in ["edit", "Towns of", "A book"] {
            assert!(!text.contains(gone), "{text}");
        }
        let at = text.find("It is old").unwrap();
        assert_eq!(section_of(&text, TextSpan::new(at, at + 3)).as_deref(), Some("Past"));
        assert_eq!(section_of(&text, TextSpan::new(0, 5)), None);
    }

    #[test]
    fn an_extract_has_its_headings_as_markdown() {
        let text = Page::text_of_extract("Arden is a city.\n\n\n== Past ==\nIt is old.\n\n=== Fire ===\na = b\n\n");
        assert_eq!(text, "Arden is a city.\n\n\n## Past\nIt is old.\n\n### Fire\na = b");
    }

    #[test]
    fn a_page_that_lists_meanings_is_told_by_its_words_and_its_shape() {
        assert!(page("Brandt may refer to:\n\n- Ana Brandt, engineer\n- Otto Brandt, chemist").lists_meanings());
        assert!(page("Brandt steht für:\n- Ana Brandt\n- Otto Brandt").lists_meanings());
        assert!(!page("The clause may refer to a contract. It is long.\n\nMore.").lists_meanings());
        assert!(!page("Towns:\n- Arden\n- Halden").lists_meanings());
    }
}
