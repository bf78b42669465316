//! One table for all errors: error -> stable code -> exit code -> HTTP status -> hint.
//!
//! Each room has its own error type, split by who must act; this one gathers them for callers that cross rooms.

use evidex_index_format::FormatError;

use crate::chunk::ChunkError;
use crate::corpus::ReadProblem;
use crate::embed::EmbedError;
use crate::eval::EvalError;
use crate::evidence::EvidenceError;
use crate::index::{FilterError, IndexError};
use crate::judge::{DetectError, JudgeError};
use crate::onnx::OnnxError;
use crate::retrieve::RetrieveError;
use crate::verify::VerifyError;

/// A stable name for a kind of error, printed by the command line and in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ErrorCode(pub &'static str);

/// Anything that can go wrong in the library.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read as documents or text.
    #[error(transparent)]
    Read(#[from] ReadProblem),
    /// Documents cannot be cut so.
    #[error(transparent)]
    Chunk(#[from] ChunkError),
    /// A model or the runtime.
    #[error(transparent)]
    Onnx(#[from] OnnxError),
    /// An embedder.
    #[error(transparent)]
    Embed(#[from] EmbedError),
    /// An index.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A filter.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// A search.
    #[error(transparent)]
    Retrieve(#[from] RetrieveError),
    /// A source of evidence.
    #[error(transparent)]
    Evidence(#[from] EvidenceError),
    /// A verification.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// An evaluation.
    #[error(transparent)]
    Eval(#[from] EvalError),
    /// A language model.
    #[error(transparent)]
    Judge(#[from] JudgeError),
}

impl From<DetectError> for Error {
    fn from(error: DetectError) -> Self {
        match error {
            DetectError::Verify(error) => Self::Verify(error),
            DetectError::Judge(error) => Self::Judge(error),
        }
    }
}

/// Who must act: decides the HTTP status.
enum Fault {
    /// What was asked makes no sense.
    Request,
    /// What was asked for is not there.
    NotFound,
    /// Something else holds what is needed: try later, or use another.
    Conflict,
    /// Files or memory of this machine.
    Machine,
    /// Something outside cannot be reached.
    Unavailable,
}

/// A row of the table: code, who must act, what to do next.
type Row = (&'static str, Fault, Option<&'static str>);

impl Error {
    /// The stable name of its kind. It never changes its meaning.
    pub fn code(&self) -> ErrorCode {
        ErrorCode(self.row().0)
    }

    /// The exit code of a command that ends with it: always 2, "could not run".
    pub const fn exit_code(&self) -> u8 {
        2
    }

    /// The HTTP status of a response that ends with it.
    pub fn http_status(&self) -> u16 {
        match self.row().1 {
            Fault::Request => 422,
            Fault::NotFound => 404,
            Fault::Conflict => 409,
            Fault::Machine => 500,
            Fault::Unavailable => 503,
        }
    }

    /// What to do next, where there is something to do.
    pub fn hint(&self) -> Option<String> {
        self.row().2.map(str::to_owned)
    }

    fn row(&self) -> Row {
        match self {
            Self::Read(problem) => read(problem),
            Self::Chunk(_) => CHUNKING,
            Self::Onnx(error) => onnx(error),
            Self::Embed(error) => embed(error),
            Self::Index(error) => index(error),
            Self::Filter(_) => FILTER,
            Self::Retrieve(error) => retrieve(error),
            Self::Evidence(error) => evidence(error),
            Self::Verify(error) => verify(error),
            Self::Eval(error) => eval(error),
            Self::Judge(error) => judge(error),
        }
    }
}

fn read(problem: &ReadProblem) -> Row {
    let fault = if problem.code() == "corpus_not_found" { Fault::NotFound } else { Fault::Request };
    (problem.code(), fault, problem.hint())
}

const CHUNKING: Row = ("chunking", Fault::Request, Some("choose another window, and an overlap smaller than it"));
const FILTER: Row = (
    "filter",
    Fault::Request,
    Some(
        "a filter compares fields (id, source, title, url, place or a document's own) by = != < <= > >= : and joins them by \
         AND, OR, NOT and parentheses: lang=en AND (year>=2020 OR source:reports)",
    ),
);
const NO_SPACE: Row = (
    "no_space",
    Fault::Machine,
    Some("free some space and run the same command again; what was published before is still there"),
);
const DAMAGED: Row = (
    "index_damaged",
    Fault::Machine,
    Some("take the folder from a backup, or index the documents again into a new folder"),
);

fn onnx(error: &OnnxError) -> Row {
    match error {
        OnnxError::Missing { .. } => {
            ("model_missing", Fault::NotFound, Some("run `evidex models pull`, or use --embedder static"))
        }
        OnnxError::UnknownModel { .. } => {
            ("model_unknown", Fault::NotFound, Some("run `evidex models list` to see the names, or give dir:PATH"))
        }
        OnnxError::Damaged { .. } => {
            ("model_damaged", Fault::Machine, Some("remove the file and run `evidex models pull`"))
        }
        OnnxError::Runtime { .. } | OnnxError::RuntimeConflict { .. } => {
            ("runtime", Fault::Machine, Some("run `evidex doctor` to see which runtime is used and why"))
        }
        OnnxError::TooLong { .. } => ("too_long", Fault::Request, None),
        _ => ("model", Fault::Machine, Some("run `evidex doctor` to see whether the model is sound")),
    }
}

fn embed(error: &EmbedError) -> Row {
    match error {
        EmbedError::Unknown { .. } => {
            ("embedder_unknown", Fault::NotFound, Some("run `evidex models list` to see the names"))
        }
        EmbedError::Onnx(error) => onnx(error),
        _ => ("embedder", Fault::Machine, Some("run `evidex doctor` to see whether the model is sound")),
    }
}

/// Whether a full disk, or a used-up quota, is at the bottom of the error.
fn is_full(error: &(dyn std::error::Error + 'static)) -> bool {
    use std::io::ErrorKind::{QuotaExceeded, StorageFull};
    std::iter::successors(Some(error), |error| error.source())
        .filter_map(|error| error.downcast_ref::<std::io::Error>())
        .any(|error| matches!(error.kind(), StorageFull | QuotaExceeded))
}

fn format(error: &FormatError) -> Row {
    match error {
        FormatError::Io { .. } if is_full(error) => NO_SPACE,
        FormatError::Io { .. } => {
            ("index_io", Fault::Machine, Some("check that the folder exists and may be written to"))
        }
        FormatError::NotAnIndex { .. } => {
            ("not_an_index", Fault::NotFound, Some("make one with `evidex index PATH... --into DIR`"))
        }
        FormatError::AlreadyAnIndex { .. } => ("already_an_index", Fault::Conflict, None),
        FormatError::UnsupportedVersion { .. } | FormatError::UnknownFeature { .. } => (
            "index_version",
            Fault::Conflict,
            Some("use the evidex that wrote it, or index the documents again into a new folder"),
        ),
        FormatError::Locked { .. } => {
            ("index_locked", Fault::Conflict, Some("wait until the other writer is done; searching goes on meanwhile"))
        }
        _ => DAMAGED,
    }
}

fn index(error: &IndexError) -> Row {
    match error {
        IndexError::Format(error) => format(error),
        IndexError::Embed(error) => embed(error),
        IndexError::Chunk(_) => CHUNKING,
        IndexError::OtherEmbedder { .. } | IndexError::EmbedderNeeded { .. } | IndexError::NoVectors { .. } => (
            "other_embedder",
            Fault::Conflict,
            Some("leave out --embedder to go on with the index's own, or make a new index"),
        ),
        IndexError::OtherAnalyzer { expected, found } => (
            "index_version",
            Fault::Conflict,
            Some(if found < expected {
                "run `evidex upgrade --index DIR`; nothing is embedded again"
            } else {
                "use the evidex that wrote it, or index the documents again into a new folder"
            }),
        ),
        IndexError::OtherRoot { .. } => (
            "other_source",
            Fault::Conflict,
            Some("name it by its absolute path, or say with --moved that it is the folder of before in another place"),
        ),
        IndexError::IdOfOtherSource { .. } => (
            "other_source",
            Fault::Conflict,
            Some(
                "give this folder's documents ids of their own with --id-prefix NAME/, or say with --moved that it is the \
                 folder of before in another place",
            ),
        ),
        IndexError::Source { .. } => ("corpus_not_found", Fault::NotFound, Some("check the path")),
        IndexError::InvalidDocument { .. } => ("invalid_document", Fault::Request, None),
        IndexError::Cancelled => ("cancelled", Fault::Unavailable, Some("run the same command again to start over")),
        IndexError::FolderInUse { .. } => ("folder_in_use", Fault::Conflict, Some("give an empty or a new folder")),
        // A full disk met while postings or vectors are written is no damage.
        IndexError::Lexical(_) | IndexError::Vector(_) if is_full(error) => NO_SPACE,
        IndexError::Lexical(_) | IndexError::Vector(_) | IndexError::Damaged { .. } => DAMAGED,
        _ => ("index", Fault::Machine, None),
    }
}

fn retrieve(error: &RetrieveError) -> Row {
    match error {
        RetrieveError::EmptyQuery => {
            ("empty_query", Fault::Request, Some("give at least one word, number or name to look for"))
        }
        RetrieveError::EmbedderNeeded { .. } => {
            ("embedder_needed", Fault::Request, Some("search with --mode bm25 to go by words alone"))
        }
        RetrieveError::NoVectors => ("no_vectors", Fault::Request, Some("search with --mode bm25")),
        RetrieveError::Index(error) => index(error),
        RetrieveError::Embed(error) => embed(error),
    }
}

fn evidence(error: &EvidenceError) -> Row {
    match error {
        EvidenceError::Unavailable { .. } => ("evidence_unavailable", Fault::Unavailable, None),
        EvidenceError::Refused { .. } => (
            "url_refused",
            Fault::Request,
            Some("give a public http or https page, or allow private addresses with --allow-private"),
        ),
        EvidenceError::RobotsDisallow { .. } => {
            ("robots_disallow", Fault::Request, Some("save the page yourself and give it with --context"))
        }
        EvidenceError::ContactMissing { .. } => (
            "wikipedia_contact",
            Fault::Request,
            Some(
                "set wikipedia.contact to your mail address or a page about you: in evidex.toml under [wikipedia], or by \
                 EVIDEX_WIKIPEDIA_CONTACT",
            ),
        ),
        EvidenceError::BadOptions { .. } => ("wiki_options", Fault::Request, None),
        EvidenceError::Empty => ("empty_context", Fault::Request, Some("give a context that holds some text")),
        EvidenceError::Chunk(_) => CHUNKING,
    }
}

fn verify(error: &VerifyError) -> Row {
    match error {
        VerifyError::NoSource => {
            ("no_evidence", Fault::Request, Some("give at least one source of evidence: an index or a context"))
        }
        VerifyError::Cancelled => ("cancelled", Fault::Unavailable, None),
        _ => ("verify", Fault::Machine, None),
    }
}

fn eval(error: &EvalError) -> Row {
    match error {
        EvalError::Read(problem) => read(problem),
        EvalError::Verify(error) => verify(error),
        EvalError::Embed(error) => embed(error),
        EvalError::Strict { .. } => {
            ("bad_row", Fault::Request, Some("mend the row, or leave out --strict to go on without it"))
        }
        EvalError::NoRows { .. } => (
            "no_rows",
            Fault::Request,
            Some(
                "give one JSON object a line with \"context\", \"claim\" and a \"label\" (supported, contradicted, neutral or unsupported)",
            ),
        ),
        EvalError::NoContexts { .. } => (
            "no_contexts",
            Fault::Request,
            Some("name where to take the evidence from, with --index DIR or --wikipedia"),
        ),
        EvalError::NotAResult { .. } => {
            ("not_a_result", Fault::Request, Some("make one with `evidex eval pairs FILE --format json`"))
        }
        EvalError::NotFitted { .. } => {
            ("not_fitted", Fault::Request, Some("name a new file: what evidex comes with is the start then"))
        }
        EvalError::WouldOverwrite { .. } => {
            ("would_overwrite", Fault::Request, Some("name another file, or take this one away"))
        }
        EvalError::Cancelled => ("cancelled", Fault::Unavailable, None),
        EvalError::Io { .. } if is_full(error) => NO_SPACE,
        EvalError::Io { .. } => {
            ("eval_io", Fault::Machine, Some("check that the file and its folder can be read and written"))
        }
    }
}

fn judge(error: &JudgeError) -> Row {
    match error {
        JudgeError::Model { .. } => (
            "judge_model",
            Fault::Request,
            Some("name it as openai:NAME, anthropic:NAME or ollama:NAME, or give its endpoint with --base-url"),
        ),
        JudgeError::MissingKey { .. } => (
            "judge_key_missing",
            Fault::Request,
            Some("set the variable, give --key-file, or leave out the methods that ask a model (-m nli)"),
        ),
        JudgeError::Key { .. } => ("judge_key", Fault::Request, None),
        JudgeError::Unreachable { .. } => {
            ("judge_unreachable", Fault::Unavailable, Some("check that the server runs and that its address is right"))
        }
        JudgeError::TimedOut { .. } => ("judge_timeout", Fault::Unavailable, Some("allow more time with --timeout")),
        JudgeError::Overloaded { .. } => ("judge_overloaded", Fault::Unavailable, Some("try again later")),
        JudgeError::Refused { .. } => ("judge_refused", Fault::Request, None),
        JudgeError::Reply { .. } => ("judge_reply", Fault::Unavailable, None),
        JudgeError::Budget { .. } => {
            ("judge_budget", Fault::Conflict, Some("raise --max-requests, --max-tokens or --max-cost"))
        }
        JudgeError::Cancelled => ("cancelled", Fault::Unavailable, None),
        JudgeError::NotRecorded { .. } => (
            "not_recorded",
            Fault::NotFound,
            Some("replay with the same text, sources, methods and models that were recorded"),
        ),
        JudgeError::File { .. } => ("judge_file", Fault::Machine, None),
        JudgeError::Options { .. } => ("judge_options", Fault::Request, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_words_joined_by_underscores_and_hints_have_no_final_stop() {
        let errors: Vec<Error> = vec![
            ChunkError::ZeroSize.into(),
            EmbedError::Unknown { name: "x".into() }.into(),
            IndexError::Cancelled.into(),
            IndexError::FolderInUse { location: "x".into() }.into(),
            RetrieveError::EmptyQuery.into(),
            EvidenceError::Empty.into(),
            EvidenceError::ContactMissing { wiki: "wikipedia:en".into() }.into(),
            VerifyError::NoSource.into(),
            JudgeError::Budget { what: "2 requests".into() }.into(),
        ];
        for error in errors {
            let code = error.code().0;
            assert!(code.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{code}");
            assert!(error.hint().is_none_or(|hint| !hint.ends_with('.')), "{code}");
            assert!((400..600).contains(&error.http_status()));
            assert_eq!(error.exit_code(), 2);
        }
    }
}
