//! The lines of the input, as the rows that they are to become.

use std::path::Path;

use evidex::corpus::{CorpusError, Lines, ReadOptions, ReadProblem, Severity, read_lines};

use crate::printer;

/// Bytes that one line may have: several are in memory at a time.
const LONGEST_LINE: u64 = 64 << 20;

/// A line of the input.
pub struct Taken {
    /// Its number, from 1.
    pub number: u64,
    /// Its text, or why it has none.
    pub text: Result<String, ReadProblem>,
    /// What deserves a word about its encoding.
    pub warning: Option<String>,
    /// Bytes of the input, as it is stored, that had been taken when it was read.
    pub position: u64,
}

/// The input, read line by line.
pub struct Input {
    lines: Lines,
}

impl Input {
    /// Opens the input (`-` for standard input).
    ///
    /// # Errors
    /// When it cannot be opened or is no text.
    pub fn open(path: &Path) -> Result<Self, ReadProblem> {
        let options = ReadOptions { max_document_bytes: LONGEST_LINE, ..ReadOptions::default() };
        Ok(Self { lines: read_lines(path, &options)? })
    }

    /// Bytes of the input as it is stored; `None` for a stream.
    pub fn size(&self) -> Option<u64> {
        self.lines.size()
    }

    /// The next line that is not blank.
    ///
    /// # Errors
    /// When the input cannot be read any further.
    pub fn next_line(&mut self) -> Result<Option<Taken>, ReadProblem> {
        loop {
            let Some(line) = self.lines.next() else { return Ok(None) };
            let position = self.lines.taken();
            match line {
                Ok(line) => {
                    let warning = line.warning.map(|warning| warning.to_string());
                    return Ok(Some(Taken { number: line.number, text: Ok(line.text), warning, position }));
                }
                Err(problem) if matches!(problem.cause, CorpusError::TooLarge { .. }) => {
                    let number = self.lines.number();
                    return Ok(Some(Taken { number, text: Err(problem), warning: None, position }));
                }
                Err(problem) if problem.severity() == Severity::Warning => printer::warning(&problem.to_string()),
                Err(problem) => return Err(problem),
            }
        }
    }
}
