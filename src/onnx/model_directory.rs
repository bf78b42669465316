//! A model as a folder of files, and the names under which models are asked for.
//!
//! In: a folder as the Hugging Face hub and this project's `models/` lay it out. Out: the paths of the ONNX file and
//! the tokenizer, and the settings that decide how the model is to be run.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::OnnxError;

/// How a model is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ModelReference {
    /// A name of the table of assets: `all-MiniLM-L6-v2`.
    Named(String),
    /// A repository of the hub at a fixed revision: `hf:org/name@revision`.
    Hub {
        /// `org/name`.
        repository: String,
        /// A commit, tag or branch.
        revision: String,
    },
    /// A folder: `dir:PATH`.
    Directory(PathBuf),
}

impl ModelReference {
    /// The folder in a store that holds a model pulled from the hub, or a named asset's; `None` for `dir:`.
    pub fn folder(&self) -> Option<String> {
        match self {
            Self::Named(name) => super::asset_named(name).map(|asset| asset.folder.to_owned()),
            Self::Hub { repository, revision } => {
                Some(format!("hf--{}--{}", repository.replace('/', "--"), revision.replace('/', "--")))
            }
            Self::Directory(_) => None,
        }
    }
}

impl FromStr for ModelReference {
    type Err = OnnxError;

    fn from_str(text: &str) -> Result<Self, OnnxError> {
        let unknown = || OnnxError::UnknownModel { name: text.to_owned() };
        if let Some(path) = text.strip_prefix("dir:") {
            return if path.is_empty() { Err(unknown()) } else { Ok(Self::Directory(PathBuf::from(path))) };
        }
        if let Some(rest) = text.strip_prefix("hf:") {
            let (repository, revision) = rest.split_once('@').ok_or_else(unknown)?;
            let good = |part: &str| {
                !part.is_empty()
                    && !part.starts_with(['.', '-'])
                    && !part.contains("..")
                    && part.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
            };
            let mut parts = repository.split('/');
            let shaped =
                matches!((parts.next(), parts.next(), parts.next()), (Some(a), Some(b), None) if good(a) && good(b));
            if !shaped || !revision.split('/').all(good) {
                return Err(unknown());
            }
            return Ok(Self::Hub { repository: repository.to_owned(), revision: revision.to_owned() });
        }
        super::asset_named(text).map(|asset| Self::Named(asset.name.to_owned())).ok_or_else(unknown)
    }
}

impl fmt::Display for ModelReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) => f.write_str(name),
            Self::Hub { repository, revision } => write!(f, "hf:{repository}@{revision}"),
            Self::Directory(path) => write!(f, "dir:{}", path.display()),
        }
    }
}

/// What `config.json` says of a model, as far as it matters here.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ModelConfig {
    /// `bert`, `deberta-v2`, `roberta`, `t5`, ….
    pub model_type: Option<String>,
    /// Class names by class number, for classifiers.
    pub id2label: Option<BTreeMap<String, String>>,
    /// How many positions the model was built for.
    pub max_position_embeddings: Option<usize>,
    /// The first positions that are never used (`roberta`: the padding id and one).
    pub pad_token_id: Option<usize>,
    /// Whether it is an encoder with a decoder.
    pub is_encoder_decoder: bool,
}

impl ModelConfig {
    /// How many tokens fit, special ones included, as far as the settings tell.
    pub fn position_limit(&self) -> Option<usize> {
        let positions = self.max_position_embeddings.filter(|&n| n > 0)?;
        // RoBERTa and its kin count positions from the padding id plus one.
        let offset = match self.model_type.as_deref() {
            Some("roberta" | "xlm-roberta" | "camembert" | "mpnet") => self.pad_token_id.unwrap_or(1) + 1,
            _ => 0,
        };
        Some(positions.saturating_sub(offset))
    }

    /// Class names in class order, when every number from 0 on has one.
    pub fn labels(&self) -> Option<Vec<String>> {
        let map = self.id2label.as_ref()?;
        (0..map.len()).map(|i| map.get(&i.to_string()).cloned()).collect()
    }
}

/// A folder that holds a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelDirectory {
    /// The folder.
    pub root: PathBuf,
    /// The ONNX file.
    pub model: PathBuf,
    /// The tokenizer's file.
    pub tokenizer: PathBuf,
    /// `config.json`; all empty where there is none.
    pub config: ModelConfig,
}

/// Where the ONNX file may lie, in the order of preference.
const MODEL_FILES: [&str; 4] = ["model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx"];

impl ModelDirectory {
    /// Looks into the folder at `root`.
    ///
    /// # Errors
    /// [`OnnxError::Model`] when there is no ONNX file, more than one without a usual name, no `tokenizer.json`, or
    /// a `config.json` that is no such thing; [`OnnxError::Read`] when the folder cannot be read.
    pub fn open(root: &Path) -> Result<Self, OnnxError> {
        let listing = fs::read_dir(root).map_err(|source| OnnxError::Read { path: root.to_owned(), source })?;
        let usual = MODEL_FILES.iter().map(|name| root.join(name)).find(|path| path.is_file());
        let model = match usual {
            Some(path) => path,
            None => {
                let mut others: Vec<PathBuf> = listing
                    .filter_map(|entry| entry.ok().map(|entry| entry.path()))
                    .filter(|path| path.extension().is_some_and(|extension| extension == "onnx") && path.is_file())
                    .collect();
                others.sort();
                match others.as_slice() {
                    [only] => only.clone(),
                    [] => return Err(wrong(root, "there is no model.onnx in it")),
                    _ => return Err(wrong(root, "there are several .onnx files in it, and none is called model.onnx")),
                }
            }
        };
        let tokenizer = root.join("tokenizer.json");
        if !tokenizer.is_file() {
            return Err(wrong(root, "there is no tokenizer.json in it"));
        }
        let config = read_json(&root.join("config.json"))?.unwrap_or_default();
        Ok(Self { root: root.to_owned(), model, tokenizer, config })
    }

    /// Reads one of the folder's JSON files; `None` when there is no such file.
    ///
    /// # Errors
    /// When it is there and cannot be read, or is not what was expected.
    pub fn settings<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, OnnxError> {
        read_json(&self.root.join(name))
    }
}

fn wrong(path: &Path, reason: &str) -> OnnxError {
    OnnxError::Model { path: path.to_owned(), reason: reason.to_owned() }
}

fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, OnnxError> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(OnnxError::Read { path: path.to_owned(), source }),
    };
    serde_json::from_slice(&bytes).map(Some).map_err(|error| wrong(path, &error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_print_as_they_are_read() {
        for text in ["all-MiniLM-L6-v2", "hf:cross-encoder/nli-deberta-v3-xsmall@a1b2c3", "dir:/opt/models/mine"] {
            assert_eq!(text.parse::<ModelReference>().expect(text).to_string(), text);
        }
    }

    #[test]
    fn a_reference_that_could_leave_the_store_is_refused() {
        for text in [
            "",
            "dir:",
            "hf:org/name",
            "hf:org@main",
            "hf:../name@main",
            "hf:org/name@../../etc",
            "hf:a/b/c@main",
            "hf:org/name@",
            "hf:org/na me@x",
            "no-such-model",
        ] {
            assert!(matches!(text.parse::<ModelReference>(), Err(OnnxError::UnknownModel { .. })), "{text}");
        }
    }

    #[test]
    fn a_folder_without_its_files_says_which_is_missing() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let reason = |error: OnnxError| error.to_string();
        assert!(reason(ModelDirectory::open(folder.path()).expect_err("empty")).contains("no model.onnx"));
        fs::write(folder.path().join("mine.onnx"), "x").expect("writes");
        assert!(reason(ModelDirectory::open(folder.path()).expect_err("half")).contains("no tokenizer.json"));
        fs::write(folder.path().join("tokenizer.json"), "{}").expect("writes");
        assert_eq!(ModelDirectory::open(folder.path()).expect("whole").model, folder.path().join("mine.onnx"));
        fs::write(folder.path().join("config.json"), "{").expect("writes");
        assert!(reason(ModelDirectory::open(folder.path()).expect_err("broken")).contains("config.json"));
        assert!(matches!(ModelDirectory::open(&folder.path().join("none")), Err(OnnxError::Read { .. })));
    }

    #[test]
    fn labels_come_in_class_order_even_past_ten() {
        let map = (0..12).map(|i| (i.to_string(), format!("class {i}"))).collect();
        let config = ModelConfig { id2label: Some(map), ..ModelConfig::default() };
        assert_eq!(config.labels().expect("complete")[10], "class 10");
    }

    #[test]
    fn roberta_positions_leave_out_the_padding_offset() {
        let config: ModelConfig =
            serde_json::from_str(r#"{"model_type":"roberta","max_position_embeddings":514,"pad_token_id":1}"#)
                .expect("reads");
        assert_eq!(config.position_limit(), Some(512));
    }
}
