//! The counts at the end, and what the exit code makes of them.

use std::time::Duration;

use evidex::report::ci::Standing;
use evidex::report::{Counts, Status};
use evidex::verify::Label;
use serde_json::{Value, json};

use super::record::Record;

/// What a run came to.
#[derive(Debug, Default)]
pub struct Summary {
    /// Lines that were not blank.
    pub rows: u64,
    /// Those with at least one claim checked.
    pub checked: u64,
    /// Those with nothing to check.
    pub without_claims: u64,
    /// Those with claims of which none could be checked.
    pub nothing_checked: u64,
    /// Those that could not be checked at all.
    pub errors: u64,
    /// Those that an earlier run had done.
    pub resumed: u64,
    /// Claims by label.
    pub claims: Counts,
    /// Claims that fail the run.
    pub failing: u64,
    /// Claims that would, had the baseline not known them.
    pub known: u64,
}

impl Summary {
    /// Counts one more line.
    pub fn add(&mut self, record: &Record, standings: &[Standing]) {
        self.rows += 1;
        let Some(report) = &record.report else {
            self.errors += 1;
            return;
        };
        match report.status {
            Status::Checked => self.checked += 1,
            Status::NoClaims => self.without_claims += 1,
            Status::NothingChecked => self.nothing_checked += 1,
        }
        for claim in &report.claims {
            self.claims.add(claim.label);
        }
        let count = |what| standings.iter().filter(|standing| **standing == what).count() as u64;
        self.failing += count(Standing::Fails);
        self.known += count(Standing::Known);
    }

    /// For machines.
    pub fn to_json(&self, output: &str, elapsed: Duration) -> Value {
        json!({
            "output": output,
            "rows": {
                "total": self.rows,
                "checked": self.checked,
                "without_claims": self.without_claims,
                "nothing_checked": self.nothing_checked,
                "errors": self.errors,
                "resumed": self.resumed,
            },
            "claims": self.claims,
            "findings": { "failing": self.failing, "known": self.known },
            "seconds": elapsed.as_secs_f64(),
            "rows_per_second": self.rate(elapsed),
        })
    }

    /// For people.
    pub fn to_text(&self, output: &str, elapsed: Duration) -> String {
        let mut parts = vec![format!("{} checked", self.checked)];
        for (count, what) in [
            (self.without_claims, "with nothing to check"),
            (self.nothing_checked, "of which nothing could be checked"),
            (self.errors, "with an error"),
        ] {
            if count > 0 {
                parts.push(format!("{count} {what}"));
            }
        }
        let resumed =
            if self.resumed > 0 { format!(", {} of them in an earlier run", self.resumed) } else { String::new() };
        let labels: Vec<String> = Label::ALL
            .into_iter()
            .filter(|label| self.claims.of(*label) > 0)
            .map(|label| format!("{} {label}", self.claims.of(label)))
            .collect();
        let labels = if labels.is_empty() { "none".to_owned() } else { labels.join(", ") };
        let known = if self.known > 0 { format!("; {} known from the baseline", self.known) } else { String::new() };
        let s = if self.rows == 1 { "" } else { "s" };
        format!(
            "{output}: {} row{s}{resumed}: {} ({:.1} s, {:.1} a second)\nclaims: {labels}{known}\n",
            self.rows,
            parts.join(", "),
            elapsed.as_secs_f64(),
            self.rate(elapsed),
        )
    }

    /// Lines a second of this run.
    fn rate(&self, elapsed: Duration) -> f64 {
        (self.rows - self.resumed) as f64 / elapsed.as_secs_f64().max(1e-3)
    }
}
