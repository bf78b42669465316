//! How good retrieval is: nDCG@10 and recall@10 of words (BM25), meaning (vectors) and both, on sets with known answers.
//!
//! ```console
//! cargo bench --bench retrieval -- --embedder hashed
//! cargo bench --bench retrieval -- --embedder all-MiniLM-L6-v2 --sets cranfield,xquad_en --work FOLDER
//! ```
//!
//! Sets lie in `EVIDEX_SHARED` (default `../shared`); those that are missing are passed over with a word. Indexes are kept in
//! the work folder and taken up again, so that a run that was stopped goes on where it was. `--dump FILE` writes what each
//! leg found for each query, for trying other ways of fusing. `--out FOLDER` writes the results that the README's table is
//! made of. The bar: no hybrid more than 0.005 below its better leg.

mod sets;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use evidex::Cancellation;
use evidex::embed::{Embedder, open_embedder};
use evidex::eval::{RetrievalEvaluator, RetrievalReport};
use evidex::index::{Index, IndexOptions, Snapshot, WriterOptions};
use evidex::retrieve::{Passage, Query, SearchMode, search};

use sets::Set;

/// Passages of each leg that are written for trying other ways of fusing.
const PASSAGES: usize = 60;

/// Passages that a claim is checked against unless a setting says otherwise.
const PASSAGES_PER_CLAIM: usize = 16;

type Failure = Box<dyn std::error::Error>;

struct Settings {
    embedder: String,
    sets: Vec<String>,
    work: PathBuf,
    dump: Option<PathBuf>,
    out: Option<PathBuf>,
    most_queries: usize,
}

fn main() -> Result<(), Failure> {
    let settings = settings()?;
    let assets = evidex::onnx::AssetStore::from_environment();
    let embedder: Arc<dyn Embedder> = Arc::from(open_embedder(&settings.embedder, &assets, None)?);
    let mut dump = settings.dump.as_ref().map(std::fs::File::create).transpose()?;
    println!(
        "| set | queries | chunks | BM25 | dense | hybrid | hybrid − better leg | recall@20 BM25 / dense / hybrid |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---|");
    let mut worst = f64::INFINITY;
    for name in &settings.sets {
        let Some(mut set) = sets::read(name)? else {
            println!("| {name} | not at hand | | | | | | |");
            continue;
        };
        set.queries.truncate(settings.most_queries);
        let snapshot = index(&settings.work, &settings.embedder, &set, &embedder)?.snapshot()?;
        if let Some(file) = &mut dump {
            write_legs(&set, &snapshot, &*embedder, file)?;
        }
        let report = measure(&set, snapshot, &embedder)?;
        worst = worst.min(say(&report));
        if let Some(folder) = &settings.out {
            std::fs::create_dir_all(folder)?;
            let text = serde_json::to_string_pretty(&report)? + "\n";
            std::fs::write(folder.join(format!("{}.json", set.name)), text)?;
        }
    }
    println!("\nembedder {}; the least of the differences is {worst:+.4}", settings.embedder);
    Ok(())
}

fn settings() -> Result<Settings, Failure> {
    let mut settings = Settings {
        embedder: "hashed".into(),
        sets: sets::NAMES.iter().map(|name| (*name).to_owned()).collect(),
        work: PathBuf::from("target/bench-retrieval"),
        dump: None,
        out: None,
        most_queries: usize::MAX,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--bench" => {}
            "--embedder" => settings.embedder = value()?,
            "--sets" => settings.sets = value()?.split(',').map(str::to_owned).collect(),
            "--work" => settings.work = value()?.into(),
            "--dump" => settings.dump = Some(value()?.into()),
            "--out" => settings.out = Some(value()?.into()),
            "--queries" => settings.most_queries = value()?.parse()?,
            other => return Err(format!("unknown argument {other}").into()),
        }
    }
    Ok(settings)
}

/// The set's index, taken up where an earlier run left it.
fn index(work: &Path, embedder_name: &str, set: &Set, embedder: &Arc<dyn Embedder>) -> Result<Index, Failure> {
    let folder = work.join(format!("{}-{}", set.name, embedder_name.replace(['/', ':', '@'], "_")));
    let index = match Index::open(&folder) {
        Ok(index) => index,
        Err(error) if error.is_no_index() => {
            let options = IndexOptions { embedder: Some(embedder.identity().clone()), ..IndexOptions::default() };
            Index::create(&folder, options)?
        }
        Err(error) => return Err(error.into()),
    };
    if index.snapshot()?.document_count() == set.documents.len() as u64 {
        return Ok(index);
    }
    eprintln!("{}: {} documents to index", set.name, set.documents.len());
    let mut writer = index.writer(Some(Arc::clone(embedder)), WriterOptions::default())?;
    for document in &set.documents {
        writer.add(document.clone())?;
    }
    writer.commit()?;
    drop(writer);
    Ok(index)
}

/// Runs all queries in each mode.
fn measure(set: &Set, snapshot: Snapshot, embedder: &Arc<dyn Embedder>) -> Result<RetrievalReport, Failure> {
    let evaluator = RetrievalEvaluator {
        snapshot,
        embedder: Some(Arc::clone(embedder)),
        seed: 0,
        cancellation: Cancellation::new(),
        progress: None,
    };
    let mut modes = BTreeMap::new();
    for (name, mode) in [("bm25", SearchMode::Bm25), ("dense", SearchMode::Dense), ("hybrid", SearchMode::Hybrid)] {
        modes.insert(name.to_owned(), evaluator.mode(&set.queries, mode)?);
    }
    Ok(RetrievalReport {
        kind: "retrieval".to_owned(),
        evidex: env!("CARGO_PKG_VERSION").to_owned(),
        dataset: set.name.clone(),
        documents: evaluator.snapshot.document_count(),
        chunks: evaluator.snapshot.chunk_count(),
        queries: set.queries.len(),
        problems: BTreeMap::new(),
        embedder: Some(embedder.identity().name.clone()),
        modes,
        evidence_recall: evaluator.evidence_recall(&set.queries, PASSAGES_PER_CLAIM)?,
        passages_per_claim: PASSAGES_PER_CLAIM,
        indexing_seconds: None,
        peak_memory_bytes: None,
        seed: evaluator.seed,
    })
}

/// Prints a row, gives the difference between hybrid and the better leg.
fn say(report: &RetrievalReport) -> f64 {
    let legs = ["bm25", "dense", "hybrid"].map(|name| &report.modes[name]);
    let [words, meaning, both] = legs.map(|mode| mode.ndcg_at_10.unwrap_or(f64::NAN));
    let [recall_words, recall_meaning, recall_both] = legs.map(|mode| mode.recall_at_20.unwrap_or(f64::NAN));
    let difference = both - words.max(meaning);
    println!(
        "| {} | {} | {} | {words:.4} | {meaning:.4} | {both:.4} | {difference:+.4} | {recall_words:.3} / {recall_meaning:.3} / \
         {recall_both:.3} |",
        report.dataset, report.queries, report.chunks,
    );
    difference
}

/// Writes what each leg finds for each query.
fn write_legs(
    set: &Set,
    snapshot: &Snapshot,
    embedder: &dyn Embedder,
    file: &mut std::fs::File,
) -> Result<(), Failure> {
    for query in &set.queries {
        let leg = |mode, score: fn(&Passage) -> Option<f32>| -> Result<Vec<serde_json::Value>, Failure> {
            let asked = Query { text: query.text.clone(), mode, k: PASSAGES };
            let row = |it: &Passage| serde_json::json!([it.document_id, it.span.start, score(it)]);
            Ok(search(snapshot, &asked, Some(embedder))?.iter().map(row).collect())
        };
        let line = serde_json::json!({
            "set": set.name,
            "query": query.text,
            "relevant": query.relevant,
            "words": leg(SearchMode::Bm25, |it| it.scores.bm25)?,
            "meaning": leg(SearchMode::Dense, |it| it.scores.dense)?,
        });
        writeln!(file, "{line}")?;
    }
    Ok(())
}
