//! Claims of a text, until the claim room splits them.

use crate::text::sentences;

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
