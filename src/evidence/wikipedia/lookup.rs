//! From names to pages: what a wiki's answer to a batch of titles says.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A page as the wiki has it now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PageRef {
    /// Its number on the wiki.
    pub(super) page_id: u64,
    /// Its title.
    pub(super) title: String,
    /// Its newest revision.
    pub(super) revision: u64,
    /// When that was written.
    pub(super) dated: String,
    /// Whether it lists the things that bear its name.
    pub(super) lists_meanings: bool,
}

/// What the wiki has under a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Found {
    /// A page, perhaps by way of a redirect.
    Page(PageRef),
    /// None.
    Missing,
}

/// Categories that hold pages which list meanings, on wikis that do not mark them otherwise.
pub(super) const MEANINGS_CATEGORIES: &str =
    "Category:Disambiguation pages|Category:All disambiguation pages|Category:Disambiguation";

/// Ends of titles of such pages.
const MEANINGS_SUFFIXES: &[&str] = &[
    "(disambiguation)",
    "(begriffsklärung)",
    "(desambiguación)",
    "(desambiguação)",
    "(homonymie)",
    "(消歧义)",
    "(disambigua)",
    "(doorverwijspagina)",
];

/// What the parts of an answer say of each of `asked`.
pub(super) fn resolve(asked: &[String], parts: &[Value]) -> BTreeMap<String, Found> {
    let mut steps: HashMap<&str, &str> = HashMap::new();
    for part in parts {
        for kind in ["normalized", "converted", "redirects"] {
            for step in part["query"][kind].as_array().into_iter().flatten() {
                if let (Some(from), Some(to)) = (step["from"].as_str(), step["to"].as_str())
                    && from != to
                {
                    steps.insert(from, to);
                }
            }
        }
    }
    let pages = pages(parts);
    let by_title: HashMap<&str, &PageRef> = pages.iter().map(|(_, page)| (page.title.as_str(), page)).collect();
    asked
        .iter()
        .map(|name| {
            let mut title = name.as_str();
            // Redirects may lead in a circle.
            for _ in 0..=steps.len() {
                match steps.get(title) {
                    Some(next) => title = next,
                    None => break,
                }
            }
            let found = by_title.get(title).map_or(Found::Missing, |page| Found::Page((*page).clone()));
            (name.clone(), found)
        })
        .collect()
}

/// The pages of the parts of an answer, in the order of a search where it was one. What a page has may come in several
/// parts.
pub(super) fn pages(parts: &[Value]) -> Vec<(u64, PageRef)> {
    let mut by_id: BTreeMap<u64, (u64, PageRef)> = BTreeMap::new();
    for page in parts.iter().flat_map(|part| part["query"]["pages"].as_array().into_iter().flatten()) {
        let (Some(page_id), Some(title)) = (page["pageid"].as_u64(), page["title"].as_str()) else { continue };
        let newest = page["revisions"].as_array().and_then(|revisions| revisions.first());
        let rank = page["index"].as_u64();
        let (known_rank, known) = by_id.entry(page_id).or_insert_with(|| {
            let empty = PageRef {
                page_id,
                title: title.to_owned(),
                revision: 0,
                dated: String::new(),
                lists_meanings: lists_meanings_by_title(title),
            };
            (u64::MAX, empty)
        });
        if let Some(rank) = rank {
            *known_rank = rank;
        }
        if let Some(revision) = newest.and_then(|newest| newest["revid"].as_u64()).or(page["lastrevid"].as_u64()) {
            known.revision = revision;
        }
        if let Some(dated) = newest.and_then(|newest| newest["timestamp"].as_str()) {
            dated.clone_into(&mut known.dated);
        }
        known.lists_meanings |= page["pageprops"].get("disambiguation").is_some()
            || page["categories"].as_array().is_some_and(|categories| !categories.is_empty());
    }
    let mut pages: Vec<(u64, PageRef)> = by_id.into_values().filter(|(_, page)| page.revision > 0).collect();
    pages.sort_by_key(|(rank, page)| (*rank, page.page_id));
    pages
}

fn lists_meanings_by_title(title: &str) -> bool {
    let lower = title.to_lowercase();
    MEANINGS_SUFFIXES.iter().any(|suffix| lower.ends_with(suffix))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_are_followed_through_normalisation_and_redirects_to_their_pages() {
        let parts = [json!({"query": {
            "normalized": [{"from": "bridge over the Ilva", "to": "Bridge over the Ilva"}],
            "redirects": [{"from": "Bridge over the Ilva", "to": "Ilva Bridge"}, {"from": "A", "to": "B"}, {"from": "B", "to": "A"}],
            "pages": [
                {"title": "Nothing", "missing": true},
                {"title": "Bad[", "invalid": true},
                {"pageid": 2, "title": "Ilva Bridge", "lastrevid": 9, "revisions": [{"revid": 9, "timestamp": "2026-01-01T00:00:00Z"}]},
            ],
        }})];
        let asked: Vec<String> =
            ["bridge over the Ilva", "Ilva Bridge", "Nothing", "Bad[", "A"].map(str::to_owned).to_vec();
        let found = resolve(&asked, &parts);
        for name in ["bridge over the Ilva", "Ilva Bridge"] {
            assert!(matches!(&found[name], Found::Page(page) if page.revision == 9 && page.title == "Ilva Bridge"));
        }
        for name in ["Nothing", "Bad[", "A"] {
            assert_eq!(found[name], Found::Missing, "{name}");
        }
    }

    #[test]
    fn what_a_page_has_is_gathered_from_several_parts() {
        let parts = [
            json!({"query": {"pages": [{"pageid": 6, "title": "Brandt", "index": 2}, {"pageid": 7, "title": "Tern", "index": 1, "lastrevid": 3}]}}),
            json!({"query": {"pages": [{"pageid": 6, "title": "Brandt", "revisions": [{"revid": 4, "timestamp": "t"}]}]}}),
            json!({"query": {"pages": [{"pageid": 6, "title": "Brandt", "pageprops": {"disambiguation": ""}}]}}),
        ];
        let found: Vec<PageRef> = pages(&parts).into_iter().map(|(_, page)| page).collect();
        assert_eq!(found.iter().map(|page| page.title.as_str()).collect::<Vec<_>>(), ["Tern", "Brandt"]);
        assert!(found[1].lists_meanings && found[1].revision == 4 && !found[0].lists_meanings);
    }
}
