//! The run: threads take lines in turn, and what comes of them is written in the order of the input.

use std::collections::BTreeMap;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use evidex::Cancellation;
use evidex::judge::{self, Detector};
use evidex::report::ci::{Gate, row_name};
use evidex::report::{DetectionReport, Report};

use super::input::{Input, Taken};
use super::record::{Record, RowError, digest};
use super::row;
use super::summary::Summary;
use crate::engine::Engine;
use crate::exit::Failure;
use crate::printer::InputBar;

/// Lines in work or waiting to be written, for each thread.
const WINDOW: u64 = 8;
/// Bytes of lines in work or waiting to be written, beyond which no further line is taken.
const WINDOW_BYTES: usize = 64 << 20;

/// What is to be done.
pub struct Job<'a> {
    /// Evidence and models.
    pub engine: &'a Engine,
    /// Several methods, where they are named.
    pub detector: Option<&'a Detector>,
    /// Whether reports show what was looked at.
    pub explain: bool,
    /// Whether the first line that cannot be checked ends the run.
    pub fail_fast: bool,
    /// Threads.
    pub threads: usize,
    /// Turned by the caller to stop.
    pub cancellation: Cancellation,
    /// Told as lines are done.
    pub bar: &'a InputBar,
    /// The output's name, for messages.
    pub output_name: &'a str,
}

/// How a run ended.
pub struct Ended {
    /// The counts, earlier lines included.
    pub summary: Summary,
    /// Why it ended before its input did.
    pub stopped: Option<Failure>,
}

/// What is taken in, by one thread at a time.
struct Feed {
    input: Input,
    sequence: u64,
    ended: bool,
}

/// What is given out, by one thread at a time.
struct Sink<'a> {
    output: &'a mut (dyn Write + Send),
    gate: &'a mut Gate,
    summary: Summary,
    /// Lines done that wait for one before them, with the length of their input and its place.
    waiting: BTreeMap<u64, (Record, usize, u64)>,
    next: u64,
    bytes: usize,
    stopped: Option<Failure>,
}

struct Shared<'a> {
    job: &'a Job<'a>,
    feed: Mutex<Feed>,
    sink: Mutex<Sink<'a>>,
    written: Condvar,
    stop: AtomicBool,
}

/// Checks every line that is left in `input` and writes what comes of it to `output`, in order. `summary` has the
/// lines of earlier runs.
pub fn run(job: &Job<'_>, input: Input, output: &mut (dyn Write + Send), gate: &mut Gate, summary: Summary) -> Ended {
    let shared = Shared {
        job,
        feed: Mutex::new(Feed { input, sequence: 0, ended: false }),
        sink: Mutex::new(Sink { output, gate, summary, waiting: BTreeMap::new(), next: 0, bytes: 0, stopped: None }),
        written: Condvar::new(),
        stop: AtomicBool::new(false),
    };
    std::thread::scope(|scope| {
        for _ in 1..job.threads {
            scope.spawn(|| work(&shared));
        }
        work(&shared);
    });
    let sink = shared.sink.into_inner().unwrap_or_else(PoisonError::into_inner);
    let stopped = sink.stopped.or_else(|| {
        job.cancellation.is_cancelled().then(|| {
            let message = format!("stopped after {} rows", sink.summary.rows);
            Failure::new("cancelled", message).hint("run the same command with --resume to go on")
        })
    });
    Ended { summary: sink.summary, stopped }
}

fn work(shared: &Shared<'_>) {
    while let Some((sequence, taken)) = take(shared) {
        let length = taken.text.as_ref().map_or(0, String::len);
        let position = taken.position;
        let Some(record) = check(taken, shared.job) else {
            shared.stop();
            return;
        };
        give(shared, sequence, record, length, position);
    }
}

impl<'a> Shared<'a> {
    fn stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
        let _sink = self.sink();
        self.written.notify_all();
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst) || self.job.cancellation.is_cancelled()
    }

    fn sink(&self) -> MutexGuard<'_, Sink<'a>> {
        self.sink.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The next line, once there is room for it.
fn take(shared: &Shared<'_>) -> Option<(u64, Taken)> {
    let mut feed = shared.feed.lock().unwrap_or_else(PoisonError::into_inner);
    if feed.ended {
        return None;
    }
    // Whoever is to write the next line is at work on it and needs no further line for that.
    let mut sink = shared.sink();
    while !shared.is_stopped()
        && (feed.sequence >= sink.next + WINDOW * shared.job.threads as u64
            || (sink.bytes > WINDOW_BYTES && feed.sequence > sink.next))
    {
        sink = shared.written.wait(sink).unwrap_or_else(PoisonError::into_inner);
    }
    drop(sink);
    if shared.is_stopped() {
        return None;
    }
    match feed.input.next_line() {
        Ok(Some(taken)) => {
            let sequence = feed.sequence;
            feed.sequence += 1;
            shared.sink().bytes += taken.text.as_ref().map_or(0, String::len);
            Some((sequence, taken))
        }
        Ok(None) => {
            feed.ended = true;
            None
        }
        Err(problem) => {
            feed.ended = true;
            drop(feed);
            // What was read before is still written.
            shared.sink().stopped.get_or_insert_with(|| problem.into());
            None
        }
    }
}

/// What comes of a line; `None` if the caller stopped the work on it.
fn check(taken: Taken, job: &Job<'_>) -> Option<Record> {
    let text = taken.text.as_deref().unwrap_or_default();
    let mut record = Record {
        line: taken.number,
        id: None,
        input_digest: digest(text),
        warnings: taken.warning.into_iter().collect(),
        report: None,
        detection: None,
        error: None,
    };
    let row = match &taken.text {
        Err(problem) => Err(RowError::new(problem.code(), problem.cause.to_string())),
        Ok(text) => {
            let (id, row) = row::parse(text);
            record.id = id;
            row
        }
    };
    let outcome = row.and_then(|row| {
        if row.documents.is_empty() && !job.engine.has_sources() && job.detector.is_none() {
            let message = "the line gives no evidence: neither `context` nor `documents` holds any text";
            return Err(RowError::new("no_evidence", message));
        }
        verify(row, job)
    });
    match outcome {
        Ok(Checked::Report(report)) => record.report = Some(report),
        Ok(Checked::Detection(detection)) => {
            record.report = Some(Box::new(detection.report));
            record.detection = Some(Box::new(detection.detection));
        }
        Err(error) if error.code == "cancelled" => return None,
        Err(error) => record.error = Some(error),
    }
    Some(record)
}

/// What a text came to: by the checks, or by several methods.
enum Checked {
    Report(Box<Report>),
    Detection(Box<DetectionReport>),
}

fn verify(row: row::Row, job: &Job<'_>) -> Result<Checked, RowError> {
    let row::Row { response, prompt, documents } = row;
    // A defect that one text brings to light costs that line, not the others.
    let verified = catch_unwind(AssertUnwindSafe(|| -> Result<Checked, evidex::Error> {
        if let Some(detector) = job.detector {
            let sources = job.engine.sources(documents)?;
            let input = judge::Input { answer: &response, prompt: prompt.as_deref(), sources: &sources };
            let report = DetectionReport::new(&detector.detect(input)?, None, job.explain);
            return Ok(Checked::Detection(Box::new(report)));
        }
        let verification = job.engine.verify(&response, prompt.as_deref(), documents)?;
        Ok(Checked::Report(Box::new(Report::new(&verification, None, job.explain))))
    }));
    match verified {
        Ok(Ok(checked)) => Ok(checked),
        Ok(Err(error)) => {
            let failure = Failure::from(error);
            Err(RowError { code: failure.code, message: failure.message })
        }
        Err(_) => Err(RowError::new("internal", "evidex failed on this text; please report it")),
    }
}

/// Puts a record in its place and writes all that are next.
fn give(shared: &Shared<'_>, sequence: u64, record: Record, length: usize, position: u64) {
    let mut sink = shared.sink();
    let sink = &mut *sink;
    sink.waiting.insert(sequence, (record, length, position));
    while let Some((record, length, position)) = sink.waiting.remove(&sink.next) {
        if shared.stop.load(Ordering::SeqCst) {
            break;
        }
        if let (Some(error), true) = (&record.error, shared.job.fail_fast) {
            // Not written, so that the line can be mended and the run resumed.
            let message = format!("line {}: {}; stopped by --fail-fast", record.line, error.message);
            let failure = Failure::new(&error.code, message).hint("mend the line and go on with --resume");
            sink.stopped.get_or_insert(failure);
            shared.stop.store(true, Ordering::SeqCst);
            break;
        }
        if let Err(error) = sink.output.write_all(&record.to_line()).and_then(|()| sink.output.flush()) {
            shared.stop.store(true, Ordering::SeqCst);
            // A reader that went away has read enough.
            if error.kind() != std::io::ErrorKind::BrokenPipe {
                let failure = Failure::new("output", format!("cannot write {}: {error}", shared.job.output_name))
                    .hint("make room and go on with --resume");
                sink.stopped.get_or_insert(failure);
            }
            break;
        }
        let row = row_name(record.id.as_ref());
        let standings = record.report.as_ref().map(|report| sink.gate.stand(row.as_deref(), report));
        sink.summary.add(&record, &standings.unwrap_or_default());
        sink.next += 1;
        sink.bytes -= length;
        shared.job.bar.at(position, sink.summary.rows - sink.summary.resumed);
    }
    shared.written.notify_all();
}
