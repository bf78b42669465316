//! `evidex verify`: a text, claim by claim, against indexes and given evidence.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;

use evidex::corpus::{self, Document, ReadOptions, Severity};
use evidex::embed::Embedder;
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
    context.settings.flag("numbers", "--numbers", args.numbers.as_deref())?;
    context.settings.flag("dates", "--dates", args.dates.as_deref())?;
    let mut args = args.clone();
    let wikis = take_sources(&mut args)?;
    let args = &args;
    if args.index.is_empty() && args.context.is_empty() && args.url.is_empty() && wikis.is_empty() {
        return Err(Failure::new("no_evidence", "no evidence is given to check the text against").hint(
            "give --index DIR (made by `evidex index PATH... --into DIR`), --context FILE, --url URL or --wikipedia",
        ));
    }
    let on_stdin = |path: &Path| path.as_os_str() == "-";
    let inputs = args.context.iter().chain(&args.answer).filter(|path| on_stdin(path)).count();
    if inputs > 1 {
        return Err(Failure::new("standard_input_twice", "`-` (standard input) can be read only once")
            .hint("put the text or the evidence into a file, or give the text with --text"));
    }
    let (answer, source) = answer(args)?;
    let report = verify(&answer, source.as_deref(), args, &wikis, context)?;
    print(&report, context)?;
    if context.cancellation.is_cancelled() {
        let coverage = &report.coverage;
        let message = format!("stopped: {} of {} statements are checked", coverage.checked, coverage.claims_found);
        return Err(Failure::new("cancelled", message)
            .hint("the report holds what was done; run the same command again for the rest"));
    }
    if report.status == Status::NothingChecked {
        return Err(nothing_checked(&report));
    }
    Ok(exit(&report, &args.fail_on))
}

/// Checks `answer` as the arguments and settings say.
///
/// # Errors
/// When evidence cannot be opened or the run cannot start.
pub fn verify(
    answer: &str,
    source: Option<&str>,
    args: &VerifyArgs,
    wikis: &[Option<String>],
    context: &Context,
) -> Result<Report, Failure> {
    let settings = &context.settings;
    let mut builder =
        Verifier::builder().settings(verify_settings(args, settings)).cancellation(context.cancellation.clone());
    for path in &args.index {
        let index = Index::open(path)?;
        let embedder = embedders::of_index(&index, None, context)?;
        if let Some(embedder) = &embedder {
            builder = builder.embedder(Arc::clone(embedder));
        }
        let snapshot = index.snapshot()?;
        if snapshot.document_count() == 0 {
            return Err(Failure::new("empty_index", format!("the index at {} holds no documents", path.display()))
                .hint("add some with `evidex index PATH... --into DIR`"));
        }
        let name = format!("index:{}", path.display());
        builder = builder.source(Arc::new(LocalIndex::new(name, snapshot, embedder)));
    }
    if let Some(name) = &args.embedder
        && let Some(embedder) = embedders::for_new_index(name, context)?
    {
        builder = builder.embedder(embedder);
    }
    if !args.context.is_empty() {
        let mut documents = Vec::new();
        for path in &args.context {
            documents.extend(read_context(path)?);
        }
        let source: Arc<dyn EvidenceSource> = Arc::new(InlineContext::new(documents)?);
        builder = builder.source(source);
    }
    if !args.url.is_empty() {
        let pages = InlineContext::new(fetch_pages(args, context)?)?;
        builder = builder.source(Arc::new(pages.named("url")));
    }
    let wikis = open_wikis(wikis, args, answer, context)?;
    for wiki in &wikis {
        if let Some(embedder) = wiki_embedder(wiki) {
            builder = builder.embedder(embedder);
        }
        builder = builder.source(Arc::clone(wiki) as Arc<dyn EvidenceSource>);
    }
    let verification = builder.build()?.verify(answer)?;
    #[cfg(feature = "fetch")]
    for wiki in &wikis {
        printer::note(&super::wiki::cost(wiki));
    }
    Ok(Report::new(&verification, source, args.explain))
}

/// Sorts what `--source` names under the flags that name the same, and returns the wikis: each an edition, or `None` for
/// what the other flags and the settings say.
fn take_sources(args: &mut VerifyArgs) -> Result<Vec<Option<String>>, Failure> {
    let mut wikis = Vec::new();
    for source in std::mem::take(&mut args.source) {
        match source.split_once(':') {
            None if source == "wikipedia" => args.wikipedia = true,
            Some(("wikipedia", edition)) => wikis.push(Some(edition.to_owned())),
            Some(("index", folder)) if !folder.is_empty() => args.index.push(folder.into()),
            Some(("context", file)) if !file.is_empty() => args.context.push(file.into()),
            Some(("url", url)) if !url.is_empty() => args.url.push(url.to_owned()),
            _ => {
                return Err(Failure::new("usage", format!("`{source}` names no source"))
                    .hint("sources are wikipedia, wikipedia:CODE, index:DIR, context:FILE and url:URL"));
            }
        }
    }
    if args.wikipedia || args.wiki_url.is_some() {
        wikis.insert(0, None);
    } else if args.lang.is_some() {
        return Err(
            Failure::new("usage", "--lang names an edition of Wikipedia, which is not asked").hint("add --wikipedia")
        );
    }
    if args.as_of.is_some() && wikis.is_empty() {
        return Err(Failure::new("usage", "--as-of speaks of a wiki, and none is asked").hint("add --wikipedia"));
    }
    Ok(wikis)
}

#[cfg(feature = "fetch")]
fn wiki_embedder(wiki: &evidex::evidence::WikipediaSource) -> Option<Arc<dyn Embedder>> {
    wiki.embedder().cloned()
}

#[cfg(not(feature = "fetch"))]
fn wiki_embedder(_wiki: &LocalIndex) -> Option<Arc<dyn Embedder>> {
    None
}

/// Every wiki that is to be asked.
#[cfg(feature = "fetch")]
fn open_wikis(
    wikis: &[Option<String>],
    args: &VerifyArgs,
    answer: &str,
    context: &Context,
) -> Result<Vec<Arc<evidex::evidence::WikipediaSource>>, Failure> {
    wikis.iter().map(|edition| super::wiki::source(args, edition.as_deref(), answer, context)).collect()
}

#[cfg(not(feature = "fetch"))]
fn open_wikis(
    wikis: &[Option<String>],
    _args: &VerifyArgs,
    _answer: &str,
    _context: &Context,
) -> Result<Vec<Arc<LocalIndex>>, Failure> {
    if wikis.is_empty() {
        return Ok(Vec::new());
    }
    Err(Failure::new("no_network", "this evidex was built without network code, so it cannot ask a wiki"))
}

/// Every page named by `--url`; one that cannot be had is an error, for evidence must not go missing.
#[cfg(feature = "fetch")]
fn fetch_pages(args: &VerifyArgs, context: &Context) -> Result<Vec<Document>, Failure> {
    if context.settings.bool("offline") {
        return Err(Failure::new("offline", "--url needs the network, which --offline forbids")
            .hint("save the page and give it with --context"));
    }
    let options = evidex::evidence::WebOptions { allow_private: args.allow_private, ..Default::default() };
    Ok(evidex::evidence::fetch_pages(&args.url, &options)?)
}

#[cfg(not(feature = "fetch"))]
fn fetch_pages(_args: &VerifyArgs, _context: &Context) -> Result<Vec<Document>, Failure> {
    Err(Failure::new("no_network", "this evidex was built without network code, so it cannot take --url")
        .hint("save the page and give it with --context"))
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

/// Why not one claim could be checked: what failed, or else why the claims were left out.
fn nothing_checked(report: &Report) -> Failure {
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
