//! How often, on which days, to whom and at which age: slots without a name or a number of their own.

use super::support::{all_are, label};
use crate::verify::Label::{self, Contradicted, NotEnoughInfo, Supported};

const DOSE: &str = "The starting dose of Velamin is 40 mg twice daily.";
const OPEN: &str = "The toy museum is open from Tuesday to Friday.";

#[test]
fn another_frequency_contradicts() {
    all_are(
        Contradicted,
        &[
            (DOSE, "The starting dose of Velamin is 40 mg once daily."),
            (DOSE, "The starting dose of Velamin is 40 mg three times a day."),
            ("The filter is changed monthly.", "The filter is changed weekly."),
            ("The board meets once a month.", "The board meets once a year."),
            ("The newsletter appears every month.", "The newsletter appears every week."),
        ],
    );
    all_are(Supported, &[(DOSE, "The starting dose of Velamin is 40 mg two times a day.")]);
}

#[test]
fn how_often_is_not_told_by_that_it_happened() {
    let theft = "Police say that a bakery was burgled.";
    all_are(
        NotEnoughInfo,
        &[(theft, "The bakery had been burgled once before."), (theft, "A bakery was burgled twice.")],
    );
}

#[test]
fn a_day_within_a_stretch_of_days_is_said_and_one_outside_is_denied() {
    all_are(Supported, &[(OPEN, "The toy museum is open on Thursday.")]);
    all_are(
        Contradicted,
        &[
            (OPEN, "The toy museum is open on Sunday."),
            (OPEN, "The toy museum is open from Tuesday to Saturday."),
            ("A piscina abre de segunda a sexta.", "A piscina abre aos domingos."),
            ("La piscine est ouverte du mardi au vendredi.", "La piscine est ouverte le lundi."),
            ("Das Bad ist montags bis freitags geöffnet.", "Das Bad ist sonntags geöffnet."),
            ("图书馆周一至周五开放。", "图书馆周六开放。"),
        ],
    );
}

#[test]
fn who_did_it_to_whom_is_told_without_names_too() {
    all_are(
        Contradicted,
        &[
            ("The Lind Foundation funded the library.", "The library funded the Lind Foundation."),
            ("The library is old. It was funded by the Lind Foundation.", "The library funded the Lind Foundation."),
            ("The city sued the Harrow Company.", "The Harrow Company sued the city."),
            ("The cat bit the nurse.", "The nurse bit the cat."),
        ],
    );
    all_are(
        Supported,
        &[("The library is old. It was funded by the Lind Foundation.", "The Lind Foundation funded the library.")],
    );
}

#[test]
fn what_many_may_be_or_do_is_not_denied_of_another() {
    all_are(
        NotEnoughInfo,
        &[
            ("Ida Moos is a surgeon by training.", "Karl Benn is a surgeon by training."),
            ("Ida Moos lives in Arden.", "Karl Benn lives in Arden."),
            ("Ida Moos has a boat.", "Karl Benn has a boat."),
        ],
    );
    all_are(
        Contradicted,
        &[
            ("Ida Moos is the mayor of Arden.", "Karl Benn is the mayor of Arden."),
            ("Ida Moos leads the heart unit at Holm.", "Karl Benn leads the heart unit at Holm."),
            ("Only GET requests are repeated.", "POST requests are repeated."),
        ],
    );
}

#[test]
fn a_prefix_or_a_verb_of_the_opposite_sense_turns_the_statement_around() {
    all_are(
        Contradicted,
        &[
            ("Trainees get 20 days of paid leave.", "Trainees get 20 days of unpaid leave."),
            ("The ticket is valid.", "The ticket is invalid."),
            ("The update keeps the photos.", "The update deletes the photos."),
        ],
    );
}

#[test]
fn a_date_of_another_deed_is_no_date_of_this_one() {
    let bridge = "The Tern bridge opened on 3 May 1931. It replaced a ferry that sank in 1927.";
    assert_ne!(label(&[bridge], "Designed by Eva Holm, the Tern bridge opened in 1931."), Contradicted);
    let edition = "The 2019 edition of the almanac lists 40 hotels.";
    all_are(NotEnoughInfo, &[(edition, "The 2021 edition of the almanac lists 40 hotels.")]);
}

#[test]
fn fewer_than_is_turned_by_its_two_sides() {
    all_are(Contradicted, &[("Arden has fewer residents than Brill.", "Brill has fewer residents than Arden.")]);
}

#[test]
fn the_number_of_a_setting_counts_nothing() {
    let source = "The client repeats failed requests three times with growing pauses.";
    all_are(NotEnoughInfo, &[(source, "Passing repeats=0 turns repeats off.")]);
}

#[test]
fn millions_are_counted_in_thousands_where_points_group() {
    let debt = "O clube tem 2.000 milhões de euros de dívida.";
    all_are(Supported, &[(debt, "O clube tem 2 mil milhões de euros de dívida.")]);
    all_are(Contradicted, &[(debt, "O clube tem 3 mil milhões de euros de dívida.")]);
}

#[test]
fn what_stands_in_the_subject_tells_statements_of_one_document_apart() {
    for (text, claim) in [
        ("Race 2 was held on Sunday July 6. Race 3 was held on Sunday July 6.", "Race 3 was held on Sunday July 6."),
        (
            "In 1947 Arden had a population of over 450. In 2011 it had a population of 469.",
            "In 1947 Arden had a population of over 450.",
        ),
        (
            "The total revenue is $7,708,000. The total revenue per pupil is $11,823.",
            "The total revenue is $7,708,000.",
        ),
    ] {
        all_are(Supported, &[(text, claim)]);
    }
    assert_eq!(
        label(
            &["In 1950 the Tern bridge opened.", "In 1960 the Tern bridge opened."],
            "In 1950 the Tern bridge opened."
        ),
        Label::Conflicting
    );
}

#[test]
fn an_age_at_death_follows_from_two_dates() {
    let life = "Ida Vane (8 April 1974 – 2 February 2013) was a painter.";
    let told = "Ida Vane was born on 8 April 1974 and died on 2 February 2013.";
    all_are(
        Supported,
        &[
            (life, "Ida Vane died at the age of 38."),
            (told, "Ida Vane was 38 when she died."),
            (told, "Ida Vane died at the age of 38."),
        ],
    );
    all_are(Contradicted, &[(life, "Ida Vane died at the age of 41."), (told, "Ida Vane died at the age of 39.")]);
}

#[test]
fn a_total_of_two_stated_numbers_is_shown() {
    let hall = "The hall has 40 seats on the ground floor and 25 seats in the gallery.";
    all_are(Supported, &[(hall, "The hall has 65 seats in total."), (hall, "The hall has a total of 65 seats.")]);
    assert_ne!(label(&[hall], "The hall has 75 seats in total."), Supported);
}
