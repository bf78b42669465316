//! What the models are asked: the windows of evidence nearest to a claim.
//!
//! In: the outcomes of the checks, best first. Out: the same outcomes, the first of them with the models' numbers. How many
//! windows are read does not depend on how much evidence there is, and each is judged alone, so evidence that does not bear
//! on the claim does not drift the score.

use std::borrow::Cow;
use std::sync::Arc;

use super::judge::{Outcome, Verbatim};
use super::nli::{self, NliError, NliModel};
use super::window::PassageReading;
use crate::evidence::Evidence;
use crate::text::TextSpan;

/// A claim with its evidence, to be put to models.
pub(super) struct Asked<'v> {
    /// The claim's text.
    pub claim: &'v str,
    /// The passages found for it.
    pub passages: &'v [(String, Evidence)],
    /// The same as read.
    pub readings: &'v [Arc<PassageReading>],
    /// How many windows a model reads.
    pub windows: usize,
}

impl Asked<'_> {
    /// Asks the model about the nearest windows: each sentence, with what it refers back to, and the sentence among its
    /// neighbours. Of the two the surer answer counts. A claim that stands word for word needs no model.
    ///
    /// # Errors
    /// The first that the model gave; the outcomes before it keep their numbers.
    pub(super) fn nli(&self, model: &dyn NliModel, outcomes: &mut [Outcome]) -> Result<(), NliError> {
        if outcomes.first().is_some_and(|best| best.verbatim == Verbatim::Whole) {
            return Ok(());
        }
        for outcome in outcomes.iter_mut().take(self.windows) {
            let narrow = self.window(outcome);
            let mut scores = nli::classify(model, &self.premise(outcome, narrow), self.claim)?;
            let wide = self.readings[outcome.passage].surroundings(outcome.sentence);
            if wide != narrow {
                let other = nli::classify(model, &self.premise(outcome, wide), self.claim)?;
                if other[0].max(other[2]) > scores[0].max(scores[2]) {
                    scores = other;
                }
            }
            outcome.nli = Some(scores);
        }
        Ok(())
    }

    fn window(&self, outcome: &Outcome) -> TextSpan {
        self.readings[outcome.passage].window(outcome.sentence)
    }

    /// The window's text, after the document's title where the window does not name what the document is about.
    fn premise(&self, outcome: &Outcome, window: TextSpan) -> Cow<'_, str> {
        let evidence = &self.passages[outcome.passage].1;
        let text = window.of(&evidence.text);
        match &evidence.title {
            Some(title) if !title.is_empty() && !text.contains(title.as_str()) => {
                Cow::Owned(format!("{title}: {text}"))
            }
            _ => Cow::Borrowed(text),
        }
    }
}
