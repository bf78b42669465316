//! Which wiki it is: where its API is, who may be asked, how its pages are cited.

use reqwest::Url;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::options::{WikiOptions, is_edition};
use super::reply::WikiError;

/// Domains whose operator, the Wikimedia Foundation, requires a contact of whoever asks by program.
const FOUNDATION: &[&str] = &[
    "wikipedia.org",
    "wikimedia.org",
    "wikidata.org",
    "wiktionary.org",
    "wikinews.org",
    "wikibooks.org",
    "wikiquote.org",
    "wikisource.org",
    "wikiversity.org",
    "wikivoyage.org",
    "mediawiki.org",
];

/// A wiki, before it was asked anything.
#[derive(Debug, Clone)]
pub(super) struct Address {
    /// What reports call it: `wikipedia:en`, `wiki:127.0.0.1:8080`.
    pub(super) name: String,
    /// Where its API may be, likeliest first.
    pub(super) candidates: Vec<Url>,
    /// Names its folder in the cache.
    pub(super) key: String,
}

impl Address {
    /// The wiki that the options name.
    ///
    /// # Errors
    /// An address or edition that cannot be one.
    pub(super) fn of(options: &WikiOptions) -> Result<Self, WikiError> {
        let bad = |reason: String| WikiError::Unavailable { reason };
        let parse = |text: &str| Url::parse(text).map_err(|error| bad(format!("`{text}` is no address: {error}")));
        let Some(given) = &options.wiki_url else {
            let edition = &options.edition;
            if !is_edition(edition) {
                return Err(bad(format!("`{edition}` is no language edition, such as en or de")));
            }
            let api = parse(&format!("https://{edition}.wikipedia.org/w/api.php"))?;
            let name = format!("wikipedia:{edition}");
            return Ok(Self { key: name.replace(':', "-"), name, candidates: vec![api] });
        };
        let mut base = parse(given)?;
        if !matches!(base.scheme(), "http" | "https") || base.host_str().is_none() {
            return Err(bad(format!("`{given}` is no http or https address")));
        }
        base.set_query(None);
        base.set_fragment(None);
        let host = base.host_str().unwrap_or_default().to_owned();
        let port = base.port().map_or(String::new(), |port| format!(":{port}"));
        let path = base.path().trim_end_matches('/').to_owned();
        let candidates = if path.ends_with(".php") {
            vec![base.clone()]
        } else {
            // Wikis keep their scripts beside their pages, or in a folder `w`.
            let beside = format!("{path}/api.php");
            let usual = ["/w/api.php".to_owned(), "/api.php".to_owned()].into_iter().filter(|place| *place != beside);
            std::iter::once(beside.clone())
                .chain(usual)
                .map(|place| {
                    let mut url = base.clone();
                    url.set_path(&place);
                    url
                })
                .collect()
        };
        let plain =
            |text: &str| text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect::<String>();
        let key = format!("wiki-{}{}{}", plain(&host), plain(&port), plain(&path));
        Ok(Self { name: format!("wiki:{host}{port}{path}"), candidates, key: key.chars().take(120).collect() })
    }

    /// Whether the operator requires a contact.
    pub(super) fn needs_contact(&self) -> bool {
        self.candidates.iter().filter_map(Url::host_str).any(|host| {
            FOUNDATION
                .iter()
                .any(|domain| host == *domain || host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.')))
        })
    }
}

/// What a wiki says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Site {
    /// Its API.
    pub(super) api: String,
    /// The address of its `index.php`.
    pub(super) script: String,
    /// The licence of its texts, where it names one.
    pub(super) licence: Option<String>,
    /// Its language.
    pub(super) language: String,
}

impl Site {
    /// From the answer to `meta=siteinfo`.
    pub(super) fn of(api: &Url, reply: &Value) -> Option<Self> {
        let query = &reply["query"];
        let general = query["general"].as_object()?;
        let text = |name: &str| general.get(name).and_then(Value::as_str);
        let server = text("server")?;
        // Wikis that answer over both leave the scheme out.
        let server = if server.starts_with("//") { format!("{}:{server}", api.scheme()) } else { server.to_owned() };
        let licence = query["rightsinfo"]["text"].as_str().map(str::trim).filter(|text| !text.is_empty());
        Some(Self {
            api: api.to_string(),
            script: format!("{server}{}", text("script").unwrap_or("/index.php")),
            licence: licence.map(short_licence),
            language: text("lang").unwrap_or_default().to_owned(),
        })
    }

    /// The address of a page at a revision.
    pub(super) fn permalink(&self, title: &str, revision: u64) -> String {
        let Ok(mut url) = Url::parse(&self.script) else { return self.script.clone() };
        url.query_pairs_mut()
            .append_pair("title", &title.replace(' ', "_"))
            .append_pair("oldid", &revision.to_string());
        url.to_string()
    }

    /// The address of a page as it is now.
    pub(super) fn address(&self, title: &str) -> String {
        let Ok(mut url) = Url::parse(&self.script) else { return self.script.clone() };
        url.query_pairs_mut().append_pair("title", &title.replace(' ', "_"));
        url.to_string()
    }
}

/// The usual short name of a Creative Commons licence, anything else as it stands.
fn short_licence(text: &str) -> String {
    let lower = text.to_lowercase();
    match lower
        .strip_prefix("creative commons attribution-share alike ")
        .or_else(|| lower.strip_prefix("creative commons attribution-sharealike "))
    {
        Some(version) => format!("CC BY-SA {}", version.split_whitespace().next().unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn at(url: &str) -> Address {
        Address::of(&WikiOptions { wiki_url: Some(url.to_owned()), ..WikiOptions::default() }).unwrap()
    }

    #[test]
    fn an_edition_has_its_usual_address_and_needs_a_contact() {
        let address = Address::of(&WikiOptions { edition: "de".to_owned(), ..WikiOptions::default() }).unwrap();
        assert_eq!(address.candidates[0].as_str(), "https://de.wikipedia.org/w/api.php");
        assert_eq!(address.name, "wikipedia:de");
        assert!(address.needs_contact());
        assert!(
            Address::of(&WikiOptions { edition: "de.evil.example/".to_owned(), ..WikiOptions::default() }).is_err()
        );
    }

    #[test]
    fn a_wiki_of_ones_own_is_looked_for_beside_its_pages_and_needs_none() {
        let address = at("http://127.0.0.1:8765");
        let places: Vec<&str> = address.candidates.iter().map(Url::as_str).collect();
        assert_eq!(places, ["http://127.0.0.1:8765/api.php", "http://127.0.0.1:8765/w/api.php"]);
        assert!(!address.needs_contact());
        assert_eq!(at("https://wiki.example.org/w/api.php?x=1").candidates.len(), 1);
        assert!(at("https://en.wikipedia.org").needs_contact());
        assert!(!at("https://notwikipedia.org").needs_contact());
        let file = WikiOptions { wiki_url: Some("file:///etc/passwd".to_owned()), ..WikiOptions::default() };
        assert!(Address::of(&file).is_err());
    }

    #[test]
    fn a_permalink_names_page_and_revision() {
        let reply = json!({"query": {
            "general": {"server": "//en.example.org", "script": "/w/index.php", "lang": "en"},
            "rightsinfo": {"text": "Creative Commons Attribution-Share Alike 4.0"},
        }});
        let api = Url::parse("https://en.example.org/w/api.php").unwrap();
        let site = Site::of(&api, &reply).unwrap();
        assert_eq!(site.licence.as_deref(), Some("CC BY-SA 4.0"));
        assert_eq!(
            site.permalink("Selka (moon) & 天", 42),
            "https://en.example.org/w/index.php?title=Selka_%28moon%29_%26_%E5%A4%A9&oldid=42"
        );
    }
}
