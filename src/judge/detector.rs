//! The detector: an answer through all methods that are wanted, to one result.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use super::cascade::{Cascade, CascadeRun};
use super::client::hex;
use super::combine::{combine, opinion_label, widened};
use super::consistency::Sampling;
use super::decompose::decompose;
use super::detection::{DetectError, Detection, Mode};
use super::ensemble::{Scoring, Weights, ensemble};
use super::fitted::FittedEnsemble;
use super::judging::Judging;
use super::method::{Method, MethodRun, Opinion, OpinionLabel};
use super::parallel::each;
use super::qa::Questioning;
use super::{JudgeError, LOGPROB_THRESHOLD, LanguageModel, Session, logprobs};
use crate::claim::{Claim, ClaimKind, ClaimOptions, Unchecked, extract};
use crate::embed::Embedder;
use crate::evidence::EvidenceSource;
use crate::verify::{
    CheckedClaim, Label, ModelsUsed, NliModel, RiskBounds, Timings, Verdict, Verification, Verifier, VerifySettings,
};

/// Longest prompt that is read as the question which the answer replies to.
const LONGEST_QUESTION: usize = 400;

/// Which model does what. One may do everything; a method without its model cannot be used.
#[derive(Debug, Clone, Default)]
pub struct Models {
    /// Splits the answer into claims; without one the rules do.
    pub decompose: Option<LanguageModel>,
    /// For [`Method::Judge`].
    pub judge: Option<LanguageModel>,
    /// For [`Method::Qa`].
    pub qa: Option<LanguageModel>,
    /// For [`Method::Consistency`].
    pub consistency: Option<LanguageModel>,
    /// For [`Method::Logprobs`].
    pub logprobs: Option<LanguageModel>,
}

impl Models {
    /// One model for every method, and the rules for splitting.
    pub fn all(model: &LanguageModel) -> Self {
        Self {
            decompose: None,
            judge: Some(model.clone()),
            qa: Some(model.clone()),
            consistency: Some(model.clone()),
            logprobs: Some(model.clone()),
        }
    }

    /// The model of a method; `None` for one that needs none or has none.
    pub fn of(&self, method: Method) -> Option<&LanguageModel> {
        match method {
            Method::Nli => None,
            Method::Judge => self.judge.as_ref(),
            Method::Qa => self.qa.as_ref(),
            Method::Consistency => self.consistency.as_ref(),
            Method::Logprobs => self.logprobs.as_ref(),
        }
    }
}

/// How a detector works.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct DetectOptions {
    /// The methods that are wanted.
    pub methods: Vec<Method>,
    /// Cheap first, models only for what that leaves open.
    pub cascade: Option<Cascade>,
    /// How much each method counts.
    pub weights: Weights,
    /// How risks are reckoned.
    pub scoring: Scoring,
    /// Where the risk levels begin.
    pub risk_bounds: RiskBounds,
    /// How the checks read.
    pub verify: VerifySettings,
    /// Passages of each source that a model reads for a claim.
    pub model_passages: usize,
    /// Longest sample of [`Method::Consistency`] and longest answer that [`Method::Logprobs`] writes anew, in tokens.
    pub answer_tokens: u32,
    /// Samples drawn for [`Method::Consistency`].
    pub samples: usize,
    /// Confidence below which the checks' "supported" and "contradicted" count as unknown in the ensemble.
    pub nli_threshold: f64,
    /// Similarity from which samples count as consistent.
    pub consistency_threshold: f64,
    /// Mean log-probability from which a claim counts as known.
    pub logprob_threshold: f64,
}

impl Default for DetectOptions {
    fn default() -> Self {
        Self {
            methods: vec![Method::Nli],
            cascade: None,
            weights: Weights::default(),
            scoring: Scoring::default(),
            risk_bounds: FittedEnsemble::built_in().risk_bounds(),
            verify: VerifySettings::default(),
            model_passages: 5,
            answer_tokens: 512,
            samples: 5,
            nli_threshold: 0.0,
            consistency_threshold: 0.82,
            logprob_threshold: LOGPROB_THRESHOLD,
        }
    }
}

/// What is to be checked.
#[derive(Clone, Copy, Default)]
pub struct Input<'a> {
    /// The answer.
    pub answer: &'a str,
    /// The prompt that it answers.
    pub prompt: Option<&'a str>,
    /// Where evidence comes from; none for a check by what models know.
    pub sources: &'a [Arc<dyn EvidenceSource>],
}

/// Checks answers by several methods. Cheap to share between threads.
///
/// ```
/// use std::sync::Arc;
/// use evidex::corpus::Document;
/// use evidex::evidence::{EvidenceSource, InlineContext};
/// use evidex::judge::{DetectOptions, Detector, Input, Models, Session, SessionOptions};
///
/// let detector = Detector::new(DetectOptions::default(), Models::default(), Session::new(SessionOptions::default())?)?;
/// let context = InlineContext::new(vec![Document::inline("tower", "The tower was built in 1889.")])?;
/// let sources: [Arc<dyn EvidenceSource>; 1] = [Arc::new(context)];
/// let detection = detector.detect(Input { answer: "The tower was built in 1887.", prompt: None, sources: &sources })?;
/// assert!(detection.ensemble.any_contradiction);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Detector {
    options: DetectOptions,
    models: Models,
    session: Session,
    embedder: Option<Arc<dyn Embedder>>,
    nli: Option<Arc<dyn NliModel>>,
}

impl Detector {
    /// A detector.
    ///
    /// # Errors
    /// [`JudgeError::Options`] when no method is wanted, one has no model, or a bound makes no sense.
    pub fn new(mut options: DetectOptions, models: Models, session: Session) -> Result<Self, JudgeError> {
        let wrong = |reason: String| Err(JudgeError::Options { reason });
        options.methods.sort_unstable();
        options.methods.dedup();
        if options.methods.is_empty() {
            return wrong("no method is named".to_owned());
        }
        if let Some(method) =
            options.methods.iter().find(|method| **method != Method::Nli && models.of(**method).is_none())
        {
            return wrong(format!("method `{method}` needs a language model, and none is given"));
        }
        if let Some(band) = options.cascade
            && !(0.0..=1.0).contains(&band.low) | !(band.low..=1.0).contains(&band.high)
        {
            return wrong(format!("a cascade from {} to {} is no band between 0 and 1", band.low, band.high));
        }
        let bounds = options.risk_bounds;
        if !(0.0..=1.0).contains(&bounds.medium_from) | !(bounds.medium_from..=1.0).contains(&bounds.high_from) {
            return wrong(format!("risk levels cannot begin at {} and {}", bounds.medium_from, bounds.high_from));
        }
        if options.methods.contains(&Method::Consistency) && options.samples == 0 {
            return wrong("consistency needs at least one sample".to_owned());
        }
        Ok(Self { options, models, session, embedder: None, nli: None })
    }

    /// Compares the samples of `consistency` by meaning.
    #[must_use]
    pub fn embedder(mut self, embedder: Option<Arc<dyn Embedder>>) -> Self {
        self.embedder = embedder;
        self
    }

    /// Lets the checks ask an entailment model.
    #[must_use]
    pub fn nli_model(mut self, model: Option<Arc<dyn NliModel>>) -> Self {
        self.nli = model;
        self
    }

    /// How it works.
    pub fn options(&self) -> &DetectOptions {
        &self.options
    }

    /// Checks an answer. What fails for a method or a claim is said in the result.
    ///
    /// # Errors
    /// [`DetectError`] when the work was stopped, a replay does not hold what is needed, or a recording cannot be written.
    pub fn detect(&self, input: Input<'_>) -> Result<Detection, DetectError> {
        let started = Instant::now();
        let key = self.run_key(&input);
        let mode = if input.sources.is_empty() { Mode::FactCheck } else { Mode::Sources };
        let mut claims = extract(input.answer, &self.claim_options(&input));
        let mut decomposition = None;
        if let Some(model) = &self.models.decompose {
            let (split, outcome) = decompose(model, input.answer, claims);
            claims = split;
            decomposition = Some(outcome);
        }
        self.stop_if_asked()?;
        let split_time = self.session.time(&format!("{key}/claims"), started.elapsed())?;
        let checked = mode == Mode::Sources && self.wants(Method::Nli);
        let mut verification = if checked { self.check(&input, claims, &key)? } else { unchecked(input, claims, mode) };
        verification.timings.claims = split_time;
        let mut runs = Vec::new();
        if self.wants(Method::Nli) {
            runs.push(self.nli_run(&verification, checked));
        }
        let wanted: Vec<Claim> = verification
            .claims
            .iter()
            .filter(|checked| checked.claim.unchecked.is_none())
            .map(|checked| checked.claim.clone())
            .collect();
        let (open, cascade) = self.open_claims(&wanted, runs.first().filter(|_| checked));
        runs.extend(self.model_runs(&input, &wanted, &open, mode, &key)?);
        self.stop_if_asked()?;
        let ensemble = ensemble(&mut runs, &self.options.weights, self.options.scoring, self.options.risk_bounds);
        for checked_claim in &mut verification.claims {
            let index = checked_claim.claim.index;
            let opinions: Vec<(Method, &Opinion)> = runs
                .iter()
                .filter(|run| run.method != Method::Nli)
                .flat_map(|run| run.opinions.iter().map(move |opinion| (run.method, opinion)))
                .filter(|(_, opinion)| opinion.claim == index)
                .collect();
            checked_claim.verdict = combine(&checked_claim.verdict, checked, &opinions, &self.options.weights);
            let silent = opinions.iter().all(|(_, opinion)| opinion.label.is_none());
            if !checked && silent && checked_claim.claim.unchecked.is_none() {
                fail(&mut checked_claim.verdict);
            }
        }
        for run in &mut runs {
            run.usage.cost = run.usage.model.as_ref().and_then(|model| self.session.cost(model, run.usage.tokens));
        }
        verification.timings.total = self.session.time(&format!("{key}/total"), started.elapsed())?;
        if let Some(error) = self.session.missed() {
            return Err(error.into());
        }
        Ok(Detection {
            verification,
            mode,
            methods: runs,
            ensemble,
            scoring: self.options.scoring,
            cascade,
            decomposition,
        })
    }

    fn wants(&self, method: Method) -> bool {
        self.options.methods.contains(&method)
    }

    fn stop_if_asked(&self) -> Result<(), DetectError> {
        if self.session.cancellation().is_cancelled() { Err(JudgeError::Cancelled.into()) } else { Ok(()) }
    }

    /// What this run's times are recorded under.
    fn run_key(&self, input: &Input<'_>) -> String {
        let sources: Vec<String> = input.sources.iter().map(|source| source.name()).collect();
        let all = serde_json::json!([input.answer, input.prompt, sources]);
        hex(&Sha256::digest(all.to_string()))[..24].to_owned()
    }

    fn question(&self, input: &Input<'_>) -> Option<String> {
        let prompt = input.prompt.filter(|prompt| prompt.len() <= LONGEST_QUESTION);
        self.options.verify.question.clone().or_else(|| prompt.map(str::to_owned))
    }

    fn claim_options(&self, input: &Input<'_>) -> ClaimOptions {
        let language = self.options.verify.language;
        let known = language != crate::text::Language::Unknown;
        ClaimOptions { question: self.question(input), language: known.then_some(language) }
    }

    fn check(&self, input: &Input<'_>, claims: Vec<Claim>, key: &str) -> Result<Verification, DetectError> {
        let mut builder =
            Verifier::builder().settings(self.options.verify.clone()).cancellation(self.session.cancellation().clone());
        for source in input.sources {
            builder = builder.source(Arc::clone(source));
        }
        if let Some(embedder) = &self.embedder {
            builder = builder.embedder(Arc::clone(embedder));
        }
        if let Some(model) = &self.nli {
            builder = builder.nli(Arc::clone(model));
        }
        let mut verification = builder.build()?.verify_claims(input.answer, claims)?;
        let timings = &mut verification.timings;
        timings.evidence = self.session.time(&format!("{key}/evidence"), timings.evidence)?;
        timings.checks = self.session.time(&format!("{key}/checks"), timings.checks)?;
        timings.total = self.session.time(&format!("{key}/nli"), timings.total)?;
        Ok(verification)
    }

    fn nli_run(&self, verification: &Verification, checked: bool) -> MethodRun {
        let mut run = MethodRun::new(Method::Nli);
        if !checked {
            run.skipped = Some("it needs sources".to_owned());
            return run;
        }
        run.latency = verification.timings.total;
        for CheckedClaim { claim, verdict } in &verification.claims {
            if claim.unchecked.is_some() {
                continue;
            }
            run.opinions.push(match (opinion_label(verdict.label), verdict.confidence) {
                (Some(label), Some(confidence)) => Opinion {
                    label: Some(if widened(confidence) < self.options.nli_threshold {
                        OpinionLabel::Unknown
                    } else {
                        label
                    }),
                    evidence: verdict.evidence.clone(),
                    grounded: true,
                    warnings: verdict.warnings.clone(),
                    ..Opinion::new(claim.index, label, widened(confidence), verdict.reason.clone())
                },
                _ => {
                    let why = verdict.failures.first().map_or(&verdict.reason, |failure| &failure.message);
                    Opinion::failed(claim.index, why.clone())
                }
            });
        }
        run
    }

    /// The claims that models are asked about.
    fn open_claims(&self, wanted: &[Claim], nli: Option<&MethodRun>) -> (Vec<usize>, Option<CascadeRun>) {
        let all = || wanted.iter().map(|claim| claim.index).collect::<Vec<_>>();
        let Some(band) = self.options.cascade else { return (all(), None) };
        let open = match nli {
            Some(run) => {
                run.opinions.iter().filter(|opinion| band.leaves_open(opinion)).map(|opinion| opinion.claim).collect()
            }
            // Nothing cheap ran, so nothing is settled.
            None => all(),
        };
        let cascade = CascadeRun { band, claims: wanted.len(), escalated: open.len() };
        (open, Some(cascade))
    }

    fn model_runs(
        &self,
        input: &Input<'_>,
        wanted: &[Claim],
        open: &[usize],
        mode: Mode,
        key: &str,
    ) -> Result<Vec<MethodRun>, DetectError> {
        let methods: Vec<Method> =
            self.options.methods.iter().copied().filter(|method| *method != Method::Nli).collect();
        let computed = |claim: &Claim| claim.kind == ClaimKind::Arithmetic && self.wants(Method::Nli);
        let asked: Vec<&Claim> =
            wanted.iter().filter(|claim| open.contains(&claim.index) && !computed(claim)).collect();
        let day = self.session.day()?;
        let mut runs = each(&methods, |method| {
            let started = Instant::now();
            let mut run = match self.models.of(*method) {
                Some(model) => self.model_run(*method, model, input, &asked, mode, &day),
                None => MethodRun::failed(*method, &asked, "no language model is given for it"),
            };
            run.latency = started.elapsed();
            run
        });
        for run in &mut runs {
            run.latency = self.session.time(&format!("{key}/{}", run.method), run.latency)?;
            if run.skipped.is_some() {
                continue;
            }
            for claim in wanted.iter().filter(|claim| !asked.iter().any(|asked| asked.index == claim.index)) {
                let why = if computed(claim) { "it is computed" } else { "the checks settle it" };
                run.opinions.push(Opinion::skipped(claim.index, why));
            }
            run.opinions.sort_by_key(|opinion| opinion.claim);
        }
        Ok(runs)
    }

    fn model_run(
        &self,
        method: Method,
        model: &LanguageModel,
        input: &Input<'_>,
        claims: &[&Claim],
        mode: Mode,
        day: &str,
    ) -> MethodRun {
        let skipped = |why: &str| MethodRun { skipped: Some(why.to_owned()), ..MethodRun::new(method) };
        let prompt = input.prompt.map(str::trim).filter(|prompt| !prompt.is_empty());
        match method {
            _ if claims.is_empty() => MethodRun::new(method),
            Method::Nli => skipped("it needs no model"),
            Method::Judge => Judging {
                model,
                sources: input.sources,
                passages_per_claim: self.options.model_passages,
                fact_check: mode == Mode::FactCheck,
                day,
            }
            .run(claims),
            Method::Qa if mode == Mode::FactCheck => skipped("it needs sources"),
            Method::Qa => {
                Questioning { model, sources: input.sources, passages_per_claim: self.options.model_passages }
                    .run(claims)
            }
            Method::Consistency => match prompt {
                Some(prompt) => Sampling {
                    model,
                    embedder: self.embedder.as_ref(),
                    samples: self.options.samples,
                    tokens: self.options.answer_tokens,
                    threshold: self.options.consistency_threshold,
                    has_sources: mode == Mode::Sources,
                }
                .run(prompt, input.answer, claims),
                None => skipped("it needs the prompt"),
            },
            Method::Logprobs => match prompt {
                Some(prompt) => logprobs::Scoring {
                    model,
                    threshold: self.options.logprob_threshold,
                    tokens: self.options.answer_tokens,
                }
                .run(prompt, input.answer, claims),
                None => skipped("it needs the prompt"),
            },
        }
    }
}

/// Not one method said anything of the claim: that is no verdict.
fn fail(verdict: &mut Verdict) {
    verdict.label = Label::NotChecked;
    verdict.confidence = None;
    verdict.unchecked = Some(Unchecked::CheckFailed);
    verdict.reason = "no method that was asked for could say anything of it".to_owned();
}

/// Claims that the checks were not run on.
fn unchecked(input: Input<'_>, claims: Vec<Claim>, mode: Mode) -> Verification {
    let reason = match mode {
        Mode::FactCheck => "no source is given to check it against",
        Mode::Sources => "the checks were not asked for, and no opinion rests on the sources",
    };
    let claims = claims
        .into_iter()
        .map(|claim| {
            let unchecked = claim.unchecked;
            let verdict = Verdict {
                label: if unchecked.is_some() { Label::NotChecked } else { Label::NotEnoughInfo },
                confidence: None,
                reason: unchecked.map_or(reason, |why| why.describe()).to_owned(),
                unchecked,
                evidence: Vec::new(),
                proofs: Vec::new(),
                findings: Vec::new(),
                considered: Vec::new(),
                standings: Vec::new(),
                warnings: Vec::new(),
                failures: Vec::new(),
            };
            CheckedClaim { claim, verdict }
        })
        .collect();
    Verification {
        answer: input.answer.to_owned(),
        claims,
        models: ModelsUsed::default(),
        sources: input.sources.iter().map(|source| source.name()).collect(),
        timings: Timings { claims: Duration::ZERO, ..Timings::default() },
    }
}
