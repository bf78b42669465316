//! `evidex demo`: what a newcomer sees first.

use crate::command::{Workplace, models_installed};

fn shows(embedder: &str) {
    let place = Workplace::new();
    let ran = place.well(&["demo", "--embedder", embedder, "--offline"]);
    for part in [
        "supported",
        "contradicted",
        "not enough information",
        "not checked",
        "evidex index",
        "evidex search",
        "evidex verify",
    ] {
        assert!(ran.stdout.contains(part), "`{part}` is not in\n{}", ran.stdout);
    }
}

#[test]
fn the_demo_is_right_on_every_claim_without_any_model() {
    shows("hashed");
}

#[test]
fn the_demo_is_right_on_every_claim_with_the_static_table() {
    shows("static");
}

#[test]
fn the_demo_is_right_on_every_claim_with_the_default_models() {
    if models_installed() {
        shows("all-MiniLM-L6-v2");
    }
}

#[test]
fn the_demos_commands_can_be_typed_again_when_its_files_are_kept() {
    let place = Workplace::new();
    let ran = place.well(&["demo", "--embedder", "hashed", "--keep", "kept"]);
    let commands: Vec<&str> =
        ran.stdout.lines().map(str::trim).filter_map(|line| line.strip_prefix("evidex ")).collect();
    assert_eq!(commands.len(), 3, "{}", ran.stdout);
    for command in commands {
        let arguments: Vec<String> = words(command);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let code = place.run(&arguments).code;
        assert!(code == 0 || (code == 1 && arguments[0] == "verify"), "evidex {command}: {code}");
    }
}

/// The words of a command line with double quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, part) in line.split('"').enumerate() {
        if at % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}
