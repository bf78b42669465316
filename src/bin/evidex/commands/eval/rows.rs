//! The rows of a set that can be verified; what is wrong with the others is said on stderr, by name and line.

use std::collections::BTreeMap;
use std::path::Path;

use evidex::eval::{EvalError, PairRow, PairRows, RowProblem, RowProblemKind};

use crate::exit::Failure;
use crate::printer;

/// Problems of rows that are named one by one.
const NAMED_PROBLEMS: usize = 5;
/// Lines of one kind of problem that are named without their text.
const NAMED_LINES: usize = 20;

/// The set without the rows that cannot be verified. A row without context needs an index.
///
/// # Errors
/// When no context is there and no index, or a row is wrong and `strict` is asked for.
pub fn usable(mut set: PairRows, file: &Path, has_index: bool, strict: bool) -> Result<PairRows, Failure> {
    let path = file.display().to_string();
    if !has_index {
        if set.rows.iter().all(|row| row.contexts.is_empty()) {
            return Err(EvalError::NoContexts { path }.into());
        }
        let empty: Vec<RowProblem> = set.rows.iter().filter(|row| row.contexts.is_empty()).map(no_context).collect();
        set.problems.extend(empty);
        set.rows.retain(|row| !row.contexts.is_empty());
    }
    if strict && let Some(problem) = set.problems.iter().find(|problem| problem.kind.is_fault()) {
        return Err(EvalError::Strict { path, problem: problem.clone() }.into());
    }
    let faults: Vec<&RowProblem> = set.problems.iter().filter(|problem| problem.kind.is_fault()).collect();
    for problem in faults.iter().take(NAMED_PROBLEMS) {
        printer::warning(&format!("{path}, {problem}"));
    }
    if faults.len() > NAMED_PROBLEMS {
        printer::warning(&format!("{path}: {}", others(&faults[NAMED_PROBLEMS..])));
    }
    Ok(set)
}

/// The problems that are not told one by one, by kind and line.
fn others(faults: &[&RowProblem]) -> String {
    let mut lines: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for problem in faults {
        lines.entry(problem.kind.as_str()).or_default().push(problem.line);
    }
    let of_kind = |(kind, lines): (&&str, &Vec<usize>)| {
        let named: Vec<String> = lines.iter().take(NAMED_LINES).map(usize::to_string).collect();
        let rest =
            if lines.len() > NAMED_LINES { format!(" and {} more", lines.len() - NAMED_LINES) } else { String::new() };
        format!("{} on line {}{rest}", kind.replace('_', " "), named.join(", "))
    };
    let each: Vec<String> = lines.iter().map(of_kind).collect();
    format!("{} more lines with a problem: {}", faults.len(), each.join("; "))
}

fn no_context(row: &PairRow) -> RowProblem {
    RowProblem { line: row.line, kind: RowProblemKind::EmptyContext, message: "the context is empty".to_owned() }
}
