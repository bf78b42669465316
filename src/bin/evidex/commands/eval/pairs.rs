//! `evidex eval pairs`, `answers` and `run`: sets of claims or answers, each with its context and label.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use evidex::eval::{
    EvalError, PairReport, PairRows, Prediction, Published, cascade, pair_table, pair_text, read_answers, read_pairs,
    read_result,
};
use evidex::report::TextOptions;

use super::args::{AnswersArgs, EngineArgs, PairsArgs, ResultArgs, RunArgs};
use super::bench::{Bench, Evaluated, Task, write_json};
use crate::commands::Context;
use crate::exit::{Exit, Failure};
use crate::printer;

type Reader<'a> = &'a dyn Fn(&Path) -> Result<PairRows, EvalError>;

/// Runs `evidex eval pairs`.
pub fn pairs(args: &PairsArgs, context: &mut Context) -> Result<Exit, Failure> {
    let job = Job { task: Task::Pairs, read: &read_pairs, engine: &args.engine, results: &args.results, second: None };
    job.run(&args.files, context)
}

/// Runs `evidex eval answers`.
pub fn answers(args: &AnswersArgs, context: &mut Context) -> Result<Exit, Failure> {
    let second = args.cascade_with.as_deref();
    let job = Job { task: Task::Answers, read: &read_answers, engine: &args.engine, results: &args.results, second };
    job.run(&args.files, context)
}

/// Runs `evidex eval run`.
pub fn published(args: &RunArgs, context: &mut Context) -> Result<Exit, Failure> {
    let set = Published::named(&args.name).ok_or_else(|| {
        let known: Vec<&str> = Published::ALL.iter().map(|set| set.as_str()).collect();
        Failure::new("unknown_set", format!("no published set is called `{}`", args.name))
            .hint(format!("the sets are: {}", known.join(", ")))
    })?;
    let task = if set.is_answers() { Task::Answers } else { Task::Pairs };
    let read = |path: &Path| {
        let mut rows = set.read(path)?;
        set.as_str().clone_into(&mut rows.name);
        Ok(rows)
    };
    let job = Job { task, read: &read, engine: &args.engine, results: &args.results, second: None };
    job.run(std::slice::from_ref(&args.path), context)
}

/// How tables are laid out.
fn text_options() -> TextOptions {
    TextOptions { colour: printer::colour(), width: printer::width() }
}

/// What is to be done with some sets.
struct Job<'a> {
    task: Task,
    read: Reader<'a>,
    engine: &'a EngineArgs,
    results: &'a ResultArgs,
    second: Option<&'a Path>,
}

impl Job<'_> {
    fn run(&self, files: &[PathBuf], context: &mut Context) -> Result<Exit, Failure> {
        let of_one = self.results.predictions.is_some() || self.results.html.is_some() || self.second.is_some();
        if files.len() > 1 && of_one {
            return Err(Failure::new("usage", "predictions and pages belong to one set, and several were given")
                .hint("evaluate the sets one by one"));
        }
        if self.results.errors.is_some() && context.settings.json() {
            return Err(Failure::new("usage", "--errors is for people, and --format json was asked for")
                .hint("take the rows from --predictions FILE"));
        }
        let bench = Bench::open(self.task, self.engine, self.results, context, self.read)?;
        let mut reports = Vec::new();
        let mut failures = 0;
        for file in files {
            match self.one(file, &bench, files.len() == 1, context) {
                Ok(report) => reports.push(report),
                Err(failure) if files.len() == 1 => return Err(failure),
                Err(failure) => {
                    failures += 1;
                    printer::warning(&failure.message);
                    if failure.code == "cancelled" {
                        break;
                    }
                }
            }
        }
        print_all(&reports, files.len() > 1, context)?;
        if failures > 0 {
            let message = format!("{} of {} sets were not evaluated", files.len() - reports.len(), files.len());
            return Err(Failure::new("sets_left_out", message).hint("the warnings above say why"));
        }
        Ok(Exit::Well)
    }

    /// Evaluates one set and writes what belongs to it alone.
    fn one(&self, file: &Path, bench: &Bench, alone: bool, context: &Context) -> Result<PairReport, Failure> {
        let mut done = bench.evaluate((self.read)(file)?, file, self.engine, self.results, context)?;
        if let Some(path) = self.second {
            done.report.cascade = cascade(&done.predictions, &second_stage(path, &done)?);
        }
        if let Some(folder) = &self.results.out {
            write_json(folder, &done.report.dataset, &done.report)?;
        }
        if let Some(path) = &self.results.html {
            page(path, &done)?;
        }
        if alone && !context.settings.json() {
            printer::out(&printer::visible_with_colour(&pair_text(&done.report, &text_options())))?;
        }
        if let Some(wanted) = &self.results.errors {
            printer::out(&printer::visible(&errors(&done, wanted)?))?;
        }
        Ok(done.report)
    }
}

#[cfg(feature = "charts")]
fn page(path: &Path, done: &Evaluated) -> Result<(), Failure> {
    super::bench::write_page(path, &evidex::eval::pair_page(&done.report, &done.set, &done.predictions))
}

#[cfg(not(feature = "charts"))]
fn page(_: &Path, _: &Evaluated) -> Result<(), Failure> {
    Err(super::bench::no_charts())
}

/// Several sets are a list or a table, even where only one of them could be evaluated.
fn print_all(reports: &[PairReport], several: bool, context: &Context) -> Result<(), Failure> {
    if context.settings.json() {
        let page = match reports {
            [report] if !several => serde_json::to_string_pretty(report),
            reports => serde_json::to_string_pretty(reports),
        };
        return printer::out(&(page.unwrap_or_default() + "\n"));
    }
    if several && !reports.is_empty() {
        printer::out(&printer::visible_with_colour(&pair_table(reports, &text_options())))?;
    }
    Ok(())
}

/// The second stage's predictions, in the order of the first's.
fn second_stage(path: &Path, first: &Evaluated) -> Result<Vec<Prediction>, Failure> {
    let predictions = read_result(path)?.predictions.unwrap_or_default();
    let of = |id: &str| predictions.iter().find(|prediction| prediction.id == id).cloned();
    let ordered: Option<Vec<Prediction>> = first.predictions.iter().map(|prediction| of(&prediction.id)).collect();
    ordered.ok_or_else(|| {
        EvalError::NotAResult {
            path: path.display().to_string(),
            reason: "it does not hold a prediction for every row of the set".to_owned(),
        }
        .into()
    })
}

/// The rows of one class that were read as another.
fn errors(done: &Evaluated, wanted: &str) -> Result<String, Failure> {
    let (gold, label) = wanted.split_once(':').ok_or_else(|| {
        Failure::new("usage", format!("--errors takes GOLD:LABEL, not `{wanted}`"))
            .hint("such as --errors supported:contradicted")
    })?;
    let mut page = String::new();
    for (row, prediction) in done.set.rows.iter().zip(&done.predictions) {
        let read_as = done.set.schema.of_label(prediction.label).map_or("not_checked", |class| class.as_str());
        if row.gold.as_str() != gold || read_as != label && prediction.label.as_str() != label {
            continue;
        }
        let _ = writeln!(page, "--- {} ({gold}) read as {}: {}", row.id, prediction.label, prediction.reason);
        let _ = writeln!(page, "claim:    {}", row.claim);
        for quote in &prediction.quotes {
            let _ = writeln!(page, "quote:    {} [{:.2}]", quote.replace('\n', " "), prediction.scores.coverage);
        }
        for finding in &prediction.findings {
            let _ = writeln!(
                page,
                "finding:  {} {:?} {} {:?} {:?}",
                finding.check, finding.stance, finding.kind, finding.claim_value, finding.evidence_value
            );
        }
    }
    Ok(page)
}
