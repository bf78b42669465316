//! Values that a reader would accept as following from two stated numbers: a sum, a remainder, a change, a share, a
//! multiple, a span of years. Each is shown with its computation.
//!
//! A change or a share that is stated outright ("from 4 % to 6 %", "12 of 18 seats") also refutes another value for it.

use std::ops::Range;

use super::pair::Pair;
use super::reading::{Placed, ReadText};
use super::slots::life_dates;
use super::{Finding, Proof, Stance};
use crate::text::{DateGrain, Dimension, Quantity, QuantityKind, TextSpan};

pub(super) const NAME: &str = "derived";
/// Least share of the claim's other content for a computed value to refute another.
const SAME_THING: f32 = 0.7;
/// Relative error that is put down to rounding where the claim's last digit says nothing.
const ROUNDING: f64 = 0.005;

/// A computation on two of the evidence's numbers.
struct Computed {
    kind: &'static str,
    value: f64,
    shown: String,
    words: Range<usize>,
    /// Whether the evidence states the two as a change or a share, so that the value is the one asked for.
    stated: bool,
}

/// Looks for a computation behind each of the claim's numbers that the sentence does not state.
pub(super) fn check(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    for quantity in &pair.claim.quantities {
        if super::parting::check(pair, quantity, findings) || super::offset::check(pair, quantity, findings) {
            continue;
        }
        let span = pair.claim.span_of(quantity.words.clone());
        let agrees = findings.iter().any(|finding| {
            finding.stance == Stance::Supports
                && finding.check != "entity"
                && finding.claim_span.is_some_and(|s| s.overlaps(span))
        });
        if agrees {
            continue;
        }
        // A number that differs in its own slot is explained by a stated change only, not by a chance sum.
        let differs = findings.iter().any(|finding| {
            finding.stance == Stance::Contradicts && finding.claim_span.is_some_and(|s| s.overlaps(span))
        });
        let computed = candidates(pair, quantity);
        // A total that the sentence does not state is the sum of what it does.
        let stated_or_unasked = pair.evidence.words.iter().any(|word| word.folded.starts_with("total"))
            || !pair.claim.words[explained(pair.claim, span)]
                .iter()
                .any(|word| matches!(word.folded.as_str(), "total" | "sum" | "altogether"));
        let explains = |found: &&Computed| {
            let summed = found.kind == "derived_sum" && !stated_or_unasked;
            fits(&quantity.value, found.value) && (found.stated || !differs || summed)
        };
        if let Some(found) = computed.iter().find(explains) {
            for finding in findings.iter_mut() {
                if finding.claim_span.is_some_and(|s| s.overlaps(span))
                    && matches!(finding.check.as_str(), "quantity" | "unit")
                {
                    finding.stance = Stance::Notes;
                }
            }
            let mut finding = pair.finding(
                NAME,
                Stance::Supports,
                found.kind,
                Some(quantity.words.clone()),
                Some(found.words.clone()),
            );
            finding.detail = Some(found.shown.clone());
            findings.push(finding);
        } else if let Some(found) = computed.iter().find(|found| found.stated) {
            let same = pair.is_about_the_same(quantity.words.clone(), SAME_THING);
            let stance = if same { Stance::Contradicts } else { Stance::Missing };
            let mut finding =
                pair.finding(NAME, stance, "derived_mismatch", Some(quantity.words.clone()), Some(found.words.clone()));
            finding.detail = Some(found.shown.clone());
            findings.push(finding);
        }
    }
    multiplied(pair, findings);
}

/// The claim's words that a computed value stands for: its own and those beside it that ask for it ("at the age of 38", "65
/// in total").
pub(super) fn explained(claim: &ReadText, span: TextSpan) -> Range<usize> {
    let own = claim.words_in(span);
    let asks = |at: &usize| {
        claim.words.get(*at).is_some_and(|word| {
            matches!(
                word.folded.as_str(),
                "at" | "the" | "of" | "a" | "age" | "aged" | "years" | "old" | "in" | "total" | "sum" | "altogether"
            )
        })
    };
    let start = (0..own.start).rev().take_while(asks).last().unwrap_or(own.start);
    let end = (own.end..claim.words.len()).take_while(asks).last().map_or(own.end, |at| at + 1);
    start..end
}

/// "doubled", "halved": a change without a number of its own.
fn multiplied(pair: &Pair<'_>, findings: &mut Vec<Finding>) {
    for (at, word) in pair.claim.words.iter().enumerate() {
        let factor = match word.folded.as_str() {
            "doubled" | "doubles" | "double" | "dobrou" | "duplicou" => 2.0,
            "tripled" | "triples" | "trebled" => 3.0,
            "quadrupled" => 4.0,
            "halved" | "halves" => 0.5,
            _ => continue,
        };
        if pair.alignment.same(at).is_some() {
            continue;
        }
        let Some((a, b)) = from_to(pair.evidence) else { continue };
        let (Some(x), Some(y)) = (plain(&a.value), plain(&b.value)) else { continue };
        if x == 0.0 {
            continue;
        }
        let holds = (y / x - factor).abs() <= factor * 0.05;
        let (stance, kind) = match holds {
            true => (Stance::Supports, "derived_multiple"),
            false if pair.is_about_the_same(at..at + 1, SAME_THING) => (Stance::Contradicts, "derived_mismatch"),
            false => (Stance::Missing, "derived_mismatch"),
        };
        let words = a.words.start.min(b.words.start)..a.words.end.max(b.words.end);
        let mut finding = pair.finding(NAME, stance, kind, Some(at..at + 1), Some(words));
        finding.detail = Some(format!("{} / {} = {}", shown(y), shown(x), shown(y / x)));
        findings.push(finding);
    }
}

fn candidates(pair: &Pair<'_>, quantity: &Placed<Quantity>) -> Vec<Computed> {
    let evidence = pair.evidence;
    let mut computed = Vec::new();
    let by = quantity
        .words
        .start
        .checked_sub(1)
        .is_some_and(|at| matches!(pair.claim.words[at].folded.as_str(), "by" | "um" | "por" | "em" | "de"))
        || pair.claim.words[quantity.words.clone()].iter().any(|word| word.folded == "by");
    let kind = quantity.value.kind;
    if let Some((a, b)) = from_to(evidence)
        && let (Some(x), Some(y)) = (plain(&a.value), plain(&b.value))
    {
        let words = a.words.start.min(b.words.start)..a.words.end.max(b.words.end);
        if kind == QuantityKind::Percent && x != 0.0 && by {
            let value = ((y - x) / x * 100.0).abs();
            let shown = format!("({} − {}) / {} = {} %", shown(y), shown(x), shown(x), shown(value));
            computed.push(Computed {
                kind: "derived_percent_change",
                value,
                shown,
                words: words.clone(),
                stated: true,
            });
        } else if kind == QuantityKind::Multiple && x != 0.0 {
            let value = y / x;
            let shown = format!("{} / {} = {}", shown(y), shown(x), shown(value));
            computed.push(Computed { kind: "derived_multiple", value, shown, words: words.clone(), stated: true });
        } else if by
            && (kind == QuantityKind::PercentPoints && a.value.kind == QuantityKind::Percent
                || comparable(&quantity.value, &b.value))
        {
            let value = (y - x).abs();
            let shown = format!("{} − {} = {}", shown(y), shown(x), shown(value));
            computed.push(Computed { kind: "derived_difference", value, shown, words, stated: true });
        }
    }
    if matches!(kind, QuantityKind::Ratio | QuantityKind::Percent)
        && let Some((a, b)) = part_of(evidence)
        && let (Some(x), Some(y)) = (plain(&a.value), plain(&b.value))
        && y != 0.0
    {
        let (value, unit) = if kind == QuantityKind::Percent { (x / y * 100.0, " %") } else { (x / y, "") };
        let shown = format!("{} / {} = {}{unit}", shown(x), shown(y), shown(value));
        let words = a.words.start..b.words.end;
        computed.push(Computed { kind: "derived_share", value, shown, words, stated: true });
    }
    pairs(pair, quantity, &mut computed);
    let known = computed.len();
    ages(pair, quantity, &mut computed);
    if computed.len() == known {
        years(pair, quantity, &mut computed);
    }
    computed
}

/// Sums, remainders and multiples of any two comparable numbers, where the claim asks for one.
fn pairs(pair: &Pair<'_>, quantity: &Placed<Quantity>, computed: &mut Vec<Computed>) {
    let says = |words: &[&str]| pair.claim.words.iter().any(|word| words.contains(&word.folded.as_str()));
    let sum = says(&[
        "total",
        "totals",
        "totalled",
        "totaled",
        "combined",
        "together",
        "altogether",
        "sum",
        "overall",
        "soma",
        "juntos",
        "insgesamt",
        "zusammen",
    ]);
    let difference = says(&[
        "remaining",
        "remained",
        "remain",
        "left",
        "rest",
        "difference",
        "more",
        "fewer",
        "less",
        "longer",
        "taller",
        "older",
        "ahead",
        "margin",
    ]);
    let multiple = quantity.value.kind == QuantityKind::Multiple;
    if !(sum || difference || multiple) {
        return;
    }
    let numbers: Vec<_> = pair
        .evidence
        .quantities
        .iter()
        .filter(|other| multiple || comparable(&quantity.value, &other.value))
        .filter_map(|other| Some((plain(&other.value)?, other)))
        .take(12)
        .collect();
    for (k, (x, a)) in numbers.iter().enumerate() {
        for (y, b) in &numbers[k + 1..] {
            // "40 chairs" and "25 lamps" make no total of chairs.
            let nouns = [&quantity.value, &a.value, &b.value].map(|value| value.counted.as_deref());
            let named: Vec<&str> = nouns.into_iter().flatten().collect();
            if !comparable(&a.value, &b.value) || !multiple && named.windows(2).any(|two| two[0] != two[1]) {
                continue;
            }
            let words = a.words.start.min(b.words.start)..a.words.end.max(b.words.end);
            let (large, small) = if x >= y { (*x, *y) } else { (*y, *x) };
            let mut push = |kind, value: f64, shown| {
                computed.push(Computed { kind, value, shown, words: words.clone(), stated: false });
            };
            if sum {
                push("derived_sum", x + y, format!("{} + {} = {}", shown(*x), shown(*y), shown(x + y)));
            }
            if difference {
                push(
                    "derived_difference",
                    large - small,
                    format!("{} − {} = {}", shown(large), shown(small), shown(large - small)),
                );
            }
            if multiple && small != 0.0 {
                push(
                    "derived_multiple",
                    large / small,
                    format!("{} / {} = {}", shown(large), shown(small), shown(large / small)),
                );
            }
        }
    }
    if sum && numbers.len() > 2 {
        let total: f64 = numbers.iter().map(|(x, _)| x).sum();
        let parts: Vec<String> = numbers.iter().map(|(x, _)| shown(*x)).collect();
        let words = numbers[0].1.words.start..numbers[numbers.len() - 1].1.words.end;
        computed.push(Computed {
            kind: "derived_sum",
            value: total,
            shown: format!("{} = {}", parts.join(" + "), shown(total)),
            words,
            stated: false,
        });
    }
}

/// The age at death, from the days of birth and death. Where only a year is known the birthday may have been to come.
fn ages(pair: &Pair<'_>, quantity: &Placed<Quantity>, computed: &mut Vec<Computed>) {
    let says = |words: &[&str]| pair.claim.words.iter().any(|word| words.contains(&word.folded.as_str()));
    if quantity.value.measures.as_deref() != Some("age") && !says(&["when", "aged", "old"])
        || !says(&["died", "death", "dies", "dead"])
    {
        return;
    }
    let Some((born, died)) = life_dates(pair.evidence).or_else(|| told_life(pair.evidence)) else { return };
    let (born, died) = (&pair.evidence.dates[born], &pair.evidence.dates[died]);
    let (Some(first), Some(last)) = (born.value.first, died.value.first) else { return };
    let years = f64::from(last.year() - first.year());
    let exact = born.value.grain == DateGrain::Day && died.value.grain == DateGrain::Day;
    let to_come = (last.month(), last.day()) < (first.month(), first.day());
    let words = born.words.start.min(died.words.start)..born.words.end.max(died.words.end);
    let value = if exact && to_come { years - 1.0 } else { years };
    if !exact && !fits(&quantity.value, value) && fits(&quantity.value, value - 1.0) {
        return;
    }
    let (from, to) = (born.value.span.of(&pair.evidence.text), died.value.span.of(&pair.evidence.text));
    let shown = format!("years from {from} to {to} = {}", shown(value));
    computed.push(Computed { kind: "derived_age", value, shown, words, stated: true });
}

/// "She was born on … and died on …".
fn told_life(text: &ReadText) -> Option<(usize, usize)> {
    let after = |forms: &[&str]| {
        let verb = text.words.iter().position(|word| forms.contains(&word.folded.as_str()))?;
        text.dates.iter().position(|date| date.words.start > verb)
    };
    let (born, died) = (after(&["born"])?, after(&["died"])?);
    (born < died).then_some((born, died))
}

/// Whole years between two dates.
fn years(pair: &Pair<'_>, quantity: &Placed<Quantity>, computed: &mut Vec<Computed>) {
    let in_years = quantity
        .value
        .unit
        .as_ref()
        .is_some_and(|unit| unit.dimension == Dimension::Time && unit.factor > 3.0e7 && unit.factor < 3.3e7)
        || quantity.value.counted.as_deref() == Some("year");
    if !in_years {
        return;
    }
    let dates: Vec<_> = pair.evidence.dates.iter().filter_map(|date| Some((date.value.first?, date))).take(8).collect();
    for (k, (first, a)) in dates.iter().enumerate() {
        for (second, b) in &dates[k + 1..] {
            let value = f64::from(second.year() - first.year()).abs();
            let shown =
                format!("{} − {} = {}", second.year().max(first.year()), second.year().min(first.year()), shown(value));
            let words = a.words.start..b.words.end;
            computed.push(Computed { kind: "derived_years", value, shown, words, stated: false });
        }
    }
}

/// "from 4 % to 6 %".
fn from_to(text: &ReadText) -> Option<(&Placed<Quantity>, &Placed<Quantity>)> {
    let after = |quantity: &Placed<Quantity>, forms: &[&str]| {
        let first = text.words.get(quantity.words.start).map(|word| word.folded.as_str());
        let before = quantity.words.start.checked_sub(1).map(|at| text.words[at].folded.as_str());
        [first, before].into_iter().flatten().any(|form| forms.contains(&form))
    };
    text.quantities.windows(2).find_map(|pair| {
        let (a, b) = (&pair[0], &pair[1]);
        let near = b.words.start.saturating_sub(a.words.end) <= 4;
        (near
            && after(a, &["from", "de", "von", "desde"])
            && after(b, &["to", "para", "auf", "a", "ate", "hasta", "bis"]))
        .then_some((a, b))
    })
}

/// "12 of 18 seats", "12 out of 18".
fn part_of(text: &ReadText) -> Option<(&Placed<Quantity>, &Placed<Quantity>)> {
    text.quantities.windows(2).find_map(|pair| {
        let (a, b) = (&pair[0], &pair[1]);
        let between = text.words.get(a.words.end..b.words.start)?;
        let of = !between.is_empty()
            && between.len() <= 3
            && between.iter().all(|word| {
                matches!(word.folded.as_str(), "of" | "out" | "the" | "de" | "von" | "dos" | "das" | "los")
            });
        (of && a.value.low <= b.value.low).then_some((a, b))
    })
}

/// The single value of a quantity, in its unit as written.
pub(super) fn plain(quantity: &Quantity) -> Option<f64> {
    (quantity.low == quantity.high && quantity.low.is_finite()).then_some(quantity.low)
}

pub(super) fn comparable(a: &Quantity, b: &Quantity) -> bool {
    let symbol = |quantity: &Quantity| quantity.unit.as_ref().map(|unit| unit.symbol.clone());
    a.kind == b.kind && symbol(a) == symbol(b) && !matches!(a.kind, QuantityKind::Ordinal)
}

/// Whether the claim's quantity is this value, at its own precision.
pub(super) fn fits(quantity: &Quantity, value: f64) -> bool {
    let Some(claimed) = plain(quantity) else { return quantity.low <= value && value <= quantity.high };
    let by_digit = if claimed.fract() == 0.0 && value.fract() != 0.0 { 0.5_f64.min(claimed.abs() * 0.02) } else { 0.0 };
    (claimed - value).abs() <= quantity.half_unit.max(by_digit).max(value.abs() * ROUNDING * 0.2) + 1e-9
}

pub(super) fn shown(value: f64) -> String {
    let rounded = (value * 1000.0).round() / 1000.0;
    format!("{rounded}")
}

/// The computations that the findings rest on.
pub(super) fn proofs(findings: &[Finding]) -> Vec<Proof> {
    findings
        .iter()
        .filter(|finding| finding.check == NAME && matches!(finding.stance, Stance::Supports | Stance::Contradicts))
        .filter_map(|finding| {
            let (expression, result) = finding.detail.as_deref()?.rsplit_once(" = ")?;
            Some(Proof {
                expression: expression.to_owned(),
                result: result.to_owned(),
                claimed: finding.claim_value.clone().unwrap_or_default(),
                holds: finding.stance == Stance::Supports,
            })
        })
        .collect()
}
