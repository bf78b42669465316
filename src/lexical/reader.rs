//! Reading a segment's postings.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use evidex_index_format::Section;
use tantivy::directory::{FileHandle, OwnedBytes};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{HasLen, Index, SegmentReader, Term};
use unicode_normalization::char::is_combining_mark;

use super::LexicalError;
use super::analysis::{FIRST_UNSPACED, is_unspaced};
use super::directory::ReadOnlyDirectory;
use super::schema::{Fields, schema};

/// One file of a segment's postings, as [`PostingsWriter::finish`](super::PostingsWriter::finish) named it.
pub struct PostingsFile {
    name: String,
    handle: Arc<dyn FileHandle>,
}

impl PostingsFile {
    /// A file held in memory.
    pub fn in_memory(name: &str, bytes: Vec<u8>) -> Self {
        Self { name: name.to_owned(), handle: Arc::new(OwnedBytes::new(bytes)) }
    }

    /// A file that lies in a section of a segment; what is read of it is mapped, not copied.
    pub fn stored(name: &str, section: Section) -> Self {
        Self { name: name.to_owned(), handle: Arc::new(StoredFile(section)) }
    }
}

/// A field of the postings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PostedField {
    /// Words as they stand.
    Exact,
    /// Stems.
    Stems,
    /// The words of titles.
    Title,
}

/// A section as tantivy reads it; each block of it is verified when it is first read.
#[derive(Debug)]
struct StoredFile(Section);

impl HasLen for StoredFile {
    fn len(&self) -> usize {
        self.0.len()
    }
}

impl FileHandle for StoredFile {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        self.0.range(range).map(OwnedBytes::new).map_err(io::Error::other)
    }
}

/// The postings of one segment, open for searching.
pub struct PostingsReader {
    pub(super) reader: SegmentReader,
    pub(super) fields: Fields,
}

impl fmt::Debug for PostingsReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostingsReader").field("chunks", &self.chunk_count()).finish()
    }
}

impl PostingsReader {
    /// Opens the postings; reads only what it must.
    ///
    /// # Errors
    /// [`LexicalError::Read`] or [`LexicalError::Damaged`] when the files are not what the writer made.
    pub fn open(files: Vec<PostingsFile>) -> Result<Self, LexicalError> {
        let files: BTreeMap<_, _> = files.into_iter().map(|file| (file.name, file.handle)).collect();
        let index = Index::open(ReadOnlyDirectory::new(files)).map_err(LexicalError::read)?;
        let (expected, fields) = schema();
        if index.schema() != expected {
            return Err(LexicalError::Damaged { reason: "the fields are not those of this version".to_owned() });
        }
        let segments = index.searchable_segments().map_err(LexicalError::read)?;
        let [segment] = segments.as_slice() else {
            return Err(LexicalError::Damaged { reason: format!("{} tantivy segments instead of 1", segments.len()) });
        };
        let reader = SegmentReader::open(segment).map_err(LexicalError::read)?;
        Ok(Self { reader, fields })
    }

    /// Chunks in the postings, removed ones too.
    pub fn chunk_count(&self) -> u32 {
        self.reader.max_doc()
    }

    fn field(&self, field: PostedField) -> Field {
        match field {
            PostedField::Exact => self.fields.exact,
            PostedField::Stems => self.fields.stem,
            PostedField::Title => self.fields.title,
        }
    }

    /// How many terms a field holds.
    ///
    /// # Errors
    /// [`LexicalError::Read`] when the postings are damaged.
    pub fn term_count(&self, field: PostedField) -> Result<usize, LexicalError> {
        Ok(self.reader.inverted_index(self.field(field)).map_err(LexicalError::read)?.terms().num_terms())
    }

    /// The chunks that `word` (already analysed) is posted for, in order: what a deep check compares with the texts.
    ///
    /// # Errors
    /// [`LexicalError::Read`] when the postings are damaged.
    pub fn chunks_with(&self, field: PostedField, word: &str) -> Result<Vec<u32>, LexicalError> {
        use tantivy::{DocSet, TERMINATED};
        let field = self.field(field);
        let index = self.reader.inverted_index(field).map_err(LexicalError::read)?;
        let term = Term::from_field_text(field, word);
        let mut chunks = Vec::new();
        if let Some(mut postings) = index.read_postings(&term, IndexRecordOption::Basic).map_err(LexicalError::read)? {
            while postings.doc() != TERMINATED {
                chunks.push(postings.doc());
                postings.advance();
            }
        }
        Ok(chunks)
    }

    /// The terms of unspaced scripts that hold `character`, each with the number of chunks that it is posted for. Every
    /// such term is looked at: some ten thousand for a large corpus.
    pub(super) fn pairs_with(&self, character: &str) -> Result<Vec<(String, u64)>, LexicalError> {
        let index = self.reader.inverted_index(self.fields.exact).map_err(LexicalError::read)?;
        let start = FIRST_UNSPACED.to_string();
        let stream = index.terms().range().ge(start.as_bytes()).into_stream();
        let mut stream = stream.map_err(|error| LexicalError::read(tantivy::TantivyError::from(error)))?;
        let mut found = Vec::new();
        while stream.advance() {
            let Ok(term) = std::str::from_utf8(stream.key()) else { continue };
            if term.contains(character) && term.chars().all(|c| is_unspaced(c) || is_combining_mark(c)) {
                found.push((term.to_owned(), u64::from(stream.value().doc_freq)));
            }
        }
        Ok(found)
    }
}
