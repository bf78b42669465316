//! The whole way from an answer to its claims.

use super::arithmetic::is_arithmetic;
use super::carry::{LONGEST_CARRIED, after_lead, after_sentence, subject_of_heading, with_subject};
use super::clause::{clause, enclosed, has_verb, has_verb_in, is_preposition};
use super::pronouns::{Memory, Resolution};
use super::question::Question;
use super::split::split;
use super::types::{Claim, ClaimKind, Unchecked};
use super::units::{Unit, UnitKind, units};
use super::wording::Wording;
use super::worth;
use crate::text::{Language, TextSpan, Token, TokenKind, language, tokens};

/// What helps to read an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClaimOptions {
    /// The question that was answered: makes statements of short answers.
    pub question: Option<String>,
    /// The answer's language, where the caller knows it; otherwise it is guessed.
    pub language: Option<Language>,
}

/// The claims of an answer, in order.
///
/// Every sentence, item, row and heading gives at least one claim; those that are not to be checked say why. The time is
/// linear in the answer's length.
///
/// ```
/// use evidex::claim::{ClaimOptions, Unchecked, extract};
/// let answer = "Happy to help! BASIC was created in 1964 and it was designed for students.";
/// let claims = extract(answer, &ClaimOptions::default());
/// assert_eq!(claims[0].unchecked, Some(Unchecked::Greeting));
/// assert_eq!(claims[1].text, "BASIC was created in 1964");
/// assert_eq!(claims[2].text, "BASIC was designed for students.");
/// ```
pub fn extract(answer: &str, options: &ClaimOptions) -> Vec<Claim> {
    let known = options.language.filter(|language| *language != Language::Unknown);
    let language = known.unwrap_or_else(|| language(answer).language);
    let question = options.question.as_deref().and_then(|question| Question::new(question, language));
    let units = units(answer);
    let mut reader = Reader {
        language,
        question,
        put: None,
        memory: Memory::default(),
        headings: Vec::new(),
        list: None,
        previous: None,
        answered: false,
        claims: Vec::new(),
    };
    if let Some(subject) = reader.question.as_ref().and_then(Question::subject) {
        reader.memory.ask(&subject);
    }
    for (place, unit) in units.iter().enumerate() {
        reader.read(unit, units.get(place + 1));
    }
    let mut claims = reader.claims;
    cover(answer, &mut claims);
    for (index, claim) in claims.iter_mut().enumerate() {
        claim.index = index;
    }
    claims
}

/// What stands before a list and belongs to each of its items.
enum Lead {
    /// A subject: "Norsel – key facts".
    Subject(Wording),
    /// The beginning of a sentence: "Norsel has offices in:".
    Sentence(Wording),
}

struct Reader {
    language: Language,
    question: Option<Question>,
    /// The question that the sentence before this one put.
    put: Option<Question>,
    memory: Memory,
    /// Open headings with their level and subject.
    headings: Vec<(u8, Option<Wording>)>,
    /// What the list that may follow hangs on.
    list: Option<Lead>,
    /// The sentence before this one in the same block, as it was understood.
    previous: Option<(usize, Wording)>,
    /// Whether a full statement was met: short answers come before it.
    answered: bool,
    claims: Vec<Claim>,
}

impl Reader {
    fn read(&mut self, unit: &Unit, next: Option<&Unit>) {
        let text = unit.words.text();
        let tokens = tokens(text);
        if self.previous.as_ref().is_some_and(|(block, _)| *block != unit.block) {
            self.previous = None;
        }
        match unit.kind {
            UnitKind::Code => return self.push_unchecked(unit, Unchecked::NoContent),
            UnitKind::Heading { level } => return self.heading(unit, &tokens, level),
            _ => {}
        }
        let before_list = next.is_some_and(|next| matches!(next.kind, UnitKind::Item { first: true } | UnitKind::Row))
            && !matches!(unit.kind, UnitKind::Item { .. } | UnitKind::Row);
        if before_list && self.leads_list(unit, &tokens) {
            return;
        }
        if !matches!(unit.kind, UnitKind::Item { .. } | UnitKind::Row) {
            self.list = None;
        }
        // A question put by the answer itself is answered by what follows it at once.
        let put = self.put.take();
        let question = put.as_ref().or(if self.answered { None } else { self.question.as_ref() });
        let question = question.filter(|_| Question::is_fragment(text, &tokens, self.language));
        let short_answer = question.is_some();
        if let Some(reason) = worth::unchecked(text, &tokens)
            && !(short_answer
                && matches!(reason, Unchecked::Greeting | Unchecked::NoContent)
                && self.is_answer(&tokens))
        {
            if reason == Unchecked::Question {
                self.put = Question::new(text, self.language);
            }
            return self.push_unchecked(unit, reason);
        }
        if let Some(question) = question {
            if question.is_missed_by(&tokens) {
                return self.push_unchecked(unit, Unchecked::NoContent);
            }
            return match question.complete(&unit.words, &tokens) {
                Some(statement) => self.push(unit, statement, unit.words.raw_spans(), None),
                None => self.push_unchecked(unit, Unchecked::NoContent),
            };
        }
        self.statement(unit, &tokens);
    }

    /// Whether a word that else says nothing answers the question: "Yes", "No", a name.
    fn is_answer(&self, tokens: &[Token]) -> bool {
        tokens
            .iter()
            .any(|token| ["yes", "no", "sim", "nao", "ja", "nein", "si", "oui", "non"].contains(&token.folded.as_str()))
    }

    fn heading(&mut self, unit: &Unit, tokens: &[Token], level: u8) {
        self.list = None;
        self.previous = None;
        if level < 7 {
            self.memory.clear();
            self.headings.retain(|(open, _)| *open < level);
            let subject = subject_of_heading(&unit.words, self.language);
            if let Some(subject) = &subject {
                self.memory.introduce(subject);
            }
            self.headings.push((level, subject));
        }
        let text = unit.words.text();
        let states = level < 7
            && clause(tokens, &enclosed(tokens, text), 0).is_some()
            && tokens.iter().filter(|token| token.is_wordlike()).count() >= 4
            && !["how", "why", "what", "when", "where", "who", "which"].contains(&tokens[0].folded.as_str())
            && worth::unchecked(text, tokens).is_none();
        if states {
            self.push(unit, unit.words.clone(), unit.words.raw_spans(), None);
        } else {
            self.push_unchecked(unit, Unchecked::Heading);
        }
    }

    /// Reads a line that only leads to the list after it: "Norsel – key facts", "Norsel has offices in:".
    fn leads_list(&mut self, unit: &Unit, tokens: &[Token]) -> bool {
        let text = unit.words.text();
        let colon = text.ends_with([':', '\u{ff1a}']);
        let ended = text.ends_with(['.', '!', '?', '\u{3002}', ';']);
        let words = tokens.iter().filter(|token| token.is_wordlike()).count();
        if !colon && (ended || words > 10 || has_verb(tokens)) {
            return false;
        }
        let reason = worth::unchecked(text, tokens);
        let states = colon && text.len() <= LONGEST_CARRIED && reason.is_none() && words >= 3 && has_verb(tokens);
        self.list = if states {
            Some(Lead::Sentence(unit.words.clone()))
        } else {
            subject_of_heading(&unit.words, self.language).map(Lead::Subject)
        };
        self.push_unchecked(unit, reason.unwrap_or(Unchecked::Heading));
        true
    }

    /// A sentence, item or row that states something.
    fn statement(&mut self, unit: &Unit, tokens: &[Token]) {
        let text = unit.words.text();
        let own = unit.words.raw_spans();
        let complete = has_verb_in(tokens, self.language);
        if let UnitKind::Item { first: true } = unit.kind
            && let Some(whole) = self.completed_item(&unit.words, tokens, complete)
        {
            let again = crate::text::tokens(whole.text());
            self.memory.observe(&whole, self.language);
            self.previous = Some((unit.block, whole.clone()));
            return self.push_parts(unit, &whole, &again, own);
        }
        if !complete {
            if let Some((_, previous)) = &self.previous
                && let Some(whole) = after_sentence(previous, &unit.words, tokens)
            {
                return self.push(unit, whole, own, None);
            }
            let words = tokens.iter().filter(|token| token.is_wordlike()).count();
            let number = tokens.iter().any(|token| matches!(token.kind, TokenKind::Number | TokenKind::Identifier));
            let ended = text.ends_with(['.', '!', '\u{3002}', '\u{ff01}']);
            let ideographs = tokens.iter().filter(|token| token.kind == TokenKind::Ideograph).count();
            if text.ends_with([':', '\u{ff1a}']) {
                return self.push_unchecked(unit, Unchecked::Heading);
            }
            if !is_arithmetic(text)
                && tokens.iter().filter(|token| token.is_wordlike()).all(|token| token.kind == TokenKind::Number)
            {
                return self.push_unchecked(unit, Unchecked::NoContent);
            }
            if !number && ideographs < 4 && (words <= 3 && !ended || words <= 1) {
                return self.push_unchecked(unit, Unchecked::NoContent);
            }
        }
        let english = matches!(self.language, Language::English | Language::Unknown);
        let resolution = if english { self.memory.resolve(&unit.words, tokens) } else { Resolution::None };
        self.answered |= complete;
        match resolution {
            Resolution::Resolved(whole) => {
                let again = crate::text::tokens(whole.text());
                self.memory.observe(&whole, self.language);
                self.previous = Some((unit.block, whole.clone()));
                self.push_parts(unit, &whole, &again, own);
            }
            Resolution::None => {
                self.memory.observe(&unit.words, self.language);
                self.previous = Some((unit.block, unit.words.clone()));
                self.push_parts(unit, &unit.words, tokens, own);
            }
            Resolution::Ambiguous(pronoun) => {
                self.memory.observe(&unit.words, self.language);
                self.previous = Some((unit.block, unit.words.clone()));
                self.push(unit, unit.words.clone(), own, Some(pronoun));
            }
        }
    }

    /// An item with what it lacks in front; `None` if it lacks nothing.
    fn completed_item(&self, words: &Wording, tokens: &[Token], complete: bool) -> Option<Wording> {
        let english = matches!(self.language, Language::English | Language::Unknown);
        let starts_with_verb = starts_with_verb(tokens);
        let stands_alone =
            complete && !starts_with_verb && clause(tokens, &enclosed(tokens, words.text()), 0).is_some();
        if stands_alone || complete && !english {
            return None;
        }
        match &self.list {
            Some(Lead::Sentence(lead)) if !complete || starts_with_verb => Some(after_lead(lead, words)),
            Some(Lead::Subject(subject)) => Some(with_subject(subject, words, tokens)),
            _ => {
                let subject = self.headings.iter().rev().find_map(|(_, subject)| subject.as_ref())?;
                Some(with_subject(subject, words, tokens))
            }
        }
    }

    /// The parts of a sentence that stand alone, each a claim.
    fn push_parts(&mut self, unit: &Unit, whole: &Wording, tokens: &[Token], own: Vec<TextSpan>) {
        let english = matches!(self.language, Language::English | Language::Unknown);
        let text = whole.text();
        if !english || matches!(unit.kind, UnitKind::Row) || is_arithmetic(text) {
            return self.push(unit, whole.clone(), own, None);
        }
        let parts = split(text, tokens);
        if parts.len() < 2 {
            return self.push(unit, whole.clone(), own, None);
        }
        for part in parts {
            let mut words = Wording::default();
            let mut rest = part.own;
            if let Some(carried) = part.carried {
                match part.pronoun {
                    Some((place, meant)) if carried.contains(place) => {
                        words.push(&whole.slice(meant));
                        let after = whole.slice(TextSpan::new(place.end, carried.end));
                        if !after.text().is_empty() {
                            words.push_own(" ");
                            words.push(&after);
                        }
                    }
                    _ => words.push(&whole.slice(carried)),
                }
                words.push_own(" ");
            } else if let Some((place, meant)) = part.pronoun {
                words.push(&whole.slice(meant));
                words.push_own(if text[place.end..].starts_with(char::is_whitespace) { " " } else { "" });
                rest.start = place.end;
            }
            words.push(&whole.slice(rest));
            let spans = words.raw_spans().into_iter().filter(|span| lies_in(&own, *span)).collect();
            self.push(unit, words, spans, None);
        }
    }

    fn push_unchecked(&mut self, unit: &Unit, reason: Unchecked) {
        let own = unit.words.raw_spans();
        self.push(unit, unit.words.clone(), own, None);
        if let Some(claim) = self.claims.last_mut() {
            claim.unchecked = Some(reason);
            claim.kind = ClaimKind::Factual;
        }
    }

    fn push(&mut self, unit: &Unit, words: Wording, spans: Vec<TextSpan>, ambiguous: Option<String>) {
        let kind = if is_arithmetic(words.text()) { ClaimKind::Arithmetic } else { ClaimKind::Factual };
        let (text, pieces) = words.into_parts();
        self.claims.push(Claim {
            index: 0,
            text,
            spans,
            sentence: unit.sentence,
            kind,
            unchecked: None,
            ambiguous,
            pieces,
        });
    }
}

/// Whether the words begin with a verb whose subject is missing: "Founded in 1994", "Employs 230 people".
fn starts_with_verb(tokens: &[Token]) -> bool {
    use super::verbs::{AUXILIARY, NOUNISH, PARTICIPLE, PAST, THIRD, forms};
    let Some(first) = tokens.first().filter(|token| token.kind == TokenKind::Word) else { return false };
    let forms = forms(&first.folded);
    let next = tokens.get(1);
    forms & AUXILIARY != 0
        || forms & (PAST | PARTICIPLE) != 0
            && next.is_none_or(|next| {
                is_preposition(&next.folded)
                    || next.kind == TokenKind::Number
                    || super::clause::is_determiner(&next.folded)
                    || next.capitalised
            })
        || forms & THIRD != 0
            && (forms & NOUNISH == 0
                || next
                    .is_some_and(|next| super::clause::is_determiner(&next.folded) || next.kind == TokenKind::Number))
}

/// Whether the span meets one of the ordered spans.
fn lies_in(ordered: &[TextSpan], span: TextSpan) -> bool {
    let first = ordered.partition_point(|part| part.end <= span.start);
    ordered.get(first).is_some_and(|part| part.overlaps(span))
}

/// Sees to it that every character but white space belongs to the sentence of some claim: marks join the sentence that
/// they introduce or close, words that no block reads become claims without content.
fn cover(answer: &str, claims: &mut Vec<Claim>) {
    let mut covered: Vec<Claim> = Vec::with_capacity(claims.len());
    let mut end = 0;
    let mut place = 0;
    let taken = std::mem::take(claims);
    while place < taken.len() {
        let sentence = taken[place].sentence;
        let group_end = taken[place..]
            .iter()
            .position(|claim| claim.sentence != sentence)
            .map_or(taken.len(), |length| place + length);
        let gap = TextSpan::new(end, sentence.start.max(end));
        let mut start = sentence.start;
        if let Some(part) = trimmed(answer, gap) {
            if has_words(part.of(answer)) {
                covered.push(not_read(answer, part));
            } else {
                start = part.start;
            }
        }
        for claim in &taken[place..group_end] {
            let mut claim = claim.clone();
            claim.sentence = TextSpan::new(start, sentence.end);
            covered.push(claim);
        }
        end = end.max(sentence.end);
        place = group_end;
    }
    if let Some(part) = trimmed(answer, TextSpan::new(end, answer.len())) {
        if has_words(part.of(answer)) || covered.is_empty() {
            covered.push(not_read(answer, part));
        } else if let Some(last) = covered.last().map(|claim| claim.sentence) {
            for claim in covered.iter_mut().rev().take_while(|claim| claim.sentence == last) {
                claim.sentence.end = part.end;
            }
        }
    }
    *claims = covered;
}

fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

fn trimmed(answer: &str, span: TextSpan) -> Option<TextSpan> {
    let text = span.of(answer);
    let start = span.start + (text.len() - text.trim_start().len());
    let length = text.trim().len();
    (length > 0).then(|| TextSpan::new(start, start + length))
}

fn not_read(answer: &str, span: TextSpan) -> Claim {
    let mut claim = Claim::whole(span.of(answer));
    for piece in &mut claim.pieces {
        piece.raw = span;
    }
    Claim { spans: vec![span], sentence: span, unchecked: Some(Unchecked::NoContent), ..claim }
}
