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
        last_back: tokens.iter().rposition(|token| BACK.contains(&token.folded.as_str())),
        last_it: tokens.iter().rposition(|token| token.folded == "it"),
    };
    splitter.run();
    if splitter.parts.len() < 2 { whole() } else { splitter.parts }
}

/// What a predicate without a subject takes from the clause before it.
enum Predicate {
    /// Its subject.
    Own,
    /// Its subject and its "was".
    Passive,
}

/// Participles that have an object when they are no passive.
const TRANSITIVE: [&str; 40] = [
    "restored",
    "rebuilt",
    "sold",
    "demolished",
    "named",
    "renamed",
    "acquired",
    "published",
    "released",
    "awarded",
    "appointed",
    "elected",
    "reelected",
    "founded",
    "created",
    "designed",
    "destroyed",
    "killed",
    "replaced",
    "translated",
    "adopted",
    "completed",
    "established",
    "granted",
    "introduced",
    "launched",
    "built",
    "produced",
    "directed",
    "written",
    "approved",
    "ratified",
    "signed",
    "banned",
    "abolished",
    "annexed",
    "captured",
    "invented",
    "discovered",
    "recorded",
];

/// Words that mean something said before.
const BACK: [&str; 24] = [
    "them",
    "him",
    "later",
    "following",
    "subsequently",
    "then",
    "previous",
    "previously",
    "earlier",
    "latter",
    "former",
    "afterwards",
    "afterward",
    "meanwhile",
    "thus",
    "therefore",
    "so",
    "instead",
    "otherwise",
    "thereby",
    "thereafter",
    "likewise",
    "such",
    "there",
];

/// Bytes of a subject that may be carried.
const LONGEST_CARRIED: usize = 240;

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
    /// The last word that means something said before, and the last "it".
    last_back: Option<usize>,
    last_it: Option<usize>,
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
                    // What follows may belong to a clause that was not split off.
                    None if self.may_be_clause(right) => break,
                    None => at = right,
                },
                _ => at += 1,
            }
        }
        let own = TextSpan::new(self.tokens[self.start].span.start, self.text.len());
        self.finish(own);
    }

    /// Whether a clause of its own may begin at `right`.
    fn may_be_clause(&self, right: usize) -> bool {
        clause(self.tokens, self.enclosed, right).is_some()
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
        if self.refers_back(right) {
            return None;
        }
        let verb = (right..self.tokens.len().min(right + 3)).find(|&at| !is_linking_adverb(&self.tokens[at]))?;
        if !contrast
            && !semicolon
            && !self.has_introduction()
            && let Some(predicate) = self.predicate(verb)
        {
            let carried_end = match predicate {
                Predicate::Passive => self.current.auxiliary_end?,
                Predicate::Own => self.current.subject.end,
            };
            let subject = TextSpan::new(
                self.tokens[self.current.subject.start].span.start,
                self.tokens[carried_end - 1].span.end,
            );
            if subject.len() > LONGEST_CARRIED {
                return None;
            }
            // "it was sold and closed": the pronoun of the part before is carried with what it stands for.
            let pronoun = self.pronoun.filter(|(place, _)| subject.contains(*place));
            self.close_at(coordinator);
            self.start = right;
            self.carried = Some(subject);
            self.pronoun = pronoun;
            return Some(verb + 1);
        }
        let next = self.own_clause(right).filter(|next| !self.is_list(coordinator, next))?;
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

    /// Whether the rest of the sentence leans on what stands before `right`: "administered them", "a year later".
    fn refers_back(&self, right: usize) -> bool {
        self.last_back.is_some_and(|last| last >= right) || self.last_it.is_some_and(|last| last > right)
    }

    fn close_at(&mut self, coordinator: usize) {
        let mut last = coordinator;
        while last > self.start && matches!(self.tokens[last - 1].folded.as_str(), "," | ";") {
            last -= 1;
        }
        let own = TextSpan::new(self.tokens[self.start].span.start, self.tokens[last - 1].span.end);
        self.finish(own);
    }

    /// What a predicate that begins with the verb at `verb` needs in front; `None` if it is no sure predicate.
    fn predicate(&self, verb: usize) -> Option<Predicate> {
        let token = &self.tokens[verb];
        if token.capitalised || self.enclosed[verb] || token.kind != TokenKind::Word {
            return None;
        }
        let forms = forms(&token.folded);
        if forms & AUXILIARY != 0 {
            // "and do", "and have" may be anything.
            return (!matches!(token.folded.as_str(), "do" | "have" | "can" | "must")).then_some(Predicate::Own);
        }
        if forms & THIRD != 0 {
            let sure = forms & NOUNISH == 0 || !self.current.past && finite(self.tokens, verb) == Finite::Yes;
            return sure.then_some(Predicate::Own);
        }
        if forms & PAST != 0 && forms & PARTICIPLE == 0 {
            return self.current.past.then_some(Predicate::Own);
        }
        if forms & PARTICIPLE == 0 {
            return None;
        }
        let next = self.tokens.get(verb + 1)?;
        let object =
            is_determiner(&next.folded) || next.capitalised && next.is_wordlike() || next.kind == TokenKind::Number;
        let phrase = is_preposition(&next.folded);
        if self.current.auxiliary_end.is_some() {
            // "was built in 1889 and restored in 1990" goes on in the passive, "was elected and led the party" does not;
            // verbs that go both ways keep the sentence whole.
            return match next.folded.as_str() {
                "by" => Some(Predicate::Passive),
                _ if phrase && TRANSITIVE.contains(&token.folded.as_str()) => Some(Predicate::Passive),
                _ if object && forms & PAST != 0 && self.current.past => Some(Predicate::Own),
                _ => None,
            };
        }
        (forms & PAST != 0 && self.current.past && self.is_active() && (object || phrase)).then_some(Predicate::Own)
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
        // "the couple", "this religion" may mean what came before; a name does not.
        let starts = pronoun || first.capitalised && first.is_wordlike();
        if !starts || self.enclosed[right] || self.has_introduction() {
            return None;
        }
        let next = clause(self.tokens, self.enclosed, right)?;
        let verb = next.verb.start;
        // "Catheter - related infections": a participle is a verb here only right behind its subject and before what
        // no participle has behind it.
        let sure = finite(self.tokens, verb) == Finite::Yes
            || self.tokens[verb - 1].is_wordlike()
                && self.tokens.get(verb + 1).is_none_or(|after| {
                    is_preposition(&after.folded)
                        || is_determiner(&after.folded)
                        || after.capitalised
                        || after.kind == TokenKind::Number
                });
        let subject = next.subject.clone();
        let simple = !self.tokens[subject.clone()]
            .iter()
            .any(|token| matches!(token.folded.as_str(), "," | "and" | "or" | "but"));
        let near = subject.len() <= if pronoun { 2 } else { 8 };
        (sure && simple && near && !self.tokens[right..next.verb.start].iter().any(is_subordinator)).then_some(next)
    }

    /// "Mat, Anna and Eva are …": the last name of a list and its verb.
    fn is_list(&self, coordinator: usize, next: &Clause) -> bool {
        let names = self.tokens[next.subject.clone()].iter().all(|token| token.capitalised);
        let plural = ["are", "were", "have"].contains(&self.tokens[next.verb.start].folded.as_str());
        let after_name = self.tokens[coordinator - 1].capitalised;
        let comma = self.tokens[coordinator.saturating_sub(5)..coordinator - 1].iter().any(|token| token.folded == ",");
        names && (plural || after_name && comma)
    }

    /// "In 1964, …": an introduction that may reach over all that follows.
    fn has_introduction(&self) -> bool {
        let subject = &self.tokens[self.current.subject.clone()];
        let first =
            if is_introducing_adverb(&self.tokens[0]) && self.tokens.get(1).is_some_and(|token| token.folded == ",") {
                2
            } else {
                0
            };
        let Some(first) = self.tokens.get(first) else { return false };
        let opens = is_preposition(&first.folded) || first.folded.ends_with("ing") || first.folded.ends_with("ed");
        let inserted = subject.iter().filter(|token| token.folded == ",").count();
        let adverb = is_introducing_adverb(&self.tokens[0]);
        opens && inserted > 0 || inserted % 2 == usize::from(!adverb)
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

/// "However," reaches over nothing.
fn is_introducing_adverb(token: &Token) -> bool {
    ["however", "additionally", "moreover", "furthermore", "overall", "also", "meanwhile", "finally"]
        .contains(&token.folded.as_str())
}

fn is_linking_adverb(token: &Token) -> bool {
    [
        "also",
        "then",
        "later",
        "now",
        "still",
        "subsequently",
        "thus",
        "therefore",
        "currently",
        "eventually",
        "finally",
        "soon",
    ]
    .contains(&token.folded.as_str())
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
