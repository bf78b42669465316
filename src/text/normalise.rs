//! One spelling for text that is to be compared: [`fold`] takes any text to lower case without diacritics,
//! typographic variants or invisible characters.
//!
//! Folding is for comparing only; spans always refer to the text as written. It is idempotent.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// The text in NFKC and lower case, diacritics of Latin and Greek letters dropped, typographic quotes, dashes and
/// spaces made plain, invisible characters removed.
///
/// ```
/// assert_eq!(evidex::text::fold("Łódź’s “Straße”\u{a0}5–7"), "lodz's \"strasse\" 5-7");
/// ```
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let plain = rest.bytes().position(|byte| !byte.is_ascii()).unwrap_or(rest.len());
        folded.extend(rest[..plain].chars().map(|c| c.to_ascii_lowercase()));
        rest = &rest[plain..];
        // A mark that would compose with an ASCII letter is dropped from it below, which comes to the same.
        let special = rest.find(|c: char| c.is_ascii()).unwrap_or(rest.len());
        for c in rest[..special].nfkc().flat_map(char::to_lowercase) {
            fold_char(c, &mut folded);
        }
        rest = &rest[special..];
    }
    folded
}

/// Appends what a lower-case character in NFKC folds to.
fn fold_char(c: char, folded: &mut String) {
    if c.is_ascii() {
        folded.push(c);
        return;
    }
    if is_invisible(c) {
        return;
    }
    if let Some(plain) = plain_form(c) {
        folded.push_str(plain);
        return;
    }
    if ('\u{300}'..='\u{36f}').contains(&c) {
        // A mark that NFKC could not compose with its letter; on other scripts it may carry meaning.
        if !folded.chars().next_back().is_some_and(is_latin_or_greek) {
            folded.push(c);
        }
        return;
    }
    if is_latin_or_greek(c) {
        decompose_canonical(c, |part| {
            if !is_combining_mark(part) {
                match plain_form(part) {
                    Some(plain) => folded.push_str(plain),
                    None => folded.push(part),
                }
            }
        });
        return;
    }
    folded.push(if c.is_whitespace() { ' ' } else { c });
}

/// Characters that show nothing: soft hyphen, zero-width characters, direction marks, variation selectors.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

/// The ASCII form of letters without a decomposition and of typographic punctuation.
fn plain_form(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'ł' => "l",
        'đ' | 'ð' => "d",
        'þ' => "th",
        'ħ' => "h",
        'ŧ' => "t",
        'ŋ' => "n",
        'ı' => "i",
        'ĸ' => "k",
        'ƒ' => "f",
        'ς' => "σ",
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' | '\u{2032}' | '\u{2b9}' | '\u{2bb}' | '\u{2bc}'
        | '\u{2bd}' | '\u{2039}' | '\u{203a}' | '\u{b4}' => "'",
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' | '\u{2033}' | '\u{ab}' | '\u{bb}' => "\"",
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' => "-",
        '\u{2044}' | '\u{2215}' => "/",
        '\u{3001}' => ",",
        '\u{3002}' => ".",
        _ => return None,
    })
}

fn is_latin_or_greek(c: char) -> bool {
    c.is_ascii_alphabetic()
        || matches!(c, '\u{c0}'..='\u{24f}' | '\u{370}'..='\u{3ff}' | '\u{1e00}'..='\u{1fff}') && c.is_alphabetic()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn diacritics_and_ligatures_are_folded() {
        assert_eq!(fold("Ångström, Øre, Łódź, Straße, Æsir, naïve"), "angstrom, ore, lodz, strasse, aesir, naive");
        assert_eq!(fold("e\u{301}"), "e");
    }

    #[test]
    fn typographic_punctuation_becomes_plain() {
        assert_eq!(fold("‘a’ “b” — c–d\u{202f}e…"), "'a' \"b\" - c-d e...");
        assert_eq!(fold("co\u{ad}operate\u{200b}"), "cooperate");
    }

    #[test]
    fn other_scripts_keep_their_marks() {
        assert_eq!(fold("ガイド"), "ガイド");
        assert_eq!(fold("йод"), "йод");
        assert_eq!(fold("한국"), "한국");
        assert_eq!(fold("हिन्दी"), "हिन्दी");
    }

    proptest! {
        #[test]
        fn folding_twice_changes_nothing(text in any::<String>()) {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }
    }
}
