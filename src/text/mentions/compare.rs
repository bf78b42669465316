//! Whether two mentions may name the same thing.

use super::mention::{Mention, MentionKind, NameMatch};
use super::words::{OF_HEAD, ORGANISATION_HEAD, PARTICLE, PLACE_HEAD, PLACE_MODIFIER, classes};

/// Heads that a place's name may have or lack: "the Ilva River" is "the Ilva".
const OPTIONAL_HEADS: [&str; 12] =
    ["river", "lake", "mount", "mt", "mountain", "province", "rio", "lago", "fluss", "berg", "fleuve", "peninsula"];

impl Mention {
    /// How this name stands to another: [`NameMatch::Same`] for equal keys, known aliases, an acronym and what it
    /// stands for, a surname or initials and the full name, a short and a full name of an organisation or place.
    ///
    /// ```
    /// use evidex::text::{Language, NameMatch, mentions};
    /// let said = mentions("It was signed by J. Kemeny in the US.", Language::English);
    /// let read = mentions("It was signed by John Kemeny in the United States.", Language::English);
    /// assert_eq!(said[0].matches(&read[0]), NameMatch::Same);
    /// assert_eq!(said[1].matches(&read[1]), NameMatch::Same);
    /// assert_eq!(said[0].matches(&read[1]), NameMatch::Different);
    /// ```
    pub fn matches(&self, other: &Self) -> NameMatch {
        if !self.names_like(other) {
            return NameMatch::Different;
        }
        match (&self.qualifier, &other.qualifier) {
            (Some(mine), Some(theirs))
                if (self.qualifier_in_brackets || other.qualifier_in_brackets) && !shares_a_word(mine, theirs) =>
            {
                NameMatch::OtherBearer
            }
            _ => NameMatch::Same,
        }
    }

    fn names_like(&self, other: &Self) -> bool {
        if self.key == other.key {
            return !self.key.is_empty();
        }
        if self.alias.is_some() && self.alias == other.alias {
            return true;
        }
        if self.also.contains(&other.key) || other.also.contains(&self.key) {
            return true;
        }
        if self.kind == MentionKind::Identifier || other.kind == MentionKind::Identifier {
            return squeezed(&self.key).eq(squeezed(&other.key));
        }
        if self.alias.is_some() && other.alias.is_some() || self.demonym || other.demonym {
            return false;
        }
        if !may_be_related(self, other) {
            return false;
        }
        let mine: Vec<&str> = self.key.split(' ').collect();
        let theirs: Vec<&str> = other.key.split(' ').collect();
        is_acronym_of(self, &theirs)
            || is_acronym_of(other, &mine)
            || squeezed(&self.key).eq(squeezed(&other.key))
            || without_optional_head(&mine) == without_optional_head(&theirs)
            || is_short_for(self, &mine, other, &theirs)
            || is_short_for(other, &theirs, self, &mine)
            || same_person(self, &mine, other, &theirs)
    }
}

/// A cheap look: names that share neither their first nor their last word are related only as an acronym or by their
/// spelling.
fn may_be_related(a: &Mention, b: &Mention) -> bool {
    let ends = |mention: &Mention| {
        let key = mention.key.as_bytes();
        (key.first().copied(), key.last().copied())
    };
    let (mine, theirs) = (ends(a), ends(b));
    let acronym = |mention: &Mention| mention.all_capitals && !mention.key.contains(' ');
    mine.0 == theirs.0 && mine.1 == theirs.1
        || acronym(a)
        || acronym(b)
        || a.key.split(' ').next() == b.key.split(' ').next()
        || a.key.rsplit(' ').next() == b.key.rsplit(' ').next()
        || a.key.split(' ').next_back() == b.key.split(' ').next()
        || a.key.split(' ').next() == b.key.split(' ').next_back()
        // A ruler's number stands after the name.
        || a.key.ends_with(|c: char| c.is_ascii_digit()) != b.key.ends_with(|c: char| c.is_ascii_digit())
}

fn squeezed(key: &str) -> impl Iterator<Item = char> + '_ {
    key.chars().filter(|c| *c != ' ' && *c != '-')
}

fn shares_a_word(a: &str, b: &str) -> bool {
    a.split(' ').any(|word| word.len() > 2 && b.split(' ').any(|other| other == word))
}

/// Whether `short`, written in capitals, holds the initials of the other's words ("of", "and" and the like optional).
fn is_acronym_of(short: &Mention, words: &[&str]) -> bool {
    if !short.all_capitals || short.key.contains(' ') || words.len() < 2 || short.key.chars().count() < 2 {
        return false;
    }
    let initials = |all: bool| {
        words.iter().filter(move |word| all || classes(word) & PARTICLE == 0).filter_map(|word| word.chars().next())
    };
    initials(false).eq(short.key.chars()) || initials(true).eq(short.key.chars())
}

fn without_optional_head<'a, 'b>(words: &'b [&'a str]) -> &'b [&'a str] {
    match words {
        [rest @ .., last] if !rest.is_empty() && OPTIONAL_HEADS.contains(last) => rest,
        [first, rest @ ..] if !rest.is_empty() && OPTIONAL_HEADS.contains(first) => rest,
        _ => words,
    }
}

/// Whether `short` is the beginning of an organisation's name whose rest only says what it is ("Dartmouth" of
/// "Dartmouth College"), or the whole of it after "University of" and the like.
fn is_short_for(short: &Mention, words: &[&str], full: &Mention, full_words: &[&str]) -> bool {
    // "Rockhill Iron Company" is not "Rockhill Iron and Coal Company".
    let joined = |words: &[&str]| words.iter().filter(|word| matches!(**word, "and" | "or" | "e" | "et" | "y")).count();
    if full.kind != MentionKind::Organisation
        || words.len() >= full_words.len()
        || short.kind == MentionKind::Person
        || words.len() > 1 && joined(words) != joined(full_words)
    {
        return false;
    }
    if let Some(rest) = full_words.strip_prefix(words) {
        return rest.iter().all(|word| classes(word) & (ORGANISATION_HEAD | PARTICLE) != 0);
    }
    full_words
        .strip_suffix(words)
        .is_some_and(|rest| rest.iter().all(|word| classes(word) & (ORGANISATION_HEAD | OF_HEAD | PARTICLE) != 0))
}

/// Whether two names may be one person's: same last name, first names equal, abbreviated or left out; also a first
/// name alone, and a ruler's name with or without the number.
fn same_person(a: &Mention, mine: &[&str], b: &Mention, theirs: &[&str]) -> bool {
    if !may_be_person(a, mine) || !may_be_person(b, theirs) {
        return false;
    }
    let (mine, my_number) = split_number(mine);
    let (theirs, their_number) = split_number(theirs);
    if my_number.is_some() && their_number.is_some() && my_number != their_number
        || mine.is_empty()
        || theirs.is_empty()
    {
        return false;
    }
    let ((short, long), long_is) = if mine.len() <= theirs.len() { ((mine, theirs), b) } else { ((theirs, mine), a) };
    if short == long {
        return my_number.is_some() != their_number.is_some();
    }
    // A first name alone names somebody only when the other is known to be a person.
    if let [only] = short {
        return long.last() == Some(only) || long_is.kind == MentionKind::Person && long.first() == Some(only);
    }
    let (Some((last, firsts)), Some((long_last, long_firsts))) = (short.split_last(), long.split_last()) else {
        return false;
    };
    if last != long_last {
        return false;
    }
    // Each first name of the shorter must agree with one of the longer, in order.
    let mut rest = long_firsts.iter();
    firsts.iter().all(|first| rest.any(|other| agree(first, other)))
}

fn agree(first: &str, other: &str) -> bool {
    let is_initial = |word: &str| word.chars().nth(1).is_none();
    first == other || (is_initial(first) || is_initial(other)) && first.chars().next() == other.chars().next()
}

fn split_number<'a, 'b>(words: &'b [&'a str]) -> (&'b [&'a str], Option<&'a str>) {
    match words {
        [rest @ .., last] if last.bytes().all(|b| b.is_ascii_digit()) => (rest, Some(last)),
        _ => (words, None),
    }
}

fn may_be_person(mention: &Mention, words: &[&str]) -> bool {
    let named_so = matches!(mention.kind, MentionKind::Person | MentionKind::Name);
    let acronym = mention.all_capitals && words.len() == 1 && mention.key.len() <= 3;
    named_so
        && !acronym
        && words.iter().all(|word| classes(word) & (ORGANISATION_HEAD | PLACE_HEAD) == 0)
        && (mention.kind == MentionKind::Person || classes(words[0]) & PLACE_MODIFIER == 0)
}
