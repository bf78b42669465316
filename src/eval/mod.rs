//! How good the verdicts are: labelled sets in, metrics beside trivial baselines out.
//!
//! A metric that is undefined (one class, no rows) is `None`, never NaN, and the report says why. The same rows, models
//! and seed give the same figures; only times and memory differ.

mod answers;
mod baseline;
mod cascade;
#[cfg(feature = "charts")]
mod charts;
mod class;
mod compare;
mod cut;
mod error;
mod fit;
mod fit_ensemble;
mod fit_rule;
mod fitted_file;
mod journal;
pub mod metrics;
#[cfg(feature = "charts")]
mod page;
mod pair_report;
mod pair_rows;
mod pairs;
mod problem;
mod published;
mod retrieval;
mod sample;
mod scoring;
mod speed;
mod speed_report;
mod store;
mod summary;
mod summary_speed;
mod table;
mod table_retrieval;
mod text_speed;

pub use answers::{ClaimLevelReport, ClaimPrediction, claim_level};
pub use baseline::{Baseline, BaselineScore};
pub use cascade::{CascadePoint, cascade, pareto_front};
pub use class::{Class, Schema};
pub use compare::{Comparison, EvalResult, compare, comparison_text, read_result};
pub use cut::Cuts;
pub use error::EvalError;
pub use fit::{FitSet, FitSetReport, FittedHeads, fit};
pub use fit_ensemble::{EnsembleRow, EnsembleSet, fit_ensemble};
pub use fit_rule::{RuleRow, RuleSet, RuleSetReport, fit_rule};
pub use fitted_file::FittedFile;
pub use journal::Journal;
#[cfg(feature = "charts")]
pub use page::{pair_page, retrieval_page};
pub use pair_report::{
    BaselineReport, ClassReport, Confusion, LatencyReport, Metrics, ModelNames, PairReport, PairReportOptions,
    ThresholdReport, pair_report,
};
pub use pair_rows::{PairRow, PairRows, parse_answers, parse_pairs, read_answers, read_pairs};
pub use pairs::{PairEvaluator, PairRun, Prediction, prediction};
pub use problem::{RowProblem, RowProblemKind};
pub use published::Published;
pub use retrieval::{
    JudgedQuery, ModeReport, RetrievalEvaluator, RetrievalReport, RetrievalSet, parse_retrieval, read_retrieval,
};
pub use sample::{draw, drawn};
pub use scoring::support_score;
pub use speed::{VectorSearchSpeed, VectorSet, VectorSpeed, vector_speed};
pub use speed_report::{Machine, SpeedReport, speed_text};
pub use store::{StoreMeasure, StoreReport};
pub use summary::{SUMMARY_MARKS, results_markdown, with_summary};
pub use table::{pair_table, pair_text};
pub use table_retrieval::retrieval_text;
pub use text_speed::{CheckingSpeed, EmbeddingSpeed, EntailmentSpeed, TextSpeed, WordSearchSpeed, text_speed};
