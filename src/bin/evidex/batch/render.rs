//! The output once more, as a CI system reads it.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, ErrorKind, Write};
use std::path::Path;

use evidex::report::ci::{AnswerPlace, CiRenderer, Entry, Gate, Outcome, row_name};

use super::record::Record;
use crate::exit::Failure;

/// Reads the records of `output` one by one and renders them to stdout; `input` is the file that they stand for.
///
/// # Errors
/// When the output cannot be read again, or stdout not be written.
pub fn render(
    renderer: &mut dyn CiRenderer,
    input: Option<&str>,
    output: &Path,
    mut gate: Gate,
) -> Result<(), Failure> {
    let cannot_read =
        |reason: String| Failure::new("output", format!("cannot read {} again: {reason}", output.display()));
    let reader = BufReader::new(File::open(output).map_err(|error| cannot_read(error.to_string()))?);
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut rendered = renderer.start(&mut out);
    for line in reader.split(b'\n') {
        let line = line.map_err(|error| cannot_read(error.to_string()))?;
        let record: Record = serde_json::from_slice(&line).map_err(|error| cannot_read(error.to_string()))?;
        let row = row_name(record.id.as_ref());
        let name = match &row {
            Some(row) => format!("line {} ({row})", record.line),
            None => format!("line {}", record.line),
        };
        let standings = record.report.as_ref().map(|report| gate.stand(row.as_deref(), report)).unwrap_or_default();
        let outcome = match (&record.report, &record.error) {
            (Some(report), _) => Outcome::Report(report, &standings),
            (None, Some(error)) => Outcome::Error(&error.code, &error.message),
            (None, None) => Outcome::Error("output", "the line has neither a report nor an error"),
        };
        let place = AnswerPlace::Line(record.line);
        let entry = Entry { name: &name, row: row.as_deref(), file: input, place, outcome };
        rendered = rendered.and_then(|()| renderer.entry(&entry, &mut out));
        if rendered.is_err() {
            break;
        }
    }
    match rendered.and_then(|()| renderer.finish(&mut out)).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::new("output", format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}
