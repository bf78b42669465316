//! `evidex eval speed`: how fast, on which machine, on which corpus, at which recall.

use std::num::NonZeroUsize;
use std::path::Path;

use evidex::corpus::{Document, ReadOptions, read_document, read_paths};
use evidex::embed::{self, Embedder, HashedEmbedder};
use evidex::eval::{EvalError, Machine, SpeedReport, VectorSet, speed_text, text_speed, vector_speed};

use super::args::SpeedArgs;
use super::bench::write_json;
use super::memory;
use crate::commands::{Context, demo};
use crate::exit::{Exit, Failure};
use crate::{nli, printer};

/// Runs `evidex eval speed`.
pub fn run(args: &SpeedArgs, context: &mut Context) -> Result<Exit, Failure> {
    context.settings.flag("nli", "--nli", args.nli.as_deref())?;
    let set = vectors(args)?;
    let folder = tempfile::tempdir().map_err(|error| {
        Failure::new("io", format!("cannot make a temporary folder: {error}")).hint("set TMPDIR to a folder with room")
    })?;
    printer::note(&format!("indexing and searching {} vectors", set.vectors.len()));
    let vectors = vector_speed(&folder.path().join("vectors"), &set, &context.cancellation)?;
    drop(set);
    let documents = corpus(args.corpus.as_deref(), args.documents)?;
    let (hashed, model) = (HashedEmbedder::new(), embedder(context));
    let mut embedders: Vec<&dyn Embedder> = vec![&hashed];
    embedders.extend(model.as_deref());
    let nli = nli::from_settings(context)?;
    printer::note(&format!("indexing and checking {} documents", documents.len()));
    let text = text_speed(&folder.path().join("texts"), &documents, &embedders, nli.as_ref(), &context.cancellation)?;
    let report = SpeedReport {
        kind: "speed".to_owned(),
        evidex: env!("CARGO_PKG_VERSION").to_owned(),
        machine: machine(),
        corpus: args.corpus.as_deref().map_or_else(|| "observatory".to_owned(), file_name),
        seed: args.vectors_file.is_none().then_some(args.seed),
        vectors,
        text,
        peak_memory_bytes: memory::peak(),
    };
    if let Some(folder) = &args.out {
        write_json(folder, "speed", &report)?;
    }
    if context.settings.json() {
        printer::out(&(serde_json::to_string_pretty(&report).unwrap_or_default() + "\n"))?;
    } else {
        printer::out(&printer::visible(&speed_text(&report)))?;
    }
    Ok(Exit::Well)
}

/// A result names its corpus, not where it lies on this machine.
fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// The embedder of the settings; `None`, and a note, where it is not installed: nothing is downloaded for a measure.
fn embedder(context: &Context) -> Option<Box<dyn Embedder>> {
    let name = context.settings.text("embedder");
    if matches!(name, "hashed" | "none") {
        return None;
    }
    embed::open_embedder(name, &context.assets().store, NonZeroUsize::new(1))
        .inspect_err(|error| printer::note(&format!("embedder `{name}` is not measured: {error}")))
        .ok()
}

fn vectors(args: &SpeedArgs) -> Result<VectorSet, Failure> {
    let (Some(vectors), Some(queries)) = (&args.vectors_file, &args.queries_file) else {
        return Ok(VectorSet::clustered(
            args.vectors as usize,
            args.queries as usize,
            args.dimension as usize,
            args.seed,
        ));
    };
    let read = |path: &Path| {
        std::fs::read(path).map_err(|source| EvalError::Io { doing: "read", path: path.display().to_string(), source })
    };
    VectorSet::from_bytes(&read(vectors)?, &read(queries)?, args.dimension as usize).ok_or_else(|| {
        Failure::new(
            "bad_vectors",
            format!("{} and {} are no vectors of {} numbers", vectors.display(), queries.display(), args.dimension),
        )
        .hint("give raw little-endian 32-bit numbers, and their --dimension")
    })
}

/// The first documents of a file; the demo's where none is named.
fn corpus(path: Option<&Path>, most: usize) -> Result<Vec<Document>, Failure> {
    match path {
        Some(path) => {
            let options = ReadOptions::default();
            let read = read_paths(&[path.to_path_buf()], &options).filter_map(Result::ok);
            let documents: Vec<Document> = read.take(most.max(1)).collect();
            // Where there are none, reading it whole says why.
            if documents.is_empty() { Ok(read_document(path, &options)?.documents) } else { Ok(documents) }
        }
        None => Ok(demo::FILES.iter().map(|(name, text)| Document::inline(name, *text)).collect()),
    }
}

fn machine() -> Machine {
    let field = |file: &str, name: &str| {
        let text = std::fs::read_to_string(file).ok()?;
        let line = text.lines().find(|line| line.starts_with(name))?.split_once(':')?.1.trim().to_owned();
        Some(line)
    };
    let memory = field("/proc/meminfo", "MemTotal");
    Machine {
        processor: field("/proc/cpuinfo", "model name"),
        cores: std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
        memory_bytes: memory.and_then(|text| text.strip_suffix("kB")?.trim().parse::<u64>().ok()).map(|kb| kb * 1024),
        system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        optimised: !cfg!(debug_assertions),
    }
}
