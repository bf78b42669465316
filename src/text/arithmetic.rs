//! Statements whose truth can be computed: "17 × 3 = 51", "20 % of 450 is 90", "the sum of 3 and 4 is 7".
//!
//! Comes in: a text. Goes out: each such statement with its value, exactly evaluated, and whether it holds. Ranges
//! ("2019–2020"), assignments ("x = 5") and code are none. Nothing is ever executed.

use super::TextSpan;
use super::arithmetic_items::{ReadItem, belongs, is_percent_of, number, operator_at, read_items};
use super::exact::{Exact, Item, evaluate};
use super::numerals::Numeral;
use super::spelled;
use super::value_tokens::{Kind, Scan, scan};

/// Why an expression has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArithmeticError {
    /// An operator without operand, a bracket without its other.
    #[error("the expression is incomplete")]
    Malformed,
    /// A division by zero.
    #[error("the expression divides by zero")]
    DivisionByZero,
    /// A number or power that is too large to compute exactly.
    #[error("the expression's value is too large to compute exactly")]
    TooLarge,
    /// Too many parts or too deep.
    #[error("the expression is too long")]
    TooLong,
    /// A value that is not rational: a root that does not come out.
    #[error("the expression's value is not a rational number")]
    Unsupported,
}

/// A statement that an expression has a value.
#[derive(Debug, Clone, PartialEq)]
pub struct ArithmeticClaim {
    /// Where the whole statement stands.
    pub span: TextSpan,
    /// The expression as written: "17 × 3".
    pub expression: String,
    /// The value that is claimed, as written: "51".
    pub claimed: String,
    /// Where it stands.
    pub claimed_span: TextSpan,
    /// What the expression comes to.
    pub result: Result<Exact, ArithmeticError>,
    /// Whether that is the claimed value, as finely as it is written; `None` when one of the two has no value.
    pub holds: Option<bool>,
}

/// The arithmetic statements of `text`, in order of their place.
///
/// A claimed value with decimals may be rounded ("2/3 = 0.67"); a whole one must be exact unless "≈" says otherwise.
///
/// ```
/// use evidex::text::arithmetic;
/// let found = arithmetic("As you know, 17 × 3 = 51 and 2+2=5.");
/// assert_eq!(found[0].holds, Some(true));
/// assert_eq!(found[1].holds, Some(false));
/// assert_eq!(found[1].result.unwrap().to_string(), "4");
/// ```
pub fn arithmetic(text: &str) -> Vec<ArithmeticClaim> {
    let scan = scan(text);
    let mut found = Vec::new();
    let mut from = 0;
    let mut i = 0;
    while i < scan.tokens.len() {
        let claim = match relation_at(&scan, i) {
            Some(relation) => statement(&scan, from, i, relation),
            None => named(&scan, i),
        };
        if let Some((claim, end)) = claim {
            found.push(claim);
            // The value may be the left side of the next: "2 + 2 = 4 = 8 / 2".
            from = end.1;
            i = end.0.max(i + 1);
        } else {
            i += 1;
        }
    }
    found
}

/// "=" and the words for it.
#[derive(Debug, Clone, Copy)]
struct Relation {
    /// Index after it.
    end: usize,
    /// A word: dashes and slashes beside it are not taken as operators.
    in_words: bool,
    /// "≈": the value is only near.
    near: bool,
}

fn relation_at(scan: &Scan<'_>, i: usize) -> Option<Relation> {
    let token = scan.at(i)?;
    match token.kind {
        Kind::Symbol if matches!(token.first, '=' | '≈' | '＝') => {
            let part_of_code =
                matches!(scan.before(i).map(|before| before.first), Some('=' | '!' | '<' | '>' | ':' | '~'));
            let doubled = matches!(scan.at(i + 1).map(|after| after.first), Some('=' | '>' | '~'));
            (!part_of_code && !doubled).then_some(Relation { end: i + 1, in_words: false, near: token.first == '≈' })
        }
        Kind::Word
            if scan.is_any(
                i,
                &[
                    "is", "equals", "makes", "gives", "yields", "are", "é", "ist", "ergibt", "es", "son", "são",
                    "font", "égale", "igual",
                ],
            ) =>
        {
            let mut end = i + 1;
            let mut near = false;
            for words in
                [&["equal", "igual", "gleich"][..], &["to", "a"], &["about", "approximately", "roughly", "around"]]
            {
                let next = scan.past_space(end);
                if next > end && scan.is_any(next, words) {
                    near |= words[0] == "about";
                    end = next + 1;
                }
            }
            Some(Relation { end, in_words: true, near })
        }
        _ => None,
    }
}

/// One side read: its items and the token range they stand in.
struct Side {
    items: Vec<Item>,
    start: usize,
    end: usize,
    /// The numeral, when the side is a number and nothing else.
    numeral: Option<Numeral>,
}

/// The statement around the relation at `i`; its left side does not begin before token `from`.
fn statement(scan: &Scan<'_>, from: usize, i: usize, relation: Relation) -> Option<(ArithmeticClaim, (usize, usize))> {
    let left = left_side(scan, from, i)?;
    let right = right_side(scan, relation.end)?;
    // A sign before a number is no operator.
    let operators = |side: &Side| {
        let signed = usize::from(side.items.first() == Some(&Item::Minus));
        side.items.iter().filter(|item| item.is_operator()).count() - signed
    };
    if operators(&left) + operators(&right) == 0 {
        return None;
    }
    if relation.in_words && (operators(&right) > 0 || only_joined_by_dashes(scan, &left)) {
        return None;
    }
    if is_span_of_years(scan, &left) {
        return None;
    }
    // The side without operators is the claimed value.
    let (expression, value) = if operators(&left) > 0 { (&left, &right) } else { (&right, &left) };
    let claim = judge(scan, left.start, right.end, expression, value, relation.near);
    Some((claim, (right.end, right.start)))
}

fn text_of(scan: &Scan<'_>, start: usize, end: usize) -> TextSpan {
    let from = scan.at(start).map_or(0, |token| token.start);
    TextSpan::new(from, scan.before(end).map_or(from, |token| token.end))
}

fn judge(scan: &Scan<'_>, start: usize, end: usize, expression: &Side, value: &Side, near: bool) -> ArithmeticClaim {
    let result = evaluate(&expression.items);
    let claimed = evaluate(&value.items);
    let holds = match (result, claimed) {
        (Ok(result), Ok(claimed)) => Some(agree(result, claimed, value.numeral.as_ref(), near)),
        _ => None,
    };
    let claimed_span = text_of(scan, value.start, value.end);
    ArithmeticClaim {
        span: text_of(scan, start, end),
        expression: text_of(scan, expression.start, expression.end).of(scan.text).to_owned(),
        claimed: claimed_span.of(scan.text).to_owned(),
        claimed_span,
        result,
        holds,
    }
}

/// Whether the claimed value is the result, as finely as it is written.
fn agree(result: Exact, claimed: Exact, numeral: Option<&Numeral>, near: bool) -> bool {
    if result == claimed {
        return true;
    }
    let Ok(distance) = result.subtract(claimed) else { return false };
    let distance = distance.abs();
    let half = numeral.filter(|numeral| numeral.last_digit < 1.0 || near).map(|numeral| {
        let digit = if near { numeral.last_significant.max(numeral.last_digit) } else { numeral.last_digit };
        digit / 2.0
    });
    // A millionth of the value, as numbers in prose are cut off; never for whole numbers, which are exact.
    let relative = if claimed.is_whole() && result.is_whole() { 0.0 } else { result.to_f64().abs() * 1e-6 };
    distance.to_f64() <= half.unwrap_or(0.0).max(relative) * (1.0 + 1e-12)
}

fn left_side(scan: &Scan<'_>, from: usize, i: usize) -> Option<Side> {
    let mut start = i;
    while start > from && belongs(scan, start - 1) {
        start -= 1;
    }
    let mut items = read_items(scan, start, i);
    // What was read must reach the relation.
    let reached = items.last().map_or(start, |item| item.2);
    if (reached..i).any(|at| scan.kind(at) != Some(Kind::Space)) {
        return None;
    }
    // Two operands side by side: the expression begins with the second ("In 2020 17 × 3 = 51").
    let operand_ends =
        |item: Item| matches!(item, Item::Number(_) | Item::Close | Item::Percent | Item::Squared | Item::Cubed);
    let cut = items
        .windows(2)
        .rposition(|pair| operand_ends(pair[0].0) && matches!(pair[1].0, Item::Number(_) | Item::Open | Item::Root));
    if let Some(cut) = cut {
        items.drain(..=cut);
    }
    // Operators before the first operand belong to the text: bullets, closing brackets.
    let bullet = |items: &[ReadItem]| match items.first() {
        Some((Item::Minus | Item::Plus, _, end, _)) => scan.kind(*end) == Some(Kind::Space),
        Some((Item::Number(_) | Item::Open | Item::Root, ..)) | None => false,
        Some(_) => true,
    };
    while bullet(&items) {
        items.remove(0);
    }
    drop_unmatched(&mut items);
    side(items)
}

/// Drops an opening bracket of the text around: "(17 × 3 = 51)".
fn drop_unmatched(items: &mut Vec<ReadItem>) {
    let mut depth = 0_i32;
    let mut outer = None;
    for (at, item) in items.iter().enumerate().rev() {
        match item.0 {
            Item::Close => depth += 1,
            Item::Open if depth == 0 => {
                outer = Some(at);
                break;
            }
            Item::Open => depth -= 1,
            _ => {}
        }
    }
    if let Some(at) = outer {
        items.drain(..=at);
    }
}

fn side(items: Vec<ReadItem>) -> Option<Side> {
    let has_number = items.iter().any(|item| matches!(item.0, Item::Number(_)));
    let (start, end) = (items.first()?.1, items.last()?.2);
    let numerals: Vec<Numeral> = items.iter().filter_map(|item| item.3).collect();
    let numeral = if numerals.len() == 1 { numerals.first().copied() } else { None };
    has_number.then(|| Side { items: items.into_iter().map(|item| item.0).collect(), start, end, numeral })
}

fn right_side(scan: &Scan<'_>, i: usize) -> Option<Side> {
    let start = if scan.kind(i) == Some(Kind::Space) { i + 1 } else { i };
    let mut items = read_items(scan, start, scan.tokens.len());
    // Stop where the value ends: at a second operand, a bracket of the text, an operator without operand.
    let mut depth = 0_i32;
    let mut keep = 0;
    let mut operand_due = true;
    for (at, (item, ..)) in items.iter().enumerate() {
        match item {
            Item::Number(_) if operand_due => operand_due = false,
            Item::Open if operand_due => depth += 1,
            Item::Root | Item::Minus if operand_due => continue,
            Item::Close if depth > 0 && !operand_due => depth -= 1,
            Item::Plus | Item::Minus | Item::Times | Item::Over | Item::Power if !operand_due => {
                operand_due = true;
                continue;
            }
            Item::Percent | Item::Squared | Item::Cubed if !operand_due => {}
            _ => break,
        }
        if !operand_due && depth == 0 {
            keep = at + 1;
        }
    }
    items.truncate(keep);
    side(items)
}

/// "2019–2020", "24/7": beside a word for "equals", dashes and slashes join more often than they compute.
fn only_joined_by_dashes(scan: &Scan<'_>, side: &Side) -> bool {
    (side.start..side.end).all(|i| match operator_at(scan, i) {
        Some((Item::Minus | Item::Over, _)) => scan.kind(i + 1) != Some(Kind::Space),
        Some((Item::Open | Item::Close | Item::Percent, _)) | None => !is_percent_of(scan, i),
        Some(_) => false,
    })
}

/// Two years joined by a dash without spaces are a period, even before "=".
fn is_span_of_years(scan: &Scan<'_>, side: &Side) -> bool {
    let year = |i: usize| scan.str(i).len() == 4 && scan.kind(i) == Some(Kind::Digits);
    side.end == side.start + 3
        && year(side.start)
        && year(side.start + 2)
        && matches!(operator_at(scan, side.start + 1), Some((Item::Minus, _)))
}

/// "The sum of 3 and 4 is 7", "half of 10 is 5", "the square root of 16 is 4".
fn named(scan: &Scan<'_>, i: usize) -> Option<(ArithmeticClaim, (usize, usize))> {
    if scan.kind(i) != Some(Kind::Word) {
        return None;
    }
    let link = scan.past_space(i + 1);
    if scan.is_any(i, &["square"]) && scan.is_any(link, &["root"]) && scan.is_any(scan.past_space(link + 1), &["of"]) {
        let at = scan.past_space(scan.past_space(link + 1) + 1);
        let (values, end) = operands(scan, at, 1)?;
        return conclude(scan, i, end, vec![Item::Root, Item::Number(values[0])]);
    }
    if scan.is_any(i, &["half"]) && scan.is_any(link, &["of"]) {
        let (values, end) = operands(scan, scan.past_space(link + 1), 1)?;
        let two = Exact::new(2, 1).ok()?;
        return conclude(scan, i, end, vec![Item::Number(values[0]), Item::Over, Item::Number(two)]);
    }
    let operator = if scan.is_any(i, &["sum", "soma", "suma", "average", "mean"]) {
        Item::Plus
    } else if scan.is_any(i, &["product", "produto", "producto"]) {
        Item::Times
    } else if scan.is_any(i, &["difference", "diferença", "diferencia"]) {
        Item::Minus
    } else if scan.is_any(i, &["quotient", "ratio"]) {
        Item::Over
    } else {
        return None;
    };
    if !scan.is_any(link, &["of", "between", "de", "entre"]) {
        return None;
    }
    let most = if matches!(operator, Item::Plus | Item::Times) { 64 } else { 2 };
    let (values, end) = operands(scan, scan.past_space(link + 1), most)?;
    if values.len() < 2 {
        return None;
    }
    let mean = scan.is_any(i, &["average", "mean"]);
    let mut items = Vec::with_capacity(values.len() * 2 + 4);
    if mean {
        items.push(Item::Open);
    }
    for (at, value) in values.iter().enumerate() {
        if at > 0 {
            items.push(operator);
        }
        items.push(Item::Number(*value));
    }
    if mean {
        let count = Exact::new(i128::try_from(values.len()).ok()?, 1).ok()?;
        items.extend([Item::Close, Item::Over, Item::Number(count)]);
    }
    conclude(scan, i, end, items)
}

/// Numbers joined by commas and "and" from token `i` on, with the index after them.
fn operands(scan: &Scan<'_>, i: usize, most: usize) -> Option<(Vec<Exact>, usize)> {
    let mut values = Vec::new();
    let (mut at, mut end) = (i, i);
    while values.len() < most {
        let negative = matches!(scan.at(at).map(|token| token.first), Some('-' | '−'));
        let (value, after) = if scan.kind(at + usize::from(negative)) == Some(Kind::Digits) {
            let (value, numeral) = number(scan, at + usize::from(negative))?;
            (if negative { value.negate() } else { value }, numeral.end)
        } else {
            let Some(numeral) = spelled::read_words(scan, at).filter(|numeral| numeral.value < 1e15) else { break };
            #[expect(clippy::cast_possible_truncation, reason = "whole and below 10^15")]
            let value = Exact::new(numeral.value as i128, 1).ok()?;
            (value, numeral.end)
        };
        values.push(value);
        end = after;
        let mut next = if scan.is(after, ',') { scan.past_space(after + 1) } else { scan.past_space(after) };
        if scan.is_any(next, &["and", "e", "y"]) {
            next = scan.past_space(next + 1);
        } else if !scan.is(after, ',') {
            break;
        }
        at = next;
    }
    (!values.is_empty()).then_some((values, end))
}

fn conclude(scan: &Scan<'_>, start: usize, end: usize, items: Vec<Item>) -> Option<(ArithmeticClaim, (usize, usize))> {
    let relation = relation_at(scan, scan.past_space(end))?;
    let value = right_side(scan, relation.end)
        .filter(|value| value.items.iter().all(|item| !item.is_operator() || *item == Item::Minus))?;
    let after = value.end;
    let expression = Side { items, start, end, numeral: None };
    let claim = judge(scan, start, after, &expression, &value, relation.near);
    Some((claim, (after, after)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn holds(text: &str) -> Option<bool> {
        let found = arithmetic(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        found[0].holds
    }

    #[test]
    fn true_statements_hold() {
        for text in [
            "17 × 3 = 51",
            "2+2=4",
            "20 % of 450 is 90",
            "20% of 450 = 90",
            "the sum of 3 and 4 is 7",
            "The sum of 1, 2 and 3 equals 6.",
            "(2 + 3) * 4 = 20",
            "We know that 17 × 3 = 51, so all is well.",
            "In 2020 17 × 3 = 51",
            "2/3 = 0.67",
            "10 / 4 = 2.5",
            "1,200 + 300 = 1,500",
            "2^10 = 1024",
            "-3 + 5 = 2",
            "0.1 + 0.2 = 0.3",
            "two plus two is four",
            "12 divided by 4 is 3",
            "$5 + $3 = $8",
            "3x4 = 12",
            "half of 10 is 5",
            "the square root of 16 is 4",
            "the average of 2, 4 and 6 is 4",
            "51 = 17 × 3",
            "- 17 × 3 = 51",
            "(17 × 3 = 51)",
            "22/7 ≈ 3.14",
            "5 minus 7 equals -2",
            "3 squared is 9",
        ] {
            assert_eq!(holds(text), Some(true), "{text}: {:?}", arithmetic(text));
        }
    }

    #[test]
    fn false_statements_do_not() {
        for text in [
            "2+2=5",
            "17 × 3 = 52",
            "20 % of 450 is 91",
            "the sum of 3 and 4 is 8",
            "2/3 = 0.66",
            "10/4 = 3",
            "two plus two equals five",
        ] {
            assert_eq!(holds(text), Some(false), "{text}: {:?}", arithmetic(text));
        }
    }

    #[test]
    fn an_expression_without_value_is_an_error() {
        assert_eq!(arithmetic("2 + = 4")[0].result, Err(ArithmeticError::Malformed));
        assert_eq!(arithmetic("5 / 0 = 4")[0].result, Err(ArithmeticError::DivisionByZero));
        assert_eq!(arithmetic("9 ^ 9999999 = 4")[0].result, Err(ArithmeticError::TooLarge));
        let deep = format!("{}1{} + 1 = 2", "(".repeat(5000), ")".repeat(5000));
        assert_eq!(arithmetic(&deep)[0].result, Err(ArithmeticError::TooLong));
    }

    #[test]
    fn ranges_assignments_and_code_are_no_arithmetic() {
        for text in [
            "__import__('os') = 1",
            "2019–2020",
            "In 2019-2020 Paris hosted 30 major events",
            "2019-2020 = 30",
            "x = 5",
            "if a == 2 + 3 { }",
            "E = mc^2",
            "The score was 3-1",
            "A17 + 3 = 20",
            "The law of 1987 is 12 pages long",
            "24/7 is 1 of our promises",
            "y = 3x + 2",
        ] {
            assert_eq!(arithmetic(text), [], "{text}");
        }
    }

    #[test]
    fn statements_may_follow_each_other() {
        let found = arithmetic("2 + 2 = 4 = 8 / 2, and 3 + 3 = 7.");
        assert_eq!(found.iter().map(|claim| claim.holds).collect::<Vec<_>>(), [Some(true), Some(true), Some(false)]);
        assert_eq!(found[2].claimed, "7");
        assert_eq!(found[2].expression, "3 + 3");
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in "\\PC{0,40}|([0-9]{1,6}|[ .,=+*/()^%×÷−√²-]|is|sum of|and|plus|half of){0,30}") {
            for claim in arithmetic(&text) {
                prop_assert_eq!(claim.claimed_span.of(&text), claim.claimed.as_str());
                prop_assert!(claim.span.contains(claim.claimed_span));
            }
        }

        #[test]
        fn sums_and_products_of_integers_are_exact(a in -100_000_i64..100_000, b in -100_000_i64..100_000, off in 0_i64..2) {
            for (sign, value) in [('+', a + b), ('×', a * b)] {
                let text = format!("({a}) {sign} ({b}) = {}", value + off);
                prop_assert_eq!(holds(&text), Some(off == 0), "{}", text);
            }
        }
    }
}
