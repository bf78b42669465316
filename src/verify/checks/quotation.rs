//! Quotations: what the claim puts in quotation marks must stand in the evidence word for word.
//!
//! An ellipsis may leave words out, but no negation, and only within one sentence.

use crate::text::TextSpan;
use crate::verify::pair::Pair;
use crate::verify::reading::Word;
use crate::verify::{Finding, Stance};

pub(super) const NAME: &str = "quotation";

/// Words below which quotation marks name something rather than quote.
const LEAST_WORDS: usize = 3;
/// Most words that an ellipsis may leave out.
const MOST_LEFT_OUT: usize = 12;

pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    for span in quoted(&pair.claim.text) {
        let quoted = pair.claim.words_in(span);
        if quoted.len() < LEAST_WORDS {
            continue;
        }
        let mut fragments: Vec<Vec<u64>> = vec![Vec::new()];
        let mut end = None;
        for word in &pair.claim.words[quoted] {
            let gap = end.map_or("", |end| &pair.claim.text[end..word.span.start]);
            if gap.contains("...") || gap.contains('…') {
                fragments.push(Vec::new());
            }
            if let Some(last) = fragments.last_mut() {
                last.push(word.form);
            }
            end = Some(word.span.end);
        }
        let (stance, kind) = match place(&fragments, &pair.evidence.words) {
            Placed::Verbatim => (Stance::Supports, "quotation_verbatim"),
            Placed::NegationLeftOut => (Stance::Contradicts, "quotation_leaves_out_negation"),
            Placed::No => (Stance::Missing, "quotation_not_verbatim"),
        };
        findings.push(pair.finding_at(NAME, stance, kind, Some(span), None));
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Placed {
    Verbatim,
    NegationLeftOut,
    No,
}

fn place(fragments: &[Vec<u64>], words: &[Word]) -> Placed {
    let mut from = 0;
    let mut result = Placed::Verbatim;
    for (number, fragment) in fragments.iter().filter(|fragment| !fragment.is_empty()).enumerate() {
        let found = (from..words.len()).find(|at| {
            words.len() - at >= fragment.len()
                && words[*at..].iter().zip(fragment).all(|(word, form)| word.form == *form)
        });
        let Some(at) = found else { return Placed::No };
        if number > 0 {
            if at - from > MOST_LEFT_OUT {
                return Placed::No;
            }
            let denies = |word: &Word| {
                matches!(
                    word.folded.as_str(),
                    "not"
                        | "no"
                        | "never"
                        | "nao"
                        | "nunca"
                        | "nicht"
                        | "kein"
                        | "keine"
                        | "without"
                        | "cannot"
                        | "pas"
                        | "unless"
                        | "except"
                )
            };
            if words[from..at].iter().any(denies) {
                result = Placed::NegationLeftOut;
            }
        }
        from = at + fragment.len();
    }
    result
}

/// Spans between quotation marks.
pub(crate) fn quoted(text: &str) -> Vec<TextSpan> {
    let mut spans = Vec::new();
    let mut open: Option<(char, usize)> = None;
    for (at, c) in text.char_indices() {
        match (open, c) {
            (Some((closing, start)), c) if c == closing => {
                spans.push(TextSpan::new(start, at));
                open = None;
            }
            (None, '"') => open = Some(('"', at + 1)),
            (None, '“') => open = Some(('”', at + c.len_utf8())),
            (None, '„') => open = Some(('“', at + c.len_utf8())),
            (None, '«') => open = Some(('»', at + c.len_utf8())),
            (None, '「') => open = Some(('」', at + c.len_utf8())),
            _ => {}
        }
    }
    spans
}
