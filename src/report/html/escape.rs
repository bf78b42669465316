//! Text that cannot become markup.

/// For text and quoted attributes alike. Control characters, and marks that turn the direction of what follows, become
/// U+FFFD: they could hide or disguise what stands there.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\r' => {}
            '\n' | '\t' => escaped.push(c),
            '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => escaped.push('\u{FFFD}'),
            c if c.is_control() => escaped.push('\u{FFFD}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// An address that may be a link: http and https only.
pub(super) fn link(address: &str) -> Option<String> {
    let lower = address.trim_start().to_ascii_lowercase();
    (lower.starts_with("https://") || lower.starts_with("http://")).then(|| escaped(address.trim()))
}
