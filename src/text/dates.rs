//! Dates and times in a text: the range of days that an expression covers.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::TextSpan;
use super::date_reader::read_dates;
use super::value_tokens::scan;

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

/// On which side of a date the thing lies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DateBound {
    /// In or on it.
    #[default]
    In,
    /// "before 1990".
    Before,
    /// "after 1990".
    After,
    /// "since 1990", and the start of a period ("1990–1995").
    Since,
    /// "until 1995", "by 1995", and the end of a period.
    Until,
}

/// A date expression: the days that it covers, first and last. A period ("1992–98") is two of them, its start
/// ([`DateBound::Since`]) and its end ([`DateBound::Until`]).
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
    /// The other day it may mean, when the order of day and month is not known.
    pub other_reading: Option<Date>,
    /// Fiscal or financial year rather than calendar year.
    pub fiscal: bool,
    /// An approximate date: "around 1850", "c. 1850".
    pub approximate: bool,
    /// Which side of it is meant.
    #[serde(default)]
    pub bound: DateBound,
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

/// The dates of `text`, in order of their place, none overlapping another.
///
/// Linear in the length of `text`. Relative dates ("yesterday") are not read: their day stands elsewhere.
///
/// ```
/// use evidex::text::{DateGrain, DateOrder, dates};
/// let found = dates("Opened on 3 March 1987, closed in the 1990s.", DateOrder::Unknown);
/// assert_eq!(found[0].first.unwrap().to_string(), "1987-03-03");
/// assert_eq!(found[1].grain, DateGrain::Decade);
/// ```
pub fn dates(text: &str, order: DateOrder) -> Vec<DateMention> {
    read_dates(&scan(text), order)
}

/// Whole years from one date to another, as ages are counted; negative when `to` comes first.
pub fn years_between(from: Date, to: Date) -> i16 {
    let years = to.year() - from.year();
    let before_birthday = (to.month(), to.day()) < (from.month(), from.day());
    if to < from {
        let ahead = (to.month(), to.day()) > (from.month(), from.day());
        years + i16::from(ahead)
    } else {
        years - i16::from(before_birthday)
    }
}

/// A closed range of days.
type Days = (Date, Date);

impl DateMention {
    /// Whether it can be read as more than one day.
    pub const fn is_ambiguous(&self) -> bool {
        self.other_reading.is_some()
    }

    /// The least and the most whole years that may lie between this date and a later one: an age at that time.
    pub fn years_until(&self, later: &Self) -> Option<(i16, i16)> {
        let (least, most) = (years_between(self.last?, later.first?), years_between(self.first?, later.last?));
        Some((least, most))
    }

    /// How this date, in a claim, stands to `evidence`'s.
    ///
    /// Containment is support: "in the 1980s" is supported by "3 March 1987", not the other way round. A date without
    /// a year is compared by month and day alone.
    pub fn agrees(&self, evidence: &Self) -> DateAgreement {
        let decide = |claim: Option<Days>, other: Option<Days>| match (claim, other) {
            (Some(claim), Some(other)) => self.compare(claim, evidence, other),
            _ => self.compare_without_year(evidence),
        };
        let outcomes: Vec<DateAgreement> = self
            .readings()
            .flat_map(|claim| evidence.readings().map(move |other| (claim, other)))
            .map(|(claim, other)| decide(claim, other))
            .collect();
        match outcomes.split_first() {
            Some((first, rest)) if rest.iter().all(|outcome| outcome == first) => *first,
            // Both were written the same way: whatever it means, it means the same.
            Some(_) if self.is_ambiguous() && self.readings().eq(evidence.readings()) => DateAgreement::Contains,
            Some(_) => DateAgreement::Ambiguous,
            None => DateAgreement::Incomparable,
        }
    }

    fn readings(&self) -> impl Iterator<Item = Option<Days>> + '_ {
        let main = self.first.zip(self.last);
        std::iter::once(main).chain(self.other_reading.map(|day| Some((day, day))))
    }

    /// Days by which an approximate date may be off.
    fn slack(&self) -> i64 {
        if !self.approximate {
            return 0;
        }
        match self.grain {
            DateGrain::Century => 3653,
            DateGrain::Decade => 731,
            DateGrain::Year => 1826,
            DateGrain::Quarter => 31,
            DateGrain::Month => 15,
            DateGrain::Day => 3,
        }
    }

    fn compare(&self, claim: Days, evidence: &Self, other: Days) -> DateAgreement {
        use DateAgreement::{Contains, Differs, Incomparable, MorePrecise};
        // A fiscal year may begin in any month: its days are not those of the calendar year of that number.
        if self.fiscal != evidence.fiscal {
            let same_grain = self.grain == DateGrain::Year && evidence.grain == DateGrain::Year;
            let near = claim.0.year() - 1 <= other.1.year() && other.0.year() <= claim.1.year() + 1;
            return match (same_grain, near) {
                (_, false) => Differs,
                (_, true) => Incomparable,
            };
        }
        let guesses = self.approximate && evidence.approximate && self.grain == evidence.grain && claim != other;
        let claim = interval(claim, self.bound, self.slack());
        let other = interval(other, evidence.bound, evidence.slack());
        // The starts, or the ends, of two periods are compared as dates.
        let same_end = self.bound == evidence.bound
            || matches!(
                (self.bound, evidence.bound),
                (DateBound::In | DateBound::Since, DateBound::In | DateBound::Since)
                    | (DateBound::In | DateBound::Until, DateBound::In | DateBound::Until)
            );
        if same_end && matches!(self.bound, DateBound::In | DateBound::Since | DateBound::Until) {
            let (claim, other) = (claim.stated, other.stated);
            // "circa 1906" beside "circa 1905": neither guess says the other.
            if guesses && claim.0 <= other.1 && other.0 <= claim.1 {
                return MorePrecise;
            }
            if claim.0 <= other.0 && other.1 <= claim.1 {
                return Contains;
            }
            let meet = claim.0 <= other.1 && other.0 <= claim.1;
            if meet {
                return if self.approximate { Contains } else { MorePrecise };
            }
            // "In 1995" against "since 1992" says nothing of 1995; against "since 1998" it does.
            return match evidence.bound {
                DateBound::Since if self.bound == DateBound::In && claim.0 > other.1 => MorePrecise,
                DateBound::Until if self.bound == DateBound::In && claim.1 < other.0 => MorePrecise,
                _ => Differs,
            };
        }
        let (claim, other) = (claim.meant, other.meant);
        if claim.0 <= other.0 && other.1 <= claim.1 {
            Contains
        } else if claim.0 <= other.1 && other.0 <= claim.1 {
            MorePrecise
        } else {
            Differs
        }
    }

    fn compare_without_year(&self, evidence: &Self) -> DateAgreement {
        use DateAgreement::{Contains, Differs, Incomparable, MorePrecise};
        let (Some(month), Some(other_month)) = (self.month, evidence.month) else { return Incomparable };
        let year_missing_in_evidence = self.first.is_some();
        let agreement = match (self.day, evidence.day) {
            _ if month != other_month => Differs,
            (Some(day), Some(other_day)) if day != other_day => Differs,
            (Some(_), None) => MorePrecise,
            _ => Contains,
        };
        if agreement == Contains && year_missing_in_evidence { MorePrecise } else { agreement }
    }
}

/// The days that an expression states, and those that its bound makes of them.
struct Interval {
    stated: Days,
    meant: Days,
}

fn interval(days: Days, bound: DateBound, slack: i64) -> Interval {
    let widen = jiff::Span::new().days(slack);
    let stated = (days.0.saturating_sub(widen), days.1.saturating_add(widen));
    let meant = match bound {
        DateBound::In => stated,
        DateBound::Before => (Date::MIN, stated.0.yesterday().unwrap_or(Date::MIN)),
        DateBound::After => (stated.1.tomorrow().unwrap_or(Date::MAX), Date::MAX),
        DateBound::Since => (stated.0, Date::MAX),
        DateBound::Until => (Date::MIN, stated.1),
    };
    Interval { stated, meant }
}
