//! The embedder with a model: a sentence transformer as ONNX.
//!
//! In: any text. Out: a vector of unit length. The model directory's own files say how: `1_Pooling/config.json` how
//! token vectors become one, `sentence_bert_config.json` how many tokens fit, `config_sentence_transformers.json`
//! what to put before a question and before a passage.
//!
//! A text with more tokens than fit is never cut off: overlapping windows that cover all of it are embedded, and the
//! vector is their mean, made unit length again. Tokens are counted before anything is cut.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::embedder::{EmbedError, Embedder, EmbedderIdentity, normalise};
use super::windows::windows;
use crate::onnx::{AssetStore, Encoder, ModelDirectory, ModelReference, OnnxError, Output, Runtime, hex, sha256_file};

/// Tokens that fit when no file says so.
const DEFAULT_TOKEN_LIMIT: usize = 256;

/// Part of the digest: changes when this file computes something else from the same files.
const SCHEME: &str = "evidex onnx embedder 1";

/// How token vectors become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pooling {
    Mean,
    Max,
    FirstToken,
    LastToken,
    /// The model pools by itself.
    Done,
}

/// A sentence transformer as ONNX, on one single-threaded session per core.
#[derive(Debug)]
pub struct OnnxEmbedder {
    identity: EmbedderIdentity,
    encoder: Encoder,
    pooling: Pooling,
    token_limit: usize,
    passage_prefix: String,
    query_prefix: String,
}

impl OnnxEmbedder {
    /// Opens the embedder of that name (`all-MiniLM-L6-v2`, `hf:org/name@revision`, `dir:PATH`) from what the store
    /// holds, and loads the runtime from there too, with at most `sessions` sessions (`None`: as many as there are
    /// cores). Nothing is downloaded.
    ///
    /// # Errors
    /// [`EmbedError::Onnx`] when the runtime or the model is missing, damaged or unusable, [`EmbedError::Unsupported`]
    /// when the model's settings ask for what is not built.
    pub fn open(name: &str, store: &AssetStore, sessions: Option<NonZeroUsize>) -> Result<Self, EmbedError> {
        let reference: ModelReference = name.parse()?;
        let folder = store.find_verified(&reference)?;
        let runtime = Runtime::load(&store.runtime_path()?)?;
        Self::load(&reference.to_string(), &folder, &runtime, sessions)
    }

    /// Loads the model in `folder` on the runtime, under `name`, with at most `sessions` sessions (`None`: as many as
    /// there are cores).
    ///
    /// # Errors
    /// As [`OnnxEmbedder::open`].
    pub fn load(
        name: &str,
        folder: &Path,
        runtime: &Runtime,
        sessions: Option<NonZeroUsize>,
    ) -> Result<Self, EmbedError> {
        let directory = ModelDirectory::open(folder)?;
        let preferred = ["sentence_embedding", "last_hidden_state", "token_embeddings"];
        let encoder = Encoder::load(runtime, &directory, &preferred, sessions)?;
        let unsupported = |reason: String| EmbedError::Unsupported { model: name.to_owned(), reason };
        let pooling = match encoder.output_rank() {
            2 => Pooling::Done,
            3 => pooling_of(&directory)?.map_err(unsupported)?,
            rank => return Err(unsupported(format!("its output has {rank} axes, not 2 or 3"))),
        };
        let transformer: TransformerSettings = directory.settings("sentence_bert_config.json")?.unwrap_or_default();
        let positions = directory.config.position_limit().unwrap_or(usize::MAX);
        let token_limit = transformer.max_seq_length.unwrap_or(DEFAULT_TOKEN_LIMIT).min(positions);
        if token_limit <= encoder.tokenizer().specials_of_single() {
            return Err(unsupported(format!("it takes {token_limit} tokens, which leaves no room for text")));
        }
        let prompts = directory.settings::<Prompts>("config_sentence_transformers.json")?.unwrap_or_default();
        let (passage_prefix, query_prefix) = (prompts.passage(), prompts.query());

        let mut hasher = Sha256::new();
        for file in [&directory.model, &directory.tokenizer] {
            let digest = sha256_file(file).map_err(|source| OnnxError::Read { path: file.clone(), source })?;
            hasher.update(digest.as_bytes());
        }
        let settings = (SCHEME, format!("{pooling:?}"), token_limit, &passage_prefix, &query_prefix);
        hasher.update(format!("{settings:?}").as_bytes());
        let digest = hex(&hasher.finalize());
        let identity = EmbedderIdentity { name: name.to_owned(), digest, dimension: 0 };
        let mut embedder = Self { identity, encoder, pooling, token_limit, passage_prefix, query_prefix };
        // Asked of the model itself: the files that might tell are often wrong about it.
        let probe = embedder.vectors(&["a"], "")?.pop().unwrap_or_default();
        embedder.identity.dimension = u32::try_from(probe.len()).unwrap_or(0);
        if embedder.identity.dimension == 0 {
            return Err(unsupported("its vectors are empty".to_owned()));
        }
        Ok(embedder)
    }

    /// How many tokens fit into one run, special ones included.
    pub fn token_limit(&self) -> usize {
        self.token_limit
    }

    /// How many tokens a text has, without special ones and before any cut.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn count_tokens(&self, text: &str) -> Result<usize, EmbedError> {
        Ok(self.encoder.tokenizer().tokens(text)?.len())
    }

    fn vectors(&self, texts: &[&str], prefix: &str) -> Result<Vec<Vec<f32>>, EmbedError> {
        let room = self.token_limit - self.encoder.tokenizer().specials_of_single();
        self.encoder
            .pool()
            .map(texts, |session, text| {
                let tokenizer = self.encoder.tokenizer();
                let tokens = if prefix.is_empty() {
                    tokenizer.tokens(text)?
                } else {
                    tokenizer.tokens(&format!("{prefix}{text}"))?
                };
                let mut sum: Vec<f32> = Vec::new();
                for window in windows(tokens.len(), room) {
                    let encoding = tokenizer.wrap(&tokens, window)?;
                    let output = self.encoder.run_one(session, &encoding)?;
                    let mut vector = pool(self.pooling, &output).ok_or_else(|| OnnxError::Run {
                        path: self.encoder.pool().model().to_owned(),
                        reason: format!("its output has an unexpected shape {:?}", output.shape),
                    })?;
                    normalise(&mut vector);
                    if sum.is_empty() {
                        sum = vector;
                    } else {
                        sum.iter_mut().zip(&vector).for_each(|(total, x)| *total += x);
                    }
                }
                normalise(&mut sum);
                Ok(sum)
            })
            .map_err(EmbedError::from)
    }
}

impl Embedder for OnnxEmbedder {
    fn identity(&self) -> &EmbedderIdentity {
        &self.identity
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.vectors(texts, &self.passage_prefix)
    }

    fn embed_query(&self, query: &str) -> Result<Vec<f32>, EmbedError> {
        Ok(self.vectors(&[query], &self.query_prefix)?.pop().unwrap_or_default())
    }
}

/// One vector out of a `[1, tokens, dimension]` or `[1, dimension]` output; `None` for any other shape.
fn pool(pooling: Pooling, output: &Output) -> Option<Vec<f32>> {
    let (tokens, dimension) = match (pooling, output.shape.as_slice()) {
        (Pooling::Done, &[1, dimension]) => (1, dimension),
        (Pooling::Done, _) => return None,
        (_, &[1, tokens, dimension]) => (tokens, dimension),
        _ => return None,
    };
    if tokens == 0 || dimension == 0 || output.values.len() != tokens * dimension {
        return None;
    }
    let mut rows = output.values.chunks_exact(dimension);
    match pooling {
        Pooling::Done | Pooling::FirstToken => rows.next().map(<[f32]>::to_vec),
        Pooling::LastToken => rows.next_back().map(<[f32]>::to_vec),
        Pooling::Max => {
            let first = rows.next()?.to_vec();
            Some(rows.fold(first, |mut best, row| {
                best.iter_mut().zip(row).for_each(|(best, x)| *best = best.max(*x));
                best
            }))
        }
        // Every token counts: nothing is padded, one text is run alone.
        Pooling::Mean => {
            let mut sum = vec![0.0_f32; dimension];
            for row in rows {
                sum.iter_mut().zip(row).for_each(|(total, x)| *total += x);
            }
            sum.iter_mut().for_each(|total| *total /= tokens as f32);
            Some(sum)
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct TransformerSettings {
    max_seq_length: Option<usize>,
}

#[derive(Debug, Deserialize)]
struct ModuleSettings {
    #[serde(default)]
    path: String,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct PoolingSettings {
    pooling_mode_cls_token: bool,
    pooling_mode_mean_tokens: bool,
    pooling_mode_max_tokens: bool,
    pooling_mode_mean_sqrt_len_tokens: bool,
    pooling_mode_weightedmean_tokens: bool,
    pooling_mode_lasttoken: bool,
}

/// What the folder says of pooling; the mean where it says nothing. The outer error is a file that cannot be read,
/// the inner one a wish that is not built.
fn pooling_of(directory: &ModelDirectory) -> Result<Result<Pooling, String>, OnnxError> {
    let modules: Vec<ModuleSettings> = directory.settings("modules.json")?.unwrap_or_default();
    let known = ["Transformer", "Pooling", "Normalize"];
    if let Some(module) = modules.iter().find(|module| !known.iter().any(|name| module.kind.ends_with(name))) {
        // A dense layer after the pooling, for one: its weights are not in the ONNX file.
        return Ok(Err(format!("it has a further module `{}`", module.kind)));
    }
    let stated = modules.iter().find(|module| module.kind.ends_with("Pooling")).map(|module| module.path.as_str());
    let folder = stated.filter(|path| !path.contains("..") && !path.starts_with('/')).unwrap_or("1_Pooling");
    let Some(settings) = directory.settings::<PoolingSettings>(&format!("{folder}/config.json"))? else {
        return Ok(Ok(Pooling::Mean));
    };
    let mut wanted = Vec::new();
    // The mean and the mean scaled by a length differ only in a factor that the unit length removes.
    if settings.pooling_mode_mean_tokens || settings.pooling_mode_mean_sqrt_len_tokens {
        wanted.push(Pooling::Mean);
    }
    if settings.pooling_mode_cls_token {
        wanted.push(Pooling::FirstToken);
    }
    if settings.pooling_mode_max_tokens {
        wanted.push(Pooling::Max);
    }
    if settings.pooling_mode_lasttoken {
        wanted.push(Pooling::LastToken);
    }
    if settings.pooling_mode_weightedmean_tokens {
        return Ok(Err("it pools by a position-weighted mean".to_owned()));
    }
    Ok(match wanted.as_slice() {
        [one] => Ok(*one),
        [] => Ok(Pooling::Mean),
        _ => Err("it joins several poolings".to_owned()),
    })
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Prompts {
    prompts: BTreeMap<String, Option<String>>,
    default_prompt_name: Option<String>,
}

impl Prompts {
    fn first(&self, names: &[&str]) -> String {
        let found = names.iter().find_map(|name| self.prompts.get(*name).cloned().flatten());
        let default = || self.default_prompt_name.as_ref().and_then(|name| self.prompts.get(name).cloned().flatten());
        found.or_else(default).unwrap_or_default()
    }

    fn passage(&self) -> String {
        self.first(&["passage", "document"])
    }

    fn query(&self) -> String {
        self.first(&["query"])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::onnx::{ALL_MINILM, tiny_model};

    const TABLE: [[f32; 3]; 8] =
        [[0.0; 3], [0.0; 3], [0.0; 3], [0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 3.0, 4.0]];

    fn tiny(files: &[(&str, &str)]) -> Option<Result<OnnxEmbedder, EmbedError>> {
        let runtime = tiny_model::runtime()?;
        let folder = tempfile::tempdir().expect("folder");
        tiny_model::write(folder.path(), &TABLE, false, "{}");
        for (name, content) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("inside")).expect("creates");
            std::fs::write(path, content).expect("writes");
        }
        Some(OnnxEmbedder::load("dir:tiny", folder.path(), &runtime, NonZeroUsize::new(2)))
    }

    fn near(found: &[f32], expected: &[f32]) -> bool {
        found.len() == expected.len() && found.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-6)
    }

    #[test]
    fn token_vectors_are_averaged_and_made_unit_length() {
        let Some(model) = tiny(&[]) else { return };
        let model = model.expect("loads");
        assert_eq!(model.identity().dimension, 3);
        // The mean of [CLS] red sky [SEP] is (1, 3, 4) / 4.
        let norm = 26.0_f32.sqrt();
        let vectors = model.embed(&["red sky", "", "sky"]).expect("runs");
        assert!(near(&vectors[0], &[1.0 / norm, 3.0 / norm, 4.0 / norm]), "{vectors:?}");
        assert!(near(&vectors[1], &[0.0, 0.0, 0.0]), "{vectors:?}");
        assert!(near(&vectors[2], &[0.0, 0.6, 0.8]), "{vectors:?}");
    }

    #[test]
    fn the_end_of_a_long_text_counts_as_much_as_its_start() {
        let Some(model) = tiny(&[("sentence_bert_config.json", r#"{"max_seq_length":6}"#)]) else { return };
        let model = model.expect("loads");
        assert_eq!(model.count_tokens(&"red ".repeat(40)).expect("counts"), 40);
        let text = format!("{}{}", "red ".repeat(8), "green ".repeat(8));
        let vector = model.embed(&[&text]).expect("runs").remove(0);
        assert!(near(&vector, &[0.5_f32.sqrt(), 0.5_f32.sqrt(), 0.0]), "{vector:?}");
    }

    #[test]
    fn a_mark_written_out_in_the_text_is_no_mark() {
        let mut table = TABLE;
        table[3] = [9.0, 9.0, 9.0];
        let Some(runtime) = tiny_model::runtime() else { return };
        let folder = tempfile::tempdir().expect("folder");
        tiny_model::write(folder.path(), &table, false, "{}");
        let model = OnnxEmbedder::load("dir:tiny", folder.path(), &runtime, NonZeroUsize::new(1)).expect("loads");
        // Brackets and letters are unknown words, not the mark: only one mark is in the mean.
        assert_eq!(model.encoder.tokenizer().tokens("[SEP] red").expect("reads").get_ids(), [1, 1, 1, 4]);
    }

    #[test]
    fn pooling_and_prompts_are_those_of_the_folder() {
        let pooling =
            r#"{"pooling_mode_cls_token":false,"pooling_mode_mean_tokens":false,"pooling_mode_max_tokens":true}"#;
        let prompts = r#"{"prompts":{"query":"blue ","document":"red "},"default_prompt_name":null}"#;
        let files = [("1_Pooling/config.json", pooling), ("config_sentence_transformers.json", prompts)];
        let Some(model) = tiny(&files) else { return };
        let model = model.expect("loads");
        let passage = model.embed(&["green"]).expect("runs").remove(0);
        assert!(near(&passage, &[0.5_f32.sqrt(), 0.5_f32.sqrt(), 0.0]), "{passage:?}");
        let query = model.embed_query("green").expect("runs");
        assert!(near(&query, &[0.0, 0.5_f32.sqrt(), 0.5_f32.sqrt()]), "{query:?}");
        let plain = tiny(&[]).expect("runtime").expect("loads");
        assert_ne!(plain.identity().digest, model.identity().digest);
    }

    #[test]
    fn a_folder_that_asks_for_what_is_not_built_is_refused() {
        let both = r#"{"pooling_mode_cls_token":true,"pooling_mode_mean_tokens":true}"#;
        let dense = r#"[{"path":"","type":"sentence_transformers.models.Transformer"},{"path":"2_Dense","type":"sentence_transformers.models.Dense"}]"#;
        for (name, content) in [("1_Pooling/config.json", both), ("modules.json", dense)] {
            let Some(outcome) = tiny(&[(name, content)]) else { return };
            assert!(matches!(outcome, Err(EmbedError::Unsupported { .. })), "{name}");
        }
    }

    #[test]
    fn a_file_that_is_no_model_is_an_error() {
        let Some(outcome) = tiny(&[("model.onnx", "this is no model")]) else { return };
        assert!(matches!(outcome, Err(EmbedError::Onnx(OnnxError::Model { .. }))), "{outcome:?}");
    }

    /// The real model, where it is installed.
    fn minilm() -> Option<OnnxEmbedder> {
        match OnnxEmbedder::open(ALL_MINILM.name, &AssetStore::from_environment(), None) {
            Ok(model) => Some(model),
            Err(error) => {
                assert!(std::env::var_os("EVIDEX_REQUIRE_MODELS").is_none_or(|value| value != "1"), "{error}");
                println!("skipped: {error}");
                None
            }
        }
    }

    fn dot(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    }

    #[test]
    fn minilm_puts_a_paraphrase_nearer_than_a_stranger() {
        let Some(model) = minilm() else { return };
        assert_eq!((model.identity().dimension, model.token_limit()), (384, 256));
        let texts = ["A man is eating food.", "Someone has a meal.", "The stock market fell on Monday."];
        let vectors = model.embed(&texts).expect("runs");
        let (paraphrase, stranger) = (dot(&vectors[0], &vectors[1]), dot(&vectors[0], &vectors[2]));
        assert!(paraphrase > 0.5 && stranger < 0.2, "{paraphrase} {stranger}");
    }

    #[test]
    fn minilm_gives_a_text_the_same_vector_alone_and_among_others() {
        let Some(model) = minilm() else { return };
        let long = "The river rose again during the night. ".repeat(60);
        let mut texts = vec!["The Halden tunnel opened in 1931.", "x", "", &long];
        let more: Vec<String> = (0..40).map(|i| format!("Sentence number {i} is about {} things.", i * i)).collect();
        texts.extend(more.iter().map(String::as_str));
        let together = model.embed(&texts).expect("runs");
        for (text, vector) in texts.iter().zip(&together) {
            assert_eq!(&model.embed(&[text]).expect("runs")[0], vector, "{text}");
        }
    }

    #[test]
    fn minilm_sees_the_last_sentence_of_a_long_text() {
        let Some(model) = minilm() else { return };
        let filler = "The committee met on Tuesday and talked about the garden. ".repeat(60);
        let fact = "Penguins breed on the ice of Antarctica in the dark of winter. ".repeat(25);
        let query = model.embed_query("Where do penguins breed?").expect("runs");
        let vectors = model.embed(&[&filler, &format!("{filler}{fact}")]).expect("runs");
        assert!(model.count_tokens(&filler).expect("counts") > 500);
        assert!(dot(&query, &vectors[1]) > dot(&query, &vectors[0]) + 0.2);
    }
}
