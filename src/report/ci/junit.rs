//! JUnit XML: a test suite for each answer, a test case for each claim.
//!
//! What fails the run is a `failure`, an answer that could not be verified an `error`, and what was not checked is
//! `skipped`. Findings that do not fail stand in the `system-out` of their case.

use std::io::{self, Write};

use super::entry::{CiRenderer, Entry, Outcome, message, quoted, shown};
use super::gate::Standing;
use crate::report::{ClaimReport, Report};
use crate::verify::Label;

/// Writes JUnit XML.
#[derive(Debug, Default)]
pub struct Junit;

impl CiRenderer for Junit {
    fn start(&mut self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"evidex\">")
    }

    fn entry(&mut self, entry: &Entry<'_>, out: &mut dyn Write) -> io::Result<()> {
        match entry.outcome {
            Outcome::Report(report, standings) => suite(entry, report, standings, out),
            Outcome::Error(code, reason) => {
                let name = escaped(entry.name);
                writeln!(
                    out,
                    "  <testsuite name=\"{name}\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"0\">"
                )?;
                writeln!(out, "    <testcase name=\"{name}\" classname=\"{name}\" time=\"0\"{}>", place(entry, None))?;
                writeln!(out, "      <error type=\"{}\" message=\"{}\"/>", escaped(code), escaped(reason))?;
                writeln!(out, "    </testcase>\n  </testsuite>")
            }
        }
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "</testsuites>")
    }
}

fn suite(entry: &Entry<'_>, report: &Report, standings: &[Standing], out: &mut dyn Write) -> io::Result<()> {
    let cases: Vec<(&ClaimReport, Standing)> = report.claims.iter().zip(standings.iter().copied()).collect();
    let failures = standings.iter().filter(|standing| **standing == Standing::Fails).count();
    let skipped = cases.iter().filter(|case| is_skipped(case)).count();
    let name = escaped(entry.name);
    writeln!(
        out,
        "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\" time=\"{:.3}\">",
        cases.len(),
        report.timings.total_ms / 1e3,
    )?;
    for case in &cases {
        let (claim, standing) = *case;
        let position = place(entry, Some(claim));
        write!(
            out,
            "    <testcase name=\"{}\" classname=\"{name}\" time=\"0\"{position}",
            escaped(&shown(&claim.text))
        )?;
        let label = claim.label.as_str();
        match standing {
            Standing::Fails => writeln!(
                out,
                ">\n      <failure type=\"{label}\" message=\"{}\">{}</failure>\n    </testcase>",
                escaped(&shown(&claim.reason)),
                escaped(&body(entry, claim)),
            )?,
            _ if is_skipped(case) => {
                writeln!(out, ">\n      <skipped message=\"{}\"/>\n    </testcase>", escaped(&shown(&claim.reason)))?
            }
            Standing::Warns | Standing::Known | Standing::Unchecked => {
                writeln!(out, ">\n      <system-out>{}</system-out>\n    </testcase>", escaped(&body(entry, claim)))?
            }
            Standing::Passes => writeln!(out, "/>")?,
        }
    }
    writeln!(out, "  </testsuite>")
}

fn is_skipped(case: &(&ClaimReport, Standing)) -> bool {
    case.0.label == Label::NotChecked && case.1 != Standing::Fails
}

fn place(entry: &Entry<'_>, claim: Option<&ClaimReport>) -> String {
    let Some(file) = entry.file else { return String::new() };
    let region = claim.map_or_else(|| entry.whole(), |claim| entry.region(claim));
    format!(" file=\"{}\" line=\"{}\"", escaped(file), region.start.line)
}

fn body(entry: &Entry<'_>, claim: &ClaimReport) -> String {
    let mut body = String::new();
    if let Some(file) = entry.file {
        let region = entry.region(claim);
        body.push_str(&match region.end {
            Some(_) => format!("{file}:{}:{}\n", region.start.line, region.start.column),
            None => format!("{file}:{}\n", region.start.line),
        });
    }
    body.push_str(&message(claim));
    for evidence in claim.evidence.iter().skip(1) {
        body.push_str(&format!("\n{}", quoted(evidence)));
    }
    body
}

/// For text and attributes alike; characters that XML 1.0 cannot hold become U+FFFD.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            '\n' => escaped.push_str("&#10;"),
            '\r' => escaped.push_str("&#13;"),
            '\t' => escaped.push_str("&#9;"),
            c if c < ' ' || matches!(c, '\u{FFFE}' | '\u{FFFF}') => escaped.push('\u{FFFD}'),
            c => escaped.push(c),
        }
    }
    escaped
}
