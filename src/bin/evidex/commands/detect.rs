//! `evidex detect` and `evidex compare`: an answer through several methods.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;

use evidex::claim::Unchecked;
use evidex::corpus::{self, Document, ReadOptions};
use evidex::embed::Embedder;
use evidex::evidence::{EvidenceSource, InlineContext, LocalIndex};
use evidex::index::Index;
use evidex::judge::{Detection, Detector, Input};
use evidex::report::{DetectionReport, Status, TextOptions};

use super::Context;
use super::verify::{exit, nothing_checked, read_context};
use crate::args::{AnswerArgs, CompareArgs, DetectArgs};
use crate::embedders;
use crate::exit::{Exit, Failure};
use crate::language_models::{self, ModelArgs};
use crate::printer;

/// Runs `evidex detect`.
pub fn run(args: &DetectArgs, context: &Context) -> Result<Exit, Failure> {
    let (detection, name) = detect(&args.answer, &args.models, context)?;
    let report = DetectionReport::new(&detection, name.as_deref(), args.explain);
    if args.debug_claims {
        printer::note(&debug_claims(&detection));
    }
    if context.settings.json() {
        printer::out(&report.to_json())?;
    } else {
        printer::out(&report.to_text(&text_options()))?;
    }
    finish(&report, &args.fail_on)
}

/// Runs `evidex compare`.
pub fn compare(args: &CompareArgs, context: &Context) -> Result<Exit, Failure> {
    let mut models = args.models.clone();
    if models.methods.is_empty() {
        let mut all = vec!["nli", "judge", "qa"];
        if args.answer.prompt.is_some() {
            all.extend(["consistency", "logprobs"]);
        }
        models.methods = all.into_iter().map(str::to_owned).collect();
    }
    let (detection, name) = detect(&args.answer, &models, context)?;
    let report = DetectionReport::new(&detection, name.as_deref(), false);
    if context.settings.json() {
        printer::out(&report.to_json())?;
    } else {
        printer::out(&report.comparison(&text_options()))?;
    }
    finish(&report, &args.fail_on)
}

fn finish(report: &DetectionReport, fail_on: &[String]) -> Result<Exit, Failure> {
    for method in &report.detection.methods {
        if let Some(error) = &method.error {
            printer::warning(&format!("method {}: {error}", method.method));
        }
    }
    if report.report.status == Status::NothingChecked {
        return Err(nothing_checked(&report.report));
    }
    Ok(exit(&report.report, fail_on))
}

fn text_options() -> TextOptions {
    TextOptions { colour: printer::colour(), width: printer::width() }
}

/// Checks an answer as flags, settings and variables say; with it the name of where it came from.
fn detect(answer: &AnswerArgs, models: &ModelArgs, context: &Context) -> Result<(Detection, Option<String>), Failure> {
    let (text, name) = response(answer)?;
    let (sources, embedder) = sources(answer, context)?;
    let wanted = language_models::wanted(models, !sources.is_empty(), context)?;
    let detector = Detector::new(wanted.options, wanted.models, wanted.session)?.embedder(embedder);
    let input = Input { answer: &text, prompt: answer.prompt.as_deref(), sources: &sources };
    Ok((detector.detect(input)?, name))
}

fn response(args: &AnswerArgs) -> Result<(String, Option<String>), Failure> {
    let path = match (&args.response, &args.response_file) {
        (Some(text), _) => return Ok((text.clone(), None)),
        (None, Some(path)) => path.as_path(),
        (None, None) if std::io::stdin().is_terminal() => {
            return Err(Failure::new("usage", "no text to check is given")
                .hint("give it with --response or --response-file, or pipe it in"));
        }
        (None, None) => Path::new("-"),
    };
    let (text, note) = corpus::read_text(path, &ReadOptions::default())?;
    for warning in note.warnings() {
        printer::warning(&format!("{}: {warning}", path.display()));
    }
    Ok((text, Some(path.display().to_string())))
}

type Sources = (Vec<Arc<dyn EvidenceSource>>, Option<Arc<dyn Embedder>>);

/// Where the evidence comes from, and what compares by meaning.
fn sources(args: &AnswerArgs, context: &Context) -> Result<Sources, Failure> {
    let mut sources: Vec<Arc<dyn EvidenceSource>> = Vec::new();
    let mut embedder = None;
    for path in &args.index {
        let index = Index::open(path)?;
        let own = embedders::of_index(&index, None, context)?;
        let name = format!("index:{}", path.display());
        sources.push(Arc::new(LocalIndex::new(name, index.snapshot()?, own.clone())));
        embedder = own.or(embedder);
    }
    if let Some(name) = &args.embedder {
        embedder = embedders::for_new_index(name, context)?;
    }
    let mut documents: Vec<Document> = Vec::new();
    let several = args.context.len() > 1;
    for (at, text) in args.context.iter().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        let id = if several { format!("context-{}", at + 1) } else { "context".to_owned() };
        documents.push(Document::inline(&id, text.clone()));
    }
    for path in &args.context_file {
        documents.extend(read_context(path)?);
    }
    if !documents.is_empty() {
        sources.push(Arc::new(InlineContext::new(documents)?));
    }
    Ok((sources, embedder))
}

fn debug_claims(detection: &Detection) -> String {
    let mut lines = format!("{} claims:", detection.verification.claims.len());
    for checked in &detection.verification.claims {
        let claim = &checked.claim;
        let why = claim.unchecked.map_or(String::new(), |why: Unchecked| format!(" (not checked: {})", why.describe()));
        lines.push_str(&format!("\n{:>4}  {}{why}", claim.index + 1, claim.text));
    }
    printer::visible(&lines)
}
