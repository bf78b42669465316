//! The NLI model as ONNX: a cross-encoder read from a model directory.
//!
//! In: premise and hypothesis. Out: the three probabilities. A premise that does not fit beside the whole claim is read
//! in overlapping windows, of which the surest entailment and the surest contradiction count; nothing is cut off. A claim
//! that does not fit is an error.

use std::num::NonZeroUsize;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::nli::{NliError, NliModel};
use crate::onnx::{AssetStore, ModelDirectory, ModelReference, OnnxError, PairClassifier, Runtime, hex, sha256_file};

/// Tokens a pair for which our own model was trained.
const TOKEN_LIMIT: usize = 256;
/// Part of the digest: changes when this file computes something else from the same files.
const SCHEME: &str = "evidex cross-encoder 1";

/// A cross-encoder on one single-threaded session per core. What it says of a pair does not depend on other pairs.
#[derive(Debug)]
pub struct CrossEncoder {
    name: String,
    digest: String,
    classifier: PairClassifier,
}

impl CrossEncoder {
    /// Opens the model of that name (`evidex-nli-2`, `hf:org/name@revision`, `dir:PATH`) from what the store holds, with at
    /// most `sessions` sessions (`None`: as many as there are cores). Nothing is downloaded.
    ///
    /// # Errors
    /// [`OnnxError`] when the runtime or the model is missing, damaged or unusable.
    pub fn open(name: &str, store: &AssetStore, sessions: Option<NonZeroUsize>) -> Result<Self, OnnxError> {
        let reference: ModelReference = name.parse()?;
        let folder = store.find_verified(&reference)?;
        Self::load(&reference.to_string(), &folder, &Runtime::load(&store.runtime_path()?)?, sessions)
    }

    /// Loads the model in `folder` on the runtime, under `name`.
    ///
    /// # Errors
    /// As [`CrossEncoder::open`].
    pub fn load(
        name: &str,
        folder: &Path,
        runtime: &Runtime,
        sessions: Option<NonZeroUsize>,
    ) -> Result<Self, OnnxError> {
        let directory = ModelDirectory::open(folder)?;
        let classifier = PairClassifier::load(folder, runtime, sessions)?.with_token_limit(TOKEN_LIMIT);
        let mut hasher = Sha256::new();
        for file in [&directory.model, &directory.tokenizer] {
            let digest = sha256_file(file).map_err(|source| OnnxError::Read { path: file.clone(), source })?;
            hasher.update(digest.as_bytes());
        }
        hasher.update(format!("{:?}", (SCHEME, classifier.labels(), classifier.token_limit())).as_bytes());
        Ok(Self { name: name.to_owned(), digest: hex(&hasher.finalize()), classifier })
    }

    fn failed(&self, error: &OnnxError) -> NliError {
        match error {
            OnnxError::NotFinite { .. } => NliError::NotFinite { model: self.name.clone() },
            OnnxError::TooLong { what: "the claim", tokens, limit } => {
                NliError::ClaimTooLong { model: self.name.clone(), tokens: *tokens, limit: *limit }
            }
            error => NliError::Failed { model: self.name.clone(), reason: error.to_string() },
        }
    }
}

impl NliModel for CrossEncoder {
    fn name(&self) -> &str {
        &self.name
    }

    fn digest(&self) -> &str {
        &self.digest
    }

    fn classify(&self, premise: &str, hypothesis: &str) -> Result<[f32; 3], NliError> {
        let windows = self.classifier.fit(premise, hypothesis).map_err(|error| self.failed(&error))?;
        let pairs: Vec<(&str, &str)> = windows.into_iter().map(|window| (&premise[window], hypothesis)).collect();
        let scores = self.classifier.classify(&pairs).map_err(|error| self.failed(&error))?;
        let [only] = scores.as_slice() else {
            let entailment = scores.iter().map(|score| score.entailment).fold(0.0, f32::max);
            let contradiction =
                scores.iter().map(|score| score.contradiction).fold(0.0, f32::max).min(1.0 - entailment);
            return Ok([entailment, 1.0 - entailment - contradiction, contradiction]);
        };
        Ok([only.entailment, only.neutral, only.contradiction])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::onnx::tiny_model;

    /// "red" speaks for contradiction, "green" for entailment, "blue" for neutral.
    const TABLE: [[f32; 3]; 8] =
        [[0.0; 3], [0.0; 3], [0.0; 3], [0.0; 3], [90.0, 0.0, 0.0], [0.0, 90.0, 0.0], [0.0, 0.0, 90.0], [0.0; 3]];
    const CONFIG: &str =
        r#"{"id2label":{"0":"contradiction","1":"entailment","2":"neutral"},"max_position_embeddings":12}"#;

    fn model() -> Option<CrossEncoder> {
        let runtime = tiny_model::runtime()?;
        let folder = tempfile::tempdir().expect("folder");
        tiny_model::write(folder.path(), &TABLE, true, CONFIG);
        Some(CrossEncoder::load("tiny", folder.path(), &runtime, NonZeroUsize::new(1)).expect("loads"))
    }

    #[test]
    fn what_stands_at_the_end_of_a_long_premise_counts() {
        let Some(model) = model() else { return };
        let [entailment, ..] = model
            .classify("blue blue blue blue blue blue blue blue blue green green green green green green", "sky")
            .expect("runs");
        assert!(entailment > 0.9, "{entailment}");
        let scores = model
            .classify("green green green green green green blue blue blue red red red red red red", "sky")
            .expect("runs");
        assert!(
            (scores.iter().sum::<f32>() - 1.0).abs() < 1e-5 && scores.iter().all(|score| (0.0..=1.0).contains(score)),
            "{scores:?}"
        );
    }

    #[test]
    fn a_claim_that_does_not_fit_is_an_error_and_never_cut() {
        let Some(model) = model() else { return };
        let claim = "red green blue sky red green blue sky red green blue sky";
        assert!(matches!(model.classify("sky", claim), Err(NliError::ClaimTooLong { .. })));
    }
}
