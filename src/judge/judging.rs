//! The judge: a language model labels claims by the evidence that was found for them, with a quote that must be there.
//!
//! Claims go in few calls. Evidence comes by retrieval, so nothing is cut off at some length. A reply that cannot be read
//! is asked for once more; what is whole in it is kept. "Supported" without a quote that is really in the sources is
//! downgraded, and so is "contradicted". Without sources the model is asked for what it knows: an opinion, capped.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::ask::Ask;
use super::method::{Method, MethodRun, Opinion, OpinionLabel, Usage};
use super::parallel::each;
use super::passages::{Passages, Shown};
use super::prompt::{self, Fence};
use super::verdicts::{self, Said};
use super::{LanguageModel, quotes};
use crate::claim::Claim;
use crate::evidence::EvidenceSource;
use crate::verify::{CitationRole, gives_orders};

/// Claims a call, and bytes of evidence after which a further claim waits for the next call.
const CLAIMS_PER_CALL: usize = 8;
const EVIDENCE_PER_CALL: usize = 16_000;
/// Tokens that a verdict with its quote may take.
const TOKENS_PER_CLAIM: u32 = 160;
/// Supports below this are looked at a second time.
pub(super) const SECOND_LOOK_BELOW: f64 = 0.45;
/// Most that a model's own knowledge is worth.
pub(super) const FACT_CHECK_CAP: f64 = 0.7;

/// What the judge works with.
pub(super) struct Judging<'a> {
    pub model: &'a LanguageModel,
    pub sources: &'a [Arc<dyn EvidenceSource>],
    pub passages_per_claim: usize,
    /// Whether the answer is checked by what the model knows, for want of sources.
    pub fact_check: bool,
    pub day: &'a str,
}

/// Claims that share a call: their places in the list and the passages that they are judged by.
struct Batch {
    claims: Vec<usize>,
    passages: Vec<usize>,
}

impl Judging<'_> {
    /// An opinion on every claim.
    pub(super) fn run(&self, claims: &[&Claim]) -> MethodRun {
        let mut run = MethodRun::new(Method::Judge);
        run.usage = Usage::of_model(self.model);
        let mut opinions: BTreeMap<usize, Opinion> = BTreeMap::new();
        let mut open = Vec::new();
        let passages = Passages::of(claims, self.sources, self.passages_per_claim);
        for (at, claim) in claims.iter().enumerate() {
            match self.settled_without_asking(claim, &passages, at) {
                Some(opinion) => {
                    opinions.insert(at, opinion);
                }
                None => open.push(at),
            }
        }
        let batches = self.batches(claims, &open, &passages);
        let system = if self.fact_check { prompt::fact_check_system(self.day) } else { prompt::judge_system() };
        let name = if self.fact_check { prompt::FACT_CHECK } else { prompt::JUDGE };
        let mut said = BTreeMap::new();
        for answered in each(&batches, |batch| self.ask(name, &system, claims, batch, &passages)) {
            answered.into_run(&mut run, &mut said);
        }
        if !self.fact_check {
            self.second_look(claims, &passages, &mut said, &mut run);
        }
        for (at, (outcome, latency)) in said {
            let claim = claims[at];
            let mut opinion = match outcome {
                Ok(said) => self.opinion(claim, &said, &passages.own_first(at)),
                Err(error) => Opinion::failed(claim.index, error),
            };
            opinion.latency = latency;
            opinions.insert(at, opinion);
        }
        for (at, opinion) in &mut opinions {
            flag_orders(opinion, claims[*at], &passages.for_claim(*at));
            for (source, error) in &passages.found[*at].failures {
                opinion.warn("evidence_unavailable", format!("{source} could not be asked: {error}"));
            }
        }
        run.opinions = opinions.into_values().collect();
        run
    }

    /// What needs no model: a claim that gives orders itself, one whose evidence could not be had, one without any.
    fn settled_without_asking(&self, claim: &Claim, passages: &Passages, at: usize) -> Option<Opinion> {
        if gives_orders(&claim.text) {
            let why = "it gives orders to a checker, so it was not shown to the model";
            return Some(Opinion {
                grounded: !self.fact_check,
                ..Opinion::new(claim.index, OpinionLabel::Unknown, 0.0, why)
            });
        }
        if self.fact_check {
            return None;
        }
        let found = &passages.found[at];
        if !found.passages.is_empty() {
            return None;
        }
        Some(match found.failures.first() {
            Some((source, error)) => Opinion::failed(claim.index, format!("{source} could not be asked: {error}")),
            None => Opinion {
                grounded: true,
                ..Opinion::new(claim.index, OpinionLabel::Unsupported, 1.0, "the sources hold no passage for it")
            },
        })
    }

    fn batches(&self, claims: &[&Claim], open: &[usize], passages: &Passages) -> Vec<Batch> {
        let mut batches: Vec<Batch> = Vec::new();
        let mut bytes = 0;
        for &at in open {
            let own = &passages.found[at].passages;
            let new = |batch: &Batch| -> usize {
                own.iter()
                    .filter(|passage| !batch.passages.contains(passage))
                    .map(|passage| passages.shown[*passage].evidence.text.len())
                    .sum::<usize>()
                    + claims[at].text.len()
            };
            let fits = batches
                .last()
                .is_some_and(|batch| batch.claims.len() < CLAIMS_PER_CALL && bytes + new(batch) <= EVIDENCE_PER_CALL);
            if !fits {
                batches.push(Batch { claims: Vec::new(), passages: Vec::new() });
                bytes = 0;
            }
            if let Some(batch) = batches.last_mut() {
                bytes += new(batch);
                batch.claims.push(at);
                batch.passages.extend(
                    own.iter().filter(|passage| !batch.passages.contains(passage)).copied().collect::<Vec<_>>(),
                );
            }
        }
        batches
    }

    /// Asks about a batch, and once more about the claims that the reply does not speak of.
    fn ask(&self, name: &str, system: &str, claims: &[&Claim], batch: &Batch, passages: &Passages) -> Answered {
        let mut answered = Answered::default();
        let mut missing = batch.claims.clone();
        let mut complaint = String::new();
        for round in 0..2 {
            let (name, system) = if round == 0 {
                (name.to_owned(), system.to_owned())
            } else {
                (format!("{name}+{}", prompt::REPAIR), format!("{system} {}", prompt::REPAIR_NOTE))
            };
            let numbered: Vec<(usize, &str)> =
                missing.iter().enumerate().map(|(n, at)| (n + 1, claims[*at].text.as_str())).collect();
            let user = message(&numbered, &batch.passages, passages);
            let tokens = TOKENS_PER_CLAIM * u32::try_from(missing.len()).unwrap_or(1) + 64;
            let mut ask = Ask::chat(&name, system, user, tokens);
            ask.schema = Some(prompt::verdict_schema());
            let asked = self.model.ask(&ask);
            answered.asked.push(asked.clone());
            let reply = match asked.outcome {
                Ok(reply) => reply,
                Err(error) => {
                    complaint = error.to_string();
                    break;
                }
            };
            let read = verdicts::read(&reply.text, &numbered);
            answered.extra += read.extra;
            answered.repaired |= round == 1;
            for (number, said) in read.said {
                answered.said.insert(missing[number - 1], (Ok(said), asked.latency));
            }
            missing.retain(|at| !answered.said.contains_key(at));
            if missing.is_empty() {
                break;
            }
            complaint = if reply.truncated {
                "the reply broke off before it".to_owned()
            } else if read.unreadable > 0 {
                "the reply's entry on it cannot be used".to_owned()
            } else {
                "the reply does not speak of it".to_owned()
            };
        }
        let latency = answered.asked.iter().map(|asked| asked.latency).sum();
        for at in missing {
            answered.said.insert(at, (Err(complaint.clone()), latency));
        }
        answered
    }

    /// Looks again, more strictly, at what was held supported without confidence.
    fn second_look(&self, claims: &[&Claim], passages: &Passages, said: &mut SaidOfAll, run: &mut MethodRun) {
        let doubtful: Vec<usize> = said
            .iter()
            .filter(|(_, (outcome, _))| {
                matches!(outcome, Ok(said) if said.label == OpinionLabel::Supported && said.confidence < SECOND_LOOK_BELOW)
            })
            .map(|(at, _)| *at)
            .collect();
        if doubtful.is_empty() {
            return;
        }
        let system = prompt::second_look_system();
        let batches = self.batches(claims, &doubtful, passages);
        let mut second = BTreeMap::new();
        for answered in each(&batches, |batch| self.ask(prompt::SECOND_LOOK, &system, claims, batch, passages)) {
            answered.into_run(run, &mut second);
        }
        for (at, (outcome, latency)) in second {
            match outcome {
                Ok(new) => {
                    said.insert(at, (Ok(new), latency));
                }
                // A support that was to be looked at again and could not be is no support.
                Err(error) => {
                    said.insert(at, (Err(format!("the second look failed: {error}")), latency));
                }
            }
        }
    }

    fn opinion(&self, claim: &Claim, said: &Said, shown: &[&Shown]) -> Opinion {
        if self.fact_check {
            let mut opinion = Opinion::new(
                claim.index,
                said.label,
                said.confidence.min(FACT_CHECK_CAP),
                "by what the model knows; no source was given",
            );
            opinion.warn("fact_check", "no source was given: the model's own knowledge, capped at 0.7");
            return opinion;
        }
        let role = match said.label {
            OpinionLabel::Supported => CitationRole::Supports,
            OpinionLabel::Contradicted => CitationRole::Contradicts,
            _ => CitationRole::Nearest,
        };
        let citation = quotes::find(&said.quote, &claim.text, shown, role);
        let mut opinion = match (said.label, &citation) {
            (OpinionLabel::Supported | OpinionLabel::Contradicted, None) => {
                let lower = if said.label == OpinionLabel::Supported {
                    OpinionLabel::Unknown
                } else {
                    OpinionLabel::Unsupported
                };
                let mut opinion = Opinion::new(
                    claim.index,
                    lower,
                    said.confidence,
                    format!("the model says {}, but its quote is not in the sources", said.label),
                );
                opinion.warn("quote_not_in_sources", format!("\"{}\" is not in the sources", short(&said.quote)));
                opinion
            }
            (label, _) => Opinion::new(claim.index, label, said.confidence, "by the model's reading of the sources"),
        };
        opinion.evidence.extend(citation);
        opinion.grounded = true;
        opinion
    }
}

/// The claims and the passages, as data.
fn message(claims: &[(usize, &str)], batch: &[usize], passages: &Passages) -> String {
    let texts: Vec<String> = batch.iter().map(|at| passages.shown[*at].text()).collect();
    let fence = Fence::around(texts.iter().map(String::as_str).chain(claims.iter().map(|(_, text)| *text)));
    let mut message = String::new();
    for (at, text) in texts.iter().enumerate() {
        message.push_str(&fence.enclose(&format!("evidence {}", at + 1), text));
    }
    for (number, text) in claims {
        message.push_str(&fence.enclose(&format!("claim {number}"), text));
    }
    message.push_str("Give the verdicts on all claims.");
    message
}

/// What orders were met on the way to this opinion.
pub(super) fn flag_orders(opinion: &mut Opinion, claim: &Claim, shown: &[&Shown]) {
    if gives_orders(&claim.text) {
        opinion.warn("injection_suspected", "the claim itself gives orders to a checker; they were not followed");
    }
    if let Some(passage) = shown.iter().find(|passage| !passage.orders.is_empty()) {
        opinion.warn(
            "injection_suspected",
            format!("a passage of {} gives orders to a checker; they were left out", passage.evidence.source),
        );
    }
}

fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= 120 { line } else { line.chars().take(119).chain(['\u{2026}']).collect() }
}

type SaidOfAll = BTreeMap<usize, (Result<Said, String>, Duration)>;

/// What came of one batch.
#[derive(Default)]
struct Answered {
    said: SaidOfAll,
    asked: Vec<super::ask::Asked>,
    extra: usize,
    repaired: bool,
}

impl Answered {
    fn into_run(self, run: &mut MethodRun, said: &mut SaidOfAll) {
        self.asked.iter().for_each(|asked| run.usage.add(asked));
        let mut warn = |code: &str, message: String| {
            run.warnings.push(crate::verify::Warning { code: code.to_owned(), message });
        };
        if self.extra > 0 {
            warn("extra_verdicts", format!("{} verdicts on claims that were not asked about are left out", self.extra));
        }
        if self.repaired {
            warn("reply_repaired", "a reply could not be read whole and was asked for once more".to_owned());
        }
        said.extend(self.said);
    }
}
