//! Quantities in a text: value, unit, kind, hedge, span.

use serde::{Deserialize, Serialize};

use super::TextSpan;
use super::date_reader::read_dates;
use super::dates::{DateMention, DateOrder};
use super::quantity_reader::read_quantities;
use super::value_tokens::scan;

/// How digits are grouped and decimals marked where a number could be read both ways ("16.181").
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum NumberLocale {
    /// Both readings are kept where the digits allow them.
    #[default]
    Any,
    /// "1,234.5": English and Chinese usage.
    CommaGroups,
    /// "1.234,5": German, Spanish, Portuguese and (with spaces) French usage.
    PointGroups,
}

/// What a quantity measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum QuantityKind {
    /// A bare number, or a count of things named by [`Quantity::counted`].
    Count,
    /// A place in an order: "third", "4.".
    Ordinal,
    /// A percentage; the value is in percent.
    Percent,
    /// A difference of percentages, in percentage points.
    PercentPoints,
    /// A ratio or a fraction without unit: "one in four", "7 to 5", "two thirds".
    Ratio,
    /// "1.8x", "three times".
    Multiple,
    /// Money; the unit is an ISO 4217 code where the symbol allows one. Never converted.
    Money,
    /// A measure with a unit.
    Measure,
    /// A time of day, in minutes after midnight: "14:30", "5 pm".
    ClockTime,
}

/// How a quantity is hedged or bounded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Hedge {
    /// Stated outright.
    #[default]
    Exact,
    /// "about", "~", "nearly".
    About,
    /// "at least", "from … on": the value or more.
    AtLeast,
    /// "more than", "over": strictly more.
    MoreThan,
    /// "at most", "up to": the value or less.
    AtMost,
    /// "less than", "under": strictly less.
    LessThan,
}

/// A unit: its symbol as normalised, its dimension, and what one of it is in the dimension's base unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Unit {
    /// Normalised symbol: "km", "kg", "EUR", "°C".
    pub symbol: String,
    /// What is measured.
    pub dimension: Dimension,
    /// How many base units one of it is.
    pub factor: f64,
    /// Added after multiplying, for temperatures.
    pub offset: f64,
}

/// The dimension of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Dimension {
    /// Metres.
    Length,
    /// Square metres.
    Area,
    /// Cubic metres.
    Volume,
    /// Kilograms.
    Mass,
    /// Seconds.
    Time,
    /// Metres a second.
    Speed,
    /// Kelvin.
    Temperature,
    /// Bits.
    Data,
    /// Joules.
    Energy,
    /// Watts.
    Power,
    /// Hertz.
    Frequency,
    /// Pascals.
    Pressure,
    /// Never converted.
    Money,
    /// A compound or other unit that is compared by its symbol only ("km/l", "people per sq km").
    Other,
}

/// A quantity as read: a closed range of values (`low == high` for a single number).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Quantity {
    /// Where it stands, unit and hedge words included.
    pub span: TextSpan,
    /// Where the digits or number words stand (without hedge and unit).
    pub number_span: TextSpan,
    /// Lower end, in the unit as written, magnitude words applied.
    pub low: f64,
    /// Upper end; equal to `low` for a single number.
    pub high: f64,
    /// Half a unit of the last written digit, in the unit as written, magnitude words applied: 0.05 for "8.5", half a
    /// million for "2 million". The zeros at the end of a plain integer are written digits (0.5 for "1200", "three")
    /// unless it is hedged (50 for "about 1200").
    pub half_unit: f64,
    /// What it measures.
    pub kind: QuantityKind,
    /// Its unit, where one was read.
    pub unit: Option<Unit>,
    /// The noun that is counted, lower-case singular ("bed" of "312 beds"), where one follows; also what a share is
    /// of ("commit" of "85 % of commits").
    pub counted: Option<String>,
    /// What is measured, where the syntax tells: "length" of "10 km long", "age" of "aged 12", "population" of "a
    /// population of 5,000".
    #[serde(default)]
    pub measures: Option<String>,
    /// The two numbers of a ratio as written: (7, 5) of "7 to 5", (2, 3) of "two thirds".
    #[serde(default)]
    pub parts: Option<(f64, f64)>,
    /// How it is hedged.
    pub hedge: Hedge,
    /// The other reading of ambiguous grouping ("16.181" as 16.181 and 16181), where there is one.
    pub other_reading: Option<f64>,
}

/// How a claim's quantity stands to an evidence's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Agreement {
    /// The claim's value is what the evidence says, at the claim's precision, after conversion.
    Agrees,
    /// The claim is more precise than the evidence, which neither proves nor refutes it.
    MorePrecise,
    /// Same kind of thing, other value.
    Differs,
    /// Same number, other unit of the same dimension or other currency ("10 kg" against "10 pounds").
    UnitDiffers,
    /// Not comparable: another dimension or kind.
    Incomparable,
}

/// The quantities of `text`, in order of their place.
///
/// Years and other dates, identifiers ("QX-7741", "v3.2", "section 4.2"), addresses and telephone numbers are none.
/// "12 of 18 seats" gives both counts and, after them, the ratio whose span covers them; no other spans overlap.
/// Linear in the length of `text`.
///
/// ```
/// use evidex::text::{NumberLocale, QuantityKind, quantities};
/// let found = quantities("In 2019 the 312 beds cost €5 million.", NumberLocale::Any);
/// assert_eq!(found.len(), 2);
/// assert_eq!(found[0].counted.as_deref(), Some("bed"));
/// assert_eq!((found[1].kind, found[1].low), (QuantityKind::Money, 5e6));
/// ```
pub fn quantities(text: &str, locale: NumberLocale) -> Vec<Quantity> {
    quantities_and_dates(text, locale, DateOrder::Unknown).0
}

/// The quantities and the dates of `text`, from one scan of it.
pub fn quantities_and_dates(text: &str, locale: NumberLocale, order: DateOrder) -> (Vec<Quantity>, Vec<DateMention>) {
    let scan = scan(text);
    let dates = read_dates(&scan, order);
    (read_quantities(&scan, locale, &dates), dates)
}
