//! What kind of publication an address belongs to: data in `source_quality.tsv`, shown and never decisive.

/// A line for each domain: the domain, a tab, the hint.
const HINTS: &str = include_str!("source_quality.tsv");

/// What is known of the site that `address` belongs to; `None` where nothing is, or where it is no web address.
///
/// ```
/// use evidex::evidence::source_quality;
/// assert!(source_quality("https://en.wikipedia.org/wiki/Graz").unwrap().starts_with("encyclopaedia"));
/// assert_eq!(source_quality("docs/wikipedia.org"), None);
/// ```
pub fn source_quality(address: &str) -> Option<&'static str> {
    let rest = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"))?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?.split(':').next()?.trim_end_matches('.').to_ascii_lowercase();
    entries()
        .filter(|(domain, _)| {
            host.strip_suffix(domain).is_some_and(|before| before.is_empty() || before.ends_with('.'))
        })
        .max_by_key(|(domain, _)| domain.len())
        .map(|(_, hint)| hint)
}

fn entries() -> impl Iterator<Item = (&'static str, &'static str)> {
    HINTS.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_domain_that_an_address_ends_with_counts() {
        assert_eq!(source_quality("http://www.ncbi.nlm.nih.gov/x"), Some("index of medical literature"));
        assert_eq!(source_quality("https://www.census.gov:443/"), Some("government of the United States"));
        assert_eq!(source_quality("https://notwikipedia.org/"), None);
        assert_eq!(source_quality("https://wikipedia.org.evil.example/"), None);
        assert_eq!(source_quality("http://127.0.0.1:8080/"), None);
    }

    #[test]
    fn every_line_of_the_data_is_a_domain_and_a_hint() {
        let lines = HINTS.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(entries().count(), lines);
        let mut domains: Vec<&str> = entries().map(|(domain, _)| domain).collect();
        assert!(domains.iter().all(|domain| !domain.is_empty() && !domain.contains(char::is_whitespace)));
        domains.sort_unstable();
        let all = domains.len();
        domains.dedup();
        assert_eq!(domains.len(), all, "a domain stands twice");
    }
}
