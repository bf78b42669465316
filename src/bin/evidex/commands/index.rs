//! `evidex index`: files and folders into an index, as one generation.

use std::path::Path;

use evidex::chunk::ChunkPolicy;
use evidex::corpus::{self, FieldNames, ReadOptions, Severity};
use evidex::index::{Added, CommitSummary, Index, IndexOptions, WriterOptions};
use serde_json::json;

use super::Context;
use crate::args::IndexArgs;
use crate::embedders;
use crate::exit::{Exit, Failure};
use crate::printer::{self, Counter};

/// Runs `evidex index`.
pub fn run(args: &IndexArgs, context: &mut Context) -> Result<Exit, Failure> {
    context.settings.flag("embedder", "--embedder", args.embedder.as_deref())?;
    context.settings.flag("memory", "--memory", args.memory.as_deref())?;
    let chunking = chunk_policy(args)?;
    let outcome = index_into(&args.into, args, chunking, context)?;
    print(&outcome, args, context)?;
    Ok(Exit::Well)
}

/// What indexing did.
struct Outcome {
    summary: CommitSummary,
    problems: usize,
    seconds: f64,
    embedder: Option<String>,
}

fn index_into(into: &Path, args: &IndexArgs, chunking: ChunkPolicy, context: &Context) -> Result<Outcome, Failure> {
    let begun = std::time::Instant::now();
    let there = Index::exists(into);
    let asked = context.settings.text("embedder").to_owned();
    let explicit = args.embedder.is_some();
    let (index, embedder) = if there {
        let index = Index::open(into)?;
        let embedder = embedders::of_index(&index, explicit.then_some(asked.as_str()), context)?;
        (index, embedder)
    } else {
        let embedder = embedders::for_new_index(&asked, explicit, context)?;
        let options = IndexOptions {
            embedder: embedder.as_ref().map(|embedder| embedder.identity().clone()),
            chunking,
            ..IndexOptions::default()
        };
        (Index::create(into, options)?, embedder)
    };
    if there && *index.options() != (IndexOptions { chunking, ..index.options().clone() }) && gives_chunking(args) {
        return Err(Failure::new(
            "chunking_differs",
            format!("the index at {} cuts documents in another way ({:?})", into.display(), index.options().chunking),
        )
        .hint("leave out the --chunk flags, or make a new index"));
    }
    let name = embedder.as_ref().map(|embedder| embedder.identity().name.clone());
    let mut writer = index.writer(
        embedder,
        WriterOptions {
            memory_budget: context.settings.size("memory"),
            cancellation: context.cancellation.clone(),
            ..WriterOptions::default()
        },
    )?;
    let options = read_options(args);
    let counter = Counter::new("documents");
    let mut problems = 0;
    for item in corpus::read_paths(&args.paths, &options) {
        if context.cancellation.is_cancelled() {
            counter.finish();
            return Err(Failure::new("cancelled", format!("stopped; {} is as it was before", into.display()))
                .hint("run the same command again to start over"));
        }
        match item {
            Ok(document) => {
                let id = document.id.clone();
                match writer.add(document) {
                    Ok(Added::New | Added::Replaced | Added::Unchanged) => counter.add_one(),
                    Err(error) => {
                        counter.finish();
                        let mut failure = Failure::from(error);
                        failure.message = format!("document `{id}`: {}", failure.message);
                        return Err(failure);
                    }
                }
            }
            Err(problem) => {
                problems += 1;
                counter.suspended(|| printer::warning(&problem.to_string()));
                if args.strict && problem.severity() == Severity::Error {
                    counter.finish();
                    return Err(Failure::new(
                        problem.code(),
                        format!("stopped by --strict; {} is as it was before", into.display()),
                    ));
                }
            }
        }
    }
    counter.say("writing");
    let summary = writer.commit();
    counter.finish();
    Ok(Outcome { summary: summary?, problems, seconds: begun.elapsed().as_secs_f64(), embedder: name })
}

fn print(outcome: &Outcome, args: &IndexArgs, context: &Context) -> Result<(), Failure> {
    let summary = &outcome.summary;
    if context.settings.json() {
        let page = json!({
            "index": args.into,
            "generation": summary.generation,
            "documents": {
                "added": summary.added,
                "replaced": summary.replaced,
                "unchanged": summary.unchanged,
                "removed": summary.removed,
            },
            "chunks": summary.chunks,
            "problems": outcome.problems,
            "embedder": outcome.embedder,
            "seconds": outcome.seconds,
        });
        return printer::out(&format!("{page:#}\n"));
    }
    let mut parts = vec![format!("{} added", summary.added)];
    for (count, what) in
        [(summary.replaced, "replaced"), (summary.unchanged, "unchanged"), (summary.removed, "removed")]
    {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    let problems = match outcome.problems {
        0 => String::new(),
        1 => "; 1 problem, named above".to_owned(),
        n => format!("; {n} problems, named above"),
    };
    printer::out(&format!(
        "{}: {} documents, {} chunks written, generation {}, embedder {}, {:.1} s{problems}\n",
        args.into.display(),
        parts.join(", "),
        summary.chunks,
        summary.generation,
        outcome.embedder.as_deref().unwrap_or("none (words only)"),
        outcome.seconds,
    ))
}

fn gives_chunking(args: &IndexArgs) -> bool {
    args.chunk_sentences.is_some() || args.chunk_tokens.is_some() || args.chunk_overlap.is_some()
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
        follow_symlinks: args.follow_symlinks,
        stdin_kind: args.stdin_kind.clone(),
        ..ReadOptions::default()
    }
}
