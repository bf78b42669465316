//! Links of wikitext as the text that a reader sees.

use super::site::{LinkKind, Site};

/// The text of `[[part|part|…]]`, its parts already rendered; `starts_line` where nothing stands before it on its line.
pub(super) fn link(parts: &[String], starts_line: bool, site: &Site) -> String {
    let Some(target) = parts.first() else { return "[[]]".to_owned() };
    let page = target.trim();
    if page.is_empty() || page.contains(['\n', '<', '>', '{', '}', '[', ']']) {
        return written(parts);
    }
    let prefix = page.split_once(':').map(|(prefix, _)| prefix);
    if let Some(prefix) = prefix.filter(|prefix| !prefix.is_empty()) {
        match site.kind_of_prefix(prefix) {
            LinkKind::File => return caption(&parts[1..], starts_line),
            LinkKind::Category => return String::new(),
            LinkKind::Page if starts_line && parts.len() == 1 && is_language(prefix) => return String::new(),
            LinkKind::Page => {}
        }
    }
    match parts.get(1..) {
        Some([]) | None => page.strip_prefix(':').unwrap_or(page).replace('_', " "),
        // Written [[Page (town)|]], to be shown without what is in brackets.
        Some([text]) if text.trim().is_empty() => {
            let name = page.rsplit(':').next().unwrap_or(page);
            name.split(" (").next().unwrap_or(name).to_owned()
        }
        // A bar inside would divide a table's cell.
        Some(text) => text.join("&#124;"),
    }
}

fn written(parts: &[String]) -> String {
    format!("[[{}]]", parts.join("|"))
}

/// A link to the same page in another language stands alone: "[[de:Arden]]".
fn is_language(prefix: &str) -> bool {
    let code = prefix.split('-').next().unwrap_or_default();
    (2..=3).contains(&code.len()) && prefix.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
}

/// The caption of a picture beside the text, as a paragraph; nothing for one within a line.
fn caption(parts: &[String], starts_line: bool) -> String {
    let framed = parts.iter().any(|part| {
        matches!(part.trim(), "thumb" | "thumbnail" | "frame" | "framed" | "mini" | "vignette" | "miniaturadaimagem")
    });
    let text = parts.last().map(|part| part.trim()).unwrap_or_default();
    let is_option = text.split(['=', 'x']).next().is_some_and(|name| {
        matches!(
            name,
            "alt"
                | "link"
                | "upright"
                | "lang"
                | "page"
                | "class"
                | "hochkant"
                | "thumb"
                | "frame"
                | "right"
                | "left"
                | "center"
                | "none"
                | "border"
        ) || (text.ends_with("px") && name.trim_end_matches("px").bytes().all(|byte| byte.is_ascii_digit()))
    });
    if framed && starts_line && !is_option && text.contains(' ') { format!("\n\n{text}\n\n") } else { String::new() }
}
