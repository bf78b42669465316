//! One sentence of evidence judged: what all checks found in it, and which way it points.

use super::checks::{BUILT_IN, Check};
use super::pair::Pair;
use super::reading::ReadText;
use super::window::{PassageReading, Sentence};
use super::{CheckFailure, Finding, Stance};
use crate::evidence::Evidence;

/// Least share of the claim's content that a sentence must hold to support it, without a model.
/// Chosen on FEVER symmetric, FM2, HealthVer, BEGIN, FactCC and RGB development sets (`evidex eval pairs`).
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
    /// Whether the sentence, or what it refers back to, holds the name that the claim begins with, if it has names.
    pub subject_held: bool,
    /// Weight of the sentence's words that the claim holds too.
    pub shared: f32,
    /// Whether the sentence speaks of just the case of which the claim speaks, beside what differs.
    pub same_case: bool,
    /// Names, as places among the sentence's, that it adds after a preposition: the thing of which it speaks.
    pub complements: Vec<usize>,
    /// NLI probabilities, where a model ran.
    pub nli: Option<[f32; 3]>,
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

/// Judges one sentence; `None` if it shares too little with the claim to matter, unless it is `open`: to be read by a
/// model, which needs no word in common.
pub(super) fn judge(
    claim: &ReadText,
    evidence: &Evidence,
    reading: &PassageReading,
    place: (usize, usize),
    own: &[std::sync::Arc<dyn Check>],
    open: bool,
) -> Option<Outcome> {
    let sentence: &Sentence = &reading.sentences[place.1];
    if !open && !shares_content(claim, sentence) {
        return None;
    }
    let pair = Pair::new(claim, sentence, evidence.span.start);
    let mut coverage = pair.coverage();
    if !open && coverage < LEAST_COVERAGE {
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
        super::checks::setting::check_question(&pair, &mut findings);
    }
    for check in own {
        match check.check(&pair) {
            Ok(found) => findings.extend(found),
            Err(error) => failures.push(CheckFailure { check: check.name().to_owned(), message: error.to_string() }),
        }
    }
    if verbatim == Verbatim::Part {
        findings.push(pair.finding("wording", Stance::Supports, "verbatim", Some(0..claim.words.len()), None));
        super::checks::completeness::check_part(&pair, &mut findings);
        // Word for word: only what surrounds it can turn it around.
        for finding in &mut findings {
            let turns = matches!(finding.check.as_str(), "negation" | "modality" | "quantifier" | "quotation" | "completeness" | "exception")
                    // "three commissioners" of "three commissioners or fewer".
                    || matches!(finding.kind.as_str(), "more_precise_than_source" | "whole_for_part" | "derived_mismatch")
                    || own.iter().any(|check| check.name() == finding.check);
            if matches!(finding.stance, Stance::Contradicts | Stance::Missing) && !turns {
                finding.stance = Stance::Notes;
            }
        }
    }
    if verbatim == Verbatim::No && findings.iter().any(|finding| finding.stance == Stance::Contradicts) {
        weigh_contradictions(&pair, &mut findings);
    }
    let explained = explained(claim, &findings);
    if !explained.is_empty() {
        // A computed value is as good as a stated one.
        coverage = pair.coverage_except(&explained, super::pair::CONTEXT_STRENGTH);
    }
    let contradicts = findings.iter().any(|finding| finding.stance == Stance::Contradicts);
    if !contradicts && verbatim == Verbatim::No && coverage >= SUPPORT_COVERAGE {
        // Only what would support is looked at that closely.
        super::checks::completeness::check(&pair, &mut findings);
        let is_explained = |finding: &Finding| {
            let within = |span| explained.iter().any(|words| claim.span_of(words.clone()).contains(span));
            finding.claim_span.is_some_and(within)
        };
        findings.retain(|finding| finding.kind != "word_not_found" || !is_explained(finding));
        super::checks::structure::check(&pair, &mut findings);
    }
    let contradicted = findings.iter().find(|finding| finding.stance == Stance::Contradicts);
    let contradicted_span = contradicted.and_then(|finding| finding.claim_span);
    let strength = match contradicted_span {
        Some(span) => pair.coverage_without(claim.words_in(span), 0.0),
        None => coverage,
    };
    let held = (0..claim.words.len()).map(|at| holds(&pair, at)).collect();
    // A pronoun that nothing before explains may stand for the subject, but is no sign that it does.
    let known =
        |at: usize| pair.alignment.same(at).is_some() || pair.alignment.in_context[at] && !sentence.context.is_open();
    let subject_held = claim.mentions.first().is_none_or(|name| name.words.clone().any(known));
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
        subject_held,
        shared: shared_weight(&pair),
        same_case: contradicted_span.is_some_and(|span| is_same_case(&pair, &claim.words_in(span))),
        complements: complements(&pair)
            .filter_map(|words| sentence.read.mentions.iter().position(|mention| mention.words == words))
            .collect(),
        nli: None,
    };
    let contradicts = outcome.findings.iter().any(|finding| finding.stance == Stance::Contradicts);
    outcome.stance = if contradicts {
        Stance::Contradicts
    } else if outcome.coverage >= SUPPORT_COVERAGE && outcome.failures.is_empty() && outcome.blockers().next().is_none()
    {
        Stance::Supports
    } else {
        Stance::Missing
    };
    Some(outcome)
}

/// The words of the claim that stand for a computed value or for how often something happens, which the sentence tells in
/// other words.
fn explained(claim: &ReadText, findings: &[Finding]) -> Vec<std::ops::Range<usize>> {
    let supports = findings.iter().filter(|finding| finding.stance == Stance::Supports);
    let spans = supports.filter_map(|finding| Some((finding, finding.claim_span?)));
    spans
        .filter_map(|(finding, span)| match finding.check.as_str() {
            super::derived::NAME => Some(super::derived::explained(claim, span)),
            super::checks::frequency::NAME => Some(claim.words_in(span)),
            _ => None,
        })
        .collect()
}

/// What a question asks, a frame denies or supposes, or another subject does refutes nothing beside.
fn weigh_contradictions(pair: &Pair<'_>, findings: &mut [Finding]) {
    let apart = super::checks::structure::subject_of_another(pair).is_some()
        || super::checks::structure::possessor(pair).is_some();
    let asks = findings.iter().any(|finding| finding.kind == "source_asks");
    for finding in findings.iter_mut().filter(|finding| finding.stance == Stance::Contradicts) {
        let rearranged = matches!(finding.check.as_str(), "negation" | "opposite")
            && !super::checks::structure::reads_straight(pair);
        if apart || asks || rearranged || finding.check != "negation" && stands_framed(pair, finding) {
            finding.stance = Stance::Missing;
        }
    }
}

/// Whether what a finding shows in the sentence is denied or supposed there, and not in the claim.
fn stands_framed(pair: &Pair<'_>, finding: &Finding) -> bool {
    let Some(stated) = finding.evidence_span else { return false };
    let place = |word: &super::reading::Word| pair.reading.raw_span(word.span).shifted(pair.passage_start);
    let claimed = finding.claim_span.map_or(0..0, |span| pair.claim.words_in(span));
    pair.evidence.words.iter().any(|word| word.framed && place(word).overlaps(stated))
        && !pair.claim.words[claimed].iter().any(|word| word.framed)
}

/// Whether claim and sentence speak of the same case: every word of the claim stands in the sentence, and what the
/// sentence adds does not narrow a word that both share ("*youth* unemployment", "*very* small").
fn is_same_case(pair: &Pair<'_>, differing: &std::ops::Range<usize>) -> bool {
    let in_name = |at: usize| pair.claim.mentions.iter().any(|mention| mention.words.contains(&at));
    let stands = |at: usize| pair.alignment.same(at).is_some() || in_name(at) && pair.alignment.in_context[at];
    let all_stand = pair
        .claim
        .words
        .iter()
        .enumerate()
        .all(|(at, word)| !word.is_content() || differing.contains(&at) || stands(at));
    let sets_apart =
        |folded: &str| matches!(folded, "other" | "another" | "rest" | "others" | "same" | "both" | "each");
    let apart = |words: &[super::reading::Word]| words.iter().filter(|word| sets_apart(&word.folded)).count();
    let words = &pair.evidence.words;
    let narrows = words.windows(2).enumerate().any(|(at, two)| {
        let degree = matches!(two[0].folded.as_str(), "very" | "most" | "least" | "other" | "another");
        let foreign = two[0].is_content() && !pair.alignment.is_linked_from(at) && !pair.claim.holds(two[0].key);
        let completes = complements(pair).any(|words| words.contains(&at) && !words.contains(&(at + 1)));
        (foreign && !completes || degree && !pair.claim.words.iter().any(|word| word.form == two[0].form))
            && two[1].is_content()
            && !two[1].after_mark
            && pair.claim.holds(two[1].key)
    });
    all_stand && apart(&pair.claim.words) == apart(words) && !narrows && has_same_label(pair)
}

/// Names that the sentence alone adds after a preposition ("the centre *of Mount Arden*"): they say of what it speaks and do
/// not narrow the word after them.
fn complements<'a>(pair: &'a Pair<'_>) -> impl Iterator<Item = std::ops::Range<usize>> + 'a {
    let words = &pair.evidence.words;
    let after_preposition = |start: usize| {
        let mut before = (0..start).rev();
        let mut at = before.next();
        if at.is_some_and(|at| matches!(words[at].folded.as_str(), "the" | "a" | "an")) {
            at = before.next();
        }
        let preposition = |at: usize| {
            matches!(words[at].folded.as_str(), "of" | "at" | "in" | "for" | "de" | "von" | "du" | "da" | "do")
        };
        // What it completes must be something of which the claim speaks.
        at.is_some_and(preposition) && before.next().is_some_and(|head| pair.alignment.is_linked_from(head))
    };
    let foreign = |range: &std::ops::Range<usize>| !range.clone().any(|at| pair.alignment.is_linked_from(at));
    let names = pair.evidence.mentions.iter().map(|mention| mention.words.clone());
    names.filter(move |range| foreign(range) && after_preposition(range.start))
}

/// Whether two lines of the kind "area / land: 12 km²" have the same label, or the label ends in what the claim names.
fn has_same_label(pair: &Pair<'_>) -> bool {
    let label = |text: &ReadText| {
        let end = text.text.rfind(": ")?;
        let keys: Vec<u64> = text
            .words
            .iter()
            .take_while(|word| word.span.end <= end)
            .filter(|word| word.kind != super::reading::WordKind::Function || word.folded == "very")
            .map(|word| word.key)
            .collect();
        (!keys.is_empty()).then_some((keys, end))
    };
    let Some((evidence, end)) = label(pair.evidence) else { return true };
    match label(pair.claim) {
        Some((claim, _)) => claim == evidence,
        // A prefix before running text ("Revised spec: …") is no label of a value.
        None if pair.alignment.links.iter().flatten().any(|link| pair.evidence.words[link.to].span.start > end) => true,
        None => {
            let start = pair.evidence.text[..end].rfind(['/', ':']).map_or(0, |at| at + 1);
            let mut last = pair
                .evidence
                .words
                .iter()
                .filter(|word| word.span.start >= start && word.span.end <= end && word.is_content())
                .peekable();
            last.peek().is_none() || last.any(|word| pair.claim.holds(word.key))
        }
    }
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
    let in_date =
        pair.claim.dates.iter().zip(&pair.alignment.dates).any(|(d, link)| {
            d.words.contains(&at) && link.is_some_and(|link| link.agreement == DateAgreement::Contains)
        });
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
    if !found {
        return Verbatim::No;
    }
    let marks = |text: &ReadText| -> Vec<char> {
        let cited = crate::text::citations(&text.text);
        let own =
            text.text.char_indices().filter(|(at, _)| !cited.iter().any(|mark| (mark.start..mark.end).contains(at)));
        own.map(|(_, c)| c).filter(|c| matches!(c, '-' | '−' | '%' | '$' | '€' | '£' | '¥')).collect()
    };
    // A part has no sign of currency or percent that the whole lacks.
    let own_signs = || marks(claim).iter().all(|mark| matches!(mark, '-' | '−') || marks(evidence).contains(mark));
    let same_marks = if needle.len() == hay.len() { marks(claim) == marks(evidence) } else { own_signs() };
    match same_marks {
        true if needle.len() == hay.len() => Verbatim::Whole,
        true if needle.len() >= 3 => Verbatim::Part,
        _ => Verbatim::No,
    }
}
