//! Errors told with their causes.

/// An error with all that lies beneath it.
pub(super) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(beneath) = cause {
        text = format!("{text}: {beneath}");
        cause = beneath.source();
    }
    text
}
