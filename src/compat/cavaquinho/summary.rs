//! One or two sentences on a response, in English or Portuguese.

use super::language::SummaryLanguage;
use super::result::{ClaimResult, Label};

/// Says how many claims the context contradicts and how many it does not state; quotes the most severe conflict: the
/// contradiction with the highest score, the first of equals.
pub fn summary(claims: &[ClaimResult], language: SummaryLanguage) -> String {
    let count = |label| claims.iter().filter(|claim| claim.label == label).count();
    let (total, contradicted, open) = (claims.len(), count(Label::Contradiction), count(Label::Neutral));
    let worst = claims.iter().filter(|claim| claim.label == Label::Contradiction).fold(None, worse);
    match (language, worst) {
        (SummaryLanguage::English, _) if total == 0 => "There is no claim to check.".to_owned(),
        (SummaryLanguage::Portuguese, _) if total == 0 => "Não há afirmação a verificar.".to_owned(),
        (SummaryLanguage::English, Some(worst)) => format!(
            "Claims contradicted by the context: {contradicted} of {total}; not stated in it: {open}. \
             Most severe: \"{}\" against \"{}\".",
            worst.text, worst.evidence
        ),
        (SummaryLanguage::Portuguese, Some(worst)) => format!(
            "Afirmações contraditas pelo contexto: {contradicted} de {total}; sem menção nele: {open}. \
             Mais grave: \"{}\" contra \"{}\".",
            worst.text, worst.evidence
        ),
        (SummaryLanguage::English, None) if open > 0 => {
            format!("No claim is contradicted by the context; not stated in it: {open} of {total}.")
        }
        (SummaryLanguage::Portuguese, None) if open > 0 => {
            format!("Nenhuma afirmação é contradita pelo contexto; sem menção nele: {open} de {total}.")
        }
        (SummaryLanguage::English, None) => "The context states every claim.".to_owned(),
        (SummaryLanguage::Portuguese, None) => "O contexto confirma todas as afirmações.".to_owned(),
    }
}

fn worse<'a>(worst: Option<&'a ClaimResult>, claim: &'a ClaimResult) -> Option<&'a ClaimResult> {
    match worst {
        Some(worst) if worst.score >= claim.score => Some(worst),
        _ => Some(claim),
    }
}
