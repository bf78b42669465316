//! `evidex eval retrieval`: how well documents are found.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use clap::Parser;
use evidex::corpus::{ReadOptions, ReadProblem, read_paths};
use evidex::eval::{
    EvalError, JudgedQuery, RetrievalEvaluator, RetrievalReport, RetrievalSet, RowProblem, RowProblemKind,
    read_retrieval, retrieval_text,
};
use evidex::index::Index;
use evidex::report::TextOptions;
use evidex::retrieve::SearchMode;

use super::args::RetrievalArgs;
use super::bench::write_json;
use super::{memory, models};
use crate::args::{Args, Command};
use crate::commands::{Context, index};
use crate::embedders;
use crate::exit::{Exit, Failure};
use crate::printer::{self, Bar};

/// Problems of lines that are named one by one.
const NAMED_PROBLEMS: usize = 5;

/// Runs `evidex eval retrieval`.
pub fn run(args: &RetrievalArgs, context: &mut Context) -> Result<Exit, Failure> {
    let mut set = read_retrieval(&args.folder)?;
    let corpus = read_corpus(&set.corpus)?;
    let file = set.corpus.display().to_string();
    set.problems.extend(corpus.problems.into_iter().map(|problem| (file.clone(), problem)));
    name_problems(&set, args)?;
    draw(&mut set.queries, args.limit.unwrap_or(usize::MAX), args.seed);
    let temporary = match &args.keep {
        Some(_) => None,
        None => Some(tempfile::tempdir().map_err(|error| {
            Failure::new("io", format!("cannot make a temporary folder: {error}")).hint("name a folder with --keep DIR")
        })?),
    };
    let kept = args.keep.as_ref().map(|folder| folder.join(format!("{}-{}", set.name, &corpus.sha256[..12])));
    let own = temporary.as_ref().map(|folder| folder.path().join("index"));
    let Some(into) = kept.as_deref().or(own.as_deref()) else { return Ok(Exit::CouldNotRun) };
    let there = into.join("CURRENT").exists();
    let begun = std::time::Instant::now();
    make_index(&set.corpus, into, args.embedder.as_deref(), context)?;
    let indexing_seconds = (!there).then(|| begun.elapsed().as_secs_f64());
    let index = Index::open(into)?;
    let embedder = embedders::of_index(&index, None, context)?;
    let bar = Bar::new(&set.name);
    let evaluator = RetrievalEvaluator {
        snapshot: index.snapshot()?,
        embedder: embedder.clone(),
        seed: args.seed,
        cancellation: context.cancellation.clone(),
        progress: Some(Arc::new(bar.clone())),
    };
    let mut modes = BTreeMap::new();
    modes.insert("bm25".to_owned(), evaluator.mode(&set.queries, SearchMode::Bm25)?);
    if embedder.is_some() {
        modes.insert("dense".to_owned(), evaluator.mode(&set.queries, SearchMode::Dense)?);
        modes.insert("hybrid".to_owned(), evaluator.mode(&set.queries, SearchMode::Hybrid)?);
    }
    let passages_per_claim = context.settings.whole("passages");
    let evidence_recall = evaluator.evidence_recall(&set.queries, passages_per_claim)?;
    bar.finish();
    let mut problems = BTreeMap::new();
    for (_, problem) in &set.problems {
        *problems.entry(problem.kind.as_str().to_owned()).or_insert(0) += 1;
    }
    let report = RetrievalReport {
        kind: "retrieval".to_owned(),
        evidex: env!("CARGO_PKG_VERSION").to_owned(),
        dataset: set.name.clone(),
        documents: evaluator.snapshot.document_count(),
        chunks: evaluator.snapshot.chunk_count(),
        queries: set.queries.len(),
        problems,
        embedder: embedder.map(|embedder| embedder.identity().name.clone()),
        modes,
        evidence_recall,
        passages_per_claim,
        indexing_seconds,
        peak_memory_bytes: memory::peak(),
        seed: args.seed,
    };
    if let Some(folder) = &args.out {
        write_json(folder, &report.dataset, &report)?;
    }
    if let Some(path) = &args.html {
        page(path, &report)?;
    }
    if context.settings.json() {
        printer::out(&(serde_json::to_string_pretty(&report).unwrap_or_default() + "\n"))?;
    } else {
        let options = TextOptions { colour: printer::colour(), width: printer::width() };
        printer::out(&printer::visible_with_colour(&retrieval_text(&report, &options)))?;
    }
    Ok(Exit::Well)
}

#[cfg(feature = "charts")]
fn page(path: &Path, report: &RetrievalReport) -> Result<(), Failure> {
    super::bench::write_page(path, &evidex::eval::retrieval_page(report))
}

#[cfg(not(feature = "charts"))]
fn page(_: &Path, _: &RetrievalReport) -> Result<(), Failure> {
    Err(super::bench::no_charts())
}

/// What is said of a corpus before it is indexed.
struct Corpus {
    /// Tells it from another of the same name.
    sha256: String,
    /// The documents that cannot be read.
    problems: Vec<RowProblem>,
}

/// Looks through the corpus.
fn read_corpus(path: &Path) -> Result<Corpus, Failure> {
    let bytes = std::fs::read(path).map_err(|source| EvalError::Io {
        doing: "read",
        path: path.display().to_string(),
        source,
    })?;
    let problem = |problem: ReadProblem| {
        let line =
            problem.place.as_deref().and_then(|place| place.rsplit(' ').next()?.parse().ok()).unwrap_or_default();
        RowProblem { line, kind: RowProblemKind::MissingField, message: problem.cause.to_string() }
    };
    let read = read_paths(&[path.to_path_buf()], &ReadOptions::default());
    Ok(Corpus { sha256: models::sha256(&bytes), problems: read.filter_map(Result::err).map(problem).collect() })
}

/// Indexes the corpus; unchanged documents of an index that is there cost nothing.
fn make_index(corpus: &Path, into: &Path, embedder: Option<&str>, context: &mut Context) -> Result<(), Failure> {
    let (corpus, into) = (corpus.display().to_string(), into.display().to_string());
    let mut words = vec!["evidex", "index", &corpus, "--into", &into];
    if let Some(embedder) = embedder {
        words.extend(["--embedder", embedder]);
    }
    let args = Args::try_parse_from(words).map_err(|error| Failure::new("eval", error.to_string()))?;
    if let Command::Index(args) = args.command {
        index::index(&args, context)?;
    }
    Ok(())
}

fn name_problems(set: &RetrievalSet, args: &RetrievalArgs) -> Result<(), Failure> {
    let faults: Vec<_> = set.problems.iter().filter(|(_, problem)| problem.kind.is_fault()).collect();
    if args.strict
        && let Some((file, problem)) = faults.first()
    {
        return Err(EvalError::Strict { path: file.clone(), problem: problem.clone() }.into());
    }
    for (file, problem) in faults.iter().take(NAMED_PROBLEMS) {
        printer::warning(&format!("{file}, {problem}"));
    }
    if faults.len() > NAMED_PROBLEMS {
        printer::warning(&format!("{} more lines with a problem", faults.len() - NAMED_PROBLEMS));
    }
    Ok(())
}

fn draw(queries: &mut Vec<JudgedQuery>, limit: usize, seed: u64) {
    if limit < queries.len() {
        *queries = evidex::eval::drawn(queries.len(), limit, seed).into_iter().map(|at| queries[at].clone()).collect();
    }
}
