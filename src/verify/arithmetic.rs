//! Claims whose truth can be computed: the computation is their evidence.

use super::{Label, Proof, Verdict};
use crate::text::{ArithmeticClaim, arithmetic};

/// The verdict on an arithmetic claim; `None` if nothing in it can be evaluated.
///
/// One expression that does not come to what is claimed refutes the claim; several are partly right if some hold.
pub(super) fn verdict(text: &str) -> Option<Verdict> {
    let statements = arithmetic(text);
    let proofs: Vec<Proof> = statements.iter().filter_map(proof).collect();
    if proofs.is_empty() || proofs.len() < statements.len() {
        return None;
    }
    let wrong = proofs.iter().find(|proof| !proof.holds);
    let (label, reason) = match wrong {
        None => (Label::Supported, "the computation comes to what is claimed".to_owned()),
        Some(wrong) => {
            let reason = format!("{} is {}, not {}", wrong.expression, wrong.result, wrong.claimed);
            let partly = proofs.iter().any(|proof| proof.holds);
            (if partly { Label::PartiallySupported } else { Label::Contradicted }, reason)
        }
    };
    Some(Verdict {
        label,
        confidence: Some(1.0),
        reason,
        unchecked: None,
        evidence: Vec::new(),
        proofs,
        findings: Vec::new(),
        considered: Vec::new(),
        warnings: Vec::new(),
        failures: Vec::new(),
        standings: Vec::new(),
    })
}

fn proof(statement: &ArithmeticClaim) -> Option<Proof> {
    let result = statement.result.as_ref().ok()?;
    Some(Proof {
        expression: statement.expression.clone(),
        result: result.to_string(),
        claimed: statement.claimed.clone(),
        holds: statement.holds?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_sum_is_contradicted_with_its_computation() {
        let verdict = verdict("17 × 3 = 52").unwrap();
        assert_eq!(verdict.label, Label::Contradicted);
        assert_eq!((verdict.proofs[0].result.as_str(), verdict.proofs[0].claimed.as_str()), ("51", "52"));
    }

    #[test]
    fn what_cannot_be_evaluated_has_no_verdict() {
        assert!(verdict("2 + = 4").is_none());
        assert!(verdict("In 2019–2020 the city grew.").is_none());
    }
}
