//! Days of the week: single ones, stretches ("Monday to Friday") and "weekdays", in the languages that are covered.
//!
//! A day of the claim that lies in a stretch of the evidence is linked to it, so that it counts as said.

use std::ops::Range;

use super::align::{Alignment, Link, LinkKind};
use super::reading::ReadText;

/// Days of the week that a text names together: bit 0 is Monday.
#[derive(Debug, Clone)]
pub(super) struct Stretch {
    pub words: Range<usize>,
    pub days: u8,
}

impl Stretch {
    /// Whether all its days are days of the other.
    pub fn lies_in(&self, other: &Self) -> bool {
        self.days & !other.days == 0
    }

    /// Whether it is more than one day.
    pub fn is_several(&self) -> bool {
        self.days.count_ones() > 1
    }
}

/// Monday to Friday.
const WORKING: u8 = 0b001_1111;
const WEEKEND: u8 = 0b110_0000;

/// All stretches of a text, in order; days within a date are left out.
pub(super) fn stretches(text: &ReadText) -> Vec<Stretch> {
    let mut found: Vec<Stretch> = Vec::new();
    let mut at = 0;
    while at < text.words.len() {
        let in_date = text.dates.iter().any(|date| date.words.contains(&at));
        let several = match text.words[at].folded.as_str() {
            "weekday" | "weekdays" | "werktags" => Some(WORKING),
            "weekend" | "weekends" => Some(WEEKEND),
            _ => None,
        };
        let next = if in_date {
            None
        } else if let Some(days) = several {
            Some(Stretch { words: at..at + 1, days })
        } else {
            stretch(text, at)
        };
        at = next.as_ref().map_or(at + 1, |stretch| stretch.words.end);
        found.extend(next);
    }
    found
}

/// The day or stretch of days that begins at `at`.
fn stretch(text: &ReadText, at: usize) -> Option<Stretch> {
    let (first, end, sure) = day(text, at)?;
    let joint = text.words.get(end).map_or("", |word| word.folded.as_str());
    let dash = text.words.get(end).is_some_and(|next| {
        let between = text.text.get(text.words[end - 1].span.end..next.span.start).unwrap_or_default();
        matches!(between.trim(), "-" | "–" | "—")
    });
    let to = matches!(
        joint,
        "to" | "through" | "thru" | "until" | "till" | "a" | "ate" | "au" | "bis" | "hasta" | "至" | "到"
    );
    let last = if dash {
        day(text, end)
    } else if to {
        day(text, end + 1)
    } else {
        None
    };
    let (end, days) = match last {
        Some((last, end, _)) => {
            let count = (last + 7 - first) % 7;
            (end, (0..=count).fold(0, |days, step| days | 1 << ((first + step) % 7)))
        }
        None if sure => (end, 1 << first),
        None => return None,
    };
    Some(Stretch { words: at..end, days })
}

/// The day of the week at `at`, 0 for Monday, where it ends, and whether it can mean nothing else ("segunda" is also
/// "second").
fn day(text: &ReadText, at: usize) -> Option<(u8, usize, bool)> {
    let word = |at: usize| text.words.get(at).map_or("", |word| word.folded.as_str());
    let plain = word(at);
    let sets: [[&str; 7]; 5] = [
        ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
        ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
        ["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"],
        ["lunes", "martes", "miercoles", "jueves", "viernes", "sabado", "domingo"],
        ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
    ];
    let singular = plain.strip_suffix('s').unwrap_or(plain);
    for (language, set) in sets.iter().enumerate() {
        let place = set.iter().zip(0_u8..).find(|(name, _)| **name == plain || **name == singular);
        if let Some((_, place)) = place {
            return Some((place, at + 1, language != 4));
        }
    }
    let portuguese = ["segunda", "terca", "quarta", "quinta", "sexta"];
    if let Some((_, place)) = portuguese.iter().zip(0_u8..).find(|(name, _)| **name == singular) {
        let full = word(at + 1).starts_with("feira");
        return Some((place, at + 1 + usize::from(full), full));
    }
    let week = match plain {
        "周" | "週" => 1,
        "星" if word(at + 1) == "期" => 2,
        _ => return None,
    };
    let (place, _) = (0_u8..)
        .zip(["一", "二", "三", "四", "五", "六", "日"])
        .find(|(_, name)| word(at + week) == *name || *name == "日" && word(at + week) == "天")?;
    Some((place, at + week + 1, true))
}

impl Alignment {
    /// Links the days of the claim to the evidence's stretch in which they lie.
    pub(super) fn link_days(&mut self, claim: &ReadText, evidence: &ReadText) {
        let stated = stretches(evidence);
        for own in stretches(claim) {
            let Some(other) = stated.iter().find(|other| other.is_several() && own.lies_in(other)) else { continue };
            for at in own.words.clone().filter(|at| claim.words[*at].is_content()) {
                self.links[at] = Some(Link { to: other.words.start, strength: 1.0, kind: LinkKind::Same });
            }
            self.mark_linked(other.words.clone());
        }
    }
}
