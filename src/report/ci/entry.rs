//! What the renderers are given: an answer, where it stands and what came of it.

use std::io::{self, Write};

use super::gate::Standing;
use super::position::{LineColumn, LineIndex};
use crate::report::text::{place, words};
use crate::report::{ClaimReport, EvidenceReport, Report};

/// Where an answer stands.
#[derive(Debug)]
pub enum AnswerPlace<'a> {
    /// It is the whole text of a file.
    Text(LineIndex<'a>),
    /// It is one line of a file.
    Line(u64),
}

/// What came of an answer.
#[derive(Debug)]
pub enum Outcome<'a> {
    /// It was verified: the report, and how each of its claims stands.
    Report(&'a Report, &'a [Standing]),
    /// It was not: a code, and what was the matter.
    Error(&'a str, &'a str),
}

/// An answer of a run.
#[derive(Debug)]
pub struct Entry<'a> {
    /// What it is called: its file, or its row.
    pub name: &'a str,
    /// The name that tells its findings from those of other answers, where it has one.
    pub row: Option<&'a str>,
    /// The file that it stands in; `None` where there is none.
    pub file: Option<&'a str>,
    /// Where it stands in that file.
    pub place: AnswerPlace<'a>,
    /// What came of it.
    pub outcome: Outcome<'a>,
}

/// Writes answers, one after the other, as a CI system reads them.
pub trait CiRenderer {
    /// What comes before the first answer.
    ///
    /// # Errors
    /// When it cannot be written.
    fn start(&mut self, out: &mut dyn Write) -> io::Result<()>;

    /// One answer.
    ///
    /// # Errors
    /// When it cannot be written.
    fn entry(&mut self, entry: &Entry<'_>, out: &mut dyn Write) -> io::Result<()>;

    /// What comes after the last answer.
    ///
    /// # Errors
    /// When it cannot be written.
    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()>;
}

/// From where to where something stands; the end is one past the last column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Region {
    pub(super) start: LineColumn,
    /// `None` where only the line is known.
    pub(super) end: Option<LineColumn>,
}

impl Entry<'_> {
    pub(super) fn region(&self, claim: &ClaimReport) -> Region {
        match &self.place {
            AnswerPlace::Text(index) => {
                Region { start: index.place(claim.span.start), end: Some(index.place(claim.span.end)) }
            }
            AnswerPlace::Line(_) => self.whole(),
        }
    }

    /// The answer as a whole.
    pub(super) fn whole(&self) -> Region {
        let line = match self.place {
            AnswerPlace::Text(_) => 1,
            AnswerPlace::Line(line) => usize::try_from(line).unwrap_or(usize::MAX),
        };
        Region { start: LineColumn { line, column: 1 }, end: None }
    }

    /// The claims with something to say about them, with how each stands.
    pub(super) fn findings(&self) -> impl Iterator<Item = (&ClaimReport, Standing)> {
        let (claims, standings) = match self.outcome {
            Outcome::Report(report, standings) => (report.claims.as_slice(), standings),
            Outcome::Error(..) => (&[][..], &[][..]),
        };
        claims.iter().zip(standings.iter().copied()).filter(|(_, standing)| *standing != Standing::Passes)
    }
}

/// Characters of a claim or a quote that are shown in a message.
const SHOWN: usize = 600;

/// "contradicted: …", what was claimed and the first quote.
pub(super) fn message(claim: &ClaimReport) -> String {
    let mut message = format!("{}: {} ({})", words(claim.label), shown(&claim.text), shown(&claim.reason));
    if let Some(evidence) = claim.evidence.first() {
        message.push_str(&format!("\n{}", quoted(evidence)));
    }
    message
}

/// A quote and where it stands.
pub(super) fn quoted(evidence: &EvidenceReport) -> String {
    format!("{}: “{}”", place(evidence), shown(&evidence.quote))
}

/// On one line, and not longer than a message should be.
pub(super) fn shown(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
