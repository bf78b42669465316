//! Frames: what a sentence only reports as false, supposes, imagines or plans is not said by it.
//!
//! In: the words of one text. Out: its [`Frame`]s, each a cue ("it is a myth that", "had … would have", "imagines that") and
//! the words that stand under it. A frame is told by its cue alone, after FactBank (Saurí and Pustejovsky 2009): a source's
//! verb or noun of saying gives no frame, unless a word beside it says that what is reported is false.

use std::ops::Range;

use super::reading::Word;
use crate::claim::verbs::{self, AUXILIARY, BE, PARTICIPLE, PAST, THIRD};

/// What a frame does to what stands under it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FrameKind {
    /// It is said to be false.
    Denied,
    /// It is said to be true, whoever says it ("the claim that … is true").
    Affirmed,
    /// It is supposed, imagined, feared, wished for or told as a legend.
    Supposed,
}

/// A cue and the words that stand under it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Frame {
    pub kind: FrameKind,
    /// The cue's words: one stretch before what it frames, one after it, or both.
    pub cues: [Range<usize>; 2],
    /// What is framed.
    pub scope: Range<usize>,
}

impl Frame {
    fn new(kind: FrameKind, cue: Range<usize>, scope: Range<usize>) -> Self {
        Self { kind, cues: [cue, 0..0], scope }
    }
}

/// Words before "that" in which its cue is looked for.
const REACH: usize = 9;

const FALSE_NOUNS: [&str; 22] = [
    "myth",
    "myths",
    "misconception",
    "misconceptions",
    "fallacy",
    "misbelief",
    "falsehood",
    "lie",
    "lies",
    "hoax",
    "fabrication",
    "mistake",
    "mito",
    "mentira",
    "mythos",
    "irrtum",
    "luge",
    "marchen",
    "mythe",
    "mensonge",
    "bulo",
    "equivoco",
];
const FALSE_ADJECTIVES: [&str; 22] = [
    "false",
    "untrue",
    "incorrect",
    "wrong",
    "mistaken",
    "erroneous",
    "unfounded",
    "baseless",
    "groundless",
    "fabricated",
    "debunked",
    "inaccurate",
    "falso",
    "falsa",
    "falsch",
    "unwahr",
    "faux",
    "fausse",
    "errado",
    "incierto",
    "inexact",
    "bogus",
];
const FALSE_ADVERBS: [&str; 12] = [
    "falsely",
    "wrongly",
    "mistakenly",
    "erroneously",
    "incorrectly",
    "untruthfully",
    "inaccurately",
    "falsamente",
    "erroneamente",
    "falschlicherweise",
    "falschlich",
    "faussement",
];
const TRUE_WORDS: [&str; 12] =
    ["true", "correct", "accurate", "right", "case", "so", "wahr", "richtig", "verdade", "verdad", "cierto", "vrai"];
const REPORT_NOUNS: [&str; 26] = [
    "claim",
    "claims",
    "rumour",
    "rumours",
    "rumor",
    "rumors",
    "report",
    "reports",
    "story",
    "stories",
    "idea",
    "belief",
    "notion",
    "assertion",
    "assertions",
    "allegation",
    "allegations",
    "statement",
    "statements",
    "impression",
    "assumption",
    "theory",
    "suggestion",
    "accusation",
    "view",
    "news",
];
const REPORT_VERBS: [&str; 31] = [
    "claim",
    "claims",
    "claimed",
    "believe",
    "believes",
    "believed",
    "think",
    "thinks",
    "thought",
    "say",
    "says",
    "said",
    "state",
    "states",
    "stated",
    "report",
    "reports",
    "reported",
    "assume",
    "assumes",
    "assumed",
    "suggest",
    "suggests",
    "suggested",
    "assert",
    "asserts",
    "asserted",
    "announced",
    "wrote",
    "argued",
    "told",
];
const SUPPOSING_VERBS: [&str; 60] = [
    "imagine",
    "imagines",
    "imagined",
    "imagining",
    "dream",
    "dreams",
    "dreamed",
    "dreamt",
    "pretend",
    "pretends",
    "pretended",
    "fantasises",
    "fantasizes",
    "fantasised",
    "fantasized",
    "envisages",
    "envisaged",
    "envisions",
    "envisioned",
    "fear",
    "fears",
    "feared",
    "worry",
    "worries",
    "worried",
    "believe",
    "believes",
    "assume",
    "assumes",
    "assumed",
    "assuming",
    "suppose",
    "supposes",
    "supposed",
    "supposing",
    "wish",
    "wishes",
    "wished",
    "hope",
    "hopes",
    "hoped",
    "allege",
    "alleges",
    "alleged",
    "speculates",
    "speculated",
    "suspects",
    "suspected",
    "demand",
    "demands",
    "demanded",
    "requests",
    "requested",
    "recommends",
    "recommended",
    "proposes",
    "proposed",
    "denies",
    "denied",
    "provided",
];

fn is_one_of(word: &Word, options: &[&str]) -> bool {
    options.contains(&word.folded.as_str())
}

fn is_false(word: &Word) -> bool {
    is_one_of(word, &FALSE_NOUNS) || is_one_of(word, &FALSE_ADJECTIVES)
}

fn is_negation(word: &Word) -> bool {
    matches!(
        word.folded.as_str(),
        "not" | "no" | "never" | "nao" | "nicht" | "kein" | "keine" | "pas" | "hardly" | "nothing" | "neither"
    )
}

fn is_be(word: &Word) -> bool {
    verbs::forms(&word.folded) & BE != 0
        || matches!(
            word.folded.as_str(),
            "be" | "been"
                | "proved"
                | "proven"
                | "remains"
                | "turned"
                | "e"
                | "foi"
                | "ist"
                | "war"
                | "est"
                | "es"
                | "era"
                | "fue"
        )
}

fn is_finite(word: &Word) -> bool {
    let forms = verbs::forms(&word.folded);
    forms & AUXILIARY != 0 || forms & (PAST | THIRD) != 0 && forms & verbs::NOUNISH == 0
}

fn is_complementiser(word: &Word) -> bool {
    matches!(word.folded.as_str(), "that" | "que" | "qu" | "dass")
}

/// Finds the frames of a text.
pub(super) fn frames(text: &str, words: &[Word]) -> Vec<Frame> {
    let mut found = Vec::new();
    let mut start = 0;
    for end in 1..=words.len() {
        if end == words.len() || parts_statements(text, &words[end - 1], &words[end]) {
            Statement { text, words, range: start..end }.frames(&mut found);
            start = end;
        }
    }
    found
}

/// Whether what stands between two words ends a statement.
fn parts_statements(text: &str, before: &Word, after: &Word) -> bool {
    if !after.after_mark {
        return false;
    }
    let between = text.get(before.span.end..after.span.start).unwrap_or_default();
    between.contains([';', '!', '?', '。', '；']) || between.contains('.') && after.capitalised && before.span.len() > 3
}

/// One statement of a text: its words from mark to mark.
struct Statement<'a> {
    text: &'a str,
    words: &'a [Word],
    range: Range<usize>,
}

impl Statement<'_> {
    fn word(&self, at: usize) -> &str {
        if self.range.contains(&at) { self.words[at].folded.as_str() } else { "" }
    }

    fn frames(&self, found: &mut Vec<Frame>) {
        for at in self.range.clone() {
            let frame = if is_complementiser(&self.words[at]) { self.complement(at) } else { self.led_by(at) };
            found.extend(frame);
        }
        if self.judges() {
            found.extend(self.judged_afterwards());
        }
        found.extend(self.inverted());
    }

    /// Whether something is called true or false at all.
    fn judges(&self) -> bool {
        self.words[self.range.clone()].iter().any(|word| is_false(word) || is_one_of(word, &TRUE_WORDS))
    }

    /// The frame of what a "that" introduces: "it is a myth that …", "the claim that … is false".
    fn complement(&self, that: usize) -> Option<Frame> {
        let after = that + 1;
        // "a myth that was told": a relative clause.
        if after >= self.range.end || is_finite(&self.words[after]) && self.word(that) == "that" {
            return None;
        }
        let rest = after..self.range.end;
        if let Some(frame) = self.judged_as_subject(that) {
            return Some(frame);
        }
        let from = that.saturating_sub(REACH).max(self.range.start);
        // "wrong to say that": the verb only carries the judgement.
        let mut cue = that.checked_sub(1).filter(|at| *at >= from)?;
        while cue > from && (self.word(cue) == "to" || self.word(cue - 1) == "to" && self.reports(cue)) {
            cue -= 1;
        }
        let near = |at: usize, reach: usize| &self.words[at.saturating_sub(reach).max(from)..at];
        let denied = near(cue, 4).iter().any(is_negation);
        let word = &self.words[cue];
        let start = |at: usize| self.frame_start(at, from);
        if is_false(word) {
            let kind = if denied { FrameKind::Affirmed } else { FrameKind::Denied };
            return Some(Frame::new(kind, start(cue)..after, rest));
        }
        if is_one_of(word, &TRUE_WORDS) && denied && near(cue, 6).iter().any(is_be) {
            return Some(Frame::new(FrameKind::Denied, start(cue)..after, rest));
        }
        if word.folded == "nicht" && self.word(cue.wrapping_sub(1)) == "stimmt" {
            return Some(Frame::new(FrameKind::Denied, start(cue)..after, rest));
        }
        if is_one_of(word, &REPORT_NOUNS) {
            return self.report(cue, that, from);
        }
        if is_one_of(word, &REPORT_VERBS) && near(cue, 3).iter().chain(&self.words[cue..that]).any(is_false_adverb)
            || is_false_adverb(word) && near(cue, 2).iter().any(|word| is_one_of(word, &REPORT_VERBS))
        {
            let first =
                near(cue, 3).iter().position(is_false_adverb).map_or(cue, |at| cue.saturating_sub(3).max(from) + at);
            return Some(Frame::new(FrameKind::Denied, first..after, rest));
        }
        let supposes = is_one_of(word, &SUPPOSING_VERBS) || matches!(word.folded.as_str(), "event" | "condition");
        supposes.then(|| Frame::new(FrameKind::Supposed, cue..after, self.to_next_mark(after, word)))
    }

    fn reports(&self, at: usize) -> bool {
        is_one_of(&self.words[at], &REPORT_VERBS)
    }

    /// "false claims that", "no truth in the claim that", "contrary to the claim that", "debunked the claim that".
    fn report(&self, noun: usize, that: usize, from: usize) -> Option<Frame> {
        let before = &self.words[from..noun];
        let rest = that + 1..self.range.end;
        let attribute = before.last().is_some_and(is_false);
        let unfounded = before.windows(2).any(|two| {
            matches!(two[0].folded.as_str(), "no" | "little" | "without")
                && matches!(two[1].folded.as_str(), "truth" | "basis" | "substance" | "foundation" | "merit")
        });
        let refuted = before.iter().any(|word| {
            matches!(
                word.folded.as_str(),
                "debunked" | "debunks" | "refuted" | "refutes" | "disproved" | "disproves" | "dispelled" | "dispels"
            )
        });
        if attribute || unfounded || refuted {
            return Some(Frame::new(FrameKind::Denied, from..that + 1, rest));
        }
        let contrary = before.windows(2).position(|two| two[0].folded == "contrary" && two[1].folded == "to");
        if let Some(at) = contrary {
            return Some(Frame::new(FrameKind::Denied, from + at..that + 1, self.until_mark(that + 1)));
        }
        let rejected = before.iter().any(|word| {
            matches!(word.folded.as_str(), "rejected" | "rejects" | "dismissed" | "dismisses" | "denied" | "denies")
        });
        rejected.then(|| Frame::new(FrameKind::Supposed, from..that + 1, rest))
    }

    /// "The claim that … is false", "That … is a myth": what is said of the whole stands after it.
    fn judged_as_subject(&self, that: usize) -> Option<Frame> {
        let noun = that.checked_sub(1).filter(|at| *at >= self.range.start);
        let opens = noun.is_none() || noun.is_some_and(|at| is_one_of(&self.words[at], &REPORT_NOUNS));
        if !opens || !self.judges() {
            return None;
        }
        let (verb, kind, end) = self.judgement(that + 2)?;
        let start = noun.map_or(that, |at| self.frame_start(at, self.range.start));
        Some(Frame { kind, cues: [start..that + 1, verb..end], scope: that + 1..verb })
    }

    /// "…, but that is false", "…, which is untrue": the verb that judges all before it.
    fn judged_afterwards(&self) -> Option<Frame> {
        let (verb, kind, end) = self.judgement(self.range.start + 2)?;
        let subject = verb.checked_sub(1).filter(|at| *at > self.range.start)?;
        let refers = matches!(self.word(subject), "this" | "that" | "it" | "which" | "das" | "isso" | "isto" | "esto");
        let first = match self.word(subject - 1) {
            "but" | "though" | "although" | "and" | "yet" | "however" | "aber" | "mas" | "pero" | "mais" => subject - 1,
            _ => subject,
        };
        if !refers || !self.words[first].after_mark && !self.words[subject].after_mark {
            return None;
        }
        // What is reported begins after the verb that reports it.
        let reported = (self.range.start..first).find(|at| {
            is_complementiser(&self.words[*at])
                && at
                    .checked_sub(1)
                    .is_some_and(|before| self.reports(before) || is_one_of(&self.words[before], &SUPPOSING_VERBS))
        });
        let start = reported.map_or(self.range.start, |that| that + 1);
        let cue = reported.map_or(0..0, |that| that.saturating_sub(1)..that + 1);
        Some(Frame { kind, cues: [cue, first..end], scope: start..first })
    }

    /// The last "is false", "proved to be a myth", "is not true" that stands at the end of the statement or before a mark.
    fn judgement(&self, from: usize) -> Option<(usize, FrameKind, usize)> {
        (from..self.range.end).rev().find_map(|verb| {
            if !is_be(&self.words[verb]) || verb > 0 && is_be(&self.words[verb - 1]) {
                return None;
            }
            let mut denied = false;
            for at in verb + 1..self.range.end.min(verb + 7) {
                let word = &self.words[at];
                let closes = at + 1 == self.range.end || self.words[at + 1].after_mark;
                if (is_false(word) || is_one_of(word, &TRUE_WORDS)) && closes {
                    let kind = if is_false(word) != denied { FrameKind::Denied } else { FrameKind::Affirmed };
                    return Some((verb, kind, at + 1));
                }
                denied |= is_negation(word);
                let passes = word.kind == super::reading::WordKind::Function
                    || is_be(word)
                    || word.folded.ends_with("ly")
                    || matches!(
                        word.folded.as_str(),
                        "out" | "just" | "common" | "popular" | "widespread" | "old" | "urban"
                    );
                if word.after_mark || !passes {
                    return None;
                }
            }
            None
        })
    }

    /// Frames whose cue needs no "that".
    fn led_by(&self, at: usize) -> Option<Frame> {
        let (word, next) = (self.word(at), self.word(at + 1));
        let rest = |from: usize| from..self.range.end;
        let supposed = |cue: usize, scope: Range<usize>| {
            (!scope.is_empty()).then(|| Frame::new(FrameKind::Supposed, at..at + cue, scope))
        };
        if is_false_adverb(&self.words[at]) {
            // "…, wrongly, …".
            let aside = self.words[at].after_mark && self.words.get(at + 1).is_some_and(|next| next.after_mark);
            let reports = at + 1 < self.range.end && self.reports(at + 1) && self.word(at + 2) != "that";
            return match (aside, reports) {
                (true, _) => Some(Frame::new(FrameKind::Denied, at..at + 1, rest(at + 1))),
                (_, true) => Some(Frame::new(FrameKind::Denied, at..at + 2, rest(at + 2))),
                _ => None,
            };
        }
        let opens = at == self.range.start || self.words[at].after_mark;
        match (word, next, self.word(at + 2)) {
            ("as", "if" | "though", _) => supposed(2, self.until_mark(at + 2)),
            ("suppose" | "supposing" | "assuming" | "imagine", next, _) if opens && next != "that" => {
                supposed(1, self.until_mark(at + 1))
            }
            (
                "according",
                "to",
                "legend" | "legends" | "folklore" | "myth" | "tradition" | "rumour" | "rumours" | "rumor" | "rumors",
            ) => supposed(3, rest(at + 3)),
            ("legend" | "folklore" | "tradition" | "rumour" | "rumor", "has", "it") => supposed(3, rest(at + 3)),
            (
                "considering" | "considers" | "considered" | "planning" | "mulling" | "denies" | "denied" | "deny",
                next,
                _,
            ) if next.len() > 5 && next.ends_with("ing") => supposed(1, self.until_mark(at + 1)),
            // "denied the tax was illegal": a statement of its own, and no thing that was refused.
            ("denies" | "denied" | "deny", next, _) if next != "that" => {
                let within = (at + 2..self.range.end.min(at + 7)).take_while(|at| !self.words[*at].after_mark);
                let states = within.into_iter().any(|at| verbs::forms(self.word(at)) & AUXILIARY != 0);
                let passive = at > 0 && is_be(&self.words[at - 1]);
                states.then_some(()).filter(|()| !passive)?;
                supposed(1, self.until_mark(at + 1))
            }
            ("called" | "calls" | "calling" | "call", "for", _) => {
                let to = (at + 2..self.range.end.min(at + 8)).find(|at| self.word(*at) == "to")?;
                supposed(2, at + 2..self.until_mark(to).end)
            }
            _ if self.is_unreal(at) => {
                let condition = (self.range.start..self.range.end).any(|at| {
                    matches!(
                        self.word(at),
                        "if" | "without" | "wenn" | "se" | "si" | "unless" | "ohne" | "sem" | "sin" | "sans"
                    ) || self.word(at) == "but" && self.word(at + 1) == "for"
                });
                supposed(1, if condition { self.range.clone() } else { self.until_mark(at + 1) })
            }
            _ => None,
        }
    }

    /// "would have", "should have": what did not come about, or not for sure. Not the doubt of "must have".
    fn is_unreal(&self, at: usize) -> bool {
        match self.word(at) {
            "would" | "should" | "could" => {
                let have = (at + 1..=at + 3).find(|at| self.word(*at) == "have");
                have.is_some_and(|have| {
                    (have + 1..=have + 3).any(|at| {
                        verbs::forms(self.word(at)) & (PARTICIPLE | PAST) != 0
                            || matches!(self.word(at), "been" | "had" | "done")
                    })
                })
            }
            "teria" | "teriam" | "habria" | "habrian" | "aurait" | "auraient" => true,
            "ware" | "waren" | "hatte" | "hatten" => self.words[at].span.of(self.text).contains(['ä', 'Ä']),
            _ => false,
        }
    }

    /// "Had the dam failed, …", "Were it to close, …", "Should it fail, …": a condition told by the order of its words.
    fn inverted(&self) -> Option<Frame> {
        let at = self.range.start;
        let would = || (at + 2..self.range.end).any(|at| matches!(self.word(at), "would" | "could" | "might"));
        let asks = self.text[self.words[self.range.end - 1].span.end..].starts_with('?');
        let opens = match self.word(at) {
            "had" | "were" => would(),
            "should" => (at + 2..self.range.end).any(|at| self.words[at].after_mark),
            _ => false,
        };
        (opens && !asks).then(|| Frame::new(FrameKind::Supposed, at..at + 1, at + 1..self.range.end))
    }

    /// The words of a cue before `at`: an "it is a common …" belongs to it.
    fn frame_start(&self, at: usize, from: usize) -> usize {
        (from..at).rev().take_while(|before| !self.words[before + 1].after_mark).last().unwrap_or(at)
    }

    /// From `from` to the next mark or the end.
    fn until_mark(&self, from: usize) -> Range<usize> {
        let end = (from + 1..self.range.end).find(|at| self.words[*at].after_mark).unwrap_or(self.range.end);
        from.min(end)..end
    }

    /// What a word of supposing reaches: a condition ends at a comma, what is thought may go on.
    fn to_next_mark(&self, from: usize, cue: &Word) -> Range<usize> {
        let condition = matches!(cue.folded.as_str(), "event" | "condition" | "provided" | "assuming" | "supposing");
        if condition { self.until_mark(from) } else { from..self.range.end }
    }
}

fn is_false_adverb(word: &Word) -> bool {
    is_one_of(word, &FALSE_ADVERBS)
}

/// The word that a frame denies: the verb of what stands under it, else its last word of content.
pub(super) fn head(words: &[Word], scope: &Range<usize>) -> Option<usize> {
    let own = |at: &usize| words[*at].is_content();
    let finite = scope.clone().find(|at| *at > scope.start && is_finite(&words[*at]) || is_be(&words[*at]));
    let verb = finite.and_then(|at| (at..scope.end).find(own));
    verb.or_else(|| scope.clone().rev().find(own))
}
