//! Parts of one long sentence put together again.
//!
//! An index cuts a sentence that is too long for an embedding model into parts that overlap. What is held against a claim
//! is the whole sentence, as far as its parts were found.

use super::Evidence;
use crate::text::{TextSpan, sentences};

/// Joins passages of one document of which the later begins within the last sentence of the earlier. A joined passage
/// stands where the best of its parts stood and keeps that part's scores.
pub(crate) fn join_parts(passages: Vec<Evidence>) -> Vec<Evidence> {
    let mut order: Vec<usize> = (0..passages.len()).collect();
    order.sort_by(|&a, &b| {
        let key = |at: usize| (&passages[at].document_id, passages[at].span.start, passages[at].span.end);
        key(a).cmp(&key(b))
    });
    let mut joined: Vec<(usize, Evidence)> = Vec::with_capacity(passages.len());
    for at in order {
        let next = &passages[at];
        match joined.last_mut() {
            Some((best, open)) if goes_on_in(open, next) => {
                open.text.push_str(&next.text[open.span.end - next.span.start..]);
                open.span = open.span.cover(next.span);
                if at < *best {
                    *best = at;
                    open.scores = next.scores;
                }
            }
            _ => joined.push((at, next.clone())),
        }
    }
    joined.sort_by_key(|(best, _)| *best);
    joined.into_iter().map(|(_, evidence)| evidence).collect()
}

/// Whether `next` begins within the last sentence of `open` and reaches beyond it.
fn goes_on_in(open: &Evidence, next: &Evidence) -> bool {
    let within = open.span.start < next.span.start && next.span.start < open.span.end && open.span.end < next.span.end;
    let same = open.document_id == next.document_id && open.source == next.source;
    same && within && {
        let overlap = TextSpan::new(next.span.start - open.span.start, open.text.len());
        let last = sentences(&open.text).last().map_or(0, |sentence| sentence.start);
        last < overlap.start && overlap.get(&open.text) == next.text.get(..open.span.end - next.span.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::Claim;
    use crate::corpus::Document;
    use crate::evidence::{EvidenceSource, InlineContext};

    fn found(text: &str, claim: &str) -> Vec<Evidence> {
        let context = InlineContext::new(vec![Document::inline("minutes", text)]).unwrap();
        context.evidence(&Claim::whole(claim), 16).unwrap()
    }

    #[test]
    fn the_parts_of_a_sentence_of_three_hundred_words_are_one_passage() {
        let sentence = format!("{}.", (0..300).map(|n| format!("word{n}")).collect::<Vec<_>>().join(" "));
        let text = format!("It rained. {sentence} It stopped.");
        let parts = found(&text, &sentence);
        assert!(parts.len() > 2 && !parts.iter().any(|part| part.text.contains(&sentence)));
        let joined = join_parts(parts);
        let whole = joined.iter().find(|passage| passage.text.contains(&sentence)).unwrap();
        assert_eq!(whole.span.of(&text), whole.text);
    }

    #[test]
    fn passages_that_share_a_whole_sentence_stay_apart() {
        let text = (0..40).map(|n| format!("Hall {n} has {n} seats. ")).collect::<String>();
        let parts = found(&text, "Hall 7 has 7 seats.");
        assert!(parts.len() > 2);
        assert_eq!(join_parts(parts.clone()).len(), parts.len());
    }
}
