//! Names, attributes and values that have changed places: what is said of one is not said of the other.

use super::support::label;
use crate::verify::Label::{Contradicted, NotEnoughInfo, Supported};

#[test]
fn two_names_in_each_others_place_are_a_contradiction() {
    for (context, claim) in [
        ("Ana Lund is the daughter of Eva Berg.", "Eva Berg is the daughter of Ana Lund."),
        ("The mill was moved from Arden to Brill in 1931.", "The mill was moved from Brill to Arden in 1931."),
        ("Just north of the Halden Tower is the Weaver Quarter.", "The Halden Tower is north of the Weaver Quarter."),
        (
            "Osraig was part of the kingdom of Munsel, and Osraig and Leinsel fought for a century.",
            "Munsel was part of the kingdom of Osraig, and Osraig and Leinsel fought for a century.",
        ),
        ("Ben Lund was the son of Isak Lund. He was educated at Halden Academy.", "Isak Lund was the son of Ben Lund."),
    ] {
        assert_eq!(label(&[context], claim), Contradicted, "{claim}");
    }
}

#[test]
fn what_holds_both_ways_round_is_no_contradiction() {
    for (context, claim) in [
        ("Ana Lund was nominated alongside Eva Berg.", "Eva Berg was nominated alongside Ana Lund."),
        ("Ana Lund is a cousin of Eva Berg.", "Eva Berg is a cousin of Ana Lund."),
        ("Arden lies near Brill.", "Brill lies near Arden."),
        ("Teal beat Moss in May, and Moss beat Teal in June.", "Moss beat Teal in June."),
    ] {
        assert_ne!(label(&[context], claim), Contradicted, "{claim}");
    }
}

#[test]
fn an_attribute_of_another_thing_is_not_stated() {
    for (context, claim) in [
        (
            "A person in a black jacket is doing tricks on a motorbike.",
            "A person on a black motorbike is doing tricks with a jacket.",
        ),
        ("A boy is watching a family that is hitting a ball.", "A family is watching a boy who is hitting a ball."),
        ("A player is kicking the ball out of the goal.", "A player is kicking the ball into the goal."),
    ] {
        assert_eq!(label(&[context], claim), NotEnoughInfo, "{claim}");
    }
    let painted = ["The painted wall was restored in 1931."];
    assert_eq!(label(&painted, "The wall was painted in 1931."), NotEnoughInfo);
    assert_eq!(label(&["The red brick wall is old."], "The old wall is of red brick."), Supported);
}

#[test]
fn each_of_two_values_stands_for_itself() {
    let cups = ["She won seven Norsel cups and eight Halden cups."];
    assert_ne!(label(&cups, "She won eight Norsel cups and eight Halden cups."), Supported);
    assert_eq!(label(&cups, "She won seven Norsel cups and eight Halden cups in all."), Supported);
    assert_ne!(label(&["The board has three members or fewer."], "The board has three members."), Supported);
}

#[test]
fn a_part_of_a_name_is_another_name() {
    assert_ne!(label(&["The Fox and the Owl is a poem by Ana Lund."], "The Fox is a poem by Ana Lund."), Supported);
    let firm = ["They were built by the Rockel Iron Company."];
    assert_ne!(label(&firm, "They were built by the Rockel Iron and Coal Company."), Supported);
}

#[test]
fn what_is_said_of_one_person_under_two_titles_holds_under_each() {
    let context = ["The former captain and broadcaster Alan Brook died at the age of 84."];
    assert_eq!(label(&context, "The former captain Alan Brook died at the age of 84."), Supported);
}

#[test]
fn a_name_that_stands_elsewhere_is_not_the_one_that_is_named_here() {
    let context = ["Ben Lund wrote the first volume. The prize was awarded to the novelist Olga Berg."];
    assert_ne!(label(&context, "The prize was awarded to the novelist Ben Lund."), Supported);
}

#[test]
fn what_is_not_going_to_be_will_not_be() {
    let context = ["A late payment is not going to be a high priority."];
    assert_eq!(label(&context, "A late payment will be a high priority."), Contradicted);
}

#[test]
fn dates_of_a_treebank_and_lists_of_decades_are_read() {
    let life = ["Alan Brook -LRB- April 8 , 1974 − February 2 , 2013 -RRB- was a veteran and sniper ."];
    assert_eq!(label(&life, "On February 2 , 2013 , Alan Brook died ."), Supported);
    assert_eq!(label(&life, "On February 2 , 2012 , Alan Brook died ."), Contradicted);
    let style = ["The style developed in the late 1960s and early 1970s in Arden."];
    assert_eq!(label(&style, "The style developed in the early 1970s in Arden."), Supported);
    assert_eq!(label(&style, "The style developed in the early 1950s in Arden."), Contradicted);
}
