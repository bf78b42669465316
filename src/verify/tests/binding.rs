//! Words that all stand in the source, but bound to other things.

use super::support::label;
use crate::verify::Label;

/// Claims that the source does not support although it holds their words; all wrong ones at once.
#[track_caller]
fn none_supported(cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(source, claim)| {
            let label = label(&[source], claim);
            println!("{label:?}: {claim} <- {source}");
            matches!(label, Label::Supported | Label::PartiallySupported).then(|| format!("{label:?}: {claim} <- {source}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[track_caller]
fn all_supported(cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .map(|(source, claim)| (label(&[source], claim), claim, source))
        .filter(|(label, ..)| *label != Label::Supported)
        .map(|(label, claim, source)| format!("{label:?}: {claim} <- {source}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const TICKETS: &str = "Tickets cost 12 euros for adults and 6 euros for children.";
const EXPORTS: &str = "Denmark exported 40 tonnes and Sweden exported 70.";
const MUSEUM: &str = "The museum opened in 1950, closed in 1999 and reopened in 2005.";
const MONEY: &str = "Company X had revenue of $5.2 billion in 2020 and profit of $1.1 billion.";
const NOVEL: &str = "Alice Meyer wrote the novel, and Bob Stone translated it.";
const OFFICE: &str = "Marieke Vos stepped down as chief executive in 2019; Sofia Almeida succeeded her.";
const DEATHS: &str = "The drug reduced mortality from 12% to 9%.";

#[test]
fn a_value_of_another_segment_does_not_support() {
    none_supported(&[
        (TICKETS, "Tickets cost 6 euros for adults."),
        (TICKETS, "Tickets cost 12 euros for children."),
        (EXPORTS, "Denmark exported 70 tonnes."),
        (EXPORTS, "Sweden exported 40 tonnes."),
        (MUSEUM, "The museum closed in 1950."),
        (MUSEUM, "The museum reopened in 1999."),
        (MUSEUM, "The museum opened in 2005."),
        (MONEY, "Company X had a profit of $5.2 billion."),
        (MONEY, "Company X had revenue of $1.1 billion."),
        (DEATHS, "The drug reduced mortality from 9% to 12%."),
        ("Rents rose by 5% in Lyon, while wages rose by 2% in Lille.", "Rents rose by 2%."),
        ("In 1990 the firm moved to Leeds, and in 1995 it moved to York.", "The firm moved to Leeds in 1995."),
    ]);
}

#[test]
fn a_value_of_its_own_segment_supports() {
    all_supported(&[
        (TICKETS, "Tickets cost 12 euros for adults."),
        (TICKETS, "Tickets cost 6 euros for children."),
        (EXPORTS, "Denmark exported 40 tonnes."),
        (MUSEUM, "The museum opened in 1950."),
        (MUSEUM, "The museum closed in 1999."),
        (MUSEUM, "The museum reopened in 2005."),
        (MUSEUM, "The museum opened in 1950 and closed in 1999."),
        (MONEY, "Company X had revenue of $5.2 billion."),
        (MONEY, "Company X had a profit of $1.1 billion."),
        (DEATHS, "The drug reduced mortality from 12% to 9%."),
    ]);
}

#[test]
fn what_another_did_does_not_support() {
    none_supported(&[
        (NOVEL, "Bob Stone wrote the novel."),
        (NOVEL, "Alice Meyer translated the novel."),
        (OFFICE, "Marieke Vos became chief executive in 2019."),
        (OFFICE, "Sofia Almeida stepped down in 2019."),
        (OFFICE, "Sofia Almeida stepped down as chief executive in 2019."),
    ]);
    all_supported(&[
        (NOVEL, "Alice Meyer wrote the novel."),
        (OFFICE, "Marieke Vos stepped down as chief executive in 2019."),
    ]);
}

const DEAL: &str = "Lumora acquired the Danish company Kvern in 2016.";

#[test]
fn roles_are_told_apart_through_attributes() {
    assert_eq!(label(&[DEAL], "Kvern acquired Lumora in 2016."), Label::Contradicted);
    assert_eq!(label(&[DEAL], "Lumora acquired Kvern in 2016."), Label::Supported);
    assert_eq!(label(&[DEAL], "Kvern was acquired by Lumora in 2016."), Label::Supported);
    none_supported(&[
        (DEAL, "Lumora was acquired by Kvern in 2016."),
        ("Lumora bought its smaller rival Kvern.", "Kvern bought Lumora."),
    ]);
}
