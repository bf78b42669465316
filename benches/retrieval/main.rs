//! How good retrieval is: nDCG@10 and recall@10 of words (BM25), meaning (vectors) and both, on sets with known answers.
//!
//! ```console
//! cargo bench --bench retrieval -- --embedder hashed
//! cargo bench --bench retrieval -- --embedder all-MiniLM-L6-v2 --sets cranfield,xquad_en --work FOLDER
//! ```
//!
//! Sets lie in `EVIDEX_SHARED` (default `../shared`); those that are missing are passed over with a word. Indexes are kept in
//! the work folder and taken up again, so that a run that was stopped goes on where it was. `--dump FILE` writes what each
//! leg found for each query, for trying other ways of fusing. The bar: no hybrid more than 0.005 below its better leg.

mod measure;
mod sets;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use evidex::embed::{Embedder, open_embedder};
use evidex::index::{Index, IndexOptions, WriterOptions};
use evidex::retrieve::{Passage, Query, SearchMode, search};

use measure::{ndcg, recall};
use sets::Set;

/// Passages fetched to find ten different documents among.
const PASSAGES: usize = 60;

type Failure = Box<dyn std::error::Error>;

struct Settings {
    embedder: String,
    sets: Vec<String>,
    work: PathBuf,
    dump: Option<PathBuf>,
    most_queries: usize,
}

fn main() -> Result<(), Failure> {
    let settings = settings()?;
    let assets = evidex::onnx::AssetStore::from_environment();
    let embedder: Arc<dyn Embedder> = Arc::from(open_embedder(&settings.embedder, &assets, None)?);
    let mut dump = settings.dump.as_ref().map(std::fs::File::create).transpose()?;
    println!(
        "| set | queries | chunks | BM25 | dense | hybrid | hybrid − better leg | recall@10 BM25 / dense / hybrid |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---|");
    let mut worst = f64::INFINITY;
    for name in &settings.sets {
        let Some(set) = sets::read(name)? else {
            println!("| {name} | not at hand | | | | | | |");
            continue;
        };
        let index = index(&settings.work, &settings.embedder, &set, &embedder)?;
        worst = worst.min(run(&set, &index, &*embedder, settings.most_queries, dump.as_mut())?);
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

/// Runs all queries, prints a row, gives the difference between hybrid and the better leg.
fn run(
    set: &Set,
    index: &Index,
    embedder: &dyn Embedder,
    most: usize,
    mut dump: Option<&mut std::fs::File>,
) -> Result<f64, Failure> {
    let snapshot = index.snapshot()?;
    let mut gain = [0.0; 3];
    let mut found = [0.0; 3];
    let queries = &set.queries[..set.queries.len().min(most)];
    for query in queries {
        let mut lists = Vec::new();
        for (at, mode) in [SearchMode::Bm25, SearchMode::Dense, SearchMode::Hybrid].into_iter().enumerate() {
            let asked = Query { text: query.text.clone(), mode, k: PASSAGES };
            let passages = search(&snapshot, &asked, Some(embedder))?;
            let documents = documents(&passages);
            gain[at] += ndcg(&documents, &query.relevant, 10);
            found[at] += recall(&documents, &query.relevant, 10);
            lists.push(passages);
        }
        if let Some(file) = &mut dump {
            let leg = |list: &[Passage], score: fn(&Passage) -> Option<f32>| -> Vec<serde_json::Value> {
                let row = |it: &Passage| serde_json::json!([it.document_id, it.span.start, score(it)]);
                list.iter().map(row).collect()
            };
            let line = serde_json::json!({
                "set": set.name,
                "query": query.text,
                "relevant": query.relevant,
                "words": leg(&lists[0], |it| it.scores.bm25),
                "meaning": leg(&lists[1], |it| it.scores.dense),
            });
            writeln!(file, "{line}")?;
        }
    }
    let count = queries.len().max(1) as f64;
    let [words, meaning, both] = gain.map(|sum| sum / count);
    let [recall_words, recall_meaning, recall_both] = found.map(|sum| sum / count);
    let difference = both - words.max(meaning);
    println!(
        "| {} | {} | {} | {words:.4} | {meaning:.4} | {both:.4} | {difference:+.4} | {recall_words:.3} / {recall_meaning:.3} / \
         {recall_both:.3} |",
        set.name,
        queries.len(),
        snapshot.chunk_count(),
    );
    Ok(difference)
}

/// The documents of passages, each once, in the order in which they come.
fn documents(passages: &[Passage]) -> Vec<String> {
    let mut documents: Vec<String> = Vec::new();
    for passage in passages {
        let others = passage.duplicates.iter().map(|duplicate| &duplicate.document_id.0);
        for id in std::iter::once(&passage.document_id.0).chain(others) {
            if !documents.contains(id) {
                documents.push(id.clone());
            }
        }
    }
    documents
}
