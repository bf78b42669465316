//! What is said on stderr, and when colour and progress show.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::time::Duration;

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

/// The same for text that holds our own escapes for colour, which stay.
pub fn visible_with_colour(text: &str) -> String {
    let own = |rest: &str| rest.strip_prefix('[').is_some_and(|rest| {
        let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        digits.starts_with('m')
    });
    let shown = |(at, c): (usize, char)| {
        let keeps = c == '\n' || c == '\x1b' && own(&text[at + 1..]);
        if c.is_control() && !keeps { '\u{FFFD}' } else { c }
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

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_that_is_printed_can_drive_the_terminal() {
        assert_eq!(super::visible("a\x1b[2J\u{9b}2J\nb"), "a\u{FFFD}[2J\u{FFFD}2J\nb");
        assert_eq!(super::visible_with_colour("\x1b[31ma\x1b[0m\x1b[2J"), "\x1b[31ma\x1b[0m\u{FFFD}[2J");
    }
}
