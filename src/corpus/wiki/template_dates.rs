//! Dates in templates: `{{birth date|1931|5|3}}` and its kin, as words.

use super::templates::Call;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

fn month(text: &str) -> Option<&'static str> {
    if let Ok(number) = text.parse::<usize>() {
        return number.checked_sub(1).and_then(|index| MONTHS.get(index)).copied();
    }
    let lower = text.to_lowercase();
    let start = lower.get(..3)?;
    MONTHS.into_iter().find(|month| month.to_lowercase().starts_with(start))
}

/// "3 May 1931" of a year, a month and a day, of which the last may be missing.
fn words(year: &str, month_and_day: [Option<&str>; 2]) -> Option<String> {
    let year = year.trim();
    // "May 3, 1931" is words already.
    if year.is_empty() || year.len() > 40 {
        return None;
    }
    let all_digits = year.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
    if !all_digits {
        return Some(iso(year).unwrap_or_else(|| year.to_owned()));
    }
    let name = match month_and_day[0] {
        Some(text) => Some(month(text)?),
        None => None,
    };
    let day = match month_and_day[1] {
        Some(text) => Some(text.parse::<u8>().ok().filter(|day| (1..=31).contains(day))?),
        None => None,
    };
    Some(match (name, day) {
        (Some(name), Some(day)) => format!("{day} {name} {year}"),
        (Some(name), None) => format!("{name} {year}"),
        (None, _) => year.to_owned(),
    })
}

/// "1931-05-03".
fn iso(text: &str) -> Option<String> {
    let mut parts = text.split('-');
    let (year, month_number, day) = (parts.next()?, parts.next()?, parts.next());
    let digits = |part: &str| !part.is_empty() && part.len() <= 4 && part.bytes().all(|byte| byte.is_ascii_digit());
    if parts.next().is_some() || !digits(year) || !digits(month_number) {
        return None;
    }
    words(year, [Some(month_number), day])
}

fn date_at(call: &Call<'_>, first: usize) -> Option<String> {
    words(call.at(first)?, [call.at(first + 1), call.at(first + 2)])
}

/// A date by year, month and day.
pub(super) fn date(call: &Call<'_>) -> Option<String> {
    // German: day, month, year; told by the length of the parts.
    let first = call.at(1)?;
    if first.len() <= 2
        && first.bytes().all(|byte| byte.is_ascii_digit())
        && call.at(3).is_some_and(|year| year.len() >= 3)
    {
        return words(call.at(3)?, [call.at(2), Some(first)]);
    }
    date_at(call, 1)
}

/// A day of death, with the age at death.
pub(super) fn death(call: &Call<'_>) -> Option<String> {
    let died = date_at(call, 1)?;
    let number = |at: usize| call.at(at)?.parse::<i32>().ok();
    let age = match (number(1), number(2), number(3), number(4), number(5), number(6)) {
        (Some(year), Some(month), Some(day), Some(born), Some(born_month), Some(born_day)) => {
            let full = (month, day) >= (born_month, born_day);
            Some(year - born - i32::from(!full))
        }
        _ => None,
    };
    Some(match age.filter(|age| (0..130).contains(age)) {
        Some(age) => format!("{died} (aged {age})"),
        None => died,
    })
}

/// A date of which the parts may be numbers or words, day first: "3|mai|1931".
pub(super) fn date_in_words(call: &Call<'_>) -> Option<String> {
    let parts: Vec<&str> = call.positional().filter(|part| !part.is_empty()).take(3).collect();
    match parts[..] {
        [] => None,
        [one] => Some(iso(one).unwrap_or_else(|| one.to_owned())),
        [day, month, year] if day.len() <= 2 => {
            let as_number = month.bytes().all(|byte| byte.is_ascii_digit());
            if as_number { Some(format!("{day}/{month}/{year}")) } else { Some(format!("{day} {month} {year}")) }
        }
        _ if parts[0].len() == 4 => words(parts[0], [parts.get(1).copied(), parts.get(2).copied()]),
        _ => Some(parts.join(" ")),
    }
}

/// "As of May 2020".
pub(super) fn as_of(call: &Call<'_>) -> Option<String> {
    let date = date_at(call, 1)?;
    let start = if call.named("lc").is_some() { "as of" } else { "As of" };
    Some(format!("{start} {date}"))
}

/// "c. 1850", "c. 1850 – c. 1900".
pub(super) fn circa(call: &Call<'_>) -> Option<String> {
    let years: Vec<String> =
        call.positional().filter(|part| !part.is_empty()).map(|year| format!("c. {year}")).collect();
    Some(if years.is_empty() { "c.".to_owned() } else { years.join(" – ") })
}

/// "r. 1850–1860".
pub(super) fn reign(call: &Call<'_>) -> Option<String> {
    Some(format!("r. {}", call.positional().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("–")))
}

/// A spouse, and from when to when.
pub(super) fn marriage(call: &Call<'_>) -> Option<String> {
    let name = call.at(1)?;
    Some(match (call.at(2), call.at(3)) {
        (Some(from), Some(to)) => format!("{name} (married {from}, until {to})"),
        (Some(from), None) => format!("{name} (married {from})"),
        _ => name.to_owned(),
    })
}

/// "XIXe siècle".
pub(super) fn century_french(call: &Call<'_>) -> Option<String> {
    let number = call.at(1)?;
    let ending = if number.eq_ignore_ascii_case("I") { "er" } else { "e" };
    Some(format!("{}{ending} siècle", number.to_uppercase()))
}
