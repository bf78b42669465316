//! A tokenized text with what the finder asks of it: where sentences begin, which words shout, how words stand together.

use super::shape::{has_inner_capital, is_all_capitals, is_initial};
use super::words::{self, ABBREVIATION, Classes, FOREIGN_FUNCTION, FUNCTION, NO_NAME, PARTICLE, PLACE_MODIFIER};
use crate::text::{Language, Token, TokenKind};

/// Longest token that is looked up in the word lists, in bytes.
const LONGEST_WORD: usize = 24;

pub(super) struct Scene<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: &'a [Token],
    pub(super) language: Language,
    classes: Vec<Classes>,
    /// Whether a token opens a sentence, line, list item or quotation.
    initial: Vec<bool>,
    /// Whether a token stands in a line or sentence written in capitals.
    shouting: Vec<bool>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(text: &'a str, tokens: &'a [Token], language: Language) -> Self {
        let foreign = !matches!(language, Language::English | Language::Unknown);
        let classes: Vec<Classes> = tokens
            .iter()
            .map(|token| {
                let classes = if token.folded.len() <= LONGEST_WORD { words::classes(&token.folded) } else { 0 };
                if foreign && classes & FOREIGN_FUNCTION != 0 { classes | FUNCTION } else { classes }
            })
            .collect();
        let mut scene = Self { text, tokens, language, classes, initial: Vec::new(), shouting: Vec::new() };
        scene.initial = scene.mark_initial();
        scene.shouting = scene.mark_shouting();
        scene
    }

    fn mark_initial(&self) -> Vec<bool> {
        let mut initial = Vec::with_capacity(self.tokens.len());
        let mut open = true;
        for (at, token) in self.tokens.iter().enumerate() {
            let gap = self.gap_before(at);
            if gap.contains('\n') {
                open = true;
            }
            initial.push(open);
            if token.is_wordlike() {
                open = false;
                continue;
            }
            match self.written(at) {
                "." => {
                    let before = at.checked_sub(1).map_or("", |before| self.written(before));
                    let abbreviated = at > 0 && self.classes(at - 1) & ABBREVIATION != 0 || is_initial(before);
                    open = open || !abbreviated;
                }
                "!" | "?" | ":" | ";" | "\u{2026}" | "\u{3002}" | "\u{ff01}" | "\u{ff1f}" | "|" | "\u{2022}" => {
                    open = true
                }
                "/" => open = open || !gap.is_empty() && self.follows_with_space(at),
                "\"" | "\u{201c}" | "\u{201e}" | "\u{ab}" => open = open || !gap.is_empty(),
                _ => {}
            }
        }
        initial
    }

    /// Stretches between sentence starts in which most words are in capitals tell nothing by their capitals.
    fn mark_shouting(&self) -> Vec<bool> {
        let mut shouting = vec![false; self.tokens.len()];
        let mut start = 0;
        while start < self.tokens.len() {
            let mut end = start + 1;
            while end < self.tokens.len() && (self.initial[end - 1] || !self.initial[end]) {
                end += 1;
            }
            let words = (start..end).filter(|&i| self.tokens[i].kind == TokenKind::Word && self.written(i).len() > 1);
            let (mut total, mut loud) = (0, 0);
            for i in words {
                total += 1;
                loud += usize::from(is_all_capitals(self.written(i)));
            }
            if total >= 3 && loud * 10 > total * 7 {
                shouting[start..end].fill(true);
            }
            start = end;
        }
        shouting
    }

    /// The token as written, empty past the end.
    pub(super) fn written(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| token.span.of(self.text))
    }

    /// The folded token, empty past the end.
    pub(super) fn folded(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| token.folded.as_str())
    }

    pub(super) fn classes(&self, at: usize) -> Classes {
        self.classes.get(at).copied().unwrap_or(0)
    }

    pub(super) fn is_initial_place(&self, at: usize) -> bool {
        self.initial.get(at).copied().unwrap_or(false)
    }

    fn gap_before(&self, at: usize) -> &'a str {
        let start = at.checked_sub(1).and_then(|before| self.tokens.get(before)).map_or(0, |token| token.span.end);
        self.tokens.get(at).and_then(|token| self.text.get(start..token.span.start)).unwrap_or("")
    }

    /// Whether the next token follows without a space.
    pub(super) fn touches(&self, at: usize) -> bool {
        self.tokens.get(at + 1).is_some_and(|next| next.span.start == self.tokens[at].span.end)
    }

    /// Whether the next token follows after nothing but spaces on the same line.
    pub(super) fn follows_with_space(&self, at: usize) -> bool {
        let gap = self.gap_before(at + 1);
        at + 1 < self.tokens.len() && !gap.is_empty() && !gap.contains(['\n', '\r', '\t'])
    }

    /// Whether the token is a word whose capital (or inner capital) may make it part of a name.
    pub(super) fn is_capital(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        token.kind == TokenKind::Word
            && !self.shouting[at]
            && (token.capitalised || has_inner_capital(self.written(at)) && !is_prefixed(self.written(at)))
    }

    /// Whether a name may start here.
    pub(super) fn may_start_name(&self, at: usize) -> bool {
        if !self.is_capital(at) {
            return false;
        }
        let classes = self.classes(at);
        let written = self.written(at);
        let degree = self.folded(at) == "ph" && self.written(at + 1) == ".";
        if classes & NO_NAME != 0 && (is_all_capitals(written) || written == "PhD") || degree || is_compound(written) {
            return false;
        }
        if is_initial(written) && self.written(at + 1) == "." && self.is_capital(at + 2) {
            return true;
        }
        if classes & FUNCTION == 0 {
            // A lone letter is no name.
            return !is_initial(written);
        }
        if is_all_capitals(written) && !self.is_initial_place(at) {
            return true;
        }
        // "Los Angeles", "El Salvador": an article with a capital that the place does not explain.
        let article = classes & (PARTICLE | PLACE_MODIFIER) != 0
            && !["the", "of", "and", "for", "e", "y", "et", "und"].contains(&self.folded(at));
        article
            && self.is_capital(at + 1)
            && self.follows_with_space(at)
            && self.classes(at + 1) & FUNCTION == 0
            && (!self.is_initial_place(at) || matches!(self.language, Language::English | Language::Unknown))
    }
}

/// "non-EU", "pre-Columbian", "mid-March": a small word hyphenated to a name.
fn is_prefixed(written: &str) -> bool {
    const PREFIXES: [&str; 14] =
        ["non", "pre", "post", "mid", "anti", "pro", "ex", "sub", "trans", "inter", "self", "un", "co", "neo"];
    written.split_once('-').is_some_and(|(prefix, _)| PREFIXES.contains(&prefix))
}

/// "UN-negotiated", "Paris-based", "Large-scale": a capital that only the first part owns.
pub(super) fn is_compound(written: &str) -> bool {
    written.contains('-')
        && written.starts_with(char::is_uppercase)
        && written.rsplit('-').next().is_some_and(|last| last.starts_with(char::is_lowercase))
}
