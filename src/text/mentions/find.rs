//! Finding mentions: one pass over the tokens that collects names, one that settles the doubtful ones.

use std::collections::{HashMap, HashSet};

use super::mention::{Mention, MentionKind};
use super::run::{self, Run};
use super::scene::{Scene, is_compound};
use super::shape::{has_inner_capital, is_all_capitals, is_initial, is_katakana, key_of_tokens};
use super::words::{self, ABBREVIATION, CALENDAR, DESIGNATOR, FUNCTION, GREEK, NO_NAME, OCCUPATION, OPENER, TITLE};
use super::{aliases, brackets};
use crate::text::{Language, TextSpan, Token, TokenKind, tokens};

/// The mentions of a text, in order and not overlapping.
///
/// A word with a capital is a name where the place explains no capital. At the start of a sentence it is left out if
/// it is a common word, and marked [`Mention::sentence_initial`] if nothing else in the text shows that it is a name.
/// German nouns all have capitals: there, only names of several words, titled persons, acronyms, companies with their
/// legal form, identifiers and known places count.
///
/// ```
/// use evidex::text::{Language, mentions};
/// let found = mentions("Dr. Ada Vance, Ph.D., leads Brightmoor Ltd. in New York.", Language::English);
/// let names: Vec<&str> = found.iter().map(|mention| mention.text.as_str()).collect();
/// assert_eq!(names, ["Ada Vance", "Brightmoor Ltd", "New York"]);
/// ```
pub fn mentions(text: &str, language: Language) -> Vec<Mention> {
    mentions_of_tokens(text, &tokens(text), language)
}

/// The same for a text whose [`tokens`] are at hand.
pub fn mentions_of_tokens(text: &str, tokens: &[Token], language: Language) -> Vec<Mention> {
    let scene = Scene::new(text, tokens, language);
    let mut finder = Finder { scene: &scene, found: Vec::new(), definitions: Vec::new() };
    let mut at = 0;
    while at < tokens.len() {
        at = finder.step(at).max(at + 1);
    }
    finder.settle()
}

/// Other names that a text may give to one thing; more would be no definition.
const MOST_OTHER_NAMES: usize = 8;

struct Finder<'a> {
    scene: &'a Scene<'a>,
    found: Vec<Mention>,
    /// Pairs of keys that the text declares to be one thing: "National Liberation Front (FLN)".
    definitions: Vec<(String, String)>,
}

impl Finder<'_> {
    /// Reads what begins at token `at` and returns the token after it.
    fn step(&mut self, at: usize) -> usize {
        let scene = self.scene;
        let token = &scene.tokens[at];
        if let Some(end) = self.work(at).or_else(|| self.code(at)) {
            return end;
        }
        match token.kind {
            TokenKind::Identifier => self.identifier(at),
            TokenKind::Word if self.is_call(at) => {
                self.push(at, at + 1, MentionKind::Identifier);
                at + 1
            }
            TokenKind::Word if is_katakana(scene.written(at)) => self.katakana(at),
            TokenKind::Word if scene.classes(at) & DESIGNATOR != 0 && self.is_letter_name(at + 1) => {
                self.push(at, at + 2, MentionKind::Identifier);
                at + 2
            }
            TokenKind::Word if is_compound(scene.written(at)) => self.compound(at),
            TokenKind::Word if scene.may_start_name(at) => self.name(at),
            _ => at + 1,
        }
    }

    /// The mention of tokens `start..end`.
    fn build(&self, start: usize, end: usize, kind: MentionKind) -> Mention {
        let scene = self.scene;
        let span = TextSpan::new(scene.tokens[start].span.start, scene.tokens[end - 1].span.end);
        let key = key_of_tokens(scene.text, &scene.tokens[start..end], kind == MentionKind::Identifier);
        Mention::with_key(span, span.of(scene.text), key, kind)
    }

    fn push(&mut self, start: usize, end: usize, kind: MentionKind) {
        let mention = self.build(start, end, kind);
        if !mention.key.is_empty() {
            self.found.push(mention);
        }
    }

    /// A title in quotes: every word but the small ones has a capital.
    fn work(&mut self, at: usize) -> Option<usize> {
        const LONGEST: usize = 14;
        let scene = self.scene;
        let close = match scene.written(at) {
            "\"" => "\"",
            "\u{201c}" => "\u{201d}",
            "\u{201e}" => "\u{201c}",
            "\u{ab}" => "\u{bb}",
            "\u{300a}" => "\u{300b}",
            _ => return None,
        };
        let end = (at + 2..scene.tokens.len().min(at + LONGEST)).find(|&end| scene.written(end) == close)?;
        let inside = at + 1..end;
        let titled = inside.clone().all(|i| {
            let token = &scene.tokens[i];
            !matches!(token.kind, TokenKind::Word)
                || token.capitalised
                || token.folded == "'s"
                || scene.classes(i) & FUNCTION != 0
        });
        let names = inside.clone().filter(|&i| scene.tokens[i].capitalised && scene.tokens[i].folded.len() > 1).count();
        let first = &scene.tokens[at + 1];
        let ends_sentence = matches!(scene.written(end - 1), "." | "!" | ",");
        if !titled || names == 0 || !(first.capitalised || first.kind == TokenKind::Number) || ends_sentence {
            return None;
        }
        self.push(at + 1, end, MentionKind::Work);
        Some(end + 1)
    }

    /// A name between backticks.
    fn code(&mut self, at: usize) -> Option<usize> {
        let scene = self.scene;
        if scene.written(at) != "`" || scene.tokens.get(at + 1)?.span.start != scene.tokens[at].span.end {
            return None;
        }
        let end = (at + 2..scene.tokens.len().min(at + 12)).find(|&end| scene.written(end) == "`")?;
        self.push(at + 1, end, MentionKind::Identifier);
        Some(end + 1)
    }

    /// Whether a bracket follows at once, as in `fetch()`; "word(s)" is no call.
    fn is_call(&self, at: usize) -> bool {
        let scene = self.scene;
        scene.written(at + 1) == "("
            && scene.touches(at)
            && (scene.written(at + 2) == ")"
                || matches!(scene.written(at + 3), "," | "=" | ")" | ":") && scene.tokens[at + 2].folded.len() > 2)
    }

    fn identifier(&mut self, at: usize) -> usize {
        let written = self.scene.written(at);
        let names = written.chars().any(char::is_uppercase)
            || written.contains(['_', '.'])
            || written.starts_with(char::is_alphabetic) && written.chars().any(char::is_numeric);
        // "c.1780", "p.12"
        let abbreviated = written.split_once('.').is_some_and(|(before, _)| {
            words::classes(before) & ABBREVIATION != 0 && before.starts_with(char::is_lowercase)
        });
        if names && !abbreviated && self.scene.classes(at) & NO_NAME == 0 {
            self.push(at, at + 1, MentionKind::Identifier);
        }
        at + 1
    }

    fn katakana(&mut self, at: usize) -> usize {
        let scene = self.scene;
        let mut end = at + 1;
        while end < scene.tokens.len()
            && scene.touches(end - 1)
            && (is_katakana(scene.written(end)) || scene.written(end) == "・")
        {
            end += 1;
        }
        if scene.tokens[end - 1].span.end - scene.tokens[at].span.start >= 9 {
            self.push(at, end, MentionKind::Name);
        }
        end
    }

    /// "Paris-based": the part before the hyphen, where it is a name without doubt.
    fn compound(&mut self, at: usize) -> usize {
        let scene = self.scene;
        let written = scene.written(at);
        let head = written.split('-').next().unwrap_or("");
        let start = scene.tokens[at].span.start;
        let mut mention = Mention::at(scene.text, TextSpan::new(start, start + head.len()), MentionKind::Name);
        let known = mention.alias.is_some() || is_all_capitals(head);
        let common = words::classes(&mention.key) & (FUNCTION | OPENER) != 0;
        if !mention.key.is_empty() && (known || !scene.is_initial_place(at) && !common) {
            mention.kind = mention.alias.map_or(MentionKind::Name, aliases::kind);
            self.found.push(mention);
        }
        at + 1
    }

    /// Whether the token is a letter, Greek letter or part number that names what stands before it: "Product A".
    fn is_letter_name(&self, at: usize) -> bool {
        let scene = self.scene;
        let Some(token) = scene.tokens.get(at) else { return false };
        if !token.capitalised || !scene.follows_with_space(at - 1) {
            return false;
        }
        let written = scene.written(at);
        let ends = !scene.tokens.get(at + 1).is_some_and(|next| next.capitalised && scene.follows_with_space(at));
        let capital_letter = is_initial(written) && written != "I" && (ends || scene.written(at + 1) != ".");
        token.kind == TokenKind::Word && (capital_letter || scene.classes(at) & GREEK != 0)
    }

    /// A run of words with capitals, with what belongs to it before and after.
    fn name(&mut self, at: usize) -> usize {
        let scene = self.scene;
        let Some(run) = run::read(scene, at) else { return at + 1 };
        let Run { start, end, next, titled, ref qualifier, numbered, initial, split_demonym } = run;
        if let Some(demonym) = split_demonym {
            self.push(demonym, demonym + 1, MentionKind::Place);
        }
        if start >= end {
            return next;
        }
        let mut mention = self.build(start, end, MentionKind::Name);
        if mention.key.is_empty() {
            return next;
        }
        mention.kind = match mention.alias {
            _ if numbered => MentionKind::Identifier,
            Some(group) => aliases::kind(group),
            None if titled => MentionKind::Person,
            None => run::kind(scene, start, end),
        };
        if numbered {
            mention.key = key_of_tokens(scene.text, &scene.tokens[start..end], true);
            mention.alias = None;
        }
        mention.qualifier.clone_from(qualifier);
        let written = scene.written(start);
        let evident = is_all_capitals(written) || has_inner_capital(written) || mention.alias.is_some();
        mention.sentence_initial = initial && end == start + 1 && !evident;
        if mention.sentence_initial && scene.classes(start) & (FUNCTION | OPENER | CALENDAR | OCCUPATION | TITLE) != 0 {
            return next;
        }
        let mut next = next;
        if scene.written(next) == "(" {
            if let Some(word) = brackets::qualifier(scene, next) {
                mention.qualifier = Some(word);
                mention.qualifier_in_brackets = true;
            } else if let Some(short) = brackets::acronym(scene, next) {
                self.definitions.push((mention.key.clone(), scene.tokens[short].folded.clone()));
            } else if mention.all_capitals && brackets::is_expansion(scene, next, &mention.key) {
                let close = brackets::close(scene, next);
                let key = close.map(|close| key_of_tokens(scene.text, &scene.tokens[next + 1..close], false));
                self.definitions.extend(key.map(|key| (key, mention.key.clone())));
            }
        } else if mention.qualifier.is_none() {
            mention.qualifier = brackets::apposition(scene, next);
        }
        if mention.qualifier.is_some()
            && mention.kind == MentionKind::Name
            && run::is_occupation(mention.qualifier.as_deref())
        {
            mention.kind = MentionKind::Person;
        }
        self.found.push(mention);
        // A bracket's own names are read in their turn.
        if scene.written(next) == "(" {
            next += 1;
        }
        next
    }

    /// Drops what only looked like a name, and spreads what the text says of its names.
    fn settle(self) -> Vec<Mention> {
        let Self { scene, mut found, definitions } = self;
        if found.iter().any(|mention| mention.sentence_initial) {
            let sure: HashSet<String> = found
                .iter()
                .filter(|mention| !mention.sentence_initial)
                .flat_map(|mention| mention.key.split(' ').map(str::to_owned))
                .collect();
            let common: HashSet<&str> = scene
                .tokens
                .iter()
                .filter(|token| !token.capitalised && token.kind == TokenKind::Word)
                .map(|token| token.folded.as_str())
                .collect();
            found.retain_mut(|mention| {
                if mention.sentence_initial && sure.contains(&mention.key) {
                    mention.sentence_initial = false;
                }
                !(mention.sentence_initial && common.contains(mention.key.as_str()))
            });
        }
        let mut others: HashMap<&str, Vec<&str>> = HashMap::new();
        for (full, short) in &definitions {
            for (key, other) in [(full, short), (short, full)] {
                let known = others.entry(key).or_default();
                if known.len() < MOST_OTHER_NAMES && !known.contains(&other.as_str()) {
                    known.push(other);
                }
            }
        }
        for mention in &mut found {
            if let Some(known) = others.get(mention.key.as_str()) {
                mention.also.extend(known.iter().map(|&other| other.to_owned()));
            }
        }
        found
    }
}
