//! A short answer made a statement with the help of its question.
//!
//! "Which city hosts the fair?" and "Delhi" give "Delhi hosts the fair"; where the grammar is not certain, question and
//! answer are put side by side, so that no word is invented.

use super::clause::{has_verb_in, is_determiner, is_preposition};
use super::verbs::{AUXILIARY, BE, PARTICIPLE, forms};
use super::wording::Wording;
use crate::text::{Language, Mention, NameMatch, TextSpan, Token, TokenKind, mentions_of_tokens, tokens};

/// Words of an answer that may be completed.
const LONGEST_ANSWER: usize = 12;

/// What stands before a question, set off by a colon: "Q: Who won?".
const QUESTION_LABELS: [&str; 6] = ["q", "question", "frage", "pergunta", "pregunta", "domanda"];

/// A question, read once for all short answers to it.
pub(super) struct Question {
    text: String,
    tokens: Vec<Token>,
    language: Language,
}

/// A question without its label.
fn unlabelled(text: &str) -> &str {
    match text.split_once(':') {
        Some((label, rest)) if QUESTION_LABELS.contains(&label.trim().to_lowercase().as_str()) => rest.trim_start(),
        _ => text,
    }
}

impl Question {
    pub(super) fn new(text: &str, language: Language) -> Option<Self> {
        let text = unlabelled(text.trim()).trim_end_matches(['?', '\u{ff1f}', ':', ' ']);
        let text = text.trim_start_matches(['\u{bf}', ' ']).to_owned();
        (!text.is_empty()).then(|| Self { tokens: tokens(&text), text, language })
    }

    /// Whether words without a verb of their own may be an answer to it.
    pub(super) fn is_fragment(answer: &str, tokens: &[Token], language: Language) -> bool {
        let words = tokens.iter().filter(|token| token.is_wordlike()).count();
        if elliptic(tokens).is_some() && matches!(language, Language::English | Language::Unknown) {
            return true;
        }
        (1..=LONGEST_ANSWER).contains(&words)
            && !has_verb_in(tokens, language)
            && !answer.trim_end().ends_with([':', '?'])
    }

    /// Whether it asks for a number or date that the answer does not hold: "Blue heron" says nothing on "How long …?".
    pub(super) fn is_missed_by(&self, answer: &[Token]) -> bool {
        let first = self.word(0);
        let second = self.word(1);
        let asks_number = first == "when"
            || first == "how"
                && [
                    "many", "much", "long", "old", "far", "tall", "high", "deep", "big", "large", "fast", "heavy",
                    "wide", "often",
                ]
                .contains(&second)
            || matches!(first, "what" | "which")
                && ["year", "date", "percentage", "number", "age", "century", "decade"].contains(&second)
            || ["wann", "cuando", "quand", "quando", "combien", "cuantos", "cuanto", "quantos", "quanto", "wieviele"]
                .contains(&first);
        asks_number
            && !answer.iter().any(|token| {
                token.kind == TokenKind::Number
                    || token.kind == TokenKind::Identifier
                    || NUMBER_WORDS.contains(&token.folded.as_str())
                    || CALENDAR_WORDS.iter().any(|month| token.folded.starts_with(month))
            })
    }

    /// The one thing that it names, if it names one.
    pub(super) fn subject(&self) -> Option<Mention> {
        let mut named = mentions_of_tokens(&self.text, &self.tokens, self.language);
        named.retain(|mention| !mention.sentence_initial);
        named.dedup_by(|a, b| a.matches(b) == NameMatch::Same);
        if named.len() == 1 { named.pop() } else { None }
    }

    fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.folded.as_str())
    }

    fn from(&self, at: usize) -> &str {
        self.tokens.get(at).and_then(|token| self.text.get(token.span.start..)).unwrap_or("").trim_end()
    }

    fn between(&self, start: usize, end: usize) -> &str {
        match (self.tokens.get(start), end.checked_sub(1).and_then(|last| self.tokens.get(last))) {
            (Some(first), Some(last)) if start < end => TextSpan::new(first.span.start, last.span.end).of(&self.text),
            _ => "",
        }
    }

    /// The statement that a short answer makes.
    pub(super) fn complete(&self, answer: &Wording, answer_tokens: &[Token]) -> Option<Wording> {
        // "Answer: Delhi"
        if let [label, colon, _, ..] = answer_tokens
            && ["answer", "a", "resposta", "antwort", "respuesta", "reponse"].contains(&label.folded.as_str())
            && colon.folded == ":"
        {
            let rest = answer.slice(TextSpan::new(colon.span.end, answer.text().len()));
            return self.complete(&rest, &tokens(rest.text()));
        }
        match answer_tokens.first().map(|token| token.folded.as_str()) {
            Some("yes" | "no" | "sim" | "nao" | "ja" | "nein" | "si" | "oui" | "non")
                if answer_tokens.iter().filter(|t| t.is_wordlike()).count() == 1 =>
            {
                return self.affirm(answer_tokens[0].folded.as_str());
            }
            _ => {}
        }
        if let Some(holds) = elliptic(answer_tokens) {
            return self.affirm(if holds { "yes" } else { "no" });
        }
        let bare = without_stop(answer);
        if matches!(self.language, Language::English | Language::Unknown)
            && let Some(statement) = self.statement(&bare)
        {
            return Some(statement);
        }
        let mut side_by_side = Wording::default();
        side_by_side.push_own(&self.text);
        side_by_side.push_own("? ");
        side_by_side.push(answer);
        Some(side_by_side)
    }

    fn statement(&self, answer: &Wording) -> Option<Wording> {
        let wh = self.word(0);
        // The verb of "Which Danish city hosts …", "Who invented …".
        let verb = match wh {
            "who" => 1,
            "what" | "which" => (1..self.tokens.len().min(6))
                .find(|&at| forms(self.word(at)) & (AUXILIARY | super::verbs::THIRD | super::verbs::PAST) != 0)?,
            "when" | "where" => 1,
            _ => return None,
        };
        let forms_of_verb = forms(self.word(verb));
        let mut statement = Wording::default();
        if forms_of_verb & BE != 0 {
            let end = self.tokens.len();
            let participle = end > verb + 2 && forms(self.word(end - 1)) & PARTICIPLE != 0;
            if wh == "who" || wh == "what" || wh == "which" {
                // "Which city is the capital of India?": the answer is the subject. "What is the capital?": it is the predicate.
                let named = verb > 1;
                if named && !participle {
                    statement.push(answer);
                    statement.push_own(" ");
                    statement.push_own(self.from(verb));
                } else if !named && is_determiner(self.word(verb + 1)) {
                    statement.push_own(&capitalised(self.from(verb + 1)));
                    statement.push_own(" ");
                    statement.push_own(self.word(verb));
                    statement.push_own(" ");
                    statement.push(answer);
                } else if wh == "who" && forms(self.word(verb + 1)) & PARTICIPLE != 0 {
                    statement.push(answer);
                    statement.push_own(" ");
                    statement.push_own(self.from(verb));
                } else {
                    return None;
                }
                return Some(statement);
            }
            if !participle {
                return None;
            }
            // "When was Norsel founded?"
            statement.push_own(&capitalised(self.between(verb + 1, end - 1)));
            statement.push_own(" ");
            statement.push_own(self.between(verb, verb + 1));
            statement.push_own(" ");
            statement.push_own(self.between(end - 1, end));
            let answer_tokens = tokens(answer.text());
            let first = answer_tokens.first()?;
            if !is_preposition(&first.folded) {
                let day = first.kind == TokenKind::Number && answer_tokens.len() > 1 && wh == "when"
                    || wh == "when" && answer_tokens.len() > 2;
                statement.push_own(if day { " on" } else { " in" });
            }
            statement.push_own(" ");
            statement.push(answer);
            return Some(statement);
        }
        if wh == "when" || wh == "where" || forms_of_verb & AUXILIARY != 0 && !matches!(self.word(verb), "has" | "had")
        {
            return None;
        }
        if forms_of_verb & AUXILIARY != 0 && verb > 1 && wh != "who" {
            // "Which city has …" and "Which city has Ana visited" look alike.
            let next = self.word(verb + 1);
            if !is_determiner(next) && forms(next) & PARTICIPLE == 0 {
                return None;
            }
        }
        statement.push(answer);
        statement.push_own(" ");
        statement.push_own(self.from(verb));
        Some(statement)
    }

    /// "Is Delhi the capital of India?" with "Yes" or "No", where the subject's end is certain.
    fn affirm(&self, word: &str) -> Option<Wording> {
        if !matches!(word, "yes" | "no") || forms(self.word(0)) & AUXILIARY == 0 {
            return None;
        }
        let subject_end = mentions_of_tokens(&self.text, &self.tokens, Language::English)
            .into_iter()
            .find(|mention| {
                // "Does Norsel …", "Does the X200 …"
                let first = if is_determiner(self.word(1)) { 2 } else { 1 };
                [1, first]
                    .iter()
                    .any(|at| self.tokens.get(*at).is_some_and(|token| token.span.start == mention.span.start))
            })
            .and_then(|mention| self.tokens.iter().position(|token| token.span.end == mention.span.end))
            .map(|last| last + 1)
            .or_else(|| {
                let next = self.word(3);
                let ends = is_determiner(next) || is_preposition(next) || forms(next) & PARTICIPLE != 0;
                (is_determiner(self.word(1)) && ends).then_some(3)
            })?;
        let mut statement = Wording::default();
        statement.push_own(&capitalised(self.between(1, subject_end)));
        statement.push_own(" ");
        statement.push_own(self.word(0));
        statement.push_own(if word == "no" { " not " } else { " " });
        statement.push_own(self.from(subject_end));
        Some(statement)
    }
}

/// "No, it does not.", "Yes, they were.", "It isn't.": an answer that repeats the question's verb. Gives whether it says yes.
fn elliptic(tokens: &[Token]) -> Option<bool> {
    let words: Vec<&str> =
        tokens.iter().filter(|token| token.is_wordlike()).map(|token| token.folded.as_str()).collect();
    let (said, rest) = match words.split_first() {
        Some((&"yes", rest)) => (Some(true), rest),
        Some((&"no", rest)) => (Some(false), rest),
        _ => (None, &words[..]),
    };
    let (pronoun, rest) = rest.split_first()?;
    if !matches!(*pronoun, "it" | "he" | "she" | "they" | "this" | "that" | "there") {
        return None;
    }
    let (verb, rest) = rest.split_first()?;
    let joined = verb.strip_suffix("n't");
    if forms(joined.unwrap_or(verb)) & AUXILIARY == 0 && !matches!(*verb, "cannot" | "won't" | "can't") {
        return None;
    }
    let denied = joined.is_some() || matches!(*verb, "cannot") || rest.first() == Some(&"not");
    let nothing_else = rest.is_empty() || rest == ["not"];
    (nothing_else && said.is_none_or(|said| said != denied)).then_some(!denied)
}

fn without_stop(answer: &Wording) -> Wording {
    let text = answer.text();
    let kept = text.trim_end_matches(['.', '!', '\u{3002}']);
    // "Ltd.", "U.S.": the stop belongs to the word.
    let is_abbreviation = kept.len() + 1 == text.len()
        && kept
            .rsplit(' ')
            .next()
            .is_some_and(|last| last.contains('.') || matches!(last, "Ltd" | "Inc" | "Corp" | "Co" | "Jr" | "Sr"));
    if is_abbreviation { answer.clone() } else { answer.slice(TextSpan::new(0, kept.len())) }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

const NUMBER_WORDS: [&str; 44] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
    "hundred",
    "thousand",
    "million",
    "billion",
    "dozen",
    "half",
    "none",
    "never",
    "always",
    "daily",
    "weekly",
    "monthly",
    "yearly",
    "once",
    "twice",
    "today",
];

const CALENDAR_WORDS: [&str; 24] = [
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
    "mon",
    "tue",
    "wed",
    "thu",
    "fri",
    "sat",
    "sun",
    "spring",
    "summer",
    "autumn",
    "winter",
    "yesterday",
];
