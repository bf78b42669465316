//! From what all sentences say to one label: the one table.
//!
//! | sentences that support | sentences that contradict | label |
//! |---|---|---|
//! | one, word for word | none about just the same thing | supported |
//! | one | one as surely about the same thing | conflicting |
//! | one | none, or about something else | supported |
//! | each sentence of the claim, word for word in one of its own | none in another document | supported |
//! | two together | none | supported |
//! | none | one, and another part of the claim stands | partially supported |
//! | none | one | contradicted |
//! | none, but a part of the claim stands | none | partially supported |
//! | none | none | not enough info |
//!
//! Where an NLI model ran, it decides what the checks left open, as `model_rule` says; the checks are never outvoted.
//! A check that failed never helps a claim to be supported. A sentence that holds all of the claim but is put together in
//! another way (`structure`, `completeness`) supports nothing by itself; one that contradicts must be as surely about the
//! same thing to stand against it.

use std::sync::Arc;

use super::hops;
use super::judge::{Outcome, Verbatim};
use super::model_rule::Field;
use super::reading::ReadText;
use super::rule::Thresholds;
use super::window::PassageReading;
use super::{Label, Proof, Stance, measures};
use crate::claim::verbs;

/// How surely a sentence must be about the same thing to stand against another that supports the claim.
const CONFLICT_STRENGTH: f32 = 0.85;
/// The same against a sentence that holds the claim word for word.
const CONFLICT_VERBATIM: f32 = 0.95;

/// Most of a contradicting sentence that may be about other things, for it to stand against a supporting one.
const MOST_BESIDES: f32 = 0.6;
/// The same where dates differ: what happens every year has many.
const MOST_BESIDES_DATES: f32 = 0.4;
/// The same where names or opposites differ, which many things may have at once.
const MOST_BESIDES_NAMES: f32 = 0.3;

/// Words in which a sentence says who reports what follows.
const REPORTER: usize = 8;

/// What was decided, and by which outcomes.
#[derive(Debug, Clone)]
pub(super) struct Decision {
    pub label: Label,
    pub confidence: f32,
    pub reason: String,
    /// Outcomes that support.
    pub supporting: Vec<usize>,
    /// Outcomes that contradict.
    pub contradicting: Vec<usize>,
    /// A computation that the decision rests on.
    pub proof: Option<Proof>,
}

/// Fuses the outcomes, best first, into a decision.
pub(super) fn fuse(
    claim: &ReadText,
    outcomes: &[Outcome],
    readings: &[Arc<PassageReading>],
    thresholds: Thresholds,
) -> Decision {
    let field = Field::of(outcomes, thresholds);
    let supporting: Vec<usize> = (0..outcomes.len()).filter(|at| supports(&outcomes[*at], &field)).collect();
    let mut contradicting: Vec<usize> = (0..outcomes.len()).filter(|at| contradicts(&outcomes[*at], &field)).collect();
    contradicting.sort_by(|a, b| outcomes[*b].strength.total_cmp(&outcomes[*a].strength).then(a.cmp(b)));
    if supporting.is_empty()
        && let Some(near) =
            outcomes.iter().filter(|outcome| leans(outcome)).max_by(|a, b| a.coverage.total_cmp(&b.coverage))
    {
        // A sentence that says nearly all of it is not outweighed by one that says otherwise of something like it.
        contradicting.retain(|at| {
            outcomes[*at].strength + 0.05 >= near.coverage && same_scope(claim, near, &outcomes[*at], readings)
        });
    }
    if let Some(&best) = supporting.first() {
        let best = &outcomes[best];
        let needed = if best.verbatim == Verbatim::No { CONFLICT_STRENGTH } else { CONFLICT_VERBATIM };
        let against: Vec<usize> = contradicting
            .iter()
            .copied()
            .filter(|at| {
                let other = &outcomes[*at];
                !are_entries_of_one_list(claim, best, other, readings)
                    && other.strength >= needed
                    && other.strength + 0.05 >= best.coverage
                    && same_scope(claim, best, other, readings)
            })
            .collect();
        if against.is_empty() {
            let confidence = support_confidence(best);
            return Decision {
                label: Label::Supported,
                confidence,
                reason: support_reason(best),
                supporting,
                contradicting: Vec::new(),
                proof: None,
            };
        }
        return Decision {
            label: Label::Conflicting,
            confidence: 0.5 + 0.4 * outcomes[against[0]].strength,
            reason: "the sources disagree about it".to_owned(),
            supporting,
            contradicting: against,
            proof: None,
        };
    }
    if let Some(repeated) = hops::repeated(claim, outcomes, readings)
        && contradicting.iter().all(|at| {
            let document = |at: usize| &readings[outcomes[at].passage].document;
            repeated.iter().any(|own| document(*own) == document(*at))
        })
    {
        return Decision {
            label: Label::Supported,
            confidence: 0.95,
            reason: "the sources say so word for word".to_owned(),
            supporting: repeated,
            contradicting: Vec::new(),
            proof: None,
        };
    }
    if contradicting.is_empty()
        && let Some(measured) = measures::compare(claim, outcomes, readings)
    {
        let supported = measured.label == Label::Supported;
        let (supporting, contradicting) =
            if supported { (measured.outcomes, Vec::new()) } else { (Vec::new(), measured.outcomes) };
        return Decision {
            label: measured.label,
            confidence: 0.85,
            reason: format!("measured: {}", measured.proof.expression),
            supporting,
            contradicting,
            proof: Some(measured.proof),
        };
    }
    if contradicting.is_empty()
        && let Some((a, b)) = hops::together(claim, outcomes, readings)
    {
        return Decision {
            label: Label::Supported,
            confidence: 0.7,
            reason: "two passages say so together".to_owned(),
            supporting: vec![a, b],
            contradicting: Vec::new(),
            proof: None,
        };
    }
    let parts = hops::parts(claim);
    let standing = if parts.len() > 1 { hops::standing_parts(claim, &parts, outcomes) } else { Vec::new() };
    let stands: Vec<usize> = standing.iter().copied().flatten().collect();
    if let Some(&first) = contradicting.first() {
        let partly = !stands.is_empty() && stands.len() < parts.len();
        return Decision {
            label: if partly { Label::PartiallySupported } else { Label::Contradicted },
            confidence: contradiction_confidence(&outcomes[first]),
            reason: contradiction_reason(&outcomes[first]),
            supporting: if partly { stands } else { Vec::new() },
            contradicting,
            proof: None,
        };
    }
    if !stands.is_empty() && stands.len() < parts.len() {
        return Decision {
            label: Label::PartiallySupported,
            confidence: 0.6,
            reason: "one part is supported, another is not in the sources".to_owned(),
            supporting: stands,
            contradicting,
            proof: None,
        };
    }
    let nearest = outcomes.iter().map(|outcome| outcome.coverage).fold(0.0, f32::max);
    Decision {
        label: Label::NotEnoughInfo,
        confidence: 0.95 - 0.5 * nearest.clamp(0.0, 1.0),
        reason: absence_reason(outcomes.first()),
        supporting: Vec::new(),
        contradicting: Vec::new(),
        proof: None,
    }
}

/// "Age: 16" beside "Age: 17", "Race 1." beside "Race 2.": entries of one document without a verb are said each of its own
/// thing.
fn are_entries_of_one_list(
    claim: &ReadText,
    support: &Outcome,
    other: &Outcome,
    readings: &[Arc<PassageReading>],
) -> bool {
    let states = claim.words.iter().any(|word| {
        !word.capitalised && verbs::forms(&word.folded) & (verbs::AUXILIARY | verbs::PAST | verbs::THIRD) != 0
    });
    support.verbatim == Verbatim::Whole
        && !states
        && readings[support.passage].document == readings[other.passage].document
}

fn supports(outcome: &Outcome, field: &Field) -> bool {
    outcome.stance == Stance::Supports || field.supports(outcome)
}

/// Whether a sentence holds all of the claim and only its structure keeps it from saying so.
fn leans(outcome: &Outcome) -> bool {
    outcome.stance == Stance::Missing
        && outcome.coverage >= super::judge::SUPPORT_COVERAGE
        && outcome.failures.is_empty()
        && outcome.blockers().next().is_some()
        && outcome.blockers().all(|finding| {
            matches!(finding.check.as_str(), "structure" | "completeness") && finding.kind != "only_in_context"
        })
}

fn contradicts(outcome: &Outcome, field: &Field) -> bool {
    outcome.stance == Stance::Contradicts || field.contradicts(outcome)
}

/// Whether a contradicting sentence speaks of the same case as the supporting one: it holds every name and value of the
/// claim beside the one that differs.
fn same_scope(claim: &ReadText, support: &Outcome, other: &Outcome, readings: &[Arc<PassageReading>]) -> bool {
    let differs =
        other.findings.iter().filter(|finding| finding.stance == Stance::Contradicts).filter_map(|f| f.claim_span);
    let differing: Vec<_> = differs.collect();
    let lacks = other
        .blockers()
        .any(|missing| missing.claim_span.is_none_or(|span| !differing.iter().any(|other| other.overlaps(span))));
    // Two opposites at once ("the western side … Swiss", "the eastern side … Italian") are two statements side by side.
    let parallel = differing.len() > 1;
    let statement = |finding: &super::Finding| !matches!(finding.check.as_str(), "opposite" | "entity" | "role");
    let by_statement = other.findings.iter().any(|f| f.stance == Stance::Contradicts && statement(f));
    let besides = foreign_share(other, readings);
    let by_date = other.findings.iter().any(|f| f.stance == Stance::Contradicts && f.check == "date");
    let most = match (by_date, by_statement) {
        (true, _) => MOST_BESIDES_DATES,
        (_, true) => MOST_BESIDES,
        _ => MOST_BESIDES_NAMES,
    };
    let supporting = &readings[support.passage].sentences[support.sentence];
    let opposing = &readings[other.passage].sentences[other.sentence];
    // "the centre of Mount Arden" and "the centre of Holm" are two.
    let of_another = other.complements.iter().filter_map(|at| opposing.read.mentions.get(*at)).any(|name| {
        let same = |own: &super::reading::Placed<crate::text::Mention>| {
            own.value.matches(&name.value) == crate::text::NameMatch::Same
        };
        !supporting.read.mentions.iter().any(same) && !supporting.context.names(&name.value)
    });
    if parallel || of_another || besides > most || !other.same_case {
        return false;
    }
    let opposite = other.findings.iter().any(|f| f.stance == Stance::Contradicts && f.check == "opposite");
    if opposite && support.verbatim != Verbatim::No || names_another_case(claim, support, other, readings) {
        return false;
    }
    let same_sentence = support.passage == other.passage && support.sentence == other.sentence;
    let read = |outcome: &Outcome| &readings[outcome.passage].sentences[outcome.sentence].read;
    let same_text = read(support).text == read(other).text;
    !lacks && !same_sentence && !same_text && !claim.words.is_empty()
}

/// "In 1947 it had …" beside "In 2011 it had …", "Race 2 was …" beside "Race 3 was …": what stands before the verb in both
/// says when, or of which one. In one document these are two statements, and so are "the revenue" and "the revenue per
/// head".
fn names_another_case(claim: &ReadText, support: &Outcome, other: &Outcome, readings: &[Arc<PassageReading>]) -> bool {
    if support.verbatim != Verbatim::Whole || readings[support.passage].document != readings[other.passage].document {
        return false;
    }
    let opposing = &readings[other.passage].sentences[other.sentence].read;
    let verb = |text: &ReadText| {
        let finite = |word: &super::reading::Word| {
            !word.capitalised && verbs::forms(&word.folded) & (verbs::AUXILIARY | verbs::PAST | verbs::THIRD) != 0
        };
        text.words.iter().find(|word| finite(word)).map(|word| word.span.start)
    };
    let before_verb = |text: &ReadText, at: usize| verb(text).is_some_and(|verb| at < verb);
    let differs = other.findings.iter().filter(|finding| finding.stance == Stance::Contradicts);
    let in_subject = differs.filter_map(|finding| Some((finding.claim_span?, finding.evidence_value.as_deref()?))).any(
        |(own, stated)| {
            before_verb(claim, own.start) && opposing.text.find(stated).is_some_and(|at| before_verb(opposing, at))
        },
    );
    let rate = |text: &ReadText| text.words.iter().any(|word| word.folded == "per");
    in_subject || rate(claim) != rate(opposing)
}

/// Share of the sentence's content that the claim does not speak of. Who reports it ("The census office counted …") does
/// not count: that is about the source.
fn foreign_share(outcome: &Outcome, readings: &[Arc<PassageReading>]) -> f32 {
    let words = &readings[outcome.passage].sentences[outcome.sentence].read.words;
    let reported = words.iter().take(REPORTER).position(|word| {
        matches!(
            word.folded.as_str(),
            "counted"
                | "reported"
                | "reports"
                | "estimated"
                | "estimates"
                | "measured"
                | "recorded"
                | "said"
                | "says"
                | "found"
                | "listed"
                | "registered"
                | "stated"
                | "states"
        )
    });
    let weight = |words: &[super::reading::Word]| words.iter().map(super::reading::Word::weight).sum::<f32>();
    let total = weight(words);
    // What the claim shares may stand before the verb too: at least that much is left.
    let left = (total - reported.map_or(0.0, |at| weight(&words[..=at]))).max(outcome.shared);
    if left == 0.0 { 0.0 } else { 1.0 - (outcome.shared / left).clamp(0.0, 1.0) }
}

fn support_confidence(outcome: &Outcome) -> f32 {
    let by_words = match outcome.verbatim {
        Verbatim::Whole => 0.99,
        Verbatim::Part => 0.95,
        Verbatim::No => 0.5 + 0.4 * outcome.coverage.clamp(0.0, 1.0),
    };
    outcome.nli.map_or(by_words, |nli| by_words.max(nli[0]))
}

fn contradiction_confidence(outcome: &Outcome) -> f32 {
    let by_checks =
        if outcome.stance == Stance::Contradicts { 0.5 + 0.45 * outcome.strength.clamp(0.0, 1.0) } else { 0.0 };
    outcome.nli.map_or(by_checks, |nli| by_checks.max(nli[2]))
}

fn support_reason(outcome: &Outcome) -> String {
    match outcome.verbatim {
        Verbatim::Whole | Verbatim::Part => "a source says so word for word".to_owned(),
        Verbatim::No => "a source says so".to_owned(),
    }
}

fn contradiction_reason(outcome: &Outcome) -> String {
    let finding = outcome.findings.iter().find(|finding| finding.stance == Stance::Contradicts);
    let Some(finding) = finding else { return "a source says otherwise".to_owned() };
    let quoted = |value: &Option<String>| value.as_deref().map_or_else(String::new, |value| format!(" (\"{value}\")"));
    let both = match (&finding.claim_value, &finding.evidence_value) {
        (Some(claim), Some(evidence)) => Some(format!("the claim says \"{claim}\", a source says \"{evidence}\"")),
        _ => None,
    };
    match (finding.kind.as_str(), both) {
        // What both say is the same word there: only one of them denies it.
        ("negation_mismatch", _) => {
            let detail = finding.detail.as_deref().unwrap_or("a source says the contrary");
            format!("{detail}{}", quoted(&finding.claim_value))
        }
        ("roles_swapped", _) => format!("a source says it the other way round{}", quoted(&finding.evidence_value)),
        ("comparison_turned", _) => {
            format!("a source compares them the other way round{}", quoted(&finding.evidence_value))
        }
        ("unit_mismatch", Some(both)) => format!("another unit: {both}"),
        (_, Some(both)) => both,
        _ => finding.detail.clone().unwrap_or_else(|| "a source says otherwise".to_owned()),
    }
}

fn absence_reason(nearest: Option<&Outcome>) -> String {
    let Some(nearest) = nearest else { return "no passage speaks about it".to_owned() };
    let Some(missing) = nearest.blockers().next() else { return "no passage says enough about it".to_owned() };
    let Some(value) = &missing.claim_value else { return "the nearest passage does not settle it".to_owned() };
    match missing.kind.as_str() {
        "name_not_found" => format!("the sources do not name \"{value}\" here"),
        "other_bearer" => format!("the sources name another \"{value}\""),
        "number_not_found" => format!("the nearest passage does not give the number \"{value}\""),
        "date_not_found" => format!("the nearest passage does not give the date \"{value}\""),
        "more_precise_than_source" => format!("\"{value}\" is more precise than the sources"),
        "superlative_not_found" => format!("the nearest passage does not say \"{value}\""),
        _ => format!("the nearest passage does not settle \"{value}\""),
    }
}

/// For people: why an outcome did not decide.
pub(super) fn why_not(outcome: &Outcome) -> String {
    match outcome.blockers().next() {
        Some(finding) => {
            let value = finding.claim_value.as_deref().unwrap_or_default();
            format!("{}: \"{value}\"", finding.kind.replace('_', " "))
        }
        None if outcome.stance == Stance::Contradicts => "speaks about another case".to_owned(),
        None => format!("holds {:.0} % of the claim's content", outcome.coverage * 100.0),
    }
}
