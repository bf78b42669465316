//! What is excepted from a rule is not said by it, though its words stand there.

use super::support::label;
use crate::verify::Label;

#[test]
fn the_rule_is_not_said_of_its_exception() {
    for (source, claim) in [
        ("Everyone but the warden signed the letter.", "The warden signed the letter."),
        ("All captains except the youngest voted for the treaty.", "The youngest voted for the treaty."),
        ("With the exception of Corsa, the islands joined the union.", "Corsa joined the union."),
        ("Instead of the abbot, the prior opened the fair.", "The abbot opened the fair."),
        ("Neither the driver nor the guard was hurt.", "The guard was hurt."),
        ("The mill is open daily except Tuesdays.", "The mill is open on Tuesdays."),
        ("Alle außer dem Kapitän stimmten zu.", "Der Kapitän stimmte zu."),
    ] {
        assert_ne!(label(&[source], claim), Label::Supported, "{claim} <- {source}");
    }
}

#[test]
fn what_stands_beside_an_exception_holds_and_the_exception_itself_is_not_refuted() {
    let source = "The mill is open daily except Tuesdays.";
    assert_ne!(label(&[source], "The mill is closed on Tuesdays."), Label::Contradicted);
    assert_eq!(label(&[source], source), Label::Supported);
    let nobody = "Nobody except the warden signed the letter.";
    assert_ne!(label(&[nobody], "The warden signed the letter."), Label::Contradicted);
    let prior = "Instead of the abbot, the prior opened the fair.";
    assert_eq!(label(&[prior], "The prior opened the fair."), Label::Supported);
}
