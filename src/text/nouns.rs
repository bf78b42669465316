//! The noun that a number counts: "312 hospital beds" counts beds, "85 % of commits" commits.
//!
//! No tagger: after a number the counted noun is the first word that looks like a plural before any function word.

use super::lexicon::{self, NumberWord, Tongue};
use super::units;
use super::value_tokens::{Kind, Scan, is_unspaced};

/// Words that end a noun phrase or never are its head.
#[rustfmt::skip]
pub(super) const STOPS: &[&str] = &[
    "a", "an", "the", "this", "that", "these", "those", "its", "his", "hers", "their", "theirs", "our", "ours", "your", "yours", "my",
    "is", "was", "are", "were", "be", "been", "has", "had", "have", "does", "did", "will", "would", "can", "could", "may", "might", "must", "shall", "should",
    "in", "on", "at", "of", "to", "by", "for", "from", "with", "as", "than", "per", "into", "onto", "over", "under", "after", "before", "during", "since", "until", "between",
    "among", "across", "against", "towards", "besides", "versus", "vs", "plus", "minus", "times", "thus", "perhaps", "always", "sometimes", "afterwards", "years",
    "and", "or", "but", "nor", "so", "yet", "if", "when", "while", "where", "which", "who", "whose", "because", "although", "though", "unless", "whereas",
    "not", "no", "also", "only", "just", "there", "here", "it", "he", "she", "they", "we", "you", "i", "us", "less", "hence", "several", "various", "others", "yes", "another", "more", "most", "other", "such", "very", "out", "onwards", "onward", "each", "apiece", "alone", "overseas",
    "o", "os", "as", "da", "do", "das", "dos", "de", "e", "em", "no", "na", "nos", "nas", "que", "para", "por", "com", "mais", "foi", "é", "são", "uma", "um", "às", "aos", "depois", "antes",
    "el", "los", "las", "del", "y", "en", "con", "es", "fue", "más", "después", "sus",
    "le", "les", "des", "du", "et", "dans", "pour", "sur", "est", "ses", "sont", "fois", "plus", "après", "puis", "sous", "sans", "dès",
    "der", "die", "den", "dem", "und", "ist", "war", "wurde", "wurden", "im", "am", "auf", "mit", "von", "bis", "als", "sowie", "oder", "aus",
];

/// Plurals without an s, with the singular that stands for them.
#[rustfmt::skip]
const IRREGULAR: &[(&str, &str)] = &[
    ("people", "person"), ("men", "man"), ("women", "woman"), ("children", "child"), ("staff", "staff"), ("personnel", "personnel"),
    ("police", "police"), ("cattle", "cattle"), ("sheep", "sheep"), ("fish", "fish"), ("aircraft", "aircraft"), ("spacecraft", "spacecraft"),
    ("mice", "mouse"), ("teeth", "tooth"), ("geese", "goose"), ("feet", "foot"), ("species", "species"), ("series", "series"),
    ("alumni", "alumnus"), ("criteria", "criterion"), ("phenomena", "phenomenon"), ("bacteria", "bacterium"), ("data", "data"), ("media", "media"),
    ("fishermen", "fisherman"), ("firemen", "fireman"), ("policemen", "policeman"), ("businessmen", "businessman"), ("crew", "crew"),
    ("lives", "life"), ("wives", "wife"), ("wolves", "wolf"), ("knives", "knife"), ("shelves", "shelf"), ("halves", "half"), ("leaves", "leaf"),
    ("matrices", "matrix"), ("indices", "index"), ("vertices", "vertex"), ("movies", "movie"), ("cookies", "cookie"), ("buses", "bus"),
    ("viruses", "virus"), ("statuses", "status"), ("menus", "menu"), ("persons", "person"), ("pessoas", "pessoa"), ("personas", "persona"),
    ("personnes", "personne"), ("personen", "person"), ("menschen", "mensch"), ("headquarters", "headquarters"), ("deer", "deer"), ("offspring", "offspring"),
    ("nós", "nó"),
];

/// The last letters by which a singular ends in s.
const SINGULAR_ENDINGS: [&str; 4] = ["ss", "us", "is", "ics"];

/// Whether a word looks like a plural noun.
pub(super) fn is_plural(lower: &str, tongue: Tongue) -> bool {
    if IRREGULAR.iter().any(|(plural, _)| *plural == lower) {
        return true;
    }
    if lower.chars().count() < 3 || is_stop(lower) || units::is_unit(lower) {
        return false;
    }
    if tongue == Tongue::German {
        return ["en", "er", "e", "n", "s"].iter().any(|ending| lower.ends_with(ending));
    }
    (lower.ends_with('s') || (tongue == Tongue::French && lower.ends_with("aux")))
        && (tongue != Tongue::English || !SINGULAR_ENDINGS.iter().any(|ending| lower.ends_with(ending)))
}

/// The singular of a noun in lower case, as far as its ending tells.
pub(super) fn singular(lower: &str, tongue: Tongue) -> String {
    if let Some((_, singular)) = IRREGULAR.iter().find(|(plural, _)| *plural == lower) {
        return (*singular).to_owned();
    }
    let stem = |cut: usize, ending: &str| format!("{}{ending}", &lower[..lower.len() - cut]);
    match tongue {
        Tongue::German => lower.to_owned(),
        Tongue::Portuguese if lower.ends_with("ões") || lower.ends_with("ães") => stem("ões".len(), "ão"),
        Tongue::Portuguese if lower.ends_with("ais") && lower.len() > 4 => stem(2, "l"),
        Tongue::Portuguese | Tongue::Spanish if lower.ends_with("res") || lower.ends_with("des") => stem(2, ""),
        Tongue::Spanish if lower.ends_with("ones") => stem("ones".len(), "ón"),
        Tongue::French if lower.ends_with("aux") => stem(3, "al"),
        Tongue::English if lower.ends_with("ies") && lower.len() > 4 => stem(3, "y"),
        Tongue::English if ["ches", "shes", "xes", "sses", "zes"].iter().any(|e| lower.ends_with(e)) => stem(2, ""),
        _ if lower.ends_with('s') && !SINGULAR_ENDINGS.iter().any(|ending| lower.ends_with(ending)) => stem(1, ""),
        _ => lower.to_owned(),
    }
}

/// A function word, which ends a noun phrase.
pub(super) fn is_stop(lower: &str) -> bool {
    lexicon::look_up(lower).stop
}

/// How many words may stand between the number and its noun, the noun included.
const REACH: usize = 4;

/// The plural noun counted by a number that ends before token `i`, in the singular, with the index after it.
pub(super) fn counted_plural(scan: &Scan<'_>, i: usize, reach: usize) -> Option<(String, usize)> {
    let mut j = i;
    for step in 0..reach {
        if scan.kind(j) != Some(Kind::Word) || is_unspaced(scan.at(j)?.first) {
            return None;
        }
        let lower = scan.str(j).to_lowercase();
        let number = matches!(
            scan.number_word(j),
            NumberWord::And
                | NumberWord::Small(_)
                | NumberWord::Tens(_)
                | NumberWord::Hundred
                | NumberWord::Hundreds(_)
                | NumberWord::Scale(_)
        );
        if is_stop(&lower) || number {
            return None;
        }
        let capital = scan.is_capital(j);
        let german_noun = scan.tongue == Tongue::German && capital;
        // In German only nouns are capitalised, and the first one is the head.
        if german_noun || (scan.tongue != Tongue::German && is_plural(&lower, scan.tongue)) {
            // "hospital services workers": a plural right after this one is the head.
            let next = scan.past_space(j + 1);
            if step + 1 < reach && next > j + 1 && scan.tongue == Tongue::English && scan.kind(next) == Some(Kind::Word)
            {
                let following = scan.str(next).to_lowercase();
                if !is_stop(&following)
                    && !following.ends_with("ed")
                    && IRREGULAR.iter().any(|(plural, _)| *plural == following)
                {
                    return Some((singular(&following, scan.tongue), next + 1));
                }
            }
            return Some((singular(&lower, scan.tongue), j + 1));
        }
        let next = if scan.is(j + 1, '-') { j + 2 } else { scan.past_space(j + 1) };
        if next == j + 1 {
            return None;
        }
        j = next;
    }
    None
}

/// The noun counted by a number that ends before token `i`: a plural within reach.
pub(super) fn counted(scan: &Scan<'_>, i: usize) -> Option<(String, usize)> {
    let next = scan.past_space(i);
    // "retries=0 turns …": the number is the setting's, and nothing after it is counted.
    let set = i.checked_sub(2).is_some_and(|at| scan.is(at, '=')) && i >= 3 && scan.kind(i - 3) == Some(Kind::Word);
    if set || next == i && !scan.is(i.wrapping_sub(1), '-') {
        return None;
    }
    counted_plural(scan, next, REACH)
}

/// The noun of "of (the) commits" after a percentage or fraction that ends before token `i`.
pub(super) fn part_of(scan: &Scan<'_>, i: usize) -> Option<String> {
    let of = scan.past_space(i);
    let mut next = if scan.is_any(of, &["of", "der", "des", "dos", "das", "de", "del", "los", "las"]) {
        scan.past_space(of + 1)
    } else {
        of
    };
    if next == i {
        return None;
    }
    let mut determined = of != next;
    while scan
        .is_any(next, &["the", "all", "its", "their", "his", "her", "our", "os", "as", "los", "las", "les", "that"])
    {
        determined = true;
        let after = scan.past_space(next + 1);
        if after == next + 1 {
            return None;
        }
        next = after;
    }
    if !determined {
        return None;
    }
    if let Some((noun, _)) = counted_plural(scan, next, REACH) {
        return Some(noun);
    }
    // A mass noun: "40 % of the energy", "6 % of total installed capacity", "2 % of GDP".
    for _ in 0..REACH {
        let word = scan.str(next);
        let lower = word.to_lowercase();
        if scan.kind(next) != Some(Kind::Word) || is_stop(&lower) {
            return None;
        }
        let adjective = ADJECTIVES.contains(&lower.as_str()) || (lower.ends_with("ed") && lower.len() > 4);
        let name = scan.is_capital(next) && !word.chars().all(char::is_uppercase);
        if !adjective {
            return (!name).then_some(lower);
        }
        let after = scan.past_space(next + 1);
        if after == next + 1 {
            return None;
        }
        next = after;
    }
    None
}

/// Words that stand before the noun of a share.
const ADJECTIVES: [&str; 16] = [
    "total",
    "global",
    "national",
    "world",
    "annual",
    "overall",
    "net",
    "gross",
    "public",
    "entire",
    "whole",
    "local",
    "federal",
    "adult",
    "domestic",
    "available",
];

#[cfg(test)]
mod tests {
    use super::super::value_tokens::scan;
    use super::*;

    fn noun(text: &str) -> Option<String> {
        let scan = scan(text);
        counted(&scan, 1).map(|(noun, _)| noun)
    }

    #[test]
    fn the_head_of_the_noun_phrase_is_found() {
        for (text, expected) in [
            ("312 beds", Some("bed")),
            ("312 hospital beds in use", Some("bed")),
            ("230 people died", Some("person")),
            ("12 Grammy Awards", Some("award")),
            ("40 staff", Some("staff")),
            ("7 cities", Some("city")),
            ("5 of them", None),
            ("5 in Paris", None),
            ("5.", None),
        ] {
            assert_eq!(noun(text).as_deref(), expected, "{text}");
        }
    }
}
