//! Annotations for GitHub Actions: workflow commands, one a finding, on standard output.

use std::io::{self, Write};

use super::entry::{CiRenderer, Entry, Outcome, Region, message};
use super::gate::Standing;
use crate::report::text::words;

/// Writes `::error file=…,line=…,col=…::…` lines: errors for what fails, warnings for what does not, notices for what
/// could not be checked. What the baseline knows is left out.
#[derive(Debug, Default)]
pub struct Github;

impl CiRenderer for Github {
    fn start(&mut self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn entry(&mut self, entry: &Entry<'_>, out: &mut dyn Write) -> io::Result<()> {
        if let Outcome::Error(code, reason) = entry.outcome {
            let text = format!("{}: {reason}", entry.name);
            return command(out, "error", entry, entry.whole(), code, &text);
        }
        for (claim, standing) in entry.findings() {
            let level = match standing {
                Standing::Fails => "error",
                Standing::Warns => "warning",
                Standing::Unchecked => "notice",
                Standing::Known | Standing::Passes => continue,
            };
            command(out, level, entry, entry.region(claim), words(claim.label), &message(claim))?;
        }
        Ok(())
    }

    fn finish(&mut self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

fn command(
    out: &mut dyn Write,
    level: &str,
    entry: &Entry<'_>,
    region: Region,
    title: &str,
    text: &str,
) -> io::Result<()> {
    let mut properties = Vec::new();
    if let Some(file) = entry.file {
        properties.push(format!("file={}", property(file)));
        properties.push(format!("line={}", region.start.line));
        if let Some(end) = region.end {
            properties.push(format!("endLine={}", end.line));
            properties.push(format!("col={}", region.start.column));
            // Columns are shown only where both are on one line.
            if end.line == region.start.line {
                properties.push(format!("endColumn={}", end.column));
            }
        }
    }
    properties.push(format!("title={}", property(title)));
    writeln!(out, "::{level} {}::{}", properties.join(","), data(text))
}

/// What stands after the second `::`.
fn data(text: &str) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    // What is left could drive the terminal that the log is read in.
    text.replace(char::is_control, "\u{FFFD}")
}

/// The value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
