//! Names and values of a claim that the sources do not state.

use std::collections::HashSet;

use super::documents::TruthDocument;
use crate::text::{Language, NumberLocale, Token, fold, mentions, quantities, tokens};
use crate::verify::{Finding, Stance, Verdict};

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
    tokens(text).into_iter().filter(Token::is_wordlike).map(|token| token.folded)
}

/// Terms that are told for one claim.
const MOST_TERMS: usize = 32;

/// What the claim names or counts and no source holds, values that agree in another form left out.
pub(super) fn unsupported(claim: &str, verdict: &Verdict, sources: &SourceWords) -> Vec<String> {
    let supporting = verdict.findings.iter().filter(|finding| finding.stance == Stance::Supports);
    let settled: HashSet<String> =
        supporting.filter_map(|finding| finding.claim_value.as_deref()).flat_map(words).collect();
    let missing = verdict.findings.iter().filter(|finding| is_missing_value(finding));
    let missing = missing.filter_map(|finding| finding.claim_value.clone());
    let names = mentions(claim, Language::English).into_iter().map(|mention| mention.text);
    let numbers = quantities(claim, NumberLocale::Any).into_iter();
    let numbers = numbers.map(|quantity| quantity.number_span.of(claim).to_owned());
    let mut terms: Vec<String> = Vec::new();
    for term in missing.chain(names).chain(numbers) {
        let known = sources.hold(&term) || words(&term).all(|word| settled.contains(&word));
        let folded = fold(&term);
        if known || terms.iter().any(|other| fold(other).contains(folded.as_str())) {
            continue;
        }
        terms.push(term);
        if terms.len() == MOST_TERMS {
            break;
        }
    }
    terms
}

/// Whether the nearest passage lacks a name or value of the claim, whichever check missed it.
pub(super) fn is_missing_value(finding: &Finding) -> bool {
    let names_or_counts = |value: &str| value.starts_with(char::is_uppercase) || value.contains(char::is_numeric);
    finding.stance == Stance::Missing
        && (matches!(finding.check.as_str(), "quantity" | "unit" | "date" | "entity")
            || finding.claim_value.as_deref().is_some_and(names_or_counts))
}
