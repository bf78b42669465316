//! What a pronoun at the start of an English sentence stands for, if only one thing can be meant.

use super::carry::LONGEST_CARRIED;
use super::clause::{Finite, clause, enclosed, finite, is_determiner, is_preposition, is_subordinator};
use super::split::has_no_object;
use super::wording::Wording;
use crate::text::{Language, Mention, MentionKind, NameMatch, TextSpan, Token, TokenKind, mentions_of_tokens, tokens};

/// Sentences after which a person no longer is who "she" means.
const REACH: usize = 6;
/// People kept in mind; with more than one, "she" is ambiguous anyway.
const MOST_PEOPLE: usize = 8;

/// Who and what the sentences of a section spoke of.
#[derive(Debug, Default)]
pub(super) struct Memory {
    people: Vec<(Mention, Wording, usize)>,
    subject: Option<Subject>,
    sentences: usize,
}

#[derive(Debug, Clone)]
struct Subject {
    words: Wording,
    person: bool,
    plural: bool,
    /// Whether nothing else in its sentence could be meant by a later pronoun.
    alone: bool,
    /// Whether the one who made it is all that its sentence names besides: whom "they" may mean, but no "it".
    made_by_person: bool,
}

/// What becomes of a sentence's pronoun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Resolution {
    /// It begins with none.
    None,
    /// The sentence with the pronoun replaced.
    Resolved(Wording),
    /// The pronoun as written: it may mean several things, or nothing named.
    Ambiguous(String),
}

impl Memory {
    /// Forgets all: a new section begins.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes note of a sentence, its pronoun resolved where that was possible.
    pub(super) fn observe(&mut self, words: &Wording, language: Language) {
        self.sentences += 1;
        let text = words.text();
        let tokens = tokens(text);
        let mentions = mentions_of_tokens(text, &tokens, language);
        let now = self.sentences;
        self.people.retain(|(_, _, seen)| *seen + REACH >= now);
        for mention in &mentions {
            if mention.span.len() <= LONGEST_CARRIED && may_be_person(mention, &tokens) {
                self.meet(mention, words, now);
            }
        }
        let Some(subject) = subject(words, &tokens, &mentions) else {
            // A sentence that goes on about a pronoun keeps its subject; any other hides it.
            if !tokens.first().is_some_and(|token| is_pronoun(&token.folded)) {
                self.subject = None;
            }
            return;
        };
        self.subject = Some(subject);
    }

    /// Lets a heading name what "it" means.
    pub(super) fn introduce(&mut self, subject: &Wording) {
        self.subject =
            Some(Subject { words: subject.clone(), person: false, plural: false, alone: true, made_by_person: false });
    }

    /// Lets the question name who or what is spoken of.
    pub(super) fn ask(&mut self, mention: &Mention) {
        let mut words = Wording::default();
        words.push_own(&mention.text);
        if mention.kind != MentionKind::Person {
            self.introduce(&words);
        }
        if matches!(mention.kind, MentionKind::Person | MentionKind::Name) && mention.alias.is_none() {
            self.people.push((mention.clone(), words, 0));
        }
    }

    fn meet(&mut self, mention: &Mention, words: &Wording, now: usize) {
        for (known, wording, seen) in &mut self.people {
            if known.matches(mention) == NameMatch::Same {
                *seen = now;
                if mention.key.len() > known.key.len() {
                    *known = mention.clone();
                    *wording = words.slice(mention.span);
                }
                return;
            }
        }
        if self.people.len() < MOST_PEOPLE {
            self.people.push((mention.clone(), words.slice(mention.span), now));
        }
    }

    /// Replaces the pronoun that is the subject of the sentence, or stands before it ("Its capital").
    pub(super) fn resolve(&self, words: &Wording, tokens: &[Token]) -> Resolution {
        let text = words.text();
        let Some(at) = pronoun_place(tokens) else { return Resolution::None };
        let token = &tokens[at];
        let written = token.span.of(text);
        let folded = token.folded.as_str();
        if folded == "it" && is_impersonal(&tokens[at + 1..]) {
            return Resolution::None;
        }
        let possessive =
            matches!(folded, "its" | "his" | "their") || folded == "her" && finite(tokens, at + 1) != Finite::Yes;
        let antecedent = match folded {
            "he" | "she" | "his" | "her" => self.person(),
            "it" | "its" => self
                .subject
                .as_ref()
                .filter(|subject| (subject.alone || subject.made_by_person) && !subject.person && !subject.plural)
                .map(|subject| &subject.words),
            "they" | "their" => {
                self.subject.as_ref().filter(|subject| subject.alone && subject.plural).map(|subject| &subject.words)
            }
            _ => None,
        };
        let Some(antecedent) = antecedent else { return Resolution::Ambiguous(written.to_owned()) };
        let mut resolved = words.slice(TextSpan::new(0, token.span.start));
        if at > 0 {
            resolved.push_own(" ");
        }
        resolved.push(&if at > 0 { lower_article(antecedent) } else { antecedent.clone() });
        if possessive {
            resolved.push_own(if antecedent.text().ends_with('s') { "'" } else { "'s" });
        }
        let rest = words.slice(TextSpan::new(token.span.end, text.len()));
        let contracted = tokens.get(at + 1).is_some_and(|next| next.span.start == token.span.end);
        if !contracted {
            resolved.push_own(" ");
        }
        resolved.push(&rest);
        Resolution::Resolved(resolved)
    }

    /// The one person spoken of. Those whose names alone tell that they are people come before the rest.
    fn person(&self) -> Option<&Wording> {
        let mut sure = self.people.iter().filter(|(mention, ..)| mention.kind == MentionKind::Person);
        match (sure.next(), sure.next()) {
            (Some(_), Some(_)) => None,
            (Some((_, words, _)), None) if self.people.len() == 1 => Some(words),
            (Some(_), None) => None,
            _ => match self.people.as_slice() {
                [(_, words, _)] => Some(words),
                _ => None,
            },
        }
    }
}

fn is_pronoun(folded: &str) -> bool {
    ["it", "he", "she", "they", "its", "his", "her", "their"].contains(&folded)
}

/// The pronoun that the sentence is about: its first word, or the first after an introduction ("In 2020, she …").
fn pronoun_place(tokens: &[Token]) -> Option<usize> {
    let first = tokens.first()?;
    let demonstrative = matches!(first.folded.as_str(), "this" | "that" | "these" | "those" | "both")
        && finite(tokens, 1) == Finite::Yes;
    if is_pronoun(&first.folded) || demonstrative {
        return Some(0);
    }
    let linking = is_linking(&first.folded);
    if !is_preposition(&first.folded) && !linking {
        return None;
    }
    let comma = tokens.iter().take(8).position(|token| token.folded == ",");
    let at = if linking && comma.is_none_or(|comma| comma > 1) { 1 } else { comma? + 1 };
    let introduction = &tokens[..at];
    let names = introduction.iter().skip(1).any(|token| token.capitalised);
    (tokens.get(at).is_some_and(|token| is_pronoun(&token.folded))
        && (!names || first.capitalised && introduction.len() <= 4))
        .then_some(at)
}

fn is_linking(folded: &str) -> bool {
    [
        "however",
        "also",
        "additionally",
        "moreover",
        "furthermore",
        "then",
        "later",
        "today",
        "and",
        "but",
        "finally",
        "meanwhile",
        "overall",
        "thus",
        "therefore",
        "instead",
        "nevertheless",
        "nonetheless",
    ]
    .contains(&folded)
}

/// "It is false that …", "It takes …": no thing is meant.
fn is_impersonal(rest: &[Token]) -> bool {
    const STATES: [&str; 30] = [
        "true",
        "false",
        "untrue",
        "possible",
        "impossible",
        "likely",
        "unlikely",
        "probable",
        "clear",
        "unclear",
        "important",
        "known",
        "unknown",
        "believed",
        "said",
        "thought",
        "estimated",
        "reported",
        "common",
        "uncommon",
        "rare",
        "necessary",
        "worth",
        "easy",
        "difficult",
        "hard",
        "raining",
        "snowing",
        "time",
        "best",
    ];
    let word = |at: usize| rest.get(at).map_or("", |token| token.folded.as_str());
    if [
        "takes", "took", "seems", "appears", "rains", "rained", "snows", "snowed", "turns", "turned", "follows",
        "depends",
    ]
    .contains(&word(0))
    {
        return true;
    }
    let state = rest.iter().take(5).position(|token| STATES.contains(&token.folded.as_str()));
    let goes_on =
        rest.iter().take(9).any(|token| matches!(token.folded.as_str(), "that" | "to" | "whether" | "when" | "if"));
    state.is_some() && goes_on
        || rest.iter().take(8).any(|token| token.folded == "that") && matches!(word(0), "is" | "was" | "'s")
}

/// Whether "he" or "she" may mean the mention.
fn may_be_person(mention: &Mention, tokens: &[Token]) -> bool {
    if mention.kind == MentionKind::Person {
        return true;
    }
    // A surname may be a word for a place ("Napoleon Hill").
    if !matches!(mention.kind, MentionKind::Name | MentionKind::Place)
        || mention.alias.is_some()
        || mention.all_capitals && mention.key.len() <= 5
    {
        return false;
    }
    let at = tokens.partition_point(|token| token.span.start < mention.span.start);
    let before = at.checked_sub(1).map_or("", |before| tokens[before].folded.as_str());
    let end = tokens.partition_point(|token| token.span.start < mention.span.end);
    let after = tokens.get(end).map_or("", |token| token.folded.as_str());
    // A capital that only the start of the sentence explains, and no verb after it: "Deep in the sea".
    if mention.sentence_initial && finite(tokens, end) == Finite::No {
        return false;
    }
    // "in Arden", "the Helios", "a Corvo lamp"
    let place =
        ["in", "at", "near", "into", "onto", "on", "to", "from", "through", "across", "over", "within", "around"]
            .contains(&before);
    !place && !is_determiner(before) && !matches!(after, "ltd" | "inc")
}

/// The subject of a sentence, where it is plain enough to stand for itself elsewhere.
fn subject(words: &Wording, tokens: &[Token], mentions: &[Mention]) -> Option<Subject> {
    let text = words.text();
    let enclosed = enclosed(tokens, text);
    let clause = clause(tokens, &enclosed, 0)?;
    let mut range = clause.subject.clone();
    // Without "However," and "In 1964," before it and ", based in Tromvik," after it.
    let first = &tokens[0];
    if tokens.get(1).is_some_and(|token| token.folded == ",")
        && (is_linking(&first.folded) || first.folded.ends_with("ly"))
    {
        range.start = 2;
    }
    if tokens.get(range.start).is_some_and(|token| is_preposition(&token.folded)) {
        let comma = range.clone().find(|&at| tokens[at].folded == ",")?;
        range.start = comma + 1;
    }
    if range.is_empty() {
        return None;
    }
    if let Some(comma) = range.clone().find(|&at| matches!(tokens[at].folded.as_str(), "," | "(")) {
        range.end = comma;
    }
    let inside = &tokens[range.clone()];
    let first = inside.first()?;
    let span = TextSpan::new(first.span.start, inside.last()?.span.end);
    let quantified = ["no", "any", "each", "every", "some", "all", "many", "most", "few", "several", "another", "both"]
        .contains(&first.folded.as_str());
    let named = (is_determiner(&first.folded) || first.capitalised) && !quantified;
    let plain = !is_pronoun(&first.folded)
        && !["there", "this", "that", "these", "those", "i", "we", "you"].contains(&first.folded.as_str());
    if !named || !plain || inside.len() > 10 || span.len() > LONGEST_CARRIED || inside.iter().any(is_subordinator) {
        return None;
    }
    let coordinated = inside.iter().any(|token| token.folded == "and");
    let last = inside.last()?;
    let plural_verb = matches!(tokens[clause.verb.start].folded.as_str(), "are" | "were" | "have");
    let joins_names = coordinated && !mentions.iter().any(|mention| mention.span.contains(span));
    let plural = joins_names || plural_verb && !coordinated;
    let person = mentions.iter().any(|mention| {
        mention.kind == MentionKind::Person && span.contains(mention.span) && mention.span.end == last.span.end
    });
    // Another name in a phrase of place or time cannot be what is spoken of; an object, an agent or a partner can.
    Some(Subject {
        words: words.slice(span),
        person,
        plural,
        alone: has_no_object(tokens, &clause, tokens.len()) || is_copula_of_size(tokens, &clause),
        made_by_person: is_made_by_person(tokens, &clause, mentions),
    })
}

/// "was designed by Ana Brandt in 1931": the maker's full name, and after it nothing but places and dates.
fn is_made_by_person(tokens: &[Token], clause: &super::clause::Clause, mentions: &[Mention]) -> bool {
    const MADE: [&str; 14] = [
        "built",
        "designed",
        "written",
        "invented",
        "discovered",
        "painted",
        "composed",
        "directed",
        "created",
        "drawn",
        "sculpted",
        "conceived",
        "developed",
        "founded",
    ];
    let by = clause.verb.end;
    let made = by.checked_sub(1).is_some_and(|verb| MADE.contains(&tokens[verb].folded.as_str()));
    let (true, Some("by"), Some(first)) = (made, tokens.get(by).map(|token| token.folded.as_str()), tokens.get(by + 1))
    else {
        return false;
    };
    let Some(maker) = mentions.iter().find(|mention| mention.span.start == first.span.start) else { return false };
    let full_name = matches!(maker.kind, MentionKind::Person | MentionKind::Name) && maker.key.contains(' ');
    let mut rest = tokens.iter().filter(|token| token.span.start >= maker.span.end && token.is_wordlike());
    let placed = |token: &Token| {
        token.kind == TokenKind::Number
            || token.capitalised
            || matches!(token.folded.as_str(), "in" | "on" | "at" | "near")
    };
    full_name && rest.all(placed)
}

/// "is 88 km long", "has 3 floors": what follows the verb is a measure, nothing that could be meant.
fn is_copula_of_size(tokens: &[Token], clause: &super::clause::Clause) -> bool {
    let verb = tokens[clause.verb.start].folded.as_str();
    matches!(verb, "is" | "was" | "are" | "were")
        && clause.verb.len() == 1
        && clause.auxiliary_end.is_none()
        && !tokens[clause.verb.end..]
            .iter()
            .any(|token| token.capitalised && token.is_wordlike() && token.folded.len() > 1)
        || [
            "holds", "has", "have", "had", "employs", "contains", "weighs", "measures", "costs", "covers", "lasts",
            "uses",
        ]
        .contains(&verb)
            && tokens.get(clause.verb.end).is_some_and(|next| next.kind == TokenKind::Number)
}

fn lower_article(words: &Wording) -> Wording {
    let article = ["The ", "A ", "An "].iter().any(|article| words.text().starts_with(article));
    if article { super::carry::decapitalised(words) } else { words.clone() }
}
