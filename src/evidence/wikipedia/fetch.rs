//! A wiki behind its cache: what is kept and still counts is not asked for again.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::api;
use super::cache::{Kind, WikiCache};
use super::client::Client;
use super::lookup::{Found, PageRef};
use super::options::{PageText, WikiOptions};
use super::page::Page;
use super::reply::WikiError;
use super::site::{Address, Site};

/// A search counts for so many times to live: which pages it finds changes more slowly than they do, and what they say
/// is asked after every time to live.
const SEARCH_LIVES: i64 = 7;
/// What a wiki says of itself counts for thirty days.
const SITE_SECONDS: i64 = 30 * 24 * 60 * 60;
/// A revision that was the newest at a moment stays so once the moment is this far back.
const SETTLED_SECONDS: i64 = 60 * 60;
/// Pages that a search is asked for.
const SEARCH_PAGES: usize = 5;

/// A wiki that can be asked.
pub(super) struct Wiki {
    address: Address,
    options: WikiOptions,
    client: Client,
    cache: Option<WikiCache>,
    /// The moment as which pages are taken, and the same as seconds since 1970.
    moment: Option<(String, i64)>,
    run: Mutex<Run>,
    from_cache: AtomicU32,
}

/// What was learned in this run, which counts for as long as it lasts.
#[derive(Default)]
struct Run {
    site: Option<Site>,
    names: HashMap<String, Found>,
    pages: HashMap<String, Page>,
}

impl Wiki {
    pub(super) fn new(
        address: Address,
        options: WikiOptions,
        moment: Option<(String, i64)>,
    ) -> Result<Self, WikiError> {
        let client = Client::new(options.clone())?;
        let cache = options.cache.as_ref().map(WikiCache::new);
        Ok(Self { address, options, client, cache, moment, run: Mutex::default(), from_cache: AtomicU32::new(0) })
    }

    pub(super) fn name(&self) -> &str {
        &self.address.name
    }

    pub(super) fn options(&self) -> &WikiOptions {
        &self.options
    }

    /// Requests sent in this run, and answers that the cache gave instead.
    pub(super) fn counts(&self) -> (u32, u32) {
        (self.client.sent(), self.from_cache.load(Ordering::Relaxed))
    }

    /// Begins a run: the budget is whole, and what may have changed is looked at again.
    pub(super) fn start_run(&self) {
        self.client.start_run();
        self.from_cache.store(0, Ordering::Relaxed);
        *self.run() = Run::default();
    }

    /// Ends a run: the cache keeps to its size.
    pub(super) fn end_run(&self) {
        if let Some(cache) = &self.cache {
            cache.trim(self.options.cache_bytes);
        }
    }

    fn run(&self) -> std::sync::MutexGuard<'_, Run> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the cache keeps, if it still counts: for `lives` times to live, or for good.
    fn kept<T: serde::de::DeserializeOwned>(&self, kind: Kind, key: &str, lives: Option<i64>) -> Option<T> {
        let kept = self.cache.as_ref()?.get::<T>(&self.address.key, kind, key)?;
        let life = i64::try_from(self.options.time_to_live.as_secs()).unwrap_or(i64::MAX);
        let counts = self.options.offline
            || lives.is_none_or(|lives| now().saturating_sub(kept.stored) < life.saturating_mul(lives));
        counts.then(|| {
            self.from_cache.fetch_add(1, Ordering::Relaxed);
            kept.value
        })
    }

    fn keep<T: serde::Serialize>(&self, kind: Kind, key: &str, value: &T) {
        if let Some(cache) = &self.cache {
            cache.put(&self.address.key, kind, key, now(), value);
        }
    }

    /// What the wiki says of itself, where that is known without asking.
    fn known_site(&self) -> Option<Site> {
        if let Some(site) = &self.run().site {
            return Some(site.clone());
        }
        let kept = self.cache.as_ref()?.get::<Site>(&self.address.key, Kind::Site, "site")?;
        let counts = self.options.offline || now().saturating_sub(kept.stored) < SITE_SECONDS;
        counts.then(|| {
            self.run().site = Some(kept.value.clone());
            kept.value
        })
    }

    /// What the wiki says of itself.
    ///
    /// # Errors
    /// When it is not known and cannot be asked.
    pub(super) fn site(&self) -> Result<Site, WikiError> {
        if let Some(site) = self.known_site() {
            return Ok(site);
        }
        self.online(|| "the wiki itself".to_owned())?;
        let looked = api::look_up(&self.client, &self.address, None, &[])?;
        looked
            .site
            .map(|site| self.learn_site(site))
            .ok_or(WikiError::NotAnApi { reason: "the wiki does not say what it is".to_owned() })
    }

    fn learn_site(&self, site: Site) -> Site {
        self.keep(Kind::Site, "site", &site);
        self.run().site = Some(site.clone());
        site
    }

    fn online(&self, what: impl FnOnce() -> String) -> Result<(), WikiError> {
        if self.options.offline { Err(WikiError::Offline { what: what() }) } else { Ok(()) }
    }

    fn learn_name(&self, name: &str, found: &Found) {
        self.keep(Kind::Name, name, found);
        self.run().names.insert(name.to_owned(), found.clone());
    }

    fn learn_page(&self, key: String, page: &Page) {
        self.keep(Kind::Page, &key, page);
        self.run().pages.insert(key, page.clone());
    }

    /// Which pages `names` stand for. Those that have to be asked for are asked for together.
    pub(super) fn look_up(&self, names: &[String]) -> BTreeMap<String, Result<Found, WikiError>> {
        let mut found = BTreeMap::new();
        let mut asked: Vec<String> = Vec::new();
        for name in names {
            if found.contains_key(name) || asked.contains(name) {
                continue;
            }
            let known = self.run().names.get(name).cloned();
            match known.or_else(|| self.kept(Kind::Name, name, Some(1))) {
                Some(known) => {
                    self.run().names.insert(name.clone(), known.clone());
                    found.insert(name.clone(), Ok(known));
                }
                None => asked.push(name.clone()),
            }
        }
        if asked.is_empty() {
            return found;
        }
        if self.options.offline {
            for name in asked {
                let what = format!("“{name}”");
                found.insert(name, Err(WikiError::Offline { what }));
            }
            return found;
        }
        let site = self.known_site();
        match api::look_up(&self.client, &self.address, site.as_ref(), &asked) {
            Ok(looked) => {
                if let Some(site) = looked.site {
                    self.learn_site(site);
                }
                for (name, outcome) in looked.found {
                    self.learn_name(&name, &outcome);
                    if let Found::Page(page) = &outcome
                        && page.title != name
                    {
                        self.learn_name(&page.title, &outcome);
                    }
                    found.insert(name, Ok(outcome));
                }
            }
            Err(error) => found.extend(asked.into_iter().map(|name| (name, Err(error.clone())))),
        }
        found
    }

    /// Pages on which all of `words` stand, best first.
    ///
    /// # Errors
    /// When it is not known and cannot be asked.
    pub(super) fn search(&self, words: &str) -> Result<Vec<PageRef>, WikiError> {
        if let Some(titles) = self.kept::<Vec<String>>(Kind::Search, words, Some(SEARCH_LIVES)) {
            let known = self.look_up(&titles);
            let pages = titles.iter().filter_map(|title| match known.get(title) {
                Some(Ok(Found::Page(page))) => Some(Ok(page.clone())),
                Some(Err(error)) => Some(Err(error.clone())),
                Some(Ok(Found::Missing)) | None => None,
            });
            return pages.collect();
        }
        self.online(|| format!("the search for “{words}”"))?;
        let pages = api::search(&self.client, &self.site()?, words, SEARCH_PAGES)?;
        for page in &pages {
            self.learn_name(&page.title, &Found::Page(page.clone()));
        }
        self.keep(Kind::Search, words, &pages.iter().map(|page| page.title.clone()).collect::<Vec<_>>());
        Ok(pages)
    }

    /// Names that had to be known for an answer before.
    pub(super) fn remembered(&self, answer: &str) -> Vec<String> {
        let cache = self.cache.as_ref();
        let kept = cache.and_then(|cache| cache.get::<Vec<String>>(&self.address.key, Kind::Answer, answer));
        kept.map_or_else(Vec::new, |kept| kept.value)
    }

    /// Remembers which names this run had to know, to ask after all of them at once when the answer comes again.
    pub(super) fn remember(&self, answer: &str) {
        if !self.options.offline {
            let mut names: Vec<String> = self.run().names.keys().cloned().collect();
            names.sort();
            self.keep(Kind::Answer, answer, &names);
        }
    }

    /// The texts of pages, each as it is now or was at the moment asked for; `None` for a page that is younger.
    pub(super) fn pages(&self, pages: &[PageRef], how: PageText) -> Vec<Result<Option<Page>, WikiError>> {
        let how = if self.moment.is_some() { PageText::Parse } else { how };
        if how == PageText::Extracts {
            self.fetch_extracts(pages);
        }
        let next = AtomicUsize::new(0);
        let outcomes: Mutex<BTreeMap<usize, Result<Option<Page>, WikiError>>> = Mutex::default();
        let work = || {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(page) = pages.get(at) else { break };
                let outcome = self.page(page, how);
                outcomes.lock().unwrap_or_else(PoisonError::into_inner).insert(at, outcome);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.options.concurrency.clamp(1, 3) {
                scope.spawn(work);
            }
            work();
        });
        outcomes.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()
    }

    fn page(&self, page: &PageRef, how: PageText) -> Result<Option<Page>, WikiError> {
        let Some((revision, dated)) = self.revision(page)? else { return Ok(None) };
        let key = Page::key(page.page_id, revision, how);
        if let Some(known) = self.run().pages.get(&key) {
            return Ok(Some(known.clone()));
        }
        if let Some(kept) = self.kept::<Page>(Kind::Page, &key, None) {
            self.run().pages.insert(key, kept.clone());
            return Ok(Some(kept));
        }
        self.online(|| format!("the text of “{}”", page.title))?;
        let rendered = api::render(&self.client, &self.site()?, revision)?;
        let mut fetched = Page {
            page_id: page.page_id,
            title: page.title.clone(),
            revision,
            dated,
            retrieved: retrieved(),
            text: Page::text_of_html(&rendered.html),
            links: rendered.links,
        };
        if !page.lists_meanings && !fetched.lists_meanings() {
            fetched.links.clear();
        }
        self.learn_page(key, &fetched);
        Ok(Some(fetched))
    }

    /// Brings the plain texts of those pages into the run that are not known yet; what fails here is parsed.
    fn fetch_extracts(&self, pages: &[PageRef]) {
        let missing: Vec<&PageRef> = pages
            .iter()
            .filter(|page| {
                let key = Page::key(page.page_id, page.revision, PageText::Extracts);
                let known = self.run().pages.contains_key(&key);
                let kept = || self.cache.as_ref()?.get::<Page>(&self.address.key, Kind::Page, &key);
                !page.lists_meanings && !known && kept().is_none()
            })
            .collect();
        if missing.is_empty() || self.options.offline {
            return;
        }
        let ids: Vec<u64> = missing.iter().map(|page| page.page_id).collect();
        let Ok(texts) = self.site().and_then(|site| api::extracts(&self.client, &site, &ids)) else { return };
        for page in missing {
            let Some((revision, text)) = texts.get(&page.page_id).filter(|(_, text)| !text.trim().is_empty()) else {
                continue;
            };
            // A page that was edited between two requests is parsed at the revision that was looked up.
            if *revision != page.revision {
                continue;
            }
            let kept = Page {
                page_id: page.page_id,
                title: page.title.clone(),
                revision: page.revision,
                dated: page.dated.clone(),
                retrieved: retrieved(),
                text: Page::text_of_extract(text),
                links: Vec::new(),
            };
            self.learn_page(Page::key(page.page_id, page.revision, PageText::Extracts), &kept);
        }
    }

    /// The revision to read: the newest, or that of the moment asked for.
    fn revision(&self, page: &PageRef) -> Result<Option<(u64, String)>, WikiError> {
        let Some((moment, seconds)) = &self.moment else { return Ok(Some((page.revision, page.dated.clone()))) };
        let key = format!("{}/{moment}", page.page_id);
        let settled = now() - seconds > SETTLED_SECONDS;
        if let Some(kept) = self.kept(Kind::Moment, &key, if settled { None } else { Some(1) }) {
            return Ok(kept);
        }
        self.online(|| format!("“{}” as of {moment}", page.title))?;
        let found = api::revision_at(&self.client, &self.site()?, page.page_id, moment)?;
        self.keep(Kind::Moment, &key, &found);
        Ok(found)
    }
}

/// Seconds since 1970.
pub(super) fn now() -> i64 {
    jiff::Timestamp::now().as_second()
}

/// This moment, to the second.
fn retrieved() -> String {
    jiff::Timestamp::from_second(now()).map_or_else(|_| String::new(), |moment| moment.to_string())
}
