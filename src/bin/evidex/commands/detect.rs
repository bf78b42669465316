//! `evidex detect` and `evidex compare`: an answer through several methods.

use std::io::IsTerminal;
use std::path::Path;

use evidex::claim::Unchecked;
use evidex::compat::chaincheck;
use evidex::corpus::{self, Document, ReadOptions};
use evidex::judge::{Detection, Detector, Input};
use evidex::report::ci::Standing;
use evidex::report::{DetectionReport, Status, TextOptions};
use evidex::verify::RiskBounds;

use super::{Context, verify};
use crate::args::{AnswerArgs, CompareArgs, DetectArgs, EvidenceArgs};
use crate::engine::Engine;
use crate::exit::{Exit, Failure};
use crate::gates;
use crate::language_models::{self, ModelArgs};
use crate::printer;
use crate::wikis::Wikis;

/// Runs `evidex detect`.
pub fn run(args: &DetectArgs, context: &mut Context) -> Result<Exit, Failure> {
    let mut gate = gates::open(&args.gate)?;
    context.settings.flag("nli", "--nli", args.answer.nli.as_deref())?;
    let mut models = args.models.clone();
    if args.json {
        models.scoring = "chaincheck".to_owned();
    }
    let Detected { detection, text, name, bounds } = detect(&args.answer, &models, context)?;
    let report = DetectionReport::new(&detection, name.as_deref(), args.explain);
    let standings = gate.stand(None, &report.report);
    if args.debug_claims {
        printer::note(&debug_claims(&detection));
    }
    match context.report_format {
        Some(format) => verify::print_as(format, &report.report, &text, &standings, gate.has_baseline())?,
        None if args.json => printer::out(&chaincheck_json(&detection, bounds)?)?,
        None if context.settings.json() => printer::out(&report.to_json())?,
        None => printer::out(&report.to_text(&text_options()))?,
    }
    finish(&report, &standings)
}

/// Runs `evidex compare`.
pub fn compare(args: &CompareArgs, context: &mut Context) -> Result<Exit, Failure> {
    let mut gate = gates::open(&args.gate)?;
    context.settings.flag("nli", "--nli", args.answer.nli.as_deref())?;
    let mut models = args.models.clone();
    if models.methods.is_empty() {
        let mut all = vec!["nli", "judge", "qa"];
        if args.answer.prompt.is_some() {
            all.extend(["consistency", "logprobs"]);
        }
        models.methods = all.into_iter().map(str::to_owned).collect();
    }
    let Detected { detection, name, .. } = detect(&args.answer, &models, context)?;
    let report = DetectionReport::new(&detection, name.as_deref(), false);
    if context.settings.json() {
        printer::out(&report.to_json())?;
    } else {
        printer::out(&report.comparison(&text_options()))?;
    }
    finish(&report, &gate.stand(None, &report.report))
}

fn finish(report: &DetectionReport, standings: &[Standing]) -> Result<Exit, Failure> {
    for method in &report.detection.methods {
        if let Some(error) = &method.error {
            printer::warning(&format!("method {}: {error}", method.method));
        }
    }
    if report.report.status == Status::NothingChecked {
        return Err(verify::nothing_checked(&report.report));
    }
    Ok(if standings.contains(&Standing::Fails) { Exit::Found } else { Exit::Well })
}

fn chaincheck_json(detection: &Detection, bounds: RiskBounds) -> Result<String, Failure> {
    let risk = chaincheck::RiskThresholds::new(bounds.medium_from, bounds.high_from)
        .map_err(|error| Failure::new("settings", error.to_string()))?;
    Ok(format!("{:#}\n", serde_json::json!(chaincheck::result(detection, risk))))
}

fn text_options() -> TextOptions {
    TextOptions { colour: printer::colour(), width: printer::width() }
}

/// What came of an answer.
struct Detected {
    detection: Detection,
    text: String,
    /// Where the text came from.
    name: Option<String>,
    bounds: RiskBounds,
}

/// Checks an answer as flags, settings and variables say.
fn detect(answer: &AnswerArgs, models: &ModelArgs, context: &Context) -> Result<Detected, Failure> {
    let (text, name) = response(answer)?;
    let mut evidence = evidence(answer, false);
    let wikis = Wikis::of(&mut evidence)?;
    let mut engine = Engine::open(&evidence, context)?;
    engine.open_wikis(&wikis, &evidence, &text, context)?;
    let sources = engine.sources(given(answer))?;
    let wanted = language_models::wanted(models, !sources.is_empty(), context)?;
    let bounds = wanted.options.risk_bounds;
    let detector = Detector::new(wanted.options, wanted.models, wanted.session)?
        .embedder(engine.embedder())
        .nli_model(engine.nli());
    let input = Input { answer: &text, prompt: answer.prompt.as_deref(), sources: &sources };
    let detection = detector.detect(input)?;
    Ok(Detected { detection, text, name, bounds })
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

/// The flags about evidence, as those that every command has.
fn evidence(args: &AnswerArgs, explain: bool) -> EvidenceArgs {
    EvidenceArgs {
        index: args.index.clone(),
        filter: args.filter.clone(),
        context: args.context_file.clone(),
        url: args.url.clone(),
        wikipedia: args.wikipedia,
        lang: args.lang.clone(),
        wiki_url: args.wiki_url.clone(),
        as_of: None,
        source: Vec::new(),
        allow_private: args.allow_private,
        explain,
        passages: None,
        nli: args.nli.clone(),
        embedder: args.embedder.clone(),
        numbers: None,
        dates: None,
    }
}

/// The texts given as evidence.
fn given(args: &AnswerArgs) -> Vec<Document> {
    let several = args.context.len() > 1;
    let id = |at: usize| if several { format!("context-{}", at + 1) } else { "context".to_owned() };
    let texts = args.context.iter().enumerate().filter(|(_, text)| !text.trim().is_empty());
    texts.map(|(at, text)| Document::inline(&id(at), text.clone())).collect()
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
