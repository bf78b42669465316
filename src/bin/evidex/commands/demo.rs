//! `evidex demo`: the main job from end to end, on a small corpus and an answer that come with evidex.

use std::path::Path;

use clap::Parser;
use evidex::report::{ClaimReport, Report};
use serde::Deserialize;
use serde_json::json;

use super::{Context, index, search, verify};
use crate::args::{Args, Command, DemoArgs};
use crate::embedders;
use crate::exit::{Exit, Failure};
use crate::printer;
use crate::wikis::Wikis;

macro_rules! corpus_file {
    ($path:literal) => {
        ($path, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/corpora/observatory/", $path)))
    };
}
/// The demo's files: path below its folder, content.
pub(super) const FILES: [(&str, &str); 11] = [
    corpus_file!("documents/brandt-reflector.md"),
    corpus_file!("documents/cable-car.md"),
    corpus_file!("documents/comet-tollan.md"),
    corpus_file!("documents/directors.md"),
    corpus_file!("documents/fire-of-1958.txt"),
    corpus_file!("documents/great-refractor.md"),
    corpus_file!("documents/history.md"),
    corpus_file!("documents/notices.jsonl"),
    corpus_file!("documents/radio-array.txt"),
    corpus_file!("documents/visiting.txt"),
    corpus_file!("answer.md"),
];
const EXPECTED: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/corpora/observatory/answer.expected.jsonl"));
const QUERY: &str = "When did the fire break out?";

/// What the demo's answer is known to deserve.
#[derive(Deserialize)]
struct Expected {
    fragment: String,
    label: String,
}

/// Runs `evidex demo`. Exit code 1 if a verdict is not the known one.
pub fn run(args: &DemoArgs, context: &mut Context) -> Result<Exit, Failure> {
    let embedder = choose_embedder(args, context)?;
    let temporary = match args.keep {
        Some(_) => None,
        None => Some(tempfile::tempdir().map_err(|error| {
            Failure::new("io", format!("cannot make a temporary folder: {error}")).hint("name a folder with --keep DIR")
        })?),
    };
    let folder = args.keep.as_deref().or(temporary.as_ref().map(tempfile::TempDir::path));
    let folder = folder.unwrap_or(Path::new("."));
    write_files(folder)?;

    let json = context.settings.json();
    let place = |name: &str| folder.join(name).display().to_string();
    let (documents, into, answer) = (place("documents"), place("index"), place("answer.md"));
    let commands = [
        vec!["evidex", "index", &documents, "--into", &into, "--embedder", &embedder],
        vec!["evidex", "search", "--index", &into, QUERY, "-k", "1"],
        vec!["evidex", "verify", "--index", &into, &answer],
    ];
    if !json {
        printer::out("Ten files about an observatory that does not exist are indexed:\n\n")?;
    }
    let [index_args, search_args, verify_args] = &commands;
    match parse(index_args)? {
        Command::Index(args) if json => drop(index::index(&args, context)?),
        Command::Index(args) => drop(index::run(&args, context)?),
        _ => {}
    }
    if let Command::Search(args) = parse(search_args)?
        && !json
    {
        printer::out(&format!("\nOne is asked for, \"{QUERY}\":\n\n"))?;
        search::run(&args, context)?;
    }
    let Command::Verify(verify_args_parsed) = parse(verify_args)? else { return Ok(Exit::CouldNotRun) };
    let text = FILES[FILES.len() - 1].1;
    let report = verify::verify(text, Some("answer.md"), &verify_args_parsed, &Wikis::default(), context)?;
    if !json {
        printer::out("\nAn answer about the observatory is checked, claim by claim:\n\n")?;
        verify::print(&report, context)?;
    }
    let wrong = wrong_verdicts(&report)?;
    conclude(&report, &wrong, &commands, args, context)?;
    Ok(if wrong.is_empty() { Exit::Well } else { Exit::Found })
}

/// The embedder to show; the hashed one where the default cannot be had, which is said.
fn choose_embedder(args: &DemoArgs, context: &mut Context) -> Result<String, Failure> {
    context.settings.flag("embedder", "--embedder", args.embedder.as_deref())?;
    let name = context.settings.text("embedder").to_owned();
    match embedders::for_new_index(&name, context) {
        Ok(_) => Ok(name),
        Err(failure) if args.embedder.is_none() => {
            printer::failure(&failure);
            printer::warning("the demo goes on without a model, by hashed words (--embedder hashed)");
            Ok("hashed".to_owned())
        }
        Err(failure) => Err(failure),
    }
}

fn write_files(folder: &Path) -> Result<(), Failure> {
    for (name, content) in FILES {
        let path = folder.join(name);
        let written =
            path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(&path, content));
        written.map_err(|error| Failure::new("io", format!("cannot write {}: {error}", path.display())))?;
    }
    Ok(())
}

fn parse(words: &[&str]) -> Result<Command, Failure> {
    let args = Args::try_parse_from(words).map_err(|error| Failure::new("demo", error.to_string()))?;
    Ok(args.command)
}

/// Every claim of the answer whose label is not the known one, and every known one that was not found.
fn wrong_verdicts(report: &Report) -> Result<Vec<String>, Failure> {
    let mut wrong = Vec::new();
    let mut used = vec![false; report.claims.len()];
    let text = FILES[FILES.len() - 1].1;
    for line in EXPECTED.lines().filter(|line| !line.trim().is_empty()) {
        let expected: Expected = serde_json::from_str(line)
            .map_err(|error| Failure::new("demo", format!("the demo's expectations are broken: {error}")))?;
        let start = text.find(&expected.fragment).unwrap_or(text.len());
        let end = start + expected.fragment.len();
        let inside = |claim: &ClaimReport| claim.span.start >= start && claim.span.end <= end;
        let mut found = false;
        for (at, claim) in report.claims.iter().enumerate().filter(|(_, claim)| inside(claim)) {
            used[at] = true;
            found = true;
            if claim.label.as_str() != expected.label {
                wrong.push(format!("\"{}\" should be {}, is {}", claim.text, expected.label, claim.label));
            }
        }
        if !found {
            wrong.push(format!("\"{}\" was not found", expected.fragment));
        }
    }
    let extra = report.claims.iter().zip(used).filter(|(_, used)| !used);
    wrong.extend(extra.map(|(claim, _)| format!("\"{}\" was not expected", claim.text)));
    Ok(wrong)
}

fn conclude(
    report: &Report,
    wrong: &[String],
    commands: &[Vec<&str>; 3],
    args: &DemoArgs,
    context: &Context,
) -> Result<(), Failure> {
    let shown: Vec<String> = commands.iter().map(|words| command_line(words)).collect();
    if context.settings.json() {
        let page = json!({ "report": report, "wrong": wrong, "commands": shown });
        return printer::out(&format!("{page:#}\n"));
    }
    let mut page = String::new();
    if wrong.is_empty() {
        page.push_str("\nEvery verdict is the one that the answer is known to deserve.\n");
    } else {
        page.push_str("\nNot every verdict is the one that the answer is known to deserve:\n");
        page.extend(wrong.iter().map(|line| format!("  {line}\n")));
    }
    page.push_str("\nThese commands did it:\n\n");
    page.extend(shown.iter().map(|line| format!("  {line}\n")));
    if args.keep.is_none() {
        page.push_str("\nTheir files were temporary; `evidex demo --keep DIR` keeps them to play with.\n");
    }
    printer::out(&page)
}

fn command_line(words: &[&str]) -> String {
    let quoted = |word: &&str| if word.contains(' ') { format!("\"{word}\"") } else { (*word).to_owned() };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}
