//! The command line's words. What they mean is in `commands/`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

use crate::commands::{
    backup::BackupArgs,
    check::CheckArgs,
    doctor::DoctorArgs,
    eval::EvalArgs,
    export::ExportArgs,
    inspect::InspectArgs,
    list::ListArgs,
    maintain::{CompactArgs, UpgradeArgs},
    models::ModelsArgs,
    remove::RemoveArgs,
    show::ShowArgs,
};
use crate::language_models::ModelArgs;

/// Is this text supported by these sources?
///
/// evidex indexes a corpus on disk and says for every claim of a text whether the corpus supports it, contradicts it
/// or does not say, with verbatim quotes. Offline, on a CPU.
///
/// Exit codes: 0 all well; 1 it ran and found something (claims that are not supported, an unsound installation); 2 it
/// could not run.
#[derive(Debug, Parser)]
#[command(name = "evidex", version, max_term_width = 100, propagate_version = true)]
pub struct Args {
    /// What all commands take.
    #[command(flatten)]
    pub global: GlobalArgs,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What all commands take.
#[derive(Debug, ClapArgs)]
pub struct GlobalArgs {
    /// How results are printed [default: text]; all but text and json only by verify and, but for jsonl and html, batch and detect
    #[arg(
        long,
        global = true,
        value_name = "FORMAT",
        value_parser = ["text", "json", "jsonl", "html", "junit", "sarif", "github"]
    )]
    pub format: Option<String>,
    /// Never reach the network
    #[arg(long, global = true)]
    pub offline: bool,
    /// Threads to work on; 0 means as many as there are cores
    #[arg(long, global = true, value_name = "N")]
    pub threads: Option<String>,
    /// Say more about what is going on (twice for details)
    #[arg(long, short, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

/// What evidex can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Read files and folders into an index
    Index(IndexArgs),
    /// Find passages in an index
    Search(SearchArgs),
    /// Check a text, claim by claim, against an index or given evidence
    Verify(VerifyArgs),
    /// Check a text by several methods, language models among them
    Detect(DetectArgs),
    /// Show what each method says of each claim, side by side
    Compare(CompareArgs),
    /// Show or clear what is kept of wikis and of language models
    Cache(CacheArgs),
    /// Check many texts, one a line of a JSONL file
    Batch(BatchArgs),
    /// Say what an index holds
    Stat(StatArgs),
    /// List the documents of an index
    List(ListArgs),
    /// Show a document of an index
    Show(ShowArgs),
    /// Remove documents from an index
    Remove(RemoveArgs),
    /// Write documents, chunks or vectors of an index as JSONL
    Export(ExportArgs),
    /// Verify every checksum of an index
    Check(CheckArgs),
    /// Show the structure of an index: files, segments, sections
    Inspect(InspectArgs),
    /// Copy an index while it is read and written
    Backup(BackupArgs),
    /// Merge an index's segments and drop what was removed
    Compact(CompactArgs),
    /// Bring an index of an older version up to this one
    Upgrade(UpgradeArgs),
    /// Show what evidex does, on a small corpus and an answer that come with it
    Demo(DemoArgs),
    /// Measure how good the verdicts are, on labelled sets
    Eval(EvalArgs),
    /// List, pull and pack the models and the runtime
    Models(ModelsArgs),
    /// Say what is installed and whether it is sound
    Doctor(DoctorArgs),
    /// Show the settings and where each value comes from
    Config(ConfigArgs),
    /// Print the JSON Schema of the report
    Schema {
        /// That of `detect` and `compare` instead of that of `verify`
        #[arg(long)]
        detection: bool,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page of evidex or of one of its commands
    Man {
        /// The command
        command: Option<String>,
    },
}

/// Read files and folders into an index.
#[derive(Debug, ClapArgs)]
pub struct IndexArgs {
    /// Files and folders to read (.txt .md .html .jsonl .json .csv .tsv .xml of MediaWiki, also .gz .bz2 .zst; .zim); `-` for standard input
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The index; made if it is not there, added to if it is
    #[arg(long, value_name = "DIR")]
    pub into: PathBuf,
    /// Embedder of a new index: a model name, `static`, `hashed`, `none` or dir:PATH
    #[arg(long, value_name = "NAME")]
    pub embedder: Option<String>,
    /// Sentences a chunk [default: 2]
    #[arg(long, value_name = "N", conflicts_with = "chunk_tokens")]
    pub chunk_sentences: Option<u32>,
    /// Words a chunk, instead of sentences
    #[arg(long, value_name = "N")]
    pub chunk_tokens: Option<u32>,
    /// Sentences or words that a chunk shares with the one before [default: 1 sentence, or a quarter of the words]
    #[arg(long, value_name = "N")]
    pub chunk_overlap: Option<u32>,
    /// Kind of the data on standard input, and of files whose name does not tell [default: told from their start]
    #[arg(long, value_name = "KIND", value_parser = ["txt", "md", "html", "jsonl", "json", "csv", "tsv", "xml"])]
    pub stdin_kind: Option<String>,
    /// Field that holds a record's id [default: id, _id or doc_id]
    #[arg(long, value_name = "FIELD")]
    pub id_field: Option<String>,
    /// Field that holds a record's title [default: title or name]
    #[arg(long, value_name = "FIELD")]
    pub title_field: Option<String>,
    /// Field that holds a record's text [default: text, content, contents or body]
    #[arg(long, value_name = "FIELD")]
    pub text_field: Option<String>,
    /// Field that holds a record's address [default: url, link or source_url]
    #[arg(long, value_name = "FIELD")]
    pub url_field: Option<String>,
    /// Stop at the first file, line or record that cannot be read, and change nothing
    #[arg(long)]
    pub strict: bool,
    /// Follow symbolic links found inside folders
    #[arg(long)]
    pub follow_symlinks: bool,
    /// Namespace of a wiki's dump to read; repeat for several [default: 0, its articles]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub namespace: Vec<i64>,
    /// Memory for documents waiting to be written, such as 256MB
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<String>,
    /// Remove documents of the named folders that are not there any more
    #[arg(long)]
    pub sync: bool,
    /// Put this before each id that is made from a path, such as `reports/`
    #[arg(long, value_name = "PREFIX")]
    pub id_prefix: Option<String>,
    /// The folders are those that were indexed before, now in another place
    #[arg(long)]
    pub moved: bool,
    /// What a new index keeps of its vectors for exact similarities beside their 8-bit form [default: f32]
    #[arg(long, value_enum, value_name = "KIND")]
    pub vectors: Option<Vectors>,
}

/// What is kept of vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Vectors {
    /// The vectors as they came
    F32,
    /// In 16-bit floats: half the space
    F16,
    /// Nothing: a quarter of the space, similarities right to two digits
    Int8,
}

/// How an index is searched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// By words and by meaning
    #[default]
    Hybrid,
    /// By words
    Bm25,
    /// By meaning
    Dense,
}

/// Find passages in an index.
#[derive(Debug, ClapArgs)]
pub struct SearchArgs {
    /// What to look for
    #[arg(allow_hyphen_values = true)]
    pub query: String,
    /// The index; repeat to search several as one
    #[arg(long, value_name = "DIR", required = true)]
    pub index: Vec<PathBuf>,
    /// By words, by meaning, or both
    #[arg(long, value_enum, default_value_t)]
    pub mode: Mode,
    /// How many passages
    #[arg(short, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub k: u32,
    /// Look only in documents that match, such as 'lang=en AND year>=2020'
    #[arg(long, value_name = "FILTER", allow_hyphen_values = true)]
    pub filter: Option<String>,
}

/// Check a text, claim by claim.
#[derive(Debug, Clone, ClapArgs)]
pub struct VerifyArgs {
    /// File that holds the text to check; `-`, or nothing when text is piped in, for standard input
    #[arg(value_name = "FILE", conflicts_with = "text")]
    pub answer: Option<PathBuf>,
    /// The text to check, given directly
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub text: Option<String>,
    /// Where evidence comes from and how it is read.
    #[command(flatten)]
    pub evidence: EvidenceArgs,
    /// The question that the text answers: makes one-word answers into claims
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub question: Option<String>,
    /// What makes the exit code 1.
    #[command(flatten)]
    pub gate: GateArgs,
}

/// Where evidence comes from and how it is read: the same for every command that checks texts.
#[derive(Debug, Clone, ClapArgs)]
pub struct EvidenceArgs {
    /// Take evidence from this index; may be repeated
    #[arg(long, value_name = "DIR")]
    pub index: Vec<PathBuf>,
    /// Take evidence from the indexes' documents that match only, such as 'lang=en AND year>=2020'
    #[arg(long, value_name = "FILTER", allow_hyphen_values = true, requires = "index")]
    pub filter: Option<String>,
    /// Take evidence from this file, without an index; may be repeated
    #[arg(long, value_name = "FILE")]
    pub context: Vec<PathBuf>,
    /// Take evidence from this web page; may be repeated
    #[arg(long, value_name = "URL")]
    pub url: Vec<String>,
    /// Take evidence from Wikipedia
    #[arg(long)]
    pub wikipedia: bool,
    /// Language edition of Wikipedia, such as en or de [default: the text's language]
    #[arg(long, value_name = "CODE")]
    pub lang: Option<String>,
    /// Take evidence from this wiki instead, which runs MediaWiki: its address, or that of its api.php
    #[arg(long, value_name = "URL")]
    pub wiki_url: Option<String>,
    /// Take the pages of the wiki as they stood at the end of this day (2025-12-31) or at this moment
    #[arg(long, value_name = "DATE")]
    pub as_of: Option<String>,
    /// Take evidence from this source; may be repeated: `wikipedia`, `wikipedia:CODE`, `index:DIR`, `context:FILE`,
    /// `url:URL`
    #[arg(long, value_name = "SOURCE")]
    pub source: Vec<String>,
    /// Let --url reach private and loopback addresses
    #[arg(long)]
    pub allow_private: bool,
    /// Add the passages that were looked at and why they did not decide
    #[arg(long)]
    pub explain: bool,
    /// Passages looked at for each claim and source [default: 16]
    #[arg(long, value_name = "N")]
    pub passages: Option<String>,
    /// Model that reads claims against evidence: small (built in), base, large, multilingual, hf:org/name@revision,
    /// dir:PATH or none [default: small]
    #[arg(long, value_name = "NAME")]
    pub nli: Option<String>,
    /// Embedder that finds the passages of a wiki's pages: a model name, `static`, `hashed` or dir:PATH [default: that of new
    /// indexes; an index always uses its own, --context and --url are searched by words]
    #[arg(long, value_name = "NAME")]
    pub embedder: Option<String>,
    /// How 1.234 and 1,234 are read [default: any]
    #[arg(long, value_name = "HOW", value_parser = ["any", "comma-groups", "point-groups"])]
    pub numbers: Option<String>,
    /// How 5/6/24 is read [default: unknown]
    #[arg(long, value_name = "ORDER", value_parser = ["unknown", "day-first", "month-first"])]
    pub dates: Option<String>,
}

/// What is checked, and against what.
#[derive(Debug, ClapArgs)]
pub struct AnswerArgs {
    /// The text to check, given directly [default: standard input]
    #[arg(long, short, value_name = "TEXT", allow_hyphen_values = true)]
    pub response: Option<String>,
    /// File that holds the text to check; `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "response")]
    pub response_file: Option<PathBuf>,
    /// Evidence, given directly; may be repeated
    #[arg(long, short, value_name = "TEXT", allow_hyphen_values = true)]
    pub context: Vec<String>,
    /// Take evidence from this file; may be repeated
    #[arg(long, value_name = "FILE")]
    pub context_file: Vec<PathBuf>,
    /// Take evidence from this index; may be repeated
    #[arg(long, value_name = "DIR")]
    pub index: Vec<PathBuf>,
    /// The prompt that the text answers: needed by consistency and logprobs
    #[arg(long, short, value_name = "TEXT", allow_hyphen_values = true)]
    pub prompt: Option<String>,
    /// Take evidence from this web page; may be repeated
    #[arg(long, value_name = "URL")]
    pub url: Vec<String>,
    /// Take evidence from Wikipedia
    #[arg(long)]
    pub wikipedia: bool,
    /// Language edition of Wikipedia, such as en or de [default: the text's language]
    #[arg(long, value_name = "CODE")]
    pub lang: Option<String>,
    /// Take evidence from this wiki instead, which runs MediaWiki: its address, or that of its api.php
    #[arg(long, value_name = "URL")]
    pub wiki_url: Option<String>,
    /// Let --url reach private and loopback addresses
    #[arg(long)]
    pub allow_private: bool,
    /// Embedder that compares the samples of `consistency`, and finds the passages of a wiki's pages: a model name, `static`,
    /// `hashed` or dir:PATH
    #[arg(long, value_name = "NAME")]
    pub embedder: Option<String>,
    /// Take evidence from the indexes' documents that match only, such as 'lang=en AND year>=2020'
    #[arg(long, value_name = "FILTER", allow_hyphen_values = true, requires = "index")]
    pub filter: Option<String>,
    /// Model that reads claims against evidence: small (built in), base, large, multilingual, hf:org/name@revision,
    /// dir:PATH or none [default: small]
    #[arg(long, value_name = "NAME")]
    pub nli: Option<String>,
}

/// Check a text by several methods, language models among them.
///
/// Without evidence it is a check by what models know: opinions beside a verdict that stays "not enough information".
#[derive(Debug, ClapArgs)]
pub struct DetectArgs {
    /// What is checked.
    #[command(flatten)]
    pub answer: AnswerArgs,
    /// By what.
    #[command(flatten)]
    pub models: ModelArgs,
    /// Print the claims on standard error before anything else
    #[arg(long)]
    pub debug_claims: bool,
    /// Print chaincheck's JSON instead of ours (which is --format json)
    #[arg(long)]
    pub json: bool,
    /// Add the passages that were looked at and why they did not decide
    #[arg(long)]
    pub explain: bool,
    /// What makes the exit code 1.
    #[command(flatten)]
    pub gate: GateArgs,
}

/// Show what each method says of each claim, side by side.
#[derive(Debug, ClapArgs)]
pub struct CompareArgs {
    /// What is checked.
    #[command(flatten)]
    pub answer: AnswerArgs,
    /// By what.
    #[command(flatten)]
    pub models: ModelArgs,
    /// What makes the exit code 1.
    #[command(flatten)]
    pub gate: GateArgs,
}

/// Show or clear what is kept of wikis and of language models.
#[derive(Debug, ClapArgs)]
pub struct CacheArgs {
    /// What to do
    #[command(subcommand)]
    pub command: CacheCommand,
}

/// What can be done with the caches.
#[derive(Debug, Subcommand)]
pub enum CacheCommand {
    /// Say what is kept, of language models and wiki by wiki
    #[command(alias = "show")]
    Stat,
    /// Remove it
    Clear {
        /// Only what is kept of this wiki, as `cache stat` names it
        #[arg(conflicts_with_all = ["replies", "expired"])]
        wiki: Option<String>,
        /// Only the replies of language models
        #[arg(long)]
        replies: bool,
        /// Only replies that are too old to be used
        #[arg(long)]
        expired: bool,
    },
}

/// What makes the exit code 1.
#[derive(Debug, Clone, ClapArgs)]
pub struct GateArgs {
    /// Labels that make the exit code 1, separated by commas; `none` for no label
    #[arg(
        long,
        value_name = "LABELS",
        value_delimiter = ',',
        default_value = "contradicted,conflicting,partially_supported,not_enough_info",
        value_parser = ["supported", "partially_supported", "contradicted", "conflicting", "not_enough_info", "not_checked", "none"]
    )]
    pub fail_on: Vec<String>,
    /// An earlier report in JSON (or the output of an earlier batch): findings that it has do not count again
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
}

/// Check many texts, one a line of a JSONL file.
///
/// Each line is an object: {"response": TEXT, "context"?: TEXT or LIST, "documents"?: [{"id", "content", "title"?, "url"?}],
/// "prompt"?: TEXT, "id"?: TEXT or WHOLE NUMBER}. Each line of the output holds its number, its id and its report, or the error
/// that kept it from being checked, in the order of the input.
#[derive(Debug, ClapArgs)]
pub struct BatchArgs {
    /// The texts, in JSONL, also inside .gz or .zst; `-` for standard input
    #[arg(long, short, value_name = "FILE")]
    pub input: PathBuf,
    /// Where the reports go, in JSONL; `-` for standard output
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
    /// Go on where an earlier run of the same command stopped: its output is kept
    #[arg(long)]
    pub resume: bool,
    /// Replace an output that is there
    #[arg(long, conflicts_with = "resume")]
    pub overwrite: bool,
    /// Stop at the first line that cannot be checked
    #[arg(long)]
    pub fail_fast: bool,
    /// Where evidence comes from, besides what each line brings along.
    #[command(flatten)]
    pub evidence: EvidenceArgs,
    /// By what, if not by the checks alone: models are asked only where --methods names them.
    #[command(flatten)]
    pub models: ModelArgs,
    /// What makes the exit code 1.
    #[command(flatten)]
    pub gate: GateArgs,
}

/// Say what an index holds.
#[derive(Debug, ClapArgs)]
pub struct StatArgs {
    /// The index
    #[arg(long, value_name = "DIR")]
    pub index: PathBuf,
}

/// Show what evidex does.
#[derive(Debug, ClapArgs)]
pub struct DemoArgs {
    /// Embedder to show it with: a model name, `static`, `hashed` or `none`
    #[arg(long, value_name = "NAME")]
    pub embedder: Option<String>,
    /// Keep the demo's files in this folder instead of a temporary one
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
}

/// Show the settings.
#[derive(Debug, ClapArgs)]
pub struct ConfigArgs {
    /// What to do
    #[command(subcommand)]
    pub command: ConfigCommand,
}

/// What can be done with the settings.
#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Print each setting, its value and where it comes from
    Show,
}
