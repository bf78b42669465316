//! Whole-file documents: plain text and Markdown, and what they say of themselves.

use super::document::Markup;

/// Title and address, where the text gives them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) title: Option<String>,
    pub(super) url: Option<String>,
}

/// Characters that a title may have.
const LONGEST_TITLE: usize = 120;

/// Reads the head of a text: front matter and the first heading of Markdown; a short first line of plain text that an
/// empty line follows.
pub(super) fn head(text: &str, markup: Markup) -> Head {
    match markup {
        Markup::Markdown => markdown_head(text),
        Markup::Plain => Head { title: first_line_title(text), url: None },
    }
}

fn markdown_head(text: &str) -> Head {
    let mut head = Head::default();
    let mut lines = text.lines().take(200).peekable();
    if lines.peek().is_some_and(|line| line.trim_end() == "---") {
        lines.next();
        for line in lines.by_ref() {
            if matches!(line.trim_end(), "---" | "...") {
                break;
            }
            if let Some((key, value)) = line.split_once(':') {
                let value = value.trim().trim_matches(['"', '\'']).trim();
                match key.trim().to_ascii_lowercase().as_str() {
                    "title" if !value.is_empty() => head.title = Some(value.to_owned()),
                    "url" | "source" | "canonical" if value.starts_with("http") => head.url = Some(value.to_owned()),
                    _ => {}
                }
            }
        }
    }
    if head.title.is_some() {
        return head;
    }
    let mut fenced = false;
    while let Some(line) = lines.next() {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            fenced = !fenced;
        }
        if fenced || line.is_empty() {
            continue;
        }
        let marks = line.bytes().take_while(|byte| *byte == b'#').count();
        if (1..=2).contains(&marks) && line[marks..].starts_with(' ') {
            head.title = short(line[marks..].trim().trim_end_matches('#'));
            break;
        }
        let underlined = lines.peek().is_some_and(|next| {
            let next = next.trim();
            next.len() >= 3 && (next.bytes().all(|byte| byte == b'=') || next.bytes().all(|byte| byte == b'-'))
        });
        if underlined {
            head.title = short(line);
            break;
        }
    }
    head
}

fn first_line_title(text: &str) -> Option<String> {
    let mut lines = text.lines().take(20).map(str::trim).skip_while(|line| line.is_empty());
    let first = lines.next()?;
    let title_like = !first.ends_with(['.', '!', '?', ';', ',', '。', '！', '？']);
    let alone = match lines.next() {
        Some("") => lines.any(|line| !line.is_empty()),
        Some(next) => next.len() >= 3 && next.bytes().all(|byte| byte == b'=' || byte == b'-'),
        None => false,
    };
    if title_like && alone { short(first) } else { None }
}

fn short(title: &str) -> Option<String> {
    let title = title.trim();
    (!title.is_empty() && title.chars().count() <= LONGEST_TITLE).then(|| title.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(text: &str, markup: Markup) -> Option<String> {
        head(text, markup).title
    }

    #[test]
    fn markdown_is_titled_by_front_matter_or_its_first_heading() {
        let front = "---\ntitle: \"The Cape\"\nsource: https://example.org/cape\n---\n# Other\n";
        let found = head(front, Markup::Markdown);
        assert_eq!(
            (found.title.as_deref(), found.url.as_deref()),
            (Some("The Cape"), Some("https://example.org/cape"))
        );
        assert_eq!(title("```\n# code\n```\n\n# The Cape #\n", Markup::Markdown).as_deref(), Some("The Cape"));
        assert_eq!(title("The Cape\n========\n", Markup::Markdown).as_deref(), Some("The Cape"));
        assert_eq!(title("Only words.\n", Markup::Markdown), None);
    }

    #[test]
    fn plain_text_is_titled_by_a_short_first_line_that_stands_alone() {
        assert_eq!(title("The Cape\n\nIt is long.", Markup::Plain).as_deref(), Some("The Cape"));
        assert_eq!(title("It is long.\n\nThe Cape", Markup::Plain), None);
        assert_eq!(title("The Cape\nis long", Markup::Plain), None);
        assert_eq!(title("The Cape", Markup::Plain), None);
        assert_eq!(title("", Markup::Plain), None);
    }
}
