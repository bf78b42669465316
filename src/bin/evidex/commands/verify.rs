//! `evidex verify`: a text, claim by claim, against indexes and given evidence.

use std::io::IsTerminal;
use std::path::Path;

use evidex::corpus::{self, ReadOptions};
use evidex::report::ci::{AnswerPlace, CiRenderer, Entry, Github, Junit, LineIndex, Outcome, Sarif, Standing};
use evidex::report::{self, Report, Status, TextOptions};

use super::{Context, ReportFormat};
use crate::args::VerifyArgs;
use crate::engine::Engine;
use crate::exit::{Exit, Failure};
use crate::gates;
use crate::printer;
use crate::wikis::Wikis;

/// Runs `evidex verify`.
pub fn run(args: &VerifyArgs, context: &mut Context) -> Result<Exit, Failure> {
    Engine::flags(&args.evidence, &mut context.settings)?;
    let mut args = args.clone();
    let wikis = Wikis::of(&mut args.evidence)?;
    let args = &args;
    let evidence = &args.evidence;
    if evidence.index.is_empty() && evidence.context.is_empty() && evidence.url.is_empty() && wikis.is_empty() {
        return Err(Failure::new("no_evidence", "no evidence is given to check the text against").hint(
            "give --index DIR (made by `evidex index PATH... --into DIR`), --context FILE, --url URL or --wikipedia",
        ));
    }
    let on_stdin = |path: &Path| path.as_os_str() == "-";
    let inputs = evidence.context.iter().chain(&args.answer).filter(|path| on_stdin(path)).count();
    if inputs > 1 {
        return Err(Failure::new("standard_input_twice", "`-` (standard input) can be read only once")
            .hint("put the text or the evidence into a file, or give the text with --text"));
    }
    let mut gate = gates::open(&args.gate)?;
    let (answer, source) = answer(args)?;
    let report = verify(&answer, source.as_deref(), args, &wikis, context)?;
    let standings = gate.stand(None, &report);
    match context.report_format {
        None => print(&report, context)?,
        Some(format) => print_as(format, &report, &answer, &standings, gate.has_baseline())?,
    }
    if context.cancellation.is_cancelled() {
        let coverage = &report.coverage;
        let message = format!("stopped: {} of {} statements are checked", coverage.checked, coverage.claims_found);
        return Err(Failure::new("cancelled", message)
            .hint("the report holds what was done; run the same command again for the rest"));
    }
    if report.status == Status::NothingChecked {
        return Err(nothing_checked(&report));
    }
    Ok(if standings.contains(&Standing::Fails) { Exit::Found } else { Exit::Well })
}

/// Checks `answer` as the arguments and settings say.
///
/// # Errors
/// When evidence cannot be opened or the run cannot start.
pub fn verify(
    answer: &str,
    source: Option<&str>,
    args: &VerifyArgs,
    wikis: &Wikis,
    context: &Context,
) -> Result<Report, Failure> {
    let mut engine = Engine::open(&args.evidence, context)?;
    engine.open_wikis(wikis, &args.evidence, answer, context)?;
    let verification = engine.verify(answer, args.question.as_deref(), Vec::new())?;
    engine.say_cost();
    Ok(Report::new(&verification, source, args.evidence.explain))
}

/// The report on stdout, as the settings say.
///
/// # Errors
/// When stdout cannot be written.
pub fn print(report: &Report, context: &Context) -> Result<(), Failure> {
    if context.settings.json() {
        printer::out(&report::to_json(report))
    } else {
        let options = TextOptions { colour: printer::colour(), width: printer::width() };
        printer::out(&report::to_text(report, &options))
    }
}

/// The report on stdout, in a format that only reports have.
///
/// # Errors
/// When stdout cannot be written.
pub fn print_as(
    format: ReportFormat,
    report: &Report,
    answer: &str,
    standings: &[Standing],
    with_baseline: bool,
) -> Result<(), Failure> {
    let mut renderer: Box<dyn CiRenderer> = match format {
        ReportFormat::JsonLine => return printer::out(&report::to_json_line(report)),
        ReportFormat::Html => return printer::out(&report::to_html(report, answer)),
        ReportFormat::Junit => Box::new(Junit),
        ReportFormat::Sarif => Box::new(Sarif::new(with_baseline)),
        ReportFormat::Github => Box::new(Github),
    };
    let file = report.answer.source.as_deref().filter(|source| *source != "-");
    let entry = Entry {
        name: file.unwrap_or("text"),
        row: None,
        file,
        place: AnswerPlace::Text(LineIndex::new(answer)),
        outcome: Outcome::Report(report, standings),
    };
    let mut page = Vec::new();
    let written = renderer
        .start(&mut page)
        .and_then(|()| renderer.entry(&entry, &mut page))
        .and_then(|()| renderer.finish(&mut page));
    written.map_err(|error| Failure::new("output", error.to_string()))?;
    printer::out(&String::from_utf8_lossy(&page))
}

/// Why not one claim could be checked: what failed, or else why the claims were left out.
pub fn nothing_checked(report: &Report) -> Failure {
    let mut why: Vec<String> = Vec::new();
    let failures = report.claims.iter().flat_map(|claim| &claim.failures).map(|failure| &failure.message);
    for message in failures.chain(report.claims.iter().map(|claim| &claim.reason)) {
        if !why.contains(message) && why.len() < 3 {
            why.push(message.clone());
        }
    }
    Failure::new("nothing_checked", format!("nothing could be checked: {}", why.join("; ")))
        .hint("the report names the reason claim by claim")
}

fn answer(args: &VerifyArgs) -> Result<(String, Option<String>), Failure> {
    if let Some(text) = &args.text {
        return Ok((text.clone(), None));
    }
    let path = match &args.answer {
        Some(path) => path.as_path(),
        None if std::io::stdin().is_terminal() => {
            return Err(Failure::new("usage", "no text to check is given")
                .hint("name a file, pipe the text in, or give it with --text"));
        }
        None => Path::new("-"),
    };
    let (text, note) = corpus::read_text(path, &ReadOptions::default())?;
    for warning in note.warnings() {
        printer::warning(&format!("{}: {warning}", path.display()));
    }
    Ok((text, Some(path.display().to_string())))
}
