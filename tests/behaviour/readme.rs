//! What the README shows is what happens: every `console` block is typed and its output compared.
//!
//! In a block, a line `$ command` is run; the lines up to the next command must stand in its output in that order. A line
//! `…` stands for any lines. Blocks share one folder, in the order of the README. Rust blocks are doctests of the library.

use std::path::Path;

use crate::command::{Workplace, models_installed};

#[test]
fn every_command_in_the_readme_does_what_the_readme_shows() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    if !models_installed() {
        return;
    }
    let place = Workplace::new();
    let mut run = 0;
    let mut wrong = Vec::new();
    for (command, expected) in commands(&readme) {
        let Some(outcome) = perform(&place, &command) else { continue };
        run += 1;
        let mut lines = outcome.lines().map(str::trim_end);
        for want in expected.iter().filter(|line| line.trim() != "…") {
            if !lines.any(|line| line == want) {
                wrong.push(format!("$ {command}\nshould print, in this order: {want}\nprinted:\n{outcome}"));
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(run >= 10, "only {run} commands were found in the README");
}

/// Every `$ command` of the `console` blocks, with the lines that follow it.
fn commands(readme: &str) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        if line.starts_with("```") {
            inside = !inside && line == "```console";
        } else if inside {
            if let Some(command) = line.strip_prefix("$ ") {
                found.push((command.to_owned(), Vec::new()));
            } else if let Some((_, expected)) = found.last_mut() {
                expected.push(line.trim_end().to_owned());
            }
        }
    }
    found
}

/// The wiki that the README asks.
const WIKI: &str = "http://127.0.0.1:8765";

/// Runs a command line in the folder; `None` for those that this test is part of or that need another machine.
fn perform(place: &Workplace, command: &str) -> Option<String> {
    // The README's wiki stands for the one that the tests have.
    let wiki = if command.contains(WIKI) { Some(crate::wikipedia::wiki()?) } else { None };
    let command = wiki.as_ref().map_or_else(|| command.to_owned(), |wiki| command.replace(WIKI, wiki));
    const NOT_HERE: [&str; 4] = ["cargo test", "cargo install", "git clone", "cd "];
    if NOT_HERE.iter().any(|start| command.starts_with(start)) {
        return None;
    }
    let command = command.replace("cargo run --release -- ", "evidex ");
    let script = format!("evidex() {{ {:?} \"$@\"; }}\n{command}\n", env!("CARGO_BIN_EXE_evidex"));
    let mut shell = place.command(&[]);
    let mut bash = std::process::Command::new("bash");
    bash.arg("-c").arg(script).current_dir(shell.get_current_dir().unwrap());
    for (name, value) in shell.get_envs() {
        match value {
            Some(value) => bash.env(name, value),
            None => bash.env_remove(name),
        };
    }
    bash.env("EVIDEX_WIKIPEDIA_CACHE", place.path("wikis"));
    shell.stdin(std::process::Stdio::null());
    let output = bash.output().unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    let printed = format!("{stdout}{stderr}");
    let bare = |address: &str| address.trim_start_matches("http://").to_owned();
    Some(wiki.map_or_else(|| printed.clone(), |wiki| printed.replace(&bare(&wiki), &bare(WIKI))))
}
