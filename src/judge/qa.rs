//! Yes or no: a language model answers for each claim whether its evidence states it. A second opinion that is cheap in
//! tokens; it brings no quote, so alone it never makes a claim "supported".

use std::sync::Arc;

use super::ask::Ask;
use super::judging::flag_orders;
use super::method::{Method, MethodRun, Opinion, OpinionLabel, Usage};
use super::parallel::each;
use super::passages::Passages;
use super::prompt::{self, Fence};
use super::verdicts::yes_or_no;
use super::{LanguageModel, quotes};
use crate::claim::Claim;
use crate::evidence::EvidenceSource;
use crate::verify::{Citation, CitationRole, gives_orders};

/// How sure a yes or a no counts.
const CLEAR: f64 = 0.9;
/// How sure anything else counts.
const UNCLEAR: f64 = 0.5;
/// Longest reply: one word, with what some models put before it.
const TOKENS: u32 = 5;

/// What the questions are put with.
pub(super) struct Questioning<'a> {
    pub model: &'a LanguageModel,
    pub sources: &'a [Arc<dyn EvidenceSource>],
    pub passages_per_claim: usize,
}

impl Questioning<'_> {
    /// An opinion on every claim.
    pub(super) fn run(&self, claims: &[&Claim]) -> MethodRun {
        let mut run = MethodRun::new(Method::Qa);
        run.usage = Usage::of_model(self.model);
        let passages = Passages::of(claims, self.sources, self.passages_per_claim);
        let places: Vec<usize> = (0..claims.len()).collect();
        for (opinion, asked) in each(&places, |at| self.opinion(claims[*at], *at, &passages)) {
            if let Some(asked) = asked {
                run.usage.add(&asked);
            }
            run.opinions.push(opinion);
        }
        run
    }

    fn opinion(&self, claim: &Claim, at: usize, passages: &Passages) -> (Opinion, Option<super::Asked>) {
        let shown = passages.for_claim(at);
        let grounded = |label, confidence, reason: &str| Opinion {
            grounded: true,
            ..Opinion::new(claim.index, label, confidence, reason)
        };
        if gives_orders(&claim.text) {
            let why = "it gives orders to a checker, so it was not shown to the model";
            let mut opinion = grounded(OpinionLabel::Unknown, 0.0, why);
            flag_orders(&mut opinion, claim, &shown);
            return (opinion, None);
        }
        if shown.is_empty() {
            return match passages.found[at].failures.first() {
                Some((source, error)) => {
                    (Opinion::failed(claim.index, format!("{source} could not be asked: {error}")), None)
                }
                None => (grounded(OpinionLabel::Unsupported, 1.0, "the sources hold no passage for it"), None),
            };
        }
        let texts: Vec<String> = shown.iter().map(|passage| passage.text()).collect();
        let fence = Fence::around(texts.iter().map(String::as_str).chain([claim.text.as_str()]));
        let mut user = String::new();
        for (number, text) in texts.iter().enumerate() {
            user.push_str(&fence.enclose(&format!("evidence {}", number + 1), text));
        }
        user.push_str(&fence.enclose("claim", &claim.text));
        user.push_str("Does the evidence state the claim? yes or no");
        let asked = self.model.ask(&Ask::chat(prompt::QA, prompt::qa_system(), user, TOKENS));
        let mut opinion = match &asked.outcome {
            Ok(reply) => match yes_or_no(&reply.text) {
                Some(true) => grounded(OpinionLabel::Supported, CLEAR, "the model says yes"),
                Some(false) => grounded(OpinionLabel::Contradicted, CLEAR, "the model says no"),
                None => grounded(OpinionLabel::Unknown, UNCLEAR, "the model says neither yes nor no"),
            },
            Err(error) => Opinion::failed(claim.index, error.to_string()),
        };
        opinion.latency = asked.latency;
        if opinion.label.is_some() {
            opinion.evidence.extend(shown.first().map(|nearest| Citation {
                role: CitationRole::Nearest,
                origin: nearest.origin.clone(),
                passage: nearest.evidence.clone(),
                quote: nearest.evidence.text.clone(),
                span: nearest.evidence.span,
                coverage: quotes::coverage(&claim.text, &nearest.evidence.text),
                nli: None,
            }));
        }
        flag_orders(&mut opinion, claim, &shown);
        (opinion, Some(asked))
    }
}
