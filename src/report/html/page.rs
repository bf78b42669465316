//! The page itself.

use super::escape::{escaped, link};
use super::marked::{class, marked};
use crate::report::text::words;
use crate::report::{ClaimReport, EvidenceReport, FindingReport, Report, RiskLevel, Status};
use crate::verify::{CitationRole, Label, Stance};

const STYLE: &str = include_str!("style.css");

/// The report as an HTML page that stands alone; `answer` is the text that was checked.
///
/// ```
/// # use std::sync::Arc;
/// # use evidex::{corpus::Document, evidence::InlineContext, report::{Report, to_html}, verify::Verifier};
/// let context = InlineContext::new(vec![Document::inline("a", "The bridge opened in 1931.")])?;
/// let answer = "The bridge opened in 1951.\n\n<script>alert(1)</script>";
/// let verification = Verifier::builder().source(Arc::new(context)).build()?.verify(answer)?;
/// let page = to_html(&Report::new(&verification, None, false), answer);
/// assert!(page.contains("class=\"m bad\"") && !page.contains("<script"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_html(report: &Report, answer: &str) -> String {
    let name = report.answer.source.as_deref().unwrap_or("text");
    let title = format!("evidex: {}", escaped(name));
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{}</h1>\n",
        escaped(name),
    );
    page.push_str(&headline(report));
    page.push_str(&format!("<div class=\"text\" dir=\"auto\">{}</div>\n", marked(answer, &report.claims)));
    page.push_str("<h2>Claims</h2>\n");
    for claim in &report.claims {
        page.push_str(&section(claim));
    }
    page.push_str(&footer(report));
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

fn headline(report: &Report) -> String {
    let coverage = &report.coverage;
    let summary = match report.status {
        Status::NoClaims => {
            format!("Nothing to check: {} statements found, none states a fact.", coverage.claims_found)
        }
        Status::NothingChecked => format!("Nothing could be checked: {} statements found.", coverage.claims_found),
        Status::Checked => format!("{} of {} statements checked.", coverage.checked, coverage.claims_found),
    };
    let mut html = format!("<p>{summary}");
    if let (Some(score), Some(risk), Some(level)) = (report.score, report.risk.value, report.risk.level) {
        let (style, level) = match level {
            RiskLevel::Low => ("good", "low"),
            RiskLevel::Medium => ("open", "medium"),
            RiskLevel::High => ("bad", "high"),
        };
        html.push_str(&format!(" Support {score:.2}, <span class=\"tag {style}\">risk {risk:.2} ({level})</span>"));
        if report.risk.any_contradiction {
            html.push_str(", and a source contradicts at least one claim");
        }
        html.push('.');
    }
    html.push_str("</p>\n<ul class=\"counts\">\n");
    for label in Label::ALL.into_iter().filter(|label| report.summary.of(*label) > 0) {
        let count = report.summary.of(label);
        html.push_str(&format!("<li><span class=\"tag {}\">{count} {}</span></li>\n", class(label), words(label)));
    }
    html.push_str("</ul>\n");
    html
}

fn section(claim: &ClaimReport) -> String {
    let confidence = claim.confidence.map_or_else(String::new, |confidence| format!(" {confidence:.2}"));
    let open = if matches!(claim.label, Label::Supported | Label::NotChecked) { "" } else { " open" };
    let mut html = format!(
        "<details class=\"claim\" id=\"c{}\"{open}>\n<summary><span class=\"tag {}\">{}{confidence}</span> \
         <bdi>{}</bdi></summary>\n<p class=\"why\">{}</p>\n",
        claim.index,
        class(claim.label),
        words(claim.label),
        escaped(&claim.text),
        escaped(&claim.reason),
    );
    for evidence in &claim.evidence {
        html.push_str(&quote(evidence));
    }
    let mut notes = Vec::new();
    for proof in &claim.proofs {
        let sign = if proof.holds { "as claimed" } else { "not as claimed" };
        notes.push(format!("computed: {} = {}, {sign} ({})", proof.expression, proof.result, proof.claimed));
    }
    notes.extend(claim.findings.iter().map(finding));
    notes.extend(claim.warnings.iter().map(|warning| format!("warning: {}", warning.message)));
    notes.extend(claim.failures.iter().map(|failure| format!("{} could not run: {}", failure.check, failure.message)));
    if !notes.is_empty() {
        html.push_str("<ul class=\"notes\">\n");
        for note in notes {
            html.push_str(&format!("<li>{}</li>\n", escaped(&note)));
        }
        html.push_str("</ul>\n");
    }
    for considered in claim.considered.iter().flatten() {
        html.push_str(&quote(&considered.evidence));
        html.push_str(&format!("<p class=\"why\">{}</p>\n", escaped(&considered.why)));
    }
    html.push_str("</details>\n");
    html
}

fn quote(evidence: &EvidenceReport) -> String {
    let (style, lead) = match evidence.role {
        CitationRole::Supports => ("good", "says so"),
        CitationRole::Contradicts => ("bad", "says otherwise"),
        CitationRole::Nearest => ("none", "nearest"),
    };
    let source = match evidence.url.as_deref().and_then(link) {
        Some(url) => {
            format!("<a rel=\"noopener noreferrer\" href=\"{url}\">{}</a>", escaped(&evidence.source))
        }
        None => escaped(&evidence.source),
    };
    let title = evidence.title.as_deref().filter(|title| !title.is_empty());
    let title = title.map_or_else(String::new, |title| format!("{}, ", escaped(title)));
    let document = if evidence.document_id == evidence.source {
        String::new()
    } else {
        format!(" [{}]", escaped(&evidence.document_id))
    };
    format!(
        "<figure><blockquote class=\"{style}\" dir=\"auto\">{}</blockquote>\n<figcaption>{lead}: {title}{source}{document}, \
         characters {}–{}</figcaption></figure>\n",
        escaped(&evidence.quote),
        evidence.span.char_start,
        evidence.span.char_end,
    )
}

fn finding(finding: &FindingReport) -> String {
    let stance = match finding.stance {
        Stance::Supports => "agrees",
        Stance::Contradicts => "disagrees",
        Stance::Missing => "is missing",
        Stance::Notes => "note",
    };
    let said = match (&finding.claim_value, &finding.evidence_value) {
        (Some(claim), Some(evidence)) => format!(": “{claim}” in the text, “{evidence}” in the source"),
        (Some(claim), None) => format!(": “{claim}” in the text"),
        (None, Some(evidence)) => format!(": “{evidence}” in the source"),
        (None, None) => String::new(),
    };
    let detail = finding.detail.as_ref().map_or_else(String::new, |detail| format!(" ({detail})"));
    format!("{} {stance}{said}{detail}", finding.check)
}

fn footer(report: &Report) -> String {
    let sources = if report.sources.is_empty() { "none".to_owned() } else { report.sources.join(", ") };
    let model = |model: &Option<crate::report::ModelReport>| {
        model.as_ref().map_or_else(|| "none".to_owned(), |model| escaped(&model.name))
    };
    format!(
        "<footer>Sources: {}. Embedder: {}. NLI model: {}. evidex {}.</footer>\n",
        escaped(&sources),
        model(&report.models.embedder),
        model(&report.models.nli),
        escaped(&report.evidex_version),
    )
}
