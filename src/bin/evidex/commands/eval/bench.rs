//! What every set of claims or answers is evaluated with: the engine, the baselines, the development set.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use evidex::embed::Embedder;
use evidex::eval::{
    Baseline, BaselineReport, BaselineScore, EvalError, Journal, ModelNames, PairEvaluator, PairReport,
    PairReportOptions, PairRow, PairRows, PairRun, Prediction, claim_level, draw, pair_report, read_result,
};
use rayon::prelude::*;

use super::args::{EngineArgs, ResultArgs};
use super::{memory, models, rows};
use crate::commands::Context;
use crate::exit::Failure;
use crate::printer::{self, Bar};

/// How a set's rows are read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// A row is one claim.
    Pairs,
    /// A row is an answer, which is split into claims.
    Answers,
}

/// Baselines that were measured before, and the embedder of theirs.
type Baselines = (BTreeMap<String, BaselineReport>, Option<String>);

/// What every set is evaluated with.
pub struct Bench {
    evaluator: PairEvaluator,
    names: ModelNames,
    baselines: Vec<Baseline>,
    baseline_embedder: Option<Arc<dyn Embedder>>,
    dev: Option<(PairRows, Vec<Prediction>, Vec<BaselineScore>)>,
    task: Task,
}

/// A set evaluated.
pub struct Evaluated {
    /// Its rows.
    pub set: PairRows,
    /// What was predicted.
    pub predictions: Vec<Prediction>,
    /// The measures.
    pub report: PairReport,
}

impl Bench {
    /// Opens the models; verifies the development set, where one is named.
    ///
    /// # Errors
    /// When a model, index or the development set cannot be had.
    pub fn open(
        task: Task,
        engine: &EngineArgs,
        results: &ResultArgs,
        context: &mut Context,
        read: &dyn Fn(&Path) -> Result<PairRows, EvalError>,
    ) -> Result<Self, Failure> {
        let (evaluator, mut names) = models::evaluator(engine, context)?;
        let chosen = |baseline: &Baseline| results.baselines.iter().any(|name| name == baseline.as_str());
        let baselines: Vec<Baseline> = Baseline::ALL.into_iter().filter(chosen).collect();
        let baseline_embedder = if baselines.contains(&Baseline::Embedding) {
            Some(models::baseline_embedder(results.baseline_embedder.as_deref(), context)?)
        } else {
            None
        };
        names.baseline_embedder = baseline_embedder.as_ref().map(|embedder| embedder.identity().name.clone());
        let mut bench = Self { evaluator, names, baselines, baseline_embedder, dev: None, task };
        if let Some(file) = &results.dev {
            let set = rows::usable(read(file)?, file, bench.evaluator.index.is_some(), engine.strict)?;
            let run = bench.verify(&set, None)?;
            let scores = bench.baseline_scores(&set.rows, context)?;
            bench.dev = Some((set, run.predictions, scores));
        }
        Ok(bench)
    }

    /// Verifies a set and measures.
    ///
    /// # Errors
    /// When no row is usable, one is wrong and `--strict` was given, or the predictions cannot be written.
    pub fn evaluate(
        &self,
        set: PairRows,
        file: &Path,
        engine: &EngineArgs,
        results: &ResultArgs,
        context: &Context,
    ) -> Result<Evaluated, Failure> {
        let mut set = rows::usable(set, file, self.evaluator.index.is_some(), engine.strict)?;
        let rows_in_set = set.rows.len();
        draw(&mut set.rows, engine.limit.unwrap_or(usize::MAX), engine.seed);
        let journal = match &results.predictions {
            Some(path) => {
                let answers = self.task == Task::Answers;
                let fingerprint = models::fingerprint(&set.sha256, answers, &self.evaluator, engine)?;
                let journal = Journal::open(path, &fingerprint)?;
                if !journal.is_empty() {
                    printer::note(&format!("going on after {} rows that were done before", journal.len()));
                }
                Some(journal)
            }
            None => None,
        };
        let run = self.verify(&set, journal.as_ref()).inspect_err(|failure| {
            if failure.code == "cancelled" && results.predictions.is_some() {
                printer::note("run the same command again to go on where it stood");
            }
        })?;
        if let Some(journal) = journal {
            journal.finish(&run.predictions)?;
        }
        // Before the baselines, whose memory is not ours.
        let peak_memory_bytes = memory::peak();
        let known_baselines = match &results.baselines_of {
            Some(folder) => known_baselines(folder, &set, rows_in_set, engine.seed)?,
            None => None,
        };
        let on_dev = |at: usize| self.dev.as_ref().and_then(|(_, _, scores)| scores[at].clone().ok());
        let baselines = match known_baselines {
            Some(_) => Vec::new(),
            None => {
                let own = self.baseline_scores(&set.rows, context)?.into_iter().enumerate();
                own.map(|(at, score)| (self.baselines[at], score, on_dev(at))).collect()
            }
        };
        let mut models = self.names.clone();
        let known_baselines = known_baselines.map(|(reports, embedder)| {
            models.baseline_embedder = embedder;
            reports
        });
        let options = PairReportOptions {
            seed: engine.seed,
            models,
            rows_in_set,
            dev: self.dev.as_ref().map(|(set, predictions, _)| (set.name.clone(), predictions.clone())),
            baselines,
            known_baselines,
            peak_memory_bytes,
        };
        let mut report = pair_report(&set, &run, &options);
        if let Some((name, _)) = options.dev.as_ref().filter(|_| report.threshold.len() == 1) {
            printer::note(&format!("no threshold can be chosen on {name}: it lacks supported rows, or others"));
        }
        if self.task == Task::Answers {
            report.kind = "answers".to_owned();
            report.claims = Some(claim_level(&run.predictions));
        }
        Ok(Evaluated { set, predictions: run.predictions, report })
    }

    fn verify(&self, set: &PairRows, journal: Option<&Journal>) -> Result<PairRun, Failure> {
        let bar = Bar::new(&set.name);
        let evaluator = PairEvaluator { progress: Some(Arc::new(bar.clone())), ..self.evaluator.clone() };
        let run = match self.task {
            Task::Pairs => evaluator.run(&set.rows, journal),
            Task::Answers => evaluator.run_answers(&set.rows, journal),
        };
        bar.finish();
        Ok(run?)
    }

    fn baseline_scores(&self, rows: &[PairRow], context: &Context) -> Result<Vec<BaselineScore>, Failure> {
        let contexts: Vec<Vec<String>> = if self.baselines.is_empty() {
            Vec::new()
        } else {
            rows.par_iter().map(|row| self.evaluator.contexts(row)).collect()
        };
        let of = |baseline: &Baseline| {
            let (embedder, nli) = (self.baseline_embedder.as_deref(), self.evaluator.nli.as_deref());
            baseline.scores(rows, &contexts, embedder, nli, &context.cancellation)
        };
        Ok(self.baselines.iter().map(of).collect::<Result<_, EvalError>>()?)
    }
}

/// The baselines of a result on the same rows; `None`, and a note, where there is none.
fn known_baselines(folder: &Path, set: &PairRows, rows_in_set: usize, seed: u64) -> Result<Option<Baselines>, Failure> {
    let path = folder.join(format!("{}.json", set.name));
    let anew = |why: &str| printer::note(&format!("{} {why}: the baselines are measured anew", path.display()));
    if !path.is_file() {
        anew("is not there");
        return Ok(None);
    }
    let Some(report) = read_result(&path)?.report else {
        anew("holds predictions");
        return Ok(None);
    };
    let same = (&report.sha256, report.rows, report.rows_in_set) == (&set.sha256, set.rows.len(), rows_in_set)
        // Only a sample depends on the seed.
        && (report.seed == seed || set.rows.len() == rows_in_set)
        && report.threshold.len() == 1;
    if !same {
        anew("is of other rows");
        return Ok(None);
    }
    Ok(Some((report.baselines, report.models.baseline_embedder)))
}

/// Writes a result as JSON into `folder`, under the set's name.
///
/// # Errors
/// When the folder cannot be made or written to.
pub fn write_json(folder: &Path, name: &str, result: &impl serde::Serialize) -> Result<PathBuf, Failure> {
    let path = folder.join(format!("{name}.json"));
    let text = serde_json::to_string_pretty(result).unwrap_or_default() + "\n";
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text));
    written.map_err(|source| EvalError::Io { doing: "write", path: path.display().to_string(), source })?;
    Ok(path)
}

/// Writes a page.
///
/// # Errors
/// When the file cannot be written.
pub fn write_page(path: &Path, page: &str) -> Result<(), Failure> {
    std::fs::write(path, page)
        .map_err(|source| EvalError::Io { doing: "write", path: path.display().to_string(), source }.into())
}

/// What to say where the charts were left out of the build.
#[cfg(not(feature = "charts"))]
pub fn no_charts() -> Failure {
    Failure::new("no_charts", "this evidex was built without charts, so it cannot write --html")
        .hint("build it with the feature `charts`")
}
