//! The embedder that looks words up: a table with a vector for each word piece, distilled from all-MiniLM.
//!
//! In: any text. Out: the sum of its pieces' vectors, made unit length. What a piece weighs (little for "the", much for
//! "tunnel") is the length of its vector, learnt with its direction in `training/static.py`. It knows which words are near
//! each other and nothing of their order, needs no runtime and runs hundreds of times as fast as the model that taught it.
//!
//! Always true: same text, same bytes, on every machine: rows are whole numbers with a factor each, summed in the text's order.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::embedder::{EmbedError, Embedder, EmbedderIdentity, normalise};
use super::wordpiece::WordPieces;
use crate::onnx::{AssetStore, EVIDEX_STATIC, ModelReference, OnnxError, hex};

/// Part of the digest: changes when this file or the splitting into pieces computes something else from the same files.
const SCHEME: &str = "evidex static embedder 1";

/// A table of word pieces: deterministic, no runtime, tens of thousands of texts a second on one core.
///
/// ```
/// use evidex::embed::{Embedder, StaticEmbedder};
/// use evidex::onnx::AssetStore;
///
/// // The table is part of the repository; elsewhere `evidex models pull static` puts it into the store.
/// let embedder = StaticEmbedder::open(&AssetStore::standard(None, None, None))?;
/// let vectors = embedder.embed(&["A physician treats the ill.", "The doctor cures a patient.", "The bridge is closed."])?;
/// let cosine = |a: usize, b: usize| vectors[a].iter().zip(&vectors[b]).map(|(x, y)| x * y).sum::<f32>();
/// assert!(cosine(0, 1) > 0.4);
/// assert!(cosine(0, 2) < 0.2);
/// # Ok::<(), evidex::embed::EmbedError>(())
/// ```
#[derive(Debug, Clone)]
pub struct StaticEmbedder {
    identity: EmbedderIdentity,
    pieces: WordPieces,
    /// One row of whole numbers for each piece, row by row.
    rows: Vec<i8>,
    /// What each row is multiplied by.
    scales: Vec<f32>,
}

impl StaticEmbedder {
    /// The name under which it is asked for and recorded.
    pub const NAME: &str = "static";

    /// Opens the table from what the store holds. Nothing is downloaded.
    ///
    /// # Errors
    /// [`EmbedError::Onnx`] when it is missing or damaged.
    pub fn open(store: &AssetStore) -> Result<Self, EmbedError> {
        Self::load(&store.find_verified(&ModelReference::Named(EVIDEX_STATIC.name.to_owned()))?)
    }

    /// Loads the table in `folder`: `model.safetensors` with the tensors `rows` (8-bit, pieces × dimension) and `scales`
    /// (32-bit, pieces), and `tokenizer.json`.
    ///
    /// # Errors
    /// [`EmbedError::Onnx`] when a file cannot be read or does not fit the other.
    pub fn load(folder: &Path) -> Result<Self, EmbedError> {
        let (table_path, tokenizer_path) = (folder.join("model.safetensors"), folder.join("tokenizer.json"));
        let read = |path: &Path| fs::read(path).map_err(|source| OnnxError::Read { path: path.to_owned(), source });
        let wrong = |path: &Path, reason: String| OnnxError::Model { path: path.to_owned(), reason };
        let (table, tokenizer) = (read(&table_path)?, read(&tokenizer_path)?);
        let pieces = WordPieces::read(&tokenizer).map_err(|reason| wrong(&tokenizer_path, reason))?;
        let (rows, scales) = read_table(&table).map_err(|reason| wrong(&table_path, reason))?;
        if scales.len() <= pieces.last_id() as usize {
            let reason = format!("it has {} rows, and the vocabulary goes up to {}", scales.len(), pieces.last_id());
            return Err(wrong(&table_path, reason).into());
        }
        let mut hasher = Sha256::new();
        for part in [SCHEME.as_bytes(), &Sha256::digest(&table), &Sha256::digest(&tokenizer)] {
            hasher.update(part);
        }
        let dimension = u32::try_from(rows.len() / scales.len()).unwrap_or(0);
        let identity = EmbedderIdentity { name: Self::NAME.to_owned(), digest: hex(&hasher.finalize()), dimension };
        Ok(Self { identity, pieces, rows, scales })
    }

    /// The vector of one text; all zero where the table knows none of its words.
    fn vector(&self, text: &str) -> Vec<f32> {
        let dimension = self.identity.dimension as usize;
        let mut sum = vec![0.0_f32; dimension];
        for id in self.pieces.ids(text) {
            let at = id as usize;
            let scale = self.scales[at];
            let row = &self.rows[at * dimension..(at + 1) * dimension];
            sum.iter_mut().zip(row).for_each(|(total, &x)| *total += scale * f32::from(x));
        }
        normalise(&mut sum);
        sum
    }
}

impl Embedder for StaticEmbedder {
    fn identity(&self) -> &EmbedderIdentity {
        &self.identity
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }
}

/// Where a tensor lies in a file of safetensors.
#[derive(Deserialize)]
struct Tensor {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [usize; 2],
}

#[derive(Deserialize)]
struct Tensors {
    rows: Tensor,
    scales: Tensor,
}

/// Reads rows and scales: a length, a header of JSON, then the tensors' bytes, little-endian.
fn read_table(file: &[u8]) -> Result<(Vec<i8>, Vec<f32>), String> {
    let (length, rest) = file.split_first_chunk::<8>().ok_or("it is cut off")?;
    let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|error| error.to_string())?;
    let (header, data) = rest.split_at_checked(length).ok_or("its header is cut off")?;
    let tensors: Tensors = serde_json::from_slice(header).map_err(|error| error.to_string())?;
    let bytes = |tensor: &Tensor| {
        let [from, to] = tensor.data_offsets;
        data.get(from..to).ok_or("a tensor is cut off")
    };
    let (rows, scales) = (bytes(&tensors.rows)?, bytes(&tensors.scales)?);
    let fits = match (tensors.rows.shape.as_slice(), tensors.scales.shape.as_slice()) {
        (&[count, dimension], &[scale_count]) => {
            count == scale_count
                && dimension > 0
                && count.checked_mul(dimension) == Some(rows.len())
                && count.checked_mul(4) == Some(scales.len())
        }
        _ => false,
    };
    if !fits || tensors.rows.dtype != "I8" || tensors.scales.dtype != "F32" {
        return Err("its tensors are not 8-bit rows with a 32-bit scale each".to_owned());
    }
    let scales: Vec<f32> = scales.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    if scales.iter().any(|scale| !scale.is_finite()) {
        return Err("a scale is no number".to_owned());
    }
    Ok((rows.iter().map(|&byte| byte.cast_signed()).collect(), scales))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TOKENIZER: &str = r###"{"normalizer":{"type":"BertNormalizer","lowercase":true},"model":{"type":"WordPiece",
        "unk_token":"?","continuing_subword_prefix":"##","max_input_chars_per_word":100,
        "vocab":{"?":0,"red":1,"sky":2,"##s":3}}}"###;

    /// Rows of two numbers, and their scales.
    fn table(rows: &[[i8; 2]], scales: &[f32]) -> Vec<u8> {
        let at = rows.len() * 2;
        let header = format!(
            r#"{{"rows":{{"dtype":"I8","shape":[{},2],"data_offsets":[0,{at}]}},"scales":{{"dtype":"F32","shape":[{}],"data_offsets":[{at},{}]}}}}"#,
            rows.len(),
            scales.len(),
            at + 4 * scales.len()
        );
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend(header.as_bytes());
        file.extend(rows.as_flattened().iter().map(|x| x.cast_unsigned()));
        file.extend(scales.iter().flat_map(|x| x.to_le_bytes()));
        file
    }

    fn load(table: &[u8]) -> Result<StaticEmbedder, EmbedError> {
        let folder = tempfile::tempdir().expect("folder");
        fs::write(folder.path().join("model.safetensors"), table).expect("writes");
        fs::write(folder.path().join("tokenizer.json"), TOKENIZER).expect("writes");
        StaticEmbedder::load(folder.path())
    }

    fn small() -> Vec<u8> {
        table(&[[0, 0], [3, 0], [0, 100], [0, -25]], &[0.0, 1.0, 0.04, 0.04])
    }

    fn shipped() -> StaticEmbedder {
        StaticEmbedder::open(&AssetStore::standard(None, None, None)).expect("is part of the repository")
    }

    #[test]
    fn a_text_is_the_sum_of_its_pieces_made_unit_length() {
        let embedder = load(&small()).expect("loads");
        assert_eq!(embedder.identity().dimension, 2);
        // (3, 0) + (0, 4), of length 5; with the plural's (0, -1), (3, 3).
        let half = 0.5_f32.sqrt();
        let vectors = embedder.embed(&["Red sky!", "red skys", "sky sky"]).expect("never fails");
        for (vector, expected) in vectors.iter().zip([[0.6, 0.8], [half, half], [0.0, 1.0]]) {
            assert!(vector.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-6), "{vector:?}");
        }
    }

    #[test]
    fn a_text_without_known_words_is_the_zero_vector() {
        let embedder = load(&small()).expect("loads");
        for text in ["", "  \n", "…!", "green", "\u{0}\u{fffd}"] {
            assert_eq!(embedder.vector(text), [0.0, 0.0], "{text:?}");
        }
    }

    #[test]
    fn a_table_that_is_cut_or_does_not_fit_is_an_error_with_its_place() {
        let whole = small();
        for length in 0..whole.len() {
            let error = load(&whole[..length]).expect_err("is cut").to_string();
            assert!(error.contains("model.safetensors"), "{length}: {error}");
        }
        let few = table(&[[0, 0], [1, 0], [2, 0]], &[0.0, 1.0, 1.0]);
        assert!(load(&few).expect_err("too few rows").to_string().contains("3 rows"));
        assert!(load(&table(&[[0, 0]; 4], &[f32::NAN; 4])).is_err());
        assert!(load(&table(&[[0, 0]; 4], &[1.0; 3])).is_err());
    }

    #[test]
    fn another_table_has_another_digest() {
        let other = table(&[[0, 0], [3, 0], [0, 100], [0, -24]], &[0.0, 1.0, 0.04, 0.04]);
        assert_ne!(load(&small()).expect("loads").identity().digest, load(&other).expect("loads").identity().digest);
    }

    #[test]
    fn the_shipped_table_puts_a_paraphrase_nearer_than_a_stranger() {
        let embedder = shipped();
        assert_eq!((embedder.identity().name.as_str(), embedder.identity().dimension), ("static", 256));
        let texts = ["A man is eating food.", "Someone has a meal.", "The stock market fell on Monday."];
        let vectors = embedder.embed(&texts).expect("never fails");
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
        assert!(dot(&vectors[0], &vectors[1]) > dot(&vectors[0], &vectors[2]) + 0.2, "{vectors:?}");
    }

    proptest! {
        #[test]
        fn any_text_gives_a_finite_vector_of_length_one_or_zero_whatever_its_neighbours(
            texts in prop::collection::vec("\\PC{0,80}", 1..5)
        ) {
            thread_local!(static SHIPPED: StaticEmbedder = shipped());
            SHIPPED.with(|embedder| {
                let all: Vec<&str> = texts.iter().map(String::as_str).collect();
                for (text, vector) in all.iter().zip(embedder.embed(&all).expect("never fails")) {
                    let norm: f32 = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
                    prop_assert!(norm == 0.0 || (norm - 1.0).abs() < 1e-5, "{}", norm);
                    prop_assert_eq!(&embedder.vector(text), &vector);
                }
                Ok(())
            })?;
        }
    }
}
