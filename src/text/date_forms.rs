//! The forms of a date: what stands at one token, without the words around it. Each looks at a bounded few tokens.

use jiff::civil::Date;

use super::date_context::{clean_left, clean_right, year_at};
use super::dates::{DateBound, DateGrain, DateOrder};
use super::lexicon::{NumberWord, Tongue};
use super::spelled;
use super::value_tokens::{Kind, Scan, digit_value};

/// A date without its surroundings: the days, and what was written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Core {
    pub days: Option<(Date, Date)>,
    pub month: Option<i8>,
    pub day: Option<i8>,
    pub grain: DateGrain,
    pub other: Option<Date>,
    pub fiscal: bool,
    pub approximate: bool,
    pub bound: DateBound,
}

impl Core {
    pub(super) const fn new(grain: DateGrain, days: Option<(Date, Date)>) -> Self {
        Self {
            days,
            month: None,
            day: None,
            grain,
            other: None,
            fiscal: false,
            approximate: false,
            bound: DateBound::In,
        }
    }

    pub(super) fn years(grain: DateGrain, first: i16, last: i16) -> Option<Self> {
        Some(Self::new(grain, Some((Date::new(first, 1, 1).ok()?, Date::new(last, 12, 31).ok()?))))
    }

    pub(super) fn of_month(year: Option<i16>, month: i8) -> Option<Self> {
        let days = match year {
            Some(year) => {
                let first = Date::new(year, month, 1).ok()?;
                Some((first, first.last_of_month()))
            }
            None => None,
        };
        Some(Self { month: Some(month), ..Self::new(DateGrain::Month, days) })
    }

    pub(super) fn of_day(year: Option<i16>, month: i8, day: i8) -> Option<Self> {
        // Without a year 29 February is a day.
        let date = Date::new(year.unwrap_or(2000), month, day).ok()?;
        let days = year.map(|_| (date, date));
        Some(Self { month: Some(month), day: Some(day), ..Self::new(DateGrain::Day, days) })
    }
}

/// The value of the digits at `i`, at most 9 of them.
pub(super) fn number_at(scan: &Scan<'_>, i: usize) -> Option<(i32, usize)> {
    if scan.kind(i) != Some(Kind::Digits) {
        return None;
    }
    let mut value = 0_i32;
    let mut length = 0;
    for c in scan.str(i).chars() {
        value = value.checked_mul(10)?.checked_add(i32::from(digit_value(c)?))?;
        length += 1;
    }
    (length <= 9).then_some((value, length))
}

pub(super) fn small(value: i32) -> Option<i8> {
    i8::try_from(value).ok()
}

/// The month named at `i`, and the index after it and the point of an abbreviation.
pub(super) fn month_at(scan: &Scan<'_>, i: usize) -> Option<(i8, usize)> {
    let token = scan.at(i).filter(|token| token.kind == Kind::Word && token.entry.month != 0)?;
    // "set", "mar", "may" in lower case are words unless their language writes months so.
    if token.first.is_lowercase() && scan.tongue == Tongue::English && scan.str(i).len() <= 4 {
        return None;
    }
    let month = small(i32::from(token.entry.month))?;
    const WHOLE: [&str; 9] = ["may", "june", "july", "mai", "juni", "juli", "mars", "maio", "août"];
    let abbreviated = scan.str(i).chars().count() <= 4 && scan.is(i + 1, '.') && !scan.is_any(i, &WHOLE);
    Some((month, if abbreviated { i + 2 } else { i + 1 }))
}

/// Over a space, a comma and a space, or "of"/"de"/"del". Treebanks set the comma off: "June 24 , 2010".
fn past_link(scan: &Scan<'_>, i: usize) -> usize {
    let comma = if scan.is(i, ',') { i } else { scan.past_space(i) };
    let after = if scan.is(comma, ',') { comma + 1 } else { i };
    let mut next = scan.past_space(after);
    if scan.is_any(next, &["of", "de", "del", "do"]) {
        let beyond = scan.past_space(next + 1);
        if beyond > next + 1 {
            next = beyond;
        }
    }
    next
}

/// A year after a month or day: four digits, or an apostrophe and two.
pub(super) fn year_after(scan: &Scan<'_>, i: usize) -> Option<(i16, usize)> {
    let next = past_link(scan, i);
    if next == i {
        return None;
    }
    let (year, end) = plain_year(scan, next)?;
    Some(era(scan, year, end))
}

/// Four digits 1000–2999 that stand as a number of their own.
pub(super) fn plain_year(scan: &Scan<'_>, i: usize) -> Option<(i16, usize)> {
    let (value, length) = number_at(scan, i)?;
    let year = i16::try_from(value).ok()?;
    (length == 4 && (1000..=2999).contains(&year) && clean_right(scan, i + 1)).then_some((year, i + 1))
}

/// "BC" after a year makes it negative (1 BC is the year 0 of the calendar used here).
fn era(scan: &Scan<'_>, year: i16, end: usize) -> (i16, usize) {
    match era_after(scan, end) {
        Some((true, after)) => (1 - year, after),
        Some((false, after)) => (year, after),
        None => (year, end),
    }
}

/// An era after token `i`: whether it is before the common one, and the index after it.
pub(super) fn era_after(scan: &Scan<'_>, i: usize) -> Option<(bool, usize)> {
    let next = scan.past_space(i);
    if scan.is_any(next, &["bc", "bce"]) && scan.is_capital(next) {
        return Some((true, next + 1));
    }
    if scan.is_any(next, &["ad", "ce"]) && scan.is_capital(next) {
        return Some((false, next + 1));
    }
    let at = scan.at(next)?.start;
    const LONG: [(&str, bool); 12] = [
        ("B.C.E.", true),
        ("B.C.", true),
        ("A.D.", false),
        ("C.E.", false),
        ("v. Chr.", true),
        ("n. Chr.", false),
        ("av. J.-C.", true),
        ("apr. J.-C.", false),
        ("a.C.", true),
        ("a. C.", true),
        ("d.C.", false),
        ("d. C.", false),
    ];
    let (text, before) = LONG.iter().find(|(text, _)| scan.text[at..].starts_with(text))?;
    let until = at + text.len();
    let mut end = next;
    while scan.at(end).is_some_and(|token| token.end <= until) {
        end += 1;
    }
    Some((*before, end))
}

/// A day number at `i`: "3", "3rd", "3.", "1er", "1º"; with the index after it.
pub(super) fn day_at(scan: &Scan<'_>, i: usize) -> Option<(i8, usize)> {
    let (value, length) = number_at(scan, i)?;
    let day = small(value).filter(|day| (1..=31).contains(day))?;
    if length > 2 {
        return None;
    }
    let end = match scan.kind(i + 1) {
        Some(Kind::Word) if scan.is_any(i + 1, &["st", "nd", "rd", "th", "er"]) => i + 2,
        Some(Kind::Symbol) if scan.is(i + 1, '.') || scan.is(i + 1, 'º') => i + 2,
        _ => i + 1,
    };
    Some((day, end))
}

fn century(number: i32, before: bool) -> Option<Core> {
    let number = i16::try_from(number).ok().filter(|number| (1..=99).contains(number))?;
    let (first, last) =
        if before { (1 - number * 100, -(number - 1) * 100) } else { ((number - 1) * 100 + 1, number * 100) };
    Core::years(DateGrain::Century, first, last)
}

/// What stands at token `i`: a date with the index after it.
pub(super) fn core_at(scan: &Scan<'_>, i: usize, order: DateOrder) -> Option<(Core, usize)> {
    if scan.kind(i)? == Kind::Digits && !clean_left(scan, i) {
        return None;
    }
    core_here(scan, i, order)
}

/// What stands at token `i`, whatever is joined to its left: the end of "1903–15 August 1939".
pub(super) fn core_here(scan: &Scan<'_>, i: usize, order: DateOrder) -> Option<(Core, usize)> {
    match scan.kind(i)? {
        Kind::Digits => numeric(scan, i, order)
            .or_else(|| day_month(scan, i))
            .or_else(|| century_at(scan, i))
            .or_else(|| decade(scan, i))
            .or_else(|| ordinal_part(scan, i))
            .or_else(|| era_year(scan, i))
            .or_else(|| eastern(scan, i))
            .or_else(|| season_year(scan, i))
            .or_else(|| year_quarter(scan, i))
            .or_else(|| {
                year_at(scan, i).and_then(|(year, end)| Some((Core::years(DateGrain::Year, year, year)?, end)))
            }),
        // Most words begin no date; "XIXe" alone is not in the lexicon.
        Kind::Word if !scan.at(i)?.entry.opens_date => {
            if matches!(scan.at(i)?.first, 'I' | 'V' | 'X') {
                latin_century(scan, i)
            } else {
                None
            }
        }
        Kind::Word => month_first(scan, i)
            .or_else(|| fiscal(scan, i))
            .or_else(|| quarter(scan, i))
            .or_else(|| ordinal_part(scan, i))
            .or_else(|| season(scan, i))
            .or_else(|| century_at(scan, i))
            .or_else(|| latin_century(scan, i))
            .or_else(|| named_decade(scan, i))
            .or_else(|| anno_domini(scan, i)),
        Kind::Symbol if matches!(scan.at(i)?.first, '\'' | '’' | '‘') => short_decade(scan, i),
        _ => None,
    }
}

/// "2024-05-06", "5/6/24", "14.08.2018", "2024-05".
fn numeric(scan: &Scan<'_>, i: usize, order: DateOrder) -> Option<(Core, usize)> {
    let separator = scan.at(i + 1).filter(|token| token.kind == Kind::Symbol)?.first;
    if !matches!(separator, '-' | '/' | '.' | '‑') {
        return None;
    }
    let (a, a_length) = number_at(scan, i)?;
    let (b, b_length) = number_at(scan, i + 2)?;
    if b_length > 2 {
        return None;
    }
    let third = if scan.is(i + 3, separator) { number_at(scan, i + 4) } else { None };
    let Some((c, c_length)) = third else {
        // "2024-05" is a month; "2011-12" is two years and read elsewhere.
        let follows = (a % 100 + 1) % 100 == b;
        if separator == '-'
            && a_length == 4
            && b_length == 2
            && (1000..3000).contains(&a)
            && (1..=12).contains(&b)
            && !follows
            && clean_right(scan, i + 3)
        {
            return Some((Core::of_month(i16::try_from(a).ok(), small(b)?)?, i + 3));
        }
        return None;
    };
    let end = i + 5;
    let timed = scan.str(end).starts_with('T');
    if !clean_right(scan, end) && !timed {
        return None;
    }
    let end = if timed { end + 1 } else { end };
    if a_length == 4 {
        return Some((Core::of_day(i16::try_from(a).ok(), small(b)?, small(c)?)?, end));
    }
    if a_length > 2 || !(c_length == 4 || c_length == 2) || c_length == 3 {
        return None;
    }
    // Two digits of a year: 00–49 are of this century, 50–99 of the last.
    let year = i16::try_from(match (c_length, c) {
        (4, c) => c,
        (_, c) if c < 50 => 2000 + c,
        (_, c) => 1900 + c,
    })
    .ok()?;
    let day_first = Core::of_day(Some(year), small(b)?, small(a)?);
    let month_first = Core::of_day(Some(year), small(a)?, small(b)?);
    let order = if separator == '.' { DateOrder::DayFirst } else { order };
    let core = match (order, day_first, month_first) {
        (DateOrder::DayFirst, Some(core), _) | (DateOrder::MonthFirst, _, Some(core)) => core,
        (DateOrder::Unknown, Some(core), Some(other)) if a != b => {
            Core { other: other.days.map(|days| days.0), month: None, day: None, ..core }
        }
        (_, Some(core), _) | (_, None, Some(core)) => core,
        (_, None, None) => return None,
    };
    Some((core, end))
}

/// "3 March 1987", "3rd of March", "3. Mai 2021", "14 de agosto de 2018".
pub(super) fn day_month(scan: &Scan<'_>, i: usize) -> Option<(Core, usize)> {
    let (day, after) = day_at(scan, i)?;
    let next = if scan.is(after, '-') { after + 1 } else { past_link(scan, after) };
    if next == after {
        return None;
    }
    let (month, end) = month_at(scan, next)?;
    let dashed = if scan.is(end, '-') && scan.is(after, '-') { plain_year(scan, end + 1) } else { None };
    match dashed.or_else(|| year_after(scan, end)) {
        Some((year, end)) => Some((Core::of_day(Some(year), month, day)?, end)),
        None => Some((Core::of_day(None, month, day)?, end)),
    }
}

/// "March 3, 1987", "March 1987", "March".
fn month_first(scan: &Scan<'_>, i: usize) -> Option<(Core, usize)> {
    let (month, end) = month_at(scan, i)?;
    // "post-March" and "x_March" are words; "1903-August" ends a period.
    let after_digits = i >= 2 && scan.kind(i - 2) == Some(Kind::Digits);
    let joined = scan
        .before(i)
        .is_some_and(|token| token.kind == Kind::Digits || token.first == '_' || (token.first == '-' && !after_digits));
    if joined {
        return None;
    }
    let next = scan.past_space(end);
    if next > end
        && let Some((day, after)) = day_at(scan, next)
        && !scan.is(next + 1, ':')
        && scan.tongue != Tongue::German
        && !matches!(scan.number_word(scan.past_space(after)), NumberWord::Scale(_) | NumberWord::Hundred)
    {
        let end = if scan.is(after - 1, '.') { after - 1 } else { after };
        if let Some((year, end)) =
            year_after(scan, end).filter(|_| !scan.is_any(scan.past_space(end), &["of", "de", "del", "do"]))
        {
            return Some((Core::of_day(Some(year), month, day)?, end));
        }
        if clean_right(scan, end) {
            return Some((Core::of_day(None, month, day)?, end));
        }
    }
    if let Some((year, end)) = year_after(scan, end) {
        return Some((Core::of_month(Some(year), month)?, end));
    }
    if matches!(scan.at(end).map(|token| token.first), Some('\'' | '’'))
        && let Some((value, 2)) = number_at(scan, end + 1)
    {
        let year = i16::try_from(if value < 50 { 2000 + value } else { 1900 + value }).ok()?;
        return Some((Core::of_month(Some(year), month)?, end + 2));
    }
    // A month alone: a capital in English, and for names that are words too, a preposition before.
    let word = scan.str(i);
    let is_full = word.chars().count() > 4
        || matches!(word.to_lowercase().as_str(), "may" | "june" | "july" | "juni" | "juli" | "mai" | "août");
    let also_word = scan.is_any(
        i,
        &["may", "march", "august", "marco", "mars", "set", "mai", "abril", "enero", "julio", "juli", "april", "june"],
    );
    let preposed = scan.word_before(i).is_some_and(|before| {
        scan.is_any(
            before,
            &[
                "in", "of", "during", "since", "by", "until", "till", "from", "early", "late", "mid", "last", "next",
                "this", "every", "each", "em", "de", "desde", "até", "im", "seit", "bis", "en", "hasta", "depuis",
                "to", "and", "through", "through",
            ],
        )
    });
    let to = scan.past_space(end);
    let joined = (to > end
        && scan.is_any(to, &["to", "through", "until", "bis", "a"])
        && month_at(scan, scan.past_space(to + 1)).is_some())
        || (matches!(scan.at(end).map(|token| token.first), Some('-' | '–')) && month_at(scan, end + 1).is_some());
    (is_full && (preposed || joined || (!also_word && scan.tongue == Tongue::English && scan.is_capital(i))))
        .then(|| Core::of_month(None, month).map(|core| (core, i + 1)))?
}

/// "1980s", "1980's", "1980er".
fn decade(scan: &Scan<'_>, i: usize) -> Option<(Core, usize)> {
    let (value, length) = number_at(scan, i)?;
    if length == 2 && value % 10 == 0 && value >= 20 && scan.is_any(i + 1, &["er", "ern"]) {
        let first = i16::try_from(1900 + value).ok()?;
        return Some((Core::years(DateGrain::Decade, first, first + 9)?, i + 2));
    }
    if length != 4 || value % 10 != 0 || !(1000..3000).contains(&value) {
        return None;
    }
    // Treebanks set the mark off: "1970 's".
    let spaced = scan.past_space(i + 1);
    let set_off = spaced > i + 1
        && matches!(scan.at(spaced).map(|token| token.first), Some('\'' | '’'))
        && scan.is_any(spaced + 1, &["s"]);
    let apart = if set_off { spaced } else { i + 1 };
    let apostrophe = usize::from(matches!(scan.at(apart).map(|token| token.first), Some('\'' | '’')));
    let mark = apart + apostrophe;
    if !(scan.is_any(mark, &["s"]) || (apostrophe == 0 && scan.is_any(mark, &["er", "ern"]))) {
        return None;
    }
    let first = i16::try_from(value).ok()?;
    // "The 1900s" are a century as often as a decade; "the 2000s" are the decade.
    let span = if value % 100 == 0 && value != 2000 { 99 } else { 9 };
    let grain = if span == 99 { DateGrain::Century } else { DateGrain::Decade };
    Some((Core::years(grain, first, first + span)?, mark + 1))
}

/// "'80s", "’90s".
fn short_decade(scan: &Scan<'_>, i: usize) -> Option<(Core, usize)> {
    let (value, length) = number_at(scan, i + 1)?;
    if length != 2 || value % 10 != 0 || !scan.is_any(i + 2, &["s"]) {
        return None;
    }
    let first = i16::try_from(if value <= 20 { 2000 + value } else { 1900 + value }).ok()?;
    Some((Core::years(DateGrain::Decade, first, first + 9)?, i + 3))
}

/// "anos 80", "années 1980", "80er Jahre" is read as "80" and no decade.
fn named_decade(scan: &Scan<'_>, i: usize) -> Option<(Core, usize)> {
    if !scan.is_any(i, &["anos", "années", "años"]) {
        return None;
    }
    let next = past_link(scan, i + 1);
    let (value, length) = number_at(scan, next)?;
    if next == i + 1 || value % 10 != 0 || !clean_right(scan, next + 1) {
        return None;
    }
    let first = match (length, value) {
        (4, 1000..3000) => value,
        (2, 30..100) => 1900 + value,
        _ => return None,
    };
    let first = i16::try_from(first).ok()?;
    Some((Core::years(DateGrain::Decade, first, first + 9)?, next + 1))
}

/// "19th century", "nineteenth century", "19. Jahrhundert", "18th and 19th centuries" (its second part).
fn century_at(scan: &Scan<'_>, i: usize) -> Option<(Core, usize)> {
    let (number, after) = ordinal_at(scan, i)?;
    let dash = matches!(scan.at(after).map(|token| token.first), Some('-' | '–'));
    let next = if dash { after + 1 } else { scan.past_space(after) };
    if next == after {
        return None;
    }
    let mut word = next;
    // "18th and 19th centuries", "18th–19th century": the first borrows the noun.
    let joined = scan.is_any(next, &["and", "or", "to", "und"]);
    let second = if joined { scan.past_space(next + 1) } else { next };
    if joined || (dash && ordinal_at(scan, second).is_some()) {
        let (_, second_after) = ordinal_at(scan, second)?;
        word = if scan.is(second_after, '-') { second_after + 1 } else { scan.past_space(second_after) };
        scan.is_any(word, &["centuries", "century", "jahrhundert", "jahrhunderts"]).then_some(())?;
        let before = era_after(scan, word + 1).is_some_and(|(before, _)| before);
        return Some((century(number, before)?, after));
    }
    if !scan.is_any(word, &["century", "centuries", "jahrhundert", "jahrhunderts"]) {
        return None;
    }
    let era = era_after(scan, word + 1);
    Some((century(number, era.is_some_and(|(before, _)| before))?, era.map_or(word + 1, |(_, end)| end)))
}

/// An ordinal at `i`: "19th", "19.", "nineteenth", "twenty-first"; with the index after it.
fn ordinal_at(scan: &Scan<'_>, i: usize) -> Option<(i32, usize)> {
    if let Some((value, length)) = number_at(scan, i) {
        let marked =
            scan.is_any(i + 1, &["st", "nd", "rd", "th"]) || (scan.is(i + 1, '.') && scan.tongue == Tongue::German);
        return (length <= 2 && marked).then_some((value, i + 2));
    }
    match scan.number_word(i) {
        NumberWord::Ordinal(n) => Some((i32::from(n), i + 1)),
        NumberWord::Tens(tens) => match scan.number_word(i + 2) {
            NumberWord::Ordinal(n) if n < 10 && (scan.is(i + 1, '-') || scan.past_space(i + 1) == i + 2) => {
                Some((i32::from(tens) + i32::from(n), i + 3))
            }
            _ => None,
        },
        _ => None,
    }
}

/// "século XIX", "siglo XIX", "XIXe siècle".
fn latin_century(scan: &Scan<'_>, i: usize) -> Option<(Core, usize)> {
    if scan.is_any(i, &["século", "siglo", "séc", "sec"]) {
        let after = if scan.is(i + 1, '.') { i + 2 } else { i + 1 };
        let next = scan.past_space(after);
        let number = spelled::roman(scan.str(next)).filter(|_| next > after)?;
        let era = era_after(scan, next + 1);
        return Some((
            century(i32::from(number), era.is_some_and(|(before, _)| before))?,
            era.map_or(next + 1, |(_, end)| end),
        ));
    }
    let word = scan.str(i);
    let digits = word.strip_suffix("ème").or_else(|| word.strip_suffix('e'))?;
    let next = scan.past_space(i + 1);
    let number = spelled::roman(digits)?;
    if next == i + 1 || !scan.is_any(next, &["siècle"]) {
        return None;
    }
    Some((century(i32::from(number), false)?, next + 1))
}

/// "44 BC", "AD" after a short year: "79 AD".
fn era_year(scan: &Scan<'_>, i: usize) -> Option<(Core, usize)> {
    let (value, length) = number_at(scan, i)?;
    let (before, end) = era_after(scan, i + 1)?;
    let year = i16::try_from(value).ok().filter(|year| length <= 4 && *year > 0)?;
    let year = if before { 1 - year } else { year };
    Some((Core::years(DateGrain::Year, year, year)?, end))
}

/// "AD 79".
fn anno_domini(scan: &Scan<'_>, i: usize) -> Option<(Core, usize)> {
    let next = scan.past_space(i + 1);
    if scan.str(i) != "AD" || next == i + 1 {
        return None;
    }
    let (value, length) = number_at(scan, next)?;
    let year = i16::try_from(value).ok().filter(|year| length <= 4 && *year > 0)?;
    clean_right(scan, next + 1).then(|| Core::years(DateGrain::Year, year, year).map(|core| (core, next + 1)))?
}

/// "1958年", "1958年3月5日", "20世纪".
fn eastern(scan: &Scan<'_>, i: usize) -> Option<(Core, usize)> {
    let (value, length) = number_at(scan, i)?;
    let mark = scan.str(i + 1);
    if matches!(mark, "世") && matches!(scan.str(i + 2), "纪" | "紀") {
        return Some((century(value, false)?, i + 3));
    }
    if !matches!(mark, "年" | "년") || !(3..=4).contains(&length) {
        return None;
    }
    let year = i16::try_from(value).ok()?;
    let Some((month, _)) = number_at(scan, i + 2).filter(|_| matches!(scan.str(i + 3), "月")) else {
        let decade = scan.str(i + 2) == "代";
        let core = if decade {
            Core::years(DateGrain::Decade, year, year + 9)?
        } else {
            Core::years(DateGrain::Year, year, year)?
        };
        return Some((core, if decade { i + 3 } else { i + 2 }));
    };
    match number_at(scan, i + 4).filter(|_| matches!(scan.str(i + 5), "日" | "号")) {
        Some((day, _)) => Some((Core::of_day(Some(year), small(month)?, small(day)?)?, i + 6)),
        None => Some((Core::of_month(Some(year), small(month)?)?, i + 4)),
    }
}

/// "2019/20", "2019–20 season": a year that begins in one calendar year and ends in the next.
fn season_year(scan: &Scan<'_>, i: usize) -> Option<(Core, usize)> {
    let (year, length) = number_at(scan, i)?;
    let (second, second_length) = number_at(scan, i + 2)?;
    let first = i16::try_from(year).ok().filter(|year| length == 4 && (1800..2200).contains(year))?;
    let next = match second_length {
        2 => second == (year + 1) % 100,
        4 => second == year + 1,
        _ => false,
    };
    let named = scan.is_any(scan.past_space(i + 3), &["season", "saison", "temporada", "academic", "school", "winter"]);
    if !next
        || !clean_right(scan, i + 3)
        || !(scan.is(i + 1, '/') || (named && matches!(scan.at(i + 1)?.first, '-' | '–')))
    {
        return None;
    }
    Some((Core { fiscal: true, ..Core::years(DateGrain::Year, first, first + 1)? }, i + 3))
}

/// "FY2023", "FY 2022/23", "fiscal year 2023", "fiscal 2023".
fn fiscal(scan: &Scan<'_>, i: usize) -> Option<(Core, usize)> {
    let mut next = i + 1;
    if scan.is_any(i, &["fiscal", "financial", "budget"]) {
        let after = scan.past_space(next);
        next = if scan.is_any(after, &["year"]) { after + 1 } else { next };
        if next == i + 1 && !scan.is_any(i, &["fiscal"]) {
            return None;
        }
    } else if scan.is_any(i, &["ano", "año"]) && scan.is_any(scan.past_space(next), &["fiscal"]) {
        next = scan.past_space(next) + 1;
    } else if !scan.is_any(i, &["fy"]) {
        return None;
    }
    let at = scan.past_space(next);
    let at = if matches!(scan.at(at)?.first, '\'' | '’') { at + 1 } else { at };
    if let Some((core, end)) = season_year(scan, at) {
        return Some((core, end));
    }
    let (value, length) = number_at(scan, at)?;
    let year = match (length, value) {
        (4, 1800..2200) => value,
        (2, _) if scan.is_any(i, &["fy"]) => 2000 + value,
        _ => return None,
    };
    let year = i16::try_from(year).ok()?;
    Some((Core { fiscal: true, ..Core::years(DateGrain::Year, year, year)? }, at + 1))
}

fn part_of_year(year: i16, first: i8, last: i8) -> Option<Core> {
    let days = (Date::new(year, first, 1).ok()?, Date::new(year, last, 1).ok()?.last_of_month());
    Some(Core::new(DateGrain::Quarter, Some(days)))
}

fn quarter_of(year: i16, letter: char, number: i32) -> Option<Core> {
    let number = small(number)?;
    match (letter, number) {
        ('Q', 1..=4) => part_of_year(year, number * 3 - 2, number * 3),
        ('H', 1..=2) => part_of_year(year, number * 6 - 5, number * 6),
        _ => None,
    }
}

/// "Q1 2023", "H2 of 2020", "Q3 of fiscal 2023".
fn quarter(scan: &Scan<'_>, i: usize) -> Option<(Core, usize)> {
    let letter = match scan.str(i) {
        "Q" => 'Q',
        "H" => 'H',
        _ => return None,
    };
    let (number, _) = number_at(scan, i + 1)?;
    if let Some((year, end)) = year_after(scan, i + 2) {
        return Some((quarter_of(year, letter, number)?, end));
    }
    let (of, end) = fiscal(scan, past_link(scan, i + 2))?;
    let (year, _) = of.days?;
    Some((Core { fiscal: true, ..quarter_of(year.year(), letter, number)? }, end))
}

/// "2023 Q1", "2023Q1".
fn year_quarter(scan: &Scan<'_>, i: usize) -> Option<(Core, usize)> {
    let (value, length) = number_at(scan, i)?;
    let next = if scan.is(i + 1, '-') { i + 2 } else { scan.past_space(i + 1) };
    let letter = match scan.str(next) {
        "Q" => 'Q',
        "H" => 'H',
        _ => return None,
    };
    let (number, _) = number_at(scan, next + 1)?;
    let year = i16::try_from(value).ok().filter(|_| length == 4)?;
    Some((quarter_of(year, letter, number)?, next + 2))
}

/// "first quarter of 2021", "second half of 2020", "3rd quarter 2019", "second half of the 19th century".
fn ordinal_part(scan: &Scan<'_>, i: usize) -> Option<(Core, usize)> {
    let (number, after) = ordinal_at(scan, i)?;
    let next = scan.past_space(after);
    let letter = if scan.is_any(next, &["quarter"]) {
        'Q'
    } else if scan.is_any(next, &["half"]) {
        'H'
    } else {
        return None;
    };
    if let Some((year, end)) = year_after(scan, next + 1) {
        return Some((quarter_of(year, letter, number)?, end));
    }
    let mut of = past_link(scan, next + 1);
    if scan.is_any(of, &["the"]) {
        of = scan.past_space(of + 1);
    }
    let (core, end) = century_at(scan, of).or_else(|| decade(scan, of))?;
    let (first, last) = core.days?;
    let parts = if letter == 'Q' { 4 } else { 2 };
    if !(1..=parts).contains(&number) {
        return None;
    }
    let years = i32::from(last.year() - first.year()) + 1;
    let from = i32::from(first.year()) + (number - 1) * years / parts;
    let to = i32::from(first.year()) + number * years / parts - 1;
    Some((Core::years(core.grain, i16::try_from(from).ok()?, i16::try_from(to).ok()?)?, end))
}

/// "spring 2020", "the summer of 1969" (northern seasons; winter runs into the next year).
fn season(scan: &Scan<'_>, i: usize) -> Option<(Core, usize)> {
    const SEASONS: [(&[&str], i8, i8); 4] = [
        (&["spring", "frühjahr", "frühling", "primavera", "printemps"], 3, 5),
        (&["summer", "sommer", "verão", "verano", "été"], 6, 8),
        (&["autumn", "fall", "herbst", "outono", "otoño", "automne"], 9, 11),
        (&["winter", "inverno", "invierno", "hiver"], 12, 2),
    ];
    let (_, first, last) = SEASONS.iter().find(|(names, _, _)| scan.is_any(i, names))?;
    let (year, end) = year_after(scan, i + 1)?;
    let core = if first < last {
        part_of_year(year, *first, *last)?
    } else {
        let days = (Date::new(year, 12, 1).ok()?, Date::new(year + 1, 2, 1).ok()?.last_of_month());
        Core::new(DateGrain::Quarter, Some(days))
    };
    Some((core, end))
}
