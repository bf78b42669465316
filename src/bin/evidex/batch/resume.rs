//! Going on after a stop: what the earlier run wrote is read beside the input, and the input stands where it stopped.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::Path;

use super::input::Input;
use super::record::{Record, START, digest};
use crate::exit::Failure;

/// Reads the lines of `output` and takes as many from `input`, whose they must be; `each` is told of every record. A
/// last line that was cut off is taken away, and the file stands at its end.
///
/// # Errors
/// When the output is not that of a batch, is damaged in its middle, or belongs to another input.
pub fn resume(output: &mut File, path: &Path, input: &mut Input, mut each: impl FnMut(&Record)) -> Result<(), Failure> {
    let cannot = |error: std::io::Error| Failure::new("output", format!("cannot go on in {}: {error}", path.display()));
    let mut whole = 0;
    let mut lines = 0;
    let mut line = Vec::new();
    {
        let mut reader = BufReader::new(&mut *output);
        loop {
            line.clear();
            if reader.read_until(b'\n', &mut line).map_err(cannot)? == 0 {
                break;
            }
            lines += 1;
            let record = if line.ends_with(b"\n") { serde_json::from_slice::<Record>(&line).ok() } else { None };
            let Some(record) = record else {
                let last = reader.fill_buf().map_err(cannot)?.is_empty();
                if last && was_cut_off(&line) {
                    break;
                }
                return Err(not_ours(path, lines));
            };
            same_line(&record, input, path)?;
            each(&record);
            whole += line.len() as u64;
        }
    }
    output.set_len(whole).map_err(cannot)?;
    output.seek(SeekFrom::Start(whole)).map_err(cannot)?;
    Ok(())
}

/// Whether bytes at the end of a file may be the start of one of our lines, or the zeros that a lost power leaves.
fn was_cut_off(line: &[u8]) -> bool {
    line.starts_with(START) || START.starts_with(line) || line.iter().all(|byte| matches!(byte, 0 | b'\n'))
}

fn not_ours(path: &Path, line: u64) -> Failure {
    Failure::new("output_not_ours", format!("{}, line {line}: not a line that `evidex batch` wrote", path.display()))
        .hint("name another output, or replace this one with --overwrite")
}

fn same_line(record: &Record, input: &mut Input, path: &Path) -> Result<(), Failure> {
    let taken = input.next_line()?;
    let same = taken.as_ref().is_some_and(|taken| {
        taken.number == record.line && digest(taken.text.as_deref().unwrap_or_default()) == record.input_digest
    });
    if same {
        return Ok(());
    }
    let message = format!("line {} of the input is not the one that {} was made from", record.line, path.display());
    Err(Failure::new("input_changed", message).hint("start anew with --overwrite, or into another output"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_may_be_ours_is_taken_away() {
        for cut in [&b"{\"li"[..], b"{\"line\":12,\"id\"", b"\0\0\0\0", b"\0\0\n", b"{\"line\":12,\0\0\0\n"] {
            assert!(was_cut_off(cut));
        }
        for other in [&b"my notes"[..], b"{\"text\": 1", b"x\0"] {
            assert!(!was_cut_off(other));
        }
    }
}
