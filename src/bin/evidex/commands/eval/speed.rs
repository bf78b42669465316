//! `evidex eval speed`: how fast, on which machine, at which recall.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use evidex::claim::Claim;
use evidex::corpus::{Document, ReadOptions, read_document};
use evidex::embed::{self, Embedder, HashedEmbedder};
use evidex::eval::{EvalError, VectorSet, VectorSpeed, vector_speed};
use evidex::evidence::{EvidenceSource, InlineContext};
use evidex::text::sentences;
use evidex::verify::Verifier;
use serde::Serialize;

use super::args::SpeedArgs;
use super::bench::write_json;
use super::memory;
use crate::commands::{Context, demo};
use crate::exit::{Exit, Failure};
use crate::printer;

/// Sentences that are embedded and checked; taken over and over where the corpus has fewer.
const SENTENCES: usize = 256;

/// All that was measured.
#[derive(Serialize)]
struct Speed {
    kind: &'static str,
    evidex: &'static str,
    machine: Machine,
    corpus: String,
    vectors: VectorSpeed,
    embedding: Vec<Embedding>,
    checking: Checking,
    peak_memory_bytes: Option<u64>,
}

#[derive(Serialize)]
struct Machine {
    processor: Option<String>,
    cores: usize,
    memory_bytes: Option<u64>,
    system: String,
    /// Figures of an unoptimised build say nothing about the shipped one.
    optimised: bool,
}

#[derive(Serialize)]
struct Embedding {
    embedder: String,
    texts: usize,
    bytes_per_text: usize,
    texts_per_second_one_thread: f64,
}

#[derive(Serialize)]
struct Checking {
    claims: usize,
    passages_per_claim: usize,
    claims_per_second_one_thread: f64,
}

/// Runs `evidex eval speed`.
pub fn run(args: &SpeedArgs, context: &Context) -> Result<Exit, Failure> {
    let set = vectors(args)?;
    let folder = tempfile::tempdir().map_err(|error| {
        Failure::new("io", format!("cannot make a temporary folder: {error}")).hint("set TMPDIR to a folder with room")
    })?;
    printer::note(&format!("indexing and searching {} vectors", set.vectors.len()));
    let vectors = vector_speed(&folder.path().join("index"), &set, &context.cancellation)?;
    drop(set);
    let documents = corpus(args.corpus.as_deref())?;
    let texts: Vec<String> = documents
        .iter()
        .flat_map(|document| sentences(&document.text).into_iter().map(|span| span.of(&document.text).to_owned()))
        .filter(|text| text.split_whitespace().count() > 3)
        .collect();
    let texts: Vec<&str> =
        texts.iter().map(String::as_str).cycle().take(if texts.is_empty() { 0 } else { SENTENCES }).collect();
    let mut embedding = vec![embed_speed(&HashedEmbedder::new(), &texts)?];
    let name = context.settings.text("embedder");
    match embed::open_embedder(name, &context.assets().store, NonZeroUsize::new(1)) {
        Ok(model) if name != "hashed" => embedding.push(embed_speed(&*model, &texts)?),
        Ok(_) => {}
        Err(error) => printer::note(&format!("embedder `{name}` is not measured: {error}")),
    }
    let speed = Speed {
        kind: "speed",
        evidex: env!("CARGO_PKG_VERSION"),
        machine: machine(),
        corpus: args.corpus.as_ref().map_or_else(|| "observatory".to_owned(), |path| path.display().to_string()),
        vectors,
        embedding,
        checking: checking(documents, &texts, context)?,
        peak_memory_bytes: memory::peak(),
    };
    if let Some(folder) = &args.out {
        write_json(folder, "speed", &speed)?;
    }
    if context.settings.json() {
        printer::out(&(serde_json::to_string_pretty(&speed).unwrap_or_default() + "\n"))?;
    } else {
        printer::out(&printer::visible(&text(&speed)))?;
    }
    Ok(Exit::Well)
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

fn corpus(path: Option<&Path>) -> Result<Vec<Document>, Failure> {
    match path {
        Some(path) => Ok(read_document(path, &ReadOptions::default())?.documents),
        None => Ok(demo::FILES.iter().map(|(name, text)| Document::inline(name, *text)).collect()),
    }
}

fn embed_speed(embedder: &dyn Embedder, texts: &[&str]) -> Result<Embedding, Failure> {
    // Once before the clock starts: the first text warms the model up.
    embedder.embed(&texts[..texts.len().min(8)])?;
    let start = Instant::now();
    for text in texts {
        embedder.embed(&[text])?;
    }
    let seconds = start.elapsed().as_secs_f64();
    Ok(Embedding {
        embedder: embedder.identity().name.clone(),
        texts: texts.len(),
        bytes_per_text: texts.iter().map(|text| text.len()).sum::<usize>() / texts.len().max(1),
        texts_per_second_one_thread: if seconds > 0.0 { texts.len() as f64 / seconds } else { 0.0 },
    })
}

/// Every sentence as a claim against the corpus, by the checks alone.
fn checking(documents: Vec<Document>, claims: &[&str], context: &Context) -> Result<Checking, Failure> {
    let source: Arc<dyn EvidenceSource> = Arc::new(InlineContext::new(documents)?);
    let verifier = Verifier::builder().source(source).build()?;
    let start = Instant::now();
    let mut done = 0;
    for claim in claims {
        if context.cancellation.is_cancelled() {
            return Err(EvalError::Cancelled.into());
        }
        verifier.verify_claim(&Claim::whole(claim));
        done += 1;
    }
    let seconds = start.elapsed().as_secs_f64();
    Ok(Checking {
        claims: done,
        passages_per_claim: verifier.settings().passages_per_claim,
        claims_per_second_one_thread: if seconds > 0.0 { done as f64 / seconds } else { 0.0 },
    })
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

fn text(speed: &Speed) -> String {
    let mut page = String::new();
    let m = &speed.machine;
    let memory = m.memory_bytes.map_or_else(String::new, |bytes| format!(", {} GB of memory", bytes >> 30));
    let _ = writeln!(
        page,
        "{}, {} cores{memory}, {}",
        m.processor.as_deref().unwrap_or("unknown processor"),
        m.cores,
        m.system
    );
    if !m.optimised {
        let _ = writeln!(page, "this is an unoptimised build: its figures say nothing about the shipped one");
    }
    let v = &speed.vectors;
    let _ = writeln!(
        page,
        "\n{} vectors of {}: built and published in {:.1} s, {} MB on disk, opened in {:.1} ms",
        v.vectors,
        v.dimension,
        v.build_seconds,
        v.file_bytes >> 20,
        v.open_ms
    );
    let _ = writeln!(
        page,
        "{:<22} {:>10} {:>10} {:>8} {:>8}",
        "search, one thread", "recall@10", "queries/s", "p50 ms", "p99 ms"
    );
    for s in &v.search {
        let _ = writeln!(
            page,
            "{:<22} {:>10.4} {:>10.0} {:>8.3} {:>8.3}",
            s.way, s.recall_at_10, s.queries_per_second, s.p50_ms, s.p99_ms
        );
    }
    let _ = writeln!(page);
    for e in &speed.embedding {
        let _ = writeln!(
            page,
            "embedding by {}: {:.0} texts a second on one thread ({} texts of {} bytes)",
            e.embedder, e.texts_per_second_one_thread, e.texts, e.bytes_per_text
        );
    }
    let c = &speed.checking;
    let _ = writeln!(
        page,
        "checking: {:.0} claims a second on one thread ({} claims, up to {} passages each, corpus {})",
        c.claims_per_second_one_thread, c.claims, c.passages_per_claim, speed.corpus
    );
    if let Some(bytes) = speed.peak_memory_bytes {
        let _ = writeln!(page, "peak memory {} MB", bytes >> 20);
    }
    page
}
