//! The report as JSON, and the JSON Schema that it follows.

use super::Report;

/// The report as JSON, indented, with a final newline. Numbers are finite; absent values are `null`.
pub fn to_json(report: &Report) -> String {
    let mut json = serde_json::to_string_pretty(report).expect("a report holds only strings, numbers and lists");
    json.push('\n');
    json
}

/// The report as JSON on one line, with a final newline: a line of JSONL.
pub fn to_json_line(report: &Report) -> String {
    let mut json = serde_json::to_string(report).expect("a report holds only strings, numbers and lists");
    json.push('\n');
    json
}

/// The JSON Schema of [`Report`], indented, with a final newline. `src/report/report.schema.json` is this text.
pub fn schema() -> String {
    let mut json = serde_json::to_string_pretty(&schemars::schema_for!(Report)).expect("a schema is JSON");
    json.push('\n');
    json
}

/// The JSON Schema of [`DetectionReport`](super::DetectionReport), indented, with a final newline.
pub fn detection_schema() -> String {
    let schema = schemars::schema_for!(super::DetectionReport);
    let mut json = serde_json::to_string_pretty(&schema).expect("a schema is JSON");
    json.push('\n');
    json
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_schema_is_the_one_of_the_types() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/report/report.schema.json");
        let committed = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            committed == schema(),
            "src/report/report.schema.json is not that of the types: run `cargo run -- schema > src/report/report.schema.json`"
        );
    }
}
