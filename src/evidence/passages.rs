//! What surrounds a passage: the text before it, for resolving references.

use crate::text::TextSpan;

/// Bytes of the document that a passage's lead may take.
pub(super) const LEAD_BYTES: usize = 300;

/// The text just before `span`, from the start of a word and not across an empty line.
pub(super) fn lead(text: &str, span: TextSpan) -> &str {
    let before = text.get(..span.start).unwrap_or("");
    let mut from = before.len().saturating_sub(LEAD_BYTES);
    while !before.is_char_boundary(from) {
        from += 1;
    }
    let tail = &before[from..];
    let tail = tail.rfind("\n\n").map_or(tail, |at| &tail[at + 2..]);
    if from == 0 || tail.len() < before.len() - from {
        tail
    } else {
        tail.find(char::is_whitespace).map_or("", |at| &tail[at..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lead_stays_in_its_paragraph() {
        let text = "Title\n\nAna founded Lumo. She lives in Graz.";
        let start = text.find("She").unwrap();
        assert_eq!(lead(text, TextSpan::new(start, text.len())), "Ana founded Lumo. ");
    }

    #[test]
    fn a_long_lead_begins_at_a_word_on_a_character_boundary() {
        let text = "ééééé ".repeat(200);
        let lead = lead(&text, TextSpan::new(text.len(), text.len()));
        assert!(lead.len() <= LEAD_BYTES && lead.trim_start().starts_with("ééééé "));
    }
}
