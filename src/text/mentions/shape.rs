//! The shape of words (capitals, Roman numerals) and the key of a name.

use super::words::{self, LEGAL_FORM, REGNAL, classes};
use crate::text::{Token, TokenKind};

/// Whether every letter is a capital and there are at least two.
pub(super) fn is_all_capitals(written: &str) -> bool {
    let mut letters = 0;
    for c in written.chars().filter(|c| c.is_alphabetic()) {
        if !c.is_uppercase() {
            return false;
        }
        letters += 1;
    }
    letters >= 2
}

/// Whether it has a capital after its first letter and a lower-case letter: "iPhone", "McDonald", "al-Assad".
pub(super) fn has_inner_capital(written: &str) -> bool {
    written.chars().skip(1).any(char::is_uppercase) && written.chars().any(char::is_lowercase)
}

/// Whether it is one capital letter.
pub(super) fn is_initial(written: &str) -> bool {
    let mut letters = written.chars();
    letters.next().is_some_and(char::is_uppercase) && letters.next().is_none()
}

/// Whether it is written in katakana.
pub(super) fn is_katakana(written: &str) -> bool {
    written.chars().next().is_some_and(|c| matches!(c, '\u{30a1}'..='\u{30fa}' | '\u{30fc}' | '\u{31f0}'..='\u{31ff}'))
}

/// The value of a Roman numeral below 40 written in capitals.
pub(super) fn roman(written: &str) -> Option<u32> {
    const TENS: [&str; 4] = ["", "X", "XX", "XXX"];
    const ONES: [&str; 10] = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"];
    if written.is_empty() || written.len() > 7 || !written.bytes().all(|b| matches!(b, b'I' | b'V' | b'X')) {
        return None;
    }
    (0u32..).zip(TENS).find_map(|(tens, prefix)| {
        let rest = written.strip_prefix(prefix)?;
        let ones = (0u32..).zip(ONES).find_map(|(ones, form)| (form == rest).then_some(ones))?;
        Some(tens * 10 + ones)
    })
}

/// Letters and digits of an identifier, a separator kept only between two digits: "CVE 2024-1234" is "cve2024-1234".
fn compact(folded: &str) -> String {
    let mut key = String::with_capacity(folded.len());
    let mut after_separator = false;
    for c in folded.chars() {
        if !c.is_alphanumeric() {
            after_separator = true;
            continue;
        }
        if after_separator && c.is_numeric() && key.ends_with(char::is_numeric) {
            key.push('-');
        }
        after_separator = false;
        key.push(c);
    }
    key
}

/// The key of a name made of these tokens of `text`.
pub(super) fn key_of_tokens(text: &str, tokens: &[Token], is_identifier: bool) -> String {
    if is_identifier {
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return String::new() };
        let written = text.get(first.span.start..last.span.end).unwrap_or("");
        return compact(&crate::text::fold(written));
    }
    let mut parts: Vec<String> = Vec::with_capacity(tokens.len());
    let mut legal_forms = 0;
    let last = tokens.len().saturating_sub(1);
    for (place, token) in tokens.iter().enumerate() {
        let folded = token.folded.as_str();
        if folded == "&" {
            parts.push("and".to_owned());
            continue;
        }
        if !token.is_wordlike() || folded == "the" || folded == "'s" && token.kind == TokenKind::Word {
            continue;
        }
        if place > 0 {
            if let Some(value) = roman(token.span.of(text)) {
                parts.push(value.to_string());
                continue;
            }
            if token.capitalised
                && classes(folded) & REGNAL != 0
                && tokens.get(place - 1).is_some_and(|t| t.folded == "the")
            {
                parts.extend(words::regnal_number(folded).map(|value| value.to_string()));
                continue;
            }
            if token.capitalised && classes(folded) & LEGAL_FORM != 0 && place + 2 > last {
                legal_forms += 1;
                continue;
            }
        }
        let cleaned: String = folded
            .chars()
            .filter_map(|c| if c == '-' || c == '_' { Some(' ') } else { Some(c).filter(|c| c.is_alphanumeric()) })
            .collect();
        parts.push(cleaned);
    }
    if parts.is_empty() && legal_forms > 0 {
        return tokens.iter().map(|token| token.folded.as_str()).collect();
    }
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roman_numerals_are_read_in_their_one_valid_form() {
        for (written, value) in [
            ("IV", Some(4)),
            ("VI", Some(6)),
            ("XIX", Some(19)),
            ("I", Some(1)),
            ("IIII", None),
            ("IVX", None),
            ("VV", None),
        ] {
            assert_eq!(roman(written), value, "{written}");
        }
        assert_eq!(roman(""), None);
        assert_eq!(roman("XXXIX"), Some(39));
    }

    #[test]
    fn an_identifier_is_compared_without_its_separators() {
        assert_eq!(compact("cve-2024-1234"), "cve2024-1234");
        assert_eq!(compact("qx 7741"), compact("qx-7741"));
        assert_ne!(compact("a1-23"), compact("a12-3"));
    }
}
