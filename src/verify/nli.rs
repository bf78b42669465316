//! The seam for a natural-language-inference model.

/// What can go wrong in asking a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NliError {
    /// It gave something that is no probability.
    #[error("model `{model}` returned scores that are not finite")]
    NotFinite {
        /// Its name.
        model: String,
    },
    /// The claim has more tokens than it can read at once beside any evidence.
    #[error("the claim has {tokens} tokens; model `{model}` reads at most {limit}")]
    ClaimTooLong {
        /// Its name.
        model: String,
        /// Tokens of the claim.
        tokens: usize,
        /// Most that it reads.
        limit: usize,
    },
    /// It could not run.
    #[error("model `{model}` could not run: {reason}")]
    Failed {
        /// Its name.
        model: String,
        /// Why.
        reason: String,
    },
}

/// Says whether a premise entails a hypothesis.
pub trait NliModel: Send + Sync {
    /// Its name, for the report.
    fn name(&self) -> &str;

    /// Digest over all that decides its output.
    fn digest(&self) -> &str;

    /// Probabilities of entailment, neutral and contradiction, in this order. The premise is the evidence, the
    /// hypothesis the claim.
    ///
    /// # Errors
    /// When the model could not run. Scores that are not finite are an error too, never a verdict.
    fn classify(&self, premise: &str, hypothesis: &str) -> Result<[f32; 3], NliError>;
}

/// Asks the model and refuses what is no probability.
pub(super) fn classify(model: &dyn NliModel, premise: &str, hypothesis: &str) -> Result<[f32; 3], NliError> {
    let scores = model.classify(premise, hypothesis)?;
    if scores.iter().all(|score| score.is_finite() && (-1e-3..=1.001).contains(score)) {
        Ok(scores.map(|score| score.clamp(0.0, 1.0)))
    } else {
        Err(NliError::NotFinite { model: model.name().to_owned() })
    }
}
