//! Is a sentence to be checked? If not, why not.
//!
//! A statement about the world is, however short, hedged or reported ("The drug might reduce fever"). What only greets,
//! asks, orders, judges, refuses or speaks about the answer is not. In doubt a sentence is checked.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::{Regex, RegexSet};

use super::clause::has_verb;
use super::phrases;
use super::types::Unchecked;
use crate::text::{Token, TokenKind, fold};

/// Bytes of a sentence that the patterns look at.
const HEAD: usize = 400;

struct Patterns {
    refusals: RegexSet,
    apologies: RegexSet,
    abstentions: RegexSet,
    meta: RegexSet,
    opinions: RegexSet,
    beliefs: Regex,
    advice: Regex,
    foreign_orders: Regex,
    fact_ahead: Regex,
    imperatives: HashSet<&'static str>,
    order_objects: HashSet<&'static str>,
}

static PATTERNS: LazyLock<Option<Patterns>> = LazyLock::new(|| patterns().ok());

fn patterns() -> Result<Patterns, regex::Error> {
    Ok(Patterns {
        refusals: RegexSet::new(phrases::REFUSALS)?,
        apologies: RegexSet::new(phrases::APOLOGIES)?,
        abstentions: RegexSet::new(phrases::ABSTENTIONS)?,
        meta: RegexSet::new(phrases::META)?,
        opinions: RegexSet::new(phrases::OPINIONS)?,
        beliefs: Regex::new(phrases::BELIEFS)?,
        advice: Regex::new(phrases::ADVICE)?,
        foreign_orders: Regex::new(phrases::FOREIGN_ORDERS)?,
        fact_ahead: Regex::new(phrases::FACT_AHEAD)?,
        imperatives: phrases::IMPERATIVES.split_ascii_whitespace().collect(),
        order_objects: phrases::ORDER_OBJECTS.split_ascii_whitespace().collect(),
    })
}

/// Why the sentence is not to be checked; `None` if it is.
pub(super) fn unchecked(text: &str, tokens: &[Token]) -> Option<Unchecked> {
    if !tokens.iter().any(Token::is_wordlike) {
        return Some(Unchecked::NoContent);
    }
    // "[1] https://example.com/page"
    let mut words = tokens.iter().filter(|token| token.is_wordlike());
    if words.clone().any(|token| token.kind == TokenKind::Address)
        && words.all(|token| matches!(token.kind, TokenKind::Address | TokenKind::Number))
    {
        return Some(Unchecked::NoContent);
    }
    if is_question(text) {
        return Some(Unchecked::Question);
    }
    let patterns = PATTERNS.as_ref()?;
    let folded = head(text);
    let adds_a_fact = adds_a_fact(tokens);
    if patterns.abstentions.is_match(&folded) && !adds_a_fact {
        return Some(Unchecked::Abstention);
    }
    if patterns.refusals.is_match(&folded) && !adds_a_fact {
        return Some(Unchecked::Refusal);
    }
    if is_greeting(&folded, tokens) {
        return Some(Unchecked::Greeting);
    }
    let names_figures = tokens.iter().any(|token| token.kind == TokenKind::Number);
    if patterns.apologies.is_match(&folded) && !adds_a_fact && !names_figures {
        return Some(Unchecked::Meta);
    }
    if patterns.meta.is_match(&folded) && !states_after_colon(tokens) {
        return Some(Unchecked::Meta);
    }
    if patterns.fact_ahead.is_match(&folded) {
        return None;
    }
    if is_opinion(patterns, &folded, tokens) {
        return Some(Unchecked::Opinion);
    }
    if is_instruction(patterns, &folded, tokens) {
        return Some(Unchecked::Instruction);
    }
    None
}

/// The folded beginning of a sentence, without marks before its first word.
fn head(text: &str) -> String {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let mut end = text.len().min(HEAD);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut folded = fold(&text[..end]);
    folded.truncate(folded.trim_end().len());
    folded
}

fn is_question(text: &str) -> bool {
    let end = text.trim_end_matches(|c: char| {
        c.is_whitespace()
            || matches!(c, '"' | '\'' | '\u{201d}' | '\u{2019}' | '\u{bb}' | ')' | ']' | '*' | '_' | '\u{300d}' | '!')
    });
    // "Who won?: Arden"
    let end = end.strip_suffix(':').unwrap_or(end);
    end.ends_with(['?', '\u{ff1f}', '\u{61f}', '\u{37e}'])
}

/// "I'm not sure, but the river is 88 km long": a fact follows the phrase.
fn adds_a_fact(tokens: &[Token]) -> bool {
    let Some(but) = tokens
        .iter()
        .position(|token| matches!(token.folded.as_str(), "but" | "however" | "mas" | "aber" | "pero" | "mais"))
    else {
        return false;
    };
    let rest = &tokens[but + 1..];
    let first = rest.first().map_or("", |token| token.folded.as_str());
    !["i", "we", "ich", "eu", "yo", "je", "nao", "no"].contains(&first)
        && rest.iter().any(|token| token.capitalised || token.kind == TokenKind::Number)
        && rest.iter().filter(|token| token.is_wordlike()).count() >= 3
}

fn is_greeting(folded: &str, tokens: &[Token]) -> bool {
    if phrases::COURTESIES.iter().any(|phrase| starts_with_words(folded, phrase).is_some()) {
        return true;
    }
    let Some(rest) =
        phrases::GREETINGS.iter().filter_map(|phrase| starts_with_words(folded, phrase)).min_by_key(|rest| rest.len())
    else {
        return false;
    };
    let rest_words = rest.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).count();
    let names =
        tokens.iter().skip(1).any(|token| token.kind == TokenKind::Number || token.kind == TokenKind::Identifier);
    let rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
    rest_words == 0
        || rest_words <= 5 && !names && !has_verb(tokens)
        || phrases::COURTESIES
            .iter()
            .chain(phrases::GREETINGS)
            .any(|phrase| starts_with_words(rest, phrase).is_some_and(|rest| rest.len() < 24))
}

/// What follows `phrase` at the start of `text`, if it ends there at the end of a word.
fn starts_with_words<'a>(text: &'a str, phrase: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(phrase)?;
    let spaced = phrase.is_ascii();
    (!spaced || !rest.starts_with(|c: char| c.is_alphanumeric() || c == '\'')).then_some(rest)
}

/// Whether something is stated after a colon: "Here is the length: the Ilva is 88 km long".
fn states_after_colon(tokens: &[Token]) -> bool {
    tokens.iter().position(|token| token.folded == ":").is_some_and(|colon| {
        let rest = &tokens[colon + 1..];
        has_verb(rest) || rest.iter().any(|token| token.kind == TokenKind::Number)
    })
}

fn is_opinion(patterns: &Patterns, folded: &str, tokens: &[Token]) -> bool {
    if patterns.opinions.is_match(folded) {
        return true;
    }
    // "I think the tower was built in 1889" is a fact with a hedge; "I think it is beautiful" is not.
    patterns.beliefs.is_match(folded)
        && (tokens.iter().any(|token| phrases::JUDGING.contains(&token.folded.as_str()))
            || !tokens
                .iter()
                .skip(1)
                .any(|token| token.capitalised && token.folded != "i" || token.kind == TokenKind::Number))
}

fn is_instruction(patterns: &Patterns, folded: &str, tokens: &[Token]) -> bool {
    if patterns.advice.is_match(folded) || patterns.foreign_orders.is_match(folded) {
        return true;
    }
    let mut words = tokens.iter().filter(|token| token.is_wordlike());
    let mut first = words.next();
    let mut second = words.next();
    let asked_politely = first.is_some_and(|token| token.folded == "please");
    while first.is_some_and(|token| {
        ["please", "then", "next", "finally", "first", "now", "also", "and", "just", "simply"]
            .contains(&token.folded.as_str())
    }) {
        first = second;
        second = words.next();
    }
    let (Some(first), Some(second)) = (first, second) else { return false };
    // "Note: …" is a label, "Listen, the lamp …" a call, "Take That" a name.
    let parted = tokens.iter().any(|token| {
        matches!(token.folded.as_str(), ":" | ",")
            && token.span.start >= first.span.end
            && token.span.end <= second.span.start
    });
    if parted || second.capitalised && second.folded != "i" {
        return false;
    }
    if first.folded == "let" {
        return matches!(second.folded.as_str(), "us" | "'s" | "me" | "it" | "the");
    }
    if first.folded == "do" || first.folded == "never" || first.folded == "always" {
        let third = words.next().map_or("", |token| token.folded.as_str());
        return second.folded == "not" && !third.is_empty()
            || first.folded != "do" && patterns.imperatives.contains(second.folded.as_str());
    }
    patterns.imperatives.contains(first.folded.as_str())
        && (asked_politely
            || patterns.order_objects.contains(second.folded.as_str())
            || second.folded == "to"
                && [
                    "go", "try", "remember", "turn", "listen", "refer", "navigate", "switch", "scroll", "return",
                    "talk", "speak", "head",
                ]
                .contains(&first.folded.as_str())
            || matches!(first.folded.as_str(), "avoid" | "consider") && second.folded.ends_with("ing")
            || matches!(first.folded.as_str(), "click" | "press" | "tap" | "select" | "preheat"))
}
