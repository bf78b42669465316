//! `evidex eval table`: committed results as tables in Markdown.

use evidex::eval::{EvalError, SUMMARY_MARKS, results_markdown, with_summary};

use super::args::TableArgs;
use crate::exit::{Exit, Failure};
use crate::printer;

/// Runs `evidex eval table`.
pub fn run(args: &TableArgs) -> Result<Exit, Failure> {
    let summary = results_markdown(&args.folder)?;
    let Some(path) = &args.write else {
        printer::out(&printer::visible(&summary))?;
        return Ok(Exit::Well);
    };
    let io = |doing: &'static str| {
        let path = path.display().to_string();
        move |source| EvalError::Io { doing, path, source }
    };
    let page = std::fs::read_to_string(path).map_err(io("read"))?;
    let written = with_summary(&page, &summary).ok_or_else(|| {
        Failure::new("no_marks", format!("{} has no place for results", path.display()))
            .hint(format!("put the lines {} and {} where they belong", SUMMARY_MARKS.0, SUMMARY_MARKS.1))
    })?;
    std::fs::write(path, written).map_err(io("write"))?;
    Ok(Exit::Well)
}
