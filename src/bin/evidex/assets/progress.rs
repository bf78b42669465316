//! A bar for a download, hidden when stderr is no terminal, and lines that say what goes on.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar of bytes; hidden when not wanted or when stderr is no terminal.
pub fn bytes_bar(wanted: bool, name: &str, total: Option<u64>) -> ProgressBar {
    let target = if wanted { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(total, target);
    let template =
        if total.is_some() { "{msg} {wide_bar} {bytes}/{total_bytes} {eta}" } else { "{msg} {bytes} {bytes_per_sec}" };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_message(name.to_owned());
    bar
}

/// A turning mark for work of unknown length.
pub fn spinner(wanted: bool, name: &str) -> ProgressBar {
    let target = if wanted { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(None, target);
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
        bar.set_style(style);
    }
    bar.set_message(name.to_owned());
    if wanted {
        bar.enable_steady_tick(Duration::from_millis(120));
    }
    bar
}

/// "22.9 MB".
pub fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
