//! The text with its claims marked: spans may overlap, and every piece has the colour of the worst claim in it.

use super::escape::escaped;
use crate::report::text::words;
use crate::report::{ClaimReport, Place};
use crate::verify::Label;

/// The text as escaped HTML, each piece that belongs to a claim inside a link to it.
pub(super) fn marked(text: &str, claims: &[ClaimReport]) -> String {
    let mut edges: Vec<usize> = vec![0, text.len()];
    let spans: Vec<(usize, usize, &ClaimReport)> = claims
        .iter()
        .flat_map(|claim| places(claim).iter().map(move |place| (place, claim)))
        .map(|(place, claim)| (boundary(text, place.start), boundary(text, place.end), claim))
        .filter(|(start, end, _)| start < end)
        .collect();
    edges.extend(spans.iter().flat_map(|(start, end, _)| [*start, *end]));
    edges.sort_unstable();
    edges.dedup();
    let mut opens: Vec<&(usize, usize, &ClaimReport)> = spans.iter().collect();
    opens.sort_by_key(|(start, _, claim)| (*start, claim.index));
    let mut opens = opens.into_iter().peekable();
    let mut open: Vec<(usize, &ClaimReport)> = Vec::new();
    let mut html = String::with_capacity(text.len() * 2);
    for pair in edges.windows(2) {
        let (start, end) = (pair[0], pair[1]);
        open.retain(|(end, _)| *end > start);
        while let Some(&(_, end, claim)) = opens.next_if(|(from, _, _)| *from <= start) {
            open.push((end, claim));
        }
        let piece = escaped(&text[start..end]);
        match open.iter().map(|(_, claim)| *claim).max_by_key(|claim| (gravity(claim.label), usize::MAX - claim.index))
        {
            Some(claim) => html.push_str(&format!(
                "<a class=\"m {}\" href=\"#c{}\" title=\"{}\">{piece}</a>",
                class(claim.label),
                claim.index,
                words(claim.label),
            )),
            None => html.push_str(&piece),
        }
    }
    html
}

/// A claim's own places; the parts where it has several.
fn places(claim: &ClaimReport) -> &[Place] {
    if claim.parts.is_empty() { std::slice::from_ref(&claim.span) } else { &claim.parts }
}

fn boundary(text: &str, byte: usize) -> usize {
    text.floor_char_boundary(byte)
}

const fn gravity(label: Label) -> u8 {
    match label {
        Label::Contradicted => 5,
        Label::Conflicting => 4,
        Label::NotEnoughInfo => 3,
        Label::PartiallySupported => 2,
        Label::Supported => 1,
        Label::NotChecked => 0,
    }
}

/// The class that colours a label.
pub(super) const fn class(label: Label) -> &'static str {
    match label {
        Label::Supported => "good",
        Label::PartiallySupported => "part",
        Label::Contradicted => "bad",
        Label::Conflicting => "split",
        Label::NotEnoughInfo => "open",
        Label::NotChecked => "none",
    }
}
