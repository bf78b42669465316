//! What the checks are to tell apart, kind by kind, each with a true and a false claim.

use super::support::{check, label};
use crate::verify::Label::{self, Contradicted, NotEnoughInfo, Supported};

/// Asserts the label of each claim against one context.
fn assert_labels(context: &str, expected: &[(&str, Label)]) {
    for (claim, expected) in expected {
        assert_eq!(label(&[context], claim), *expected, "{context} / {claim}");
    }
}

#[test]
fn negations_have_their_scope() {
    assert_labels(
        "The hut has no running water.",
        &[
            ("The hut lacks running water.", Supported),
            ("The hut is without running water.", Supported),
            ("The hut has running water.", Contradicted),
        ],
    );
    assert_labels(
        "The ferry no longer stops at Brill.",
        &[("The ferry stops at Brill.", Contradicted), ("The ferry does not stop at Brill.", Supported)],
    );
    assert_labels(
        "The mill was never restored.",
        &[("The mill was restored.", Contradicted), ("The mill was not restored.", Supported)],
    );
    assert_labels(
        "It is not true that the mill was not restored.",
        &[("The mill was restored.", Supported), ("The mill was not restored.", Contradicted)],
    );
}

#[test]
fn quantifiers_and_bounds_limit_what_is_said() {
    assert_labels(
        "All members voted yes.",
        &[("Some members voted yes.", Supported), ("No members voted yes.", Contradicted)],
    );
    assert_labels("Some members voted yes.", &[("All members voted yes.", NotEnoughInfo)]);
    assert_labels("The vote was unanimous.", &[("The vote was not unanimous.", Contradicted)]);
    assert_labels(
        "The hall seats at most 300 people.",
        &[("The hall seats up to 300 people.", Supported), ("The hall seats 500 people.", Contradicted)],
    );
    assert_labels("The shop sells bread and milk.", &[("The shop sells only bread.", NotEnoughInfo)]);
}

#[test]
fn comparisons_and_directions_have_a_side() {
    assert_labels(
        "Exports rose in 2019.",
        &[("Exports increased in 2019.", Supported), ("Exports fell in 2019.", Contradicted)],
    );
    assert_labels(
        "The north tower is taller than the south tower.",
        &[("The south tower is taller than the north tower.", Contradicted)],
    );
    assert_labels("Arden has more residents than Brill.", &[("Brill has more residents than Arden.", Contradicted)]);
}

#[test]
fn what_may_be_or_was_foretold_is_no_fact() {
    assert_labels(
        "The bridge may close in June.",
        &[("The bridge will close in June.", NotEnoughInfo), ("The bridge might close in June.", Supported)],
    );
    assert_labels(
        "The mayor said that the bridge would close in June.",
        &[("The bridge closed in June.", NotEnoughInfo)],
    );
}

#[test]
fn values_that_follow_from_two_stated_ones_are_supported_with_their_computation() {
    for (context, claim, result) in [
        ("The fee rose from 40 euros to 50 euros.", "The fee rose by 25%.", "25"),
        ("The fee rose from 40 euros to 50 euros.", "The fee rose by 10 euros.", "10"),
    ] {
        let verdict = check(&[context], claim);
        assert_eq!(verdict.label, Supported, "{claim}: {}", verdict.reason);
        assert!(verdict.proofs.iter().any(|proof| proof.result.starts_with(result)), "{claim}: {:?}", verdict.proofs);
    }
    assert_eq!(label(&["The fee rose from 40 euros to 50 euros."], "The fee rose by 20 euros."), Contradicted);
}

#[test]
fn a_quotation_must_be_verbatim() {
    assert_labels(
        "The mayor called the plan \"a costly mistake\".",
        &[
            ("The mayor called the plan \"a costly mistake\".", Supported),
            ("The mayor called the plan \"a wise decision\".", NotEnoughInfo),
        ],
    );
}

#[test]
fn numbers_are_the_same_in_any_writing() {
    for (context, claim, expected) in [
        ("12,34,567 people voted.", "1,234,567 people voted.", Supported),
        ("1'234'567 people voted.", "1.234.567 people voted.", Supported),
        ("The plant cost ₹4 crore.", "The plant cost ₹40 million.", Supported),
        ("The plant cost ₹4 crore.", "The plant cost ₹4 million.", Contradicted),
        ("A obra custou 2 mil milhões de euros.", "A obra custou dois mil milhões de euros.", Supported),
        ("A obra custou 2 mil milhões de euros.", "A obra custou 2 milhões de euros.", Contradicted),
        ("One in four pupils cycles.", "25% of pupils cycle.", Supported),
        ("The song was written in the 1980s.", "The song was written in 1987.", NotEnoughInfo),
        ("The song was written on 3 March 1987.", "The song was written in the 1980s.", Supported),
        ("Sales fell in the third quarter of 2022.", "Sales fell in Q3 2022.", Supported),
        ("Sales fell in the third quarter of 2022.", "Sales fell in Q2 2022.", Contradicted),
    ] {
        assert_eq!(label(&[context], claim), expected, "{context} / {claim}");
    }
}
