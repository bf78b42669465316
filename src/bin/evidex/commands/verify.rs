//! `evidex verify`: a text, claim by claim, against indexes and given evidence.

use std::path::Path;
use std::sync::Arc;

use evidex::corpus::{self, Document, ReadOptions, Severity};
use evidex::evidence::{EvidenceSource, InlineContext, LocalIndex};
use evidex::index::Index;
use evidex::report::{self, Report, Status, TextOptions};
use evidex::text::{DateOrder, NumberLocale};
use evidex::verify::{Label, Verifier, VerifySettings};

use super::Context;
use crate::args::VerifyArgs;
use crate::embedders;
use crate::exit::{Exit, Failure};
use crate::printer;
use crate::settings::Settings;

/// Runs `evidex verify`.
pub fn run(args: &VerifyArgs, context: &mut Context) -> Result<Exit, Failure> {
    context.settings.flag("passages", "--passages", args.passages.as_deref())?;
    context.settings.flag("embedder", "--embedder", args.embedder.as_deref())?;
    context.settings.flag("numbers", "--numbers", args.numbers.as_deref())?;
    context.settings.flag("dates", "--dates", args.dates.as_deref())?;
    if args.index.is_empty() && args.context.is_empty() {
        return Err(Failure::new("no_evidence", "no evidence is given to check the text against")
            .hint("give --index DIR (made by `evidex index PATH... --into DIR`) or --context FILE"));
    }
    let (answer, source) = answer(args)?;
    let report = verify(&answer, source.as_deref(), args, context)?;
    print(&report, context)?;
    Ok(exit(&report, &args.fail_on))
}

/// Checks `answer` as the arguments and settings say.
///
/// # Errors
/// When evidence cannot be opened or the run cannot start.
pub fn verify(answer: &str, source: Option<&str>, args: &VerifyArgs, context: &Context) -> Result<Report, Failure> {
    let settings = &context.settings;
    let mut builder =
        Verifier::builder().settings(verify_settings(args, settings)).cancellation(context.cancellation.clone());
    for path in &args.index {
        let index = Index::open(path)?;
        let embedder = embedders::of_index(&index, None, context)?;
        if let Some(embedder) = &embedder {
            builder = builder.embedder(Arc::clone(embedder));
        }
        let name = format!("index:{}", path.display());
        builder = builder.source(Arc::new(LocalIndex::new(name, index.snapshot()?, embedder)));
    }
    if !args.context.is_empty() {
        let mut documents = Vec::new();
        for path in &args.context {
            documents.extend(read_context(path)?);
        }
        let source: Arc<dyn EvidenceSource> = Arc::new(InlineContext::new(documents)?);
        builder = builder.source(source);
    }
    let verification = builder.build()?.verify(answer)?;
    Ok(Report::new(&verification, source, args.explain))
}

fn verify_settings(args: &VerifyArgs, settings: &Settings) -> VerifySettings {
    let mut chosen = VerifySettings::default();
    chosen.passages_per_claim = settings.whole("passages");
    chosen.number_locale = match settings.text("numbers") {
        "comma-groups" => NumberLocale::CommaGroups,
        "point-groups" => NumberLocale::PointGroups,
        _ => NumberLocale::Any,
    };
    chosen.date_order = match settings.text("dates") {
        "day-first" => DateOrder::DayFirst,
        "month-first" => DateOrder::MonthFirst,
        _ => DateOrder::Unknown,
    };
    chosen.question.clone_from(&args.question);
    chosen
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

/// 1 if a claim has one of the labels, 2 if nothing could be checked, else 0.
fn exit(report: &Report, fail_on: &[String]) -> Exit {
    if report.status == Status::NothingChecked {
        return Exit::CouldNotRun;
    }
    let found = Label::ALL
        .iter()
        .any(|label| report.summary.of(*label) > 0 && fail_on.iter().any(|name| name == label.as_str()));
    if found { Exit::Found } else { Exit::Well }
}

fn answer(args: &VerifyArgs) -> Result<(String, Option<String>), Failure> {
    if let Some(text) = &args.text {
        return Ok((text.clone(), None));
    }
    let path = args.answer.as_deref().unwrap_or(Path::new("-"));
    let (text, note) = corpus::read_text(path, &ReadOptions::default())?;
    for warning in note.warnings() {
        printer::warning(&format!("{}: {warning}", path.display()));
    }
    Ok((text, Some(path.display().to_string())))
}

/// Every document of a context file. A record that cannot be read is an error, for evidence must not go missing.
fn read_context(path: &Path) -> Result<Vec<Document>, Failure> {
    let read = corpus::read_document(path, &ReadOptions::default())?;
    for problem in read.problems {
        if problem.severity() == Severity::Error {
            return Err(problem.into());
        }
        printer::warning(&problem.to_string());
    }
    Ok(read.documents)
}

#[cfg(test)]
mod tests {
    use super::*;
    use evidex::report::Counts;

    fn report(counts: Counts, status: Status) -> Report {
        let verification = Verifier::builder()
            .source(Arc::new(InlineContext::new(vec![Document::inline("a", "A fact.")]).unwrap()))
            .build()
            .unwrap()
            .verify("")
            .unwrap();
        Report { summary: counts, status, ..Report::new(&verification, None, false) }
    }

    #[test]
    fn the_exit_code_follows_the_labels_named() {
        let fail_on = ["contradicted".to_owned()];
        let contradicted = Counts { contradicted: 1, supported: 3, ..Counts::default() };
        let unsupported = Counts { not_enough_info: 1, ..Counts::default() };
        assert_eq!(exit(&report(contradicted, Status::Checked), &fail_on), Exit::Found);
        assert_eq!(exit(&report(unsupported, Status::Checked), &fail_on), Exit::Well);
        assert_eq!(exit(&report(Counts::default(), Status::NoClaims), &fail_on), Exit::Well);
        assert_eq!(exit(&report(Counts::default(), Status::NothingChecked), &fail_on), Exit::CouldNotRun);
    }
}
