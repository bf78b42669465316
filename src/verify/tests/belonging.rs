//! What belongs to what: the comparison with the one that is named, a verb and its own complement, "who" and its noun, one
//! and all.

use super::support::all_are;
use crate::verify::Label::{Contradicted, NotEnoughInfo, Supported};

#[test]
fn of_two_comparisons_the_one_with_the_named_counts() {
    all_are(
        Supported,
        &[
            ("Ann is older than Ben but younger than Kim.", "Kim is older than Ann."),
            ("Ann is older than Ben but younger than Kim.", "Ann is older than Ben."),
        ],
    );
    all_are(Contradicted, &[("Ann is older than Ben but younger than Kim.", "Ann is older than Kim.")]);
}

#[test]
fn a_complement_belongs_to_its_own_verb() {
    all_are(
        Supported,
        &[
            ("The clerk was acquitted of theft but convicted of forgery.", "The clerk was convicted of forgery."),
            ("The clerk was acquitted of theft but convicted of forgery.", "The clerk was acquitted of theft."),
        ],
    );
    all_are(
        NotEnoughInfo,
        &[
            ("The clerk was acquitted of theft but convicted of forgery.", "The clerk was convicted of theft."),
            (
                "The court fined Orbis in 2014. The Commission was ordered to pay the costs.",
                "Orbis has to pay the costs.",
            ),
        ],
    );
}

#[test]
fn who_stands_for_the_noun_before_it() {
    all_are(
        Supported,
        &[("The nurse thanked the doctor who had trained the student.", "The doctor had trained the student.")],
    );
    all_are(
        Contradicted,
        &[("The nurse thanked the doctor who had trained the student.", "The student trained the doctor.")],
    );
}

#[test]
fn one_is_not_several_and_a_share_is_not_all() {
    all_are(
        Supported,
        &[
            ("Luis Arce wrote his only opera at 42.", "Arce wrote an opera."),
            (
                "The state covers 60 percent of the building costs.",
                "The state covers 60 percent of the building costs.",
            ),
            ("The state covers 100 percent of the building costs.", "The state covers all of the building costs."),
        ],
    );
    all_are(
        Contradicted,
        &[
            ("Luis Arce wrote his only opera at 42.", "Arce wrote several operas."),
            ("The state covers 60 percent of the building costs.", "The state covers all of the building costs."),
        ],
    );
}

#[test]
fn what_is_sold_can_be_bought() {
    all_are(Contradicted, &[("Ann sold the mill to Ben.", "Ann bought the mill.")]);
    all_are(NotEnoughInfo, &[("The lamp is sold without a cable.", "The lamp can be bought without a cable.")]);
}
