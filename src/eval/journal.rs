//! Predictions on disk as they are made, so that a run that was stopped goes on where it stood.
//!
//! While the run lasts, `FILE.part` holds one line that says what it belongs to (set, models, settings, program), then a
//! prediction a line in the order in which they were done. When the run is over, `FILE` holds the predictions in the
//! set's order and `FILE.part` is gone. A part of another run is started anew, and a line cut off by a crash is dropped.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::{EvalError, PairRow, Prediction};

/// Bytes of a prediction's line, at most.
const MOST_OF_A_LINE: u64 = 64 << 20;

/// An open journal.
pub struct Journal {
    path: PathBuf,
    known: HashMap<usize, Prediction>,
    part: Mutex<BufWriter<File>>,
}

impl Journal {
    /// Opens the journal of `path`, whose run is told from others by `fingerprint`.
    ///
    /// # Errors
    /// [`EvalError::Io`] when the file cannot be read or written, [`EvalError::WouldOverwrite`] when it holds anything but
    /// predictions.
    pub fn open(path: &Path, fingerprint: &str) -> Result<Self, EvalError> {
        if !may_replace(path)? {
            return Err(EvalError::WouldOverwrite { path: path.display().to_string() });
        }
        let part = part_of(path);
        let io = |doing: &'static str| {
            let path = part.display().to_string();
            move |source| EvalError::Io { doing, path, source }
        };
        let header = serde_json::json!({ "evidex_eval_part": fingerprint }).to_string();
        let mut known = HashMap::new();
        match std::fs::read_to_string(&part) {
            Ok(text) => {
                let mut lines = text.lines();
                if lines.next() == Some(header.as_str()) {
                    let found = lines.filter_map(|line| serde_json::from_str::<Prediction>(line).ok());
                    known.extend(found.map(|prediction| (prediction.line, prediction)));
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(io("read")(error)),
        }
        // Written anew, so that a line that was cut off does not run into the next one.
        let file = OpenOptions::new().create(true).write(true).truncate(true).open(&part).map_err(io("write"))?;
        let mut writer = BufWriter::new(file);
        writeln!(writer, "{header}").map_err(io("write"))?;
        let mut kept: Vec<&Prediction> = known.values().collect();
        kept.sort_by_key(|prediction| prediction.line);
        for prediction in kept {
            writeln!(writer, "{}", json(prediction)).map_err(io("write"))?;
        }
        writer.flush().map_err(io("write"))?;
        Ok(Self { path: path.to_owned(), known, part: Mutex::new(writer) })
    }

    /// Rows that were done before.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether no row was done before.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// What was said of the row before.
    pub fn known(&self, row: &PairRow) -> Option<Prediction> {
        let known = self.known.get(&row.line)?;
        (known.id == row.id && known.gold == row.gold).then(|| known.clone())
    }

    /// Keeps a prediction.
    ///
    /// # Errors
    /// [`EvalError::Io`] when the disk is full or gone.
    pub fn write(&self, prediction: &Prediction) -> Result<(), EvalError> {
        let mut part = self.part.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(part, "{}", json(prediction)).and_then(|()| part.flush()).map_err(|source| EvalError::Io {
            doing: "write",
            path: part_of(&self.path).display().to_string(),
            source,
        })
    }

    /// Writes the predictions in their final order and takes the part away.
    ///
    /// # Errors
    /// [`EvalError::Io`].
    pub fn finish(self, predictions: &[Prediction]) -> Result<(), EvalError> {
        let io = |source| EvalError::Io { doing: "write", path: self.path.display().to_string(), source };
        let lines: String = predictions.iter().map(|prediction| json(prediction) + "\n").collect();
        std::fs::write(&self.path, lines).map_err(io)?;
        std::fs::remove_file(part_of(&self.path)).map_err(io)
    }
}

/// Whether nothing is lost when `path` is written anew: it is not there, is empty, is a device or begins with a prediction.
fn may_replace(path: &Path) -> Result<bool, EvalError> {
    let io = |source| EvalError::Io { doing: "read", path: path.display().to_string(), source };
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(io(error)),
    };
    if !file.metadata().map_err(io)?.is_file() {
        return Ok(true);
    }
    let mut first = Vec::new();
    BufReader::new(file).take(MOST_OF_A_LINE).read_until(b'\n', &mut first).map_err(io)?;
    Ok(first.is_empty() || serde_json::from_slice::<Prediction>(&first).is_ok())
}

fn part_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}

fn json(prediction: &Prediction) -> String {
    serde_json::to_string(prediction).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{PairEvaluator, parse_pairs};

    #[test]
    fn a_stopped_run_goes_on_where_it_stood_and_another_run_starts_anew() {
        let text = r#"{"id": "a", "context": "It is 5 m long.", "claim": "It is 5 m long.", "label": "supported"}
{"id": "b", "context": "It is 5 m long.", "claim": "It is 6 m long.", "label": "contradicted"}"#;
        let rows = parse_pairs("x", text).rows;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.jsonl");
        let evaluator = PairEvaluator::default();
        let first = evaluator.predict(&rows[0]).unwrap();

        let journal = Journal::open(&path, "one").unwrap();
        journal.write(&first).unwrap();
        drop(journal);
        let part = folder.path().join("out.jsonl.part");
        let mut cut = std::fs::read_to_string(&part).unwrap();
        cut.push_str(r#"{"id": "b", "li"#);
        std::fs::write(&part, cut).unwrap();

        let journal = Journal::open(&path, "one").unwrap();
        assert_eq!((journal.len(), journal.known(&rows[0]).unwrap()), (1, first));
        let run = evaluator.run(&rows, Some(&journal)).unwrap();
        assert_eq!((run.predictions.len(), run.verified), (2, 1));
        journal.finish(&run.predictions).unwrap();
        assert!(!part.exists());
        Journal::open(&path, "two").unwrap();
        let lines: Vec<Prediction> =
            std::fs::read_to_string(&path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines, run.predictions);

        let journal = Journal::open(&path, "one").unwrap();
        journal.write(&lines[0]).unwrap();
        drop(journal);
        assert!(Journal::open(&path, "two").unwrap().is_empty());
    }

    #[test]
    fn another_file_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        std::fs::write(&path, "precious\n").unwrap();
        assert!(matches!(Journal::open(&path, "one"), Err(EvalError::WouldOverwrite { .. })));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "precious\n");
        std::fs::write(&path, "").unwrap();
        assert!(Journal::open(&path, "one").is_ok());
    }
}
