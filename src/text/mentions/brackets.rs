//! What stands right after a name and says which one is meant: "(chemist)", "(FLN)", ", a cyclist".

use super::scene::Scene;
use super::shape::is_all_capitals;
use super::words::{FUNCTION, OCCUPATION};
use crate::text::TokenKind;

/// Words that open a bracket without telling one bearer from another.
const NO_QUALIFIERS: [&str; 22] = [
    "see",
    "also",
    "formerly",
    "now",
    "left",
    "right",
    "centre",
    "center",
    "top",
    "bottom",
    "pictured",
    "above",
    "below",
    "including",
    "excluding",
    "est",
    "estimated",
    "unknown",
    "retired",
    "deceased",
    "rank",
    "more",
];

/// The bracket that closes the one at `open`, if it is near.
pub(super) fn close(scene: &Scene<'_>, open: usize) -> Option<usize> {
    (open + 1..scene.tokens.len().min(open + 12)).find(|&at| scene.written(at) == ")")
}

/// The words of a bracket that qualifies the name before it: one to three words in lower case.
pub(super) fn qualifier(scene: &Scene<'_>, open: usize) -> Option<String> {
    let close = close(scene, open).filter(|&close| close > open + 1 && close <= open + 4)?;
    let plain = (open + 1..close).all(|at| {
        let token = &scene.tokens[at];
        token.kind == TokenKind::Word && !token.capitalised && !NO_QUALIFIERS.contains(&token.folded.as_str())
    });
    let first_is_function = scene.classes(open + 1) & FUNCTION != 0;
    (plain && !first_is_function && scene.folded(close - 1).len() > 2)
        .then(|| scene.tokens[open + 1..close].iter().map(|token| token.folded.as_str()).collect::<Vec<_>>().join(" "))
}

/// The one word in capitals of a bracket: "(FLN)".
pub(super) fn acronym(scene: &Scene<'_>, open: usize) -> Option<usize> {
    let at = open + 1;
    let short = scene.tokens.get(at)?;
    (scene.written(at + 1) == ")" && short.kind == TokenKind::Word && is_all_capitals(scene.written(at))).then_some(at)
}

/// Whether the bracket at `open` spells out the acronym `key`: "FIS (Islamic Salvation Front)".
pub(super) fn is_expansion(scene: &Scene<'_>, open: usize, key: &str) -> bool {
    let Some(close) = close(scene, open).filter(|&close| close > open + 2) else { return false };
    let mut initials = (open + 1..close)
        .filter(|&at| scene.tokens[at].capitalised && scene.classes(at) & FUNCTION == 0)
        .filter_map(|at| scene.folded(at).chars().next());
    let (mut same, mut count) = (0, 0);
    for letter in key.chars() {
        count += 1;
        same += usize::from(initials.next() == Some(letter));
    }
    count >= 2 && (same == count || same + 1 >= count && count >= 3)
}

/// The occupation in an apposition that begins at `comma`: ", a retired British chemist".
pub(super) fn apposition(scene: &Scene<'_>, comma: usize) -> Option<String> {
    if scene.written(comma) != "," || !matches!(scene.folded(comma + 1), "a" | "an" | "the") {
        return None;
    }
    (comma + 2..scene.tokens.len().min(comma + 6))
        .take_while(|&at| scene.tokens[at].kind == TokenKind::Word)
        .find(|&at| scene.classes(at) & OCCUPATION != 0 && !scene.tokens[at].capitalised)
        .map(|at| scene.folded(at).to_owned())
}
