//! A comparison as text for people.

use std::fmt::Write as _;
use std::io;

use super::result::{ClaimResult, Comparison, Status};

/// Characters of a chunk that the report shows.
const SHOWN: usize = 200;

/// The report on a comparison: the counts, then each claim that is an issue with the nearest chunk.
pub fn report(comparison: &Comparison) -> String {
    let summary = comparison.summary();
    let mut text = String::new();
    let _ = writeln!(text, "{summary}");
    if let Some(confidence) = summary.confidence {
        let verdict = if summary.reliable { "reliable" } else { "not reliable" };
        let _ = writeln!(text, "Confidence: {confidence:.1} % ({verdict})");
    }
    let is_issue = |result: &&ClaimResult| !matches!(result.status, Status::Supported | Status::WeakSupport);
    for result in comparison.results.iter().filter(is_issue) {
        issue(&mut text, result);
    }
    if !comparison.skipped.is_empty() {
        let _ = writeln!(text, "\nNot checked, for nothing in them can be: {}", comparison.skipped.len());
    }
    text
}

fn issue(text: &mut String, result: &ClaimResult) {
    let _ = writeln!(text, "\nClaim #{}: {}", result.claim_id, result.claim);
    let _ = writeln!(text, "  Status: {}  Score: {:.3}", result.status, result.score);
    let _ = match &result.reason {
        Some(reason) => writeln!(text, "  Reason: {reason} ({})", result.explanation),
        None => writeln!(text, "  Reason: {}", result.explanation),
    };
    if let (Some(expected), Some(got)) = (&result.expected, &result.got) {
        let _ = writeln!(text, "  Expected: {expected}  Got: {got}");
    }
    if !result.ai_numbers.is_empty() {
        let (ai, truth) = (result.ai_numbers.join(", "), result.truth_numbers.join(", "));
        let _ = writeln!(text, "  AI numbers: {ai}  Truth numbers: {truth}");
    }
    if !result.unsupported_terms.is_empty() {
        let _ = writeln!(text, "  Unsupported terms: {}", result.unsupported_terms.join(", "));
    }
    if let (Some(source), Some(chunk)) = (&result.matched_source, &result.chunk_text) {
        let words = chunk.split_whitespace().collect::<Vec<_>>().join(" ");
        let shown: String = words.chars().take(SHOWN).collect();
        let dots = if shown.len() < words.len() { " …" } else { "" };
        let _ = writeln!(text, "  Closest chunk ({source}): {shown}{dots}");
    }
}

/// Writes the [`report`] to `out`.
///
/// # Errors
/// What `out` gives.
pub fn print_report(comparison: &Comparison, out: &mut impl io::Write) -> io::Result<()> {
    out.write_all(report(comparison).as_bytes())
}
