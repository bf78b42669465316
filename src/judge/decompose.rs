//! Claims by a language model: atomic statements, each found again in the answer. What is nowhere in the answer is
//! dropped and counted; sentences that the model left out keep the claims that the rules read in them; and where the
//! model fails, the rules do it all, with a warning.

use std::collections::BTreeSet;

use super::LanguageModel;
use super::ask::Ask;
use super::json;
use super::method::Usage;
use super::prompt::{self, Fence};
use crate::claim::{Claim, ClaimKind, Piece};
use crate::text::{Language, TextSpan, TokenKind, content_words, sentences, tokens};
use crate::verify::Warning;

/// Most claims that are taken from one reply.
const MOST_CLAIMS: usize = 500;
/// Share of a claim's content words that a part of the answer must hold to be where it comes from.
const NEEDED_SHARE: f64 = 0.6;

/// How an answer was split by a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Decomposition {
    /// Claims that the model gave and the answer holds.
    pub found: usize,
    /// Statements of the model that stand nowhere in the answer.
    pub dropped: usize,
    /// Claims that the rules read in sentences that the model left out.
    pub kept_from_rules: usize,
    /// Whether the rules did it all, because the model failed.
    pub fell_back: bool,
    /// What the reader should know.
    pub warnings: Vec<Warning>,
    /// What it took.
    pub usage: Usage,
}

/// The claims of `answer` by `model`; `by_rules` are those that the rules read in it.
pub(super) fn decompose(model: &LanguageModel, answer: &str, by_rules: Vec<Claim>) -> (Vec<Claim>, Decomposition) {
    let mut outcome = Decomposition {
        found: 0,
        dropped: 0,
        kept_from_rules: 0,
        fell_back: false,
        warnings: Vec::new(),
        usage: Usage::of_model(model),
    };
    if !by_rules.iter().any(|claim| claim.unchecked.is_none()) {
        return (by_rules, outcome);
    }
    let fence = Fence::around([answer].into_iter());
    let length = u32::try_from(answer.len() / 2).unwrap_or(u32::MAX).clamp(256, 4096);
    let mut ask = Ask::chat(prompt::DECOMPOSE, prompt::decompose_system(), fence.enclose("text", answer), length);
    ask.schema = Some(prompt::claims_schema());
    let asked = model.ask(&ask);
    outcome.usage.add(&asked);
    let warn = |outcome: &mut Decomposition, code: &str, message: String| {
        outcome.warnings.push(Warning { code: code.to_owned(), message });
    };
    let statements = match asked.outcome {
        Ok(reply) => {
            if reply.truncated {
                warn(
                    &mut outcome,
                    "reply_truncated",
                    "the model's list of claims broke off; the rules read the rest".into(),
                );
            }
            json::texts(&reply.text).ok_or_else(|| "its reply is no list of statements".to_owned())
        }
        Err(error) => Err(error.to_string()),
    };
    let statements = statements
        .map(tidy)
        .and_then(|list| if list.is_empty() { Err("it gave no statement".to_owned()) } else { Ok(list) });
    match statements {
        Ok(statements) => (merge(answer, &statements, by_rules, &mut outcome), outcome),
        Err(reason) => {
            outcome.fell_back = true;
            warn(&mut outcome, "decompose_failed", format!("the claims are those of the rules: {reason}"));
            (by_rules, outcome)
        }
    }
}

/// The statements without list marks, each once, in order.
fn tidy(statements: Vec<String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    statements
        .into_iter()
        .map(|statement| without_mark(statement.trim()).to_owned())
        .filter(|statement| statement.chars().any(char::is_alphanumeric) && seen.insert(statement.clone()))
        .take(MOST_CLAIMS)
        .collect()
}

/// A statement without "1.", "2)", "-", "*" or "•" in front.
fn without_mark(statement: &str) -> &str {
    let after_digits = statement.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = statement.len() - after_digits.len();
    if (1..=3).contains(&digits)
        && let Some(rest) = after_digits.strip_prefix(['.', ')'])
        && rest.starts_with(char::is_whitespace)
    {
        return rest.trim_start();
    }
    match statement.strip_prefix(['-', '*', '\u{2022}']) {
        Some(rest) if rest.starts_with(char::is_whitespace) => rest.trim_start(),
        _ => statement,
    }
}

fn merge(answer: &str, statements: &[String], by_rules: Vec<Claim>, outcome: &mut Decomposition) -> Vec<Claim> {
    let parts = sentences(answer);
    let mut claims: Vec<Claim> = Vec::new();
    for statement in statements {
        match locate(statement, answer, &parts) {
            Some(claim) => {
                outcome.found += 1;
                claims.push(claim);
            }
            None => outcome.dropped += 1,
        }
    }
    if outcome.dropped > 0 {
        outcome.warnings.push(Warning {
            code: "claims_dropped".to_owned(),
            message: format!("{} statements of the model stand nowhere in the answer and are dropped", outcome.dropped),
        });
    }
    let told: Vec<TextSpan> = claims.iter().map(|claim| claim.sentence).collect();
    for claim in by_rules {
        // What is not to be checked is said as such; what the model left out is not lost.
        if told.iter().any(|sentence| sentence.overlaps(claim.sentence)) {
            continue;
        }
        outcome.kept_from_rules += usize::from(claim.unchecked.is_none());
        claims.push(claim);
    }
    claims.sort_by_key(|claim| (claim.sentence, claim.spans.first().map_or(claim.sentence, |span| *span)));
    for (index, claim) in claims.iter_mut().enumerate() {
        claim.index = index;
    }
    claims
}

/// The statement as a claim that knows where in the answer it stands.
fn locate(statement: &str, answer: &str, parts: &[TextSpan]) -> Option<Claim> {
    let core = statement.trim_end_matches(['.', '!', ' ']);
    let whole = TextSpan::whole(statement);
    if let Some(start) = answer.find(core) {
        let span = TextSpan::new(start, start + core.len());
        let sentence = parts.iter().copied().find(|part| part.overlaps(span)).unwrap_or(span).cover(span);
        let piece = Piece { text: TextSpan::new(0, core.len()), raw: span };
        return Some(claim(statement, span, sentence, piece));
    }
    let wanted = words(statement);
    if wanted.is_empty() {
        return None;
    }
    let wanted_numbers = numbers(statement);
    // One sentence, or one with the sentence before it, where a pronoun was replaced.
    let mut best: Option<(f64, TextSpan)> = None;
    for part in parts {
        let given = words(part.of(answer));
        let own = wanted.intersection(&given).count();
        if own == 0 || !wanted_numbers.is_subset(&numbers(part.of(answer))) {
            continue;
        }
        let before = TextSpan::new(0, part.start).of(answer);
        let mut known = given;
        known.extend(words(before));
        let share = wanted.intersection(&known).count() as f64 / wanted.len() as f64;
        let score = own as f64 / wanted.len() as f64;
        let needed = share >= NEEDED_SHARE && score >= NEEDED_SHARE / 2.0;
        if needed && best.is_none_or(|(most, _)| score > most) {
            best = Some((score, *part));
        }
    }
    let (_, span) = best?;
    Some(claim(statement, span, span, Piece { text: whole, raw: span }))
}

fn claim(text: &str, span: TextSpan, sentence: TextSpan, piece: Piece) -> Claim {
    Claim {
        index: 0,
        text: text.to_owned(),
        spans: vec![span],
        sentence,
        kind: ClaimKind::Factual,
        unchecked: None,
        ambiguous: None,
        pieces: vec![piece],
    }
}

fn words(text: &str) -> BTreeSet<String> {
    content_words(text, Language::English).into_iter().collect()
}

fn numbers(text: &str) -> BTreeSet<String> {
    tokens(text).into_iter().filter(|token| token.kind == TokenKind::Number).map(|token| token.folded).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::{ClaimOptions, extract};

    fn merged(answer: &str, statements: &[&str]) -> (Vec<Claim>, Decomposition) {
        let by_rules = extract(answer, &ClaimOptions::default());
        let mut outcome = Decomposition {
            found: 0,
            dropped: 0,
            kept_from_rules: 0,
            fell_back: false,
            warnings: Vec::new(),
            usage: Usage::default(),
        };
        let statements: Vec<String> = statements.iter().map(|text| (*text).to_owned()).collect();
        let claims = merge(answer, &statements, by_rules, &mut outcome);
        (claims, outcome)
    }

    #[test]
    fn list_marks_go_copies_go_and_the_order_stays() {
        let list = ["1. BASIC was made in 1964.", "2) It is old.", "- It is old.", "* 3.5 m long", "\u{2022} x", "..."];
        let tidied = tidy(list.map(str::to_owned).to_vec());
        assert_eq!(tidied, ["BASIC was made in 1964.", "It is old.", "3.5 m long", "x"]);
    }

    #[test]
    fn a_one_word_statement_is_kept() {
        assert_eq!(tidy(vec!["Delhi".to_owned()]), ["Delhi"]);
    }

    #[test]
    fn each_claim_knows_where_in_the_answer_it_stands_and_what_stands_nowhere_is_dropped() {
        let answer = "BASIC was created in 1964. It was designed for students by Kemeny and Kurtz.";
        let statements = [
            "BASIC was created in 1964",
            "BASIC was designed for students",
            "BASIC was created in 1972",
            "NASA launched a moon rocket",
        ];
        let (claims, outcome) = merged(answer, &statements);
        assert_eq!((outcome.found, outcome.dropped), (2, 2));
        assert_eq!(claims[0].spans[0].of(answer), "BASIC was created in 1964");
        assert_eq!(claims[1].spans[0].of(answer), "It was designed for students by Kemeny and Kurtz.");
        assert_eq!(claims.iter().map(|claim| claim.index).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn sentences_that_the_model_left_out_keep_the_claims_of_the_rules() {
        let answer = "Happy to help! The bridge opened in 1931. The tower is 90 m high.";
        let (claims, outcome) = merged(answer, &["The bridge opened in 1931."]);
        let texts: Vec<&str> = claims.iter().map(|claim| claim.text.as_str()).collect();
        assert_eq!(texts, ["Happy to help!", "The bridge opened in 1931.", "The tower is 90 m high."]);
        assert!(claims[0].unchecked.is_some());
        assert_eq!(outcome.kept_from_rules, 1);
    }
}
