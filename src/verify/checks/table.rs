//! Rows of a table, read as "Property: Capacity; K2: 1.7 l; K2 Pro: 2.0 l": a value belongs to its column.

use std::ops::Range;

use crate::text::Agreement;
use crate::verify::pair::Pair;
use crate::verify::reading::ReadText;
use crate::verify::{Finding, Stance};

const NAME: &str = "table";

struct Cell {
    label: Range<usize>,
    value: Range<usize>,
}

pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    let cells = cells(pair.evidence);
    if cells.len() < 3 {
        return;
    }
    let row_named = cells[0].value.clone().any(|to| pair.alignment.is_linked_from(to));
    // Columns that the claim names, without those whose name is a part of another's that it names.
    let places: Vec<Option<Range<usize>>> = cells.iter().map(|cell| place_in_claim(pair, &cell.label)).collect();
    let named = |column: usize| {
        places[column].as_ref().is_some_and(|own| {
            !places
                .iter()
                .flatten()
                .any(|other| other.len() > own.len() && other.start <= own.start && own.end <= other.end)
        })
    };
    let columns: Vec<usize> = (1..cells.len()).filter(|column| named(*column)).collect();
    let [column] = columns[..] else { return };
    if !row_named {
        return;
    }
    let own = &cells[column];
    for quantity in &pair.claim.quantities {
        let agreeing = |range: &Range<usize>| {
            let inside = pair.evidence.quantities.iter().filter(|other| range.contains(&other.words.start));
            inside.map(|other| quantity.value.agrees(&other.value) == Agreement::Agrees).reduce(|a, b| a || b)
        };
        if agreeing(&own.value) == Some(true) {
            continue;
        }
        if cells.iter().any(|cell| agreeing(&cell.value) == Some(true)) {
            let differs = agreeing(&own.value) == Some(false);
            let stance = if differs { Stance::Contradicts } else { Stance::Missing };
            let words = (Some(quantity.words.clone()), Some(own.value.clone()));
            findings.push(pair.finding(NAME, stance, "other_column", words.0, words.1));
        }
    }
    let no =
        own.value.len() == 1 && matches!(pair.evidence.words[own.value.start].folded.as_str(), "no" | "none" | "nein");
    let denies = pair.claim.words.iter().any(|word| word.negations > 0);
    if no && !denies {
        let words = (Some(0..pair.claim.words.len()), Some(own.value.clone()));
        findings.push(pair.finding(NAME, Stance::Contradicts, "cell_denies", words.0, words.1));
    }
    if !no && !denies {
        // What another column denies is not denied of this one.
        for finding in findings.iter_mut().filter(|finding| finding.check == super::negation::NAME) {
            finding.stance = Stance::Notes;
        }
    }
}

/// Where the claim has the words of a label, one after the other.
fn place_in_claim(pair: &Pair<'_>, label: &Range<usize>) -> Option<Range<usize>> {
    let label = pair.evidence.words.get(label.clone()).filter(|label| !label.is_empty())?;
    let claim = &pair.claim.words;
    let at = claim.windows(label.len()).position(|window| window.iter().zip(label).all(|(a, b)| a.form == b.form))?;
    Some(at..at + label.len())
}

/// The cells of a row; none if a part of the sentence has no label.
fn cells(text: &ReadText) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut start = 0;
    for part in text.text.split("; ") {
        let Some(colon) = part.find(": ") else { return Vec::new() };
        let at = |offset: usize| text.words.partition_point(|word| word.span.start < offset);
        let (label, value, end) = (at(start), at(start + colon), at(start + part.len()));
        cells.push(Cell { label: label..value, value: value..end });
        start += part.len() + 2;
    }
    cells
}
