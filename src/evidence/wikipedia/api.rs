//! The questions that a wiki is asked, each in as few requests as it takes.

use std::collections::BTreeMap;

use reqwest::Url;
use serde_json::Value;

use super::client::{Client, Parameters};
use super::lookup::{Found, MEANINGS_CATEGORIES, PageRef, pages, resolve};
use super::reply::WikiError;
use super::site::{Address, Site};

/// Titles in one request, as the API allows to all.
pub(super) const BATCH: usize = 50;

/// The answer to a batch of names.
pub(super) struct Looked {
    pub(super) found: BTreeMap<String, Found>,
    /// What the wiki says of itself, where that was asked too.
    pub(super) site: Option<Site>,
}

/// A page as rendered.
pub(super) struct Rendered {
    pub(super) html: String,
    /// Titles of the articles that it links to.
    pub(super) links: Vec<String>,
}

fn parameters(pairs: &[(&str, &str)]) -> Parameters {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// Titles joined as the API takes them.
fn joined(titles: &[String]) -> String {
    titles.join("|")
}

const ABOUT_PAGES: &[(&str, &str)] = &[
    ("prop", "info|pageprops|revisions|categories"),
    ("ppprop", "disambiguation"),
    ("rvprop", "ids|timestamp"),
    ("clcategories", MEANINGS_CATEGORIES),
    ("cllimit", "max"),
    ("redirects", "1"),
    ("converttitles", "1"),
];

/// Which pages `names` stand for; and, where the API is not known yet, where it is and what the wiki says of itself.
///
/// # Errors
/// When the wiki does not answer.
pub(super) fn look_up(
    client: &Client,
    address: &Address,
    known: Option<&Site>,
    names: &[String],
) -> Result<Looked, WikiError> {
    let mut looked = Looked { found: BTreeMap::new(), site: None };
    let mut batches: Vec<&[String]> = names.chunks(BATCH).collect();
    if batches.is_empty() && known.is_none() {
        batches.push(&[]);
    }
    for batch in batches {
        let mut request = parameters(&[("action", "query")]);
        if !batch.is_empty() {
            request.extend(parameters(ABOUT_PAGES));
            request.push(("titles".to_owned(), joined(batch)));
        }
        let site = known.or(looked.site.as_ref());
        let parts = match site {
            Some(site) => client.query(&api_of(site)?, &request)?,
            None => {
                request.extend(parameters(&[("meta", "siteinfo"), ("siprop", "general|rightsinfo")]));
                let (site, parts) = discover(client, address, &request)?;
                looked.site = Some(site);
                parts
            }
        };
        looked.found.extend(resolve(batch, &parts));
    }
    Ok(looked)
}

/// The API's address.
///
/// # Errors
/// When what was kept of the wiki is no address.
pub(super) fn api_of(site: &Site) -> Result<Url, WikiError> {
    Url::parse(&site.api).map_err(|error| WikiError::Unavailable { reason: format!("`{}`: {error}", site.api) })
}

/// Asks where the API may be, until one answers.
fn discover(client: &Client, address: &Address, request: &Parameters) -> Result<(Site, Vec<Value>), WikiError> {
    let mut why = None;
    for api in &address.candidates {
        match client.query(api, request) {
            Ok(parts) => {
                if let Some(site) = parts.iter().find_map(|part| Site::of(api, part)) {
                    return Ok((site, parts));
                }
                why.get_or_insert(WikiError::NotAnApi {
                    reason: "the answer is JSON, but not of a MediaWiki".to_owned(),
                });
            }
            Err(error @ WikiError::NotAnApi { .. }) => {
                // A log-in page tells more than a page that is not there.
                why.get_or_insert(error);
            }
            Err(error) => return Err(error),
        }
    }
    Err(why.unwrap_or(WikiError::Unavailable { reason: "the wiki has no address".to_owned() }))
}

/// The first `limit` pages that the wiki's full-text search finds, best first.
///
/// # Errors
/// When the wiki does not answer.
pub(super) fn search(client: &Client, site: &Site, words: &str, limit: usize) -> Result<Vec<PageRef>, WikiError> {
    let mut request = parameters(&[
        ("action", "query"),
        ("generator", "search"),
        ("gsrwhat", "text"),
        ("gsrnamespace", "0"),
        ("gsrsearch", words),
        ("gsrlimit", &limit.to_string()),
    ]);
    request.extend(parameters(ABOUT_PAGES));
    let parts = client.query(&api_of(site)?, &request)?;
    Ok(pages(&parts).into_iter().map(|(_, page)| page).take(limit).collect())
}

/// The newest revision of a page that is not after `moment`, and when it was written; `None` where the page is younger.
///
/// # Errors
/// When the wiki does not answer.
pub(super) fn revision_at(
    client: &Client,
    site: &Site,
    page_id: u64,
    moment: &str,
) -> Result<Option<(u64, String)>, WikiError> {
    let request = parameters(&[
        ("action", "query"),
        ("prop", "revisions"),
        ("pageids", &page_id.to_string()),
        ("rvlimit", "1"),
        ("rvdir", "older"),
        ("rvstart", moment),
        ("rvprop", "ids|timestamp"),
    ]);
    let reply = client.get(&api_of(site)?, &request)?;
    let newest = &reply["query"]["pages"][0]["revisions"][0];
    Ok(newest["revid"].as_u64().zip(newest["timestamp"].as_str().map(str::to_owned)))
}

/// A revision as rendered, without the marks for editors.
///
/// # Errors
/// When the wiki does not answer.
pub(super) fn render(client: &Client, site: &Site, revision: u64) -> Result<Rendered, WikiError> {
    let request = parameters(&[
        ("action", "parse"),
        ("oldid", &revision.to_string()),
        ("prop", "text|links"),
        ("disableeditsection", "1"),
        ("disabletoc", "1"),
        ("disablelimitreport", "1"),
    ]);
    rendered(&client.get(&api_of(site)?, &request)?)
}

/// Reads the reply to `action=parse`. Whether a link's page exists is not looked at: a rendering that the wiki kept from
/// before the page was written goes on saying that it does not.
fn rendered(reply: &Value) -> Result<Rendered, WikiError> {
    let html = reply["parse"]["text"].as_str();
    let html = html.ok_or_else(|| WikiError::Unavailable { reason: "the page came without its text".to_owned() })?;
    let links = reply["parse"]["links"].as_array().into_iter().flatten();
    let links = links.filter(|link| link["ns"].as_i64() == Some(0));
    Ok(Rendered {
        html: html.to_owned(),
        links: links.filter_map(|link| link["title"].as_str().map(str::to_owned)).collect(),
    })
}

/// The plain texts of pages by their numbers, with the revision of each; a page is left out where the wiki has no
/// TextExtracts. The extension gives one whole text an answer: the rest comes by `excontinue`.
///
/// # Errors
/// When the wiki does not answer.
pub(super) fn extracts(
    client: &Client,
    site: &Site,
    page_ids: &[u64],
) -> Result<BTreeMap<u64, (u64, String)>, WikiError> {
    let mut texts = BTreeMap::new();
    for batch in page_ids.chunks(BATCH) {
        let ids = batch.iter().map(u64::to_string).collect::<Vec<_>>().join("|");
        let request = parameters(&[
            ("action", "query"),
            ("prop", "extracts|info"),
            ("pageids", &ids),
            ("explaintext", "1"),
            ("exsectionformat", "wiki"),
            ("exlimit", "1"),
        ]);
        let parts = client.query(&api_of(site)?, &request)?;
        for page in parts.iter().flat_map(|part| part["query"]["pages"].as_array().into_iter().flatten()) {
            let (Some(id), Some(text)) = (page["pageid"].as_u64(), page["extract"].as_str()) else { continue };
            let revision = parts
                .iter()
                .flat_map(|part| part["query"]["pages"].as_array().into_iter().flatten())
                .find_map(|other| (other["pageid"] == page["pageid"]).then(|| other["lastrevid"].as_u64()).flatten());
            if let Some(revision) = revision {
                texts.insert(id, (revision, text.to_owned()));
            }
        }
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_a_rendering_older_than_their_pages_count_and_those_to_other_namespaces_do_not() {
        let reply = serde_json::json!({"parse": {"text": "<p>x</p>", "links": [
            {"ns": 0, "title": "Selka (moon)", "exists": false},
            {"ns": 0, "title": "Selka River", "exists": true},
            {"ns": 14, "title": "Category:Names", "exists": true},
        ]}});
        let rendered = rendered(&reply).expect("a rendering");
        assert_eq!(rendered.links, ["Selka (moon)", "Selka River"]);
        assert!(super::rendered(&serde_json::json!({"parse": {}})).is_err());
    }
}
