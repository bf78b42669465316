//! The sets: BEIR-style folders, and evidence recall made from sets of claims with their gold contexts.

use std::collections::{BTreeMap, HashMap};
use std::io::Read;
use std::path::{Path, PathBuf};

use evidex::corpus::Document;
use evidex::eval::JudgedQuery;
use serde_json::Value;

/// All sets, in the order in which they are run.
pub const NAMES: &[&str] = &["cranfield", "xquad_en", "xquad_de", "xquad_es", "medquad", "evidence"];

/// Documents, and queries with their answers.
pub struct Set {
    pub name: String,
    pub documents: Vec<Document>,
    pub queries: Vec<JudgedQuery>,
}

type Failure = Box<dyn std::error::Error>;

/// MedQuAD's queries and documents are sampled: one query in so many …
const MEDQUAD_QUERIES: usize = 80;
/// … and, beside those that answer them, one document in so many.
const MEDQUAD_DOCUMENTS: usize = 32;

fn shared() -> PathBuf {
    std::env::var_os("EVIDEX_SHARED").map_or_else(|| "../shared".into(), PathBuf::from)
}

/// Reads a set; `None` where it is not at hand.
pub fn read(name: &str) -> Result<Option<Set>, Failure> {
    if name == "evidence" {
        return evidence();
    }
    let folder = shared().join("data/retrieval").join(name);
    if !folder.is_dir() {
        return Ok(None);
    }
    let mut set = beir(name, &folder)?;
    if name == "medquad" {
        sample(&mut set);
    }
    Ok(Some(set))
}

fn beir(name: &str, folder: &Path) -> Result<Set, Failure> {
    let mut documents = Vec::new();
    for row in rows(&folder.join("corpus.jsonl"))? {
        let mut document = Document::inline(&text(&row, "_id"), text(&row, "text"));
        document.title = Some(text(&row, "title")).filter(|title| !title.is_empty());
        documents.push(document);
    }
    let mut relevant: HashMap<String, BTreeMap<String, u32>> = HashMap::new();
    for line in std::fs::read_to_string(folder.join("qrels/test.tsv"))?.lines().skip(1) {
        let mut cells = line.split('\t');
        let (Some(query), Some(document), Some(grade)) = (cells.next(), cells.next(), cells.next()) else { continue };
        relevant
            .entry(query.to_owned())
            .or_default()
            .insert(document.to_owned(), grade.trim().parse::<i64>()?.max(0).try_into()?);
    }
    let mut queries = Vec::new();
    for row in rows(&folder.join("queries.jsonl"))? {
        let id = text(&row, "_id");
        if let Some(relevant) = relevant.remove(&id) {
            queries.push(JudgedQuery { id, text: text(&row, "text"), relevant });
        }
    }
    Ok(Set { name: name.to_owned(), documents, queries })
}

fn sample(set: &mut Set) {
    set.queries = std::mem::take(&mut set.queries).into_iter().step_by(MEDQUAD_QUERIES).collect();
    let wanted = |id: &str| set.queries.iter().any(|query| query.relevant.contains_key(id));
    let documents = std::mem::take(&mut set.documents).into_iter().enumerate();
    set.documents =
        documents.filter(|(at, it)| at % MEDQUAD_DOCUMENTS == 0 || wanted(&it.id.0)).map(|(_, it)| it).collect();
}

/// Claims that their contexts support or contradict, over the contexts of both sets together: is the right one found?
/// Texts that contain each other are one document, so that no context competes with a part of itself.
fn evidence() -> Result<Option<Set>, Failure> {
    let mut contexts: Vec<String> = Vec::new();
    let mut claims: Vec<(String, String)> = Vec::new();
    for name in ["fm2_dev", "wice_claim_dev"] {
        let path = shared().join("data/dev").join(format!("{name}.jsonl"));
        if !path.exists() && !path.with_extension("jsonl.zst").exists() {
            return Ok(None);
        }
        for row in rows(&path)? {
            let context = text(&row, "context").trim().to_owned();
            if !context.is_empty() {
                contexts.push(context.clone());
                if matches!(text(&row, "label").as_str(), "supported" | "contradicted" | "partial") {
                    claims.push((text(&row, "claim"), context));
                }
            }
        }
    }
    contexts.sort();
    contexts.dedup();
    contexts.sort_by_key(|context| std::cmp::Reverse(context.len()));
    let mut kept: Vec<String> = Vec::new();
    let mut place: HashMap<String, usize> = HashMap::new();
    for context in contexts {
        let at = kept.iter().position(|longer| longer.contains(&context)).unwrap_or_else(|| {
            kept.push(context.clone());
            kept.len() - 1
        });
        place.insert(context, at);
    }
    let documents =
        kept.iter().enumerate().map(|(at, context)| Document::inline(&format!("c{at}"), context.clone())).collect();
    let queries = claims
        .into_iter()
        .enumerate()
        .map(|(at, (claim, context))| JudgedQuery {
            id: format!("q{at}"),
            text: claim,
            relevant: BTreeMap::from([(format!("c{}", place[&context]), 1)]),
        })
        .collect();
    Ok(Some(Set { name: "evidence".to_owned(), documents, queries }))
}

fn text(row: &Value, field: &str) -> String {
    row[field].as_str().unwrap_or_default().to_owned()
}

/// The rows of a JSONL file, or of the same file compressed.
fn rows(path: &Path) -> Result<Vec<Value>, Failure> {
    let mut content = String::new();
    if path.exists() {
        std::fs::File::open(path)?.read_to_string(&mut content)?;
    } else {
        let file = std::fs::File::open(path.with_extension("jsonl.zst"))?;
        zstd::Decoder::new(file)?.read_to_string(&mut content)?;
    }
    content.lines().filter(|line| !line.trim().is_empty()).map(|line| Ok(serde_json::from_str(line)?)).collect()
}
