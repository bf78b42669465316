//! Finds date expressions in scanned text: forms, periods, and the words around them. One pass over the tokens.

use super::TextSpan;
use super::date_context::{clean_left, clean_right, preposition};
use super::date_forms::{
    Core, core_at, core_here, day_at, day_month, era_after, month_at, number_at, plain_year, small, year_after,
};
use super::dates::{DateBound, DateGrain, DateMention, DateOrder};
use super::value_tokens::{Kind, Scan};

/// The end of a period: what follows a dash, "to", "and" after the date that ends at `end`.
fn period_end(
    scan: &Scan<'_>,
    start: usize,
    core: &Core,
    end: usize,
    order: DateOrder,
) -> Option<(Core, usize, usize)> {
    let dash = |j: usize| matches!(scan.at(j), Some(token) if token.kind == Kind::Symbol && matches!(token.first, '-' | '–' | '—' | '‑' | '−' | '～'));
    let spaced = scan.past_space(end);
    let (joined, next) = if dash(end) {
        (true, scan.past_space(end + 1))
    } else if spaced > end && (dash(spaced) || period_word(scan, start, spaced)) {
        (false, scan.past_space(spaced + 1))
    } else {
        return None;
    };
    // "1992-98": two digits borrow the century.
    if joined
        && core.grain == DateGrain::Year
        && let Some((value, 2)) = number_at(scan, next)
        && let Some((first, last)) = core.days
        && first.year() >= 1000
        && clean_right(scan, next + 1)
    {
        let year = first.year() / 100 * 100 + i16::try_from(value).ok()?;
        if year > last.year() {
            return Some((Core::years(DateGrain::Year, year, year)?, next, next + 1));
        }
        return None;
    }
    let (second, after) = core_after(scan, next, order, core.grain)?;
    Some((second, next, after))
}

/// Words that join the ends of a period: "to", "until"; "and" only after "between".
fn period_word(scan: &Scan<'_>, start: usize, i: usize) -> bool {
    let before = scan.word_before(start);
    let is = |words: &[&str]| before.is_some_and(|before| scan.is_any(before, words));
    if scan.is_any(i, &["and", "und", "e", "y", "et"]) {
        return is(&["between", "zwischen", "entre"]);
    }
    if scan.is_any(i, &["to", "until", "till", "through", "bis", "até", "hasta", "au", "thru"]) {
        return true;
    }
    scan.is_any(i, &["a", "à", "al"]) && is(&["de", "from", "desde", "du"])
}

/// A date at `i` where a date is due: a bare year is one without further signs.
fn core_after(scan: &Scan<'_>, i: usize, order: DateOrder, grain: DateGrain) -> Option<(Core, usize)> {
    if grain <= DateGrain::Year
        && let Some((year, end)) = plain_year(scan, i)
        && scan.is(i + 1, '-') == scan.is(end, '-')
        && !scan.is_any(end, &["s"])
    {
        return Some((Core::years(DateGrain::Year, year, year)?, end));
    }
    core_here(scan, i, order).filter(|(core, _)| core.grain == grain)
}

/// A day range within one month: "3–5 March 2020", "March 3–5, 2020" is read as its first day.
fn day_range(scan: &Scan<'_>, i: usize) -> Option<(Core, usize, Core, usize, usize)> {
    let (first, length) = number_at(scan, i)?;
    let first = small(first).filter(|_| length <= 2 && clean_left(scan, i))?;
    let spaced = scan.past_space(i + 1);
    let next = if matches!(scan.at(i + 1)?.first, '-' | '–') {
        i + 2
    } else if spaced > i + 1 && scan.is_any(spaced, &["to", "and", "bis", "a", "e", "und", "y", "au"]) {
        scan.past_space(spaced + 1)
    } else {
        return None;
    };
    let (second, end) = day_month(scan, next)?;
    let month = second.month?;
    let year = second.days.map(|days| days.0.year());
    let start = Core::of_day(year, month, first)?;
    Some((start, i + 1, second, next, end))
}

/// "336–323 BC", "AD" after both: years whose era stands once, at the end.
fn era_range(scan: &Scan<'_>, i: usize) -> Option<(Core, usize, Core, usize, usize)> {
    let (first, length) = number_at(scan, i)?;
    if !matches!(scan.at(i + 1)?.first, '-' | '–') || length > 4 || !clean_left(scan, i) {
        return None;
    }
    let (second, length) = number_at(scan, i + 2)?;
    let (before, end) = era_after(scan, i + 3)?;
    if length > 4 || first == 0 || second == 0 || (before == (first < second)) {
        return None;
    }
    let year = |value: i32| {
        let year = i16::try_from(if before { 1 - value } else { value }).ok()?;
        Core::years(DateGrain::Year, year, year)
    };
    Some((year(first)?, i + 1, year(second)?, i + 2, end))
}

/// "March 3–5, 2020": both days of one month.
fn month_day_range(scan: &Scan<'_>, i: usize) -> Option<(Core, usize, Core, usize, usize)> {
    let (month, end) = month_at(scan, i)?;
    let at = scan.past_space(end);
    let (first, after) = day_at(scan, at).filter(|_| at > end)?;
    if !matches!(scan.at(after)?.first, '-' | '–') {
        return None;
    }
    let (last, end) = day_at(scan, after + 1).filter(|(last, _)| *last > first)?;
    let dated = year_after(scan, end);
    let year = dated.map(|(year, _)| year);
    if dated.is_none() && !clean_right(scan, end) {
        return None;
    }
    let (start, stop) = (Core::of_day(year, month, first)?, Core::of_day(year, month, last)?);
    Some((start, after, stop, after + 1, dated.map_or(end, |(_, end)| end)))
}

/// The second decade of "the 1840s and 50s", which borrows the century of the first that ends at `end`.
fn second_decade(scan: &Scan<'_>, first: &Core, end: usize) -> Option<(Core, usize, usize)> {
    let and = scan.past_space(end);
    if first.grain != DateGrain::Decade || and == end || !(scan.is_any(and, &["and", "or"])) {
        return None;
    }
    let mut at = scan.past_space(and + 1);
    if scan.is_any(at, &["the"]) {
        at = scan.past_space(at + 1);
    }
    if matches!(scan.at(at)?.first, '\'' | '’' | '‘') {
        at += 1;
    }
    let (value, 2) = number_at(scan, at)? else { return None };
    if value % 10 != 0 || !scan.is_any(at + 1, &["s"]) {
        return None;
    }
    let start = first.days?.0.year() / 100 * 100 + i16::try_from(value).ok()?;
    Some((Core::years(DateGrain::Decade, start, start + 9)?, at, at + 2))
}

/// Narrows a date by "early", "mid", "late".
fn narrow(core: Core, part: &str) -> Core {
    let Some((first, last)) = core.days else { return core };
    if core.grain == DateGrain::Day {
        return core;
    }
    let days = first.duration_until(last).as_hours() / 24;
    let at = |share: i64| first.saturating_add(jiff::Span::new().days(days * share / 8));
    let range = match part {
        "early" => (first, at(4)),
        "late" => (at(4), last),
        _ => (at(2), at(6)),
    };
    Core { days: Some(range), approximate: true, ..core }
}

fn mention(scan: &Scan<'_>, start: usize, end: usize, core: Core) -> DateMention {
    let from = scan.at(start).map_or(0, |token| token.start);
    let to = scan.before(end).map_or(from, |token| token.end);
    DateMention {
        span: TextSpan::new(from, to),
        first: core.days.map(|days| days.0),
        last: core.days.map(|days| days.1),
        month: core.month,
        day: core.day,
        grain: core.grain,
        other_reading: core.other,
        fiscal: core.fiscal,
        approximate: core.approximate,
        bound: core.bound,
    }
}

/// Every date of the scanned text, in order.
pub(super) fn read_dates(scan: &Scan<'_>, order: DateOrder) -> Vec<DateMention> {
    let mut found = Vec::new();
    let mut i = 0;
    while i < scan.tokens.len() {
        if let Some((first, first_end, second, second_start, end)) =
            day_range(scan, i).or_else(|| month_day_range(scan, i)).or_else(|| era_range(scan, i))
        {
            found.push(mention(scan, i, first_end, Core { bound: DateBound::Since, ..first }));
            found.push(mention(scan, second_start, end, Core { bound: DateBound::Until, ..second }));
            i = end;
            continue;
        }
        let Some((mut core, end)) = core_at(scan, i, order) else {
            i += 1;
            continue;
        };
        let mut start = i;
        let before = preposition(scan, i);
        core.bound = before.bound;
        core.approximate |= before.approximate;
        if let Some((part, at)) = before.part {
            core = narrow(core, part);
            start = at;
        }
        if let Some((second, second_start, after)) = period_end(scan, start, &core, end, order) {
            // "March to May 2020": the first month is of the same year.
            if core.days.is_none()
                && let (Some(month), Some((day, _))) = (core.month, second.days)
            {
                let dated = match core.day {
                    Some(number) => Core::of_day(Some(day.year()), month, number),
                    None => Core::of_month(Some(day.year()), month),
                };
                core = dated.unwrap_or(core);
            }
            found.push(mention(scan, start, end, Core { bound: DateBound::Since, ..core }));
            found.push(mention(scan, second_start, after, Core { bound: DateBound::Until, ..second }));
            i = after;
            continue;
        }
        found.push(mention(scan, start, end, core));
        i = end;
        if let Some((second, at, after)) = second_decade(scan, &core, end) {
            found.push(mention(scan, at, after, second));
            i = after;
        }
    }
    found
}
