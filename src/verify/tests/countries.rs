//! Prose about countries against their profiles, which are lines of "field: value".

use super::support::{claim, document, shared_rows, verifier};
use crate::verify::Label::{self, Contradicted, NotEnoughInfo, Supported};

fn verdicts(country: &str, claims: &[(&str, &[Label])]) {
    let Some(rows) = shared_rows("data/factbook/factbook.jsonl.zst", 261) else { return };
    let row = rows.iter().find(|row| row["title"] == country).unwrap();
    let text = row["text"].as_str().unwrap();
    let verifier = verifier(document(row["id"].as_str().unwrap(), Some(country), text));
    for (text, expected) in claims {
        let verdict = verifier.verify_claim(&claim(text));
        assert!(
            expected.contains(&verdict.label),
            "{text}: {} ({}) {:?}",
            verdict.label,
            verdict.reason,
            verdict.evidence.first().map(|c| &c.quote)
        );
    }
}

#[test]
fn figures_of_algeria_are_checked_against_their_own_field() {
    verdicts(
        "Algeria",
        &[
            ("Algeria has a coastline of 998 km.", &[Supported]),
            ("The coastline of Algeria is 1,200 km long.", &[Contradicted]),
            ("Algeria's total area is 2,381,740 square kilometres.", &[Supported]),
            ("The highest point in Algeria is Tahat at 2,908 m.", &[Supported]),
            ("The highest point in Algeria is Tahat at 3,908 m.", &[Contradicted]),
            ("Algeria has a population of about 47.7 million.", &[Supported, NotEnoughInfo]),
            ("Arable land makes up 3.2% of Algeria.", &[Supported]),
            ("Algeria's land boundary with Libya is 989 km.", &[Supported]),
            ("Algeria's land boundary with Mali is 989 km.", &[Contradicted]),
        ],
    );
}

#[test]
fn history_and_places_of_algeria_are_checked() {
    verdicts(
        "Algeria",
        &[
            ("Algeria gained independence in 1962.", &[Supported]),
            ("Algeria gained independence in 1972.", &[Contradicted]),
            ("The National Liberation Front was established in 1954.", &[Supported]),
            ("The National Liberation Front was founded in 1964.", &[Contradicted]),
            ("Algeria is located in Northern Africa.", &[Supported]),
            ("Algeria is located in South America.", &[NotEnoughInfo, Contradicted]),
            ("The capital of Algeria is Oran.", &[NotEnoughInfo, Contradicted]),
            ("Algeria is the largest country in Africa.", &[Supported]),
            ("Algeria is the smallest country in Africa.", &[Contradicted]),
        ],
    );
}

#[test]
fn france_has_one_capital() {
    verdicts(
        "France",
        &[
            ("The capital of France is Paris.", &[Supported]),
            ("The capital of France is Lyon.", &[NotEnoughInfo, Contradicted]),
            ("France's total area is 643,801 sq km.", &[Supported]),
            ("Mont Blanc is the highest point in France.", &[Supported]),
        ],
    );
}
