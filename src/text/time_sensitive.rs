//! Words by which a statement is true only at its time: "current", "latest", "as of now".

use super::TextSpan;
use super::value_tokens::{Kind, scan};

const WORDS: &[&str] = &[
    "currently",
    "latest",
    "newest",
    "presently",
    "nowadays",
    "today",
    "incumbent",
    "upcoming",
    "atualmente",
    "atual",
    "hoje",
    "derzeit",
    "aktuell",
    "aktuelle",
    "aktueller",
    "aktuellen",
    "heute",
    "gegenwärtig",
    "actualmente",
    "actual",
    "hoy",
    "actuellement",
    "aujourd",
];

/// Words that "current" and "recent" describe when they are adjectives of time; an ocean current is none.
const AFTER_NOUN: &[&str] = &["of", "is", "was", "flows", "through", "in", "and", "from", "with", "at"];

/// Where `text` says that it speaks of the present: such a statement is to be held against the evidence's date.
///
/// ```
/// use evidex::text::time_sensitive;
/// let text = "The current release is 3.2.";
/// assert_eq!(time_sensitive(text)[0].of(text), "current");
/// assert_eq!(time_sensitive("As of May 2024 it has 300 members.").len(), 1);
/// assert!(time_sensitive("The ocean current is warm.").is_empty());
/// ```
pub fn time_sensitive(text: &str) -> Vec<TextSpan> {
    let scan = scan(text);
    let mut found = Vec::new();
    for i in 0..scan.tokens.len() {
        if scan.kind(i) != Some(Kind::Word) {
            continue;
        }
        let next = scan.past_space(i + 1);
        let adjective = next > i + 1 && scan.kind(next) == Some(Kind::Word) && !scan.is_any(next, AFTER_NOUN);
        // "Actual" is a word of time in Spanish and Portuguese only.
        let foreign = scan.is_any(i, &["actual"]) && scan.tongue == super::lexicon::Tongue::English;
        let told = (scan.is_any(i, WORDS) && !foreign)
            || (scan.is_any(i, &["current", "recent"]) && adjective)
            || (scan.is_any(i, &["as"]) && next > i + 1 && scan.is_any(next, &["of"]))
            || (scan.is_any(i, &["now"]) && scan.previous_is(i, &["is", "are", "has", "have", "of", "right", "until"]));
        if told {
            found.push(TextSpan::new(scan.tokens[i].start, scan.tokens[i].end));
        }
    }
    found
}
