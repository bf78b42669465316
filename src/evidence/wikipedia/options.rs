//! What a wiki is asked, how politely, and where answers are kept.

use std::path::PathBuf;
use std::time::Duration;

use crate::Cancellation;

/// How the text of a page is had.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum PageText {
    /// As the page is rendered, with its tables and information boxes as rows: many facts stand only there.
    #[default]
    Parse,
    /// As plain text by the extension TextExtracts, which leaves tables out; pages without one are parsed.
    Extracts,
}

impl PageText {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Parse => "parse",
            Self::Extracts => "extracts",
        }
    }
}

/// How a wiki is asked. The defaults are those that the Wikimedia Foundation asks of its guests.
#[derive(Debug, Clone)]
pub struct WikiOptions {
    /// Language edition of Wikipedia, where `wiki_url` is `None`.
    pub edition: String,
    /// Another wiki: its address, or that of its `api.php`.
    pub wiki_url: Option<String>,
    /// Who runs this, for the wiki's operators: a mail address or a page. The Foundation's wikis are not asked without.
    pub contact: Option<String>,
    /// Takes each page as it stood at the end of that day, "2025-12-31", or at that moment, "2025-12-31T12:00:00Z".
    pub as_of: Option<String>,
    /// Answers from the cache alone.
    pub offline: bool,
    /// The cache's folder; `None` keeps nothing.
    pub cache: Option<PathBuf>,
    /// Most bytes that the cache keeps.
    pub cache_bytes: u64,
    /// How long pages and searches are taken from the cache without asking whether they changed.
    pub time_to_live: Duration,
    /// How the text of a page is had.
    pub text: PageText,
    /// Requests a second, on average.
    pub rate: f64,
    /// Requests that may follow each other at once.
    pub burst: u32,
    /// Requests that may run at the same time, 1 to 3.
    pub concurrency: u32,
    /// Most requests of one run, repeated ones included.
    pub requests: u32,
    /// How often a request is repeated.
    pub retries: u32,
    /// The wait before the first repetition; each further one waits twice as long.
    pub backoff: Duration,
    /// The longest wait that a wiki may ask for.
    pub longest_wait: Duration,
    /// For one request, from its first byte to the last of its answer.
    pub timeout: Duration,
    /// Most bytes of one answer, decompressed.
    pub max_bytes: u64,
    /// The proxy's address; `None` takes what the environment says.
    pub proxy: Option<String>,
    /// Seeds the random part of the waits.
    pub seed: u64,
    /// Stops the work between and during requests.
    pub cancellation: Cancellation,
}

impl Default for WikiOptions {
    fn default() -> Self {
        Self {
            edition: "en".to_owned(),
            wiki_url: None,
            contact: None,
            as_of: None,
            offline: false,
            cache: None,
            cache_bytes: 256 << 20,
            time_to_live: Duration::from_secs(24 * 60 * 60),
            text: PageText::default(),
            rate: 1.0,
            burst: 3,
            concurrency: 1,
            requests: 60,
            retries: 3,
            backoff: Duration::from_secs(1),
            longest_wait: Duration::from_secs(60),
            timeout: Duration::from_secs(20),
            max_bytes: 16 << 20,
            proxy: None,
            seed: 0,
            cancellation: Cancellation::new(),
        }
    }
}

/// Whether `code` can be the name of a language edition: it becomes part of a host name.
pub fn is_edition(code: &str) -> bool {
    (2..=20).contains(&code.len())
        && code.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        && code.starts_with(|first: char| first.is_ascii_lowercase())
        && !code.ends_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edition_is_a_plain_label_and_nothing_that_could_name_another_host() {
        for good in ["en", "de", "pt", "simple", "zh-min-nan"] {
            assert!(is_edition(good), "{good}");
        }
        for bad in ["", "e", "EN", "en.evil", "en/..", "en@evil", "-en", "en-", "日本"] {
            assert!(!is_edition(bad), "{bad}");
        }
    }
}
