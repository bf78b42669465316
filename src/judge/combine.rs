//! The verdict on a claim, once models have spoken too. Only opinions that rest on the sources have a vote; "supported"
//! and "contradicted" still need a quote of the sources behind them.

use super::ensemble::{Weights, vote};
use super::method::{Method, Opinion, OpinionLabel};
use crate::verify::{CheckFailure, CitationRole, Label, Verdict};

/// What a verdict of the checks says, in the words of opinions; `None` where nothing was checked.
pub(super) const fn opinion_label(label: Label) -> Option<OpinionLabel> {
    match label {
        Label::Supported => Some(OpinionLabel::Supported),
        Label::PartiallySupported => Some(OpinionLabel::Unsupported),
        Label::Contradicted | Label::Conflicting => Some(OpinionLabel::Contradicted),
        Label::NotEnoughInfo => Some(OpinionLabel::Unknown),
        Label::NotChecked => None,
    }
}

/// A confidence of the checks as the number that it was meant to be: 0.9, not 0.89999998, so that equal ones are equal.
pub(super) fn widened(confidence: f32) -> f64 {
    (f64::from(confidence) * 1e6).round() / 1e6
}

/// The verdict from that of the checks (`checked`: whether they ran) and the opinions of the other methods.
pub(super) fn combine(base: &Verdict, checked: bool, opinions: &[(Method, &Opinion)], weights: &Weights) -> Verdict {
    let mut verdict = base.clone();
    for (method, opinion) in opinions {
        if let Some(error) = &opinion.error {
            verdict.failures.push(CheckFailure { check: method.to_string(), message: error.clone() });
        }
        for warning in &opinion.warnings {
            if !verdict.warnings.contains(warning) {
                verdict.warnings.push(warning.clone());
            }
        }
    }
    let grounded: Vec<(Method, &Opinion)> =
        opinions.iter().copied().filter(|(_, opinion)| opinion.grounded && opinion.label.is_some()).collect();
    if grounded.is_empty() {
        return verdict;
    }
    let mut votes = Vec::new();
    let mut names = Vec::new();
    let base_label = opinion_label(base.label).filter(|_| checked);
    if let (Some(label), Some(confidence)) = (base_label, base.confidence) {
        votes.push((weights.of(Method::Nli), label, widened(confidence)));
        names.push((Method::Nli, label));
    }
    for (method, opinion) in &grounded {
        if let (Some(label), Some(confidence)) = (opinion.label, opinion.confidence) {
            votes.push((weights.of(*method), label, confidence));
            names.push((*method, label));
        }
    }
    let Some((winner, _)) = vote(&votes) else { return verdict };
    for (_, opinion) in &grounded {
        for citation in &opinion.evidence {
            let same = |known: &&crate::verify::Citation| {
                known.passage.document_id == citation.passage.document_id
                    && known.span == citation.span
                    && known.role == citation.role
            };
            if verdict.evidence.iter().find(same).is_none() {
                verdict.evidence.push(citation.clone());
            }
        }
    }
    let has = |role| verdict.evidence.iter().any(|citation| citation.role == role);
    let keeps = base_label == Some(winner);
    let label = match winner {
        _ if keeps => base.label,
        OpinionLabel::Supported if has(CitationRole::Supports) => Label::Supported,
        OpinionLabel::Contradicted if has(CitationRole::Contradicts) => Label::Contradicted,
        _ => Label::NotEnoughInfo,
    };
    let behind: f64 = votes.iter().filter(|(_, voted, _)| *voted == winner).map(|(w, _, c)| w * c).sum();
    let all: f64 = votes.iter().map(|(weight, _, _)| weight).sum();
    verdict.confidence = Some(if all > 0.0 { (behind / all) as f32 } else { 0.0 });
    let said = names.iter().map(|(method, label)| format!("{method}: {label}")).collect::<Vec<_>>().join(", ");
    let unproven = !keeps
        && label == Label::NotEnoughInfo
        && matches!(winner, OpinionLabel::Supported | OpinionLabel::Contradicted);
    verdict.reason = if unproven {
        format!("{said}; but no quote of the sources stands behind it")
    } else if keeps && checked {
        format!("{} ({said})", base.reason)
    } else {
        said
    };
    verdict.label = label;
    verdict.unchecked = None;
    // What decides stands first.
    let wanted = match label {
        Label::Supported => CitationRole::Supports,
        Label::Contradicted => CitationRole::Contradicts,
        _ => return verdict,
    };
    let order: Vec<usize> = {
        let mut order: Vec<usize> = (0..verdict.evidence.len()).collect();
        order.sort_by_key(|at| verdict.evidence[*at].role != wanted);
        order
    };
    for finding in &mut verdict.findings {
        finding.evidence = finding.evidence.and_then(|old| order.iter().position(|at| *at == old));
    }
    verdict.evidence = order.iter().map(|at| verdict.evidence[*at].clone()).collect();
    verdict
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::passages::tests::shown;
    use crate::judge::quotes;

    fn verdict(label: Label, confidence: f32) -> Verdict {
        Verdict {
            label,
            confidence: Some(confidence),
            reason: "so".to_owned(),
            unchecked: None,
            evidence: Vec::new(),
            proofs: Vec::new(),
            findings: Vec::new(),
            considered: Vec::new(),
            standings: Vec::new(),
            warnings: Vec::new(),
            failures: Vec::new(),
        }
    }

    fn opinion(label: OpinionLabel, confidence: f64, quoted: bool) -> Opinion {
        let mut opinion = Opinion { grounded: true, ..Opinion::new(0, label, confidence, "") };
        if quoted {
            let role = match label {
                OpinionLabel::Supported => CitationRole::Supports,
                _ => CitationRole::Contradicts,
            };
            let text = "The bridge opened in 1931.";
            opinion.evidence.extend(quotes::find(text, text, &[&shown(text)], role));
        }
        opinion
    }

    #[test]
    fn a_yes_without_a_quote_never_makes_a_claim_supported() {
        let base = verdict(Label::NotEnoughInfo, 0.1);
        let yes = opinion(OpinionLabel::Supported, 0.9, false);
        let combined = combine(&base, true, &[(Method::Qa, &yes)], &Weights::default());
        assert_eq!(combined.label, Label::NotEnoughInfo);
        assert!(combined.reason.contains("no quote"), "{}", combined.reason);
        let quoted = opinion(OpinionLabel::Supported, 0.9, true);
        let combined = combine(&base, true, &[(Method::Judge, &quoted), (Method::Qa, &yes)], &Weights::default());
        assert_eq!(combined.label, Label::Supported);
    }

    #[test]
    fn an_opinion_without_sources_has_no_vote() {
        let base = verdict(Label::NotEnoughInfo, 0.5);
        let opinion = Opinion { grounded: false, ..opinion(OpinionLabel::Supported, 0.7, true) };
        let combined = combine(&base, false, &[(Method::Judge, &opinion)], &Weights::default());
        assert_eq!((combined.label, combined.reason.as_str()), (Label::NotEnoughInfo, "so"));
    }

    #[test]
    fn a_failed_opinion_is_a_failure_of_the_claim_and_nothing_else() {
        let base = verdict(Label::Supported, 0.9);
        let failed = Opinion::failed(0, "gone");
        let combined = combine(&base, true, &[(Method::Judge, &failed)], &Weights::default());
        assert_eq!((combined.label, combined.confidence), (Label::Supported, Some(0.9)));
        assert_eq!(combined.failures[0].message, "gone");
    }

    #[test]
    fn disagreement_lowers_the_confidence_and_a_tie_goes_to_the_cautious_side() {
        let base = verdict(Label::Contradicted, 0.9);
        let supported = opinion(OpinionLabel::Supported, 0.9, true);
        let combined = combine(&base, true, &[(Method::Judge, &supported)], &Weights::default());
        assert_eq!(combined.label, Label::Contradicted);
        assert!(combined.confidence.unwrap() < 0.5);
    }
}
