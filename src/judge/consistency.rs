//! Self-consistency: the model that is asked the same question again and again should say the same. Each claim is held
//! against the samples by the checks, and the whole answer by embeddings. It tells what the model believes, not what the
//! sources say: an opinion, and only worth something where there are no sources.

use std::sync::Arc;

use super::ask::Ask;
use super::method::{Method, MethodRun, Opinion, OpinionLabel, Usage};
use super::parallel::each;
use super::{LanguageModel, prompt};
use crate::claim::Claim;
use crate::corpus::DocumentId;
use crate::embed::Embedder;
use crate::evidence::{Evidence, EvidenceError, EvidenceSource, PassageScores};
use crate::text::TextSpan;
use crate::verify::{Label, Verifier, Warning};

/// How varied the samples are.
const TEMPERATURE: f64 = 0.7;

/// How consistent a model is.
#[derive(Debug, Clone, PartialEq)]
pub struct Consistency {
    /// Samples that were asked for.
    pub asked: usize,
    /// Samples that came.
    pub samples: usize,
    /// Mean cosine similarity of the answer and the samples; `None` without an embedder or samples.
    pub score: Option<f64>,
    /// Cosine similarity of each to each, the answer first.
    pub similarity: Vec<Vec<f64>>,
    /// Whether the score is at least the threshold; `None` without a score.
    pub consistent: Option<bool>,
}

/// What samples are drawn and compared with.
pub(super) struct Sampling<'a> {
    pub model: &'a LanguageModel,
    pub embedder: Option<&'a Arc<dyn Embedder>>,
    pub samples: usize,
    /// Longest sample.
    pub tokens: u32,
    pub threshold: f64,
    pub has_sources: bool,
}

impl Sampling<'_> {
    /// An opinion on every claim.
    pub(super) fn run(&self, prompt: &str, answer: &str, claims: &[&Claim]) -> MethodRun {
        let mut run = MethodRun::new(Method::Consistency);
        run.usage = Usage::of_model(self.model);
        if self.has_sources {
            run.warnings.push(Warning {
                code: "consistency_with_sources".to_owned(),
                message: "consistency tells what the model believes; with sources at hand it says little".to_owned(),
            });
        }
        let numbers: Vec<u32> = (0..u32::try_from(self.samples).unwrap_or(0)).collect();
        let mut samples = Vec::new();
        let mut first_error = None;
        for asked in each(&numbers, |number| {
            let mut ask = Ask::chat(prompt::SAMPLE, "", prompt, self.tokens);
            ask.temperature = TEMPERATURE;
            ask.sample = *number;
            self.model.ask(&ask)
        }) {
            run.usage.add(&asked);
            match asked.outcome {
                Ok(reply) if !reply.text.trim().is_empty() => samples.push(reply.text),
                Ok(_) => {}
                Err(error) => first_error = first_error.or_else(|| Some(error.to_string())),
            }
        }
        let mut consistency = Consistency {
            asked: self.samples,
            samples: samples.len(),
            score: None,
            similarity: Vec::new(),
            consistent: None,
        };
        if samples.is_empty() {
            let error = first_error.unwrap_or_else(|| "the model gave no sample".to_owned());
            let failed = MethodRun::failed(Method::Consistency, claims, &error);
            return MethodRun { usage: run.usage, warnings: run.warnings, consistency: Some(consistency), ..failed };
        }
        if samples.len() < self.samples {
            let why = first_error.unwrap_or_else(|| "the others were empty".to_owned());
            run.warnings.push(Warning {
                code: "fewer_samples".to_owned(),
                message: format!("{} of {} samples came: {why}", samples.len(), self.samples),
            });
        }
        if let Some(embedder) = self.embedder {
            let texts: Vec<&str> = std::iter::once(answer).chain(samples.iter().map(String::as_str)).collect();
            match embedder.embed(&texts) {
                Ok(vectors) => {
                    consistency.similarity = matrix(&vectors);
                    let to_samples = &consistency.similarity[0][1..];
                    let score = to_samples.iter().sum::<f64>() / to_samples.len() as f64;
                    consistency.score = Some(score);
                    consistency.consistent = Some(score >= self.threshold);
                    run.risk = Some((1.0 - score).clamp(0.0, 1.0));
                }
                Err(error) => run.warnings.push(Warning {
                    code: "embedding_failed".to_owned(),
                    message: format!("the samples could not be compared by meaning: {error}"),
                }),
            }
        }
        run.opinions = claims.iter().map(|claim| agreement(claim, &samples)).collect();
        run.consistency = Some(consistency);
        run
    }
}

/// Cosine similarity of each vector to each. A vector of zeros is like nothing but itself.
fn matrix(vectors: &[Vec<f32>]) -> Vec<Vec<f64>> {
    let norm = |vector: &[f32]| vector.iter().map(|&x| f64::from(x).powi(2)).sum::<f64>().sqrt();
    let row = |at: usize, a: &Vec<f32>| {
        let cosine = |(other, b): (usize, &Vec<f32>)| {
            if at == other {
                return 1.0;
            }
            let dot: f64 = a.iter().zip(b).map(|(&x, &y)| f64::from(x) * f64::from(y)).sum();
            let norms = norm(a) * norm(b);
            if norms > 0.0 { (dot / norms).clamp(-1.0, 1.0) } else { 0.0 }
        };
        vectors.iter().enumerate().map(cosine).collect()
    };
    vectors.iter().enumerate().map(|(at, vector)| row(at, vector)).collect()
}

/// How many samples say the same, and how many say otherwise.
fn agreement(claim: &Claim, samples: &[String]) -> Opinion {
    let (mut same, mut otherwise) = (0usize, 0usize);
    for sample in samples {
        let Ok(verifier) = Verifier::builder().source(Arc::new(Sample(sample.clone()))).build() else { continue };
        match verifier.verify_claim(claim).label {
            Label::Supported => same += 1,
            Label::Contradicted | Label::Conflicting => otherwise += 1,
            _ => {}
        }
    }
    let all = samples.len() as f64;
    let (label, confidence) = match same.cmp(&otherwise) {
        std::cmp::Ordering::Less => (OpinionLabel::Contradicted, otherwise as f64 / all),
        std::cmp::Ordering::Greater => (OpinionLabel::Supported, same as f64 / all),
        std::cmp::Ordering::Equal => (OpinionLabel::Unknown, (samples.len() - same - otherwise) as f64 / all),
    };
    let reason = format!("{same} of {} samples say the same, {otherwise} say otherwise", samples.len());
    Opinion::new(claim.index, label, confidence, reason)
}

/// A sample as the only source.
struct Sample(String);

impl EvidenceSource for Sample {
    fn name(&self) -> String {
        "sample".to_owned()
    }

    fn evidence(&self, _: &Claim, _: usize) -> Result<Vec<Evidence>, EvidenceError> {
        Ok(vec![Evidence {
            document_id: DocumentId::from("sample"),
            source: "sample".to_owned(),
            title: None,
            url: None,
            text: self.0.clone(),
            span: TextSpan::whole(&self.0),
            chars_before: 0,
            lead: String::new(),
            scores: PassageScores::default(),
            pinned: None,
        }])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_matrix_has_ones_on_its_diagonal_and_zeros_for_what_is_orthogonal() {
        let matrix = matrix(&[vec![1.0, 0.0], vec![0.0, 2.0], vec![3.0, 3.0], vec![0.0, 0.0]]);
        assert!((0..4).all(|at| matrix[at][at] == 1.0));
        assert_eq!((matrix[0][1], matrix[0][3]), (0.0, 0.0));
        assert!((matrix[0][2] - std::f64::consts::FRAC_1_SQRT_2).abs() < 1e-9);
    }

    #[test]
    fn samples_that_say_otherwise_speak_against_a_claim() {
        let samples = ["The tower was built in 1889.", "It was 1889 when the tower was built.", "No idea."];
        let samples: Vec<String> = samples.map(str::to_owned).to_vec();
        let right = agreement(&Claim::whole("The tower was built in 1889."), &samples);
        assert_eq!(right.label, Some(OpinionLabel::Supported));
        let wrong = agreement(&Claim::whole("The tower was built in 1887."), &samples);
        assert_eq!(wrong.label, Some(OpinionLabel::Contradicted));
        assert!(!wrong.grounded);
    }
}
