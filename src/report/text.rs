//! The report for people: what was claimed, what the sources say, and why.

use super::RiskLevel;
use super::summary::Status;
use super::types::{ClaimReport, EvidenceReport, Report};
use crate::text::steers_display;
use crate::verify::{CitationRole, Label, Stance};

/// How the text is laid out.
#[derive(Debug, Clone, Copy)]
pub struct TextOptions {
    /// Colour by ANSI escapes. The text reads the same without.
    pub colour: bool,
    /// Characters a line; lines are broken at spaces.
    pub width: usize,
}

impl Default for TextOptions {
    fn default() -> Self {
        Self { colour: false, width: 100 }
    }
}

const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const RED: &str = "\x1b[31m";
const GREEN: &str = "\x1b[32m";
const YELLOW: &str = "\x1b[33m";
const MAGENTA: &str = "\x1b[35m";
const RESET: &str = "\x1b[0m";

/// The report as text, with a final newline.
pub fn to_text(report: &Report, options: &TextOptions) -> String {
    let mut page = Page { out: String::new(), options: *options };
    page.headline(report);
    for claim in &report.claims {
        page.claim(claim);
    }
    page.footer(report);
    page.out
}

/// A page that is being written.
pub(super) struct Page {
    out: String,
    options: TextOptions,
}

impl Page {
    pub(super) fn new(options: &TextOptions) -> Self {
        Self { out: String::new(), options: *options }
    }

    pub(super) fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    fn paint(&self, style: &str, text: &str) -> String {
        if self.options.colour { format!("{style}{text}{RESET}") } else { text.to_owned() }
    }

    fn headline(&mut self, report: &Report) {
        let coverage = &report.coverage;
        let line = match report.status {
            Status::NoClaims => {
                format!("Nothing to check: {} found, none states a fact.", statements(coverage.claims_found))
            }
            Status::NothingChecked => {
                format!("Nothing could be checked: {} found.", statements(coverage.claims_found))
            }
            Status::Checked => {
                let counts = Label::ALL
                    .iter()
                    .filter(|&&label| report.summary.of(label) > 0)
                    .map(|&label| format!("{} {}", report.summary.of(label), words(label)))
                    .collect::<Vec<_>>();
                format!("{} of {} checked: {}", coverage.checked, statements(coverage.claims_found), counts.join(", "))
            }
        };
        let line = self.paint(BOLD, &line);
        self.out.push_str(&line);
        self.out.push('\n');
        if let (Some(score), Some(value), Some(level)) = (report.score, report.risk.value, report.risk.level) {
            let (style, name) = match level {
                RiskLevel::Low => (GREEN, "low"),
                RiskLevel::Medium => (YELLOW, "medium"),
                RiskLevel::High => (RED, "high"),
            };
            let risk = self.paint(style, &format!("risk {value:.2} ({name})"));
            let lie = if report.risk.any_contradiction { ", and a source contradicts at least one claim" } else { "" };
            self.out.push_str(&format!("Support {score:.2}, {risk}{lie}.\n"));
        }
    }

    fn claim(&mut self, claim: &ClaimReport) {
        let (mark, style) = match claim.label {
            Label::Supported => ("✓", GREEN),
            Label::PartiallySupported => ("◐", YELLOW),
            Label::Contradicted => ("✗", RED),
            Label::Conflicting => ("≠", MAGENTA),
            Label::NotEnoughInfo => ("?", YELLOW),
            Label::NotChecked => ("–", DIM),
        };
        let confidence = claim.confidence.map_or(String::new(), |confidence| format!(" {confidence:.2}"));
        let head = self.paint(style, &format!("{mark} {}{confidence}", words(claim.label)));
        self.out.push_str(&format!("\n{head}\n"));
        let text = self.paint(BOLD, &one_line(&claim.text));
        self.wrapped("    ", &text);
        self.wrapped("    why: ", &one_line(&claim.reason));
        for evidence in &claim.evidence {
            self.evidence(evidence);
        }
        for proof in &claim.proofs {
            let sign = if proof.holds { "as claimed" } else { "not as claimed" };
            self.wrapped(
                "    computed: ",
                &one_line(&format!("{} = {}, {sign} ({})", proof.expression, proof.result, proof.claimed)),
            );
        }
        for finding in claim.findings.iter().filter(|finding| finding.stance != Stance::Supports) {
            if let Some(detail) = &finding.detail
                && !claim.reason.contains(detail.as_str())
            {
                self.wrapped("    note: ", &one_line(detail));
            }
        }
        if !claim.standings.is_empty() {
            let each = claim.standings.iter().map(|standing| format!("{}: {}", standing.source, words(standing.label)));
            self.wrapped("    by source: ", &one_line(&each.collect::<Vec<_>>().join("; ")));
        }
        for warning in &claim.warnings {
            let message = self.paint(YELLOW, &one_line(&warning.message));
            self.wrapped("    warning: ", &message);
        }
        for failure in &claim.failures {
            let message = self.paint(RED, &one_line(&format!("{} could not run: {}", failure.check, failure.message)));
            self.wrapped("    error: ", &message);
        }
        for considered in claim.considered.iter().flatten() {
            self.wrapped("    looked at: ", &format!("“{}”", one_line(&considered.evidence.quote)));
            self.wrapped("               ", &format!("{}: {}", place(&considered.evidence), one_line(&considered.why)));
        }
    }

    fn evidence(&mut self, evidence: &EvidenceReport) {
        let lead = match evidence.role {
            CitationRole::Supports => "    says so: ",
            CitationRole::Contradicts => "    says otherwise: ",
            CitationRole::Nearest => "    nearest: ",
        };
        self.wrapped(lead, &format!("“{}”", one_line(&evidence.quote)));
        let lines = std::iter::once(place(evidence)).chain(pinned(evidence));
        for line in lines {
            let line = self.paint(DIM, &line);
            self.wrapped("             ", &line);
        }
    }

    fn footer(&mut self, report: &Report) {
        self.out.push('\n');
        let sources = if report.sources.is_empty() { "none".to_owned() } else { report.sources.join(", ") };
        let embedder = report.models.embedder.as_ref().map_or("none", |model| model.name.as_str());
        let nli = report.models.nli.as_ref().map_or("none (the checks alone decide)", |model| model.name.as_str());
        let line =
            format!("Sources: {sources}. Embedder: {embedder}. NLI model: {nli}. {:.0} ms.", report.timings.total_ms);
        let line = self.paint(DIM, &one_line(&line));
        self.wrapped("", &line);
    }

    /// Writes `text` behind `lead`, further lines under its first character.
    pub(super) fn wrapped(&mut self, lead: &str, text: &str) {
        let indent = lead.chars().count();
        self.out.push_str(lead);
        let mut column = indent;
        for (at, word) in text.split(' ').enumerate() {
            let length = visible_length(word);
            if at > 0 && column + 1 + length > self.options.width.max(indent + 20) {
                self.out.push('\n');
                self.out.extend(std::iter::repeat_n(' ', indent));
                column = indent;
            } else if at > 0 {
                self.out.push(' ');
                column += 1;
            }
            self.out.push_str(word);
            column += length;
        }
        self.out.push('\n');
    }
}

/// Characters of a word without its ANSI escapes.
fn visible_length(word: &str) -> usize {
    let mut length = 0;
    let mut escaped = false;
    for c in word.chars() {
        match c {
            '\x1b' => escaped = true,
            'm' if escaped => escaped = false,
            _ if !escaped => length += 1,
            _ => {}
        }
    }
    length
}

/// White space runs as one space, and control characters, which could drive a terminal, made visible.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        let (apart, word) = command_apart(word);
        line.push_str(apart);
        line.extend(word.chars().map(|c| if steers_display(c) { '\u{FFFD}' } else { c }));
    }
    line
}

/// The marks with which a build machine's command begins, set apart, and the rest: it takes a line for a command whatever
/// indents it.
fn command_apart(word: &str) -> (&'static str, &str) {
    match (word.strip_prefix("::"), word.strip_prefix("##")) {
        (Some(rest), _) => (": :", rest),
        (_, Some(rest)) => ("# #", rest),
        _ => ("", word),
    }
}

/// Where a quote stands, for people.
pub(super) fn place(evidence: &EvidenceReport) -> String {
    let title = evidence.title.as_deref().filter(|title| !title.is_empty());
    let title = title.map_or(String::new(), |title| format!("{}, ", one_line(title)));
    let document = if evidence.document_id == evidence.source {
        String::new()
    } else {
        format!(" [{}]", one_line(&evidence.document_id))
    };
    let span = evidence.span;
    if evidence.pinned.as_ref().is_some_and(|pinned| pinned.permalink.is_some()) && !title.is_empty() {
        // The permalink, on a line of its own, says which document it is.
        return format!("{title}characters {}–{}", span.char_start, span.char_end);
    }
    format!("{title}{}{document}, characters {}–{}", one_line(&evidence.source), span.char_start, span.char_end)
}

/// What pins the quote, and what kind of publication it stands in: a line each, where known.
fn pinned(evidence: &EvidenceReport) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(pinned) = &evidence.pinned {
        let day = |moment: &str| moment.split('T').next().unwrap_or(moment).to_owned();
        let parts = [
            pinned.section.as_ref().map(|section| format!("section “{}”", one_line(section))),
            pinned.revision.map(|revision| format!("revision {revision}")),
            pinned.dated.as_deref().map(|dated| format!("of {}", day(dated))),
            pinned.retrieved.as_deref().map(|retrieved| format!("fetched {}", day(retrieved))),
            pinned.licence.as_ref().map(|licence| one_line(licence)),
        ];
        lines.push(parts.into_iter().flatten().collect::<Vec<_>>().join(", "));
        lines.extend(pinned.permalink.as_ref().map(|permalink| one_line(permalink)));
    }
    lines.extend(evidence.source_quality.as_ref().map(|hint| format!("kind of source: {hint}")));
    lines
}

/// A label in words.
pub(super) const fn words(label: Label) -> &'static str {
    match label {
        Label::Supported => "supported",
        Label::PartiallySupported => "partially supported",
        Label::Contradicted => "contradicted",
        Label::Conflicting => "conflicting",
        Label::NotEnoughInfo => "not enough information",
        Label::NotChecked => "not checked",
    }
}

fn statements(count: usize) -> String {
    if count == 1 { "1 statement".to_owned() } else { format!("{count} statements") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_break_under_their_first_character() {
        let mut page = Page { out: String::new(), options: TextOptions { colour: false, width: 30 } };
        page.wrapped("    why: ", "one two three four five six seven");
        assert_eq!(page.out, "    why: one two three four\n         five six seven\n");
    }

    #[test]
    fn a_quote_cannot_drive_the_terminal() {
        assert_eq!(one_line("a\x1b[2Jb\n c"), "a\u{FFFD}[2Jb c");
    }

    #[test]
    fn a_claim_cannot_command_a_build_machine() {
        assert_eq!(one_line("::error file=x::It is."), ": :error file=x::It is.");
        assert_eq!(one_line("Ida said ##[error] so."), "Ida said # #[error] so.");
        assert_eq!(one_line("std::vec and C#"), "std::vec and C#");
    }
}
