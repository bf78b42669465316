//! Reading pairs: one JSON object a line, `{"id", "context", "claim", "label"}`.
//!
//! `context` is a text or a list of texts; `title` or `page` names the document it is from. Plain, gzip and zstd files
//! are read. Every line that is not taken as it stands has a [`RowProblem`] that names it.

use std::collections::HashMap;
use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::problem::RowProblemKind as Kind;
use super::{Class, EvalError, RowProblem, Schema};
use crate::corpus::{ReadOptions, read_text};

/// Bytes, decompressed, that a set may have.
const MOST_BYTES: u64 = 4 << 30;
/// Labels of published sets that are outside the task.
const LEFT_OUT: [&str; 7] =
    ["conflicting", "partial", "partially_supported", "ambiguous", "irrelevant", "raw", "other"];

/// A claim, the context to check it against, and the label that it should get.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairRow {
    /// Line of the file, from 1.
    pub line: usize,
    /// The row's id; "line N" where it has none.
    pub id: String,
    /// Texts of the context; those without content are left out.
    pub contexts: Vec<String>,
    /// Title of the document that the context is from.
    pub title: Option<String>,
    /// The claim, or the answer that claims are taken from.
    pub claim: String,
    /// The question that it answers.
    pub question: Option<String>,
    /// The label.
    pub gold: Class,
}

/// A set of pairs.
#[derive(Debug, Clone)]
pub struct PairRows {
    /// The file's name without folders and extensions.
    pub name: String,
    /// Hex SHA-256 of the file's decompressed text.
    pub sha256: String,
    /// How finely it tells claims apart.
    pub schema: Schema,
    /// The rows to evaluate, in the file's order.
    pub rows: Vec<PairRow>,
    /// Lines that were left out, or kept with a doubt.
    pub problems: Vec<RowProblem>,
}

/// Reads the set in the file at `path` (`-` for standard input).
///
/// # Errors
/// [`EvalError::Read`] when the file cannot be read, [`EvalError::NoRows`] when no row is usable.
pub fn read_pairs(path: &Path) -> Result<PairRows, EvalError> {
    let options = ReadOptions { max_document_bytes: MOST_BYTES, ..ReadOptions::default() };
    let (text, _) = read_text(path, &options)?;
    some_rows(parse_pairs(&set_name(path), &text), path)
}

/// The same for a set of answers, whose text is in the field `response`.
///
/// # Errors
/// As [`read_pairs`].
pub fn read_answers(path: &Path) -> Result<PairRows, EvalError> {
    let options = ReadOptions { max_document_bytes: MOST_BYTES, ..ReadOptions::default() };
    let (text, _) = read_text(path, &options)?;
    some_rows(parse_answers(&set_name(path), &text), path)
}

pub(super) fn some_rows(rows: PairRows, path: &Path) -> Result<PairRows, EvalError> {
    if rows.rows.is_empty() {
        return Err(EvalError::NoRows { path: path.display().to_string(), first: rows.problems.into_iter().next() });
    }
    Ok(rows)
}

/// The file's name without folders and extensions.
pub(super) fn set_name(path: &Path) -> String {
    let name = path.file_name().map_or_else(|| "-".to_owned(), |name| name.to_string_lossy().into_owned());
    let mut name = name.as_str();
    for extension in [".zst", ".gz", ".jsonl", ".ndjson", ".json"] {
        name = name.strip_suffix(extension).unwrap_or(name);
    }
    name.to_owned()
}

/// Parses a set from its text.
///
/// ```
/// use evidex::eval::{Schema, parse_pairs};
///
/// let text = r#"{"id": "1", "context": "Opened in 1931.", "claim": "It opened in 1931.", "label": "supported"}
/// {"id": "2", "context": "Opened in 1931.", "claim": "It opened in 1941.", "label": "contradicted"}
/// {"id": "3", "context": "Opened in 1931.", "claim": "It was cheap.", "label": "perhaps"}"#;
/// let set = parse_pairs("bridges", text);
/// assert_eq!((set.rows.len(), set.schema), (2, Schema::ThreeClass));
/// assert_eq!(set.problems[0].to_string(), "line 3: unknown label `perhaps`");
/// ```
pub fn parse_pairs(name: &str, text: &str) -> PairRows {
    let lines = text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty());
    gather(name, text, lines.map(|(at, text)| parse_row(at + 1, text, "claim")))
}

/// Parses a set of answers: rows `{"id", "question", "context", "response", "label"}`, the question being optional.
pub fn parse_answers(name: &str, text: &str) -> PairRows {
    let lines = text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty());
    gather(name, text, lines.map(|(at, text)| parse_row(at + 1, text, "response")))
}

/// A set of rows, each read or refused. Of rows with the same id the first is kept.
pub(super) fn gather(name: &str, text: &str, items: impl Iterator<Item = Result<PairRow, RowProblem>>) -> PairRows {
    let mut rows: Vec<PairRow> = Vec::new();
    let mut problems = Vec::new();
    let mut seen: HashMap<String, usize> = HashMap::new();
    for item in items {
        match item {
            Ok(row) => {
                let line = row.line;
                if let Some(first) = seen.get(&row.id) {
                    let message = format!("the id `{}` was on line {first} already", row.id);
                    problems.push(RowProblem::new(line, Kind::DuplicateId, message));
                    continue;
                }
                seen.insert(row.id.clone(), line);
                rows.push(row);
            }
            Err(problem) => problems.push(problem),
        }
    }
    let schema = schema(&rows, &mut problems);
    for row in &mut rows {
        row.gold = schema.of_class(row.gold);
    }
    problems.sort_by_key(|problem| (problem.line, problem.kind));
    PairRows { name: name.to_owned(), sha256: crate::onnx::hex(&Sha256::digest(text)), schema, rows, problems }
}

fn parse_row(line: usize, text: &str, claim_field: &str) -> Result<PairRow, RowProblem> {
    let value: Value = serde_json::from_str(text)
        .map_err(|error| RowProblem::new(line, Kind::NotAnObject, format!("is no JSON: {error}")))?;
    let Value::Object(row) = value else {
        return Err(RowProblem::new(line, Kind::NotAnObject, "expected a JSON object"));
    };
    let missing = |field: &str| {
        let found = match row.get(field) {
            None => "is missing",
            Some(Value::Null) => "is null",
            Some(_) => "has another type than a text",
        };
        RowProblem::new(line, Kind::MissingField, format!("field `{field}` {found}"))
    };
    let label = row.get("label").and_then(Value::as_str).ok_or_else(|| missing("label"))?;
    let gold = match Class::named(label) {
        Some(gold) => gold,
        None if LEFT_OUT.contains(&label) => {
            return Err(RowProblem::new(line, Kind::LeftOut, format!("label `{label}` is outside the task")));
        }
        None => return Err(RowProblem::new(line, Kind::UnknownLabel, format!("unknown label `{label}`"))),
    };
    let claim = row.get(claim_field).and_then(Value::as_str).ok_or_else(|| missing(claim_field))?;
    if claim.trim().is_empty() {
        return Err(RowProblem::new(line, Kind::MissingField, format!("field `{claim_field}` is empty")));
    }
    let contexts = match row.get("context") {
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(items)) => {
            items.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>().ok_or_else(|| {
                RowProblem::new(
                    line,
                    Kind::MissingField,
                    "field `context` is a list that holds something else than texts",
                )
            })?
        }
        _ => return Err(missing("context")),
    };
    let id = match row.get("id") {
        Some(Value::String(id)) => id.clone(),
        Some(Value::Number(id)) => id.to_string(),
        None | Some(Value::Null) => format!("line {line}"),
        Some(_) => return Err(missing("id")),
    };
    let title = ["title", "page"].iter().find_map(|name| row.get(*name)?.as_str()).map(str::to_owned);
    Ok(PairRow {
        line,
        id,
        contexts: contexts.into_iter().filter(|context| !context.trim().is_empty()).collect(),
        title,
        claim: claim.to_owned(),
        question: row.get("question").and_then(Value::as_str).map(str::to_owned),
        gold,
    })
}

/// The set's schema. Where labels of both are there, the set is binary, for an unsupported row may be of either other class;
/// the rows of the schema that fewer rows have are named.
fn schema(rows: &[PairRow], problems: &mut Vec<RowProblem>) -> Schema {
    let (binary, three): (Vec<&PairRow>, Vec<&PairRow>) =
        rows.iter().filter(|row| row.gold != Class::Supported).partition(|row| row.gold == Class::Unsupported);
    if binary.is_empty() {
        return Schema::ThreeClass;
    }
    let odd = if binary.len() < three.len() { binary } else { three };
    problems.extend(odd.into_iter().map(|row| {
        let message = match row.gold {
            Class::Unsupported => {
                "label `unsupported` in a set of contradicted and neutral: all are taken as unsupported".to_owned()
            }
            gold => format!("label `{gold}` in a set of supported and unsupported: taken as unsupported"),
        };
        RowProblem::new(row.line, Kind::MixedSchema, message)
    }));
    Schema::Binary
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &str, label: &str) -> String {
        format!(r#"{{"id": "{id}", "context": ["A.", " ", "B."], "claim": "C.", "label": "{label}"}}"#)
    }

    #[test]
    fn every_line_that_is_not_taken_is_named_with_its_kind() {
        let lines = [
            row("a", "supported"),
            row("a", "supported"),
            "nonsense".to_owned(),
            "[1]".to_owned(),
            String::new(),
            r#"{"id": "b", "claim": "C.", "label": "supported"}"#.to_owned(),
            r#"{"id": "c", "context": "A.", "claim": 7, "label": "supported"}"#.to_owned(),
            r#"{"id": "d", "context": [1], "claim": "C.", "label": "supported"}"#.to_owned(),
            row("e", "partial"),
            row("f", "yes"),
            row("g", "unsupported"),
            row("h", "neutral"),
        ];
        let set = parse_pairs("x", &lines.join("\r\n"));
        let found: Vec<(usize, Kind)> = set.problems.iter().map(|problem| (problem.line, problem.kind)).collect();
        let expected = [
            (2, Kind::DuplicateId),
            (3, Kind::NotAnObject),
            (4, Kind::NotAnObject),
            (6, Kind::MissingField),
            (7, Kind::MissingField),
            (8, Kind::MissingField),
            (9, Kind::LeftOut),
            (10, Kind::UnknownLabel),
            (12, Kind::MixedSchema),
        ];
        assert_eq!(found, expected);
        let kept: Vec<(&str, Class)> = set.rows.iter().map(|row| (row.id.as_str(), row.gold)).collect();
        assert_eq!(kept, [("a", Class::Supported), ("g", Class::Unsupported), ("h", Class::Unsupported)]);
        assert_eq!(set.rows[0].contexts, ["A.", "B."]);
    }

    #[test]
    fn the_row_of_another_schema_is_named_and_not_those_of_the_sets_own() {
        let lines = [row("a", "contradicted"), row("b", "neutral"), row("c", "unsupported"), row("d", "supported")];
        let set = parse_pairs("x", &lines.join("\n"));
        let found: Vec<(usize, Kind)> = set.problems.iter().map(|problem| (problem.line, problem.kind)).collect();
        assert_eq!((set.schema, found), (Schema::Binary, vec![(3, Kind::MixedSchema)]));
    }

    #[test]
    fn a_set_is_called_after_its_file_without_extensions() {
        assert_eq!(set_name(Path::new("a/fm2_dev.jsonl.zst")), "fm2_dev");
        assert_eq!(set_name(Path::new("v1.2.jsonl")), "v1.2");
    }
}
