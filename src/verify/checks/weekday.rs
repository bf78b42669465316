//! Days of the week: what is said of a stretch of days holds of each day in it and, where it speaks of the same thing, of
//! no other ("open Monday to Friday" is not open on Saturday).

use crate::verify::days::stretches;
use crate::verify::pair::Pair;
use crate::verify::{Finding, Stance};

const NAME: &str = "weekday";

/// Least share of the claim's other content for other days to contradict.
const SAME_THING: f32 = 0.75;

pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    let stated = stretches(pair.evidence);
    for own in stretches(pair.claim) {
        let words = Some(own.words.clone());
        if let Some(other) = stated.iter().find(|other| own.lies_in(other)) {
            findings.push(pair.finding(NAME, Stance::Supports, "days_agree", words, Some(other.words.clone())));
        } else if let [other] = &stated[..]
            && (own.is_several() || other.is_several())
        {
            let same = !pair.is_denied(&own.words)
                && pair.evidence.words[other.words.start].negations.is_multiple_of(2)
                && pair.is_about_the_same(own.words.clone(), SAME_THING);
            let stance = if same { Stance::Contradicts } else { Stance::Missing };
            findings.push(pair.finding(NAME, stance, "other_days", words, Some(other.words.clone())));
        }
    }
}
