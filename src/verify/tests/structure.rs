//! A claim must be put together as its sentence is: words that stand in other clauses, other roles or one of two offers
//! support nothing.

use super::support::{check, label};
use crate::verify::Label::{Contradicted, NotEnoughInfo, Supported};

/// None of these is supported by its context, and none may be called contradicted by mistake of another's value.
fn unsupported(context: &str, claims: &[&str]) {
    for claim in claims {
        assert_ne!(label(&[context], claim), Supported, "{claim}");
    }
}

fn supported(context: &str, claims: &[&str]) {
    for claim in claims {
        let verdict = check(&[context], claim);
        assert_eq!(verdict.label, Supported, "{claim}: {} {:#?}", verdict.reason, verdict.findings);
    }
}

#[test]
fn what_another_did_is_not_done_by_a_neighbour() {
    let opera = "Pieter Hals wrote the libretto and Clara Benn composed the music.";
    supported(opera, &["Clara Benn composed the music.", "Pieter Hals wrote the libretto."]);
    unsupported(opera, &["Pieter Hals composed the music.", "Clara Benn wrote the libretto."]);
    let charity = "Nadia Rahim, the mayor's sister, founded the charity with Tom Ellery; since 2018 it has been led by Ruth Cole.";
    unsupported(
        charity,
        &["Ruth Cole founded the charity.", "The charity is led by Tom Ellery.", "The mayor founded the charity."],
    );
}

#[test]
fn a_place_or_value_beyond_another_verb_belongs_to_that_verb() {
    let opera = "It premiered in Ghent, was revived in Lyon in 1934 and has not been staged since.";
    unsupported(opera, &["It premiered in Lyon."]);
    let buffer = "The default buffer size is 64 KiB and can be raised to 1 MiB.";
    unsupported(buffer, &["The default buffer size is 1 MiB."]);
    let leaf = "Chlorophyll absorbs mostly blue and red light and reflects green light.";
    supported(leaf, &["Chlorophyll reflects green light."]);
    unsupported(leaf, &["Chlorophyll absorbs mostly green light."]);
}

#[test]
fn the_second_of_two_verbs_has_the_same_subject() {
    let text = "Ms Okafor joined Larkfield Bank in 2009 and became its financial officer in 2016.";
    assert_eq!(label(&[text], "Okafor became its financial officer in 2016."), Supported);
    assert_eq!(label(&["The firm designed and built the pier."], "The firm built the pier."), Supported);
}

#[test]
fn voice_and_adjuncts_may_move() {
    let text = "The pier was built by Karl Brandt in 1931.";
    supported(
        text,
        &["Karl Brandt built the pier.", "In 1931, the pier was built by Karl Brandt.", "The pier was built in 1931."],
    );
}

#[test]
fn one_of_two_offers_is_not_stated() {
    unsupported("The school was founded in either 1912 or 1915.", &["The school was founded in 1915."]);
    assert_ne!(label(&["The school was founded in 1912 or 1915."], "The school was founded in 1914."), Supported);
    unsupported("Members must be born in Ireland or of Irish descent.", &["Members must be born in Ireland."]);
    supported("The pump is not loud or heavy.", &["The pump is not loud."]);
}

#[test]
fn a_value_of_several_is_not_that_of_one() {
    unsupported("The race is 26 miles and 385 yards long.", &["The race is 385 yards long."]);
    unsupported("The flood and the landslide killed 30 people.", &["The landslide killed 30 people."]);
    unsupported("Ana Roth and Leo Vance play Mia and Tom, respectively.", &["Ana Roth plays Tom."]);
}

#[test]
fn what_the_sentence_qualifies_is_not_stated_outright() {
    unsupported(
        "Mount Tavro is the second-highest peak in the range.",
        &["Mount Tavro is the highest peak in the range."],
    );
    unsupported("Karl Brandt is a former mayor of Halden.", &["Karl Brandt is a mayor of Halden."]);
    unsupported("The firm tried to win the contract in 1992.", &["The firm won the contract in 1992."]);
    unsupported("There is no evidence that the bridge was damaged.", &["The bridge was damaged."]);
    unsupported("The two girls sat behind the house.", &["The two girls sat in front of the house."]);
    unsupported("Two young people sat in the park.", &["Two old people sat in the park."]);
}

#[test]
fn a_name_of_which_only_a_part_stands_there_is_another() {
    unsupported(
        "Gilbert coached Franklin and Marshall College in 1938.",
        &["Gilbert coached Franklin College in 1938."],
    );
}

#[test]
fn values_go_with_their_own_dates() {
    let sales = ["Sales were $5 million in 2019 and $7 million in 2020."];
    assert_eq!(label(&sales, "Sales were $7 million in 2020."), Supported);
    assert_eq!(label(&sales, "Sales were $5 million in 2020."), Contradicted);
    assert_eq!(label(&sales, "Sales were $6 million in 2020."), Contradicted);
}

#[test]
fn another_subject_refutes_nothing() {
    let text = ["Queen Aldith reigned until 1231. Her eldest son died in battle in 1229."];
    assert_ne!(label(&text, "Queen Aldith died in 1231."), Contradicted);
    assert_ne!(label(&text, "Queen Aldith reigned until 1229."), Supported);
    assert_eq!(label(&["Bats are mammals. Penguins are birds that cannot fly."], "Bats are birds."), NotEnoughInfo);
}

#[test]
fn citations_are_not_read_as_facts() {
    supported(
        "The bridge opened in 1931 [4].",
        &["The bridge opened in 1931 [2].", "The bridge opened in 1931 (source: city archive, 1950)."],
    );
    assert_eq!(label(&["The bridge opened in 1931.[12]"], "The bridge opened in 1941.[1]"), Contradicted);
}

#[test]
fn the_portuguese_no_denies_nothing() {
    supported("Uma menina está pulando no carro da escola.", &["Uma menina está pulando no carro."]);
    assert_eq!(label(&["Não tem nenhuma mulher cozinhando ovos."], "Uma mulher está cozinhando ovos."), Contradicted);
}

#[test]
fn a_comma_and_a_verb_begin_another_statement() {
    supported("The array has 24 dishes, and each dish is 9 m wide.", &["The array has 24 dishes."]);
    unsupported("The flood, the fire, and the landslide killed 30 people.", &["The landslide killed 30 people."]);
}

#[test]
fn an_owner_may_stand_before_what_it_owns() {
    let office = "The office of the Brandt Group is in Halden.";
    supported("The Brandt Group is a company with its office in Halden.", &[office]);
    unsupported("The Brandt Group bought Vane Hotels with its office in Halden.", &[office]);
}

#[test]
fn a_length_refutes_no_height() {
    let bridge = ["The Ilva bridge is 340 m long and 43 m high."];
    assert_eq!(label(&bridge, "The Ilva bridge is 34 m high."), Contradicted);
    assert_eq!(label(&["The Ilva bridge is 340 m long."], "The Ilva bridge is 430 m high."), NotEnoughInfo);
    let told = ["The Ilva bridge opened in 1931. It is 340 m long."];
    assert_eq!(label(&told, "The Ilva bridge is 430 m long."), Contradicted);
}
