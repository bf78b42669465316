//! Dates and times in a text: the range of days that an expression covers.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::TextSpan;

/// How an all-number date such as "5/6/24" is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DateOrder {
    /// Ambiguous unless only one reading is a date.
    #[default]
    Unknown,
    /// Day, month, year.
    DayFirst,
    /// Month, day, year.
    MonthFirst,
}

/// How finely a date was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum DateGrain {
    /// "the 19th century".
    Century,
    /// "the 1980s".
    Decade,
    /// "1987", also a fiscal year.
    Year,
    /// A quarter, half or season of a year.
    Quarter,
    /// "March 1987".
    Month,
    /// "3 March 1987".
    Day,
}

/// A date expression: the days that it covers, first and last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DateMention {
    /// Where it stands.
    pub span: TextSpan,
    /// First day covered; `None` when the year is not given ("14 August").
    pub first: Option<Date>,
    /// Last day covered.
    pub last: Option<Date>,
    /// Month (1–12) where one was written.
    pub month: Option<i8>,
    /// Day of the month where one was written.
    pub day: Option<i8>,
    /// How fine it is.
    pub grain: DateGrain,
    /// The other days it may mean, when the order of day and month is not known.
    pub other_reading: Option<Date>,
    /// Fiscal or financial year rather than calendar year.
    pub fiscal: bool,
    /// An approximate date: "around 1850", "c. 1850".
    pub approximate: bool,
}

/// How a claim's date stands to an evidence's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DateAgreement {
    /// The claim's range contains the evidence's: the evidence supports it.
    Contains,
    /// The claim is finer than the evidence and lies in its range: not enough to tell.
    MorePrecise,
    /// The ranges do not meet.
    Differs,
    /// One of them can be read two ways, and the readings decide differently.
    Ambiguous,
    /// Nothing in common to compare.
    Incomparable,
}
