//! Writing a segment's postings.

use std::path::PathBuf;

use tantivy::directory::{Directory, RamDirectory};
use tantivy::index::SegmentId;
use tantivy::store::Compressor;
use tantivy::tokenizer::{Token, TokenStream, Tokenizer, TokenizerManager};
use tantivy::{IndexBuilder, IndexSettings, SingleSegmentIndexWriter, TantivyDocument};

use super::LexicalError;
use super::analysis::{TermKind, for_each_term};
use super::directory::section_name;
use super::schema::{Fields, SEPARATOR, SPLITTER, schema};
use super::stemming::Stemming;

/// The least memory that tantivy's writer takes.
const LEAST_MEMORY: usize = 15 << 20;

/// Every segment's postings bear this name inside tantivy's own metadata, so that the same chunks give the same bytes.
const SEGMENT_ID: &str = "00000000000000000000000000000001";

/// The terms of a title, made once and posted with each of its document's chunks.
#[derive(Debug, Clone, Default)]
pub struct TitleTerms {
    value: String,
    stemming: Stemming,
}

/// Takes chunks one by one and gives the files of their postings.
pub struct PostingsWriter {
    directory: RamDirectory,
    fields: Fields,
    writer: SingleSegmentIndexWriter,
    exact: String,
    stem: String,
}

impl PostingsWriter {
    /// A writer that holds about `memory` bytes of postings, more if it must.
    ///
    /// # Errors
    /// [`LexicalError::Write`] when tantivy refuses.
    pub fn new(memory: usize) -> Result<Self, LexicalError> {
        let (schema, fields) = schema();
        let directory = RamDirectory::create();
        let tokenizers = TokenizerManager::new();
        tokenizers.register(SPLITTER, Splitter::default());
        let settings = IndexSettings { docstore_compression: Compressor::None, ..IndexSettings::default() };
        let writer = IndexBuilder::new()
            .schema(schema)
            .settings(settings)
            .tokenizers(tokenizers)
            .single_segment_index_writer(directory.clone(), memory.max(LEAST_MEMORY))
            .map_err(LexicalError::write)?;
        Ok(Self { directory, fields, writer, exact: String::new(), stem: String::new() })
    }

    /// Analyses a document's title; its chunks' texts are stemmed alike.
    pub fn title(title: &str, stemming: Stemming) -> TitleTerms {
        let mut value = String::new();
        for_each_title_term(title, stemming, |term| push(&mut value, term));
        TitleTerms { value, stemming }
    }

    /// Posts one chunk; its number is the count of chunks added before.
    ///
    /// # Errors
    /// [`LexicalError::Write`] when tantivy refuses.
    pub fn add(&mut self, text: &str, title: &TitleTerms) -> Result<(), LexicalError> {
        self.exact.clear();
        self.stem.clear();
        let (exact, stems) = (&mut self.exact, &mut self.stem);
        for_each_posted_term(text, title.stemming, |term| push(exact, term), |stem| push(stems, stem));
        let mut document = TantivyDocument::new();
        for (field, value) in
            [(self.fields.exact, &self.exact), (self.fields.stem, &self.stem), (self.fields.title, &title.value)]
        {
            if !value.is_empty() {
                document.add_text(field, value);
            }
        }
        self.writer.add_document(document).map_err(LexicalError::write)
    }

    /// Bytes held now.
    pub fn memory(&self) -> usize {
        self.writer.mem_usage()
    }

    /// The files of the postings, by name, in name order.
    ///
    /// # Errors
    /// [`LexicalError::Write`] when tantivy refuses.
    pub fn finish(self) -> Result<Vec<(String, Vec<u8>)>, LexicalError> {
        let index = self.writer.finalize().map_err(LexicalError::write)?;
        let ids: Vec<SegmentId> = index.searchable_segment_ids().map_err(LexicalError::write)?;
        let [id] = ids.as_slice() else {
            return Err(LexicalError::Damaged { reason: format!("{} segments were written at once", ids.len()) });
        };
        let id = id.uuid_string();
        drop(index);
        let mut paths = vec![PathBuf::from("meta.json")];
        for extension in ["fieldnorm", "idx", "pos", "store", "term", "fast"] {
            paths.push(PathBuf::from(format!("{id}.{extension}")));
        }
        let mut files = Vec::with_capacity(paths.len());
        for path in paths {
            if !self.directory.exists(&path).map_err(LexicalError::write)? {
                continue;
            }
            let mut bytes = self.directory.atomic_read(&path).map_err(LexicalError::write)?;
            let Some(name) = section_name(&path) else { continue };
            if name == "meta" {
                let meta = String::from_utf8_lossy(&bytes);
                let dashed =
                    |id: &str| format!("{}-{}-{}-{}-{}", &id[..8], &id[8..12], &id[12..16], &id[16..20], &id[20..]);
                bytes = meta.replace(&dashed(&id), &dashed(SEGMENT_ID)).replace(&id, SEGMENT_ID).into_bytes();
            }
            files.push((name, bytes));
        }
        files.sort();
        Ok(files)
    }
}

/// Calls `exact` with each term of a chunk as it stands, `stem` with the stem of each that has one.
fn for_each_posted_term(text: &str, stemming: Stemming, mut exact: impl FnMut(&str), mut stem: impl FnMut(&str)) {
    let stemmer = stemming.stemmer();
    for_each_term(text, |term, kind| {
        exact(term);
        if let (TermKind::Word, Some(stemmer)) = (kind, &stemmer) {
            stem(&stemmer.stem(term));
        }
    });
}

fn for_each_title_term(title: &str, stemming: Stemming, mut each: impl FnMut(&str)) {
    let stemmer = stemming.stemmer();
    for_each_term(title, |term, kind| match (kind, &stemmer) {
        (TermKind::Word, Some(stemmer)) => each(&stemmer.stem(term)),
        _ => each(term),
    });
}

/// The terms that are posted for a chunk, field by field: what a deep check compares postings with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PostedTerms {
    /// Terms as they stand.
    pub exact: Vec<String>,
    /// Stems.
    pub stems: Vec<String>,
    /// Terms of the document's title.
    pub title: Vec<String>,
}

impl PostedTerms {
    /// The terms of a chunk of a document with this title.
    pub fn of(text: &str, title: &str, stemming: Stemming) -> Self {
        let mut terms = Self::default();
        let Self { exact, stems, title: of_title } = &mut terms;
        let (exact, stems) = (|term: &str| exact.push(term.to_owned()), |stem: &str| stems.push(stem.to_owned()));
        for_each_posted_term(text, stemming, exact, stems);
        for_each_title_term(title, stemming, |term| of_title.push(term.to_owned()));
        terms
    }
}

fn push(value: &mut String, term: &str) {
    if !value.is_empty() {
        value.push(SEPARATOR);
    }
    value.push_str(term);
}

/// Gives back the terms of a field's value.
#[derive(Debug, Clone, Default)]
struct Splitter {
    token: Token,
}

struct SplitStream<'a> {
    rest: Option<&'a str>,
    token: &'a mut Token,
}

impl Tokenizer for Splitter {
    type TokenStream<'a> = SplitStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> SplitStream<'a> {
        self.token.reset();
        SplitStream { rest: (!text.is_empty()).then_some(text), token: &mut self.token }
    }
}

impl TokenStream for SplitStream<'_> {
    fn advance(&mut self) -> bool {
        let Some(rest) = self.rest else { return false };
        let (term, rest) = match rest.split_once(SEPARATOR) {
            Some((term, rest)) => (term, Some(rest)),
            None => (rest, None),
        };
        self.rest = rest;
        self.token.text.clear();
        self.token.text.push_str(term);
        self.token.position = self.token.position.wrapping_add(1);
        true
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}
