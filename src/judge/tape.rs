//! A recording of a run: what was asked, what was replied, how long all of it took. Replaying it needs no network, and
//! gives the report of the recorded run byte for byte.
//!
//! A folder with one file, `tape.jsonl`: a line for each call, each time that was measured, and the day.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::JudgeError;
use super::ask::{Ask, Asked};

const FILE: &str = "tape.jsonl";
const VERSION: u32 = 1;

/// Whether a run is recorded or replayed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum TapeMode {
    /// Neither.
    #[default]
    Off,
    /// Recorded into this folder, which must not hold a recording yet.
    Record(PathBuf),
    /// Replayed from this folder.
    Replay(PathBuf),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Tape { version: u32 },
    Day { day: String },
    Time { key: String, time: Duration },
    Call { key: String, model: String, ask: Box<Ask>, asked: Box<Asked> },
}

#[derive(Debug, Default)]
struct Book {
    calls: HashMap<String, Asked>,
    times: HashMap<String, Duration>,
    day: Option<String>,
    missed: Option<JudgeError>,
}

/// A recording that is being made, one that is replayed, or none.
#[derive(Debug)]
pub(super) struct Tape {
    folder: PathBuf,
    replaying: bool,
    file: Option<Mutex<File>>,
    book: Mutex<Book>,
}

impl Tape {
    pub(super) fn open(mode: &TapeMode) -> Result<Option<Self>, JudgeError> {
        match mode {
            TapeMode::Off => Ok(None),
            TapeMode::Record(folder) => Self::record(folder).map(Some),
            TapeMode::Replay(folder) => Self::replay(folder).map(Some),
        }
    }

    fn record(folder: &Path) -> Result<Self, JudgeError> {
        let path = folder.join(FILE);
        let failed = |error: std::io::Error| file_error(&path, &error.to_string());
        std::fs::create_dir_all(folder).map_err(failed)?;
        let mut options = OpenOptions::new();
        options.append(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path).map_err(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => {
                file_error(&path, "it is there already; record into a new folder, or replay this one")
            }
            _ => failed(error),
        })?;
        let tape =
            Self { folder: folder.to_owned(), replaying: false, file: Some(Mutex::new(file)), book: Mutex::default() };
        tape.write(&Line::Tape { version: VERSION })?;
        Ok(tape)
    }

    fn replay(folder: &Path) -> Result<Self, JudgeError> {
        let path = folder.join(FILE);
        let text = std::fs::read_to_string(&path).map_err(|error| file_error(&path, &error.to_string()))?;
        let mut book = Book::default();
        let lines = text.lines().count();
        for (at, line) in text.lines().enumerate() {
            let line: Line = match serde_json::from_str(line) {
                Ok(line) => line,
                // The last line of a run that was killed may be half a line.
                Err(_) if at + 1 == lines && at > 0 && !text.ends_with('\n') => break,
                Err(error) => {
                    return Err(file_error(&path, &format!("line {} is no line of a recording: {error}", at + 1)));
                }
            };
            match line {
                Line::Tape { version: VERSION } => {}
                Line::Tape { version } => {
                    return Err(file_error(&path, &format!("it is of version {version}; this evidex reads {VERSION}")));
                }
                Line::Day { day } => book.day = Some(day),
                Line::Time { key, time } => {
                    book.times.insert(key, time);
                }
                Line::Call { key, asked, .. } => {
                    book.calls.insert(key, *asked);
                }
            }
        }
        Ok(Self { folder: folder.to_owned(), replaying: true, file: None, book: Mutex::new(book) })
    }

    pub(super) const fn is_replaying(&self) -> bool {
        self.replaying
    }

    /// What was recorded for the call. When replaying, a call that is missing is an error, and the run is over.
    pub(super) fn call(&self, key: &str, ask: &Ask) -> Option<Asked> {
        let mut book = self.book.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(asked) = book.calls.get(key) {
            return Some(asked.clone());
        }
        if !self.replaying {
            return None;
        }
        let error = JudgeError::NotRecorded { folder: self.folder.display().to_string(), call: ask.prompt.clone() };
        book.missed.get_or_insert_with(|| error.clone());
        Some(Asked { outcome: Err(error), latency: Duration::ZERO, requests: 0, cached: false })
    }

    /// Keeps how the call went and gives what is on the tape: the first outcome, should two equal calls have met.
    pub(super) fn keep(&self, key: &str, model: &str, ask: &Ask, asked: Asked) -> Result<Asked, JudgeError> {
        let mut book = self.book.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(first) = book.calls.get(key) {
            return Ok(first.clone());
        }
        self.write(&Line::Call {
            key: key.to_owned(),
            model: model.to_owned(),
            ask: Box::new(ask.clone()),
            asked: Box::new(asked.clone()),
        })?;
        book.calls.insert(key.to_owned(), asked.clone());
        Ok(asked)
    }

    /// The time on the tape: the recorded one when replaying, else `measured`, which is then recorded.
    pub(super) fn time(&self, key: &str, measured: Duration) -> Result<Duration, JudgeError> {
        let mut book = self.book.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(time) = book.times.get(key) {
            return Ok(*time);
        }
        if self.replaying {
            let error = JudgeError::NotRecorded {
                folder: self.folder.display().to_string(),
                call: format!("time of {}", key.rsplit('/').next().unwrap_or(key)),
            };
            book.missed.get_or_insert_with(|| error.clone());
            return Err(error);
        }
        self.write(&Line::Time { key: key.to_owned(), time: measured })?;
        book.times.insert(key.to_owned(), measured);
        Ok(measured)
    }

    /// The day on the tape: the recorded one when replaying, else `today`, which is then recorded.
    pub(super) fn day(&self, today: &str) -> Result<String, JudgeError> {
        let mut book = self.book.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(day) = &book.day {
            return Ok(day.clone());
        }
        if !self.replaying {
            self.write(&Line::Day { day: today.to_owned() })?;
        }
        book.day = Some(today.to_owned());
        Ok(today.to_owned())
    }

    /// The first thing that a replay asked for in vain.
    pub(super) fn missed(&self) -> Option<JudgeError> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner).missed.clone()
    }

    fn write(&self, line: &Line) -> Result<(), JudgeError> {
        let Some(file) = &self.file else { return Ok(()) };
        let path = self.folder.join(FILE);
        let mut text = serde_json::to_vec(line).map_err(|error| file_error(&path, &error.to_string()))?;
        text.push(b'\n');
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&text).map_err(|error| file_error(&path, &error.to_string()))
    }
}

fn file_error(path: &Path, reason: &str) -> JudgeError {
    JudgeError::File { path: path.display().to_string(), reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::ask::Reply;

    fn asked(text: &str) -> Asked {
        let reply = Reply { text: text.to_owned(), ..Reply::default() };
        Asked { outcome: Ok(reply), latency: Duration::from_millis(7), requests: 1, cached: false }
    }

    #[test]
    fn a_replay_gives_replies_errors_times_and_the_day_of_the_recording() {
        let folder = tempfile::tempdir().unwrap();
        let ask = Ask::chat("judge/1", "s", "u", 10);
        let recording = Tape::open(&TapeMode::Record(folder.path().into())).unwrap().unwrap();
        assert_eq!(recording.call("a", &ask), None);
        recording.keep("a", "own:m", &ask, asked("yes")).unwrap();
        // The second outcome of an equal call gives way to the first.
        assert_eq!(recording.keep("a", "own:m", &ask, asked("no")).unwrap(), asked("yes"));
        let failed = Asked { outcome: Err(JudgeError::Budget { what: "x".into() }), ..asked("") };
        recording.keep("b", "own:m", &ask, failed.clone()).unwrap();
        recording.time("t", Duration::from_millis(3)).unwrap();
        recording.day("2026-12-01").unwrap();
        let replay = Tape::open(&TapeMode::Replay(folder.path().into())).unwrap().unwrap();
        assert_eq!(replay.call("a", &ask), Some(asked("yes")));
        assert_eq!(replay.call("b", &ask), Some(failed));
        assert_eq!(replay.time("t", Duration::from_secs(9)).unwrap(), Duration::from_millis(3));
        assert_eq!(replay.day("2030-01-01").unwrap(), "2026-12-01");
        assert_eq!(replay.missed(), None);
        assert!(matches!(replay.call("c", &ask).unwrap().outcome, Err(JudgeError::NotRecorded { .. })));
        assert!(replay.missed().is_some());
    }

    #[test]
    fn a_recording_is_not_written_over_and_a_damaged_one_is_named() {
        let folder = tempfile::tempdir().unwrap();
        drop(Tape::open(&TapeMode::Record(folder.path().into())).unwrap());
        let again = Tape::open(&TapeMode::Record(folder.path().into())).unwrap_err();
        assert!(again.to_string().contains("new folder"), "{again}");
        std::fs::write(folder.path().join(FILE), "{\"tape\":{\"version\":1}}\nnonsense\n").unwrap();
        let damaged = Tape::open(&TapeMode::Replay(folder.path().into())).unwrap_err();
        assert!(damaged.to_string().contains("line 2"), "{damaged}");
        std::fs::write(folder.path().join(FILE), "{\"tape\":{\"version\":1}}\n{\"time\":{\"ke").unwrap();
        assert!(Tape::open(&TapeMode::Replay(folder.path().into())).is_ok());
    }
}
