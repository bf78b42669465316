//! Source documents: given as texts, as records, or read from files.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::HalgorithemError;
use crate::corpus::{CorpusError, Document, DocumentId, ReadOptions, ReadProblem, read_text};

/// A source text with its number and name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TruthDocument {
    /// Its number, told back as `matched_doc_id`.
    pub file_id: u64,
    /// Its path or name, told back as `matched_source`.
    pub file_path: String,
    /// Its text.
    pub text: String,
}

/// One or more source documents: made from one text, a list of texts, or records.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TruthDocuments(pub Vec<TruthDocument>);

impl From<&str> for TruthDocuments {
    fn from(text: &str) -> Self {
        Self(vec![TruthDocument { file_id: 1, file_path: "inline_text".to_owned(), text: text.to_owned() }])
    }
}

impl From<&String> for TruthDocuments {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl<T: AsRef<str>> From<&[T]> for TruthDocuments {
    fn from(texts: &[T]) -> Self {
        let numbered = (1..).zip(texts);
        Self(
            numbered
                .map(|(file_id, text)| TruthDocument {
                    file_id,
                    file_path: format!("inline_text_{file_id}"),
                    text: text.as_ref().to_owned(),
                })
                .collect(),
        )
    }
}

impl<T: AsRef<str>, const N: usize> From<[T; N]> for TruthDocuments {
    fn from(texts: [T; N]) -> Self {
        texts.as_slice().into()
    }
}

impl From<Vec<String>> for TruthDocuments {
    fn from(texts: Vec<String>) -> Self {
        texts.as_slice().into()
    }
}

impl From<Vec<&str>> for TruthDocuments {
    fn from(texts: Vec<&str>) -> Self {
        texts.as_slice().into()
    }
}

impl From<Vec<TruthDocument>> for TruthDocuments {
    fn from(documents: Vec<TruthDocument>) -> Self {
        Self(documents)
    }
}

impl TruthDocuments {
    /// The engine's documents, each with its place in the list for an id: callers' numbers need not differ.
    pub(super) fn to_engine(&self) -> Result<Vec<Document>, HalgorithemError> {
        if self.0.is_empty() {
            return Err(HalgorithemError::NoDocuments);
        }
        let documents = self.0.iter().enumerate().map(|(place, document)| {
            let mut inline = Document::inline(&document.file_path, document.text.clone());
            inline.id = DocumentId(place.to_string());
            inline
        });
        Ok(documents.collect())
    }
}

/// Reads a source file as it stands; its number is `file_id`.
///
/// # Errors
/// [`HalgorithemError::Missing`], [`HalgorithemError::NotAFile`], [`HalgorithemError::NotUtf8`] or
/// [`HalgorithemError::EmptyFile`]; [`HalgorithemError::Unreadable`] for anything else.
pub fn load_file(path: impl AsRef<Path>, file_id: u64) -> Result<TruthDocument, HalgorithemError> {
    let path = path.as_ref();
    let shown = path.display().to_string();
    if path.exists() && !path.is_file() {
        return Err(HalgorithemError::NotAFile { path: shown });
    }
    let (text, note) = match read_text(path, &ReadOptions::default()) {
        Ok(read) => read,
        Err(problem) => return Err(from_problem(problem, shown)),
    };
    if note.encoding != "UTF-8" || note.damaged > 0 {
        return Err(HalgorithemError::NotUtf8 { path: shown, encoding: note.encoding });
    }
    if text.trim().is_empty() {
        return Err(HalgorithemError::EmptyFile { path: shown });
    }
    Ok(TruthDocument { file_id, file_path: shown, text })
}

fn from_problem(problem: ReadProblem, path: String) -> HalgorithemError {
    match problem.cause {
        CorpusError::NotFound => HalgorithemError::Missing { path },
        CorpusError::IsDirectory | CorpusError::NotRegular => HalgorithemError::NotAFile { path },
        CorpusError::Empty => HalgorithemError::EmptyFile { path },
        _ => HalgorithemError::Unreadable(problem),
    }
}

/// Reads source files, numbered from 1.
///
/// # Errors
/// As [`load_file`], for the first file that fails; [`HalgorithemError::NoDocuments`] if no path is given.
pub fn load_files<P: AsRef<Path>>(paths: &[P]) -> Result<Vec<TruthDocument>, HalgorithemError> {
    if paths.is_empty() {
        return Err(HalgorithemError::NoDocuments);
    }
    (1..).zip(paths).map(|(file_id, path)| load_file(path, file_id)).collect()
}
