//! Marks that say where something was taken from, and nothing about it: "[1]", "[citation needed]", "(source: annual
//! report)", "(Smith et al., 2019)". They are not read as facts.

use super::TextSpan;

/// Bytes of the longest citation.
const LONGEST: usize = 160;

/// The citation marks of `text`, in order, brackets included.
///
/// ```
/// use evidex::text::citations;
///
/// let text = "The bridge opened in 1931 [2, 5] (source: city archive).";
/// let found: Vec<&str> = citations(text).into_iter().map(|span| span.of(text)).collect();
/// assert_eq!(found, ["[2, 5]", "(source: city archive)"]);
/// ```
pub fn citations(text: &str) -> Vec<TextSpan> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(open) = text[from..].find(['[', '(', '【']).map(|at| from + at) {
        let Some(bracket) = text[open..].chars().next() else { break };
        let close = match bracket {
            '[' => ']',
            '(' => ')',
            _ => '】',
        };
        let inner = open + bracket.len_utf8();
        from = inner;
        let mut end = text.len().min(inner + LONGEST);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let Some(length) = text[inner..end].find([close, bracket]) else { continue };
        if !text[inner + length..].starts_with(close) {
            continue;
        }
        let inside = text[inner..inner + length].trim();
        let cites = match bracket {
            '[' => is_number_mark(inside, &text[..open]) || is_note(inside),
            '(' => is_source(inside),
            _ => true,
        };
        if cites {
            from = inner + length + close.len_utf8();
            found.push(TextSpan::new(open, from));
        }
    }
    found
}

/// "1", "2, 5", "12–14", "a": but no interval ("the interval [1, 2]").
fn is_number_mark(inside: &str, before: &str) -> bool {
    let letter = inside.len() == 1 && inside.starts_with(|c: char| c.is_ascii_lowercase());
    let numbers = !inside.is_empty()
        && inside
            .split([',', ';', '–', '-', '—', ' '])
            .filter(|part| !part.is_empty())
            .all(|part| part.len() <= 3 && !part.starts_with('0') && part.chars().all(|c| c.is_ascii_digit()));
    let last = before.trim_end().rsplit(' ').next().unwrap_or("").to_lowercase();
    let interval = matches!(last.as_str(), "interval" | "range" | "in" | "between" | "from" | "=" | "∈" | "on" | "of");
    (letter || numbers) && !(interval && inside.contains([',', ';']))
}

/// "citation needed", "note 3".
fn is_note(inside: &str) -> bool {
    let lower = inside.to_lowercase();
    let numbered = ["note ", "nb ", "n ", "fn ", "ref ", "source ", "doc "].iter().any(|prefix| {
        lower.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()))
    });
    numbered
        || matches!(
            lower.as_str(),
            "citation needed"
                | "clarification needed"
                | "who?"
                | "when?"
                | "where?"
                | "edit"
                | "update"
                | "sic"
                | "source"
                | "better source needed"
                | "not in citation given"
                | "according to whom?"
                | "dubious"
                | "dubious – discuss"
        )
}

/// "source: …", "see …", "Smith et al., 2019".
fn is_source(inside: &str) -> bool {
    let lower = inside.to_lowercase();
    let labelled = [
        "source",
        "sources",
        "ref",
        "reference",
        "references",
        "cf.",
        "fonte",
        "quelle",
        "fuente",
        "citation",
        "as cited in",
        "cited in",
    ]
    .iter()
    .any(|label| {
        lower
            .strip_prefix(label)
            .is_some_and(|rest| rest.starts_with([':', ' ', '.']) || rest.is_empty() || label.ends_with('.'))
    });
    // "2019", "2019a".
    let year = lower
        .split(|c: char| !c.is_alphanumeric())
        .any(|part| matches!(part.chars().count(), 4 | 5) && part.chars().take(4).all(|c| c.is_ascii_digit()));
    labelled && !lower.starts_with("source of") && !lower.starts_with("sources of")
        || year && lower.contains(" et al")
        || lower.starts_with("see ")
            && (lower.contains("http")
                || lower.contains("section")
                || lower.contains("table")
                || lower.contains("figure"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        citations(text).into_iter().map(|span| span.of(text)).collect()
    }

    #[test]
    fn marks_of_citation_are_told_from_brackets_that_say_something() {
        assert_eq!(
            found("It opened in 1931.[1][12–14] It is long [citation needed]."),
            ["[1]", "[12–14]", "[citation needed]"]
        );
        assert_eq!(found("Sales rose (Source: annual report, p. 4)."), ["(Source: annual report, p. 4)"]);
        assert_eq!(found("This was shown earlier (Brandt et al., 2019)."), ["(Brandt et al., 2019)"]);
        assert_eq!(found("The value is given【3†source】."), ["【3†source】"]);
        for text in [
            "It was held in Oslo (Norway).",
            "x lies in [1, 2].",
            "The festival (Paris, 2019) was small.",
            "Open [",
            "(",
            "[x + 1]",
        ] {
            assert!(found(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn odd_brackets_stay_on_character_boundaries() {
        for text in ["(1901maaß et al)", "(maaß et al., ß)", "[é]", "((((", "[[1]]", "【é", "[1", "(source: é", "]["]
        {
            for span in citations(text) {
                assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end));
            }
        }
    }
}
