//! One name from its tokens: how far it goes, and what belongs to it, before and after.

use super::aliases;
use super::scene::{Scene, is_compound};
use super::shape::{has_inner_capital, is_all_capitals, is_initial, roman};
use super::words::{
    ABBREVIATION, CALENDAR, DESIGNATOR, EPITHET, FUNCTION, GREEK, JOINING_HEAD, LEGAL_FORM, NO_NAME, OCCUPATION,
    OF_HEAD, OPENER, ORGANISATION_HEAD, PARTICLE, PLACE_HEAD, REGNAL, TITLE, TOPIC, UNIT, classes, is_joined_pair,
};
use crate::text::{Language, MentionKind, TokenKind};

/// Tokens that one name may take.
const LONGEST_NAME: usize = 24;

/// A name found at some token.
pub(super) struct Run {
    /// First token of the name.
    pub(super) start: usize,
    /// One past its last token; `start` if nothing is left of it.
    pub(super) end: usize,
    /// Where reading goes on.
    pub(super) next: usize,
    /// Whether a person's title stood before it.
    pub(super) titled: bool,
    /// The occupation that stood before it: "the cyclist".
    pub(super) qualifier: Option<String>,
    /// Whether it is a thing with a letter or number: "Report Alpha", "Apollo 11".
    pub(super) numbered: bool,
    /// Whether its first token opens a sentence.
    pub(super) initial: bool,
    /// A demonym that stood before a title: "French" of "French President Macron".
    pub(super) split_demonym: Option<usize>,
}

/// Reads the name that starts at `at`, where [`Scene::may_start_name`] holds.
pub(super) fn read(scene: &Scene<'_>, at: usize) -> Option<Run> {
    let mut reader = Reader { scene, first: at, end: at + 1, numbered: false };
    while reader.end - at < LONGEST_NAME && reader.extend() {}
    let (end, numbered) = (reader.end, reader.numbered);
    let mut run = Run {
        start: at,
        end,
        next: end,
        titled: false,
        qualifier: None,
        numbered,
        initial: scene.is_initial_place(at),
        split_demonym: None,
    };
    trim_front(scene, &mut run);
    trim_calendar(scene, &mut run);
    if run.start < run.end
        && (run.start..run.end).all(|i| scene.classes(i) & TITLE != 0 || !scene.tokens[i].is_wordlike())
    {
        // A title alone ("the Prime Minister") names an office.
        run.end = run.start;
    }
    if run.start < run.end && run.qualifier.is_none() && run.start == at {
        run.qualifier = occupation_before(scene, at);
    }
    let lone = run.end == run.start + 1;
    let after_number = run.start > 0 && scene.tokens[run.start - 1].kind == TokenKind::Number;
    let unit = scene.classes(run.start) & UNIT != 0;
    if lone && unit && (after_number || has_inner_capital(scene.written(run.start)) || scene.folded(run.start) == "btu")
    {
        run.end = run.start;
    }
    if lone && scene.classes(run.start) & LEGAL_FORM != 0 && !is_all_capitals(scene.written(run.start)) {
        run.end = run.start;
    }
    if run.start < run.end && scene.language == Language::German && !is_german_name(scene, &run) {
        run.end = run.start;
    }
    Some(run)
}

struct Reader<'a, 's> {
    scene: &'a Scene<'s>,
    first: usize,
    end: usize,
    numbered: bool,
}

impl Reader<'_, '_> {
    /// Takes one more part into the name; false when the name is complete.
    fn extend(&mut self) -> bool {
        if self.numbered {
            return false;
        }
        let scene = self.scene;
        let last = self.end - 1;
        let next = self.end;
        if next >= scene.tokens.len() {
            return false;
        }
        if scene.follows_with_space(last) {
            return self.after_space(last, next);
        }
        match scene.written(next) {
            // "St. Louis", "John F. Kennedy", "Dr. Vance"
            "." if (scene.classes(last) & ABBREVIATION != 0 || is_initial(scene.written(last)))
                && self.can_take(next + 1)
                && (scene.follows_with_space(next) || is_initial(scene.written(last))) =>
            {
                // After a suffix ("Ltd. The") the next capital may open a sentence.
                if scene.classes(last) & LEGAL_FORM != 0 && scene.classes(last) & TITLE == 0 {
                    return false;
                }
                self.end = next + 2;
                true
            }
            // "People's Republic of China"
            "'s" | "\u{2019}s"
                if matches!(scene.folded(last), "people" | "women" | "children" | "workers" | "world" | "men")
                    && scene.follows_with_space(next)
                    && self.can_take(next + 1) =>
            {
                self.end = next + 2;
                true
            }
            "," if scene.follows_with_space(next)
                && scene.tokens[next + 1].capitalised
                && (scene.classes(next + 1) & LEGAL_FORM != 0 && scene.folded(next + 1) != "as"
                    || matches!(scene.folded(next + 1), "jr" | "sr")) =>
            {
                self.end = next + 2;
                true
            }
            "&" if self.can_take(next + 1) && scene.touches(next) => {
                self.end = next + 2;
                true
            }
            _ => false,
        }
    }

    /// Whether the token can stand inside a name.
    fn can_take(&self, at: usize) -> bool {
        let scene = self.scene;
        scene.is_capital(at)
            && !is_compound(scene.written(at))
            && scene.classes(at) & NO_NAME == 0
            && (scene.classes(at) & FUNCTION == 0
                || is_all_capitals(scene.written(at))
                || matches!(scene.folded(at), "may" | "will") && !scene.is_initial_place(at))
    }

    fn after_space(&mut self, last: usize, next: usize) -> bool {
        let scene = self.scene;
        let folded = scene.folded(next);
        let token = &scene.tokens[next];
        if scene.is_capital(next) {
            if scene.classes(last) & DESIGNATOR != 0
                && (is_initial(scene.written(next)) || scene.classes(next) & GREEK != 0)
                && next == self.first + 1
            {
                self.end = next + 1;
                self.numbered = true;
                return true;
            }
            if self.can_take(next) {
                if is_initial(scene.written(next))
                    && !(scene.written(next + 1) == "."
                        || roman(scene.written(next)).is_some()
                        || scene.classes(last) & FUNCTION == 0)
                {
                    return false;
                }
                self.end = next + 1;
                return true;
            }
            // "Robert De Niro", "Juan La Rosa"
            if scene.classes(next) & PARTICLE != 0
                && scene.follows_with_space(next)
                && self.can_take(next + 1)
                && folded != "the"
            {
                self.end = next + 2;
                return true;
            }
            return false;
        }
        if token.kind == TokenKind::Number && self.takes_number(last, next) {
            self.end = next + 1;
            self.numbered = true;
            return true;
        }
        match folded {
            "the" => self.regnal(next),
            "of" | "for" => self.of(next),
            "and" | "&" | "e" | "y" | "und" | "et" => self.and(next),
            _ if scene.classes(next) & PARTICLE != 0 => self.particle(next),
            _ => false,
        }
    }

    /// "Apollo 11", "Section 5": a number that names. Not "Apollo 11 times".
    fn takes_number(&self, last: usize, next: usize) -> bool {
        let scene = self.scene;
        scene.classes(last) & DESIGNATOR != 0
            && scene.classes(last) & CALENDAR == 0
            && scene.written(next).bytes().all(|b| b.is_ascii_digit())
            && scene.written(next).len() <= 5
            && !(scene.tokens.get(next + 1).is_some_and(|after| after.kind == TokenKind::Word && !after.capitalised)
                && scene.follows_with_space(next)
                && scene.classes(next + 1) & FUNCTION == 0
                && scene.folded(next + 1).ends_with('s'))
    }

    /// "Osric the Fourth", "Alexander the Great".
    fn regnal(&mut self, next: usize) -> bool {
        let scene = self.scene;
        let ordinal = next + 1;
        if scene.follows_with_space(next)
            && scene.is_capital(ordinal)
            && scene.classes(ordinal) & (REGNAL | EPITHET) != 0
        {
            self.end = ordinal + 1;
            return true;
        }
        false
    }

    fn has(&self, wanted: u32) -> bool {
        (self.first..self.end).any(|at| self.scene.classes(at) & wanted != 0)
    }

    /// "Bank of England", "Center for Disease Control", "Ministry of the Interior".
    fn of(&mut self, next: usize) -> bool {
        let scene = self.scene;
        let mut after = next + 1;
        if scene.folded(after) == "the" && scene.follows_with_space(next) {
            after += 1;
        }
        let heads =
            if scene.folded(next) == "of" { OF_HEAD | ORGANISATION_HEAD | PLACE_HEAD } else { ORGANISATION_HEAD };
        let joins = scene.follows_with_space(after - 1)
            && self.can_take(after)
            && scene.classes(after) & CALENDAR == 0
            && self.has(heads)
            && scene.classes(self.end - 1) & TITLE == 0;
        if joins {
            self.end = after + 1;
        }
        joins
    }

    /// "Johnson and Johnson", "Food and Agriculture Organization", "Department of Health and Human Services".
    fn and(&mut self, next: usize) -> bool {
        let scene = self.scene;
        let article = scene.folded(next + 1) == "the" && scene.follows_with_space(next);
        let after = next + 1 + usize::from(article);
        if !scene.follows_with_space(after - 1) || !self.can_take(after) {
            return false;
        }
        let last_word = (self.first..self.end).rev().find(|&at| scene.tokens[at].kind == TokenKind::Word);
        if last_word.is_some_and(|last| is_joined_pair(scene.folded(last), scene.folded(after)))
            || scene.written(next) == "&"
        {
            self.end = after + 1;
            return true;
        }
        if article {
            return false;
        }
        let mut right = after + 1;
        while right < scene.tokens.len()
            && right - after < 6
            && scene.follows_with_space(right - 1)
            && self.can_take(right)
        {
            right += 1;
        }
        let head = scene.classes(right - 1);
        let comma_suffix = scene.written(right) == "," && scene.classes(right + 1) & LEGAL_FORM != 0;
        let headed = right > after + 1 && head & (JOINING_HEAD | LEGAL_FORM) != 0 || comma_suffix;
        let left_complete = self.has(LEGAL_FORM) || (self.first..self.end).any(|at| is_all_capitals(scene.written(at)));
        let topical = self.has(ORGANISATION_HEAD)
            && (self.first..self.end).any(|at| matches!(scene.folded(at), "of" | "for" | "de" | "fur"))
            && scene.classes(after) & (TOPIC | ORGANISATION_HEAD) != 0;
        if left_complete || !(topical || headed && !self.has(ORGANISATION_HEAD)) {
            return false;
        }
        self.end = right;
        true
    }

    /// "Guido van Rossum", "Rio de Janeiro", "Côte d'Ivoire".
    fn particle(&mut self, next: usize) -> bool {
        let scene = self.scene;
        let mut after = next + 1;
        while after < next + 3
            && scene.classes(after) & PARTICLE != 0
            && !scene.is_capital(after)
            && (scene.follows_with_space(after - 1) || scene.touches(after - 1))
        {
            after += 1;
        }
        let joined =
            scene.follows_with_space(after - 1) || scene.touches(after - 1) && scene.folded(after - 1).ends_with('\'');
        if !joined || !self.can_take(after) {
            return false;
        }
        // In Romance languages and German these are also plain prepositions: after a title or office they join nothing.
        let preposition = matches!(
            scene.language,
            Language::Portuguese | Language::Spanish | Language::French | Language::Italian | Language::German
        );
        if preposition {
            let mut right = after + 1;
            while right < scene.tokens.len()
                && right - after < 6
                && scene.follows_with_space(right - 1)
                && self.can_take(right)
            {
                right += 1;
            }
            let company = right > after + 1 && scene.classes(right - 1) & LEGAL_FORM != 0;
            if company || scene.classes(self.end - 1) & TITLE != 0 {
                return false;
            }
        }
        self.end = after + 1;
        true
    }
}

/// Takes titles, sentence openers and occupations off the front.
fn trim_front(scene: &Scene<'_>, run: &mut Run) {
    let headed = run.end > run.start + 1
        && scene.classes(run.end - 1) & (ORGANISATION_HEAD | PLACE_HEAD | LEGAL_FORM) != 0
        && scene.classes(run.end - 1) & TITLE == 0;
    let count = |run: &Run| (run.start..run.end).filter(|&i| scene.tokens[i].is_wordlike()).count();
    while run.start < run.end {
        let classes = scene.classes(run.start);
        let alone = count(run) == 1;
        if !scene.tokens[run.start].is_wordlike() {
            run.start += 1;
        } else if !alone && classes & TITLE != 0 && !headed {
            run.titled = true;
            run.initial = false;
            run.start += 1;
        } else if !alone
            && run.split_demonym.is_none()
            && !run.titled
            && scene.classes(run.start + 1) & TITLE != 0
            && aliases::is_demonym(scene.folded(run.start))
            && !headed
        {
            run.split_demonym = Some(run.start);
            run.initial = false;
            run.start += 1;
        } else if !alone
            && run.initial
            && classes & (OPENER | FUNCTION) != 0
            && !is_all_capitals(scene.written(run.start))
            && !headed
        {
            run.initial = false;
            run.start += 1;
        } else if !alone && run.initial && classes & OCCUPATION != 0 && !headed {
            run.qualifier = Some(scene.folded(run.start).to_owned());
            run.initial = false;
            run.start += 1;
        } else {
            break;
        }
    }
}

/// Takes months and days of the week off both ends, but leaves "Theresa May".
fn trim_calendar(scene: &Scene<'_>, run: &mut Run) {
    let is_calendar = |at: usize| scene.classes(at) & CALENDAR != 0;
    if (run.start..run.end).all(|at| is_calendar(at) || !scene.tokens[at].is_wordlike()) {
        run.end = run.start;
        return;
    }
    let after_preposition = run.start > 0
        && (scene.classes(run.start - 1) & FUNCTION != 0 || scene.tokens[run.start - 1].kind == TokenKind::Number);
    while run.start < run.end && is_calendar(run.start) && after_preposition {
        run.start += 1;
        run.initial = false;
    }
    let before_number = scene.tokens.get(run.end).is_some_and(|token| token.kind == TokenKind::Number)
        || scene.written(run.end) == "."
            && scene.tokens.get(run.end + 1).is_some_and(|token| token.kind == TokenKind::Number);
    if run.end > run.start && is_calendar(run.end - 1) {
        let after_particle = scene.classes(run.end.saturating_sub(2)) & PARTICLE != 0;
        let surname = after_particle
            || matches!(scene.folded(run.end - 1), "may" | "march" | "june" | "april" | "august") && !before_number;
        if !surname && run.end > run.start + 1 {
            run.end -= 1;
        }
    }
}

/// The occupation in lower case right before a name: "the cyclist Alan Brook", "chemist Marie Curie".
fn occupation_before(scene: &Scene<'_>, at: usize) -> Option<String> {
    let before = at.checked_sub(1)?;
    let token = &scene.tokens[before];
    (token.kind == TokenKind::Word
        && !token.capitalised
        && scene.classes(before) & OCCUPATION != 0
        && scene.follows_with_space(before))
    .then(|| token.folded.clone())
}

/// Whether a qualifier is a person's occupation.
pub(super) fn is_occupation(qualifier: Option<&str>) -> bool {
    const THINGS: [&str; 20] = [
        "planet",
        "element",
        "river",
        "lake",
        "mountain",
        "city",
        "town",
        "village",
        "film",
        "novel",
        "album",
        "song",
        "band",
        "ship",
        "aircraft",
        "company",
        "moon",
        "asteroid",
        "model",
        "programming-language",
    ];
    qualifier
        .is_some_and(|words| words.split(' ').any(|word| classes(word) & OCCUPATION != 0 && !THINGS.contains(&word)))
}

/// What the words of a name tell of its kind.
pub(super) fn kind(scene: &Scene<'_>, start: usize, end: usize) -> MentionKind {
    let has = |wanted| (start..end).any(|at| scene.classes(at) & wanted != 0);
    let capitals = (start..end).filter(|&at| scene.tokens[at].kind == TokenKind::Word);
    let words = capitals.clone().count();
    let legal_form = words > 1 && scene.classes(end - 1) & LEGAL_FORM != 0;
    if legal_form || words > 1 && has(ORGANISATION_HEAD) {
        return MentionKind::Organisation;
    }
    if words > 1 && (scene.classes(start) | scene.classes(end - 1)) & PLACE_HEAD != 0 {
        return MentionKind::Place;
    }
    let regnal = words > 1 && (roman(scene.written(end - 1)).is_some() || scene.classes(end - 1) & REGNAL != 0);
    let initials = words > 1 && (start..end - 1).any(|at| is_initial(scene.written(at)));
    // "Abdelmadjid TEBBOUNE"
    let loud_surname = words > 1
        && is_all_capitals(scene.written(end - 1))
        && scene.written(end - 1).chars().count() > 3
        && !is_all_capitals(scene.written(start))
        && !has_inner_capital(scene.written(start));
    if regnal || initials || loud_surname {
        return MentionKind::Person;
    }
    MentionKind::Name
}

/// German nouns all have capitals: what else shows that these words are a name?
fn is_german_name(scene: &Scene<'_>, run: &Run) -> bool {
    let words: Vec<usize> = (run.start..run.end).filter(|&at| scene.tokens[at].kind == TokenKind::Word).collect();
    let known =
        (run.start..run.end).any(|at| is_all_capitals(scene.written(at)) || has_inner_capital(scene.written(at)));
    if run.titled || run.numbered || known || run.qualifier.is_some() {
        return true;
    }
    let [first, rest @ ..] = words.as_slice() else { return false };
    if rest.is_empty() {
        return aliases::group(scene.folded(*first)).is_some();
    }
    let adjective = ["e", "en", "er", "es", "em"].iter().any(|ending| scene.folded(*first).ends_with(ending));
    !(run.initial && adjective && rest.len() == 1)
}
