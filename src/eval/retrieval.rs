//! Retrieval sets in the BEIR layout: `queries.jsonl` and `qrels/test.tsv`, searched in an index of `corpus.jsonl`.
//!
//! A passage counts for the document that it stands in, and for those that hold the same text, where it comes first.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::metrics::{self, Interval, bootstrap};
use super::problem::RowProblemKind as Kind;
use super::{EvalError, LatencyReport, RowProblem};
use crate::claim::Claim;
use crate::corpus::{ReadOptions, read_text};
use crate::embed::Embedder;
use crate::evidence::{EvidenceSource, LocalIndex};
use crate::index::Snapshot;
use crate::retrieve::{Query, SearchMode, search};
use crate::{Cancellation, Error, Progress};

/// Passages looked at, so that a hundred documents are found even where several passages of one rank high.
const DEPTH: usize = 400;
/// Ranks at which the curve of recall is taken.
const CURVE: [usize; 8] = [1, 2, 3, 5, 10, 20, 50, 100];
/// Samples of the bootstrap.
const SAMPLES: usize = 1000;

/// A query and the documents that answer it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgedQuery {
    /// Its id.
    pub id: String,
    /// Its text.
    pub text: String,
    /// Document ids and how relevant each is.
    pub relevant: BTreeMap<String, u32>,
}

/// A retrieval set.
#[derive(Debug, Clone)]
pub struct RetrievalSet {
    /// The folder's name.
    pub name: String,
    /// The file that holds the documents.
    pub corpus: PathBuf,
    /// Queries that have relevant documents, in the file's order.
    pub queries: Vec<JudgedQuery>,
    /// Lines that were left out, with the file's name.
    pub problems: Vec<(String, RowProblem)>,
}

/// Reads queries and judgements of the set in `folder`. Each file may be plain, `.gz` or `.zst`.
///
/// # Errors
/// [`EvalError::Read`] when a file is missing or unreadable, [`EvalError::NoRows`] when no query has a judgement.
pub fn read_retrieval(folder: &Path) -> Result<RetrievalSet, EvalError> {
    let corpus = file_in(folder, "corpus.jsonl");
    if !corpus.exists() {
        let problem =
            crate::corpus::ReadProblem::new(corpus.display().to_string(), crate::corpus::CorpusError::NotFound);
        return Err(problem.into());
    }
    let options = ReadOptions { max_document_bytes: 4 << 30, ..ReadOptions::default() };
    let queries_file = file_in(folder, "queries.jsonl");
    let judgements_file = file_in(&folder.join("qrels"), "test.tsv");
    let (queries, _) = read_text(&queries_file, &options)?;
    let (judgements, _) = read_text(&judgements_file, &options)?;
    let name = folder.file_name().map_or_else(|| "retrieval".to_owned(), |name| name.to_string_lossy().into_owned());
    let mut set = parse_retrieval(&name, &queries, &judgements);
    set.corpus = corpus;
    if set.queries.is_empty() {
        let first = set.problems.into_iter().next().map(|(_, problem)| problem);
        return Err(EvalError::NoRows { path: queries_file.display().to_string(), first });
    }
    Ok(set)
}

fn file_in(folder: &Path, name: &str) -> PathBuf {
    let candidates = ["", ".zst", ".gz"].map(|extension| folder.join(format!("{name}{extension}")));
    candidates.iter().find(|path| path.exists()).unwrap_or(&candidates[0]).clone()
}

/// Parses queries (`{"_id", "text"}` a line) and judgements (`query-id`, `corpus-id`, `score` between tabs).
pub fn parse_retrieval(name: &str, queries: &str, judgements: &str) -> RetrievalSet {
    let mut problems = Vec::new();
    let mut problem = |file: &str, line: usize, kind, message: String| {
        problems.push((file.to_owned(), RowProblem::new(line, kind, message)));
    };
    let mut relevant: BTreeMap<String, BTreeMap<String, u32>> = BTreeMap::new();
    for (at, line) in judgements.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
        // "query-id corpus-id score" as in BEIR, or the four columns of TREC.
        let parts = match fields.as_slice() {
            [query, document, score] | [query, _, document, score] => Some((*query, *document, score.parse::<i64>())),
            _ => None,
        };
        match parts {
            Some((query, document, Ok(score))) => {
                let gain = u32::try_from(score.max(0)).unwrap_or(u32::MAX);
                relevant.entry(query.to_owned()).or_default().insert(document.to_owned(), gain);
            }
            Some((_, _, Err(_))) if at == 0 => {}
            _ => problem("qrels", at + 1, Kind::MissingField, "expected query-id, corpus-id and score".to_owned()),
        }
    }
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    for (at, line) in queries.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let value: Value = match serde_json::from_str(line) {
            Ok(value) => value,
            Err(error) => {
                problem("queries", at + 1, Kind::NotAnObject, format!("is no JSON: {error}"));
                continue;
            }
        };
        let id = match value.get("_id").or_else(|| value.get("id")) {
            Some(Value::String(id)) => id.clone(),
            Some(Value::Number(id)) => id.to_string(),
            _ => {
                problem("queries", at + 1, Kind::MissingField, "field `_id` is missing".to_owned());
                continue;
            }
        };
        let Some(text) = value.get("text").and_then(Value::as_str).filter(|text| !text.trim().is_empty()) else {
            problem("queries", at + 1, Kind::MissingField, "field `text` is missing or empty".to_owned());
            continue;
        };
        if !seen.insert(id.clone()) {
            problem("queries", at + 1, Kind::DuplicateId, format!("the id `{id}` was there already"));
            continue;
        }
        let judged = relevant.remove(&id).filter(|judged| judged.values().any(|gain| *gain > 0));
        match judged {
            Some(relevant) => found.push(JudgedQuery { id, text: text.to_owned(), relevant }),
            None => problem("queries", at + 1, Kind::LeftOut, format!("no document is relevant to query `{id}`")),
        }
    }
    RetrievalSet { name: name.to_owned(), corpus: PathBuf::new(), queries: found, problems }
}

/// How well one way of searching does. Means over the queries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModeReport {
    /// Normalised discounted cumulative gain of the first ten documents.
    pub ndcg_at_10: Option<f64>,
    /// Share of the relevant documents among the first five.
    pub recall_at_5: Option<f64>,
    /// The same among the first twenty.
    pub recall_at_20: Option<f64>,
    /// The same among the first hundred.
    pub recall_at_100: Option<f64>,
    /// Mean reciprocal rank of the first relevant document.
    pub mrr: Option<f64>,
    /// 95 % interval of the gain.
    pub ndcg_at_10_interval: Option<Interval>,
    /// Recall at growing ranks.
    pub recall_curve: Vec<(usize, f64)>,
    /// Times of one query.
    pub latency_ms: LatencyReport,
    /// Queries a second by all threads together.
    pub queries_per_second: Option<f64>,
}

/// All that is known of one retrieval set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RetrievalReport {
    /// What kind of result it is.
    pub kind: String,
    /// The program that made it.
    pub evidex: String,
    /// The set's name.
    pub dataset: String,
    /// Documents in the index.
    pub documents: u64,
    /// Chunks in the index.
    pub chunks: u64,
    /// Queries evaluated.
    pub queries: usize,
    /// Lines that were left out, by kind.
    pub problems: BTreeMap<String, usize>,
    /// The index's embedder.
    pub embedder: Option<String>,
    /// The ways of searching: `bm25`, `dense`, `hybrid`.
    pub modes: BTreeMap<String, ModeReport>,
    /// Share of the relevant documents among the passages that a claim is checked against.
    pub evidence_recall: Option<f64>,
    /// Passages that a claim is checked against.
    pub passages_per_claim: usize,
    /// Seconds that indexing took; `None` where the index was there.
    pub indexing_seconds: Option<f64>,
    /// Most memory of the process so far; `None` where the system does not tell.
    pub peak_memory_bytes: Option<u64>,
    /// Seed of the intervals.
    pub seed: u64,
}

/// Searches for every query of a set.
pub struct RetrievalEvaluator {
    /// The index.
    pub snapshot: Snapshot,
    /// Its embedder.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// Seed of the intervals.
    pub seed: u64,
    /// Stops the work between two queries.
    pub cancellation: Cancellation,
    /// Told as queries are done.
    pub progress: Option<Arc<dyn Progress>>,
}

/// A figure of one ranking beside the documents that answer its query.
type Measure<'m> = &'m dyn Fn(&[&str], &BTreeMap<String, u32>) -> Option<f64>;

impl RetrievalEvaluator {
    /// How well one way of searching does.
    ///
    /// # Errors
    /// [`Error::Retrieve`] when a search fails, [`EvalError::Cancelled`].
    pub fn mode(&self, queries: &[JudgedQuery], mode: SearchMode) -> Result<ModeReport, Error> {
        let start = Instant::now();
        let found = self.each(queries, |query| {
            let asked = Query { text: query.text.clone(), mode, k: DEPTH };
            let begun = Instant::now();
            let passages = match search(&self.snapshot, &asked, self.embedder.as_deref()) {
                Ok(passages) => passages,
                // A query of marks only finds nothing, which is its result.
                Err(crate::retrieve::RetrieveError::EmptyQuery) => Vec::new(),
                Err(error) => return Err(error.into()),
            };
            let taken = begun.elapsed().as_secs_f64() * 1000.0;
            let mut ranked: Vec<String> = Vec::new();
            for passage in passages {
                ranked.push(passage.document_id.0);
                ranked.extend(passage.duplicates.into_iter().map(|other| other.document_id.0));
            }
            Ok((ranked, taken))
        })?;
        let seconds = start.elapsed().as_secs_f64();
        let ranked: Vec<Vec<&str>> = found.iter().map(|(ids, _)| ids.iter().map(String::as_str).collect()).collect();
        let mut times: Vec<f64> = found.iter().map(|(_, taken)| *taken).collect();
        times.sort_by(f64::total_cmp);
        let each = |of: Measure<'_>| -> Vec<f64> {
            ranked.iter().zip(queries).filter_map(|(ranked, query)| of(ranked, &query.relevant)).collect()
        };
        let recall = |k: usize| metrics::mean(&each(&|ranked, relevant| metrics::recall_at(ranked, relevant, k)));
        let gains = each(&|ranked, relevant| metrics::ndcg(ranked, relevant, 10));
        Ok(ModeReport {
            ndcg_at_10: metrics::mean(&gains),
            recall_at_5: recall(5),
            recall_at_20: recall(20),
            recall_at_100: recall(100),
            mrr: metrics::mean(&each(&|ranked, relevant| metrics::reciprocal_rank(ranked, relevant))),
            ndcg_at_10_interval: bootstrap(gains.len(), SAMPLES, self.seed, |weights| weighted_mean(&gains, weights)),
            recall_curve: CURVE.into_iter().filter_map(|k| Some((k, recall(k)?))).collect(),
            latency_ms: LatencyReport {
                mean: metrics::mean(&times),
                p50: metrics::percentile(&times, 0.5),
                p95: metrics::percentile(&times, 0.95),
                p99: metrics::percentile(&times, 0.99),
            },
            queries_per_second: (seconds > 0.0).then(|| queries.len() as f64 / seconds),
        })
    }

    /// Share of the relevant documents among the passages that a claim would be checked against, each query taken as a
    /// claim.
    ///
    /// # Errors
    /// [`Error::Evidence`] when the index cannot be searched, [`EvalError::Cancelled`].
    pub fn evidence_recall(&self, queries: &[JudgedQuery], passages: usize) -> Result<Option<f64>, Error> {
        let source = LocalIndex::new("index", self.snapshot.clone(), self.embedder.clone());
        let shares = self.each(queries, |query| {
            let found = source.evidence(&Claim::whole(&query.text), passages)?;
            let ids: Vec<&str> = found.iter().map(|evidence| evidence.document_id.0.as_str()).collect();
            Ok(metrics::recall_at(&ids, &query.relevant, usize::MAX).unwrap_or(0.0))
        })?;
        Ok(metrics::mean(&shares))
    }

    fn each<T: Send>(
        &self,
        queries: &[JudgedQuery],
        of: impl Fn(&JudgedQuery) -> Result<T, Error> + Sync,
    ) -> Result<Vec<T>, Error> {
        let done = AtomicU64::new(0);
        queries
            .par_iter()
            .map(|query| {
                if self.cancellation.is_cancelled() {
                    return Err(EvalError::Cancelled.into());
                }
                let result = of(query)?;
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                if let Some(progress) = &self.progress {
                    progress.advance(done, Some(queries.len() as u64));
                }
                Ok(result)
            })
            .collect()
    }
}

fn weighted_mean(values: &[f64], weights: &[u32]) -> Option<f64> {
    let total: u64 = weights.iter().map(|weight| u64::from(*weight)).sum();
    let sum: f64 = values.iter().zip(weights).map(|(value, weight)| value * f64::from(*weight)).sum();
    (total > 0).then(|| sum / total as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Document;
    use crate::index::{Index, IndexOptions, WriterOptions};

    #[test]
    fn judgements_are_read_with_and_without_a_header_and_bad_lines_are_named() {
        let queries = "{\"_id\": \"1\", \"text\": \"bridges\"}\n{\"_id\": 2, \"text\": \"towns\"}\nnonsense\n\
                       {\"_id\": \"3\", \"text\": \"unjudged\"}\n{\"_id\": \"1\", \"text\": \"again\"}";
        let set = parse_retrieval("x", queries, "query-id\tcorpus-id\tscore\n1\ta\t2\n2\t0\tb\t1\n1\tc\n1\tz\t-1\n");
        let read: Vec<(&str, usize)> = set.queries.iter().map(|q| (q.id.as_str(), q.relevant.len())).collect();
        assert_eq!(read, [("1", 2), ("2", 1)]);
        let problems: Vec<(&str, usize, Kind)> =
            set.problems.iter().map(|(file, problem)| (file.as_str(), problem.line, problem.kind)).collect();
        let expected = [
            ("qrels", 4, Kind::MissingField),
            ("queries", 3, Kind::NotAnObject),
            ("queries", 4, Kind::LeftOut),
            ("queries", 5, Kind::DuplicateId),
        ];
        assert_eq!(problems, expected);
    }

    #[test]
    fn passages_count_for_the_documents_they_stand_in() {
        let index = Index::in_memory(IndexOptions::default()).unwrap();
        let mut writer = index.writer(None, WriterOptions::default()).unwrap();
        for (id, text) in [("a", "The bridge is long."), ("b", "The town is old."), ("c", "The bridge is long.")] {
            writer.add(Document::inline(id, text)).unwrap();
        }
        writer.commit().unwrap();
        let evaluator = RetrievalEvaluator {
            snapshot: index.snapshot().unwrap(),
            embedder: None,
            seed: 1,
            cancellation: Cancellation::new(),
            progress: None,
        };
        let judgements = "1\ta\t1\n1\tc\t1\n2\tb\t1";
        let queries = "{\"_id\": \"1\", \"text\": \"bridge\"}\n{\"_id\": \"2\", \"text\": \"…\"}";
        let set = parse_retrieval("x", queries, judgements);
        let report = evaluator.mode(&set.queries, SearchMode::Bm25).unwrap();
        // The first query finds both documents through one passage, the second, of marks only, finds nothing.
        assert_eq!((report.ndcg_at_10, report.recall_at_5, report.mrr), (Some(0.5), Some(0.5), Some(0.5)));
        assert_eq!(report.recall_curve.len(), CURVE.len());
    }
}
