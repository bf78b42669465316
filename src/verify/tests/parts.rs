//! Numbers that a sentence tells in other words: parts of a whole, distances, times of day, frequencies, dozens.

use super::support::{all_are, check};
use crate::verify::Label::{Contradicted, Supported};

#[test]
fn the_number_of_a_part_is_not_that_of_the_whole_and_the_rest_can_be_computed() {
    all_are(
        Supported,
        &[
            ("Half of the 48 rooms are booked.", "24 rooms are booked."),
            ("A third of the 90 pupils walk to school.", "30 pupils walk to school."),
            ("A quarter of the 200 boats are old.", "50 boats are old."),
            ("25% of the 200 boats are old.", "50 boats are old."),
            ("Of the 120 tickets, 90 were sold.", "30 tickets were not sold."),
            ("Of the 120 tickets, 90 were sold.", "90 tickets were sold."),
            ("The firm employs 900 people, 300 of them in Spain.", "The firm employs 300 people in Spain."),
            ("The club has 300 members, 120 of whom are women.", "180 members are not women."),
            ("The fire destroyed 40 of the 65 houses.", "25 houses were not destroyed."),
            ("The fire destroyed 40 of the 65 houses.", "The fire destroyed 40 houses."),
        ],
    );
    all_are(
        Contradicted,
        &[
            ("Half of the 48 rooms are booked.", "30 rooms are booked."),
            ("Half of the 48 rooms are booked.", "48 rooms are booked."),
            ("A third of the 90 pupils walk to school.", "45 pupils walk to school."),
            ("25% of the 200 boats are old.", "80 boats are old."),
            ("Of the 120 tickets, 90 were sold.", "40 tickets were not sold."),
            ("Of the 120 tickets, 90 were sold.", "120 tickets were sold."),
            ("The firm employs 900 people, 300 of them in Spain.", "The firm employs 300 people in total."),
            ("The fire destroyed 40 of the 65 houses.", "The fire destroyed 65 houses."),
        ],
    );
}

#[test]
fn the_number_of_one_thing_is_not_that_of_its_neighbour() {
    all_are(Supported, &[("The clinic has 14 nurses and 50 beds.", "The clinic has 14 nurses.")]);
    all_are(
        Contradicted,
        &[
            ("The clinic has 14 nurses and 50 beds.", "The clinic has 50 nurses."),
            ("The clinic has 14 nurses and 50 beds.", "The clinic has 14 beds."),
        ],
    );
}

#[test]
fn a_value_told_by_its_distance_from_another_is_computed() {
    all_are(
        Supported,
        &[
            ("The tower is 90 m tall, 15 m less than the cathedral.", "The tower is 90 m tall."),
            ("The tower is 90 m tall, 15 m less than the cathedral.", "The cathedral is 105 m tall."),
        ],
    );
    all_are(Contradicted, &[("The tower is 90 m tall, 15 m less than the cathedral.", "The cathedral is 90 m tall.")]);
}

#[test]
fn a_time_of_day_is_the_same_in_either_clock() {
    all_are(
        Supported,
        &[
            ("The train departs at 14:30.", "The train departs at 2:30 p.m."),
            ("The train departs at 2:30 pm.", "The train departs at 14:30."),
            ("The office closes at noon.", "The office closes at 12:00."),
            ("The gate opens at midnight.", "The gate opens at 0:00."),
            ("The film starts at 20:15.", "The film starts at 8:15 in the evening."),
            ("The shop opens at 9 a.m.", "The shop opens at 9:00."),
            ("The shop opens at 9 in the morning.", "The shop opens at 9 a.m."),
            ("The shop closes at 7 p.m.", "The shop closes at 19:00."),
        ],
    );
    all_are(
        Contradicted,
        &[
            ("The train departs at 14:30.", "The train departs at 4:30 p.m."),
            ("The shop closes at 7 p.m.", "The shop closes at 18:00."),
        ],
    );
}

#[test]
fn a_frequency_is_the_same_in_other_words() {
    all_are(
        Supported,
        &[
            ("Take one tablet every 8 hours.", "Take one tablet three times a day."),
            ("The syrup is taken every 12 hours.", "The syrup is taken twice a day."),
            ("The journal appears every two months.", "The journal appears six times a year."),
            ("Reports are published quarterly.", "Reports are published every three months."),
            ("The bin is emptied every other week.", "The bin is emptied every two weeks."),
            ("The bin is emptied every two weeks.", "The bin is emptied every fortnight."),
        ],
    );
    all_are(
        Contradicted,
        &[
            ("Take one tablet every 8 hours.", "Take one tablet twice a day."),
            ("The choir rehearses on Mondays and Thursdays.", "The choir rehearses three times a week."),
        ],
    );
}

#[test]
fn dozens_and_durations_are_converted() {
    all_are(
        Supported,
        &[
            ("The baker sells five dozen rolls a day.", "The baker sells 60 rolls a day."),
            ("The box holds two dozen eggs.", "The box holds 24 eggs."),
            ("The box holds half a dozen eggs.", "The box holds six eggs."),
            ("The box holds a dozen eggs.", "The box holds 12 eggs."),
            ("The baker bought 36 eggs.", "The baker bought three dozen eggs."),
            ("The trip takes two hours.", "The trip takes 120 minutes."),
            ("Der Weg dauert zwei Stunden.", "Der Weg dauert 120 Minuten."),
            ("Die Brücke ist 2 Kilometer lang.", "Die Brücke ist 2000 Meter lang."),
        ],
    );
    all_are(Contradicted, &[("The box holds two dozen eggs.", "The box holds 20 eggs.")]);
}

#[test]
fn a_part_and_a_rest_are_shown_as_computations() {
    let shown = |source: &str, claim: &str| {
        let proofs = check(&[source], claim).proofs;
        proofs.into_iter().map(|proof| format!("{} = {}", proof.expression, proof.result)).collect::<Vec<_>>()
    };
    assert_eq!(shown("Half of the 48 rooms are booked.", "24 rooms are booked."), ["1 / 2 × 48 = 24"]);
    assert_eq!(shown("25% of the 200 boats are old.", "50 boats are old."), ["25 % × 200 = 50"]);
    assert_eq!(shown("Of the 120 tickets, 90 were sold.", "30 tickets were not sold."), ["120 − 90 = 30"]);
    let lower = "The tower is 90 m tall, 15 m less than the cathedral.";
    assert_eq!(shown(lower, "The cathedral is 105 m tall."), ["90 + 15 = 105"]);
}
