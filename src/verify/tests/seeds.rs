//! The predecessors' own examples, with the right answer where theirs was wrong.

use super::support::{answer, check, label};
use crate::verify::Label::{self, Conflicting, Contradicted, NotEnoughInfo, Supported};

const BASIC: &str = "BASIC is a programming language. It was created in 1964 by John Kemeny and Thomas Kurtz at Dartmouth College. \
    BASIC was designed for students, ran on a time-sharing system and was often run by interpreters.";

#[test]
fn a_wrong_builder_year_or_place_is_contradicted() {
    let tower = ["The Eiffel Tower was built in 1889 by Gustave Eiffel in Paris."];
    assert_eq!(label(&tower, "The Eiffel Tower was built in 1887."), Contradicted);
    assert_eq!(label(&tower, "The Eiffel Tower was built by Gustave Eiffel."), Supported);
    assert_eq!(label(&tower, "The Eiffel Tower was built in Lyon."), Contradicted);
}

#[test]
fn years_are_compared_and_not_only_small_numbers() {
    assert_eq!(label(&[BASIC], "BASIC was created in 1964."), Supported);
    assert_eq!(label(&[BASIC], "BASIC was created in 1972 at Dartmouth College."), Contradicted);
}

#[test]
fn another_university_in_the_same_slot_is_contradicted() {
    assert_eq!(label(&[BASIC], "BASIC was created at Harvard University."), Contradicted);
    assert_eq!(label(&[BASIC], "John Kemeny created BASIC at Dartmouth in 1964."), Supported);
}

#[test]
fn what_the_sources_do_not_say_is_not_supported() {
    for claim in ["BASIC was created in Germany.", "BASIC made programming easier.", "BASIC was not created by NASA."] {
        assert_ne!(label(&[BASIC], claim), Supported, "{claim}");
    }
    assert_eq!(label(&[BASIC], "BASIC made programming easier."), NotEnoughInfo);
}

#[test]
fn a_denied_truth_is_contradicted() {
    assert_eq!(label(&[BASIC], "BASIC was not created in 1964."), Contradicted);
    let firm = ["The company employs 1200 people in Oslo and made 350 tonnes of steel."];
    assert_eq!(label(&firm, "The company does not employ 1200 people."), Contradicted);
}

#[test]
fn numbers_that_look_like_years_or_days_are_compared() {
    let firm = ["The company employs 1200 people in Oslo.", "The plant made 350 tonnes of steel."];
    for claim in [
        "The company employs 1500 people.",
        "The company employs 9000 people.",
        "The plant made 30 tonnes of steel.",
        "The company employs 1,500 people.",
    ] {
        assert_eq!(label(&firm, claim), Contradicted, "{claim}");
    }
    assert_eq!(label(&firm, "The company employs 1,200 people."), Supported);
    assert_eq!(label(&firm, "The company employs 1200 people in Bergen."), Contradicted);
}

#[test]
fn percentages_and_ranges_are_claims_and_no_arithmetic() {
    let context = ["The mill raised its output by 20 percent in 1987. In 2019-2020 Paris hosted 30 major events."];
    assert_eq!(label(&context, "The mill raised its output by 20 percent in 1987."), Supported);
    assert_eq!(label(&context, "In 2019-2020 Paris hosted 30 major events."), Supported);
}

#[test]
fn a_neighbours_number_does_not_contradict_a_verbatim_sentence() {
    let text =
        "Lot 100 was sold in May. Lot 101 was sold in June. The red bus seats 48 people. The blue bus seats 52 people.";
    for sentence in [
        "Lot 100 was sold in May.",
        "Lot 101 was sold in June.",
        "The red bus seats 48 people.",
        "The blue bus seats 52 people.",
    ] {
        assert_eq!(label(&[text], sentence), Supported, "{sentence}");
    }
}

#[test]
fn a_law_enacted_in_another_year_by_another_president() {
    let law = ["The LGPD was enacted on 14 August 2018 by President Michel Temer."];
    assert_eq!(label(&law, "The LGPD was enacted in 2015."), Contradicted);
    assert_eq!(label(&law, "The LGPD was enacted in August 2018."), Supported);
    let lei = ["A LGPD foi sancionada em 14/8/2018 pelo presidente Michel Temer."];
    assert_eq!(label(&lei, "A LGPD foi sancionada em 2015."), Contradicted);
}

#[test]
fn boiling_water_is_not_fifty_degrees() {
    assert_eq!(label(&["Water boils at 100 °C at sea level."], "Water boils at 50 °C at sea level."), Contradicted);
}

#[test]
fn units_and_currencies_are_told_apart() {
    let facts = [
        "The Mars container weighs 10 kg.",
        "Mount Everest is 8849 m high.",
        "Product A costs 19 USD.",
        "Product B costs 25 USD.",
    ];
    assert_eq!(label(&facts, "The Mars container weighs 10 pounds."), Contradicted);
    assert_eq!(label(&facts, "Mount Everest is 8849 miles high."), Contradicted);
    assert_eq!(label(&facts, "Product A costs 19 EUR."), Contradicted);
    assert_eq!(label(&facts, "The Mars container weighs 10000 grams."), Supported);
    assert_eq!(label(&facts, "Product C costs 31 USD."), NotEnoughInfo);
    assert_eq!(label(&facts, "Product B costs 25 USD."), Supported);
}

#[test]
fn each_discovery_belongs_to_its_discoverer() {
    let facts =
        ["Penicillin was discovered by Alexander Fleming in 1928.", "Radium was discovered by Marie Curie in 1898."];
    assert_eq!(label(&facts, "Penicillin was discovered by Alexander Fleming."), Supported);
    for claim in [
        "Penicillin was discovered in 1935.",
        "Radium was discovered in 1905.",
        "Penicillin was discovered by Marie Curie.",
        "Radium was discovered by Alexander Fleming.",
    ] {
        assert_eq!(label(&facts, claim), Contradicted, "{claim}");
    }
    assert_ne!(label(&facts, "Penicillin was discovered by Ada Lovelace."), Supported);
}

#[test]
fn reports_are_not_mixed() {
    let facts = [
        "Report Alpha says that Northwind had revenue of 10 and profit of 4.",
        "Report Beta says that Northwind had revenue of 12 and profit of 5.",
    ];
    assert_eq!(label(&facts, "Report Alpha says that Northwind had revenue of 10."), Supported);
    assert_eq!(label(&facts, "Report Alpha says that Northwind had revenue of 12."), Contradicted);
    assert_eq!(label(&facts, "Report Beta says that Northwind had revenue of 10."), Contradicted);
    assert_ne!(label(&facts, "Report Gamma says that Northwind had revenue of 10."), Supported);
}

#[test]
fn a_current_state_is_supported_with_a_warning() {
    let verdict = check(
        &["As of 2024 the status of Helios is active. The current release is 3.2."],
        "The current release is 3.2.",
    );
    assert_eq!(verdict.label, Supported);
    assert!(verdict.warnings.iter().any(|warning| warning.code == "time_sensitive"));
}

#[test]
fn arithmetic_is_computed() {
    let labels =
        |text: &str| -> Vec<Label> { answer(&["Nothing."], text).claims.iter().map(|c| c.verdict.label).collect() };
    assert_eq!(labels("2+2=4"), [Supported]);
    assert_eq!(labels("2+2=5"), [Contradicted]);
    let verification = answer(&["Nothing."], "2+2=5");
    assert_eq!(verification.claims[0].verdict.proofs[0].result, "4");
    assert!(!labels("__import__('os') = 1").contains(&Supported));
}

#[test]
fn a_row_of_a_plain_table_is_evidence() {
    let cities = ["Paris, France, 2148000\nTokyo, Japan, 14000000\nLima, Peru, 9752000"];
    assert_ne!(label(&cities, "Lima is in Japan."), Supported);
}

#[test]
fn an_empty_answer_has_no_claims() {
    assert!(answer(&[BASIC], "").claims.is_empty());
    assert!(answer(&[BASIC], " \n ").claims.is_empty());
}

#[test]
fn a_conflict_shows_both_sides() {
    let verdict = check(&["The bridge opened in 1931.", "The bridge opened in 1934."], "The bridge opened in 1931.");
    assert_eq!(verdict.label, Conflicting);
    assert_eq!(verdict.evidence.len(), 2);
}
