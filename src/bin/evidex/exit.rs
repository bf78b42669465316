//! How the process ends.

use std::process::ExitCode;

use evidex::Error;

use crate::assets::AssetError;

/// What the exit code says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: all well.
    Well,
    /// 1: the run worked and found something.
    Found,
    /// 2: it could not run.
    CouldNotRun,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Well => 0,
            Exit::Found => 1,
            Exit::CouldNotRun => 2,
        })
    }
}

/// Why a command could not run: what, where and what to do next.
#[derive(Debug)]
pub struct Failure {
    /// Stable name of the kind of error.
    pub code: String,
    /// What went wrong and where.
    pub message: String,
    /// What to do next.
    pub hint: Option<String>,
}

impl Failure {
    /// A failure of the command line itself.
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into(), hint: None }
    }

    /// The same, with what to do next.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl From<AssetError> for Failure {
    fn from(error: AssetError) -> Self {
        Self { code: error.code().to_owned(), message: error.to_string(), hint: error.hint() }
    }
}

impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        let error = error.into();
        let mut message = error.to_string();
        let mut source = std::error::Error::source(&error);
        while let Some(cause) = source {
            let cause_text = cause.to_string();
            if !message.contains(&cause_text) {
                message.push_str(": ");
                message.push_str(&cause_text);
            }
            source = cause.source();
        }
        Self { code: error.code().0.to_owned(), message, hint: error.hint() }
    }
}
