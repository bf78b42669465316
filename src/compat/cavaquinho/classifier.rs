//! Classifiers: how a context stands to claims.

use std::sync::Arc;

use rayon::prelude::*;

use super::error::CavaquinhoError;
use super::language::SummaryLanguage;
use super::result::{ClaimResult, Label};
use crate::claim::{Claim, ClaimKind};
use crate::corpus::Document;
use crate::evidence::InlineContext;
use crate::text::arithmetic;
use crate::verify::{self, CitationRole, NliModel, Verdict, Verifier, VerifySettings};

/// Holds claims against a context.
pub trait Classifier: Send + Sync {
    /// How `context` stands to `claim`.
    ///
    /// # Errors
    /// When it cannot be told.
    fn classify(&self, claim: &str, context: &str) -> Result<ClaimResult, CavaquinhoError>;

    /// The same for many claims, in their order.
    ///
    /// # Errors
    /// The first that occurs.
    fn classify_batch(&self, claims: &[String], context: &str) -> Result<Vec<ClaimResult>, CavaquinhoError> {
        claims.iter().map(|claim| self.classify(claim, context)).collect()
    }
}

/// The engine's verdicts in three labels.
#[derive(Clone, Default)]
pub struct EngineClassifier {
    language: SummaryLanguage,
    nli: Option<Arc<dyn NliModel>>,
}

impl EngineClassifier {
    /// A classifier for texts in `language`.
    pub const fn new(language: SummaryLanguage) -> Self {
        Self { language, nli: None }
    }

    /// Asks a model for natural-language inference where the checks leave a claim open.
    #[must_use]
    pub fn with_nli(mut self, model: Arc<dyn NliModel>) -> Self {
        self.nli = Some(model);
        self
    }

    fn verifier(&self, context: &str) -> Result<Verifier, CavaquinhoError> {
        let source = InlineContext::new(vec![Document::inline("context", context)])?;
        let settings = VerifySettings { language: self.language.reading(), ..VerifySettings::default() };
        let mut builder = Verifier::builder().source(Arc::new(source)).settings(settings);
        if let Some(nli) = &self.nli {
            builder = builder.nli(Arc::clone(nli));
        }
        Ok(builder.build()?)
    }
}

impl Classifier for EngineClassifier {
    fn classify(&self, claim: &str, context: &str) -> Result<ClaimResult, CavaquinhoError> {
        Ok(judged(&self.verifier(context)?, claim))
    }

    fn classify_batch(&self, claims: &[String], context: &str) -> Result<Vec<ClaimResult>, CavaquinhoError> {
        let verifier = self.verifier(context)?;
        Ok(claims.par_iter().map(|claim| judged(&verifier, claim)).collect())
    }
}

fn judged(verifier: &Verifier, text: &str) -> ClaimResult {
    let mut claim = Claim::whole(text);
    if !arithmetic(text).is_empty() {
        claim.kind = ClaimKind::Arithmetic;
    }
    let verdict = verifier.verify_claim(&claim);
    let label = label_of(&verdict);
    let role = match label {
        Label::Entailment => CitationRole::Supports,
        Label::Contradiction => CitationRole::Contradicts,
        Label::Neutral => CitationRole::Nearest,
    };
    let decides = verdict.evidence.iter().find(|citation| citation.role == role).or(verdict.evidence.first());
    // What was not checked is surely not shown to be true.
    let confidence = f64::from(verdict.confidence.unwrap_or(1.0));
    // How sure it is that the context does not state the claim: a verdict of "not enough info" that is wrong hides a
    // refuted claim as often as a stated one.
    let certainty = if label == Label::Neutral { 0.5 + confidence / 2.0 } else { confidence };
    ClaimResult {
        text: text.to_owned(),
        evidence: decides.map(|citation| citation.quote.clone()).unwrap_or_default(),
        label,
        score: (certainty * 1e4).round() / 1e4,
        reason: verdict.reason,
    }
}

/// A claim that is true in part is a contradiction where the rest is refuted, else neutral.
fn label_of(verdict: &Verdict) -> Label {
    let refuted = || {
        verdict.evidence.iter().any(|citation| citation.role == CitationRole::Contradicts)
            || verdict.proofs.iter().any(|proof| !proof.holds)
    };
    match verdict.label {
        verify::Label::Supported => Label::Entailment,
        verify::Label::Contradicted | verify::Label::Conflicting => Label::Contradiction,
        verify::Label::PartiallySupported if refuted() => Label::Contradiction,
        verify::Label::PartiallySupported | verify::Label::NotEnoughInfo | verify::Label::NotChecked => Label::Neutral,
    }
}
