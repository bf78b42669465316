//! What can go wrong, or deserves a word, while documents are read.
//!
//! Each problem names the file, the place in it, what is the matter and what to do. None ends a run by itself: the
//! reader goes on after it, and the caller decides by [`Severity`].

use std::fmt;
use std::io;

/// How much a problem matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Everything was read, or what was left out was left out by rule.
    Warning,
    /// Something that was asked for was not read.
    Error,
}

/// A problem met in reading, with the file and the place in it.
///
/// ```
/// use evidex::corpus::{CorpusError, ReadProblem};
///
/// let problem = ReadProblem::at("notes.jsonl", "line 17", CorpusError::NotAnObject);
/// assert_eq!(problem.to_string(), "notes.jsonl, line 17: expected a JSON object");
/// assert_eq!(problem.code(), "corpus_not_an_object");
/// ```
#[derive(Debug, thiserror::Error)]
#[error("{}{}: {cause}", .path, Place(.place))]
pub struct ReadProblem {
    /// The file as it was named or found; `-` for standard input.
    pub path: String,
    /// Where in the file: "line 17", "row 3", "item 2".
    pub place: Option<String>,
    /// What is the matter.
    #[source]
    pub cause: CorpusError,
}

struct Place<'a>(&'a Option<String>);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().map_or(Ok(()), |place| write!(f, ", {place}"))
    }
}

impl ReadProblem {
    /// A problem with a whole file.
    pub fn new(path: impl Into<String>, cause: CorpusError) -> Self {
        Self { path: path.into(), place: None, cause }
    }

    /// A problem at a place in a file.
    pub fn at(path: impl Into<String>, place: impl Into<String>, cause: CorpusError) -> Self {
        Self { path: path.into(), place: Some(place.into()), cause }
    }

    /// How much it matters.
    pub const fn severity(&self) -> Severity {
        self.cause.severity()
    }

    /// The stable name of its kind.
    pub const fn code(&self) -> &'static str {
        self.cause.code()
    }

    /// What to do about it, where there is something to do.
    pub const fn hint(&self) -> Option<&'static str> {
        self.cause.hint()
    }
}

/// The kinds of problems.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// No such file or folder.
    #[error("no such file or folder")]
    NotFound,
    /// The system does not let us read it.
    #[error("permission denied")]
    PermissionDenied,
    /// Reading failed.
    #[error("cannot be read: {0}")]
    Io(#[source] io::Error),
    /// A folder where a file was meant.
    #[error("is a folder, and a file was expected")]
    IsDirectory,
    /// A FIFO, socket or device inside a folder.
    #[error("is not a regular file (FIFO, socket or device)")]
    NotRegular,
    /// A symbolic link inside a folder.
    #[error("is a symbolic link and was not followed")]
    SymlinkSkipped,
    /// A symbolic link to a folder that holds it.
    #[error("is a symbolic link to a folder above it")]
    SymlinkLoop,
    /// The same file was read before, under this or another name.
    #[error("was already read in this run")]
    AlreadyRead,
    /// The name is no valid UTF-8 or holds control characters.
    #[error("has a name with control characters or invalid UTF-8; its id is `{id}`")]
    OddName {
        /// The id that was made of it.
        id: String,
    },
    /// Nothing but white space.
    #[error("holds no text")]
    Empty,
    /// A document, or one record of a file, is larger than allowed.
    #[error("is larger than the limit of {limit} bytes for one document")]
    TooLarge {
        /// The limit.
        limit: u64,
    },
    /// A compressed file grows suspiciously.
    #[error("grows from {compressed} to more than {expanded} bytes when decompressed")]
    DecompressionBomb {
        /// Bytes read from the file.
        compressed: u64,
        /// Bytes that came of them.
        expanded: u64,
    },
    /// Not text.
    #[error("is not text ({what})")]
    Binary {
        /// What it looks like.
        what: &'static str,
    },
    /// Not UTF-8; the encoding was guessed.
    #[error("is not UTF-8; read as {encoding}")]
    EncodingGuessed {
        /// The encoding's name.
        encoding: &'static str,
    },
    /// Bytes that mean nothing in the file's encoding.
    #[error("has {count} byte sequences that are no {encoding}; each was read as U+FFFD")]
    EncodingDamaged {
        /// The encoding's name.
        encoding: &'static str,
        /// How many sequences.
        count: u64,
    },
    /// An encoding was asked for that nobody knows.
    #[error("unknown encoding `{label}`")]
    UnknownEncoding {
        /// The label as given.
        label: String,
    },
    /// Not JSON.
    #[error("broken JSON at column {column}: {message}")]
    BrokenJson {
        /// Column in the line, or in the item where it spans lines, from 1.
        column: usize,
        /// What the parser says.
        message: String,
    },
    /// JSON, but no object.
    #[error("expected a JSON object")]
    NotAnObject,
    /// The file ended inside a JSON value.
    #[error("the file ends inside a JSON value")]
    UnfinishedJson,
    /// No field holds the text.
    #[error("has no text field (its fields: {found})")]
    MissingText {
        /// The fields that are there.
        found: String,
    },
    /// A field has a type that cannot be used.
    #[error("field `{field}` should be {expected}")]
    BadField {
        /// The field.
        field: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A row with more or fewer fields than the header.
    #[error("has {found} fields, the header has {expected}")]
    RaggedRow {
        /// Fields in the header.
        expected: u64,
        /// Fields in the row.
        found: u64,
    },
    /// The header has the same name twice, or is missing.
    #[error("the header row names {what}")]
    BadHeader {
        /// What is wrong.
        what: String,
    },
    /// A part of a MediaWiki dump is no XML, or not what a dump holds.
    #[error("broken XML: {message}")]
    BrokenXml {
        /// What is wrong.
        message: String,
    },
    /// XML that is no dump.
    #[error("is XML, but no MediaWiki dump")]
    NoDump,
    /// A dump that ends before its end.
    #[error("the file ends inside a dump")]
    UnfinishedDump,
    /// A ZIM archive that is not sound.
    #[error("broken ZIM archive: {message}")]
    BrokenArchive {
        /// What is wrong.
        message: String,
    },
    /// Not CSV.
    #[error("broken CSV: {0}")]
    BrokenCsv(#[source] csv::Error),
    /// Another document of this run has the same id and other content.
    #[error("the id `{id}` was already used in this run by another document")]
    DuplicateId {
        /// The id.
        id: String,
    },
    /// An HTML page too large or too deeply nested to look for its main text.
    #[error("is too large or too deeply nested to look for its main text; all its text was taken")]
    MainTextNotSought,
}

impl CorpusError {
    /// How much it matters.
    pub const fn severity(&self) -> Severity {
        match self {
            Self::NotRegular
            | Self::SymlinkSkipped
            | Self::SymlinkLoop
            | Self::AlreadyRead
            | Self::OddName { .. }
            | Self::Empty
            | Self::EncodingGuessed { .. }
            | Self::EncodingDamaged { .. }
            | Self::RaggedRow { .. }
            | Self::MainTextNotSought => Severity::Warning,
            _ => Severity::Error,
        }
    }

    /// The stable name of its kind.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotFound => "corpus_not_found",
            Self::PermissionDenied => "corpus_permission_denied",
            Self::Io(_) => "corpus_io",
            Self::IsDirectory => "corpus_is_directory",
            Self::NotRegular => "corpus_not_regular",
            Self::SymlinkSkipped => "corpus_symlink_skipped",
            Self::SymlinkLoop => "corpus_symlink_loop",
            Self::AlreadyRead => "corpus_already_read",
            Self::OddName { .. } => "corpus_odd_name",
            Self::Empty => "corpus_empty",
            Self::TooLarge { .. } => "corpus_too_large",
            Self::DecompressionBomb { .. } => "corpus_decompression_bomb",
            Self::Binary { .. } => "corpus_binary",
            Self::EncodingGuessed { .. } => "corpus_encoding_guessed",
            Self::EncodingDamaged { .. } => "corpus_encoding_damaged",
            Self::UnknownEncoding { .. } => "corpus_unknown_encoding",
            Self::BrokenJson { .. } => "corpus_broken_json",
            Self::NotAnObject => "corpus_not_an_object",
            Self::UnfinishedJson => "corpus_unfinished_json",
            Self::MissingText { .. } => "corpus_missing_text",
            Self::BadField { .. } => "corpus_bad_field",
            Self::RaggedRow { .. } => "corpus_ragged_row",
            Self::BadHeader { .. } => "corpus_bad_header",
            Self::BrokenXml { .. } => "corpus_broken_xml",
            Self::NoDump => "corpus_no_dump",
            Self::UnfinishedDump => "corpus_unfinished_dump",
            Self::BrokenArchive { .. } => "corpus_broken_archive",
            Self::BrokenCsv(_) => "corpus_broken_csv",
            Self::DuplicateId { .. } => "corpus_duplicate_id",
            Self::MainTextNotSought => "corpus_main_text_not_sought",
        }
    }

    /// What to do about it, where there is something to do.
    pub const fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::NotFound => "check the spelling, and that the path is relative to the current folder",
            Self::PermissionDenied => "make the file readable for this user, or leave it out",
            Self::IsDirectory => "name a file, or index the folder and use the index",
            Self::SymlinkSkipped => "name the link itself, or ask for symbolic links to be followed",
            Self::OddName { .. } => "rename the file if its id should be readable",
            Self::TooLarge { .. } => "split the document, or raise the limit",
            Self::DecompressionBomb { .. } => "decompress the file yourself if you trust it",
            Self::Binary { .. } => "convert it to text, Markdown or HTML first",
            Self::EncodingGuessed { .. } => "convert the file to UTF-8, or name its encoding, to be sure",
            Self::EncodingDamaged { .. } => "convert the file to UTF-8, or name its encoding",
            Self::UnknownEncoding { .. } => "use a name such as utf-8, windows-1252, shift_jis or gb18030",
            Self::BrokenJson { .. } => "each line of a JSONL file must be one JSON object",
            Self::UnfinishedJson => "the file may have been cut off: fetch or write it again",
            Self::NotAnObject => "each record must be an object with a text field",
            Self::MissingText { .. } => "name the field that holds the text",
            Self::RaggedRow { .. } => "look for an unquoted separator or line end in the row",
            Self::BadHeader { .. } => "the first row of the file must name its columns",
            Self::BrokenXml { .. } | Self::UnfinishedDump => {
                "the file may have been cut off or damaged: compare its checksum, or fetch it again"
            }
            Self::NoDump => "only XML dumps of MediaWiki are read: convert other XML to text, HTML or JSONL first",
            Self::BrokenArchive { .. } => "check it with `zimcheck`, or fetch it again",
            Self::DuplicateId { .. } => "give each document an id of its own; the first one was kept",
            _ => return None,
        })
    }

    /// The problem that a JSON parser found.
    pub(super) fn from_json(error: &serde_json::Error) -> Self {
        let message = error.to_string();
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message).to_owned();
        Self::BrokenJson { column: error.column(), message }
    }

    /// The problem behind an I/O error.
    pub(super) fn from_io(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::NotFound,
            io::ErrorKind::PermissionDenied => Self::PermissionDenied,
            io::ErrorKind::IsADirectory => Self::IsDirectory,
            // Our own limits travel through readers of other crates inside an I/O error.
            _ if error.get_ref().is_some_and(|inner| inner.is::<CorpusError>()) => match error.into_inner() {
                Some(inner) => match inner.downcast::<CorpusError>() {
                    Ok(own) => *own,
                    Err(other) => Self::Io(io::Error::other(other)),
                },
                None => Self::Io(io::Error::other("unknown")),
            },
            _ => Self::Io(error),
        }
    }
}
