//! The words of `evidex eval`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use crate::language_models::ModelArgs;

/// Measure how good the verdicts are, on labelled sets.
#[derive(Debug, ClapArgs)]
pub struct EvalArgs {
    /// What to measure
    #[command(subcommand)]
    pub command: EvalCommand,
}

/// What can be measured.
#[derive(Debug, Subcommand)]
pub enum EvalCommand {
    /// Claims, each with the context to check it against and a label
    ///
    /// One JSON object a line: {"id", "context", "claim", "label"}. The context is a text or a list of texts; the label
    /// is supported, contradicted or neutral, or, in sets of two classes, supported or unsupported. Claims are taken
    /// whole. Plain files, .gz and .zst.
    Pairs(PairsArgs),
    /// Whole answers, which are split into claims
    ///
    /// One JSON object a line: {"id", "question", "context", "response", "label"}; the question may be left out. An
    /// answer is as good as its worst claim.
    Answers(AnswersArgs),
    /// Finding documents: a folder in the BEIR layout
    ///
    /// corpus.jsonl and queries.jsonl ({"_id", "text"}, the corpus also "title"), and qrels/test.tsv (query-id,
    /// corpus-id, score).
    Retrieval(RetrievalArgs),
    /// A published set, from a copy on this machine in its authors' form
    Run(RunArgs),
    /// What changed from one result to another, with McNemar's test
    Compare(CompareArgs),
    /// How fast vectors and texts are indexed and found (with the recall), embedded, read by the model and checked
    Speed(SpeedArgs),
    /// Tables in Markdown of a folder of results (checks/, model/ and retrieval/, as --out writes them)
    Table(TableArgs),
    /// Fit thresholds, confidence and weights on labelled sets, and write the one file that holds them
    ///
    /// One half of each set, split by the hash of the rows' ids, is fitted on; the figures are printed for the other half.
    /// With an entailment model, the thresholds of the rule by which its word decides are chosen by mean balanced accuracy.
    /// The confidence is made a frequency, for verdicts with or without a model as the run was. Where --methods names methods
    /// that ask a language model, the ensemble's weights and risk levels are fitted too.
    Fit(FitArgs),
}

/// How claims are verified, and which.
#[derive(Debug, Clone, ClapArgs)]
pub struct EngineArgs {
    /// Take the evidence of rows without a context from this index
    #[arg(long, value_name = "DIR")]
    pub index: Option<PathBuf>,
    /// Take the evidence of rows without a context from Wikipedia, in the language of the settings
    #[arg(long, conflicts_with = "index")]
    pub wikipedia: bool,
    /// Take it from this wiki instead, which runs MediaWiki: its address, or that of its api.php
    #[arg(long, value_name = "URL", conflicts_with_all = ["index", "wikipedia"])]
    pub wiki_url: Option<String>,
    /// Embedder that finds the passages of a wiki's pages: a model name, `static`, `hashed` or dir:PATH [default: that of new
    /// indexes; an index always uses its own]
    #[arg(long, value_name = "NAME")]
    pub embedder: Option<String>,
    /// Entailment model that reads what the checks leave open, or `none` [default: as for `evidex verify`]
    #[arg(long, value_name = "NAME")]
    pub nli: Option<String>,
    /// At most so many rows a set, drawn by --seed
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Seed of samples and intervals
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Stop at the first row that is wrong
    #[arg(long)]
    pub strict: bool,
    /// Passages looked at for each claim [default: 16]
    #[arg(long, value_name = "N")]
    pub passages: Option<String>,
}

/// What is made of the verdicts.
#[derive(Debug, Clone, ClapArgs)]
pub struct ResultArgs {
    /// Choose the threshold, and the baselines' cuts, on this set
    #[arg(long, value_name = "FILE")]
    pub dev: Option<PathBuf>,
    /// Write a line for each row: id, gold, label, confidence, scores, findings. A run that was stopped goes on where
    /// it stood
    #[arg(long, value_name = "FILE")]
    pub predictions: Option<PathBuf>,
    /// Write each set's results to DIR/SET.json too
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write a page with tables, curves and the worst errors: one file that needs nothing else
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Baselines, separated by commas; `none` for none
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "majority,claim_length,token_overlap,claim_only,embedding",
        value_parser = ["majority", "claim_length", "token_overlap", "claim_only", "embedding", "none"]
    )]
    pub baselines: Vec<String>,
    /// Take the baselines from DIR/SET.json, a result on the same rows, instead of measuring them again
    #[arg(long, value_name = "DIR", conflicts_with_all = ["dev", "baselines", "baseline_embedder"])]
    pub baselines_of: Option<PathBuf>,
    /// Embedder of the baseline `embedding` [default: the setting `embedder` if it is installed, else `hashed`]
    #[arg(long, value_name = "NAME")]
    pub baseline_embedder: Option<String>,
    /// Show the rows of one class that were read as another, such as supported:contradicted
    #[arg(long, value_name = "GOLD:LABEL")]
    pub errors: Option<String>,
}

/// Claims, each with its context and label.
#[derive(Debug, ClapArgs)]
pub struct PairsArgs {
    /// The sets; several are printed a line each
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Engine, sample and strictness.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Output.
    #[command(flatten)]
    pub results: ResultArgs,
}

/// Whole answers.
#[derive(Debug, ClapArgs)]
pub struct AnswersArgs {
    /// The sets; several are printed a line each
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Predictions of a dearer second stage on the same set: which answers are worth handing on to it?
    #[arg(long, value_name = "FILE")]
    pub cascade_with: Option<PathBuf>,
    /// Engine, sample and strictness.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Output.
    #[command(flatten)]
    pub results: ResultArgs,
}

/// A retrieval set.
#[derive(Debug, ClapArgs)]
pub struct RetrievalArgs {
    /// The set
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Embedder of the index: a model name, `static`, `hashed`, `none` or dir:PATH [default: the setting `embedder`]
    #[arg(long, value_name = "NAME")]
    pub embedder: Option<String>,
    /// Keep the index in this folder, one for each corpus, and use it again if it is there [default: a temporary one]
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    /// At most so many queries, drawn by --seed
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Seed of sample and intervals
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Stop at the first line that is wrong
    #[arg(long)]
    pub strict: bool,
    /// Write the results to DIR/SET.json too
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write a page with the table and the curve of recall: one file that needs nothing else
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// A published set.
#[derive(Debug, ClapArgs)]
#[command(after_help = published_sets())]
pub struct RunArgs {
    /// Which set
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Where its copy is
    #[arg(value_name = "PATH")]
    pub path: PathBuf,
    /// Engine, sample and strictness.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Output.
    #[command(flatten)]
    pub results: ResultArgs,
}

/// Each set and what is read of it.
fn published_sets() -> String {
    let sets = evidex::eval::Published::ALL.map(|set| format!("  {:<24}{}\n", set.as_str(), set.about()));
    format!("Sets:\n{}", sets.concat())
}

/// Two results.
#[derive(Debug, ClapArgs)]
pub struct CompareArgs {
    /// The first: JSON of `evidex eval`, or a file of --predictions (which allows the test)
    #[arg(value_name = "A")]
    pub first: PathBuf,
    /// The second, of the same kind
    #[arg(value_name = "B")]
    pub second: PathBuf,
}

/// Speed.
#[derive(Debug, ClapArgs)]
pub struct SpeedArgs {
    /// Vectors to index: clustered ones, made by --seed
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub vectors: u32,
    /// Queries
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub queries: u32,
    /// Length of the vectors
    #[arg(long, value_name = "N", default_value_t = 384, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub dimension: u32,
    /// Seed of the vectors
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Take the vectors from this file (raw little-endian 32-bit numbers)
    #[arg(long, value_name = "FILE", requires = "queries_file")]
    pub vectors_file: Option<PathBuf>,
    /// Take the queries from this file
    #[arg(long, value_name = "FILE", requires = "vectors_file")]
    pub queries_file: Option<PathBuf>,
    /// Index, search and split the documents of this file, embed its sentences and check them against it [default: the
    /// demo's documents]
    #[arg(long, value_name = "FILE")]
    pub corpus: Option<PathBuf>,
    /// Most documents of it
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub documents: usize,
    /// Entailment model to measure, or `none` [default: as for `evidex verify`]
    #[arg(long, value_name = "NAME")]
    pub nli: Option<String>,
    /// Write the results to DIR/speed.json too
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Results as tables.
#[derive(Debug, ClapArgs)]
pub struct TableArgs {
    /// The results
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Put the tables into this file, between its marks, instead of printing them
    #[arg(long, value_name = "FILE")]
    pub write: Option<PathBuf>,
}

/// Fit thresholds, confidence and weights.
#[derive(Debug, ClapArgs)]
pub struct FitArgs {
    /// The sets
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    pub dev: Vec<PathBuf>,
    /// Start from this file and write it (evidex's own is src/verify/fitted.json) [default: start from evidex's own, write
    /// nothing]
    #[arg(long, value_name = "FILE")]
    pub write: Option<PathBuf>,
    /// Leave the rule's thresholds as they are
    #[arg(long)]
    pub keep_thresholds: bool,
    /// Language models.
    #[command(flatten)]
    pub models: ModelArgs,
    /// Engine, sample and strictness.
    #[command(flatten)]
    pub engine: EngineArgs,
}
