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

use super::LexicalError;
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

    /// How many terms the three fields hold.
    ///
    /// # Errors
    /// [`LexicalError::Read`] when the postings are damaged.
    pub fn term_count(&self) -> Result<usize, LexicalError> {
        let mut count = 0;
        for field in [self.fields.exact, self.fields.stem, self.fields.title] {
            count += self.reader.inverted_index(field).map_err(LexicalError::read)?.terms().num_terms();
        }
        Ok(count)
    }

    /// The chunks whose text holds `word` (already analysed), in order: what a deep check compares with the texts.
    ///
    /// # Errors
    /// [`LexicalError::Read`] when the postings are damaged.
    pub fn chunks_with(&self, word: &str) -> Result<Vec<u32>, LexicalError> {
        use tantivy::{DocSet, TERMINATED};
        let index = self.reader.inverted_index(self.fields.exact).map_err(LexicalError::read)?;
        let term = Term::from_field_text(self.fields.exact, word);
        let mut chunks = Vec::new();
        if let Some(mut postings) = index.read_postings(&term, IndexRecordOption::Basic).map_err(LexicalError::read)? {
            while postings.doc() != TERMINATED {
                chunks.push(postings.doc());
                postings.advance();
            }
        }
        Ok(chunks)
    }

    pub(super) fn document_frequency(&self, term: &Term) -> Result<u64, LexicalError> {
        let index = self.reader.inverted_index(term.field()).map_err(LexicalError::read)?;
        index.doc_freq(term).map(u64::from).map_err(LexicalError::read)
    }

    pub(super) fn token_count(&self, field: Field) -> Result<u64, LexicalError> {
        Ok(self.reader.inverted_index(field).map_err(LexicalError::read)?.total_num_tokens())
    }
}
