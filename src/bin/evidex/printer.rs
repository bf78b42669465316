//! What is said on stderr, and when colour and progress show.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use evidex::text::steers_display;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::exit::Failure;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();

/// Sends the library's log to stderr: warnings always, more with `-v`.
pub fn start_log(verbose: u8) {
    let level = match verbose {
        0 => "error",
        1 => "info",
        2 => "debug",
        _ => "trace",
    };
    let filter = tracing_subscriber::EnvFilter::try_from_env("EVIDEX_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new(format!("off,evidex={level}")));
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .without_time()
        .try_init();
}

/// What could drive a terminal or turn its text around, made visible; line ends stay.
pub fn visible(text: &str) -> String {
    text.chars().map(|c| if steers_display(c) && c != '\n' { '\u{FFFD}' } else { c }).collect()
}

/// The same for text that holds our own escapes for colour, which stay.
pub fn visible_with_colour(text: &str) -> String {
    let own = |rest: &str| {
        rest.strip_prefix('[').is_some_and(|rest| {
            let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            digits.starts_with('m')
        })
    };
    let shown = |(at, c): (usize, char)| {
        let keeps = c == '\n' || c == '\x1b' && own(&text[at + 1..]);
        if steers_display(c) && !keeps { '\u{FFFD}' } else { c }
    };
    text.char_indices().map(shown).collect()
}

/// Says why the command could not run.
pub fn failure(failure: &Failure) {
    let mut stderr = anstream::stderr().lock();
    let _ = writeln!(stderr, "{ERROR}error{ERROR:#}[{}]: {}", failure.code, visible(&failure.message));
    if let Some(hint) = &failure.hint {
        let _ = writeln!(stderr, "{HINT}hint{HINT:#}: {}", visible(hint));
    }
}

/// Warns and goes on.
pub fn warning(message: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{WARNING}warning{WARNING:#}: {}", visible(message));
}

/// Says what is going on.
pub fn note(message: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{message}");
}

/// Writes `text` to stdout. A reader that went away (a closed pipe) is no error.
pub fn out(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::new("output", format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Stdout, written as it comes: for what may be longer than memory.
pub struct Stream {
    output: std::io::BufWriter<std::io::Stdout>,
    closed: bool,
}

impl Stream {
    /// Starts at what was printed before.
    pub fn new() -> Self {
        Self { output: std::io::BufWriter::with_capacity(1 << 16, std::io::stdout()), closed: false }
    }

    /// Writes `text`; false once the reader went away (a closed pipe), which is no error.
    pub fn write(&mut self, text: &str) -> Result<bool, Failure> {
        let written = if self.closed { Ok(()) } else { self.output.write_all(text.as_bytes()) };
        self.went(written)
    }

    /// Writes what is left.
    pub fn finish(mut self) -> Result<(), Failure> {
        let written = if self.closed { Ok(()) } else { self.output.flush() };
        self.went(written).map(|_| ())
    }

    fn went(&mut self, written: std::io::Result<()>) -> Result<bool, Failure> {
        match written {
            Ok(()) => Ok(!self.closed),
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(false)
            }
            Err(error) => Err(Failure::new("output", format!("cannot write to standard output: {error}"))),
        }
    }
}

/// A count of bytes as a reader takes it in.
pub fn bytes(count: u64) -> String {
    match count {
        0..10_000 => format!("{count} B"),
        10_000..10_000_000 => format!("{:.1} KB", count as f64 / 1e3),
        10_000_000..10_000_000_000 => format!("{:.1} MB", count as f64 / 1e6),
        _ => format!("{:.1} GB", count as f64 / 1e9),
    }
}

/// A count and what is counted: `1 document`, `12 documents`.
pub fn count(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// A result as JSON.
pub fn json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let page = serde_json::to_string_pretty(value)
        .map_err(|error| Failure::new("output", format!("cannot print the result: {error}")))?;
    out(&format!("{page}\n"))
}

/// Whether stdout takes colour: a terminal, and neither `NO_COLOR` nor `TERM=dumb` says otherwise.
pub fn colour() -> bool {
    !matches!(anstream::AutoStream::choice(&std::io::stdout()), anstream::ColorChoice::Never)
}

/// Columns of the terminal, 100 where there is none.
pub fn width() -> usize {
    let columns = console::Term::stdout().size_checked().map_or(100, |(_, columns)| usize::from(columns));
    columns.clamp(40, 120)
}

/// A bar that counts documents as they are read and, while chunks are embedded, chunks with the time left; hidden when
/// stderr is no terminal.
#[derive(Clone)]
pub struct Counter {
    bar: Arc<ProgressBar>,
    what: &'static str,
}

impl Counter {
    /// A counter of `what`.
    pub fn new(what: &'static str) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let style =
            ProgressStyle::with_template(&format!("{{spinner}} {{pos}} {what} in {{elapsed}} ({{per_sec}}) {{msg}}"));
        if let Ok(style) = style {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar: Arc::new(bar), what }
    }

    /// One more.
    pub fn add_one(&self) {
        self.bar.inc(1);
    }

    /// What is being done.
    pub fn say(&self, message: &str) {
        self.bar.set_message(message.to_owned());
    }

    /// Takes the bar away and runs `print`, so that lines do not mix.
    pub fn suspended(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    /// Takes the bar away for good.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Chunks that are embedded: `17 documents in 3s (5/s) embedding 640 of 2000 chunks, 85 a second, 16 s left`.
impl evidex::Progress for Counter {
    fn advance(&self, done: u64, total: Option<u64>) {
        let seconds = self.bar.elapsed().as_secs_f64().max(0.001);
        let rate = done as f64 / seconds;
        let left = match total {
            Some(total) if total > done => {
                format!(" of {total} chunks, {rate:.0} a second, {}", left(total - done, rate))
            }
            _ => format!(" chunks, {rate:.0} a second"),
        };
        self.bar.set_message(format!("embedding {done}{left}"));
    }
}

impl std::fmt::Debug for Counter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Counter").field(&self.what).finish()
    }
}

/// How long `count` more take at `rate` a second.
fn left(count: u64, rate: f64) -> String {
    match count as f64 / rate.max(0.001) {
        seconds if seconds < 100.0 => format!("{seconds:.0} s left"),
        seconds if seconds < 6_000.0 => format!("{:.0} min left", seconds / 60.0),
        seconds => format!("{:.1} h left", seconds / 3_600.0),
    }
}

/// A bar with an end; hidden when stderr is no terminal.
#[derive(Clone)]
pub struct Bar(Arc<ProgressBar>);

impl Bar {
    /// A bar for `what`.
    pub fn new(what: &str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}") {
            bar.set_style(style);
        }
        bar.set_message(visible(what));
        Self(Arc::new(bar))
    }

    /// Takes the bar away for good.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}

impl evidex::Progress for Bar {
    fn advance(&self, done: u64, total: Option<u64>) {
        if let Some(total) = total {
            self.0.set_length(total);
        }
        self.0.set_position(done);
    }
}

/// A bar that shows how far an input is read, how fast and how long it will take; hidden when stderr is no terminal.
pub struct InputBar {
    bar: ProgressBar,
    what: &'static str,
    begun: Instant,
}

impl InputBar {
    /// A bar over `size` bytes of input that counts `what`; without a size it only counts. Hidden too where the rows
    /// themselves go to a terminal.
    pub fn new(what: &'static str, size: Option<u64>, rows_on_stdout: bool) -> Self {
        let hidden = rows_on_stdout && std::io::stdout().is_terminal();
        let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(size, target);
        let template = match size {
            Some(_) => "{wide_bar} {percent}% {msg}, {eta} left",
            None => "{spinner} {msg} in {elapsed}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, what, begun: Instant::now() }
    }

    /// `count` are done, and with them the input up to byte `position`.
    pub fn at(&self, position: u64, count: u64) {
        if count == 1 {
            // What an earlier run did says nothing about this one's speed.
            self.bar.reset_eta();
        }
        let rate = count as f64 / self.begun.elapsed().as_secs_f64().max(1e-3);
        self.bar.set_position(position);
        self.bar.set_message(format!("{count} {} ({rate:.1}/s)", self.what));
    }

    /// Takes the bar away for good.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_time_left_is_told_in_the_unit_that_suits_it() {
        assert_eq!(super::left(85, 8.5), "10 s left");
        assert_eq!(super::left(85_000, 85.0), "17 min left");
        assert_eq!(super::left(1_000_000, 85.0), "3.3 h left");
    }

    #[test]
    fn nothing_that_is_printed_can_drive_the_terminal() {
        assert_eq!(super::visible("a\x1b[2J\u{9b}2J\nb"), "a\u{FFFD}[2J\u{FFFD}2J\nb");
        assert_eq!(super::visible("a\u{202e}b"), "a\u{FFFD}b");
        assert_eq!(super::visible_with_colour("\x1b[31ma\x1b[0m\x1b[2J"), "\x1b[31ma\x1b[0m\u{FFFD}[2J");
    }
}
