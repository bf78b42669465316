//! `evidex index`: files and folders into an index, as one generation.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use evidex::chunk::ChunkPolicy;
use evidex::corpus::{self, FieldNames, FileKind, PassedOver, ReadOptions, ReadProblem, Severity};
use evidex::index::{Added, CommitSummary, Index, IndexError, IndexOptions, IndexWriter, WriterOptions};
use evidex::vector::VectorStorage;
use serde_json::json;

use super::Context;
use crate::args::{IndexArgs, Vectors};
use crate::embedders;
use crate::exit::{Exit, Failure};
use crate::printer::{self, Counter};

/// Runs `evidex index`.
pub fn run(args: &IndexArgs, context: &mut Context) -> Result<Exit, Failure> {
    let outcome = index(args, context)?;
    print(&outcome, args, context)?;
    Ok(Exit::Well)
}

/// Indexes without saying anything on stdout.
///
/// # Errors
/// Why it could not run; the index is then as it was before.
pub fn index(args: &IndexArgs, context: &mut Context) -> Result<Outcome, Failure> {
    context.settings.flag("embedder", "--embedder", args.embedder.as_deref())?;
    context.settings.flag("memory", "--memory", args.memory.as_deref())?;
    index_into(&args.into, args, chunk_policy(args)?, context)
}

/// What indexing did.
pub struct Outcome {
    summary: CommitSummary,
    passed_over: PassedOver,
    problems: usize,
    /// Documents of the named folders that are not there any more and stay in the index.
    gone: u64,
    seconds: f64,
    embedder: Option<String>,
}

fn index_into(into: &Path, args: &IndexArgs, chunking: ChunkPolicy, context: &Context) -> Result<Outcome, Failure> {
    let begun = std::time::Instant::now();
    check_paths(&args.paths)?;
    let asked = context.settings.text("embedder").to_owned();
    let (index, embedder) = match open_index(into)? {
        Some(index) => {
            // A flag asks for this index's embedder; a setting names that of new indexes only.
            let embedder = embedders::of_index(&index, args.embedder.as_deref(), context)?;
            check_chunking(&index, args, chunking)?;
            check_vectors(&index, args.vectors)?;
            (index, embedder)
        }
        None => {
            let embedder = embedders::for_new_index(&asked, context)?;
            let identity = embedder.as_ref().map(|embedder| embedder.identity().clone());
            let options = IndexOptions { embedder: identity, chunking, vectors: vector_storage(args.vectors) };
            (Index::create(into, options)?, embedder)
        }
    };
    for warning in index.warnings() {
        printer::warning(warning);
    }
    let name = embedder.as_ref().map(|embedder| embedder.identity().name.clone());
    let counter = Counter::new("documents");
    let mut writer = index.writer(
        embedder,
        WriterOptions {
            memory_budget: context.settings.size("memory"),
            threads: context.settings.whole("threads"),
            cancellation: context.cancellation.clone(),
            progress: Some(Arc::new(counter.clone())),
            ..WriterOptions::default()
        },
    )?;
    let options = read_options(args);
    for folder in folders(&args.paths) {
        writer.reading_from(&folder, args.moved)?;
    }
    let mut read = SourcesRead::default();
    let (mut documents, mut problems, mut unread) = (0_u64, 0, 0_u64);
    let mut reading = corpus::read_paths(&args.paths, &options);
    for item in reading.by_ref() {
        if context.cancellation.is_cancelled() {
            counter.finish();
            return Err(Failure::new("cancelled", format!("stopped; {} is as it was before", into.display()))
                .hint("run the same command again to start over"));
        }
        match item {
            Ok(document) => {
                let id = document.id.clone();
                read.document(&document.provenance.source);
                match writer.add(document) {
                    Ok(Added::New | Added::Replaced | Added::Unchanged) => {
                        documents += 1;
                        counter.add_one();
                    }
                    // One document that cannot be stored does not cost the others.
                    Err(error @ IndexError::InvalidDocument { .. }) if !args.strict => {
                        problems += 1;
                        unread += 1;
                        read.invalid.insert(id);
                        counter.suspended(|| printer::warning(&error.to_string()));
                    }
                    Err(error @ IndexError::InvalidDocument { .. }) => {
                        counter.finish();
                        let mut failure = Failure::from(error);
                        failure.message =
                            format!("{}; stopped by --strict, {} is as it was before", failure.message, into.display());
                        return Err(failure);
                    }
                    Err(error) => {
                        counter.finish();
                        let mut failure = Failure::from(error);
                        failure.message = format!("{}, at document `{id}`: {}", into.display(), failure.message);
                        return Err(failure);
                    }
                }
            }
            Err(problem) => {
                problems += 1;
                unread += u64::from(problem.severity() == Severity::Error);
                read.problem(&problem);
                counter.suspended(|| printer::warning(&problem.to_string()));
                if args.strict && problem.severity() == Severity::Error {
                    counter.finish();
                    let message = format!("{problem}; stopped by --strict, {} is as it was before", into.display());
                    return Err(Failure {
                        hint: problem.hint().map(str::to_owned),
                        ..Failure::new(problem.code(), message)
                    });
                }
            }
        }
    }
    if documents == 0 && unread > 0 {
        counter.finish();
        let message = format!("no document could be read; {} is as it was before", into.display());
        return Err(Failure::new("nothing_read", message).hint("what is the matter with each is named above"));
    }
    let gone = drop_gone(&mut writer, &read, args)?;
    let passed_over = reading.summary().passed_over;
    if documents == 0 && problems == 0 && gone == 0 && !args.sync && passed_over == PassedOver::default() {
        counter.finish();
        let message = format!("nothing was found to read; {} is as it was before", into.display());
        return Err(Failure::new("nothing_read", message)
            .hint("name folders or files of a kind that is read, such as .txt, .md, .html, .jsonl or .csv"));
    }
    counter.say("writing");
    let summary = writer.commit();
    counter.finish();
    let summary = summary.map_err(|error| {
        let failure = Failure::from(error);
        Failure { message: format!("{}: {}", into.display(), failure.message), ..failure }
    })?;
    Ok(Outcome { summary, passed_over, problems, gone, seconds: begun.elapsed().as_secs_f64(), embedder: name })
}

/// The folders that the named paths are or lie in, each once.
fn folders(paths: &[PathBuf]) -> BTreeSet<PathBuf> {
    let of_path = |path: &PathBuf| {
        if path.is_dir() { path.clone() } else { path.parent().unwrap_or(Path::new("")).to_owned() }
    };
    paths.iter().filter(|path| path.as_os_str() != "-").map(of_path).collect()
}

/// Which sources a run has read, and which it could not read as a whole.
#[derive(Debug, Default)]
struct SourcesRead {
    read: BTreeSet<String>,
    unread: BTreeSet<String>,
    /// Documents that could not be stored: their older versions stay.
    invalid: BTreeSet<corpus::DocumentId>,
}

impl SourcesRead {
    fn document(&mut self, source: &str) {
        if !self.read.contains(source) {
            self.read.insert(source.to_owned());
        }
    }

    fn problem(&mut self, problem: &ReadProblem) {
        // What was read in spite of the problem counts as read, an empty file too.
        let read = matches!(
            problem.code(),
            "corpus_empty"
                | "corpus_odd_name"
                | "corpus_encoding_guessed"
                | "corpus_encoding_damaged"
                | "corpus_ragged_row"
                | "corpus_main_text_not_sought"
        );
        if read {
            self.read.insert(problem.path.clone());
        } else {
            self.unread.insert(problem.path.clone());
        }
    }

    fn is_read(&self, source: &str) -> bool {
        source != "-" && self.read.contains(source) && !self.is_unread(source)
    }

    /// Whether the source, or a folder that it lies in, could not be read.
    fn is_unread(&self, source: &str) -> bool {
        let under =
            |unread: &String| source.strip_prefix(unread.as_str()).is_some_and(|rest| rest.starts_with(['/', '\\']));
        self.unread.contains(source) || self.unread.iter().any(under)
    }
}

/// Removes documents that a source which was read does not hold any more and, with `--sync`, those of sources that are gone
/// from the named folders; gives how many of the latter stay.
fn drop_gone(writer: &mut IndexWriter, read: &SourcesRead, args: &IndexArgs) -> Result<u64, Failure> {
    let named: Vec<String> = args
        .paths
        .iter()
        .filter(|path| path.is_dir())
        .filter_map(|path| writer.location_of(&corpus::source_name(&path.join("x"))))
        .map(|location| location.trim_end_matches('x').to_owned())
        .collect();
    let in_folder = |source: &str, location: Option<&str>| {
        location.is_some_and(|location| named.iter().any(|folder| location.starts_with(folder)))
            && !read.is_unread(source)
    };
    let unseen = writer.unseen(&|source, location| read.is_read(source) || in_folder(source, location))?;
    let mut gone = 0;
    for document in unseen.iter().filter(|document| !read.invalid.contains(&document.id)) {
        if args.sync || read.is_read(&document.source) {
            writer.remove(&document.id)?;
        } else {
            gone += 1;
        }
    }
    Ok(gone)
}

fn vector_storage(vectors: Option<Vectors>) -> VectorStorage {
    match vectors {
        None | Some(Vectors::F32) => VectorStorage::F32,
        Some(Vectors::F16) => VectorStorage::F16,
        Some(Vectors::Int8) => VectorStorage::Int8,
    }
}

fn check_vectors(index: &Index, vectors: Option<Vectors>) -> Result<(), Failure> {
    if vectors.is_none() || index.options().embedder.is_none() || vector_storage(vectors) == index.options().vectors {
        return Ok(());
    }
    let message =
        format!("the index at {} keeps its vectors in another way ({:?})", index.location(), index.options().vectors);
    Err(Failure::new("vectors_differ", message).hint("leave out --vectors, or make a new index"))
}

/// A path that was named and is not there is an error before anything is made or read.
fn check_paths(paths: &[PathBuf]) -> Result<(), Failure> {
    for path in paths.iter().filter(|path| path.as_os_str() != "-") {
        if let Err(error) = std::fs::metadata(path) {
            let (code, what) = match error.kind() {
                std::io::ErrorKind::NotFound => ("corpus_not_found", "no such file or folder".to_owned()),
                _ => ("corpus_io", error.to_string()),
            };
            return Err(Failure::new(code, format!("{}: {what}", path.display()))
                .hint("check the path; nothing was read or written"));
        }
    }
    Ok(())
}

/// The index that is there, or `None` where a new one may be made.
fn open_index(into: &Path) -> Result<Option<Index>, Failure> {
    // Another process may be making the index just now: its files are there a moment before it can be opened.
    for _ in 0..10 {
        match Index::open(into) {
            Ok(index) => return Ok(Some(index)),
            Err(error) if error.is_no_index() => {}
            Err(error) => return Err(error.into()),
        }
        match std::fs::read_dir(into) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                let message = format!("an index cannot be made in {}: {error}", into.display());
                return Err(Failure::new("folder_in_use", message).hint("give an empty or a new folder"));
            }
            Ok(entries) => {
                let names: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.file_name())).collect();
                // A process that was killed while it made an index leaves its lock and a temporary file.
                if names.iter().all(|name| name == "LOCK" || name == "CURRENT.tmp") {
                    return Ok(None);
                }
                if !names.iter().any(|name| name == "LOCK") {
                    break;
                }
            }
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    Err(IndexError::FolderInUse { location: into.display().to_string() }.into())
}

fn check_chunking(index: &Index, args: &IndexArgs, chunking: ChunkPolicy) -> Result<(), Failure> {
    let given = args.chunk_sentences.is_some() || args.chunk_tokens.is_some() || args.chunk_overlap.is_some();
    if !given || index.options().chunking == chunking {
        return Ok(());
    }
    let message =
        format!("the index at {} cuts documents in another way ({:?})", index.location(), index.options().chunking);
    Err(Failure::new("chunking_differs", message).hint("leave out the --chunk flags, or make a new index"))
}

fn print(outcome: &Outcome, args: &IndexArgs, context: &Context) -> Result<(), Failure> {
    let summary = &outcome.summary;
    if context.settings.json() {
        let page = json!({
            "index": args.into.display().to_string(),
            "generation": summary.generation.0,
            "documents": {
                "added": summary.added,
                "replaced": summary.replaced,
                "unchanged": summary.unchanged,
                "removed": summary.removed,
            },
            "passed_over": {
                "other_namespaces": outcome.passed_over.other_namespaces,
                "redirects": outcome.passed_over.redirects,
                "no_text": outcome.passed_over.no_text,
                "deleted": outcome.passed_over.deleted,
            },
            "chunks": summary.chunks,
            "problems": outcome.problems,
            "gone": outcome.gone,
            "embedder": outcome.embedder,
            "seconds": outcome.seconds,
        });
        return printer::out(&format!("{page:#}\n"));
    }
    if outcome.gone > 0 {
        let (documents, are) = (printer::count(outcome.gone, "document"), if outcome.gone == 1 { "is" } else { "are" });
        printer::note(&format!("{documents} of the named folders {are} not there any more; --sync removes them"));
    }
    let mut parts = vec![format!("{} added", summary.added)];
    for (count, what) in
        [(summary.replaced, "replaced"), (summary.unchanged, "unchanged"), (summary.removed, "removed")]
    {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    for (count, one, more) in [
        (outcome.passed_over.redirects, "redirect", "redirects"),
        (outcome.passed_over.other_namespaces, "page of another namespace", "pages of other namespaces"),
        (outcome.passed_over.no_text, "page or file without text", "pages or files without text"),
        (outcome.passed_over.deleted, "deleted page", "deleted pages"),
    ] {
        if count > 0 {
            printer::note(&format!("passed over: {count} {}", if count == 1 { one } else { more }));
        }
    }
    let problems = match outcome.problems {
        0 => String::new(),
        1 => "; 1 problem, named above".to_owned(),
        n => format!("; {n} problems, named above"),
    };
    printer::out(&format!(
        "{}: {} documents, {} written, generation {}, embedder {}, {:.1} s{problems}\n",
        args.into.display(),
        parts.join(", "),
        printer::count(summary.chunks, "chunk"),
        summary.generation.0,
        outcome.embedder.as_deref().unwrap_or("none (words only)"),
        outcome.seconds,
    ))
}

fn chunk_policy(args: &IndexArgs) -> Result<ChunkPolicy, Failure> {
    let policy = match args.chunk_tokens {
        Some(size) => ChunkPolicy::Tokens { size, overlap: args.chunk_overlap.unwrap_or(size / 4) },
        None => {
            let size = args.chunk_sentences.unwrap_or(2);
            ChunkPolicy::Sentences { size, overlap: args.chunk_overlap.unwrap_or(1.min(size.saturating_sub(1))) }
        }
    };
    policy.validate()?;
    Ok(policy)
}

fn read_options(args: &IndexArgs) -> ReadOptions {
    ReadOptions {
        fields: FieldNames {
            id: args.id_field.clone(),
            title: args.title_field.clone(),
            text: args.text_field.clone(),
            url: args.url_field.clone(),
            ..FieldNames::default()
        },
        id_prefix: args.id_prefix.clone().unwrap_or_default(),
        follow_symlinks: args.follow_symlinks,
        namespaces: if args.namespace.is_empty() { vec![0] } else { args.namespace.clone() },
        kind: args.stdin_kind.as_deref().and_then(FileKind::from_extension),
        ..ReadOptions::default()
    }
}
