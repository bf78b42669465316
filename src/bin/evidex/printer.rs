//! What is said on stderr, and when colour and progress show.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
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

/// Control characters, which could drive a terminal, made visible; line ends stay.
pub fn visible(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{FFFD}' } else { c }).collect()
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

/// Whether stdout takes colour: a terminal, and neither `NO_COLOR` nor `TERM=dumb` says otherwise.
pub fn colour() -> bool {
    !matches!(anstream::AutoStream::choice(&std::io::stdout()), anstream::ColorChoice::Never)
}

/// Columns of the terminal, 100 where there is none.
pub fn width() -> usize {
    let columns = console::Term::stdout().size_checked().map_or(100, |(_, columns)| usize::from(columns));
    columns.clamp(40, 120)
}

/// A bar that counts documents; hidden when stderr is no terminal.
#[derive(Clone)]
pub struct Counter(Arc<ProgressBar>);

impl Counter {
    /// A counter of `what`.
    pub fn new(what: &str) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let style =
            ProgressStyle::with_template(&format!("{{spinner}} {{pos}} {what} in {{elapsed}} ({{per_sec}}) {{msg}}"));
        if let Ok(style) = style {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(Arc::new(bar))
    }

    /// One more.
    pub fn add_one(&self) {
        self.0.inc(1);
    }

    /// What is being done.
    pub fn say(&self, message: &str) {
        self.0.set_message(message.to_owned());
    }

    /// Takes the bar away and runs `print`, so that lines do not mix.
    pub fn suspended(&self, print: impl FnOnce()) {
        self.0.suspend(print);
    }

    /// Takes the bar away for good.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}

/// A bar that shows how far an input is read, how fast and how long it will take; hidden when stderr is no terminal.
pub struct Bar {
    bar: ProgressBar,
    what: &'static str,
    begun: Instant,
}

impl Bar {
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
    fn nothing_that_is_printed_can_drive_the_terminal() {
        assert_eq!(super::visible("a\x1b[2J\u{9b}2J\nb"), "a\u{FFFD}[2J\u{FFFD}2J\nb");
    }
}
