//! Rewrites that keep the meaning, and plain errors, that a reader would settle at once.

use super::support::{check, label, passage, verifier};
use crate::evidence::Evidence;
use crate::verify::Label::{Conflicting, Contradicted, NotEnoughInfo, Supported};

fn titled(title: &str, text: &str) -> Evidence {
    Evidence { title: Some(title.to_owned()), ..passage("article", text) }
}

fn label_titled(title: &str, text: &str, stated: &str) -> crate::verify::Label {
    verifier(vec![titled(title, text)]).verify_claim(&super::support::claim(stated)).label
}

#[test]
fn a_firm_after_by_is_the_agent_whatever_words_introduce_it() {
    let text = "The hull was laid down in 1931 by Brack Ironworks and finished in ten months.";
    let other = "The hull of the Grey Heron was laid down by the firm Oster & Lund.";
    let same = "The hull of the Grey Heron was laid down by the firm Brack Ironworks.";
    assert_eq!(label_titled("The Grey Heron", text, other), Contradicted);
    assert_eq!(label_titled("The Grey Heron", text, same), Supported);
    assert_eq!(
        label_titled("The Grey Heron", text, "The hull of the Grey Heron was painted by the firm Oster & Lund."),
        NotEnoughInfo
    );
}

#[test]
fn the_same_number_in_another_unit_contradicts_under_a_title_that_names_the_thing() {
    let text = "The track is 4.6 km long and drops 310 m.";
    assert_eq!(label_titled("The sledge run at Holm", text, "The sledge run track is 4.6 miles long."), Contradicted);
    assert_eq!(label_titled("The sledge run at Holm", text, "The sledge run track is 4.6 km long."), Supported);
    assert_eq!(label_titled("The sledge run at Holm", text, "The sledge run track drops 310 m."), Supported);
}

#[test]
fn two_sources_with_other_counts_for_one_year_conflict() {
    let contexts = [
        "Dear members, the reading room of Oak Hall counted 3,140 guests in 2021.",
        "The reading room of Oak Hall counted 4,310 guests in 2021. That was a record.",
    ];
    let verdict = check(&contexts, "The reading room counted 3,140 guests in 2021.");
    assert_eq!(verdict.label, Conflicting);
    assert_eq!(verdict.evidence.len(), 2);
    let years = [contexts[0], "The reading room of Oak Hall counted 4,310 guests in 2020."];
    assert_eq!(label(&years, "The reading room counted 3,140 guests in 2021."), Supported);
}

#[test]
fn a_work_that_was_created_was_developed() {
    let context = ["Corvid is a query language. It was created in 1988 by Ana Reyes."];
    assert_eq!(label(&context, "Corvid was developed in 1988."), Supported);
    assert_eq!(label(&context, "Corvid was developed in 1998."), Contradicted);
}

#[test]
fn the_current_release_is_the_latest_one() {
    let context = ["The current release is 3.2."];
    assert_eq!(label(&context, "The latest release is 3.2."), Supported);
    assert_eq!(label(&context, "The latest release is 3.4."), Contradicted);
}

#[test]
fn what_a_report_states_it_says() {
    let context = ["The filing says that revenue was 10 USD."];
    assert_eq!(label(&context, "The filing states that revenue was 10 USD."), Supported);
    assert_eq!(label(&context, "The filing states that revenue was 12 USD."), Contradicted);
}

#[test]
fn a_current_status_is_what_a_thing_is() {
    let context = ["Helios is active as of 2024."];
    assert_eq!(label(&context, "The current status of Helios is active."), Supported);
    assert_eq!(label(&context, "The current status of Helios is inactive."), Contradicted);
}

#[test]
fn a_row_is_read_with_the_header_of_its_table() {
    let table = "city,country,population\nOslo,Norway,717710\nLima,Peru,9752000\n";
    assert_eq!(label(&[table], "The population of Lima is 9752000."), Supported);
    assert_eq!(label(&[table], "The population of Lima is 9257000."), Contradicted);
    assert_ne!(label(&[table], "The population of Oslo is 9752000."), Supported);
}

#[test]
fn another_discoverer_or_president_is_contradicted() {
    let radium =
        ["Radium was discovered in 1898 by Marie Curie and Pierre Curie. Penicillin was discovered by Fleming."];
    assert_eq!(label(&radium, "Fleming discovered radium."), Contradicted);
    assert_eq!(label(&radium, "Marie Curie discovered radium."), Supported);
    let act = ["The Harbour Act was enacted on 14 August 2018 by President Temer."];
    assert_eq!(label(&act, "The Harbour Act was enacted in 2015 under President Rousseff."), Contradicted);
    assert_eq!(label(&act, "The Harbour Act was enacted in 2018 under President Temer."), Supported);
}

#[test]
fn one_of_a_closed_set_excludes_the_others() {
    for (source, other) in [
        ("The sky is blue.", "The sky is green."),
        ("The door of the chapel is red.", "The door of the chapel is yellow."),
        ("The market is held on Thursday.", "The market is held on Tuesday."),
        ("The village lies north of the lake.", "The village lies east of the lake."),
        ("The festival takes place in June.", "The festival takes place in July."),
    ] {
        assert_eq!(label(&[source], other), Contradicted, "{other}");
        assert_eq!(label(&[source], source), Supported, "{source}");
    }
    let flag = ["The flag is blue and yellow."];
    assert_eq!(label(&flag, "The flag is yellow."), Supported);
    assert_ne!(label(&flag, "The flag is blue."), Contradicted);
    assert_ne!(label(&["The house has a green roof and a white door."], "The house has a white roof."), Supported);
}

#[test]
fn a_reason_says_what_is_denied_what_differs_and_what_is_missing() {
    let reason = |context: &str, stated: &str| check(&[context], stated).reason;
    let negation = reason("The archive was damaged by the flood.", "The archive was not damaged by the flood.");
    assert_eq!(negation, "the claim denies what a source states (\"damaged\")");
    let affirmed = reason("The archive was not damaged by the flood.", "The archive was damaged by the flood.");
    assert_eq!(affirmed, "a source denies what the claim states (\"damaged\")");
    let unit = reason("The pier is 540 m long.", "The pier is 540 km long.");
    assert_eq!(unit, "another unit: the claim says \"540 km long\", a source says \"540 m long\"");
    let missing = reason("The pier was opened in 1931.", "The pier was opened in 1931 by Karl Brandt.");
    assert_eq!(missing, "the sources do not name \"Karl Brandt\" here");
}
