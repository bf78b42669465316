//! The readers of values and names, in one place.

use crate::text::*;

pub(super) fn quantities(_: &str, _: NumberLocale) -> Vec<Quantity> {
    Vec::new()
}
pub(super) fn dates(_: &str, _: DateOrder) -> Vec<DateMention> {
    Vec::new()
}
pub(super) fn mentions(text: &str, language: Language) -> Vec<Mention> {
    crate::text::mentions(text, language)
}
pub(super) fn quantity_agreement(_: &Quantity, _: &Quantity) -> Agreement {
    Agreement::Incomparable
}
pub(super) fn date_agreement(_: &DateMention, _: &DateMention) -> DateAgreement {
    DateAgreement::Incomparable
}
pub(super) fn name_match(a: &Mention, b: &Mention) -> NameMatch {
    a.matches(b)
}
pub(super) fn extract(answer: &str, _settings: &super::VerifySettings) -> Vec<crate::claim::Claim> {
    sentences(answer)
        .into_iter()
        .enumerate()
        .map(|(index, span)| crate::claim::Claim {
            index,
            text: span.of(answer).trim().to_owned(),
            spans: vec![span],
            sentence: span,
            kind: crate::claim::ClaimKind::Factual,
            unchecked: None,
            ambiguous: None,
        })
        .collect()
}
