//! Characters that steer what shows them: control characters and those that turn the direction of what follows.

/// Whether a character could make a terminal or a page show something else than the text says: a control character, or an
/// embedding, override or isolate of Unicode's bidirectional algorithm. White space counts where it is a control character.
///
/// ```
/// use evidex::text::steers_display;
/// assert!(steers_display('\u{1b}') && steers_display('\u{202e}') && steers_display('\n'));
/// assert!(!steers_display('é') && !steers_display('\u{200f}'));
/// ```
pub fn steers_display(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
