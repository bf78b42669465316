//! From text to token ids, without padding and without cutting.
//!
//! Files of tokenizers carry settings for both (all-MiniLM's pads every text to 128 tokens and cuts there); they are
//! switched off, and what to do with a text that is too long is the caller's to decide.

use std::ops::Range;
use std::path::{Path, PathBuf};

use tokenizers::{Encoding, PostProcessor, Token, Tokenizer};

use super::OnnxError;

/// A tokenizer that never pads and never cuts.
#[derive(Debug, Clone)]
pub struct TextTokenizer {
    tokenizer: Tokenizer,
    path: PathBuf,
}

impl TextTokenizer {
    /// Reads a `tokenizer.json`.
    ///
    /// # Errors
    /// [`OnnxError::Model`] when it cannot be read or understood.
    pub fn load(path: &Path) -> Result<Self, OnnxError> {
        let failed = |reason: String| OnnxError::Model { path: path.to_owned(), reason };
        let mut tokenizer = Tokenizer::from_file(path).map_err(|error| failed(error.to_string()))?;
        tokenizer.with_padding(None);
        tokenizer.with_truncation(None).map_err(|error| failed(error.to_string()))?;
        // A text that says "[SEP]" holds these letters, not the mark between two texts.
        tokenizer.set_encode_special_tokens(true);
        Ok(Self { tokenizer, path: path.to_owned() })
    }

    /// The text's own tokens, without special ones.
    ///
    /// # Errors
    /// [`OnnxError::Model`] when the tokenizer fails.
    pub fn tokens(&self, text: &str) -> Result<Encoding, OnnxError> {
        self.checked(self.tokenizer.encode(text, false))
    }

    /// The text between the special tokens that the model expects.
    ///
    /// # Errors
    /// [`OnnxError::Model`] when the tokenizer fails.
    pub fn single(&self, text: &str) -> Result<Encoding, OnnxError> {
        self.checked(self.tokenizer.encode(text, true))
    }

    /// Two texts, set apart as the model expects.
    ///
    /// # Errors
    /// [`OnnxError::Model`] when the tokenizer fails.
    pub fn pair(&self, first: &str, second: &str) -> Result<Encoding, OnnxError> {
        self.checked(self.tokenizer.encode((first, second), true))
    }

    /// Some of the tokens that [`TextTokenizer::tokens`] gave, between the special tokens of a single text.
    ///
    /// # Errors
    /// [`OnnxError::Model`] when the tokenizer fails.
    pub fn wrap(&self, tokens: &Encoding, range: Range<usize>) -> Result<Encoding, OnnxError> {
        let part = range
            .filter_map(|i| {
                let (id, offsets) = (*tokens.get_ids().get(i)?, *tokens.get_offsets().get(i)?);
                Some(Token::new(id, tokens.get_tokens().get(i)?.clone(), offsets))
            })
            .collect();
        self.checked(self.tokenizer.post_process(Encoding::from_tokens(part, 0), None, true))
    }

    /// How many special tokens a single text gets.
    pub fn specials_of_single(&self) -> usize {
        self.tokenizer.get_post_processor().map_or(0, |processor| processor.added_tokens(false))
    }

    /// How many special tokens a pair of texts gets.
    pub fn specials_of_pair(&self) -> usize {
        self.tokenizer.get_post_processor().map_or(0, |processor| processor.added_tokens(true))
    }

    fn checked(&self, outcome: tokenizers::Result<Encoding>) -> Result<Encoding, OnnxError> {
        outcome.map_err(|error| OnnxError::Model { path: self.path.clone(), reason: error.to_string() })
    }
}
