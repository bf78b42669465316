//! SARIF 2.1.0: one run, a rule for each label, a result for each finding.

use std::io::{self, Write};
use std::path::Path;

use serde_json::{Value, json};

use super::entry::{CiRenderer, Entry, Outcome, Region, message};
use super::gate::{Standing, fingerprint};
use crate::report::ClaimReport;
use crate::verify::Label;

/// Writes SARIF 2.1.0. Columns count Unicode characters.
#[derive(Debug, Default)]
pub struct Sarif {
    with_baseline: bool,
    results: u64,
    errors: u64,
}

/// The rules, in the order of their indices: labels that a finding can have, and answers that could not be verified.
const RULES: [(&str, &str); 7] = [
    ("contradicted", "A source says otherwise."),
    ("conflicting", "The sources disagree about it."),
    ("partially_supported", "Only a part of it is supported."),
    ("not_enough_info", "The sources do not settle it."),
    ("not_checked", "It was not checked."),
    ("supported", "A source says so."),
    ("could_not_run", "The answer could not be verified."),
];

impl Sarif {
    /// A writer that says of each result whether it is new, if `with_baseline`.
    pub const fn new(with_baseline: bool) -> Self {
        Self { with_baseline, results: 0, errors: 0 }
    }

    fn result(&mut self, result: &Value, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(if self.results == 0 { b"\n" } else { b",\n" })?;
        self.results += 1;
        write!(out, "{result}")
    }
}

impl CiRenderer for Sarif {
    fn start(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let rules: Vec<Value> =
            RULES.iter().map(|(id, text)| json!({ "id": id, "shortDescription": { "text": text } })).collect();
        let version = env!("CARGO_PKG_VERSION");
        let driver = json!({ "name": "evidex", "version": version, "semanticVersion": version, "rules": rules });
        write!(
            out,
            "{{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{{\
             \"tool\":{{\"driver\":{driver}}},\"columnKind\":\"unicodeCodePoints\",\"results\":["
        )
    }

    fn entry(&mut self, entry: &Entry<'_>, out: &mut dyn Write) -> io::Result<()> {
        if let Outcome::Error(code, reason) = entry.outcome {
            self.errors += 1;
            let mut result = json!({
                "ruleId": "could_not_run",
                "ruleIndex": rule_index("could_not_run"),
                "level": "error",
                "message": { "text": format!("{}: {reason}", entry.name) },
                "locations": locations(entry, entry.whole()),
                "properties": { "code": code },
            });
            if self.with_baseline {
                result["baselineState"] = "new".into();
            }
            return self.result(&result, out);
        }
        for (claim, standing) in entry.findings() {
            let result = self.finding(entry, claim, standing);
            self.result(&result, out)?;
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let successful = self.errors == 0;
        writeln!(out, "\n],\"invocations\":[{{\"executionSuccessful\":{successful}}}]}}]}}")
    }
}

impl Sarif {
    fn finding(&self, entry: &Entry<'_>, claim: &ClaimReport, standing: Standing) -> Value {
        let label = claim.label.as_str();
        let mut result = json!({
            "ruleId": label,
            "ruleIndex": rule_index(label),
            "level": level(claim.label, standing),
            "message": { "text": message(claim) },
            "locations": locations(entry, entry.region(claim)),
            "partialFingerprints": { "evidexFinding/v1": fingerprint(entry.row, claim) },
            "properties": {
                "claim": claim.text,
                "confidence": claim.confidence,
                "row": entry.row,
                "evidence": claim.evidence.iter().map(|evidence| json!({
                    "role": evidence.role,
                    "documentId": evidence.document_id,
                    "source": evidence.source,
                    "url": evidence.url,
                    "quote": evidence.quote,
                    "charStart": evidence.span.char_start,
                    "charEnd": evidence.span.char_end,
                })).collect::<Vec<_>>(),
            },
        });
        if self.with_baseline {
            result["baselineState"] = if standing == Standing::Known { "unchanged" } else { "new" }.into();
        }
        result
    }
}

fn level(label: Label, standing: Standing) -> &'static str {
    match (standing, label) {
        (Standing::Fails, _) => "error",
        (Standing::Known, Label::Contradicted | Label::Conflicting) | (Standing::Warns, _) => "warning",
        _ => "note",
    }
}

fn rule_index(id: &str) -> usize {
    RULES.iter().position(|(rule, _)| *rule == id).unwrap_or(0)
}

/// One location, or none where the answer stands in no file.
fn locations(entry: &Entry<'_>, region: Region) -> Vec<Value> {
    let Some(file) = entry.file else { return Vec::new() };
    let mut place = json!({ "startLine": region.start.line });
    if let Some(end) = region.end {
        place["startColumn"] = region.start.column.into();
        place["endLine"] = end.line.into();
        place["endColumn"] = end.column.into();
    }
    vec![json!({ "physicalLocation": { "artifactLocation": { "uri": uri(file) }, "region": place } })]
}

/// A path as a URI reference: relative ones stay relative, absolute ones become `file:` URIs.
fn uri(path: &str) -> String {
    let path = if std::path::MAIN_SEPARATOR == '\\' { path.replace('\\', "/") } else { path.to_owned() };
    let mut uri = String::new();
    if Path::new(&path).is_absolute() {
        uri.push_str(if path.starts_with('/') { "file://" } else { "file:///" });
    }
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uri_references() {
        assert_eq!(uri("docs/an answer.txt"), "docs/an%20answer.txt");
        assert_eq!(uri("a:b%/ü?#.md"), "a%3Ab%25/%C3%BC%3F%23.md");
        if std::path::MAIN_SEPARATOR == '/' {
            assert_eq!(uri("/srv/x.txt"), "file:///srv/x.txt");
        }
    }
}
