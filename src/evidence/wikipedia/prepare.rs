//! From all claims of an answer to the pages that may bear on them.
//!
//! Pages that the claims name come first: those that they are about, then those that they mention. Only what these pages
//! do not speak of is searched for, so that ten claims about four pages take a dozen requests and not forty. The same
//! claims take the same steps whether the wiki or the cache answers.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::disambiguation::{Choice, Meaning, choose, meanings};
use super::fetch::Wiki;
use super::lookup::{Found, PageRef};
use super::options::PageText;
use super::page::Page;
use super::plan::{Wanted, stems};
use super::reply::WikiError;
use crate::claim::Claim;
use crate::evidence::Caveat;
use crate::text::{Language, content_words};

/// Names that are looked up for one answer.
const MOST_NAMES: usize = 150;
/// A paragraph that holds this share of a claim's words is taken to speak of it.
const SPEAKS_OF: f64 = 0.75;
/// Pages that are read of what one search finds.
const PAGES_OF_SEARCH: usize = 2;
/// Meanings that are named where a name stays open.
const MEANINGS_SHOWN: usize = 5;

/// What was prepared.
pub(super) struct Prepared {
    pub(super) pages: Vec<Page>,
    /// For each claim, in order.
    pub(super) notes: Vec<Notes>,
}

/// What is to be known of one claim's evidence.
#[derive(Debug, Clone, Default)]
pub(super) struct Notes {
    /// What could not be asked.
    pub(super) gap: Option<String>,
    /// What the reader should know.
    pub(super) caveats: Vec<Caveat>,
}

/// How much may be fetched for a number of claims. For ten: seven pages, four searches.
struct Limits {
    named_pages: usize,
    pages: usize,
    searches: usize,
}

impl Limits {
    fn of(claims: usize) -> Self {
        let share = |tenths: usize, least: usize| (claims * tenths).div_ceil(10).max(least);
        Self { named_pages: share(6, 4), pages: share(7, 5), searches: share(4, 2) }
    }
}

/// Fetches what the claims need.
pub(super) fn prepare(wiki: &Wiki, claims: &[&Claim], language: Language) -> Prepared {
    let mut work = Work {
        wiki,
        language,
        claims: claims.iter().map(|claim| ClaimWork::of(claim, language)).collect(),
        pages: Vec::new(),
        tried: HashSet::new(),
        limits: Limits::of(claims.len()),
    };
    let answer = claims.iter().map(|claim| claim.text.as_str()).collect::<Vec<_>>().join("\n");
    if work.find_named(&answer) {
        work.settle_meanings(&answer);
        work.fetch_named(true);
        work.fetch_named(false);
        work.search();
    }
    let complete = work.claims.iter().all(|claim| claim.notes.gap.is_none());
    if complete {
        wiki.remember(&answer);
    }
    Prepared {
        pages: work.pages.into_iter().map(|read| read.page).collect(),
        notes: work.claims.into_iter().map(|claim| claim.notes).collect(),
    }
}

struct ClaimWork {
    text: String,
    wanted: Wanted,
    stems: Vec<String>,
    /// The pages of the things that it names, in order.
    named: Vec<PageRef>,
    notes: Notes,
}

impl ClaimWork {
    fn of(claim: &Claim, language: Language) -> Self {
        Self {
            text: claim.text.clone(),
            wanted: Wanted::of(claim, language),
            stems: stems(&claim.text, language),
            named: Vec::new(),
            notes: Notes::default(),
        }
    }

    fn gap(&mut self, what: &str, error: &WikiError) {
        self.notes
            .gap
            .get_or_insert_with(|| if what.is_empty() { error.to_string() } else { format!("{what}: {error}") });
    }

    fn caveat(&mut self, code: &str, message: String) {
        if !self.notes.caveats.iter().any(|caveat| caveat.message == message) {
            self.notes.caveats.push(Caveat { code: code.to_owned(), message });
        }
    }
}

/// A page with the words of its paragraphs.
struct Read {
    page: Page,
    paragraphs: Vec<HashSet<String>>,
}

struct Work<'a> {
    wiki: &'a Wiki,
    language: Language,
    claims: Vec<ClaimWork>,
    pages: Vec<Read>,
    /// Numbers of pages that were fetched, or could not be.
    tried: HashSet<u64>,
    limits: Limits,
}

impl Work<'_> {
    /// Looks up all names of all claims at once, with those that the same answer needed before. Whether the wiki can be
    /// asked at all: one that does not answer is not asked further.
    fn find_named(&mut self, answer: &str) -> bool {
        let mut names: Vec<String> = Vec::new();
        let mut seen = HashSet::new();
        for title in self.claims.iter().flat_map(|claim| claim.wanted.things.iter().flatten()) {
            if seen.insert(title.as_str()) && names.len() < MOST_NAMES {
                names.push(title.clone());
            }
        }
        names.extend(self.wiki.remembered(answer).into_iter().take(MOST_NAMES));
        let found = self.wiki.look_up(&names);
        let answers = !found.values().any(|outcome| {
            matches!(outcome, Err(error) if !matches!(error, WikiError::Offline { .. } | WikiError::Budget { .. }))
        });
        if let Some(Err(error)) = found.values().find(|outcome| outcome.is_err())
            && !answers
        {
            for claim in &mut self.claims {
                claim.gap("", error);
            }
        }
        for claim in &mut self.claims {
            for thing in claim.wanted.things.clone() {
                let mut failed = None;
                let page = thing.iter().find_map(|title| match found.get(title)? {
                    Ok(Found::Page(page)) => Some(page.clone()),
                    Ok(Found::Missing) => None,
                    Err(error) => {
                        failed.get_or_insert(error.clone());
                        None
                    }
                });
                match (page, failed) {
                    (Some(page), _) => {
                        if !claim.named.iter().any(|known| known.page_id == page.page_id) {
                            claim.named.push(page);
                        }
                    }
                    (None, Some(error)) => claim.gap("", &error),
                    (None, None) => {}
                }
            }
        }
        answers
    }

    /// Puts the page that is meant in the place of each page that only lists meanings.
    fn settle_meanings(&mut self, answer: &str) {
        let mut lists: Vec<PageRef> = Vec::new();
        for page in self.claims.iter().flat_map(|claim| &claim.named).filter(|page| page.lists_meanings) {
            if !lists.iter().any(|known| known.page_id == page.page_id) {
                lists.push(page.clone());
            }
        }
        if lists.is_empty() {
            return;
        }
        let texts = self.wiki.pages(&lists, PageText::Parse);
        let mut known: HashMap<u64, Result<Vec<Meaning>, WikiError>> = HashMap::new();
        for (list, text) in lists.iter().zip(texts) {
            self.tried.insert(list.page_id);
            known.insert(list.page_id, text.map(|page| page.as_ref().map_or_else(Vec::new, meanings)));
        }
        let mut chosen: BTreeMap<(usize, u64), Option<String>> = BTreeMap::new();
        for (at, claim) in self.claims.iter_mut().enumerate() {
            for list in claim.named.clone().into_iter().filter(|page| page.lists_meanings) {
                let choice = match known.get(&list.page_id) {
                    Some(Ok(meanings)) => {
                        let own = choose(meanings, &list.title, &claim.text, self.language);
                        let choice = if own == Choice::Open {
                            choose(meanings, &list.title, answer, self.language)
                        } else {
                            own
                        };
                        if choice == Choice::Open {
                            claim.caveat("ambiguous_entity", open(&list.title, meanings));
                        }
                        choice
                    }
                    Some(Err(error)) => {
                        claim.gap(&format!("the page “{}”", list.title), error);
                        Choice::Open
                    }
                    None => Choice::Open,
                };
                let title = if let Choice::One(title) = choice { Some(title) } else { None };
                chosen.insert((at, list.page_id), title);
            }
        }
        let mut titles: Vec<String> = chosen.values().flatten().cloned().collect();
        titles.sort();
        titles.dedup();
        let found = self.wiki.look_up(&titles);
        for (at, claim) in self.claims.iter_mut().enumerate() {
            for list in claim.named.clone().into_iter().filter(|page| page.lists_meanings) {
                let title = chosen.get(&(at, list.page_id)).and_then(Option::as_ref);
                let meant = match title.and_then(|title| found.get(title)) {
                    Some(Ok(Found::Page(page))) if !page.lists_meanings => Some(page.clone()),
                    Some(Err(error)) => {
                        claim.gap(&format!("the page “{}”", list.title), error);
                        None
                    }
                    _ => None,
                };
                let Some(place) = claim.named.iter().position(|page| page.page_id == list.page_id) else { continue };
                match meant {
                    Some(page) if !claim.named.iter().any(|known| known.page_id == page.page_id) => {
                        claim.named[place] = page;
                    }
                    _ => {
                        claim.named.remove(place);
                    }
                }
            }
        }
    }

    /// Fetches the pages that the claims are about, or those that they mention besides and that may say more.
    fn fetch_named(&mut self, subjects: bool) {
        let mut wanted: Vec<PageRef> = Vec::new();
        for (at, claim) in self.claims.iter().enumerate() {
            let pages: Vec<&PageRef> = if subjects {
                claim.named.iter().take(1).collect()
            } else if self.is_spoken_of(at) {
                continue;
            } else {
                claim.named.iter().skip(1).collect()
            };
            for page in pages {
                let new =
                    !self.tried.contains(&page.page_id) && !wanted.iter().any(|other| other.page_id == page.page_id);
                if new && self.pages.len() + wanted.len() < self.limits.named_pages {
                    wanted.push(page.clone());
                }
            }
        }
        self.fetch(&wanted, None);
    }

    /// Searches for what no page speaks of yet.
    fn search(&mut self) {
        let context = self.context();
        let mut left = self.limits.searches;
        let mut done: HashMap<String, bool> = HashMap::new();
        for at in self.order_of_search() {
            if self.is_spoken_of(at) {
                continue;
            }
            for words in self.claims[at].wanted.searches(context.as_deref()) {
                let found_something = match done.get(&words) {
                    Some(found) => *found,
                    None if left == 0 => {
                        let message = format!(
                            "{} was not searched for “{words}”: it has taken its share of requests",
                            self.wiki.name()
                        );
                        self.claims[at].caveat("search_incomplete", message);
                        break;
                    }
                    None => {
                        left -= 1;
                        let found = self.search_for(at, &words);
                        done.insert(words, found);
                        found
                    }
                };
                if found_something {
                    break;
                }
            }
        }
    }

    /// Searches once and reads the best of what is new; whether anything was found.
    fn search_for(&mut self, at: usize, words: &str) -> bool {
        match self.wiki.search(words) {
            Ok(hits) => {
                let room = self.limits.pages.saturating_sub(self.pages.len());
                let new: Vec<PageRef> = hits
                    .iter()
                    .filter(|page| !page.lists_meanings && !self.tried.contains(&page.page_id))
                    .take(PAGES_OF_SEARCH.min(room))
                    .cloned()
                    .collect();
                self.fetch(&new, Some(at));
                !hits.is_empty()
            }
            Err(error) => {
                self.claims[at].gap("", &error);
                // Another search would fail the same way.
                true
            }
        }
    }

    /// The first claim about each thing, then the second about each, and so on: so that none goes without.
    fn order_of_search(&self) -> Vec<usize> {
        let mut counts: HashMap<Option<&str>, usize> = HashMap::new();
        let mut order: Vec<(usize, usize)> = self
            .claims
            .iter()
            .enumerate()
            .map(|(at, claim)| {
                let count = counts.entry(claim.wanted.subject()).or_default();
                *count += 1;
                (*count, at)
            })
            .collect();
        order.sort_unstable();
        order.into_iter().map(|(_, at)| at).collect()
    }

    /// Reads pages. What fails is a gap of the claims that name the page, or of the one that it was searched for.
    fn fetch(&mut self, pages: &[PageRef], searched_for: Option<usize>) {
        let texts = self.wiki.pages(pages, self.wiki.options().text);
        let mut meant: Vec<(usize, String)> = Vec::new();
        for (page, text) in pages.iter().zip(texts) {
            self.tried.insert(page.page_id);
            let what = format!("the page “{}”", page.title);
            let concerned: Vec<usize> = (0..self.claims.len())
                .filter(|at| {
                    Some(*at) == searched_for
                        || self.claims[*at].named.iter().any(|named| named.page_id == page.page_id)
                })
                .collect();
            match text {
                Ok(Some(text)) if text.lists_meanings() => {
                    // Told by its words only: nothing on it speaks of one thing.
                    let listed = meanings(&text);
                    for at in concerned {
                        match choose(&listed, &page.title, &self.claims[at].text, self.language) {
                            Choice::One(title) => meant.push((at, title)),
                            Choice::Open => self.claims[at].caveat("ambiguous_entity", open(&page.title, &listed)),
                        }
                    }
                }
                Ok(Some(text)) => self.pages.push(Read::of(text, self.language)),
                Ok(None) => {
                    for at in concerned {
                        self.claims[at].caveat("page_younger", format!("{what} did not exist at that date"));
                    }
                }
                Err(error) => {
                    for at in concerned {
                        self.claims[at].gap(&what, &error);
                    }
                }
            }
        }
        self.fetch_meant(&meant);
    }

    /// Reads the pages that claims mean by a name of several things.
    fn fetch_meant(&mut self, meant: &[(usize, String)]) {
        if meant.is_empty() {
            return;
        }
        let titles: Vec<String> = meant.iter().map(|(_, title)| title.clone()).collect();
        let found = self.wiki.look_up(&titles);
        let mut pages: Vec<PageRef> = Vec::new();
        for (at, title) in meant {
            match found.get(title) {
                Some(Ok(Found::Page(page))) if !page.lists_meanings => {
                    self.claims[*at].named.push(page.clone());
                    let new = !self.tried.contains(&page.page_id) && !pages.contains(page);
                    if new && self.pages.len() + pages.len() < self.limits.pages {
                        pages.push(page.clone());
                    }
                }
                Some(Err(error)) => self.claims[*at].gap(&format!("the page “{title}”"), error),
                _ => {}
            }
        }
        // It ends: no page is read twice.
        if !pages.is_empty() {
            self.fetch(&pages, None);
        }
    }

    /// Whether a paragraph that was read holds most of the claim's words.
    fn is_spoken_of(&self, at: usize) -> bool {
        let stems = &self.claims[at].stems;
        self.pages.iter().flat_map(|read| &read.paragraphs).any(|paragraph| {
            let held = stems.iter().filter(|stem| paragraph.contains(*stem)).count();
            held as f64 >= SPEAKS_OF * stems.len() as f64
        })
    }

    /// What the answer is about: the name that most claims begin with.
    fn context(&self) -> Option<String> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for subject in self.claims.iter().filter_map(|claim| claim.wanted.subject()) {
            *counts.entry(subject).or_default() += 1;
        }
        let most = counts.iter().max_by_key(|(name, count)| (**count, std::cmp::Reverse(**name)));
        most.map(|(name, _)| (*name).to_owned())
    }
}

impl Read {
    fn of(page: Page, language: Language) -> Self {
        let title = content_words(&page.title, language);
        let paragraphs = page
            .text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(|line| content_words(line, language).into_iter().chain(title.iter().cloned()).collect())
            .collect();
        Self { page, paragraphs }
    }
}

fn open(name: &str, meanings: &[Meaning]) -> String {
    let mut titles: Vec<&str> = meanings.iter().map(|meaning| meaning.title.as_str()).collect();
    let more = if titles.len() > MEANINGS_SHOWN { " and others" } else { "" };
    titles.truncate(MEANINGS_SHOWN);
    if titles.is_empty() {
        return format!("“{name}” may mean several things; write which one");
    }
    format!("“{name}” may mean {}{more}; write which one", titles.join(", "))
}
