//! `evidex batch`: many texts, one a line of a JSONL file.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use evidex::judge::Detector;
use evidex::report::ci::{CiRenderer, Gate, Github, Junit, Sarif, row_name};

use super::{Context, ReportFormat};
use crate::args::BatchArgs;
use crate::batch::{self, Input, Job, Summary};
use crate::engine::Engine;
use crate::exit::{Exit, Failure};
use crate::gates;
use crate::language_models;
use crate::printer::{self, InputBar};
use crate::wikis::Wikis;

/// Runs `evidex batch`.
pub fn run(args: &BatchArgs, context: &mut Context) -> Result<Exit, Failure> {
    let begun = Instant::now();
    Engine::flags(&args.evidence, &mut context.settings)?;
    let to_stdout = is_dash(&args.output);
    let renderer = renderer(args, context, to_stdout)?;
    check_paths(args, to_stdout)?;
    let gate = gates::open(&args.gate)?;
    let mut input = Input::open(&args.input)?;
    let mut evidence = args.evidence.clone();
    let wikis = Wikis::of(&mut evidence)?;
    let mut engine = Engine::open(&evidence, context)?;
    // The lines may be in several languages: without --lang the English edition is asked.
    engine.open_wikis(&wikis, &evidence, "", context)?;
    let detector = detector(args, &engine, context)?;

    let mut run_gate = gate.clone();
    let mut summary = Summary::default();
    let mut output: Box<dyn Write + Send> = if to_stdout {
        Box::new(std::io::stdout())
    } else {
        let mut file = open_output(args)?;
        if args.resume {
            resume(&mut file, args, &mut input, &mut run_gate, &mut summary)?;
        }
        Box::new(file)
    };
    let name = args.output.display().to_string();
    let bar = InputBar::new("rows", input.size(), to_stdout);
    let job = Job {
        engine: &engine,
        detector: detector.as_ref(),
        explain: args.evidence.explain,
        fail_fast: args.fail_fast,
        threads: threads(context),
        cancellation: context.cancellation.clone(),
        bar: &bar,
        output_name: if to_stdout { "standard output" } else { &name },
    };
    let ended = batch::run(&job, input, &mut *output, &mut run_gate, summary);
    drop(output);
    bar.finish();
    let summary = ended.summary;

    let page = if context.settings.json() {
        format!("{:#}\n", summary.to_json(&name, begun.elapsed()))
    } else {
        summary.to_text(&name, begun.elapsed())
    };
    match renderer {
        Some(mut renderer) => {
            let input = (!is_dash(&args.input)).then(|| args.input.display().to_string());
            batch::render(&mut *renderer, input.as_deref(), &args.output, gate)?;
            printer::note(page.trim_end());
        }
        None if to_stdout => printer::note(page.trim_end()),
        None => printer::out(&page)?,
    }
    if let Some(failure) = ended.stopped {
        return Err(failure);
    }
    exit(&summary)
}

/// Several methods, where they are named; rows may bring their own evidence.
fn detector(args: &BatchArgs, engine: &Engine, context: &Context) -> Result<Option<Detector>, Failure> {
    if args.models.methods.is_empty() {
        return Ok(None);
    }
    let wanted = language_models::wanted(&args.models, true, context)?;
    let detector = Detector::new(wanted.options, wanted.models, wanted.session)?.nli_model(engine.nli());
    Ok(Some(detector.embedder(engine.embedder())))
}

fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// 2 if a line could not be checked, 1 if a claim fails the run, else 0.
fn exit(summary: &Summary) -> Result<Exit, Failure> {
    let unchecked = summary.errors + summary.nothing_checked;
    if unchecked > 0 {
        let message = format!("{unchecked} of {} rows could not be checked", summary.rows);
        return Err(Failure::new("rows_not_checked", message)
            .hint("the output says of each what is the matter, in `error` or claim by claim"));
    }
    Ok(if summary.failing > 0 { Exit::Found } else { Exit::Well })
}

/// What renders the output, if a format of CI was asked for.
fn renderer(args: &BatchArgs, context: &Context, to_stdout: bool) -> Result<Option<Box<dyn CiRenderer>>, Failure> {
    let Some(format) = context.report_format else { return Ok(None) };
    let renderer: Box<dyn CiRenderer> = match format {
        ReportFormat::Junit => Box::new(Junit),
        ReportFormat::Sarif => Box::new(Sarif::new(args.gate.baseline.is_some())),
        ReportFormat::Github => Box::new(Github),
        ReportFormat::JsonLine | ReportFormat::Html => {
            return Err(Failure::new("usage", "a batch has no such format; its output is JSONL as it is")
                .hint("use --format text, json, junit, sarif or github"));
        }
    };
    if to_stdout {
        return Err(Failure::new("standard_output_twice", "the rows and the report cannot both go to standard output")
            .hint("give the rows a file with --output FILE"));
    }
    Ok(Some(renderer))
}

fn check_paths(args: &BatchArgs, to_stdout: bool) -> Result<(), Failure> {
    let inputs = args.evidence.context.iter().chain([&args.input]).filter(|path| is_dash(path)).count();
    if inputs > 1 {
        return Err(Failure::new("standard_input_twice", "`-` (standard input) can be read only once")
            .hint("put the rows or the evidence into a file"));
    }
    if to_stdout {
        if args.resume {
            return Err(Failure::new("usage", "--resume needs the output of the earlier run")
                .hint("name it with --output FILE"));
        }
        return Ok(());
    }
    let same = match (args.input.canonicalize(), args.output.canonicalize()) {
        (Ok(input), Ok(output)) => input == output,
        _ => false,
    };
    if same {
        let message = format!("{} is both the input and the output", args.input.display());
        return Err(Failure::new("usage", message).hint("name another file with --output"));
    }
    let extension = args.output.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if matches!(extension, "gz" | "zst") {
        let message = format!("{} would not be compressed as its name says", args.output.display());
        return Err(Failure::new("usage", message).hint("write plain JSONL, and compress it afterwards"));
    }
    Ok(())
}

/// The output, open and locked; empty unless a run is resumed.
fn open_output(args: &BatchArgs) -> Result<File, Failure> {
    let path = &args.output;
    let cannot = |error: std::io::Error| Failure::new("output", format!("cannot write {}: {error}", path.display()));
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(cannot)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(std::fs::TryLockError::WouldBlock) => {
            let message = format!("another run is writing {}", path.display());
            return Err(Failure::new("output_locked", message).hint("wait for it, or name another output"));
        }
        // A file system without locks.
        Err(std::fs::TryLockError::Error(error)) => tracing::debug!(%error, "the output is not locked"),
    }
    let metadata = file.metadata().map_err(cannot)?;
    if metadata.len() > 0 && !args.resume {
        if !args.overwrite {
            let message = format!("{} is there already", path.display());
            return Err(Failure::new("output_exists", message)
                .hint("go on with --resume, replace it with --overwrite, or name another output"));
        }
        file.set_len(0).map_err(cannot)?;
    }
    Ok(file)
}

fn resume(
    file: &mut File,
    args: &BatchArgs,
    input: &mut Input,
    gate: &mut Gate,
    summary: &mut Summary,
) -> Result<(), Failure> {
    batch::resume(file, &args.output, input, |record| {
        let row = row_name(record.id.as_ref());
        let standings = record.report.as_ref().map(|report| gate.stand(row.as_deref(), report));
        summary.add(record, &standings.unwrap_or_default());
        summary.resumed += 1;
    })
}

fn threads(context: &Context) -> usize {
    match context.settings.whole("threads") {
        0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        threads => threads,
    }
}
