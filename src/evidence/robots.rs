//! What a site's robots.txt asks of programs (RFC 9309).

/// The name under which sites may speak of us.
pub(super) const PRODUCT: &str = "evidex";
/// Bytes of a robots.txt that are read, at least the 500 KiB that RFC 9309 asks for.
pub(super) const MOST_BYTES: u64 = 512 << 10;

/// The rules of one site that are for us.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Robots {
    /// Whether a rule allows, and its path pattern.
    rules: Vec<(bool, String)>,
}

impl Robots {
    /// Everything may be fetched.
    pub(super) fn allow_all() -> Self {
        Self::default()
    }

    /// Reads a file: the groups that name us, or else those that name everyone.
    pub(super) fn parse(text: &str) -> Self {
        let (mut ours, mut everyones) = (Vec::new(), Vec::new());
        let mut named_us = false;
        let (mut in_ours, mut in_everyones, mut in_rules) = (false, false, true);
        for line in text.trim_start_matches('\u{feff}').lines() {
            let line = line.split('#').next().unwrap_or_default();
            let Some((field, value)) = line.split_once(':') else { continue };
            let value = value.trim();
            match field.trim().to_ascii_lowercase().as_str() {
                "user-agent" => {
                    // Several agents in a row begin one group.
                    if in_rules {
                        (in_ours, in_everyones, in_rules) = (false, false, false);
                    }
                    let name: String =
                        value.chars().take_while(|c| c.is_ascii_alphabetic() || matches!(c, '-' | '_')).collect();
                    in_ours |= name.eq_ignore_ascii_case(PRODUCT);
                    in_everyones |= value == "*";
                    named_us |= in_ours;
                }
                field @ ("allow" | "disallow") => {
                    in_rules = true;
                    if value.is_empty() {
                        continue;
                    }
                    let rule = (field == "allow", normal(value));
                    if in_ours {
                        ours.push(rule.clone());
                    }
                    if in_everyones {
                        everyones.push(rule);
                    }
                }
                _ => {}
            }
        }
        Self { rules: if named_us { ours } else { everyones } }
    }

    /// Whether `path` (with its query) may be fetched: the longest pattern that fits decides, and of two the kinder one.
    pub(super) fn allows(&self, path: &str) -> bool {
        let path = normal(path);
        self.rules
            .iter()
            .filter(|(_, pattern)| fits(pattern, &path))
            .max_by_key(|(allows, pattern)| (pattern.len(), *allows))
            .is_none_or(|(allows, _)| *allows)
    }
}

/// With its percent-escapes in capitals and other than ASCII escaped, so that two ways of writing compare equal.
fn normal(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    let mut escape = 0;
    for byte in path.bytes() {
        if escape > 0 {
            escape -= 1;
            text.push(char::from(byte).to_ascii_uppercase());
        } else if byte == b'%' {
            escape = 2;
            text.push('%');
        } else if byte.is_ascii() {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

/// Whether a pattern, with `*` for anything and `$` for the end, fits the beginning of a path. Linear but for its stars.
fn fits(pattern: &str, path: &str) -> bool {
    let (pattern, to_end) = pattern.strip_suffix('$').map_or((pattern, false), |pattern| (pattern, true));
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| path.strip_prefix(first)) else { return false };
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        if to_end && parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    !to_end || rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_that_names_us_outranks_the_one_for_everyone() {
        let text = "User-agent: *\nDisallow: /\n\nUser-Agent: other\nUser-agent: EVIDEX\nDisallow: /private/ # not this\nAllow: /private/open\n";
        let robots = Robots::parse(text);
        assert!(robots.allows("/page"));
        assert!(!robots.allows("/private/x"));
        assert!(robots.allows("/private/open/x"));
        assert!(!Robots::parse("User-agent: *\nDisallow: /").allows("/"));
        assert!(Robots::parse("User-agent: evidexbot\nDisallow: /").allows("/"), "that is another");
        assert!(Robots::parse("User-agent: *\nDisallow:").allows("/x"));
        assert!(Robots::parse("<html>not found</html>").allows("/x"));
    }

    #[test]
    fn a_group_that_names_us_without_rules_allows_all() {
        assert!(Robots::parse("User-agent: evidex\nDisallow:\n\nUser-agent: *\nDisallow: /").allows("/x"));
    }

    #[test]
    fn patterns_fit_from_the_start_with_stars_and_an_end() {
        for (pattern, path, expected) in [
            ("/fish", "/fish.html", true),
            ("/fish", "/Fish", false),
            ("/fish/", "/fish", false),
            ("/*.php", "/a/b.php?x", true),
            ("/*.php$", "/a/b.php?x", false),
            ("/*.php$", "/a.php/b.php", true),
            ("/a*b*c", "/a-b-c-d", true),
            ("*", "/x", true),
            ("/x$", "/x", true),
        ] {
            assert_eq!(fits(pattern, path), expected, "{pattern} {path}");
        }
        assert!(!Robots::parse("User-agent: *\nDisallow: /caf\u{e9}").allows("/caf%c3%a9"));
    }
}
