//! Sentences, what is worth checking in them, and how: by computing or by the sources.

use super::result::ClaimType;
use crate::claim::{ClaimOptions, extract};
use crate::text::{arithmetic, sentences};

/// The sentences of a text, as they stand in it.
///
/// ```
/// use evidex::compat::halgorithem::split_sentences;
/// assert_eq!(split_sentences("Dr. Vance came. He left."), ["Dr. Vance came.", "He left."]);
/// ```
pub fn split_sentences(text: &str) -> Vec<String> {
    sentences(text).into_iter().map(|span| span.of(text).to_owned()).collect()
}

/// Whether a sentence states something that can be checked. Short facts do; greetings, questions, opinions and
/// instructions do not.
///
/// ```
/// use evidex::compat::halgorithem::is_meaningful_claim;
/// assert!(is_meaningful_claim("BASIC was created by NASA."));
/// assert!(!is_meaningful_claim("Shall I go on?"));
/// ```
pub fn is_meaningful_claim(sentence: &str) -> bool {
    extract(sentence, &ClaimOptions::default())
        .iter()
        .any(|claim| claim.unchecked.is_none() || classify_claim_type(&claim.text) == ClaimType::Math)
}

/// Whether a claim is one about arithmetic: it has an expression with its value, or an equals sign that stands alone, or
/// it is nothing but an expression. Percentages, ranges, dates and scores are not.
///
/// ```
/// use evidex::compat::halgorithem::{ClaimType, classify_claim_type};
/// assert_eq!(classify_claim_type("As you know, 17 × 3 = 51."), ClaimType::Math);
/// assert_eq!(classify_claim_type("In 2019-2020 output rose by 20 percent."), ClaimType::Source);
/// ```
pub fn classify_claim_type(claim: &str) -> ClaimType {
    if stands_alone(claim) || is_expression(claim) || !arithmetic(claim).is_empty() {
        ClaimType::Math
    } else {
        ClaimType::Source
    }
}

/// An equals sign between spaces, or at an end.
fn stands_alone(claim: &str) -> bool {
    claim.match_indices('=').any(|(at, sign)| {
        claim[..at].chars().next_back().is_none_or(char::is_whitespace)
            && claim[at + sign.len()..].chars().next().is_none_or(char::is_whitespace)
    })
}

/// "12 * 3": digits and operators only. A hyphen or slash alone may be a range, a date or a score.
fn is_expression(claim: &str) -> bool {
    let claim = claim.trim().trim_end_matches('.');
    let is_operator = |c: char| matches!(c, '+' | '*' | '×' | '÷' | '^');
    let other = |c: char| matches!(c, '-' | '−' | '/' | '(' | ')' | '.' | ',' | ' ');
    claim.starts_with(|c: char| c.is_ascii_digit() || c == '(')
        && claim.chars().any(is_operator)
        && claim.chars().filter(char::is_ascii_digit).count() >= 2
        && claim.chars().all(|c| c.is_ascii_digit() || is_operator(c) || other(c))
}
