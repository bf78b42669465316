//! The `--filter` of a command: from its text to a filter and to what it lets through.

use evidex::index::{Filter, FilterError, Snapshot};

use crate::exit::Failure;

/// Reads a filter.
///
/// # Errors
/// Where it cannot be read, with the place pointed at.
pub fn parse(text: &str) -> Result<Filter, Failure> {
    text.parse().map_err(|error: FilterError| {
        let (line, column) = shown(&error);
        let mut failure = Failure::from(error);
        failure.message = format!("{}\n  {line}\n  {}^", failure.message, " ".repeat(column - 1));
        failure
    })
}

/// What `snapshot` holds of documents that `filter` means; all of it without one.
///
/// # Errors
/// As [`parse`], and damage.
pub fn apply(snapshot: Snapshot, filter: Option<&str>) -> Result<Snapshot, Failure> {
    match filter {
        Some(text) => Ok(snapshot.filtered(&parse(text)?)?),
        None => Ok(snapshot),
    }
}

/// The filter on one line, short enough to be pointed at, and the column to point at.
fn shown(error: &FilterError) -> (String, usize) {
    const BEFORE: usize = 60;
    let chars: Vec<char> = error.filter.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let at = error.column.saturating_sub(1);
    let start = at.saturating_sub(BEFORE);
    let end = chars.len().min(at + BEFORE);
    let cut = if start > 0 { "…" } else { "" };
    (format!("{cut}{}", chars[start..end].iter().collect::<String>()), at - start + cut.chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_an_error_is_pointed_at_in_short_and_long_filters() {
        assert!(parse("year>=").unwrap_err().message.ends_with("\n  year>=\n        ^"));
        let long = format!("{} AND year 5", vec!["lang=en"; 40].join(" OR "));
        let message = parse(&long).unwrap_err().message;
        let lines: Vec<&str> = message.lines().rev().take(2).collect();
        let place = lines[0].chars().count() - 1;
        assert_eq!(lines[1].chars().nth(place), Some('5'), "{message}");
        assert!(lines[1].chars().count() < 130);
    }
}
