//! The NLI model that comes with evidex, in the product.

use serde_json::Value;

use crate::command::{Workplace, labels, models_installed};

const OFFICE: &str = "The committee gathers in the town hall every Tuesday evening. Maria Silva, a chemist from Porto, was appointed \
                      head of the laboratory in 2011. The old ferry carried both passengers and cars across the bay.";

#[test]
fn the_model_is_there_by_default_and_can_be_left_out() {
    if !models_installed() {
        return;
    }
    let place = Workplace::new();
    let context = place.write("office.txt", OFFICE);
    let ask = |more: &[&str]| {
        let mut arguments =
            vec!["verify", "--offline", "--format", "json", "--text", "Maria Silva is a chemist.", "--context"];
        arguments.push(context.to_str().unwrap());
        arguments.extend(more);
        place.run(&arguments).json()
    };
    let with = ask(&[]);
    assert_eq!(with["models"]["nli"]["name"], "evidex-nli-2");
    assert_eq!(with["models"]["nli"]["digest"].as_str().map(str::len), Some(64));
    assert_eq!(ask(&["--nli", "none"])["models"]["nli"], Value::Null);
}

#[test]
fn a_model_that_is_not_there_is_an_error_that_says_what_to_do() {
    let place = Workplace::new();
    let context = place.write("office.txt", OFFICE);
    let context = context.to_str().unwrap();
    let ask =
        |name: &str| place.run(&["verify", "--offline", "--context", context, "--text", "A fact.", "--nli", name]);
    ask("no-such-model").failed_saying(&["no-such-model"]);
    ask("dir:nowhere").failed_saying(&["nowhere", "check the path"]);
    ask("hf:org/name@main").failed_saying(&["hf:org/name@main"]);
}

#[test]
fn a_paraphrase_is_supported_and_its_contrary_is_not() {
    if !models_installed() {
        return;
    }
    let report = Workplace::new().verify(
        OFFICE,
        "The committee meets on Tuesdays. The ferry transported people and vehicles. The committee never meets on a Tuesday.",
    );
    assert_eq!(labels(&report)[..2], ["supported", "supported"], "{report:#}");
    assert_ne!(labels(&report)[2], "supported");
    assert!(report["claims"][0]["evidence"][0]["quote"].as_str().unwrap().contains("every Tuesday"));
}

/// Fifty passages about other things neither turn a verdict nor move its confidence, wherever they stand.
#[test]
fn unrelated_evidence_does_not_drift_the_confidence() {
    if !models_installed() {
        return;
    }
    let place = Workplace::new();
    let unrelated: Vec<String> = (0..50)
        .map(|n| format!("Glacier number {n} lost some of its ice in the warm summers. Its stream feeds a lake with clear water.\n\n"))
        .collect();
    let claim = "The committee meets on Tuesdays.";
    let alone = place.verify(OFFICE, claim);
    let confidence = |report: &Value| report["claims"][0]["confidence"].as_f64().unwrap();
    for context in [format!("{OFFICE}\n\n{}", unrelated.concat()), format!("{}{OFFICE}", unrelated.concat())] {
        let among = place.verify(&context, claim);
        assert_eq!(labels(&among), labels(&alone));
        assert!(
            (confidence(&among) - confidence(&alone)).abs() < 0.05,
            "{} {}",
            confidence(&among),
            confidence(&alone)
        );
    }
}

/// What says nothing about a claim neither supports nor contradicts it, whatever the model makes of it.
#[test]
fn sources_about_other_things_leave_general_claims_open() {
    if !models_installed() {
        return;
    }
    let contexts = [
        OFFICE,
        "The lease runs for five years. Rent is due on the first of each month. Small repairs are paid by the tenant.",
        "Torvik is a village by the fjord. It has 900 inhabitants. A ferry runs twice a day in summer.",
        "The pump switches itself off when the tank is empty. A red lamp then lights. Press the button to start it again.",
        "Ines Prado won the regatta in 1998. She later coached the national team. Her sister raced for another club.",
        "The board met in March. It approved the budget and put off the vote on the new building.",
        "A mule carries salt over the pass.",
        "It failed within a month. Nobody asked for it again.",
    ];
    let claims = [
        "Water boils at a lower temperature on high mountains.",
        "Honey keeps for a very long time.",
        "The museum is closed for repairs.",
        "Bees are disappearing.",
        "Cats sleep during most of the day.",
        "There is an airport near the city.",
        "Vitamin C cures the common cold.",
        "The company employs several thousand people.",
        "Photosynthesis takes place in leaves.",
        "The moon moves slowly away from the earth.",
        "The king abdicated in favour of his brother.",
        "Most of the forest burned down.",
        "Nobody knows who painted the portrait.",
        "Sharks do not get cancer.",
        "The castle is haunted.",
    ];
    let rows = contexts.iter().flat_map(|context| claims.iter().map(move |claim| (context, claim)));
    let lines: Vec<String> = rows
        .enumerate()
        .map(|(n, (context, claim))| {
            serde_json::json!({ "id": n.to_string(), "context": context, "claim": claim, "label": "neutral" })
                .to_string()
        })
        .collect();
    let place = Workplace::new();
    place.write("rows.jsonl", lines.join("\n"));
    place.well(&["eval", "pairs", "rows.jsonl", "--predictions", "said.jsonl", "--baselines", "none"]);
    let said = std::fs::read_to_string(place.path("said.jsonl")).unwrap();
    let decided: Vec<&str> = said.lines().filter(|line| !line.contains(r#""label":"not_enough_info""#)).collect();
    assert_eq!(said.lines().count(), lines.len());
    assert!(decided.is_empty(), "{}", decided.join("\n"));
}
