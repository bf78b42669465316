//! One or two sentences on a response, in English or Portuguese.

use super::language::SummaryLanguage;
use super::result::{ClaimResult, Label};

/// Says how many claims the context contradicts, leaves open and states; quotes the most severe conflict: the
/// contradiction with the highest score, the first of equals.
pub fn summary(claims: &[ClaimResult], language: SummaryLanguage) -> String {
    let count = |label| claims.iter().filter(|claim| claim.label == label).count();
    let (total, contradicted, open) = (claims.len(), count(Label::Contradiction), count(Label::Neutral));
    let worst = claims.iter().filter(|claim| claim.label == Label::Contradiction).fold(None, worse);
    match (language, worst) {
        (SummaryLanguage::English, _) if total == 0 => "There is no claim to check.".to_owned(),
        (SummaryLanguage::Portuguese, _) if total == 0 => "Não há afirmação a verificar.".to_owned(),
        (SummaryLanguage::English, Some(worst)) => {
            let left = if open > 0 { format!(" {open} not stated in it.") } else { String::new() };
            format!(
                "The context contradicts {contradicted} of {total} claims.{left} Most severe: \"{}\" against \"{}\".",
                worst.text, worst.evidence
            )
        }
        (SummaryLanguage::Portuguese, Some(worst)) => {
            let left = if open > 0 { format!(" {open} sem menção nele.") } else { String::new() };
            format!(
                "O contexto contradiz {contradicted} de {total} afirmações.{left} Mais grave: \"{}\" contra \"{}\".",
                worst.text, worst.evidence
            )
        }
        (SummaryLanguage::English, None) if open > 0 => {
            format!("The context contradicts none of {total} claims, but does not state {open}.")
        }
        (SummaryLanguage::Portuguese, None) if open > 0 => {
            format!("O contexto não contradiz nenhuma de {total} afirmações, mas não menciona {open}.")
        }
        (SummaryLanguage::English, None) => format!("The context states all {total} claims."),
        (SummaryLanguage::Portuguese, None) => format!("O contexto confirma todas as {total} afirmações."),
    }
}

fn worse<'a>(worst: Option<&'a ClaimResult>, claim: &'a ClaimResult) -> Option<&'a ClaimResult> {
    match worst {
        Some(worst) if worst.score >= claim.score => Some(worst),
        _ => Some(claim),
    }
}
