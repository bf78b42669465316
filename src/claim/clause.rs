//! The bones of an English clause: its subject and its finite verb, or nothing where the words leave doubt.

use std::ops::Range;

use super::verbs::{AUXILIARY, BASE, BE, NOUNISH, PARTICIPLE, PAST, THIRD, forms};
use crate::text::{Language, Token, TokenKind};

/// Tokens looked at for a subject.
const LONGEST_SUBJECT: usize = 24;

/// Words after which what follows does not stand alone, or belongs to another clause.
const SUBORDINATORS: [&str; 26] = [
    "who", "whom", "whose", "which", "that", "where", "when", "while", "whereas", "if", "because", "although",
    "though", "since", "unless", "until", "whether", "after", "before", "once", "whenever", "wherever", "than", "lest",
    "provided", "how",
];

/// What a clause says of what: tokens of the subject come first, then the verb group, then the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Clause {
    /// Tokens of the subject, with what stands before it.
    pub(super) subject: Range<usize>,
    /// Tokens of the verb group: auxiliaries, adverbs between, main verb.
    pub(super) verb: Range<usize>,
    /// One past the last auxiliary, where the group begins with one that a participle follows: "was" of "was built".
    pub(super) auxiliary_end: Option<usize>,
    /// Whether the finite verb is a past form.
    pub(super) past: bool,
}

pub(super) fn is_subordinator(token: &Token) -> bool {
    SUBORDINATORS.contains(&token.folded.as_str())
}

pub(super) fn is_preposition(folded: &str) -> bool {
    [
        "of",
        "in",
        "on",
        "at",
        "by",
        "to",
        "from",
        "with",
        "without",
        "for",
        "into",
        "onto",
        "over",
        "under",
        "near",
        "through",
        "during",
        "between",
        "among",
        "against",
        "about",
        "around",
        "across",
        "along",
        "behind",
        "beyond",
        "inside",
        "outside",
        "within",
        "throughout",
        "toward",
        "towards",
        "via",
        "per",
        "as",
        "until",
        "since",
        "after",
        "before",
        "despite",
        "because",
        "upon",
        "off",
        "above",
        "below",
        "up",
        "down",
        "out",
    ]
    .contains(&folded)
}

pub(super) fn is_determiner(folded: &str) -> bool {
    [
        "a", "an", "the", "this", "that", "these", "those", "its", "his", "her", "their", "our", "my", "your", "no",
        "some", "any", "all", "each", "every", "both", "another", "several", "many", "most", "few",
    ]
    .contains(&folded)
}

pub(super) fn is_subject_pronoun(folded: &str) -> bool {
    ["it", "he", "she", "they", "we", "i", "you", "there", "this", "these", "those"].contains(&folded)
}

fn is_adverb(token: &Token) -> bool {
    let folded = token.folded.as_str();
    [
        "not", "never", "also", "still", "now", "then", "first", "later", "always", "often", "already", "once", "only",
        "just", "thus", "again", "since", "even",
    ]
    .contains(&folded)
        || folded.len() > 4
            && folded.ends_with("ly")
            && ![
                "family", "italy", "july", "assembly", "supply", "reply", "monopoly", "apply", "multiply", "comply",
                "imply",
            ]
            .contains(&folded)
}

/// What tells that an ambiguous form was a verb: an article, a number or the like follows.
fn is_object_start(tokens: &[Token], at: usize) -> bool {
    const STARTS: [&str; 24] = [
        "a",
        "an",
        "the",
        "its",
        "his",
        "her",
        "their",
        "about",
        "over",
        "nearly",
        "almost",
        "around",
        "approximately",
        "roughly",
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
    ];
    tokens.get(at).is_some_and(|next| {
        matches!(next.kind, TokenKind::Number | TokenKind::Symbol) || STARTS.contains(&next.folded.as_str())
    })
}

/// How sure it is that the token is a finite verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finite {
    /// It is.
    Yes,
    /// It is a past form or a participle.
    PastOrParticiple,
    /// It is not, or it may as well be a noun.
    No,
}

pub(super) fn finite(tokens: &[Token], at: usize) -> Finite {
    let Some(token) = tokens.get(at).filter(|token| token.kind == TokenKind::Word) else { return Finite::No };
    let before = at.checked_sub(1).and_then(|before| tokens.get(before)).map_or("", |token| token.folded.as_str());
    if token.folded == "'s" {
        let is = ["it", "he", "she", "there", "that", "this", "what", "who", "where"].contains(&before);
        return if is { Finite::Yes } else { Finite::No };
    }
    if token.capitalised && at > 0 {
        return Finite::No;
    }
    let forms = forms(&token.folded);
    if forms & AUXILIARY != 0 {
        // "to have", "the will", "a can"
        let noun = matches!(before, "to" | "the" | "a" | "an");
        return if noun { Finite::No } else { Finite::Yes };
    }
    if is_determiner(before) && before != "this" && before != "that" && before != "all" || before == "to" {
        return Finite::No;
    }
    if forms & THIRD != 0 && (forms & NOUNISH == 0 || is_object_start(tokens, at + 1)) {
        return Finite::Yes;
    }
    match (forms & PAST != 0, forms & PARTICIPLE != 0) {
        (true, false) => Finite::Yes,
        (true, true) => Finite::PastOrParticiple,
        _ => Finite::No,
    }
}

/// Whether the tokens hold a finite verb, seen generously: bare forms after a plural or pronoun count.
pub(super) fn has_verb(tokens: &[Token]) -> bool {
    (0..tokens.len()).any(|at| match finite(tokens, at) {
        Finite::Yes => true,
        Finite::PastOrParticiple => at > 0 && (tokens[at - 1].is_wordlike() || tokens[at - 1].folded == ")"),
        Finite::No => {
            let token = &tokens[at];
            let plain = forms(&token.folded);
            at > 0
                && !token.capitalised
                && (token.kind == TokenKind::Word
                    // "the IT department"
                    && (at == 1 || !tokens[at - 1].capitalised || tokens[at - 1].folded == "i")
                    && ["we", "they", "i", "you", "he", "she", "it"].contains(&tokens[at - 1].folded.as_str())
                    && !is_preposition(&token.folded)
                    && token.folded != "and"
                    && token.folded != "or"
                    || plain & BASE != 0
                        && tokens[at - 1].kind == TokenKind::Word
                        && !is_preposition(&tokens[at - 1].folded)
                        && !is_determiner(&tokens[at - 1].folded)
                        && tokens
                            .get(at + 1)
                            .is_some_and(|next| is_determiner(&next.folded) || is_subject_pronoun(&next.folded))
                    || plain & BASE != 0
                        && (is_subject_pronoun(&tokens[at - 1].folded)
                            || tokens[at - 1].folded.ends_with('s') && tokens[at - 1].is_wordlike())
                    || plain & THIRD != 0 && tokens[at - 1].is_wordlike() && !is_determiner(&tokens[at - 1].folded))
        }
    })
}

/// [`has_verb`] for a text in any language: by its most frequent verb forms, or by length where words have no spaces.
pub(super) fn has_verb_in(tokens: &[Token], language: Language) -> bool {
    let verbs: &[&str] = match language {
        Language::Portuguese => &[
            "e", "foi", "era", "sao", "foram", "eram", "tem", "tinha", "teve", "ha", "esta", "estao", "fica", "pode",
            "podem", "deve", "faz", "fez", "possui", "vai", "vem", "diz", "disse", "mede", "custa", "pesa", "nasceu",
            "morreu", "ganhou", "venceu", "subiu", "caiu",
        ],
        Language::German => &[
            "ist", "war", "sind", "waren", "wird", "wurde", "wurden", "hat", "hatte", "haben", "kann", "muss", "gibt",
            "gab", "liegt", "lag", "steht", "stieg", "fiel", "spielt", "kostet", "wiegt", "gewann", "starb", "kam",
            "ging", "dauert", "betragt", "betrug", "lebt", "lebte",
        ],
        Language::Spanish => &[
            "es", "fue", "era", "son", "fueron", "eran", "tiene", "tenia", "tuvo", "hay", "esta", "estan", "puede",
            "debe", "hace", "hizo", "mide", "cuesta", "pesa", "nacio", "murio", "gano", "subio", "cayo", "dice",
            "dijo",
        ],
        Language::French => &[
            "est", "etait", "sont", "etaient", "fut", "furent", "a", "ont", "avait", "peut", "doit", "fait", "se",
            "mesure", "coute", "pese", "dit", "mourut", "naquit", "devient", "devint",
        ],
        Language::Italian => &["e", "era", "sono", "fu", "furono", "ha", "hanno", "aveva", "puo", "deve", "si"],
        Language::Dutch => &["is", "was", "zijn", "waren", "wordt", "werd", "werden", "heeft", "had", "kan", "moet"],
        Language::Chinese | Language::Japanese => {
            return tokens.iter().filter(|token| token.kind == TokenKind::Ideograph).count() >= 5;
        }
        _ => return has_verb(tokens),
    };
    tokens.iter().any(|token| verbs.contains(&token.folded.as_str()))
        || language == Language::German
            && tokens.iter().any(|token| {
                !token.capitalised
                    && token.folded.len() > 5
                    && (token.folded.ends_with("te") || token.folded.ends_with("ten"))
            })
}

/// For each token, whether it stands inside brackets or quotation marks.
pub(super) fn enclosed(tokens: &[Token], text: &str) -> Vec<bool> {
    let mut depth = 0usize;
    let mut quoted = false;
    tokens
        .iter()
        .map(|token| {
            let mark = token.span.of(text);
            match mark {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                "\"" => quoted = !quoted,
                "\u{201c}" | "\u{201e}" | "\u{ab}" => quoted = true,
                "\u{201d}" | "\u{bb}" => quoted = false,
                _ => {}
            }
            depth > 0 || quoted || matches!(mark, ")" | "]" | "}" | "\"" | "\u{201d}" | "\u{bb}")
        })
        .collect()
}

/// The clause that begins at `start` of the tokens; `None` where a subordinate clause comes first, where there is no
/// subject, or where no word is surely its verb.
pub(super) fn clause(tokens: &[Token], enclosed: &[bool], start: usize) -> Option<Clause> {
    let limit = tokens.len().min(start + LONGEST_SUBJECT);
    let mut at = start;
    while at < limit {
        let token = &tokens[at];
        if enclosed[at] {
            at += 1;
            continue;
        }
        if is_subordinator(token) || matches!(token.folded.as_str(), ";" | ":" | "." | "!" | "?") {
            return None;
        }
        // "As the seed grows, …"
        if at == start && token.folded == "as" {
            return None;
        }
        match finite(tokens, at) {
            Finite::Yes if at > start => return Some(group(tokens, start, at)),
            // ", based in Tromvik,": an insertion; the clause goes on after it.
            Finite::PastOrParticiple if at > start && tokens[at - 1].folded == "," => {
                let close = (at + 1..limit).find(|&close| tokens[close].folded == "," && !enclosed[close])?;
                at = close + 1;
            }
            Finite::PastOrParticiple if at > start => match later_verb(tokens, enclosed, at + 1) {
                Finite::No => return Some(group(tokens, start, at)),
                Finite::Yes => at += 1,
                Finite::PastOrParticiple => return None,
            },
            _ => at += 1,
        }
    }
    None
}

/// The verb that follows before the clause ends: after a sure one, the participle before it only describes the subject.
fn later_verb(tokens: &[Token], enclosed: &[bool], from: usize) -> Finite {
    let mut found = Finite::No;
    for at in (from..tokens.len().min(from + LONGEST_SUBJECT)).filter(|&at| !enclosed[at]) {
        if is_subordinator(&tokens[at]) || [",", "and", "but", "or", ";", ":"].contains(&tokens[at].folded.as_str()) {
            break;
        }
        match finite(tokens, at) {
            Finite::Yes => return Finite::Yes,
            Finite::PastOrParticiple => found = Finite::PastOrParticiple,
            Finite::No => {}
        }
    }
    found
}

fn group(tokens: &[Token], start: usize, verb: usize) -> Clause {
    let first = forms(&tokens[verb].folded);
    let auxiliary = first & AUXILIARY != 0 || tokens[verb].folded == "'s";
    let mut end = verb + 1;
    let mut auxiliary_end = None;
    if auxiliary {
        while let Some(token) = tokens.get(end) {
            let forms = forms(&token.folded);
            if is_adverb(token) || matches!(token.folded.as_str(), "be" | "been" | "being" | "have" | "had") {
                end += 1;
            } else if forms & PARTICIPLE != 0 && !token.capitalised {
                auxiliary_end = Some(end);
                end += 1;
                break;
            } else if forms & BASE != 0 && first & BE == 0 {
                end += 1;
                break;
            } else {
                break;
            }
        }
    }
    let past = first & PAST != 0 || matches!(tokens[verb].folded.as_str(), "was" | "were" | "had" | "did");
    // "Kim quickly assumed power": the adverb belongs to the verb.
    let mut subject_end = verb;
    while subject_end > start + 1 && is_adverb(&tokens[subject_end - 1]) {
        subject_end -= 1;
    }
    Clause { subject: start..subject_end, verb: verb..end, auxiliary_end, past }
}
