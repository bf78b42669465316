//! Windows over a document's units.

use serde::{Deserialize, Serialize};

use super::policy::{ChunkError, ChunkPolicy};
use super::units::{Unit, UnitKind, units};
use super::words::{MAX_WINDOW_PIECES, Room, word_windows};
use crate::corpus::Document;
use crate::text::TextSpan;

/// Estimated word pieces of table rows that share a window.
const ROWS_PIECES: u32 = 150;

/// A window of a document: what is embedded, posted and retrieved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// Place among the document's chunks, from 0.
    pub position: u32,
    /// Bytes of the document's text.
    pub span: TextSpan,
    /// The document's text at `span`, verbatim.
    pub text: String,
}

/// The windows of `document`, in reading order. A document of white space has none.
///
/// For a document of very many bytes, [`chunk_spans`] gives the places alone, without a copy of the text.
///
/// ```
/// use evidex::chunk::{ChunkPolicy, chunks};
/// use evidex::corpus::Document;
///
/// let document = Document::inline("tower", "The tower is 31 m high. It was built in 1884. It is lit.");
/// let texts: Vec<String> = chunks(&document, &ChunkPolicy::default())?.into_iter().map(|chunk| chunk.text).collect();
/// assert_eq!(texts, ["The tower is 31 m high. It was built in 1884.", "It was built in 1884. It is lit."]);
/// # Ok::<(), evidex::chunk::ChunkError>(())
/// ```
///
/// # Errors
/// [`ChunkError`] when the policy makes no sense (see [`ChunkPolicy::validate`]) or there are too many windows.
pub fn chunks(document: &Document, policy: &ChunkPolicy) -> Result<Vec<Chunk>, ChunkError> {
    let spans = chunk_spans(&document.text, policy)?;
    let too_many = || ChunkError::TooManyChunks { id: document.id.0.clone() };
    let mut chunks = Vec::with_capacity(spans.len());
    for (position, span) in spans.into_iter().enumerate() {
        let position = u32::try_from(position).map_err(|_| too_many())?;
        chunks.push(Chunk { position, span, text: span.of(&document.text).to_owned() });
    }
    Ok(chunks)
}

/// The places in `text` of the windows that `policy` makes of it.
///
/// # Errors
/// [`ChunkError`] when the policy makes no sense (see [`ChunkPolicy::validate`]).
pub fn chunk_spans(text: &str, policy: &ChunkPolicy) -> Result<Vec<TextSpan>, ChunkError> {
    policy.validate()?;
    Ok(match *policy {
        ChunkPolicy::Sentences { size, overlap } => sentence_windows(&units(text), size, overlap),
        ChunkPolicy::Tokens { size, overlap } => {
            let room = Room {
                words: size as usize,
                pieces: MAX_WINDOW_PIECES,
                shared_words: overlap as usize,
                shared_pieces: MAX_WINDOW_PIECES / 2,
            };
            word_windows(text, room).into_iter().map(|(span, _)| span).collect()
        }
    })
}

fn sentence_windows(units: &[Unit], size: u32, overlap: u32) -> Vec<TextSpan> {
    let mut spans = Vec::new();
    let mut rest = units;
    while let Some(first) = rest.first() {
        let until = |joins: fn(&Unit) -> bool, from: usize| {
            rest[from..].iter().position(|unit| !joins(unit) || unit.starts_section).map_or(rest.len(), |at| from + at)
        };
        let end = match first.kind {
            UnitKind::Alone => {
                spans.push(first.span);
                1
            }
            UnitKind::Row => {
                let end = until(|unit| unit.kind == UnitKind::Row, 1);
                packed_windows(&rest[..end], ROWS_PIECES, &mut spans);
                end
            }
            UnitKind::Heading => {
                let headings = until(|unit| unit.kind == UnitKind::Heading, 1);
                let end = until(|unit| unit.kind == UnitKind::Sentence, headings);
                run_windows(&rest[..headings], &rest[headings..end], size, overlap, &mut spans);
                end
            }
            UnitKind::Sentence => {
                let end = until(|unit| unit.kind == UnitKind::Sentence, 1);
                run_windows(&[], &rest[..end], size, overlap, &mut spans);
                end
            }
        };
        rest = &rest[end..];
    }
    spans
}

/// Windows of as many units as have room, without overlap.
fn packed_windows(units: &[Unit], room: u32, spans: &mut Vec<TextSpan>) {
    let mut open: Option<(TextSpan, u32)> = None;
    for unit in units {
        open = Some(match open {
            Some((span, pieces)) if pieces + unit.pieces <= room => (span.cover(unit.span), pieces + unit.pieces),
            closed => {
                spans.extend(closed.map(|(span, _)| span));
                (unit.span, unit.pieces)
            }
        });
    }
    spans.extend(open.map(|(span, _)| span));
}

/// Windows of `size` units that share `overlap`; `headings` stand before the first.
fn run_windows(headings: &[Unit], units: &[Unit], size: u32, overlap: u32, spans: &mut Vec<TextSpan>) {
    let heading_pieces: u32 = headings.iter().map(|unit| unit.pieces).sum();
    let mut lead = None;
    match (headings.first(), units.first()) {
        (Some(heading), Some(first)) if heading_pieces + first.pieces <= MAX_WINDOW_PIECES => {
            lead = Some((heading.span, heading_pieces));
        }
        _ => packed_windows(headings, MAX_WINDOW_PIECES, spans),
    }
    let (mut start, mut last_end) = (0, 0);
    while start < units.len() {
        let (first_span, mut pieces) = lead.take().unwrap_or((units[start].span, 0));
        let mut end = start;
        while end < units.len()
            && end - start < size as usize
            && (end == start || pieces + units[end].pieces <= MAX_WINDOW_PIECES)
        {
            pieces += units[end].pieces;
            end += 1;
        }
        // A window that ends where the one before ended holds nothing new.
        if end > last_end {
            spans.push(first_span.cover(units[end - 1].span));
            last_end = end;
        }
        if end == units.len() {
            break;
        }
        start = (start + 1).max(end.saturating_sub(overlap as usize));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chunk::words::estimated_pieces;

    fn texts(text: &str, policy: ChunkPolicy) -> Vec<&str> {
        chunk_spans(text, &policy).unwrap().into_iter().map(|span| span.of(text)).collect()
    }

    #[test]
    fn windows_of_three_sentences_step_by_two_when_one_is_shared() {
        let text = "A one. B two. C three. D four. E five.";
        let policy = ChunkPolicy::Sentences { size: 3, overlap: 1 };
        assert_eq!(texts(text, policy), ["A one. B two. C three.", "C three. D four. E five."]);
    }

    #[test]
    fn a_heading_stands_with_the_sentence_after_it_and_not_with_the_one_before() {
        let text = "It ended.\n\n# Towns\n\nArden has 12,000 people. Brill has 9,500.";
        let policy = ChunkPolicy::Sentences { size: 1, overlap: 0 };
        assert_eq!(texts(text, policy), ["It ended.", "# Towns\n\nArden has 12,000 people.", "Brill has 9,500."]);
    }

    #[test]
    fn a_small_table_stays_whole_and_apart_from_prose() {
        let text = "Two towns.\n\n| City | Pop |\n|---|---|\n| Arden | 12,000 |\n| Brill | 9,500 |\n\nNo more.";
        let found = texts(text, ChunkPolicy::default());
        assert_eq!(
            found,
            ["Two towns.", "| City | Pop |\n|---|---|\n| Arden | 12,000 |\n| Brill | 9,500 |", "No more."]
        );
    }

    #[test]
    fn word_windows_share_the_words_asked_for() {
        let policy = ChunkPolicy::Tokens { size: 3, overlap: 1 };
        assert_eq!(texts("a b c d e f", policy), ["a b c", "c d e", "e f"]);
    }

    #[test]
    fn han_text_without_spaces_is_counted_by_characters() {
        let policy = ChunkPolicy::Tokens { size: 4, overlap: 0 };
        assert_eq!(texts("天文台建于山上", policy), ["天文台建", "于山上"]);
        let long = "天".repeat(1000);
        assert!(texts(&long, ChunkPolicy::default()).iter().all(|text| text.chars().count() <= 220));
    }

    #[test]
    fn the_last_of_five_thousand_words_without_punctuation_is_in_a_window_that_fits() {
        let text = format!("{}zyxwort", "word ".repeat(4999));
        let found = texts(&text, ChunkPolicy::default());
        assert!(found.last().unwrap().ends_with("zyxwort"));
        assert!(found.iter().all(|text| text.split_whitespace().count() <= 220));
    }

    #[test]
    fn an_empty_or_blank_document_has_no_window() {
        assert!(texts("", ChunkPolicy::default()).is_empty());
        assert!(texts(" \r\n\t\u{a0} ", ChunkPolicy::default()).is_empty());
    }

    #[test]
    fn a_policy_that_would_never_move_on_is_refused() {
        let refused = |policy: ChunkPolicy| chunk_spans("x", &policy).unwrap_err().code();
        assert_eq!(refused(ChunkPolicy::Sentences { size: 0, overlap: 0 }), "chunk_zero_size");
        assert_eq!(refused(ChunkPolicy::Sentences { size: 2, overlap: 2 }), "chunk_overlap_too_large");
        assert_eq!(refused(ChunkPolicy::Tokens { size: 512, overlap: 0 }), "chunk_size_too_large");
    }

    fn policies() -> impl Strategy<Value = ChunkPolicy> {
        (1u32..7, 0u32..7, any::<bool>()).prop_map(|(size, overlap, by_words)| {
            let overlap = overlap % size;
            if by_words {
                ChunkPolicy::Tokens { size: size * 9, overlap }
            } else {
                ChunkPolicy::Sentences { size, overlap }
            }
        })
    }

    fn documents() -> impl Strategy<Value = String> {
        let part = prop_oneof![
            "[A-Z][a-z]{1,9}( [a-z0-9,]{1,12}){0,60}[.!?] ",
            "# [A-Z][a-z]{1,9}\n",
            "\\|( [a-z0-9]{1,8} \\|){1,4}\n",
            "[A-Z][a-z]{2,9}: [0-9]{1,9} km\n",
            "[天地塔高米。，]{1,300}",
            "(\n|\r\n|\t|\u{a0}|---\n|```\n| ){1,3}",
            "\\PC{0,40}",
            "[a-z]{200,600}",
        ];
        prop::collection::vec(part, 0..14).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn every_byte_that_is_no_white_space_is_in_a_window_that_fits(text in documents(), policy in policies()) {
            let document = Document::inline("d", text);
            let mut covered = vec![false; document.text.len()];
            let mut last = TextSpan::default();
            for (position, chunk) in chunks(&document, &policy).unwrap().into_iter().enumerate() {
                prop_assert_eq!(chunk.position as usize, position);
                prop_assert_eq!(chunk.span.get(&document.text), Some(chunk.text.as_str()));
                prop_assert!(chunk.text.trim() == chunk.text && !chunk.text.is_empty());
                prop_assert!(estimated_pieces(&chunk.text) <= MAX_WINDOW_PIECES);
                prop_assert!(position == 0 || chunk.span.start > last.start && chunk.span.end > last.end);
                covered[chunk.span.start..chunk.span.end].fill(true);
                last = chunk.span;
            }
            for (at, character) in document.text.char_indices() {
                prop_assert!(character.is_whitespace() || covered[at], "byte {} is in no window", at);
            }
        }
    }
}
