//! The verifier: from a text to claims, from each claim to evidence, from both to a verdict.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::ask::Asked;
use super::checks::Check;
use super::judge::{Outcome, judge};
use super::judged::{Judged, Open, State};
use super::nli::{NliError, NliModel};
use super::reading::{ReadOptions, ReadText};
use super::rule::Rule;
use super::settings::VerifySettings;
use super::several::{MOST_STATEMENTS, Several};
use super::window::PassageReading;
use super::{CheckFailure, Label, Stance, Verdict, VerifyError, Warning};
use crate::claim::{Claim, ClaimKind, ClaimOptions, Unchecked, extract};
use crate::embed::Embedder;
use crate::evidence::{Caveat, Evidence, EvidenceSource, join_parts};
use crate::text::{Language, TextSpan, language, sentences, tokens};
use crate::{Cancellation, Progress};

/// Bytes of a claim for which one more passage is looked at: a part of a long sentence is about that long.
const BYTES_A_PART: usize = 500;

/// A claim and its verdict.
#[derive(Debug, Clone)]
pub struct CheckedClaim {
    /// What the text states.
    pub claim: Claim,
    /// What the sources say to it.
    pub verdict: Verdict,
}

/// Which models took part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModelsUsed {
    /// Name and digest of the embedder, if one was given.
    pub embedder: Option<(String, String)>,
    /// Name and digest of the NLI model, if one was given.
    pub nli: Option<(String, String)>,
}

/// Where the time went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Timings {
    /// Splitting the text into claims.
    pub claims: Duration,
    /// Finding evidence, summed over claims.
    pub evidence: Duration,
    /// Checks and fusion, summed over claims.
    pub checks: Duration,
    /// From first to last, as a clock shows it.
    pub total: Duration,
}

/// A text verified.
#[derive(Debug, Clone)]
pub struct Verification {
    /// The text as given.
    pub answer: String,
    /// Its claims in order, each with its verdict; none is left out.
    pub claims: Vec<CheckedClaim>,
    /// Which models took part.
    pub models: ModelsUsed,
    /// Names of the evidence sources.
    pub sources: Vec<String>,
    /// Where the time went.
    pub timings: Timings,
}

/// Verifies texts against evidence. Cheap to share between threads.
///
/// ```
/// use std::sync::Arc;
///
/// use evidex::claim::Claim;
/// use evidex::corpus::DocumentId;
/// use evidex::evidence::{Evidence, EvidenceError, EvidenceSource};
/// use evidex::text::TextSpan;
/// use evidex::verify::{Label, Verifier};
///
/// struct OnePassage(&'static str);
///
/// impl EvidenceSource for OnePassage {
///     fn name(&self) -> String {
///         "notes".to_owned()
///     }
///
///     fn evidence(&self, _: &Claim, _: usize) -> Result<Vec<Evidence>, EvidenceError> {
///         Ok(vec![Evidence {
///             document_id: DocumentId::from("notes"),
///             source: "notes.txt".to_owned(),
///             title: None,
///             url: None,
///             text: self.0.to_owned(),
///             span: TextSpan::whole(self.0),
///             chars_before: 0,
///             lead: String::new(),
///             ..Evidence::default()
///         }])
///     }
/// }
///
/// let source = OnePassage("The bridge opened in 1931. It is 240 m long.");
/// let verifier = Verifier::builder().source(Arc::new(source)).build()?;
/// let verification = verifier.verify("The bridge opened in 1931. The bridge is 420 m long.")?;
/// let labels: Vec<Label> = verification.claims.iter().map(|checked| checked.verdict.label).collect();
/// assert_eq!(labels, [Label::Supported, Label::Contradicted]);
/// assert_eq!(verification.claims[1].verdict.evidence[0].quote, "The bridge opened in 1931. It is 240 m long.");
/// # Ok::<(), evidex::verify::VerifyError>(())
/// ```
pub struct Verifier {
    sources: Vec<Arc<dyn EvidenceSource>>,
    embedder: Option<Arc<dyn Embedder>>,
    nli: Option<Arc<dyn NliModel>>,
    checks: Vec<Arc<dyn Check>>,
    settings: VerifySettings,
    cancellation: Cancellation,
    progress: Option<Arc<dyn Progress>>,
    cache: Mutex<HashMap<PassageKey, Arc<PassageReading>>>,
    evidence_nanos: AtomicU64,
    check_nanos: AtomicU64,
}

type PassageKey = (String, TextSpan, u64, Language);

/// Words of the longest claim that is checked as one statement: comparing grows with the square of it.
const MOST_CLAIM_WORDS: usize = 600;
/// Bytes of the longest such claim: one word may be as long as a page.
const MOST_CLAIM_BYTES: usize = 16 << 10;
/// Passages kept as read; a full cache is emptied.
const CACHED_PASSAGES: usize = 20_000;
/// Passages, nearest first, whose sentences a model may read although they share no word with the claim.
const OPEN_PASSAGES: usize = 3;

/// Builds a [`Verifier`].
#[derive(Default)]
pub struct VerifierBuilder {
    sources: Vec<Arc<dyn EvidenceSource>>,
    embedder: Option<Arc<dyn Embedder>>,
    nli: Option<Arc<dyn NliModel>>,
    checks: Vec<Arc<dyn Check>>,
    settings: VerifySettings,
    cancellation: Cancellation,
    progress: Option<Arc<dyn Progress>>,
}

impl VerifierBuilder {
    /// Adds an evidence source; all of them are asked.
    #[must_use]
    pub fn source(mut self, source: Arc<dyn EvidenceSource>) -> Self {
        self.sources.push(source);
        self
    }

    /// Says by which embedder the sources find passages, for reports to name. It decides nothing: on labelled sets a near
    /// vector was no sign of support beyond what the checks see.
    #[must_use]
    pub fn embedder(mut self, embedder: Arc<dyn Embedder>) -> Self {
        self.embedder = Some(embedder);
        self
    }

    /// Asks a model where the checks leave a claim open.
    #[must_use]
    pub fn nli(mut self, model: Arc<dyn NliModel>) -> Self {
        self.nli = Some(model);
        self
    }

    /// Adds a check of the caller's own.
    #[must_use]
    pub fn check(mut self, check: Arc<dyn Check>) -> Self {
        self.checks.push(check);
        self
    }

    /// Replaces the settings.
    #[must_use]
    pub fn settings(mut self, settings: VerifySettings) -> Self {
        self.settings = settings;
        self
    }

    /// A switch that stops the work between two claims.
    #[must_use]
    pub fn cancellation(mut self, cancellation: Cancellation) -> Self {
        self.cancellation = cancellation;
        self
    }

    /// Told as claims are done.
    #[must_use]
    pub fn progress(mut self, progress: Arc<dyn Progress>) -> Self {
        self.progress = Some(progress);
        self
    }

    /// The verifier.
    ///
    /// # Errors
    /// [`VerifyError::NoSource`] if no evidence source was given.
    pub fn build(self) -> Result<Verifier, VerifyError> {
        if self.sources.is_empty() {
            return Err(VerifyError::NoSource);
        }
        Ok(Verifier {
            sources: self.sources,
            embedder: self.embedder,
            nli: self.nli,
            checks: self.checks,
            settings: self.settings,
            cancellation: self.cancellation,
            progress: self.progress,
            cache: Mutex::default(),
            evidence_nanos: AtomicU64::new(0),
            check_nanos: AtomicU64::new(0),
        })
    }
}

impl Verifier {
    /// A builder; at least one source must be added.
    pub fn builder() -> VerifierBuilder {
        VerifierBuilder::default()
    }

    /// The settings.
    pub fn settings(&self) -> &VerifySettings {
        &self.settings
    }

    /// Splits `answer` into claims and verifies each.
    ///
    /// # Errors
    /// [`VerifyError::Cancelled`] if the caller asked to stop before any claim was checked; later, what is left is not
    /// checked, [`Unchecked::Stopped`]. What fails for one claim is in its verdict.
    pub fn verify(&self, answer: &str) -> Result<Verification, VerifyError> {
        if self.cancellation.is_cancelled() {
            return Err(VerifyError::Cancelled);
        }
        let start = Instant::now();
        let claims = extract(answer, &self.claim_options());
        let extracted = start.elapsed();
        let mut verification = self.verify_claims(answer, claims)?;
        verification.timings.claims = extracted;
        verification.timings.total = start.elapsed();
        Ok(verification)
    }

    /// Verifies claims of `answer` that are split already, in their order.
    ///
    /// # Errors
    /// As [`Verifier::verify`].
    pub fn verify_claims(&self, answer: &str, claims: Vec<Claim>) -> Result<Verification, VerifyError> {
        let start = Instant::now();
        let hint = language(answer).or_hint(self.settings.language).language;
        for source in &self.sources {
            source.prepare(answer, &claims);
        }
        let prepared = start.elapsed();
        // Stopped while evidence was fetched, what came is still judged; that takes no time.
        let fetching_stopped = self.cancellation.is_cancelled();
        self.evidence_nanos.fetch_add(nanos(prepared), Ordering::Relaxed);
        let done = AtomicU64::new(0);
        let total = claims.len() as u64;
        let claims: Vec<CheckedClaim> = claims
            .into_par_iter()
            .map(|claim| {
                if !fetching_stopped && self.cancellation.is_cancelled() {
                    let verdict = unchecked(claim.unchecked.unwrap_or(Unchecked::Stopped), Vec::new());
                    return CheckedClaim { claim, verdict };
                }
                let verdict = self.verdict(&claim, hint);
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                if let Some(progress) = &self.progress {
                    progress.advance(done, Some(total));
                }
                CheckedClaim { claim, verdict }
            })
            .collect();
        if self.cancellation.is_cancelled() && claims.iter().all(|checked| checked.verdict.label == Label::NotChecked) {
            return Err(VerifyError::Cancelled);
        }
        Ok(Verification {
            answer: answer.to_owned(),
            claims,
            models: self.models(),
            sources: self.sources.iter().map(|source| source.name()).collect(),
            timings: Timings {
                claims: Duration::ZERO,
                evidence: Duration::from_nanos(self.evidence_nanos.swap(0, Ordering::Relaxed)),
                checks: Duration::from_nanos(self.check_nanos.swap(0, Ordering::Relaxed)),
                total: start.elapsed(),
            },
        })
    }

    /// Verifies one claim as a whole, without splitting it.
    pub fn verify_claim(&self, claim: &Claim) -> Verdict {
        self.verdict(claim, self.settings.language)
    }

    fn claim_options(&self) -> ClaimOptions {
        let known = self.settings.language != Language::Unknown;
        ClaimOptions { question: self.settings.question.clone(), language: known.then_some(self.settings.language) }
    }

    fn models(&self) -> ModelsUsed {
        ModelsUsed {
            embedder: self.embedder.as_ref().map(|embedder| {
                let identity = embedder.identity();
                (identity.name.clone(), identity.digest.clone())
            }),
            nli: self.nli.as_ref().map(|model| (model.name().to_owned(), model.digest().to_owned())),
        }
    }

    /// Judges one claim as a whole, up to where thresholds decide: the verdict by any of them costs next to nothing then.
    pub fn judge_claim(&self, claim: &Claim) -> Judged {
        self.judged(claim, self.settings.language)
    }

    fn verdict(&self, claim: &Claim, hint: Language) -> Verdict {
        self.judged(claim, hint).verdict(Rule::built_in().thresholds)
    }

    fn judged(&self, claim: &Claim, hint: Language) -> Judged {
        let whole = self.judged_as_one(claim, hint);
        if !matches!(whole.0, State::Open(_)) {
            return whole;
        }
        let statements = self.statements(&claim.text);
        if statements.is_empty() {
            return whole;
        }
        let judge = |statement: Claim| {
            let judged = self.judged_as_one(&statement, hint);
            (statement, judged)
        };
        Judged(State::Several(Box::new(Several { whole, statements: statements.into_iter().map(judge).collect() })))
    }

    /// What a claim of several sentences states; nothing for a single sentence, for too much, and where
    /// a part of it cannot be checked.
    fn statements(&self, claim: &str) -> Vec<Claim> {
        if sentences(claim).len() < 2 {
            return Vec::new();
        }
        let (statements, others): (Vec<Claim>, Vec<Claim>) =
            extract(claim, &self.claim_options()).into_iter().partition(|statement| statement.unchecked.is_none());
        // A question and a greeting state nothing; what else is not to be checked would be passed over.
        let passed_over =
            others.iter().any(|other| !matches!(other.unchecked, Some(Unchecked::Question | Unchecked::Greeting)));
        if passed_over || statements.len() > MOST_STATEMENTS { Vec::new() } else { statements }
    }

    fn judged_as_one(&self, claim: &Claim, hint: Language) -> Judged {
        let settled = |verdict: Verdict| Judged(State::Settled(Box::new(verdict)));
        if let Some(reason) = claim.unchecked {
            return settled(unchecked(reason, Vec::new()));
        }
        if claim.kind == ClaimKind::Arithmetic
            && let Some(verdict) = super::arithmetic::verdict(&claim.text)
        {
            return settled(verdict);
        }
        if is_too_long(&claim.text) {
            return settled(unchecked(Unchecked::TooLong, Vec::new()));
        }
        let guess = language(&claim.text).or_hint(hint);
        if guess.reliable && matches!(guess.language, Language::Other(_)) {
            return settled(unchecked(Unchecked::UnsupportedLanguage, Vec::new()));
        }
        let options = self.options(guess.language);
        let start = Instant::now();
        let mut failures = Vec::new();
        let mut passages = Vec::new();
        let mut caveats: Vec<Warning> = Vec::new();
        for source in &self.sources {
            // A long claim may be a sentence that was cut into many parts.
            let limit = self.settings.passages_per_claim + claim.text.len() / BYTES_A_PART;
            match source.evidence(claim, limit) {
                Ok(found) => {
                    passages.extend(join_parts(found).into_iter().map(|evidence| (source.name(), evidence)));
                }
                Err(error) => failures.push(CheckFailure { check: source.name(), message: error.to_string() }),
            }
            let remarks = source.remarks(claim);
            if let Some(gap) = remarks.gap
                && failures.iter().all(|failure| failure.check != source.name())
            {
                failures.push(CheckFailure { check: source.name(), message: gap });
            }
            caveats.extend(remarks.caveats.into_iter().map(|Caveat { code, message }| Warning { code, message }));
        }
        let found = Instant::now();
        self.evidence_nanos.fetch_add(nanos(found - start), Ordering::Relaxed);
        if passages.is_empty() && !failures.is_empty() {
            return settled(Verdict { warnings: caveats, ..unchecked(Unchecked::EvidenceUnavailable, failures) });
        }
        let incomplete = !failures.is_empty();
        let read = ReadText::new(&claim.text, options);
        if read.words.len() > MOST_CLAIM_WORDS {
            return settled(Verdict { warnings: caveats, ..unchecked(Unchecked::TooLong, failures) });
        }
        let (readings, outcomes, too_long) = self.judge_passages(&claim.text, &read, &passages, options, &mut failures);
        self.check_nanos.fetch_add(nanos(found.elapsed()), Ordering::Relaxed);
        let language = options.language;
        let several = self.sources.len() > 1;
        let claim = claim.clone();
        Judged(State::Open(Box::new(Open {
            claim,
            read,
            language,
            passages,
            readings,
            outcomes,
            failures,
            caveats,
            incomplete,
            too_long,
            several,
        })))
    }

    fn options(&self, claimed: Language) -> ReadOptions {
        let language = if claimed == Language::Unknown { Language::English } else { claimed };
        ReadOptions { language, number_locale: self.settings.number_locale, date_order: self.settings.date_order }
    }

    /// Judges the passages, nearest first, sentence by sentence, by checks and models; the outcomes are in order, best first. Last is
    /// whether the claim is too long for the model.
    fn judge_passages(
        &self,
        claim: &str,
        read: &ReadText,
        passages: &[(String, Evidence)],
        options: ReadOptions,
        failures: &mut Vec<CheckFailure>,
    ) -> (Vec<Arc<PassageReading>>, Vec<Outcome>, bool) {
        let readings: Vec<Arc<PassageReading>> =
            passages.iter().map(|(_, evidence)| self.read(evidence, options)).collect();
        let mut outcomes = Vec::new();
        for (at, reading) in readings.iter().enumerate() {
            for sentence in 0..reading.sentences.len() {
                let open = self.nli.is_some() && at < OPEN_PASSAGES;
                outcomes.extend(judge(read, &passages[at].1, reading, (at, sentence), &self.checks, open));
            }
        }
        outcomes.sort_by(|a, b| {
            (b.stance == Stance::Supports)
                .cmp(&(a.stance == Stance::Supports))
                .then(b.verbatim.cmp(&a.verbatim))
                .then(b.coverage.total_cmp(&a.coverage))
                .then((a.passage, a.sentence).cmp(&(b.passage, b.sentence)))
        });
        let asked = Asked { claim, passages, readings: &readings, windows: self.settings.nli_windows };
        let mut too_long = false;
        if let Some(model) = &self.nli
            && let Err(error) = asked.nli(&**model, &mut outcomes)
        {
            too_long = matches!(error, NliError::ClaimTooLong { .. });
            failures.push(CheckFailure { check: "nli".to_owned(), message: error.to_string() });
        }
        failures.extend(outcomes.iter().flat_map(|outcome| outcome.failures.clone()));
        failures.dedup();
        (readings, outcomes, too_long)
    }

    fn read(&self, evidence: &Evidence, options: ReadOptions) -> Arc<PassageReading> {
        let content = super::lexicon::word_hash(&evidence.text);
        let key = (evidence.document_id.0.clone(), evidence.span, content, options.language);
        if let Some(reading) = self.cache.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Arc::clone(reading);
        }
        let reading = Arc::new(PassageReading::new(evidence, options));
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if cache.len() >= CACHED_PASSAGES {
            cache.clear();
        }
        cache.insert(key, Arc::clone(&reading));
        reading
    }
}

/// Whether a claim is too long to be one statement; told before anything looks for evidence or reads it.
fn is_too_long(claim: &str) -> bool {
    claim.len() > MOST_CLAIM_BYTES
        || tokens(claim).iter().filter(|token| token.is_wordlike()).count() > MOST_CLAIM_WORDS
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// Why a claim is not checked whose evidence could not be had.
pub(super) const UNAVAILABLE: &str = "evidence could not be had";

fn unchecked(reason: Unchecked, failures: Vec<CheckFailure>) -> Verdict {
    Verdict {
        label: Label::NotChecked,
        confidence: None,
        reason: match reason {
            Unchecked::EvidenceUnavailable => UNAVAILABLE.to_owned(),
            Unchecked::Stopped => "the run was stopped before".to_owned(),
            Unchecked::TooLong => format!("it is longer than {MOST_CLAIM_WORDS} words and cannot be split"),
            Unchecked::UnsupportedLanguage => "no check and no model covers its language".to_owned(),
            _ => "there is nothing to check in it".to_owned(),
        },
        unchecked: Some(reason),
        evidence: Vec::new(),
        proofs: Vec::new(),
        findings: Vec::new(),
        considered: Vec::new(),
        warnings: Vec::new(),
        failures,
        standings: Vec::new(),
    }
}
