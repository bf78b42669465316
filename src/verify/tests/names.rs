//! Names: another one in the place of the source's is a contradiction, a wider or a narrower place is not.

use super::support::label;
use crate::verify::Label::{Contradicted, NotEnoughInfo, Supported};

#[test]
fn a_town_where_a_country_acts_or_borders_is_another_thing() {
    let peak = ["Monte Velo is a mountain on the border between Italy and Austria."];
    assert_eq!(label(&peak, "Monte Velo is a mountain on the border between Bozen and Austria."), Contradicted);
    let history = ["On 4 May 1961, Norway defeated Denmark by six goals."];
    assert_eq!(label(&history, "On 4 May 1961, Gelnhausen defeated Denmark by six goals."), Contradicted);
    let president = ["Ida Roe has been Kenya's first elected president since 1963."];
    assert_eq!(label(&president, "Ida Roe has been Mombasa's first elected president since 1963."), Contradicted);
}

#[test]
fn a_town_that_may_lie_in_the_country_says_more_than_the_source() {
    let lake = ["Lake Tern is a small lake near the old abbey in Italy."];
    assert_eq!(label(&lake, "Lake Tern is a small lake near the old abbey in Bozen."), NotEnoughInfo);
    let painter = ["Eva Lind was a painter of the old school from Norway."];
    assert_eq!(label(&painter, "Eva Lind was a painter of the old school from Tromsdalen."), NotEnoughInfo);
}

#[test]
fn a_capital_may_stand_for_its_country() {
    let note = ["On 4 May 1961, France recalled the ambassador for consultations."];
    assert_eq!(label(&note, "On 4 May 1961, Paris recalled the ambassador for consultations."), NotEnoughInfo);
}

#[test]
fn an_acronym_does_not_lend_its_name_to_another_body() {
    let party = ["The country has been led by the National Reform Party (NRP) since 1994."];
    assert_ne!(label(&party, "The country has been led by the Halden Institute (NRP) since 1994."), Supported);
    let union = ["He joined the International Swimming Federation (FIN) in 1920."];
    assert_eq!(label(&union, "He joined the Fédération Internationale de Natation (FIN) in 1920."), NotEnoughInfo);
}
