//! What a fragment lacks, taken from the heading, the line before its list, or the sentence before it.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::clause::{clause, enclosed, is_preposition};
use super::phrases::GENERIC_HEADINGS;
use super::verbs::{AUXILIARY, NOUNISH, PARTICIPLE, PAST, THIRD, forms};
use super::wording::Wording;
use crate::text::{Language, TextSpan, Token, TokenKind, mentions_of_tokens, tokens};

/// Bytes of what may be carried into other claims.
pub(super) const LONGEST_CARRIED: usize = 240;

static GENERIC: LazyLock<HashSet<&'static str>> = LazyLock::new(|| GENERIC_HEADINGS.split_ascii_whitespace().collect());

/// What a list or section is about: its one name, or the part of a heading before a dash or colon.
pub(super) fn subject_of_heading(heading: &Wording, language: Language) -> Option<Wording> {
    let text = heading.text();
    if text.len() > LONGEST_CARRIED {
        return None;
    }
    let tokens = tokens(text);
    let generic = |tokens: &[Token]| {
        tokens.iter().filter(|token| token.is_wordlike()).all(|token| GENERIC.contains(token.folded.as_str()))
    };
    if tokens.is_empty() || generic(&tokens) {
        return None;
    }
    // "Norsel – key facts", "Norsel: overview"
    let joint = tokens.iter().position(|token| {
        let mark = token.span.of(text);
        mark == ":" || matches!(mark, "-" | "\u{2013}" | "\u{2014}" | "|") && text[..token.span.start].ends_with(' ')
    });
    if let Some(joint) = joint.filter(|&joint| joint > 0)
        && joint + 1 < tokens.len()
        && generic(&tokens[joint..])
        && tokens[..joint].iter().any(|token| token.capitalised)
        && !generic(&tokens[..joint])
    {
        return Some(heading.slice(TextSpan::new(0, tokens[joint - 1].span.end)));
    }
    let mut found = mentions_of_tokens(text, &tokens, language);
    found.retain(|mention| !(mention.sentence_initial && GENERIC.contains(mention.key.as_str())));
    found.dedup_by(|a, b| a.key == b.key);
    found.retain(|mention| mention.key != "ai");
    let [only] = found.as_slice() else { return None };
    let rest: Vec<&Token> =
        tokens.iter().filter(|token| token.is_wordlike() && !only.span.contains(token.span)).collect();
    // The name must be what the heading is about: alone, or with words such as "history of".
    let adds_nothing = |token: &&Token| {
        GENERIC.contains(token.folded.as_str())
            || matches!(token.folded.as_str(), "the" | "a" | "an" | "and" | "about" | "of")
    };
    if !rest.iter().all(adds_nothing)
        || only.sentence_initial && !rest.iter().all(|token| GENERIC.contains(token.folded.as_str()))
    {
        return None;
    }
    let article = tokens
        .iter()
        .take_while(|token| token.span.end <= only.span.start)
        .last()
        .filter(|token| token.folded == "the");
    let start = article.map_or(only.span.start, |token| token.span.start);
    Some(heading.slice(TextSpan::new(start, only.span.end)))
}

/// The fragment with its subject in front: "Founded in 1994" gives "Norsel was founded in 1994", "320 staff" gives
/// "Norsel: 320 staff".
pub(super) fn with_subject(subject: &Wording, fragment: &Wording, tokens: &[Token]) -> Wording {
    let mut whole = Wording::default();
    whole.push(subject);
    let Some(first) = tokens.first().filter(|token| token.kind == TokenKind::Word) else {
        whole.push_own(": ");
        whole.push(fragment);
        return whole;
    };
    let forms = forms(&first.folded);
    let next = tokens.get(1);
    let before_preposition = next.is_none_or(|next| is_preposition(&next.folded) || next.kind == TokenKind::Number);
    let predicate = forms & AUXILIARY != 0
        || forms & THIRD != 0 && (forms & NOUNISH == 0 || !before_preposition)
        || forms & PAST != 0 && forms & PARTICIPLE == 0;
    if predicate {
        whole.push_own(" ");
        whole.push(&decapitalised(fragment));
    } else if forms & PARTICIPLE != 0 && before_preposition {
        let lasting =
            ["based", "located", "headquartered", "situated", "known", "owned", "led", "made", "used", "written"]
                .contains(&first.folded.as_str());
        whole.push_own(if lasting { " is " } else { " was " });
        whole.push(&decapitalised(fragment));
    } else {
        whole.push_own(": ");
        whole.push(fragment);
    }
    whole
}

/// An item behind the words that lead to its list: "Norsel has offices in:" and "Oslo".
pub(super) fn after_lead(lead: &Wording, item: &Wording) -> Wording {
    let text = lead.text();
    let kept = text.trim_end_matches([':', ' ']);
    let words = tokens(kept);
    let open = words.last().is_some_and(|last| {
        is_preposition(&last.folded) || forms(&last.folded) & (AUXILIARY | THIRD) != 0 || last.folded == "by"
    });
    let mut whole = lead.slice(TextSpan::new(0, kept.len()));
    whole.push_own(if open { " " } else { ": " });
    whole.push(item);
    whole
}

/// A sentence without a verb that begins with a preposition, behind the beginning of the sentence before it:
/// "Mira moved in 2021. To the IT department." gives "Mira moved to the IT department."
pub(super) fn after_sentence(previous: &Wording, fragment: &Wording, fragment_tokens: &[Token]) -> Option<Wording> {
    let first = fragment_tokens.first()?;
    const LONGEST_FRAGMENT: usize = 12;
    let plain = fragment_tokens
        .iter()
        .all(|token| token.folded != "," && forms(&token.folded) & (AUXILIARY | THIRD | PAST) == 0);
    if !is_preposition(&first.folded) || !plain || fragment_tokens.len() > LONGEST_FRAGMENT {
        return None;
    }
    let text = previous.text();
    let words = tokens(text);
    let clause = clause(&words, &enclosed(&words, text), 0)?;
    let end = words[clause.verb.end..]
        .iter()
        .find(|token| {
            is_preposition(&token.folded) || matches!(token.folded.as_str(), "," | ";" | "and" | "but" | "." | "!")
        })
        .map_or(text.trim_end_matches(['.', '!', ' ']).len(), |token| token.span.start);
    if end > LONGEST_CARRIED {
        return None;
    }
    let mut whole = previous.slice(TextSpan::new(0, end));
    whole.push_own(" ");
    whole.push(&decapitalised(fragment));
    Some(whole)
}

/// The same words with a small first letter, unless the first word is a name or acronym.
pub(super) fn decapitalised(words: &Wording) -> Wording {
    let text = words.text();
    let mut chars = text.chars();
    let (Some(first), second) = (chars.next(), chars.next()) else { return words.clone() };
    let lower: String = first.to_lowercase().collect();
    if !first.is_uppercase() || second.is_some_and(char::is_uppercase) || lower.len() != first.len_utf8() {
        return words.clone();
    }
    words.with_start(&lower)
}
