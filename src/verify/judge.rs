//! One sentence of evidence judged: what all checks found in it, and which way it points.

use super::checks::{BUILT_IN, Check};
use super::pair::Pair;
use super::reading::ReadText;
use super::window::{PassageReading, Sentence};
use super::{CheckFailure, Finding, Stance};
use crate::evidence::Evidence;

/// Least share of the claim's content that a sentence must hold to support it, without a model.
/// Chosen on FEVER symmetric, FM2, HealthVer, BEGIN, FactCC and RGB development sets (`examples/verify_pairs.rs`).
pub(super) const SUPPORT_COVERAGE: f32 = 0.82;
/// Sentences that hold less than this are not judged.
const LEAST_COVERAGE: f32 = 0.15;

/// How literally a sentence holds a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verbatim {
    /// Not word for word.
    No,
    /// The claim is a part of the sentence, word for word.
    Part,
    /// The claim is the sentence.
    Whole,
}

/// What one sentence says about the claim.
#[derive(Debug, Clone)]
pub(super) struct Outcome {
    /// Which passage.
    pub passage: usize,
    /// Which of its sentences.
    pub sentence: usize,
    /// Share of the claim's content that sentence and context hold.
    pub coverage: f32,
    /// Share of the claim's content outside what differs: how surely a contradiction is about the same thing.
    pub strength: f32,
    /// Which way it points.
    pub stance: Stance,
    /// How literally it holds the claim.
    pub verbatim: Verbatim,
    /// What the checks found.
    pub findings: Vec<Finding>,
    /// Which checks could not run.
    pub failures: Vec<CheckFailure>,
    /// For each word of the claim: whether the sentence holds it.
    pub held: Vec<bool>,
    /// Weight of the sentence's words that the claim holds too.
    pub shared: f32,
    /// NLI probabilities, where a model ran.
    pub nli: Option<[f32; 3]>,
    /// Cosine of the embeddings of claim and window, where an embedder ran.
    pub similarity: Option<f32>,
}

impl Outcome {
    /// What stands against "supported".
    pub(super) fn blockers(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.stance == Stance::Missing && !self.is_resolved(finding))
    }

    /// Whether another check supports just the value that one could not find (a derived number).
    fn is_resolved(&self, missing: &Finding) -> bool {
        self.findings.iter().any(|finding| {
            finding.stance == Stance::Supports
                && finding.check == super::derived::NAME
                && match (finding.claim_span, missing.claim_span) {
                    (Some(a), Some(b)) => a.overlaps(b),
                    _ => false,
                }
        })
    }
}

/// Judges one sentence; `None` if it shares too little with the claim to matter.
pub(super) fn judge(
    claim: &ReadText,
    evidence: &Evidence,
    reading: &PassageReading,
    place: (usize, usize),
    own: &[std::sync::Arc<dyn Check>],
) -> Option<Outcome> {
    let sentence: &Sentence = &reading.sentences[place.1];
    if !shares_content(claim, sentence) {
        return None;
    }
    let pair = Pair::new(claim, sentence, evidence.span.start);
    let mut coverage = pair.coverage();
    if coverage < LEAST_COVERAGE {
        return None;
    }
    let verbatim = verbatim(claim, &sentence.read);
    let mut findings = Vec::new();
    let mut failures = Vec::new();
    if verbatim != Verbatim::Whole {
        for check in &BUILT_IN {
            check(&pair, &mut findings);
        }
        super::derived::check(&pair, &mut findings);
    } else {
        findings.push(pair.finding("wording", Stance::Supports, "verbatim", Some(0..claim.words.len()), None));
    }
    for check in own {
        match check.check(&pair) {
            Ok(found) => findings.extend(found),
            Err(error) => failures.push(CheckFailure { check: check.name().to_owned(), message: error.to_string() }),
        }
    }
    if verbatim == Verbatim::Part {
        // Word for word: only what surrounds it can turn it around.
        for finding in &mut findings {
            let turns = matches!(finding.check.as_str(), "negation" | "modality" | "quantifier" | "quotation")
                || own.iter().any(|check| check.name() == finding.check);
            if matches!(finding.stance, Stance::Contradicts | Stance::Missing) && !turns {
                finding.stance = Stance::Notes;
            }
        }
    }
    let computed = findings.iter().find(|f| f.stance == Stance::Supports && f.check == super::derived::NAME).and_then(|f| f.claim_span);
    if let Some(span) = computed {
        // A computed value is as good as a stated one.
        coverage = pair.coverage_without(claim.words_in(span), super::pair::CONTEXT_STRENGTH);
    }
    let contradicted = findings.iter().find(|finding| finding.stance == Stance::Contradicts);
    let strength = match contradicted.and_then(|finding| finding.claim_span) {
        Some(span) => pair.coverage_without(claim.words_in(span), 0.0),
        None => coverage,
    };
    let held = (0..claim.words.len()).map(|at| holds(&pair, at)).collect();
    let mut outcome = Outcome {
        passage: place.0,
        sentence: place.1,
        coverage: if verbatim == Verbatim::No { coverage } else { 1.0 },
        strength,
        stance: Stance::Notes,
        verbatim,
        findings,
        failures,
        held,
        shared: shared_weight(&pair),
        nli: None,
        similarity: None,
    };
    let contradicts = outcome.findings.iter().any(|finding| finding.stance == Stance::Contradicts);
    outcome.stance = if contradicts {
        Stance::Contradicts
    } else if outcome.coverage >= SUPPORT_COVERAGE && outcome.failures.is_empty() && outcome.blockers().next().is_none() {
        Stance::Supports
    } else {
        Stance::Missing
    };
    Some(outcome)
}

fn shared_weight(pair: &Pair<'_>) -> f32 {
    let words = pair.evidence.words.iter().enumerate();
    words.filter(|(at, _)| pair.alignment.is_linked_from(*at)).map(|(_, word)| word.weight()).sum()
}

/// Whether the sentence holds this word of the claim, or its value.
fn holds(pair: &Pair<'_>, at: usize) -> bool {
    use crate::text::{Agreement, DateAgreement};
    let word = &pair.claim.words[at];
    if word.is_content() {
        return pair.alignment.same(at).is_some() || pair.alignment.in_context[at];
    }
    let in_quantity = pair
        .claim
        .quantities
        .iter()
        .zip(&pair.alignment.quantities)
        .any(|(q, link)| q.words.contains(&at) && link.is_some_and(|link| link.agreement == Agreement::Agrees));
    let in_date = pair
        .claim
        .dates
        .iter()
        .zip(&pair.alignment.dates)
        .any(|(d, link)| d.words.contains(&at) && link.is_some_and(|link| link.agreement == DateAgreement::Contains));
    in_quantity || in_date
}

fn shares_content(claim: &ReadText, sentence: &Sentence) -> bool {
    claim.words.iter().any(|word| word.is_content() && sentence.read.holds(word.key))
        || !claim.mentions.is_empty() && !sentence.read.mentions.is_empty()
        || !claim.quantities.is_empty() && !sentence.read.quantities.is_empty()
        || claim.words.iter().any(|word| !word.senses.is_empty())
}

fn verbatim(claim: &ReadText, evidence: &ReadText) -> Verbatim {
    let (needle, hay) = (&claim.words, &evidence.words);
    if needle.is_empty() || needle.len() > hay.len() {
        return Verbatim::No;
    }
    let found = hay.windows(needle.len()).any(|window| window.iter().zip(needle).all(|(a, b)| a.form == b.form));
    let marks = |text: &ReadText| -> Vec<char> { text.text.chars().filter(|c| matches!(c, '-' | '−' | '%' | '$' | '€' | '£' | '¥')).collect() };
    match found && (needle.len() != hay.len() || marks(claim) == marks(evidence)) {
        true if needle.len() == hay.len() => Verbatim::Whole,
        true if needle.len() >= 3 => Verbatim::Part,
        _ => Verbatim::No,
    }
}
