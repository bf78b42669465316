//! A cross-encoder over pairs of texts: premise and hypothesis in, probabilities of the classes out.
//!
//! Which class is which is read from `config.json` (`id2label`), never assumed. A pair that does not fit is an error,
//! never cut: [`PairClassifier::fit`] says where to cut the premise, and the hypothesis must fit whole.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::Path;

use super::{AssetStore, Encoder, ModelDirectory, ModelReference, OnnxError, Runtime};

/// Tokens that fit when no file says so.
const DEFAULT_TOKEN_LIMIT: usize = 512;

/// Which class of a head means what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairLabels {
    /// The hypothesis follows.
    pub entailment: usize,
    /// It does not follow and is not denied; `None` for a two-class head.
    pub neutral: Option<usize>,
    /// It is denied; for a two-class head, it does not follow.
    pub contradiction: usize,
    /// How many classes the head has: 2 or 3.
    pub classes: usize,
}

impl PairLabels {
    /// Reads the order out of the names in class order.
    ///
    /// # Errors
    /// What is unclear, when the names do not say which class is entailment.
    pub fn from_names(names: &[String]) -> Result<Self, String> {
        let folded: Vec<String> = names
            .iter()
            .map(|name| name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect())
            .collect();
        let only = |wanted: &[&str]| {
            let mut found = folded.iter().enumerate().filter(|(_, name)| wanted.contains(&name.as_str()));
            match (found.next(), found.next()) {
                (Some((index, _)), None) => Some(index),
                _ => None,
            }
        };
        let entailment = only(&["entailment", "entailed", "entails", "entail", "supported", "supports", "consistent"]);
        let neutral = only(&["neutral", "unknown", "notenoughinfo"]);
        let contradiction =
            only(&["contradiction", "contradicted", "contradicts", "contradictory", "refuted", "refutes"]);
        let rest = only(&[
            "notentailment",
            "notentailed",
            "nonentailment",
            "unsupported",
            "notsupported",
            "inconsistent",
            "hallucinated",
        ]);
        match (names.len(), entailment, neutral, contradiction, rest) {
            (3, Some(entailment), Some(neutral), Some(contradiction), _) => {
                Ok(Self { entailment, neutral: Some(neutral), contradiction, classes: 3 })
            }
            (2, Some(entailment), _, Some(other), _) | (2, Some(entailment), _, None, Some(other)) => {
                Ok(Self { entailment, neutral: None, contradiction: other, classes: 2 })
            }
            _ => Err(format!("its classes are called {}, which does not say what they mean", names.join(", "))),
        }
    }
}

/// What the model says of a pair. The three add up to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairScores {
    /// Probability that the hypothesis follows.
    pub entailment: f32,
    /// Probability that it neither follows nor is denied; for a two-class head, that it does not follow.
    pub neutral: f32,
    /// Probability that it is denied; always 0 for a two-class head, which cannot tell.
    pub contradiction: f32,
}

/// A loaded cross-encoder.
#[derive(Debug)]
pub struct PairClassifier {
    encoder: Encoder,
    labels: PairLabels,
    token_limit: usize,
}

impl PairClassifier {
    /// Opens the model of that name (a name of the table of assets, `hf:org/name@revision` or `dir:PATH`) from what the
    /// store holds, and loads the runtime from there too. Nothing is downloaded.
    ///
    /// # Errors
    /// [`OnnxError`] when the runtime or the model is missing, damaged or unusable.
    pub fn open(name: &str, store: &AssetStore, sessions: Option<NonZeroUsize>) -> Result<Self, OnnxError> {
        let folder = store.find_verified(&name.parse::<ModelReference>()?)?;
        Self::load(&folder, &Runtime::load(&store.runtime_path()?)?, sessions)
    }

    /// Loads the model in `folder` on the runtime, with at most `sessions` sessions (`None`: as many as cores).
    ///
    /// # Errors
    /// [`OnnxError::Model`] when a file cannot be used, or its classes are not those of inference.
    pub fn load(folder: &Path, runtime: &Runtime, sessions: Option<NonZeroUsize>) -> Result<Self, OnnxError> {
        let directory = ModelDirectory::open(folder)?;
        let refuse = |reason: String| OnnxError::Model { path: folder.to_owned(), reason };
        if directory.config.is_encoder_decoder {
            return Err(refuse(
                "it is an encoder with a decoder (T5, BART and the like), which is not supported".to_owned(),
            ));
        }
        let names =
            directory.config.labels().ok_or_else(|| refuse("its config.json has no complete `id2label`".to_owned()))?;
        let labels = PairLabels::from_names(&names).map_err(refuse)?;
        let encoder = Encoder::load(runtime, &directory, &["logits"], sessions)?;
        if encoder.output_rank() != 2 {
            return Err(refuse(format!("its output `{}` is no row of classes", encoder.output_name())));
        }
        let token_limit = directory.config.position_limit().unwrap_or(DEFAULT_TOKEN_LIMIT).min(DEFAULT_TOKEN_LIMIT);
        Ok(Self { encoder, labels, token_limit })
    }

    /// Runs with fewer tokens a pair than the model could take, as it was trained to.
    #[must_use]
    pub fn with_token_limit(mut self, limit: usize) -> Self {
        self.token_limit = self.token_limit.min(limit);
        self
    }

    /// Which class means what.
    pub fn labels(&self) -> PairLabels {
        self.labels
    }

    /// How many tokens fit, special ones included.
    pub fn token_limit(&self) -> usize {
        self.token_limit
    }

    /// Byte ranges of `premise` that each fit beside the whole of `hypothesis` and together cover the premise, each
    /// sharing a quarter with the one before. One range when all fits.
    ///
    /// # Errors
    /// [`OnnxError::TooLong`] when the hypothesis leaves less than an eighth of the window to the premise.
    pub fn fit(&self, premise: &str, hypothesis: &str) -> Result<Vec<Range<usize>>, OnnxError> {
        let tokenizer = self.encoder.tokenizer();
        let room = self.token_limit.saturating_sub(tokenizer.specials_of_pair());
        let claimed = tokenizer.tokens(hypothesis)?.len();
        let most = room - room / 8;
        if claimed > most {
            return Err(OnnxError::TooLong { what: "the claim", tokens: claimed, limit: most });
        }
        let tokens = tokenizer.tokens(premise)?;
        let room = (room - claimed).max(1);
        if tokens.len() <= room {
            return Ok(std::iter::once(0..premise.len()).collect());
        }
        let step = (room - room / 4).max(1);
        let count = (tokens.len() - room).div_ceil(step) + 1;
        let offsets = tokens.get_offsets();
        let ranges = (0..count).map(|i| {
            let start = (tokens.len() - room) * i / (count - 1);
            let end = start + room;
            let from = if start == 0 { 0 } else { offsets[start].0 };
            let to = if end >= tokens.len() { premise.len() } else { offsets[end].0 };
            floor(premise, from)..floor(premise, to.max(from))
        });
        Ok(ranges.collect())
    }

    /// The scores of each (premise, hypothesis), in order; each pair is run alone.
    ///
    /// # Errors
    /// [`OnnxError::TooLong`] for a pair that does not fit, [`OnnxError::NotFinite`] for an answer that is no number,
    /// [`OnnxError::Run`] when the model failed or answered in another shape.
    pub fn classify(&self, pairs: &[(&str, &str)]) -> Result<Vec<PairScores>, OnnxError> {
        self.encoder.pool().map(pairs, |session, &(premise, hypothesis)| {
            let encoding = self.encoder.tokenizer().pair(premise, hypothesis)?;
            if encoding.len() > self.token_limit {
                return Err(OnnxError::TooLong { what: "the pair", tokens: encoding.len(), limit: self.token_limit });
            }
            let output = self.encoder.run_one(session, &encoding)?;
            if output.shape != [1, self.labels.classes] {
                let reason = format!("it answered in shape {:?} for {} classes", output.shape, self.labels.classes);
                return Err(OnnxError::Run { path: self.encoder.pool().model().to_owned(), reason });
            }
            Ok(self.scores(&output.values))
        })
    }

    fn scores(&self, logits: &[f32]) -> PairScores {
        let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let exponentials: Vec<f32> = logits.iter().map(|&x| (x - top).exp()).collect();
        let sum: f32 = exponentials.iter().sum();
        let probability = |class: usize| exponentials[class] / sum;
        let other = probability(self.labels.contradiction);
        match self.labels.neutral {
            Some(neutral) => PairScores {
                entailment: probability(self.labels.entailment),
                neutral: probability(neutral),
                contradiction: other,
            },
            None => PairScores { entailment: probability(self.labels.entailment), neutral: other, contradiction: 0.0 },
        }
    }
}

/// The last character boundary at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::onnx::tiny_model;

    /// "red" speaks for class 0, "green" for class 1, "blue" for class 2; all other tokens for none.
    const TABLE: [[f32; 3]; 8] =
        [[0.0; 3], [0.0; 3], [0.0; 3], [0.0; 3], [40.0, 0.0, 0.0], [0.0, 40.0, 0.0], [0.0, 0.0, 40.0], [0.0; 3]];

    const CONFIG: &str =
        r#"{"id2label":{"0":"CONTRADICTION","1":"entailment","2":"Neutral"},"max_position_embeddings":12}"#;

    fn classifier(table: &[[f32; 3]; 8], config: &str) -> Option<Result<PairClassifier, OnnxError>> {
        let runtime = tiny_model::runtime()?;
        let folder = tempfile::tempdir().expect("folder");
        tiny_model::write(folder.path(), table, true, config);
        Some(PairClassifier::load(folder.path(), &runtime, NonZeroUsize::new(1)))
    }

    #[test]
    fn classes_are_named_by_the_model_not_by_their_order() {
        let Some(model) = classifier(&TABLE, CONFIG) else { return };
        let model = model.expect("loads");
        let scores = model.classify(&[("red", "red"), ("green", "green"), ("blue", "sky")]).expect("runs");
        assert!(scores[0].contradiction > 0.99, "{:?}", scores[0]);
        assert!(scores[1].entailment > 0.99, "{:?}", scores[1]);
        // Worked out by hand: one "blue" among [CLS] blue [SEP] sky [SEP] gives logits (0, 0, 40 / 5).
        let neutral = 8.0_f32.exp() / (8.0_f32.exp() + 2.0);
        assert!((scores[2].neutral - neutral).abs() < 1e-5, "{:?}", scores[2]);
    }

    #[test]
    fn a_pair_is_judged_the_same_alone_and_among_others() {
        let Some(model) = classifier(&TABLE, CONFIG) else { return };
        let model = model.expect("loads");
        let pairs = [("red sky", "blue"), ("green", "sky"), ("", ""), ("red red red", "green sky")];
        let together = model.classify(&pairs).expect("runs");
        for (pair, scores) in pairs.iter().zip(together) {
            assert_eq!(model.classify(&[*pair]).expect("runs"), [scores]);
        }
    }

    #[test]
    fn a_long_premise_is_cut_with_overlap_and_never_the_claim() {
        let Some(model) = classifier(&TABLE, CONFIG) else { return };
        let model = model.expect("loads");
        let premise = "sky red green blue sky red green blue sky red green blue end";
        assert!(matches!(model.classify(&[(premise, "red")]), Err(OnnxError::TooLong { tokens: 17, limit: 12, .. })));
        let ranges = model.fit(premise, "red").expect("fits in parts");
        assert!(ranges.len() > 1);
        assert_eq!((ranges[0].start, ranges[ranges.len() - 1].end), (0, premise.len()));
        for two in ranges.windows(2) {
            assert!(two[1].start < two[0].end, "{two:?}");
        }
        for range in ranges {
            model.classify(&[(&premise[range], "red")]).expect("each part fits");
        }
        assert!(matches!(model.fit("sky", premise), Err(OnnxError::TooLong { what: "the claim", .. })));
        assert!(matches!(model.fit("sky", "red").expect("fits").as_slice(), [whole] if *whole == (0..3)));
    }

    #[test]
    fn an_answer_that_is_no_number_is_an_error() {
        let mut table = TABLE;
        table[4] = [f32::NAN, 0.0, 0.0];
        table[5] = [0.0, f32::INFINITY, 0.0];
        let Some(model) = classifier(&table, CONFIG) else { return };
        let model = model.expect("loads");
        for premise in ["red", "green"] {
            let outcome = model.classify(&[("sky", "sky"), (premise, "sky")]);
            assert!(matches!(outcome, Err(OnnxError::NotFinite { .. })), "{premise}: {outcome:?}");
        }
    }

    #[test]
    fn a_head_whose_classes_say_nothing_is_refused() {
        for config in
            [r#"{"id2label":{"0":"LABEL_0","1":"LABEL_1","2":"LABEL_2"}}"#, "{}", r#"{"id2label":{"0":"score"}}"#]
        {
            let Some(outcome) = classifier(&TABLE, config) else { return };
            assert!(matches!(outcome, Err(OnnxError::Model { .. })), "{config}");
        }
    }

    #[test]
    fn a_head_with_other_classes_than_its_settings_say_is_an_error() {
        let config = r#"{"id2label":{"0":"not_entailment","1":"entailment"}}"#;
        let Some(model) = classifier(&TABLE, config) else { return };
        assert!(matches!(model.expect("loads").classify(&[("red", "red")]), Err(OnnxError::Run { .. })));
    }

    #[test]
    fn label_names_of_two_and_three_class_heads_are_understood() {
        let read =
            |names: &[&str]| PairLabels::from_names(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        let three = read(&["entailment", "neutral", "contradiction"]).expect("plain");
        assert_eq!((three.entailment, three.neutral, three.contradiction), (0, Some(1), 2));
        let two = read(&["not_entailment", "entailment"]).expect("two");
        assert_eq!((two.entailment, two.neutral, two.contradiction), (1, None, 0));
        let two = read(&["entailment", "contradiction"]).expect("two");
        assert_eq!((two.entailment, two.contradiction), (0, 1));
        assert!(read(&["entailment", "entailment", "neutral"]).is_err());
        assert!(read(&["yes", "no"]).is_err());
    }
}
