//! The readers of values and names, in one place.

use crate::text::*;

pub(super) fn quantities(_: &str, _: NumberLocale) -> Vec<Quantity> {
    Vec::new()
}
pub(super) fn dates(_: &str, _: DateOrder) -> Vec<DateMention> {
    Vec::new()
}
pub(super) fn mentions(_: &str) -> Vec<Mention> {
    Vec::new()
}
pub(super) fn quantity_agreement(_: &Quantity, _: &Quantity) -> Agreement {
    Agreement::Incomparable
}
pub(super) fn date_agreement(_: &DateMention, _: &DateMention) -> DateAgreement {
    DateAgreement::Incomparable
}
pub(super) fn name_match(a: &Mention, b: &Mention) -> NameMatch {
    if a.key == b.key { NameMatch::Same } else { NameMatch::Different }
}
pub(super) fn sentences(text: &str) -> Vec<TextSpan> {
    let mut spans = Vec::new();
    let mut start = 0;
    let bytes = text.as_bytes();
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let split = c == '\n' || c == '。'
            || matches!(c, '.' | '!' | '?')
                && bytes.get(end) == Some(&b' ')
                && text[end..].trim_start().starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
                && at.checked_sub(2).is_none_or(|p| bytes[p] != b' ');
        if split {
            if !text[start..end].trim().is_empty() {
                spans.push(TextSpan::new(start, end));
            }
            start = end;
        }
    }
    if !text[start..].trim().is_empty() {
        spans.push(TextSpan::new(start, text.len()));
    }
    spans
}
