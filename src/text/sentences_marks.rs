//! The characters that the sentence rules look at.

/// Ends a sentence if what follows allows it.
pub(super) fn is_terminator(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '\u{2026}' | '\u{203c}' | '\u{203d}' | '\u{2047}'..='\u{2049}' | '\u{37e}' | '\u{61f}'
        | '\u{61e}' | '\u{6d4}' | '\u{700}'..='\u{702}' | '\u{2e2e}')
}

/// Ends a sentence whatever follows: terminators of scripts that need no space after them.
pub(super) fn is_strong_terminator(c: char) -> bool {
    matches!(
        c,
        '\u{3002}'
            | '\u{ff01}'
            | '\u{ff0e}'
            | '\u{ff1f}'
            | '\u{ff61}'
            | '\u{fe52}'
            | '\u{fe56}'
            | '\u{fe57}'
            | '\u{589}'
            | '\u{964}'
            | '\u{965}'
            | '\u{104a}'
            | '\u{104b}'
            | '\u{1362}'
            | '\u{1367}'
            | '\u{1368}'
            | '\u{166e}'
            | '\u{1735}'
            | '\u{1736}'
            | '\u{17d4}'
            | '\u{17d5}'
            | '\u{1803}'
            | '\u{1809}'
            | '\u{a4ff}'
            | '\u{abeb}'
    )
}

/// Closes a quotation or bracket directly after a terminator.
pub(super) fn is_closer(c: char) -> bool {
    matches!(
        c,
        ')' | ']'
            | '}'
            | '"'
            | '\''
            | '\u{2019}'
            | '\u{201d}'
            | '\u{bb}'
            | '\u{203a}'
            | '\u{300d}'
            | '\u{300f}'
            | '\u{300b}'
            | '\u{3009}'
            | '\u{ff09}'
            | '\u{3011}'
            | '\u{ff02}'
            | '\u{ff07}'
            | '\u{201c}'
            | '*'
            | '_'
            | '`'
    )
}

/// Opens a quotation, bracket or Spanish question before the first word.
pub(super) fn is_opener(c: char) -> bool {
    matches!(
        c,
        '(' | '['
            | '{'
            | '"'
            | '\''
            | '\u{2018}'
            | '\u{201c}'
            | '\u{201e}'
            | '\u{201a}'
            | '\u{ab}'
            | '\u{2039}'
            | '\u{bb}'
            | '\u{bf}'
            | '\u{a1}'
            | '\u{300c}'
            | '\u{300e}'
            | '\u{300a}'
            | '\u{3008}'
            | '\u{ff08}'
            | '\u{3010}'
            | '`'
            | '*'
            | '_'
            | '<'
    )
}

/// Stands between parts of one sentence: after it, nothing begins.
pub(super) fn is_continuation(c: char) -> bool {
    matches!(c, ',' | ';' | ':' | '%' | '/' | '\u{3001}' | '\u{ff0c}' | '\u{ff1b}' | '\u{ff1a}' | '\u{60c}' | '\u{61b}')
}

/// Dashes and bullets that may stand before a sentence.
pub(super) fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2022}' | '\u{b7}' | '*' | '\u{25aa}' | '\u{25cf}')
}

/// Pictures, which stand after a sentence rather than before one.
pub(super) fn is_picture(c: char) -> bool {
    matches!(c, '\u{1f000}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{fe0f}' | '\u{200d}'
        | '\u{20e3}')
}
