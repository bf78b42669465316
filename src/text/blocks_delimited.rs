//! Rows of comma-separated values in a plain text: each row is read with the names of its columns.

use super::reading::Reading;
use super::span::TextSpan;
use super::{Block, BlockKind};

/// Fewest columns that make a table: prose has commas too.
const LEAST_COLUMNS: usize = 3;
/// Bytes of the longest field of a table.
const LONGEST_FIELD: usize = 60;

/// The rows, where the whole text is a table with a line of names over lines of values; `None` otherwise.
pub(super) fn delimited_blocks(raw: &str) -> Option<Vec<Block>> {
    let first = raw.lines().find(|line| !line.trim().is_empty())?;
    let mark = [',', ';'].into_iter().find(|mark| first.matches(*mark).count() + 1 >= LEAST_COLUMNS)?;
    let mut rows: Vec<Vec<TextSpan>> = Vec::new();
    let mut at = 0;
    for line in raw.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let line = line.trim_end();
        if line.trim().is_empty() {
            continue;
        }
        let mut fields = Vec::new();
        let mut from = start;
        for field in line.split(mark) {
            fields.push(TextSpan::new(from, from + field.len()));
            from += field.len() + mark.len_utf8();
            // A mark of prose stands before a blank.
            if field.len() > LONGEST_FIELD || field.starts_with(' ') || field.contains('"') {
                return None;
            }
        }
        if rows.first().is_some_and(|header| header.len() != fields.len()) || line.ends_with(['.', '!', '?']) {
            return None;
        }
        rows.push(fields);
    }
    let (header, rows) = rows.split_first()?;
    let names: Vec<String> = header.iter().map(|field| field.of(raw).trim().replace('_', " ")).collect();
    let is_name = |name: &String| !name.is_empty() && !name.contains(|c: char| c.is_numeric());
    let has_values = rows.iter().flatten().any(|field| field.of(raw).contains(|c: char| c.is_numeric()));
    if !names.iter().all(is_name) || !has_values {
        return None;
    }
    let row = |fields: &Vec<TextSpan>, named: bool| {
        let mut reading = Reading::default();
        let mut cells = Vec::with_capacity(fields.len());
        for (field, name) in fields.iter().zip(&names) {
            let at = TextSpan::new(field.start, field.start);
            if !field.is_empty() {
                if !reading.text.is_empty() {
                    reading.push_replaced("; ", at);
                }
                if named {
                    reading.push_replaced(&format!("{name}: "), at);
                }
            }
            let start = reading.text.len();
            reading.push_verbatim(field.of(raw), *field);
            cells.push(TextSpan::new(start, reading.text.len()));
        }
        let kind =
            if named { BlockKind::TableRow { header: names.clone(), cells } } else { BlockKind::TableHead { cells } };
        let span = fields.first().zip(fields.last()).map_or_else(TextSpan::default, |(a, b)| a.cover(*b));
        Block { kind, span, reading }
    };
    let mut blocks = vec![row(header, false)];
    blocks.extend(rows.iter().map(|fields| row(fields, true)).filter(|block| !block.reading.text.is_empty()));
    Some(blocks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_read_with_its_columns_names() {
        let found = delimited_blocks("city,country,population\nOslo,Norway,717710\nLima,,9752000\n").unwrap();
        assert_eq!(found[1].reading.text, "city: Oslo; country: Norway; population: 717710");
        assert_eq!(found[2].reading.text, "city: Lima; population: 9752000");
        let raw = found[2].reading.raw_span(TextSpan::new(24, 31));
        assert_eq!(raw.of("city,country,population\nOslo,Norway,717710\nLima,,9752000\n"), "9752000");
    }

    #[test]
    fn prose_with_commas_is_no_table() {
        for prose in
            ["Red, green, blue.\nOne, two, 3.", "a,b,c", "It sold bread,\nmilk,\nand 3 eggs", "1,2,3\n4,5,6", ""]
        {
            assert!(delimited_blocks(prose).is_none(), "{prose}");
        }
    }
}
