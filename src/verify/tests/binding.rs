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
            matches!(label, Label::Supported | Label::PartiallySupported)
                .then(|| format!("{label:?}: {claim} <- {source}"))
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

const K2_ONLY: &str = "Only the K2 Pro can be controlled with the app.";
const PLANT: &str = "If sales recover, the company will open a second plant in 2026.";

#[test]
fn what_is_exclusive_or_conditional_is_not_stated() {
    none_supported(&[
        (K2_ONLY, "The K2 can be controlled with the app."),
        (K2_ONLY, "K2 can be controlled with the app."),
        (PLANT, "The company opened a second plant in 2026."),
        (PLANT, "The company will open a second plant in 2026."),
    ]);
    all_supported(&[
        (K2_ONLY, "The K2 Pro can be controlled with the app."),
        (PLANT, "If sales recover, the company will open a second plant in 2026."),
    ]);
}

const TOWER: &str = "The bridge is 340 m long.";

#[test]
fn questions_and_other_dimensions_and_currencies_do_not_support() {
    none_supported(&[
        ("Can I put the kettle in the dishwasher?", "The kettle can be put in the dishwasher."),
        ("Can I put the kettle in the dishwasher?", "I can put the kettle in the dishwasher."),
        ("The kettle is safe?", "The kettle is safe."),
        (TOWER, "The bridge is 340 m high."),
        (TOWER, "The bridge has a height of 340 m."),
        ("The company had revenue of $5.2 billion in 2020.", "The company had revenue of €5.2 billion."),
        ("The company had revenue of $5.2 billion in 2020.", "The company had revenue of €5.2 billion in 2020."),
    ]);
    all_supported(&[(TOWER, "The bridge is 340 m long.")]);
}

#[test]
fn a_model_is_not_its_namesake() {
    let both = "The K2 Pro has a power of 3,000 W. The K2 has 2,200 W.";
    none_supported(&[
        (both, "The K2 has 3,000 W."),
        (both, "K2 has a power of 3,000 W."),
        (both, "The K2 Pro has 2,200 W."),
    ]);
    all_supported(&[(both, "The K2 has 2,200 W."), (both, "The K2 Pro has a power of 3,000 W.")]);
}

#[test]
fn a_cell_belongs_to_its_column() {
    let table = "| Property | K2 | K2 Pro |\n|---|---|---|\n| Capacity | 1.7 l | 2.0 l |\n| Bluetooth | no | yes |\n";
    none_supported(&[
        (table, "The K2 has a capacity of 2.0 litres."),
        (table, "The K2 Pro has a capacity of 1.7 litres."),
        (table, "The K2 has Bluetooth."),
    ]);
    all_supported(&[
        (table, "The K2 has a capacity of 1.7 litres."),
        (table, "The K2 Pro has a capacity of 2.0 litres."),
        (table, "The K2 Pro has Bluetooth."),
    ]);
}

#[test]
fn values_stay_with_their_dates_and_verbs_with_their_subjects() {
    let rate = "Unemployment fell from 8.1% in 2010 to 5.2% in 2015.";
    let sales = "Sales were $5 million in 2019 and $7 million in 2020.";
    let firm = "Paula Hart, who founded the firm, sold it to Jon Lee in 2004.";
    let life = "Anna was born in 1902 and died in 1971.";
    none_supported(&[
        (rate, "Unemployment was 8.1% in 2015."),
        (sales, "Sales were $7 million in 2019."),
        (sales, "Sales were $5 million in 2020."),
        (firm, "Jon Lee sold the firm in 2004."),
        (life, "Anna died in 1902."),
        ("Tom Ray directed the film and Liz Orr produced it.", "Liz Orr directed the film."),
        ("The device shuts off if the tank is empty.", "The device shuts off."),
    ]);
    all_supported(&[
        (rate, "Unemployment fell to 5.2% in 2015."),
        (sales, "Sales were $5 million in 2019."),
        (life, "Anna was born in 1902."),
        (life, "Anna died in 1971."),
        ("The device shuts off if the tank is empty.", "The device shuts off when the tank is empty."),
    ]);
}
