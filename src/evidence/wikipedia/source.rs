//! A wiki as a source of evidence: prepared once for an answer, then asked claim by claim.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::fetch::Wiki;
use super::options::WikiOptions;
use super::page::{Page, section_of};
use super::prepare::{Notes, prepare};
use super::reply::WikiError;
use super::site::Address;
use crate::claim::{Claim, ClaimKind};
use crate::corpus::Document;
use crate::embed::Embedder;
use crate::evidence::LocalIndex;
use crate::evidence::source::{Evidence, EvidenceError, EvidenceSource, Remarks};
use crate::index::{Index, IndexError, IndexOptions, WriterOptions};
use crate::text::language;

/// Claims whose preparation is kept; more are forgotten.
const MOST_CLAIMS: usize = 10_000;

/// What was prepared counts for the time to live, and for this long at the least: so long a text may take.
const LEAST_LIFE: Duration = Duration::from_secs(60 * 60);

/// Takes evidence from Wikipedia, or from another wiki that runs MediaWiki.
///
/// [`EvidenceSource::prepare`] fetches the pages for all claims of a text and indexes them in memory; a claim that was not
/// prepared is prepared alone when it is asked for.
///
/// ```
/// use evidex::evidence::{EvidenceError, WikiOptions, WikipediaSource};
///
/// // The public site is not asked without someone to write to.
/// let refused = WikipediaSource::new(WikiOptions::default(), None);
/// assert!(matches!(refused, Err(EvidenceError::ContactMissing { .. })));
/// ```
pub struct WikipediaSource {
    wiki: Wiki,
    embedder: Option<Arc<dyn Embedder>>,
    prepared: Mutex<HashMap<String, Arc<ClaimEvidence>>>,
    /// Held while a text is prepared: one run at a time has the budget.
    running: Mutex<()>,
}

/// What was prepared for one claim.
struct ClaimEvidence {
    /// The pages fetched for its text; `None` where there is none.
    pool: Option<Arc<Pool>>,
    notes: Notes,
    prepared: Instant,
}

/// The pages of one text, indexed in memory.
struct Pool {
    index: LocalIndex,
    documents: HashMap<String, Document>,
}

impl WikipediaSource {
    /// A wiki as the options name it. With an `embedder` passages are found by meaning too.
    ///
    /// # Errors
    /// [`EvidenceError::ContactMissing`] for a wiki of the Wikimedia Foundation without a contact,
    /// [`EvidenceError::BadOptions`] for options that cannot be meant. Nothing is sent yet.
    pub fn new(options: WikiOptions, embedder: Option<Arc<dyn Embedder>>) -> Result<Self, EvidenceError> {
        let bad = |error: WikiError| EvidenceError::BadOptions { reason: error.to_string() };
        let address = Address::of(&options).map_err(bad)?;
        let contact = options.contact.as_deref().is_some_and(|contact| !contact.trim().is_empty());
        if address.needs_contact() && !contact && !options.offline {
            return Err(EvidenceError::ContactMissing { wiki: address.name });
        }
        let moment = options.as_of.as_deref().map(moment).transpose()?;
        let wiki = Wiki::new(address, options, moment).map_err(bad)?;
        Ok(Self { wiki, embedder, prepared: Mutex::default(), running: Mutex::default() })
    }

    /// Requests sent for the last text, and answers that the cache gave instead.
    pub fn requests(&self) -> (u32, u32) {
        self.wiki.counts()
    }

    /// The embedder that passages are found by.
    pub fn embedder(&self) -> Option<&Arc<dyn Embedder>> {
        self.embedder.as_ref()
    }

    fn prepare_claims(&self, text: &str, claims: &[&Claim]) {
        let _running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        self.wiki.start_run();
        let prepared = prepare(&self.wiki, claims, language(text).language);
        self.wiki.end_run();
        let mut notes = prepared.notes;
        let pool = match self.pool(prepared.pages) {
            Ok(pool) => pool.map(Arc::new),
            Err(error) => {
                for notes in &mut notes {
                    notes.gap.get_or_insert_with(|| format!("the pages cannot be searched: {error}"));
                }
                None
            }
        };
        let prepared = Instant::now();
        let mut kept = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() + claims.len() > MOST_CLAIMS {
            kept.clear();
        }
        for (claim, notes) in claims.iter().zip(notes) {
            kept.insert(claim.text.clone(), Arc::new(ClaimEvidence { pool: pool.clone(), notes, prepared }));
        }
    }

    fn pool(&self, pages: Vec<Page>) -> Result<Option<Pool>, IndexError> {
        if pages.is_empty() {
            return Ok(None);
        }
        // Pages were fetched, so the wiki is known.
        let Ok(site) = self.wiki.site() else { return Ok(None) };
        let options = IndexOptions {
            embedder: self.embedder.as_ref().map(|embedder| embedder.identity().clone()),
            ..IndexOptions::default()
        };
        let index = Index::in_memory(options)?;
        let mut writer = index.writer(self.embedder.clone(), WriterOptions::default())?;
        let mut documents = HashMap::new();
        for page in pages.iter().filter(|page| !page.text.trim().is_empty()) {
            let document = page.document(&site);
            documents.insert(document.id.0.clone(), document.clone());
            writer.add(document)?;
        }
        writer.commit()?;
        drop(writer);
        let index = LocalIndex::new(self.wiki.name(), index.snapshot()?, self.embedder.clone());
        Ok(Some(Pool { index, documents }))
    }

    fn of(&self, claim: &Claim) -> Option<Arc<ClaimEvidence>> {
        let life = self.wiki.options().time_to_live.max(LEAST_LIFE);
        let kept = self.prepared.lock().unwrap_or_else(PoisonError::into_inner).get(&claim.text).cloned();
        kept.filter(|evidence| evidence.prepared.elapsed() <= life)
    }

    /// What the wiki says of itself.
    #[cfg(test)]
    fn site(&self) -> Option<super::site::Site> {
        self.wiki.site().ok()
    }
}

impl EvidenceSource for WikipediaSource {
    fn name(&self) -> String {
        self.wiki.name().to_owned()
    }

    fn prepare(&self, text: &str, claims: &[Claim]) {
        let wanted: Vec<&Claim> =
            claims.iter().filter(|claim| claim.unchecked.is_none() && claim.kind == ClaimKind::Factual).collect();
        if !wanted.is_empty() {
            self.prepare_claims(text, &wanted);
        }
    }

    fn evidence(&self, claim: &Claim, limit: usize) -> Result<Vec<Evidence>, EvidenceError> {
        if self.of(claim).is_none() {
            self.prepare_claims(&claim.text, &[claim]);
        }
        let unavailable = |reason: String| EvidenceError::Unavailable { source_name: self.name(), reason };
        let prepared = self.of(claim).ok_or_else(|| unavailable("it was not prepared".to_owned()))?;
        let Some(pool) = &prepared.pool else {
            return match &prepared.notes.gap {
                Some(gap) => Err(unavailable(gap.clone())),
                None => Ok(Vec::new()),
            };
        };
        let mut found = pool.index.evidence(claim, limit)?;
        for evidence in &mut found {
            if let (Some(pinned), Some(document)) = (&mut evidence.pinned, pool.documents.get(&evidence.document_id.0))
            {
                pinned.section = section_of(&document.text, evidence.span);
            }
        }
        if found.is_empty()
            && let Some(gap) = &prepared.notes.gap
        {
            return Err(unavailable(gap.clone()));
        }
        Ok(found)
    }

    fn remarks(&self, claim: &Claim) -> Remarks {
        self.of(claim).map_or_else(Remarks::default, |prepared| Remarks {
            gap: prepared.notes.gap.clone(),
            caveats: prepared.notes.caveats.clone(),
        })
    }
}

/// The end of a day, or a moment, as the API takes it and as seconds since 1970; not in the future.
fn moment(text: &str) -> Result<(String, i64), EvidenceError> {
    let bad = |reason: String| EvidenceError::BadOptions { reason };
    let is_day = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let whole = if is_day { format!("{text}T23:59:59Z") } else { text.to_owned() };
    let moment: jiff::Timestamp =
        whole.parse().map_err(|_| bad(format!("`{text}` is no date such as 2025-12-31 or 2025-12-31T12:00:00Z")))?;
    let now = jiff::Timestamp::now();
    // The day that is not over yet may be named.
    if moment.as_second() - now.as_second() > 24 * 60 * 60 {
        return Err(bad(format!("`{text}` lies in the future")));
    }
    let moment = jiff::Timestamp::from_second(moment.as_second()).unwrap_or(moment);
    Ok((moment.to_string(), moment.as_second()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_ends_with_its_last_second_and_the_future_is_refused() {
        assert_eq!(moment("2025-12-31").unwrap().0, "2025-12-31T23:59:59Z");
        assert_eq!(moment("2025-12-31T12:00:00Z").unwrap().0, "2025-12-31T12:00:00Z");
        for bad in ["yesterday", "2025-13-01", "", "9999-01-01"] {
            assert!(matches!(moment(bad), Err(EvidenceError::BadOptions { .. })), "{bad}");
        }
    }

    #[test]
    fn the_public_site_is_not_asked_without_a_contact() {
        let missing =
            WikipediaSource::new(WikiOptions { contact: Some("  ".to_owned()), ..WikiOptions::default() }, None);
        assert!(matches!(missing, Err(EvidenceError::ContactMissing { .. })));
        let offline = WikipediaSource::new(WikiOptions { offline: true, ..WikiOptions::default() }, None).unwrap();
        assert!(offline.site().is_none(), "nothing is known and nothing asked");
    }

    #[test]
    fn offline_without_a_cache_a_claim_has_a_gap_and_no_verdict() {
        let source = WikipediaSource::new(WikiOptions { offline: true, ..WikiOptions::default() }, None).unwrap();
        let claim = Claim::whole("The Ilva Bridge is 340 m long.");
        let outcome = source.evidence(&claim, 4);
        assert!(
            matches!(&outcome, Err(EvidenceError::Unavailable { reason, .. }) if reason.contains("not in the cache")),
            "{outcome:?}"
        );
        assert_eq!(source.requests().0, 0);
    }
}
