//! Whether a claim's quantity is what the evidence says.
//!
//! The rule: the claim's value lies within half a unit of its own last written digit of the evidence's, after
//! conversion. A claim finer than its source is neither proved nor refuted by it. Hedges and ranges are intervals.

use super::currencies;
use super::quantities::{Agreement, Dimension, Hedge, Quantity, QuantityKind, Unit};

use Agreement::{Agrees, Differs, Incomparable, MorePrecise, UnitDiffers};

/// An approximation may be off by this share of the value, where its written digits allow less.
const ABOUT_SHARE: f64 = 0.025;

/// A quantity as an interval in a common unit.
#[derive(Debug, Clone, Copy)]
struct Interval {
    low: f64,
    high: f64,
    /// What rounding of the written digits may hide.
    half: f64,
    hedge: Hedge,
}

impl Interval {
    const fn is_range(&self) -> bool {
        self.low < self.high
    }

    const fn is_bound(&self) -> bool {
        matches!(self.hedge, Hedge::AtLeast | Hedge::MoreThan | Hedge::AtMost | Hedge::LessThan)
    }

    const fn is_lower_bound(&self) -> bool {
        matches!(self.hedge, Hedge::AtLeast | Hedge::MoreThan)
    }

    /// What the value may be off by and still be the one that was meant.
    fn tolerance(&self) -> f64 {
        let share = self.low.abs().max(self.high.abs());
        match self.hedge {
            Hedge::About => self.half.max(share * ABOUT_SHARE),
            _ => self.half,
        }
    }
}

/// Rounding of the arithmetic itself, not of the text.
fn epsilon(one: f64, other: f64) -> f64 {
    one.abs().max(other.abs()) * 1e-9
}

impl Quantity {
    /// How this quantity, in a claim, stands to `evidence`'s. Counted nouns are not looked at.
    ///
    /// ```
    /// use evidex::text::{Agreement, NumberLocale, quantities};
    /// let read = |text| quantities(text, NumberLocale::Any).remove(0);
    /// let evidence = read("85.19 % of commits");
    /// assert_eq!(read("85.2 %").agrees(&evidence), Agreement::Agrees);
    /// assert_eq!(read("86 %").agrees(&evidence), Agreement::Differs);
    /// assert_eq!(read("about 6.2 miles").agrees(&read("10 km")), Agreement::Agrees);
    /// ```
    pub fn agrees(&self, evidence: &Self) -> Agreement {
        let Some((claim_scale, evidence_scale)) = common_scale(self, evidence) else {
            return if same_number(self, evidence) && same_sort(self, evidence) { UnitDiffers } else { Incomparable };
        };
        if let (Some(one), Some(other)) = (self.parts, evidence.parts)
            && (one.0 * other.1 - one.1 * other.0).abs() <= epsilon(one.0 * other.1, one.1 * other.0)
            && (one.1 != 0.0 || other.1 != 0.0 || one == other)
        {
            return Agrees;
        }
        let outcome = compare(self.interval(claim_scale, None), evidence.interval(evidence_scale, None));
        if outcome != Differs {
            return outcome;
        }
        // The other reading of "16.181" counts only for the very same digits, never by rounding.
        let readings =
            [(self.other_reading, None), (None, evidence.other_reading), (self.other_reading, evidence.other_reading)];
        for (claim_other, evidence_other) in readings {
            if claim_other.is_none() && evidence_other.is_none() {
                continue;
            }
            let (one, other) =
                (self.interval(claim_scale, claim_other), evidence.interval(evidence_scale, evidence_other));
            if (one.low - other.low).abs() <= epsilon(one.low, other.low) && !one.is_range() && !other.is_range() {
                return Agrees;
            }
        }
        let units_differ = match (&self.unit, &evidence.unit) {
            (Some(one), Some(other)) => one.symbol != other.symbol,
            _ => false,
        };
        if units_differ && same_number(self, evidence) { UnitDiffers } else { Differs }
    }

    fn interval(&self, scale: Scale, other: Option<f64>) -> Interval {
        let (low, high) = other.map_or((self.low, self.high), |value| (value, value));
        let (one, two) = (scale.apply(low), scale.apply(high));
        Interval {
            low: one.min(two),
            high: one.max(two),
            half: (self.half_unit * scale.factor).abs(),
            hedge: self.hedge,
        }
    }
}

/// A linear map into the unit of comparison.
#[derive(Debug, Clone, Copy)]
struct Scale {
    factor: f64,
    offset: f64,
}

impl Scale {
    const ONE: Self = Self { factor: 1.0, offset: 0.0 };

    const fn of(unit: &Unit) -> Self {
        Self { factor: unit.factor, offset: unit.offset }
    }

    fn apply(self, value: f64) -> f64 {
        value * self.factor + self.offset
    }
}

/// How both quantities are brought to one unit; `None` when they have none in common.
fn common_scale(claim: &Quantity, evidence: &Quantity) -> Option<(Scale, Scale)> {
    use QuantityKind::{Measure, Money, Percent, Ratio};
    let percent = Scale { factor: 100.0, offset: 0.0 };
    match (claim.kind, evidence.kind) {
        (Ratio, Percent) => Some((percent, Scale::ONE)),
        (Percent, Ratio) => Some((Scale::ONE, percent)),
        (Money, Money) => {
            let (one, other) = (claim.unit.as_ref()?, evidence.unit.as_ref()?);
            currencies::compatible(&one.symbol, &other.symbol).then(|| (Scale::of(one), Scale::of(other)))
        }
        (Measure, Measure) => {
            let (one, other) = (claim.unit.as_ref()?, evidence.unit.as_ref()?);
            // "9800 degrees" names no scale: it is held against the number of either.
            let degrees = |unit: &Unit, of: &Unit| unit.symbol == "°" && of.dimension == Dimension::Temperature;
            if degrees(one, other) || degrees(other, one) {
                return Some((Scale::ONE, Scale::ONE));
            }
            one.converts_to(other).then(|| (Scale::of(one), Scale::of(other)))
        }
        // "10 pounds" is read as a weight; beside an amount in sterling it is one.
        (Measure, Money) if is_pounds(claim, evidence) => Some((Scale::ONE, Scale::ONE)),
        (Money, Measure) if is_pounds(evidence, claim) => Some((Scale::ONE, Scale::ONE)),
        (one, other) if one == other => Some((Scale::ONE, Scale::ONE)),
        _ => None,
    }
}

fn is_pounds(measure: &Quantity, money: &Quantity) -> bool {
    let symbol = |quantity: &Quantity, symbol: &str| quantity.unit.as_ref().is_some_and(|unit| unit.symbol == symbol);
    symbol(measure, "lb") && symbol(money, "GBP")
}

fn same_number(one: &Quantity, other: &Quantity) -> bool {
    (one.low - other.low).abs() <= epsilon(one.low, other.low)
        && (one.high - other.high).abs() <= epsilon(one.high, other.high)
}

/// Whether two quantities without a common unit are still of one sort: measures, amounts, or percent and points.
fn same_sort(one: &Quantity, other: &Quantity) -> bool {
    use QuantityKind::{Money, Percent, PercentPoints};
    match (one.kind, other.kind) {
        (Money, Money) | (Percent, PercentPoints) | (PercentPoints, Percent) => true,
        _ => match (&one.unit, &other.unit) {
            (Some(one), Some(other)) => one.dimension == other.dimension,
            _ => false,
        },
    }
}

fn compare(claim: Interval, evidence: Interval) -> Agreement {
    if claim.is_bound() || evidence.is_bound() {
        return compare_bounds(claim, evidence);
    }
    let epsilon = epsilon(claim.high, evidence.high).max(epsilon(claim.low, evidence.low));
    match (claim.is_range(), evidence.is_range()) {
        (false, false) => {
            let distance = (claim.low - evidence.low).abs();
            let finer = claim.tolerance() < evidence.tolerance();
            if distance <= claim.tolerance() + epsilon {
                Agrees
            } else if finer && distance <= evidence.tolerance() + epsilon {
                MorePrecise
            } else {
                Differs
            }
        }
        // A range is what lies in it; rounding at its ends is not enough to say so.
        (true, false) => {
            if claim.low - epsilon <= evidence.low && evidence.low <= claim.high + epsilon {
                Agrees
            } else if claim.low - claim.half.max(evidence.half) <= evidence.low
                && evidence.low <= claim.high + claim.half.max(evidence.half)
            {
                MorePrecise
            } else {
                Differs
            }
        }
        (false, true) => {
            let slack = claim.tolerance() + epsilon;
            if claim.low + slack < evidence.low || claim.low - slack > evidence.high { Differs } else { MorePrecise }
        }
        (true, true) => {
            let slack = claim.tolerance() + epsilon;
            let ends_agree = (claim.low - evidence.low).abs() <= slack && (claim.high - evidence.high).abs() <= slack;
            if ends_agree || (claim.low - epsilon <= evidence.low && evidence.high <= claim.high + epsilon) {
                Agrees
            } else if evidence.low - epsilon <= claim.low && claim.high <= evidence.high + epsilon {
                MorePrecise
            } else {
                Differs
            }
        }
    }
}

/// Bounds: "at least 5" holds of 500; "500" is not told by "more than 450".
fn compare_bounds(claim: Interval, evidence: Interval) -> Agreement {
    let epsilon = epsilon(claim.low, evidence.low);
    if claim.is_bound() && evidence.is_bound() {
        if claim.is_lower_bound() != evidence.is_lower_bound() {
            let apart = if claim.is_lower_bound() {
                evidence.high < claim.low - epsilon
            } else {
                evidence.low > claim.high + epsilon
            };
            return if apart { Differs } else { MorePrecise };
        }
        let distance = if claim.is_lower_bound() { evidence.low - claim.low } else { claim.high - evidence.high };
        let claim_strict = matches!(claim.hedge, Hedge::MoreThan | Hedge::LessThan);
        let evidence_strict = matches!(evidence.hedge, Hedge::MoreThan | Hedge::LessThan);
        return if distance > epsilon || (distance >= -epsilon && (!claim_strict || evidence_strict)) {
            Agrees
        } else {
            MorePrecise
        };
    }
    if claim.is_bound() {
        // How far the evidence lies on the right side of the claim's bound.
        let margin = if claim.is_lower_bound() { evidence.low - claim.low } else { claim.high - evidence.high };
        let strict = matches!(claim.hedge, Hedge::MoreThan | Hedge::LessThan);
        let about = if evidence.hedge == Hedge::About { evidence.tolerance() } else { 0.0 };
        // A whole number counts exactly; decimals and magnitudes have been rounded.
        let whole = (evidence.half - 0.5).abs() < f64::EPSILON;
        let rounding = if whole { 0.0 } else { evidence.half };
        return if margin > epsilon || (margin >= -epsilon && !strict) {
            Agrees
        } else if about.max(rounding) > 0.0 && margin >= -(about.max(rounding)) - epsilon {
            MorePrecise
        } else {
            Differs
        };
    }
    // The claim names a value, the evidence only a bound of it.
    let margin = if evidence.is_lower_bound() { claim.high - evidence.low } else { evidence.high - claim.low };
    let strict = matches!(evidence.hedge, Hedge::MoreThan | Hedge::LessThan);
    if claim.hedge == Hedge::About && margin.abs() <= claim.tolerance() + epsilon {
        Agrees
    } else if margin < -claim.half - epsilon || (strict && claim.half == 0.0 && margin < epsilon) {
        Differs
    } else {
        MorePrecise
    }
}
