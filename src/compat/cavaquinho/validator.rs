//! The validator: extractor, classifier, aggregator and summary, one after the other.

use super::aggregator::{Aggregator, WeightedMean};
use super::classifier::{Classifier, EngineClassifier};
use super::error::CavaquinhoError;
use super::extractor::{Extractor, RuleExtractor};
use super::language::SummaryLanguage;
use super::result::ValidationResult;
use super::summary::summary;

/// What a score must exceed to flag a response, unless the caller chooses otherwise.
pub const DEFAULT_THRESHOLD: f64 = 0.5;

/// One item of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request<'a> {
    /// The response to validate.
    pub response: &'a str,
    /// What it is held against.
    pub context: &'a str,
    /// The question that it answers, if there was one.
    pub prompt: Option<&'a str>,
}

/// Validates responses against contexts.
///
/// ```
/// use evidex::compat::cavaquinho::Validator;
///
/// let result = Validator::default().validate("Water boils at 50 °C.", "Water boils at 100 °C.", None)?;
/// assert!(result.is_hallucination);
/// # Ok::<(), evidex::compat::cavaquinho::CavaquinhoError>(())
/// ```
pub struct Validator {
    extractor: Box<dyn Extractor>,
    classifier: Box<dyn Classifier>,
    aggregator: Box<dyn Aggregator>,
    threshold: f64,
    language: SummaryLanguage,
}

impl Default for Validator {
    fn default() -> Self {
        Self::new(SummaryLanguage::English)
    }
}

impl Validator {
    /// A validator of the engine's own parts, with a threshold of 0.5.
    pub fn new(language: SummaryLanguage) -> Self {
        Self {
            extractor: Box::new(RuleExtractor::new(language)),
            classifier: Box::new(EngineClassifier::new(language)),
            aggregator: Box::new(WeightedMean::default()),
            threshold: DEFAULT_THRESHOLD,
            language,
        }
    }

    /// Flags responses above another threshold.
    ///
    /// # Errors
    /// [`CavaquinhoError::Threshold`] when it is not from 0 to 1.
    pub fn with_threshold(mut self, threshold: f64) -> Result<Self, CavaquinhoError> {
        if !(0.0..=1.0).contains(&threshold) {
            return Err(CavaquinhoError::Threshold { threshold });
        }
        self.threshold = threshold;
        Ok(self)
    }

    /// Takes the claims from another extractor.
    #[must_use]
    pub fn with_extractor(mut self, extractor: impl Extractor + 'static) -> Self {
        self.extractor = Box::new(extractor);
        self
    }

    /// Takes the labels from another classifier.
    #[must_use]
    pub fn with_classifier(mut self, classifier: impl Classifier + 'static) -> Self {
        self.classifier = Box::new(classifier);
        self
    }

    /// Takes the score from another aggregator.
    #[must_use]
    pub fn with_aggregator(mut self, aggregator: impl Aggregator + 'static) -> Self {
        self.aggregator = Box::new(aggregator);
        self
    }

    /// Validates a response against a context; `prompt` is the question that it answers.
    ///
    /// # Errors
    /// [`CavaquinhoError::BlankResponse`] and [`CavaquinhoError::BlankContext`]; else what the parts give.
    pub fn validate(
        &self,
        response: &str,
        context: &str,
        prompt: Option<&str>,
    ) -> Result<ValidationResult, CavaquinhoError> {
        if response.trim().is_empty() {
            return Err(CavaquinhoError::BlankResponse);
        }
        if context.trim().is_empty() {
            return Err(CavaquinhoError::BlankContext);
        }
        let claims = self.extractor.extract(response, prompt)?;
        let claims = self.classifier.classify_batch(&claims, context)?;
        let aggregate = self.aggregator.aggregate(&claims, self.threshold)?;
        Ok(ValidationResult {
            is_hallucination: aggregate.is_hallucination,
            score: aggregate.score,
            threshold: self.threshold,
            summary: summary(&claims, self.language),
            claims,
        })
    }

    /// Validates each item by itself, in order: one that fails does not stop the others.
    pub fn validate_batch(&self, requests: &[Request<'_>]) -> Vec<Result<ValidationResult, CavaquinhoError>> {
        requests.iter().map(|request| self.validate(request.response, request.context, request.prompt)).collect()
    }
}
