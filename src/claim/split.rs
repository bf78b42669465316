//! Splitting a sentence where each part stands alone.
//!
//! Words stay verbatim: a part without a subject of its own gets the first part's subject in front, as written. Where
//! anything may reach over both parts (a report, a condition, a negation, a comparison, "respectively"), and wherever
//! in doubt, the sentence stays whole.

use super::clause::{
    Clause, Finite, clause, enclosed, finite, is_determiner, is_preposition, is_subject_pronoun, is_subordinator,
};
use super::verbs::{AUXILIARY, NOUNISH, PARTICIPLE, PAST, THIRD, forms};
use crate::text::{TextSpan, Token, TokenKind};

/// A part of a sentence that stands alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// Its own words.
    pub(super) own: TextSpan,
    /// The words of the first part that it needs in front.
    pub(super) carried: Option<TextSpan>,
    /// A pronoun that it begins with, and the words of the first part that it stands for.
    pub(super) pronoun: Option<(TextSpan, TextSpan)>,
}

/// Words that reach over what is coordinated, so that its parts do not stand alone.
const BINDING: [&str; 48] = [
    "not",
    "never",
    "no",
    "none",
    "nobody",
    "nothing",
    "neither",
    "nor",
    "either",
    "both",
    "between",
    "respectively",
    "without",
    "hardly",
    "false",
    "untrue",
    "true",
    "said",
    "says",
    "say",
    "stated",
    "states",
    "claimed",
    "claims",
    "reported",
    "reports",
    "announced",
    "believed",
    "believes",
    "believe",
    "argued",
    "argues",
    "thought",
    "think",
    "thinks",
    "according",
    "alleged",
    "allegedly",
    "reportedly",
    "may",
    "might",
    "could",
    "would",
    "should",
    "only",
    "together",
    "same",
    "combined",
];

/// The parts of an English sentence, in order; one part if it stays whole.
pub(super) fn split(text: &str, tokens: &[Token]) -> Vec<Part> {
    let whole = || vec![Part { own: TextSpan::whole(text), carried: None, pronoun: None }];
    let coordinated =
        tokens.iter().any(|token| matches!(token.folded.as_str(), "and" | "but" | ";" | "while" | "whereas"));
    if !coordinated || tokens.len() < 6 || tokens.iter().any(|token| BINDING.contains(&token.folded.as_str())) {
        return whole();
    }
    let enclosed = enclosed(tokens, text);
    let Some(first) = clause(tokens, &enclosed, 0) else { return whole() };
    if tokens.iter().any(|token| token.folded == "?") {
        return whole();
    }
    let mut splitter = Splitter {
        text,
        tokens,
        enclosed: &enclosed,
        current: first,
        start: 0,
        carried: None,
        pronoun: None,
        parts: Vec::new(),
    };
    splitter.run();
    if splitter.parts.len() < 2 { whole() } else { splitter.parts }
}

struct Splitter<'a> {
    text: &'a str,
    tokens: &'a [Token],
    enclosed: &'a [bool],
    /// The clause whose subject the next part may need.
    current: Clause,
    /// First token of the part being read.
    start: usize,
    carried: Option<TextSpan>,
    pronoun: Option<(TextSpan, TextSpan)>,
    parts: Vec<Part>,
}

impl Splitter<'_> {
    fn run(&mut self) {
        let mut at = self.current.verb.end;
        while at < self.tokens.len() {
            // A clause of its own hangs on what stands before it; the rest stays with it.
            if !self.enclosed[at] && is_subordinator(&self.tokens[at]) && !self.is_contrast(at) {
                break;
            }
            match self.right_side(at) {
                Some(right) if self.left_is_complete(at) => match self.continuation(right, at) {
                    Some(next) => {
                        at = next;
                        continue;
                    }
                    None => at = right,
                },
                _ => at += 1,
            }
        }
        let own = TextSpan::new(self.tokens[self.start].span.start, self.text.len());
        self.finish(own);
    }

    fn finish(&mut self, own: TextSpan) {
        let own = if self.parts.is_empty() { TextSpan::new(0, own.end) } else { own };
        self.parts.push(Part { own, carried: self.carried.take(), pronoun: self.pronoun.take() });
    }

    /// ", while", ", whereas": two statements set side by side.
    fn is_contrast(&self, at: usize) -> bool {
        matches!(self.tokens[at].folded.as_str(), "while" | "whereas") && at > 0 && self.tokens[at - 1].folded == ","
    }

    /// The first token after the coordinator at `at`, if there is one.
    fn right_side(&self, at: usize) -> Option<usize> {
        if self.enclosed[at] {
            return None;
        }
        let word = self.tokens[at].folded.as_str();
        (matches!(word, "and" | "but" | ";") || self.is_contrast(at)).then_some(at + 1)
    }

    /// Whether what stands before the coordinator can end here: "designed and built by" cannot.
    fn left_is_complete(&self, coordinator: usize) -> bool {
        let last =
            if self.tokens[coordinator - 1].folded == "," { coordinator.saturating_sub(2) } else { coordinator - 1 };
        let token = &self.tokens[last];
        let open = is_preposition(&token.folded) && !matches!(token.folded.as_str(), "up" | "down" | "out" | "off")
            || is_determiner(&token.folded)
            || matches!(token.folded.as_str(), "and" | "or");
        last >= self.current.verb.end && !open
    }

    /// Starts a new part at `right` if what stands there is a clause or a predicate; returns where to read on.
    fn continuation(&mut self, right: usize, coordinator: usize) -> Option<usize> {
        let semicolon = self.tokens[coordinator].folded == ";";
        let contrast = self.is_contrast(coordinator);
        let verb = (right..self.tokens.len().min(right + 3)).find(|&at| !is_linking_adverb(&self.tokens[at]))?;
        if !contrast
            && !semicolon
            && let Some(after) = self.predicate(verb)
        {
            let carried_end =
                if self.takes_auxiliary(verb) { self.current.auxiliary_end? } else { self.current.subject.end };
            let subject = TextSpan::new(
                self.tokens[self.current.subject.start].span.start,
                self.tokens[carried_end - 1].span.end,
            );
            // "it was sold and closed": the pronoun of the part before is carried with what it stands for.
            let pronoun = self.pronoun.filter(|(place, _)| subject.contains(*place));
            self.close_at(coordinator);
            self.start = right;
            self.carried = Some(subject);
            self.pronoun = pronoun;
            return Some(after);
        }
        let next = self.own_clause(right)?;
        let pronoun = if is_resolvable(&self.tokens[right].folded) {
            // A pronoun that may mean two things keeps the sentence whole.
            Some((self.tokens[right].span, self.antecedent(coordinator)?))
        } else {
            None
        };
        self.close_at(coordinator);
        self.start = right;
        self.carried = None;
        self.pronoun = pronoun;
        self.current = next;
        Some(self.current.verb.end)
    }

    fn close_at(&mut self, coordinator: usize) {
        let mut last = coordinator;
        while last > self.start && matches!(self.tokens[last - 1].folded.as_str(), "," | ";") {
            last -= 1;
        }
        let own = TextSpan::new(self.tokens[self.start].span.start, self.tokens[last - 1].span.end);
        self.finish(own);
    }

    /// Whether a participle at `verb` continues a passive: "was built in 1889 and restored in 1990".
    fn takes_auxiliary(&self, verb: usize) -> bool {
        self.current.auxiliary_end.is_some() && finite(self.tokens, verb) != Finite::Yes
    }

    /// Where a predicate that begins with the verb at `verb` has its verb behind it; `None` if it is no sure predicate.
    fn predicate(&self, verb: usize) -> Option<usize> {
        let token = &self.tokens[verb];
        if token.capitalised || self.enclosed[verb] {
            return None;
        }
        let forms = forms(&token.folded);
        let next = self.tokens.get(verb + 1);
        let follows = next.is_some_and(|next| {
            next.is_wordlike()
                && (is_preposition(&next.folded)
                    || is_determiner(&next.folded)
                    || next.capitalised
                    || next.kind == TokenKind::Number)
                || next.kind == TokenKind::Symbol
                || next.folded.ends_with("ly")
        }) || next.is_none_or(|next| matches!(next.folded.as_str(), "." | "," | "and"));
        let ok = if forms & AUXILIARY != 0 {
            // "and may", "and can": their subject is this one; "and do" may be anything.
            !matches!(token.folded.as_str(), "do" | "have" | "can" | "must")
        } else if forms & THIRD != 0 {
            !self.current.past && (forms & NOUNISH == 0 || finite(self.tokens, verb) == Finite::Yes)
                || self.current.past && forms & NOUNISH == 0
        } else if forms & PAST != 0 && forms & PARTICIPLE == 0 {
            self.current.past && self.current.auxiliary_end.is_none() || self.current.past
        } else if forms & PARTICIPLE != 0 && self.current.auxiliary_end.is_some() {
            follows
        } else {
            forms & PAST != 0
                && self.current.past
                && self.current.auxiliary_end.is_none()
                && follows
                && self.is_active()
        };
        ok.then_some(verb + 1)
    }

    /// Whether the current verb is a plain past form, not "was".
    fn is_active(&self) -> bool {
        forms(&self.tokens[self.current.verb.start].folded) & AUXILIARY == 0
    }

    /// The clause with a subject of its own that begins at `right`, if it surely is one.
    fn own_clause(&self, right: usize) -> Option<Clause> {
        let first = self.tokens.get(right)?;
        let folded = first.folded.as_str();
        let pronoun = is_subject_pronoun(folded);
        let starts = pronoun || is_determiner(folded) || first.capitalised && first.is_wordlike();
        if !starts || self.enclosed[right] || self.has_introduction() {
            return None;
        }
        let next = clause(self.tokens, self.enclosed, right)?;
        let subject = next.subject.clone();
        let simple = !self.tokens[subject.clone()]
            .iter()
            .any(|token| matches!(token.folded.as_str(), "," | "and" | "or" | "but"));
        let near = subject.len() <= if pronoun { 2 } else { 8 };
        (simple && near && !self.tokens[right..next.verb.start].iter().any(is_subordinator)).then_some(next)
    }

    /// "In 1964, …": an introduction that may reach over all that follows.
    fn has_introduction(&self) -> bool {
        let subject = &self.tokens[self.current.subject.clone()];
        is_preposition(&self.tokens[0].folded) && subject.iter().any(|token| token.folded == ",")
    }

    /// What a pronoun after this clause stands for: its subject, if nothing else in it could be meant.
    fn antecedent(&self, coordinator: usize) -> Option<TextSpan> {
        let subject = self.current.subject.clone();
        let words = &self.tokens[subject.clone()];
        let first = words.first()?;
        if words.iter().any(|token| matches!(token.folded.as_str(), "," | "and" | "or"))
            || is_subject_pronoun(&first.folded)
        {
            return None;
        }
        has_no_object(self.tokens, &self.current, coordinator)
            .then(|| TextSpan::new(first.span.start, self.tokens[subject.end - 1].span.end))
    }
}

fn is_linking_adverb(token: &Token) -> bool {
    matches!(
        token.folded.as_str(),
        "also"
            | "then"
            | "later"
            | "now"
            | "still"
            | "subsequently"
            | "thus"
            | "therefore"
            | "currently"
            | "eventually"
            | "finally"
            | "soon"
    )
}

/// Pronouns that name what came before.
pub(super) fn is_resolvable(folded: &str) -> bool {
    matches!(folded, "it" | "he" | "she" | "they")
}

/// Whether nothing but the subject of a clause can be what a pronoun after it means: after the verb come only
/// prepositional phrases, numbers and dates.
pub(super) fn has_no_object(tokens: &[Token], clause: &Clause, end: usize) -> bool {
    let Some(next) = tokens.get(clause.verb.end).filter(|_| clause.verb.end < end) else { return true };
    let plain = matches!(next.folded.as_str(), "." | "," | ";") || next.kind == TokenKind::Number;
    if !plain && !is_preposition(&next.folded) {
        return false;
    }
    // An agent ("by Kemeny") or a person met ("with Anna") may be meant as well.
    !(clause.verb.end..end.min(tokens.len()).saturating_sub(1)).any(|at| {
        matches!(tokens[at].folded.as_str(), "by" | "with" | "for" | "of" | "from" | "to")
            && tokens[at + 1].kind != TokenKind::Number
            && tokens[at].folded != "of"
    })
}
