//! What words mean to each other: same sense, opposite sense, irregular forms, how predicates bind names, how wide
//! places are. Read once from the data files beside this module.
//!
//! Words are known by the hash of their stem, so that a look-up costs no allocation.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::text::{Language, fold, stem};

/// The hash under which a folded word or a stem is known (FNV-1a).
pub(super) fn word_hash(word: &str) -> u64 {
    word.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// How wide a place is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RegionLevel {
    /// A state, province or county.
    State,
    /// A country.
    Country,
    /// A continent or a region of several countries.
    Continent,
}

pub(super) struct Lexicon {
    irregular: HashMap<u64, &'static str>,
    senses: HashMap<u64, Vec<u16>>,
    several: HashSet<u64>,
    symmetric: HashSet<u64>,
    light: HashSet<u64>,
    /// For the form of a word, its set of words that exclude each other and its place in it.
    closed: HashMap<u64, Vec<(u16, u16)>>,
    frames: HashSet<u64>,
    one_agent: HashSet<u64>,
    regions: HashMap<&'static str, RegionLevel>,
    capitals: HashSet<(&'static str, &'static str)>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::read);

/// The lexicon.
pub(super) fn lexicon() -> &'static Lexicon {
    &LEXICON
}

fn lines(data: &'static str) -> impl Iterator<Item = &'static str> {
    data.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The line's language, where it starts with a tag such as `[de]`, and the rest.
fn tagged(line: &'static str) -> (Language, &'static str) {
    match line.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((code, rest)) => (Language::from_code(code), rest.trim()),
        None => (Language::English, line),
    }
}

impl Lexicon {
    fn read() -> Self {
        let mut irregular = HashMap::new();
        for line in lines(include_str!("data/irregular.txt")) {
            let mut words = line.split_whitespace();
            let Some(base) = words.next() else { continue };
            for form in words {
                irregular.insert(word_hash(form), base);
            }
        }
        let stem_hash = |word: &str, language| {
            let base = irregular.get(&word_hash(&fold(word))).copied().unwrap_or(word);
            word_hash(&stem(base, language))
        };
        let mut senses: HashMap<u64, Vec<u16>> = HashMap::new();
        for (number, line) in lines(include_str!("data/senses.txt")).enumerate() {
            let (language, line) = tagged(line);
            let Ok(left) = u16::try_from(number * 2) else { break };
            let (same, opposite) = line.split_once('|').unwrap_or((line, ""));
            for (id, side) in [(left, same), (left + 1, opposite)] {
                for word in side.split_whitespace() {
                    let ids = senses.entry(stem_hash(word, language)).or_default();
                    if !ids.contains(&id) {
                        ids.push(id);
                    }
                }
            }
        }
        let mut several = HashSet::new();
        let mut symmetric = HashSet::new();
        let mut light = HashSet::new();
        let mut frames = HashSet::new();
        let mut one_agent = HashSet::new();
        for line in lines(include_str!("data/relations.txt")) {
            let Some((kind, words)) = line.split_once(':') else { continue };
            let set = match kind {
                "several" => &mut several,
                "symmetric" => &mut symmetric,
                "frame" => &mut frames,
                "one agent" => &mut one_agent,
                _ => &mut light,
            };
            let (language, words) = tagged(words.trim());
            // A short text's language may not be known: its words are then stemmed as English.
            for language in [language, Language::English] {
                set.extend(words.split_whitespace().map(|word| stem_hash(word, language)));
            }
        }
        let mut closed: HashMap<u64, Vec<(u16, u16)>> = HashMap::new();
        for (set, line) in (0..).zip(lines(include_str!("data/closed_sets.txt"))) {
            for (place, same) in (0..).zip(line.split_whitespace()) {
                for word in same.split('=') {
                    closed.entry(word_hash(&fold(word))).or_default().push((set, place));
                }
            }
        }
        let mut regions = HashMap::new();
        for line in lines(include_str!("data/regions.txt")) {
            let Some((level, names)) = line.split_once(':') else { continue };
            let level = match level {
                "continent" => RegionLevel::Continent,
                "country" => RegionLevel::Country,
                _ => RegionLevel::State,
            };
            regions.extend(names.split('|').map(|name| (name.trim(), level)));
        }
        let capitals = lines(include_str!("data/capitals.txt")).filter_map(|line| line.split_once(": ")).collect();
        Self { irregular, senses, several, symmetric, light, closed, frames, one_agent, regions, capitals }
    }

    /// The base of an irregular English form ("rose" is "rise"), by the hash of the folded form.
    pub(super) fn base(&self, form: u64) -> Option<&'static str> {
        self.irregular.get(&form).copied()
    }

    /// The senses of a stem.
    pub(super) fn senses(&self, stem: u64) -> &[u16] {
        self.senses.get(&stem).map_or(&[], Vec::as_slice)
    }

    /// Whether a predicate may hold of several things at once.
    pub(super) fn is_several(&self, stem: u64) -> bool {
        self.several.contains(&stem)
    }

    /// Whether a predicate says the same with its sides swapped.
    pub(super) fn is_symmetric(&self, stem: u64) -> bool {
        self.symmetric.contains(&stem)
    }

    /// Whether a word adds little of its own.
    pub(super) fn is_light(&self, stem: u64) -> bool {
        self.light.contains(&stem)
    }

    /// Whether "by" names the only doer of a predicate that may otherwise hold of several things.
    pub(super) fn has_one_agent(&self, stem: u64) -> bool {
        self.one_agent.contains(&stem)
    }

    /// Whether a word only frames what it is said of: "the *status* of X".
    pub(super) fn is_frame(&self, stem: u64) -> bool {
        self.frames.contains(&stem)
    }

    /// Whether two words, by the hashes of their forms, exclude each other: "red" and "green", "Monday" and "Friday".
    pub(super) fn exclude_each_other(&self, a: u64, b: u64) -> bool {
        let (Some(a), Some(b)) = (self.closed.get(&a), self.closed.get(&b)) else { return false };
        let share = |same: bool| a.iter().any(|x| b.iter().any(|y| x.0 == y.0 && (x.1 == y.1) == same));
        share(false) && !share(true)
    }

    /// Whether a folded name is that of a country's capital, which may stand for the country.
    pub(super) fn is_capital_of(&self, capital: &str, country: &str) -> bool {
        self.capitals.contains(&(capital, country))
    }

    /// How wide the place of this folded name is, where it is known.
    pub(super) fn region(&self, key: &str) -> Option<RegionLevel> {
        let known = |key: &str| self.regions.get(key).copied();
        known(key).or_else(|| {
            // "North Africa", "Western Europe": as wide as what they are a part of, for telling other places apart.
            let (first, rest) = key.split_once(' ')?;
            matches!(
                first,
                "north" | "south" | "east" | "west" | "central" | "northern" | "southern" | "eastern" | "western"
            )
            .then(|| known(rest))?
            .filter(|level| *level == RegionLevel::Continent)
        })
    }
}

/// Whether two words of these senses may stand for one another.
pub(super) fn same_sense(a: &[u16], b: &[u16]) -> bool {
    a.iter().any(|sense| b.contains(sense))
}

/// Whether two words of these senses say the opposite, in no reading the same.
pub(super) fn opposite_sense(a: &[u16], b: &[u16]) -> bool {
    !same_sense(a, b) && a.iter().any(|sense| b.contains(&(sense ^ 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn senses(word: &str) -> &'static [u16] {
        let base = lexicon().base(word_hash(word)).unwrap_or(word);
        lexicon().senses(word_hash(&stem(base, Language::English)))
    }

    #[test]
    fn irregular_forms_share_the_senses_of_their_base() {
        assert!(same_sense(senses("rose"), senses("increased")));
        assert!(opposite_sense(senses("rose"), senses("fell")));
        assert!(!opposite_sense(senses("rose"), senses("climbed")));
    }

    #[test]
    fn a_word_that_shares_one_sense_is_no_opposite() {
        // "decline" is both a fall and a refusal.
        assert!(!opposite_sense(senses("declined"), senses("rejected")));
        assert!(opposite_sense(senses("declined"), senses("accepted")));
    }

    #[test]
    fn places_know_their_width() {
        assert_eq!(lexicon().region("france"), Some(RegionLevel::Country));
        assert_eq!(lexicon().region("lyon"), None);
        assert!(lexicon().is_capital_of("paris", "france") && !lexicon().is_capital_of("lyon", "france"));
    }
}
