//! From a judge's reply to verdicts on the claims that it was asked about: tolerant of form, strict in content.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde_json::{Map, Value};

use super::json;
use super::method::OpinionLabel;

/// What a judge says of one claim.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Said {
    pub label: OpinionLabel,
    pub confidence: f64,
    pub quote: String,
}

/// A reply, read.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Read {
    /// By the number of the claim.
    pub said: BTreeMap<usize, Said>,
    /// Entries about claims that were not asked about.
    pub extra: usize,
    /// Entries that could not be used.
    pub unreadable: usize,
}

/// Reads verdicts on `claims`, given by number and text. The first usable entry on a claim counts.
pub(super) fn read(reply: &str, claims: &[(usize, &str)]) -> Read {
    let mut read = Read::default();
    for value in json::objects(reply) {
        let Value::Object(fields) = value else { continue };
        let number = match number(&fields, claims) {
            Named::Claim(number) => number,
            Named::Other => {
                read.extra += 1;
                continue;
            }
            Named::Nothing if claims.len() == 1 && !read.said.contains_key(&claims[0].0) => claims[0].0,
            Named::Nothing => {
                read.unreadable += 1;
                continue;
            }
        };
        match said(&fields) {
            Some(said) => match read.said.entry(number) {
                Entry::Vacant(place) => {
                    place.insert(said);
                }
                Entry::Occupied(_) => read.extra += 1,
            },
            None => read.unreadable += 1,
        }
    }
    read
}

enum Named {
    Claim(usize),
    Other,
    Nothing,
}

fn number(fields: &Map<String, Value>, claims: &[(usize, &str)]) -> Named {
    let Some(value) = field(fields, &["id", "claim_id", "index", "number", "claim"]) else { return Named::Nothing };
    let number = match value {
        Value::Number(number) => number.as_u64().and_then(|number| usize::try_from(number).ok()),
        Value::String(text) => {
            let digits = text.trim().trim_start_matches(|c: char| !c.is_ascii_digit());
            let named = claims.iter().find(|(_, claim)| claim.trim() == text.trim()).map(|(number, _)| *number);
            named.or_else(|| (text.trim().len() <= digits.len() + 6).then(|| digits.parse().ok()).flatten())
        }
        _ => return Named::Nothing,
    };
    match number {
        Some(number) if claims.iter().any(|(known, _)| *known == number) => Named::Claim(number),
        _ => Named::Other,
    }
}

fn said(fields: &Map<String, Value>) -> Option<Said> {
    let label = label(field(fields, &["label", "verdict", "status", "judgement", "judgment"])?.as_str()?)?;
    let confidence = match field(fields, &["confidence", "score", "probability", "certainty"])? {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    if !(0.0..=1.0).contains(&confidence) {
        return None;
    }
    let quote = match field(fields, &["quote", "evidence", "citation", "passage"]) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(items)) => items.iter().find_map(Value::as_str).unwrap_or_default().to_owned(),
        _ => String::new(),
    };
    Some(Said { label, confidence, quote })
}

fn field<'a>(fields: &'a Map<String, Value>, names: &[&str]) -> Option<&'a Value> {
    names
        .iter()
        .find_map(|name| fields.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value))
        .filter(|value| !value.is_null())
}

fn label(text: &str) -> Option<OpinionLabel> {
    let plain: String = text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
    Some(match plain.as_str() {
        "supported" | "support" | "supports" | "entailed" | "entailment" | "true" => OpinionLabel::Supported,
        "contradicted" | "contradicts" | "contradiction" | "refuted" | "refutes" | "false" => {
            OpinionLabel::Contradicted
        }
        "unsupported" | "notsupported" | "neutral" | "notenoughinfo" | "notenoughinformation" => {
            OpinionLabel::Unsupported
        }
        "unknown" => OpinionLabel::Unknown,
        _ => return None,
    })
}

/// A yes or a no at the start of a reply; `None` for anything else.
pub(super) fn yes_or_no(reply: &str) -> Option<bool> {
    let word: String =
        reply.trim_start_matches(|c: char| !c.is_alphanumeric()).chars().take_while(|c| c.is_alphanumeric()).collect();
    match word.to_lowercase().as_str() {
        "yes" | "true" => Some(true),
        "no" | "false" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLAIMS: [(usize, &str); 2] = [(1, "The sky is green."), (2, "Water is wet.")];

    #[test]
    fn verdicts_come_back_in_the_order_of_the_claims_whatever_the_replys_order() {
        let reply = r#"{"verdicts": [{"id": 2, "label": "supported", "confidence": 0.9, "quote": "wet"},
            {"id": "C1", "label": "Contradicted", "confidence": "0.8", "quote": "blue"}]}"#;
        let read = read(reply, &CLAIMS);
        assert_eq!(read.said.keys().copied().collect::<Vec<_>>(), [1, 2]);
        assert_eq!(read.said[&1].label, OpinionLabel::Contradicted);
        assert_eq!(read.said[&2].quote, "wet");
    }

    #[test]
    fn a_confidence_outside_zero_to_one_or_none_at_all_is_rejected() {
        for confidence in ["1.5", "-0.1", "null", "\"high\"", "NaN"] {
            let reply = format!(r#"[{{"id": 1, "label": "supported", "confidence": {confidence}}}]"#);
            assert!(read(&reply, &CLAIMS).said.is_empty(), "{confidence}");
        }
    }

    #[test]
    fn claims_nobody_asked_about_are_counted_and_left_out() {
        let reply = r#"[{"id": 1, "label": "supported", "confidence": 1}, {"id": 9, "label": "supported", "confidence": 1},
            {"claim": "Something else.", "label": "supported", "confidence": 1}]"#;
        let read = read(reply, &CLAIMS);
        assert_eq!((read.said.len(), read.extra), (1, 2));
    }

    #[test]
    fn wrong_keys_are_no_verdict() {
        let read = read(r#"[{"id": 1, "opinion": "fine", "sureness": 1}]"#, &CLAIMS);
        assert_eq!((read.said.len(), read.unreadable), (0, 1));
    }

    #[test]
    fn a_claim_may_be_named_by_its_text_and_a_single_one_not_at_all() {
        let named = read(r#"{"claim": "Water is wet.", "verdict": "true", "score": 1}"#, &CLAIMS);
        assert_eq!(named.said.keys().copied().collect::<Vec<_>>(), [2]);
        let single = read(r#"{"label": "unsupported", "confidence": 0.4, "evidence": "none"}"#, &CLAIMS[..1]);
        assert_eq!(single.said[&1].label, OpinionLabel::Unsupported);
    }

    #[test]
    fn yes_and_no_are_read_and_nothing_else() {
        assert_eq!(yes_or_no(" Yes."), Some(true));
        assert_eq!(yes_or_no("**No**, because"), Some(false));
        assert_eq!(yes_or_no("Notably, yes"), None);
        assert_eq!(yes_or_no(""), None);
    }
}
