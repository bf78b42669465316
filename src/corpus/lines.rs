//! The lines of an input, decompressed and decoded one at a time: for formats that hold one record a line.
//!
//! In: a path or standard input. Out: each line that is not blank, with its number. Memory is bounded by the longest
//! line allowed; what cannot be read is a [`ReadProblem`] that names the line.

use std::io::{self, BufRead};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::decode::RecordDecoder;
use super::find::shown;
use super::open::{Records, open_file, open_stdin};
use super::options::ReadOptions;
use super::problem::{CorpusError, ReadProblem};

/// A line that is not blank.
#[derive(Debug)]
pub struct Line {
    /// Its number in the input, from 1, blank lines counted.
    pub number: u64,
    /// Its text, without its end and without white space around it.
    pub text: String,
    /// What deserves a word about its encoding.
    pub warning: Option<CorpusError>,
}

/// The lines of an input that are not blank.
///
/// After a line that is too long the next one is read; after an error of the input itself the iterator ends.
pub struct Lines {
    records: Records,
    path: String,
    limit: u64,
    line: Vec<u8>,
    number: u64,
    decoder: RecordDecoder,
    finished: bool,
    size: Option<u64>,
    taken: Arc<AtomicU64>,
}

/// Opens `path` (`-` for standard input), plain or inside gzip or zstd, to be read line by line.
///
/// ```
/// use evidex::corpus::{ReadOptions, read_lines};
///
/// let file = tempfile::NamedTempFile::new()?;
/// std::fs::write(file.path(), "one\n\n two \n")?;
/// let lines: Vec<_> = read_lines(file.path(), &ReadOptions::default())?.flatten().collect();
/// assert_eq!((lines[1].number, lines[1].text.as_str()), (3, "two"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the input cannot be opened or is not text.
pub fn read_lines(path: &Path, options: &ReadOptions) -> Result<Lines, ReadProblem> {
    let name = shown(path);
    let problem = |cause| ReadProblem::new(&name, cause);
    let opened = if path.as_os_str() == "-" { open_stdin() } else { open_file(path) }.map_err(problem)?;
    let named = options.named_encoding().map_err(problem)?;
    let (size, taken) = (opened.stored_size, Arc::clone(&opened.taken));
    let records = opened.into_records(named).map_err(problem)?;
    Ok(Lines { size, taken, ..Lines::new(records, name, options.max_document_bytes) })
}

impl Lines {
    pub(super) fn new(records: Records, path: String, limit: u64) -> Self {
        Self {
            records,
            path,
            limit,
            line: Vec::new(),
            number: 0,
            decoder: RecordDecoder::default(),
            finished: false,
            size: None,
            taken: Arc::default(),
        }
    }

    /// The number of the line that was read last, whatever came of it.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Bytes of the input as it is stored, compressed or not; `None` for a stream.
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// Bytes taken from the input as it is stored; a little more than the lines given out.
    pub fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    fn problem(&self, cause: CorpusError) -> ReadProblem {
        ReadProblem::at(&self.path, format!("line {}", self.number), cause)
    }
}

impl Iterator for Lines {
    type Item = Result<Line, ReadProblem>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.finished {
            self.number += 1;
            match read_line(&mut self.records.reader, &mut self.line, self.limit) {
                Err(error) => {
                    self.finished = true;
                    return Some(Err(self.problem(CorpusError::from_io(error))));
                }
                Ok(LineRead::End) => {
                    self.finished = true;
                    if let Some(cause) = self.records.damage() {
                        return Some(Err(ReadProblem::new(&self.path, cause)));
                    }
                }
                Ok(LineRead::TooLong) => return Some(Err(self.problem(CorpusError::TooLarge { limit: self.limit }))),
                Ok(LineRead::Line) => {
                    if self.line.trim_ascii().is_empty() {
                        continue;
                    }
                    let ahead =
                        if self.line.is_ascii() { &[] } else { self.records.reader.fill_buf().unwrap_or_default() };
                    let (text, warning) = self.decoder.decode(self.line.trim_ascii(), ahead);
                    // The longest line does not stay in memory.
                    if self.line.capacity() > 1 << 20 {
                        self.line = Vec::new();
                    }
                    return Some(Ok(Line { number: self.number, text, warning }));
                }
            }
        }
        None
    }
}

/// What a line was.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum LineRead {
    /// The stream's end.
    End,
    /// A line, without its end.
    Line,
    /// A line longer than the limit; it was passed over.
    TooLong,
}

/// Reads a line into `line`, never holding more than `limit` bytes.
pub(super) fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>, limit: u64) -> io::Result<LineRead> {
    line.clear();
    let mut length = 0u64;
    loop {
        let buffer = match reader.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if buffer.is_empty() {
            break;
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        length += part.len() as u64;
        if length <= limit {
            line.extend_from_slice(part);
        } else {
            // Nothing of it is kept.
            *line = Vec::new();
        }
        let used = part.len() + usize::from(end.is_some());
        reader.consume(used);
        if end.is_some() {
            return Ok(if length > limit { LineRead::TooLong } else { LineRead::Line });
        }
    }
    Ok(match length {
        0 => LineRead::End,
        _ if length > limit => LineRead::TooLong,
        _ => LineRead::Line,
    })
}
