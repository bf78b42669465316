//! A part of a long sentence made whole from its document.
//!
//! An index cuts a sentence that is too long for an embedding model into parts, of which a search may find some only. What is
//! held against a claim is the whole sentence, as long as it is not longer than a claim may be.

use std::collections::HashSet;

use super::passages::lead;
use super::source::{Evidence, EvidenceError};
use crate::corpus::{Document, DocumentId};
use crate::text::{TextSpan, sentences};

/// Bytes from which a passage without an end may be a part of a sentence.
const LEAST_PART: usize = 300;
/// Bytes of the document that are looked at on either side of a part.
const MOST_AROUND: usize = 6_000;

/// Makes the parts among `passages` whole. `document` gives the text that a passage is from; it is asked for parts only.
pub(super) fn whole_sentences(
    passages: Vec<Evidence>,
    document: impl Fn(&DocumentId) -> Result<Option<Document>, EvidenceError>,
) -> Result<Vec<Evidence>, EvidenceError> {
    let mut seen: HashSet<(DocumentId, TextSpan)> = HashSet::new();
    let mut whole = Vec::with_capacity(passages.len());
    for mut passage in passages {
        if is_part(&passage.text)
            && let Some(document) = document(&passage.document_id)?
            && passage.span.get(&document.text) == Some(passage.text.as_str())
        {
            let span = sentence_around(&document.text, passage.span);
            if span != passage.span {
                span.of(&document.text).clone_into(&mut passage.text);
                lead(&document.text, span).clone_into(&mut passage.lead);
                passage.chars_before = document.text[..span.start].chars().count();
                passage.span = span;
            }
        }
        if seen.insert((passage.document_id.clone(), passage.span)) {
            whole.push(passage);
        }
    }
    Ok(whole)
}

/// Whether a passage may begin or end within a sentence: it is one line of one sentence that lacks its beginning or its end.
fn is_part(text: &str) -> bool {
    let text = text.trim();
    let ends = text.ends_with(['.', '!', '?', '…', '"', '”', '»', ')', '。', '！', '？']);
    text.len() >= LEAST_PART
        && (!ends || text.starts_with(char::is_lowercase))
        && !text.contains('\n')
        && sentences(text).len() == 1
}

/// The span with the sentences in which it begins and ends, as far as they lie near it.
fn sentence_around(text: &str, part: TextSpan) -> TextSpan {
    let mut from = part.start.saturating_sub(MOST_AROUND);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let mut to = text.len().min(part.end + MOST_AROUND);
    while !text.is_char_boundary(to) {
        to -= 1;
    }
    let near = sentences(&text[from..to]).into_iter().map(|sentence| sentence.shifted(from));
    near.filter(|sentence| sentence.overlaps(part)).fold(part, TextSpan::cover)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::PassageScores;

    fn part_of(text: &str, span: TextSpan) -> Evidence {
        Evidence {
            document_id: DocumentId::from("minutes"),
            source: "minutes".to_owned(),
            title: None,
            url: None,
            text: span.of(text).to_owned(),
            span,
            chars_before: text[..span.start].chars().count(),
            lead: String::new(),
            scores: PassageScores::default(),
            pinned: None,
        }
    }

    #[test]
    fn parts_of_one_sentence_become_the_sentence_once() {
        let sentence = format!("The board, {}met again.", "which was asked for more, ".repeat(60));
        let text = format!("Überall regnete es. {sentence} It stopped.");
        let at = text.find("The board").unwrap();
        let parts = [part_of(&text, TextSpan::new(at, at + 400)), part_of(&text, TextSpan::new(at + 350, at + 800))];
        let whole = whole_sentences(parts.to_vec(), |_| Ok(Some(Document::inline("minutes", &text)))).unwrap();
        assert_eq!(whole.len(), 1);
        assert_eq!((whole[0].text.as_str(), whole[0].span.start), (sentence.as_str(), at));
        assert_eq!((whole[0].chars_before, whole[0].lead.as_str()), (at - 1, "Überall regnete es. "));
    }

    #[test]
    fn a_passage_of_whole_sentences_needs_no_document() {
        let text = "The hall has 40 seats. ".repeat(20);
        let passage = part_of(&text, TextSpan::new(0, text.trim_end().len()));
        let unasked =
            |_: &DocumentId| Err(EvidenceError::Unavailable { source_name: String::new(), reason: String::new() });
        assert_eq!(whole_sentences(vec![passage], unasked).unwrap().len(), 1);
    }
}
