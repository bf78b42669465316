//! What a source only reports as false, supposes, imagines or plans: it does not say it.

use super::support::all_are;
use crate::verify::Label::{Contradicted, NotEnoughInfo, Supported};

#[test]
fn what_a_source_calls_false_contradicts() {
    all_are(
        Contradicted,
        &[
            ("It is a myth that the canal can be seen from the moon.", "The canal can be seen from the moon."),
            ("It is a common misconception that the abbey was built by monks.", "The abbey was built by monks."),
            (
                "The belief that goldfish forget everything within seconds is false.",
                "Goldfish forget everything within seconds.",
            ),
            ("The rumour that the mill had burned down was untrue.", "The mill had burned down."),
            ("There is no truth in the claim that the mayor resigned.", "The mayor resigned."),
            ("Newspapers falsely reported that the mayor had resigned.", "The mayor had resigned."),
            ("Some guides wrongly state that the tower was finished in 1340.", "The tower was finished in 1340."),
            ("It has been wrongly claimed that the river is poisoned.", "The river is poisoned."),
            ("According to critics, wrongly, the museum loses money.", "The museum loses money."),
            ("Contrary to the claim that the lake is poisoned, the water is clean.", "The lake is poisoned."),
            ("It isn't true that the school closed.", "The school closed."),
            ("It is not the case that the school closed in 1990.", "The school closed in 1990."),
            ("The story that Anna Holm invented the lamp is a myth.", "Anna Holm invented the lamp."),
            ("Many people believe that the tower leans, but this is false.", "The tower leans."),
        ],
    );
}

#[test]
fn what_a_source_calls_true_is_said_and_two_denials_cancel() {
    all_are(
        Supported,
        &[
            ("Contrary to popular belief, the lake is clean.", "The lake is clean."),
            ("It is not false that the school closed.", "The school closed."),
            ("It is a myth that the canal cannot be seen from the hill.", "The canal can be seen from the hill."),
            ("It is a fact that the canal can be seen from the hill.", "The canal can be seen from the hill."),
            ("It is true that the school closed in 1990.", "The school closed in 1990."),
            ("It is a myth that the canal can be seen from the moon.", "The canal cannot be seen from the moon."),
            ("The claim that the mill burned down is true.", "The mill burned down."),
            ("The report says that the mill was closed in 1990.", "The mill was closed in 1990."),
            ("The council decided that the mill is a monument.", "The mill is a monument."),
            ("The board found that the mill was closed in 1990.", "The mill was closed in 1990."),
            ("The mayor knew that the mill was closed.", "The mill was closed."),
            ("Although the dyke broke, the town was saved.", "The dyke broke."),
            (
                "Had the town not been warned, many would have died. The town was warned at dawn.",
                "The town was warned at dawn.",
            ),
            ("Anna Holm, who had lived in Arden, designed the lamp.", "Anna Holm designed the lamp."),
            ("She had the dyke repaired in 1950.", "She had the dyke repaired in 1950."),
        ],
    );
}

#[test]
fn what_would_have_been_was_not_said_to_be() {
    all_are(
        NotEnoughInfo,
        &[
            ("Had the dyke broken, the town would have been evacuated.", "The town was evacuated."),
            ("Had the dyke broken, the town would have been evacuated.", "The dyke broke."),
            ("If the dyke had broken, the town would have been evacuated.", "The town was evacuated."),
            ("Were the company to fail, its workers would lose their pensions.", "The company failed."),
            ("Should the pump stop, the alarm sounds within ten seconds.", "The pump stopped."),
            ("Without the levee, the town would have been flooded.", "The town was flooded."),
            ("But for the levee, the town would have been flooded.", "The town was flooded."),
            ("The council would have sold the land.", "The council sold the land."),
            ("The council could have sold the land.", "The council sold the land."),
            ("The council should have sold the land.", "The council sold the land."),
            ("The council might have sold the land.", "The council sold the land."),
            ("The court will decide whether the mine is safe.", "The mine is safe."),
            ("Is the mine safe?", "The mine is safe."),
            ("If the dam is raised, the valley will be flooded.", "The dam is raised."),
            ("If the dam is raised, the valley will be flooded.", "The valley is flooded."),
            ("In the event that the pump fails, the valve closes.", "The pump fails."),
            ("Assuming that the pump fails, the valve closes.", "The pump fails."),
            ("Provided that the council agrees, the mill will be sold.", "The council agrees."),
            ("Unless the council agrees, the mill will be closed.", "The mill will be closed."),
        ],
    );
}

#[test]
fn what_is_imagined_feared_or_demanded_is_not_said() {
    all_are(
        NotEnoughInfo,
        &[
            ("The play imagines that Lincoln survived the shooting.", "Lincoln survived the shooting."),
            (
                "In her diary she dreamed that her brother had returned from the war.",
                "Her brother had returned from the war.",
            ),
            ("The children pretend that the attic is haunted.", "The attic is haunted."),
            ("The neighbours believe that the mill is haunted.", "The mill is haunted."),
            ("Residents fear that the mine will collapse.", "The mine collapsed."),
            ("Suppose that the bridge is closed.", "The bridge is closed."),
            ("The villagers wish that the school had stayed open.", "The school stayed open."),
            ("Imagine that the bridge is closed.", "The bridge is closed."),
            ("It looks as if the bridge is closed.", "The bridge is closed."),
            ("The minister denied that the tax would rise.", "The tax would rise."),
            ("The minister denied the tax was illegal.", "The tax was illegal."),
            ("The company denies dumping waste in the river.", "The company dumps waste in the river."),
            ("According to legend, the well was dug by giants.", "The well was dug by giants."),
            ("Legend has it that the well was dug by giants.", "The well was dug by giants."),
            ("The prosecution alleges that Hale stole the ring.", "Hale stole the ring."),
            ("A petition demands that the mill be closed.", "The mill was closed."),
            ("The group called for the mill to be closed.", "The mill was closed."),
        ],
    );
}

#[test]
fn what_is_to_come_did_not_take_place_and_what_used_to_be_is_not_now() {
    all_are(
        NotEnoughInfo,
        &[
            ("The bridge will be opened in 2031.", "The bridge was opened in 2031."),
            ("The bridge is due to open in May.", "The bridge opened in May."),
            ("The bridge is set to open in May.", "The bridge opened in May."),
            ("The bridge was supposed to open in May.", "The bridge opened in May."),
            ("The bridge was to open in May.", "The bridge opened in May."),
            ("The firm is considering closing the plant.", "The firm closed the plant."),
            ("The firm promised to close the plant.", "The firm closed the plant."),
            ("The firm is planning to close the plant.", "The firm closed the plant."),
            ("The shop used to open on Sundays.", "The shop opens on Sundays."),
        ],
    );
}

#[test]
fn other_languages_deny_and_suppose_too() {
    all_are(
        Contradicted,
        &[
            ("É falso que a escola fechou.", "A escola fechou."),
            ("É um mito que a muralha é visível do espaço.", "A muralha é visível do espaço."),
            ("Es ist ein Mythos, dass die Mauer vom Mond aus sichtbar ist.", "Die Mauer ist vom Mond aus sichtbar."),
            ("Es stimmt nicht, dass die Schule geschlossen wurde.", "Die Schule wurde geschlossen."),
            ("C'est un mythe que le mur est visible depuis la Lune.", "Le mur est visible depuis la Lune."),
            ("Es falso que la escuela cerró en 1990.", "La escuela cerró en 1990."),
        ],
    );
    all_are(
        NotEnoughInfo,
        &[
            ("Se a barragem tivesse rompido, a vila teria sido inundada.", "A vila foi inundada."),
            ("Wäre der Damm gebrochen, wäre das Dorf überflutet worden.", "Das Dorf wurde überflutet."),
        ],
    );
}

#[test]
fn a_value_that_is_denied_or_supposed_refutes_no_other() {
    all_are(
        NotEnoughInfo,
        &[
            ("It is a myth that the tower is 90 m high.", "The tower is 70 m high."),
            ("Had the mill opened in 1950, it would have employed 300 people.", "The mill opened in 1960."),
        ],
    );
}
