//! Names and values of a claim that the sources do not state.

use std::collections::{BTreeSet, HashSet};

use super::documents::TruthDocument;
use crate::text::{Language, NumberLocale, fold, mentions, quantities, tokens};
use crate::verify::{Stance, Verdict};

/// The words of all sources.
pub(super) struct SourceWords(HashSet<String>);

impl SourceWords {
    pub(super) fn of(documents: &[TruthDocument]) -> Self {
        Self(documents.iter().flat_map(|document| words(&document.text)).collect())
    }

    fn hold(&self, text: &str) -> bool {
        words(text).all(|word| self.0.contains(&word))
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    tokens(text).into_iter().filter(crate::text::Token::is_wordlike).map(|token| token.folded)
}

/// What the claim names or counts and the sources do not: what the engine missed in the nearest passage, and names that
/// stand in no source at all. A value that some passage states in another form is not among them.
pub(super) fn unsupported(claim: &str, verdict: &Verdict, sources: &SourceWords) -> Vec<String> {
    let of_value = |check: &str| matches!(check, "quantity" | "unit" | "date" | "entity");
    let settled: BTreeSet<String> = verdict
        .findings
        .iter()
        .filter(|finding| finding.stance == Stance::Supports)
        .filter_map(|finding| finding.claim_value.as_deref().map(fold))
        .collect();
    let missing = verdict
        .findings
        .iter()
        .filter(|finding| finding.stance == Stance::Missing && of_value(&finding.check))
        .filter_map(|finding| finding.claim_value.clone());
    let names = mentions(claim, Language::English)
        .into_iter()
        .filter(|mention| !(mention.sentence_initial && mention.text.chars().all(|c| !c.is_uppercase())))
        .map(|mention| mention.text)
        .filter(|name| !sources.hold(name));
    let numbers = quantities(claim, NumberLocale::Any)
        .into_iter()
        .map(|quantity| quantity.number_span.of(claim).to_owned())
        .filter(|number| !sources.hold(number));
    let mut seen = HashSet::new();
    let mut terms: Vec<String> = Vec::new();
    for term in missing.chain(names).chain(numbers) {
        let folded = fold(&term);
        let known = settled.iter().any(|value| value.contains(folded.as_str()));
        let part_of_other = terms.iter().any(|other| fold(other).contains(folded.as_str()));
        if !known && !part_of_other && seen.insert(folded) {
            terms.push(term);
        }
    }
    terms
}
