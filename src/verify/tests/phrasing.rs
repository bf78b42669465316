//! Titles, units with a capital, participles at the beginning of a claim, and claims of several sentences.

use super::support::all_are;
use crate::verify::Label::{Contradicted, NotEnoughInfo, Supported};

#[test]
fn a_deputy_is_not_what_he_stands_in_for() {
    all_are(Supported, &[("Ann Reed is the CFO of Lindt.", "Ann Reed is the CFO of Lindt.")]);
    all_are(
        Contradicted,
        &[
            ("Holm lost in the second round.", "Holm lost in the first round."),
            ("It is the third edition of the fair.", "It is the second edition of the fair."),
            ("She won her second term in 2010.", "She won her third term in 2010."),
        ],
    );
    all_are(
        NotEnoughInfo,
        &[
            ("Ann Reed is the deputy mayor of Holm.", "Ann Reed is the mayor of Holm."),
            ("Ann Reed is the vice president of Lindt.", "Ann Reed is the president of Lindt."),
            ("Ann Reed is an assistant professor in Holm.", "Ann Reed is a professor in Holm."),
            ("Ann Reed is the mayor of Holm.", "Ann Reed is the deputy mayor of Holm."),
            ("Ann Reed is the interim director of the museum.", "Ann Reed is the director of the museum."),
            ("Ann Reed is the former director of the museum.", "Ann Reed is the director of the museum."),
            ("Ann Reed is the director-elect of the museum.", "Ann Reed is the director of the museum."),
        ],
    );
}

#[test]
fn a_unit_with_a_capital_is_no_name() {
    all_are(
        Supported,
        &[
            ("The well is 12 Meter deep.", "The well is 12 metres deep."),
            ("Das Haus ist 12 Meter hoch.", "Das Haus ist 12 Meter hoch."),
            ("Die Firma hat 300 Mitarbeiter.", "Die Firma hat 300 Mitarbeiter."),
            ("The rope weighs 3 Kilo.", "The rope weighs 3 kg."),
        ],
    );
    all_are(
        Contradicted,
        &[
            ("Das Haus ist 12 Meter hoch.", "Das Haus ist 15 Meter hoch."),
            ("Die Firma hat 300 Mitarbeiter.", "Die Firma hat 500 Mitarbeiter."),
        ],
    );
}

#[test]
fn what_a_participle_says_at_the_beginning_is_said_of_the_subject() {
    all_are(
        Supported,
        &[
            ("Designed by Eva Holm, the Tern bridge opened in 1931.", "The Tern bridge opened in 1931."),
            ("Designed by Eva Holm, the Tern bridge opened in 1931.", "The Tern bridge was designed by Eva Holm."),
            (
                "The Tern bridge was designed by Eva Holm. It opened in 1931.",
                "Designed by Eva Holm, the Tern bridge opened in 1931.",
            ),
            (
                "The Tern bridge opened in 1931. It was designed by Eva Holm.",
                "Designed by Eva Holm, the Tern bridge opened in 1931.",
            ),
            (
                "Eva Holm designed the Tern bridge. The Tern bridge opened in 1931.",
                "Designed by Eva Holm, the Tern bridge opened in 1931.",
            ),
            (
                "The Tern bridge, which was designed by Eva Holm, opened in 1931.",
                "Designed by Eva Holm, the Tern bridge opened in 1931.",
            ),
            (
                "The Tern bridge was designed by Eva Holm and opened in 1931.",
                "Designed by Eva Holm, the Tern bridge opened in 1931.",
            ),
            ("Norsel was founded in 1994. It employs 230 people.", "Founded in 1994, Norsel employs 230 people."),
            (
                "Lake Oro lies in Arden. It freezes in most winters.",
                "Located in Arden, Lake Oro freezes in most winters.",
            ),
            ("The choir was founded in 1950. It has toured Japan.", "Founded in 1950, the choir has toured Japan."),
            (
                "Leo Brandt was born in Holm in 1950. He studied law in Arden.",
                "Born in Holm in 1950, Leo Brandt studied law in Arden.",
            ),
        ],
    );
    all_are(
        Contradicted,
        &[(
            "The Tern bridge was designed by Eva Holm. It opened in 1941.",
            "Designed by Eva Holm, the Tern bridge opened in 1931.",
        )],
    );
    all_are(
        NotEnoughInfo,
        &[(
            "The Tern bridge was painted by Eva Holm. It opened in 1931.",
            "Designed by Eva Holm, the Tern bridge opened in 1931.",
        )],
    );
}

#[test]
fn sentences_of_the_source_joined_as_one_claim_are_said() {
    all_are(
        Supported,
        &[
            (
                "The mill was built in 1860. It burned down in 1912.",
                "The mill was built in 1860. It burned down in 1912.",
            ),
            (
                "The mill was built in 1860 by Ada Roe. The mill burned down in 1912. It was never rebuilt.",
                "The mill was built in 1860 by Ada Roe. It was never rebuilt.",
            ),
            (
                "Arden has a port. The port was opened in 1950 by the king. Fishing is its main trade.",
                "Arden has a port. The port was opened in 1950 by the king.",
            ),
        ],
    );
    all_are(
        Contradicted,
        &[(
            "The mill was built in 1860. It burned down in 1912.",
            "The mill was built in 1860. It burned down in 1922.",
        )],
    );
}
